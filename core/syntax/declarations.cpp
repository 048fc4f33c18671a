// `let` and `var`, with what other languages write around the name.
#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

void ItemParser::declaration(Block& into) {
  const std::size_t keyword = pos_;
  const std::uint32_t begin = token().begin;
  bool is_var = raw() == Tok::Var;
  ++pos_;
  if ((raw() == Tok::Let || raw() == Tok::Var) && same_line(0)) {  // `let var x`
    is_var = is_var || raw() == Tok::Var;
    const std::string_view word = is_var ? "var" : "let";
    mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: a name is declared with one keyword", described(token()))), fmt::format("Write `{}`", word), {{{begin, token().end}, std::string(word)}});
    ++pos_;
    error_at_ = no_partner;
    --errors_;
  }
  if ((word_is("mut") || word_is("const")) && raw(1) == Tok::Name && !token(1).newline) {
    const bool mutates = word_is("mut") || is_var;
    const Span both{begin, token().end};
    mend(foreign(both, mutates ? "what can be assigned is declared with `var`" : "what is not assigned is declared with `let`"),
         mutates ? "Write `var`" : "Write `let`", {{both, mutates ? "var" : "let"}});
    is_var = mutates;
    ++pos_;
  }
  if (raw() == Tok::LeftParen && closed(pos_)) {
    foreign(token().span(), "one declaration names one value");
    for (std::size_t i = pos_ + 1; i < partner_[pos_]; ++i) {  // all of them are there
      const Span span = tokens_[i].span();
      if (tokens_[i].kind != Tok::Name) continue;
      const ExprId value = error_expression(span);
      into.push_back(add(span.begin, LetStmt{is_var, {std::string(text(span)), span, false}, {}, value}));
    }
    skip_group();
    error_at_ = pos_;
    skip_statement();
    error_at_ = pos_;
    return;
  }
  Name name = declared_name("a name");
  (void)keyword;
  declared(into, begin, is_var, std::move(name));
}

// `let y f32 = 3.0`, `var u[32]: f32`. Behind the name.
void ItemParser::declared_type(LetStmt& into, std::uint32_t begin, std::uint32_t name_end) {
  const bool type_follows = peek() == Tok::Name && ((raw(1) == Tok::Assign && same_line(1)) || ((word_is("tile") || word_is("tensor")) && raw(1) == Tok::Less));
  if (type_follows) {
    insert(report(Code::SyntaxExpected, gap(), "`:` before the type"), previous_end(), ":");
    error_at_ = no_partner;
    --errors_;
    into.type = type();
    return;
  }
  if (peek() != Tok::LeftBracket || !closed(pos_) || into.name.missing) return;
  const std::size_t opener = pos_, closer = partner_[pos_];
  const auto found = report(Code::SyntaxUnexpected, token().span(), "`[`: the extents stand in the type, as in `var t: tile<f32>[32]`");
  error_at_ = no_partner;
  const bool typed = tokens_[closer + 1].kind == Tok::Colon && tokens_[closer + 2].kind == Tok::Name;
  const std::string scalar(typed ? scalar_meant(text(tokens_[closer + 2].span())) : "f32");
  TypeSyntax shape{TypeSyntax::Form::Tile, {scalar, into.name.span, false}, {}, into.name.span};
  const std::size_t errors = errors_;
  dimensions(shape);
  const bool ends = typed ? tokens_[closer + 3].newline || tokens_[closer + 3].kind == Tok::Semicolon : peek() == Tok::End || raw() == Tok::Semicolon;
  if (errors_ == errors && !scalar.empty() && ends && shape.form == TypeSyntax::Form::Tile) {
    const std::string dims(text({tokens_[opener].begin, tokens_[closer].end}));
    mend(found, fmt::format("Write `{}: tile<{}>{}`", into.name.text, scalar, dims), {{{begin, begin + 3}, "var"}, {{name_end, typed ? tokens_[closer + 2].end : tokens_[closer].end}, fmt::format(": tile<{}>{}", scalar, dims)}});
    into.is_var = true;
    --errors_;
    error_at_ = no_partner;
  }
  if (typed) skip_to(closer + 3);
  into.type = std::move(shape);
}

// `var u = tile<f32>[32]`, `var u = f32[32]`. Behind the `=`; false where it is no type.
bool ItemParser::type_as_value(LetStmt& into, std::uint32_t begin, Span sign) {
  const bool ours = word_is("tile") || word_is("tensor");
  const bool theirs = !ours && raw() == Tok::Name && raw(1) == Tok::Less && raw(2) == Tok::Name && raw(3) == Tok::Greater && raw(4) == Tok::LeftBracket && !scalar_meant(text(token(2).span())).empty();  // `shared<f32>[64]`
  const bool shaped = (ours && raw(1) == Tok::Less) || theirs;
  const bool array = raw() == Tok::Name && raw(1) == Tok::LeftBracket && closed(pos_ + 1) && !scalar_meant(text(token().span())).empty() && tokens_[partner_[pos_ + 1] + 1].newline;
  if (into.type || !same_line(0) || (!shaped && !array)) return false;
  const std::uint32_t from = token().begin;
  const std::string_view first = text(token().span());
  const auto found = report(Code::SyntaxUnexpected, sign, "`=`: a tile's type stands behind `:`");
  if (!theirs) error_at_ = no_partner;
  const std::size_t errors = errors_ + (theirs ? 1 : 0);  // that there is no such type is said already
  const std::string scalar(scalar_meant(first));
  if (array) {
    TypeSyntax shape{TypeSyntax::Form::Tile, {scalar, token().span(), false}, {}, token().span()};
    ++pos_;
    dimensions(shape);
    into.type = std::move(shape);
  } else {
    into.type = type();
  }
  if (errors_ == errors && peek() == Tok::Assign) {  // `var t = tile<f32>[32] = 0.0`
    ++pos_;
    into.init = value();
  }
  const bool keyword = text({begin, begin + 3}) == "let" || text({begin, begin + 3}) == "var";
  if (errors_ == errors && keyword && first != "tensor" && (peek() == Tok::End || raw() == Tok::Semicolon))
    mend(found, "Write `:`", {{{begin, begin + 3}, "var"}, {{into.name.span.end, from}, ": "}, {{from, array || theirs ? from + static_cast<std::uint32_t>(first.size()) : from}, array ? fmt::format("tile<{}>", scalar) : theirs ? "tile" : ""}});
  into.is_var = true;
  return true;
}

// `let a = 1, b = 2`: the rest of it. `outer`: of `int a = 1, b = 2`, reported already.
void ItemParser::more_declarations(Block& into, bool is_var, Found outer, std::string_view typed) {
  if (peek() != Tok::Comma || raw(1) != Tok::Name || (raw(2) != Tok::Assign && typed.empty()) || !same_line(2 - (typed.empty() ? 0 : 1))) return;
  const bool own = typed.empty();
  const auto found = own ? report(Code::SyntaxUnexpected, token().span(), "`,`: one declaration names one value") : outer;
  const std::size_t errors = errors_;
  std::vector<std::pair<Span, std::string>> edits;
  while (peek() == Tok::Comma && raw(1) == Tok::Name) {
    const Span comma{token().begin, token(1).begin};
    const Lexeme name = token(1);
    edits.push_back({comma, fmt::format("; {} ", is_var ? "var" : "let")});
    pos_ += 2;
    error_at_ = no_partner;
    LetStmt each{is_var, {std::string(text(name.span())), name.span(), false}, {}, {}};
    if (!own) {
      each.type = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(typed), name.span(), false}, {}, name.span()};
      edits.push_back({{name.end, name.end}, fmt::format(": {}{}", typed, peek() == Tok::Assign ? "" : typed[0] == 'f' || typed[0] == 'b' ? " = 0.0" : " = 0")});
    }
    each.init = accept(Tok::Assign) ? value() : error_expression(name.span());
    into.push_back(add(name.begin, std::move(each)));
  }
  if (errors_ != errors || !found) return;
  if (own) return mend(found, "Declare each", std::move(edits));
  if (item_.diagnostics[*found].fixes.empty()) return;
  for (auto& [span, words] : edits) item_.diagnostics[*found].fixes.back().edits.push_back({{span, 0}, std::move(words)});
}

// From behind the name on. `outer` and `typed`: of a declaration as C writes it, which was reported, and the type that it has.
void ItemParser::declared(Block& into, std::uint32_t begin, bool is_var, Name name, Found outer, std::string_view typed) {
  LetStmt result{is_var, std::move(name), {}, {}};
  if (peek() == Tok::Minus && !result.name.missing && raw(1) == Tok::Name && raw(2) == Tok::Assign && adjacent(0) && token().begin == previous_end()) {  // `let x-y = 3`
    const Span whole{result.name.span.begin, token(1).end};
    const std::string better = fmt::format("{}_{}", result.name.text, text(token(1).span()));
    mend(report(Code::SyntaxUnexpected, token().span(), "`-`: a name has letters, digits and `_`"), fmt::format("Write `{}`", better), {{whole, better}});
    result.name = {better, whole, false};
    pos_ += 2;
    --errors_;
    error_at_ = no_partner;
  }
  declared_type(result, begin, previous_end());
  Block others;
  if (peek() == Tok::Comma && typed.empty()) {
    report(Code::SyntaxUnexpected, token().span(), "`,`: one declaration names one value");
    while (peek() == Tok::Comma && raw(1) == Tok::Name) {
      ++pos_;
      const Lexeme other = token();
      ++pos_;
      LetStmt each;
      each.is_var = is_var;
      each.name.text = text(other.span());
      each.name.span = other.span();
      each.init = error_expression(other.span());
      others.push_back(add(other.begin, std::move(each)));
    }
    error_at_ = pos_;
  }
  join_assignment();
  if (peek() == Tok::Colon && raw(1) == Tok::Assign) {
    const Span sign{token().begin, token(1).end};
    mend(foreign(sign, fmt::format("`{}` is written `=`", text(sign))), "Write `=`", {{sign, "="}});
    ++pos_;
  } else if (peek() == Tok::Colon) {
    ++pos_;
    result.type = type();
  }
  join_assignment();
  const Span sign = token().span();
  if (peek() == Tok::Assign) {
    ++pos_;
    if (!type_as_value(result, begin, sign)) {
      result.init = value();
      declare_chosen(result, begin);
    }
    if (peek() == Tok::Assign) foreign(token().span(), "an assignment is a statement and gives no value");
  } else if (assigns(peek()) || peek() == Tok::EqEq) {
    mend(report(Code::SyntaxExpected, sign, fmt::format("`=` before the value, not {}", described(token()))), "Write `=`", {{sign, "="}});
    ++pos_;
    result.init = value();
  } else if (result.name.missing && error_at_ == pos_) {
    result.init = error_expression(behind());
  } else if (begins_operand(peek())) {
    insert(report(Code::SyntaxExpected, gap(), "`=` before the value"), previous_end(), " =");
    error_at_ = no_partner;
    result.init = value();
    ++errors_;
  } else if (!is_var || !result.type) {
    const auto found = report(Code::SyntaxExpected, gap(), is_var ? "a type or `=` and a value" : "`=` and a value");
    const bool is_tile = result.type && result.type->form == TypeSyntax::Form::Tile;
    if (is_tile && text({begin, begin + 3}) == "let") mend(found, "Write `var`", {{{begin, begin + 3}, "var"}});
    if (is_tile) result.is_var = true;
    result.init = error_expression(behind());
  }
  if (!others.empty()) result.init = error_expression(sign);
  into.push_back(add(begin, std::move(result)));
  into.insert(into.end(), others.begin(), others.end());
  more_declarations(into, is_var, outer, typed);
}

}  // namespace phobos::syntax
