// Statements as other languages write them, C, CUDA, Python, Rust or Go: said in those terms, and read as what is meant. (Expressions
// are in habits.cpp.)
#include <algorithm>
#include <array>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

constexpr std::array qualifiers = {"const", "static", "constexpr", "auto", "mut", "volatile", "extern", "__shared__", "__constant__", "__device__", "register", "val", "__local", "__global", "__private", "def", "unsigned", "signed"};

bool is_qualifier(std::string_view word) { return std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end(); }

}  // namespace

bool ItemParser::foreign_statement(Block& into) {
  const std::uint32_t begin = token().begin;
  if (step_ahead()) {
    const bool up = raw() == Tok::Plus;
    const Span sign{begin, token(1).end};
    const std::string step = up ? " += 1" : " -= 1";
    const std::uint32_t end = raw(3) == Tok::LeftBracket ? tokens_[partner_[pos_ + 3]].end : token(2).end;
    const std::string_view name = text({token(2).begin, end});
    const std::string better = name.size() < 30 && name.find('\n') == name.npos ? std::string(name) + step : step.substr(1);
    mend(foreign(sign, fmt::format("there is no `{}`: write `{}`", text(sign), better)), fmt::format("Write `{}`", better), {{sign, ""}, {{end, end}, step}});
    pos_ += 2;
    error_at_ = no_partner;
    const ExprId target = postfix();
    const ExprId one = add({IntLiteral{1}, sign});
    into.push_back(add(begin, AssignStmt{target, up ? BinaryOp::Add : BinaryOp::Sub, one}));
    return true;
  }
  if (raw() != Tok::Name || !same_line(1)) return false;
  const std::string_view word = text(token().span());
  if (printing(into) || nameless_tile(into)) return true;
  if (raw(1) == Tok::LeftBrace && !token(1).newline) {
    if (word == "do" && do_while(into)) return true;
    if (closed(pos_ + 1) && assigns(tokens_[partner_[pos_ + 1] + 1].kind)) {  // `A{0, 1} = x`
      const std::size_t opener = pos_ + 1, closer = partner_[opener];
      mend(foreign(tokens_[opener].span(), "subscripts stand in `[ ]`"), "Write `[…]`", {{tokens_[opener].span(), "["}, {tokens_[closer].span(), "]"}});
      pos_ = closer + 2;
      error_at_ = no_partner;
      into.push_back(add(begin, ExprStmt{value(), true}));
      return true;
    }
    const bool loops = word == "loop" || word == "do" || word == "forever";
    const auto found = foreign(token().span(), loops ? fmt::format("there is no `{}`: a loop without a range is `while true`", word) : fmt::format("`{}` begins no block", word));
    if (loops) mend(found, "Write `while true`", {{token().span(), "while true"}});
    ++pos_;
    if (!loops) return bare_block(into), true;
    const ExprId always = add({BoolLiteral{true}, {begin, previous_end()}});
    Block inner = block();
    into.push_back(add(begin, WhileStmt{always, std::move(inner)}));
    return true;
  }
  if ((word == "unless" || word == "until") && begins_operand(raw(1)) && on_this_line(Tok::LeftBrace)) {
    const auto head = static_cast<std::uint32_t>(pos_);
    const std::string_view meant = word == "until" ? "while" : "if";
    const auto found = foreign(token().span(), fmt::format("there is no `{}`: write `{} !(…)`", word, meant));
    const std::uint32_t from = token(1).begin;
    ++pos_;
    error_at_ = no_partner;
    const ExprId test = condition("a condition");
    const std::uint32_t end = item_.exprs[test].span.end;
    mend(found, fmt::format("Write `{} !(…)`", meant), {{{begin, from}, fmt::format("{} !(", meant)}, {{end, end}, ")"}});
    const ExprId negated = add({UnaryExpr{UnaryOp::Not, test}, {from, end}});
    Block inner = body_of(head, "`{` to begin the body");
    if (meant == "while") into.push_back(add(begin, WhileStmt{negated, std::move(inner)}));
    else into.push_back(add(begin, IfStmt{negated, std::move(inner), {}}));
    return true;
  }
  if ((word == "switch" || word == "match") && begins_operand(raw(1)) && cases_by_indent()) return true;
  if ((word == "switch" || word == "match" || word == "repeat") && on_this_line(Tok::LeftBrace)) {
    foreign(token().span(), fmt::format("there is no `{}`: write `{}`", word, word == "repeat" ? "while" : "if"));
    to_body();
    if (raw() == Tok::LeftBrace) word == "switch" || word == "match" ? skip_group() : bare_block(into);
    return true;
  }
  if ((raw(1) == Tok::Let || raw(1) == Tok::Var) && (is_qualifier(word) || word == "shared" || word == "local" || word == "pub")) {  // `static let x`
    mend(foreign(token().span(), fmt::format("a name is declared with `let` or `var`, without `{}`", word)), fmt::format("Remove `{}`", word), {{{begin, token(1).begin}, ""}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
    return declaration(into), true;
  }
  if (word == "assert" && begins_operand(raw(1)) && raw(1) != Tok::LeftParen && raw(1) != Tok::Minus) {
    foreign(token().span(), "there is no `assert`");
    ++pos_;
    error_at_ = no_partner;
    into.push_back(add(begin, ExprStmt{expression(), true}));
    return true;
  }
  if (word == "goto" && raw(1) == Tok::Name) {
    foreign({begin, token(1).end}, "there is no `goto`: a loop is left by `break`, a kernel by `return`");
    pos_ += 2;
    return true;
  }
  if (raw(1) == Tok::Shl && raw(2) == Tok::Less && adjacent(1)) {  // `k<<<1, 32>>>(A)`
    foreign({begin, token(2).end}, "a kernel is not launched by another");
    while (raw() != Tok::End && raw() != Tok::RightBrace && raw() != Tok::Semicolon && (pos_ == statement_at_ || !token().newline)) ++pos_;
    error_at_ = pos_;
    return true;
  }
  if (raw(1) == Tok::Name) return foreign_declaration(into);
  return false;
}

// `tile<f32>[4, 4] = 0.0`: a declaration without a name, and so without a word that says what its type and its value are for.
bool ItemParser::nameless_tile(Block& into) {
  if (!begins_type() || raw(1) != Tok::Less || raw(2) != Tok::Name || raw(3) != Tok::Greater || raw(4) != Tok::LeftBracket || !closed(pos_ + 4)) return false;
  const Lexeme first = token(), behind = tokens_[partner_[pos_ + 4] + 1];
  if (behind.kind != Tok::Assign && behind.kind != Tok::End && behind.kind != Tok::Semicolon && !behind.newline) return false;
  report(Code::SyntaxExpected, first.span(), fmt::format("`var` and a name before the type, as in `var t: {}`", text({first.begin, tokens_[partner_[pos_ + 4]].end})));
  error_at_ = no_partner;
  type();
  if (behind.kind == Tok::Assign) {
    ++pos_;
    value();
  }
  const ExprId none = error_expression(first.span());
  into.push_back(add(first.begin, LetStmt{true, {"", {first.begin, first.begin}, true}, {}, none}));
  return true;
}

// `match n:` and what is indented below it. At the word.
bool ItemParser::cases_by_indent() {
  const auto colon = on_this_line(Tok::Colon);
  if (!colon || on_this_line(Tok::LeftBrace) || !tokens_[*colon + 1].newline || tokens_[*colon + 1].indent <= token().indent) return false;
  const std::uint32_t indent = token().indent;
  foreign(token().span(), fmt::format("there is no `{}`: write `if`", text(token().span())));
  pos_ = *colon + 1;
  while (raw() != Tok::End && raw() != Tok::RightBrace && !(token().newline && token().indent <= indent)) skip_group();
  error_at_ = pos_;
  return true;
}

// `do { … } while (c)`. At the `do`.
bool ItemParser::do_while(Block& into) {
  const Lexeme here = token();
  const std::size_t opener = pos_ + 1;
  if (!closed(opener)) return false;
  const std::size_t closer = partner_[opener];
  if (tokens_[closer + 1].kind != Tok::While) return false;
  const auto found = foreign(here.span(), "there is no `do`: a loop that tests at its end is `while true` with `if !(c) { break }` at its end");
  ++pos_;
  const ExprId always = add({BoolLiteral{true}, here.span()});
  error_at_ = no_partner;
  Block inner = block();
  ++pos_;
  const std::size_t errors = errors_;
  const ExprId test = condition("a condition");
  const Span at = strip_parentheses(test);
  const bool continues = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(opener), tokens_.begin() + static_cast<std::ptrdiff_t>(closer), [](const Lexeme& token) { return token.kind == Tok::Continue; });
  if (errors_ == errors && !continues) {
    const std::string leave = fmt::format("if !({}) {{ break }}", text(at));
    const bool own_line = tokens_[closer].newline;
    mend(found, "Write `while true`", {{here.span(), "while true"}, {{tokens_[closer].begin, previous_end()}, own_line ? fmt::format("  {}{}", leave, closing_line(here.indent)) : fmt::format("; {} }}", leave)}});
  }
  const ExprId ends = add({UnaryExpr{UnaryOp::Not, test}, item_.exprs[test].span});
  inner.push_back(add(at.begin, IfStmt{ends, Block{add(at.begin, BreakStmt{})}, {}}));
  into.push_back(add(here.begin, WhileStmt{always, std::move(inner)}));
  return true;
}

// `printf("…", x)`, `println!(…)`, `assert(c, "…")`.
bool ItemParser::printing(Block&) {
  constexpr std::array words = {"printf", "println", "print", "puts", "cout", "assert", "device_print", "device_assert", "static_assert", "eprintln", "dbg", "panic"};
  std::size_t name = raw(1) == Tok::Dot && raw(2) == Tok::Name ? 2 : 0;  // `tl.device_print`
  if (std::find(words.begin(), words.end(), text(token(name).span())) == words.end()) return false;
  const bool macro = raw(name + 1) == Tok::Not && adjacent(name);
  const std::size_t opener = name + (macro ? 2 : 1);
  if (raw(opener) != Tok::LeftParen || !closed(pos_ + opener)) return false;
  const std::size_t closer = partner_[pos_ + opener];
  const bool has_text = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(pos_ + opener), tokens_.begin() + static_cast<std::ptrdiff_t>(closer), [](const Lexeme& token) { return token.kind == Tok::Text; });
  if (!has_text && !macro) return false;  // a call of something that is not there, to the parser
  const Span at{token().begin, token(opener - 1).end};
  const std::string_view what = text(at);
  const bool asserts = what.find("assert") != what.npos || what.find("panic") != what.npos;
  const auto found = foreign(at, asserts         ? fmt::format("there is no `{}`", what)
                                 : what == "print" ? std::string("`print` takes values, not texts: each is shown behind its own text, as in `print(x)`")
                                                   : fmt::format("there is no `{}`: `print(x, y)` shows values, each behind its own text", what));
  const Span whole{at.begin, tokens_[closer].end};
  std::string values;  // the arguments that are no texts
  for (std::size_t i = pos_ + opener + 1, begin = i; i <= closer; ++i) {
    if (i < closer && partner_[i] > i && partner_[i] < closer) i = partner_[i];
    else if (i == closer || tokens_[i].kind == Tok::Comma) {
      if (i > begin && tokens_[begin].kind != Tok::Text) values += fmt::format("{}{}", values.empty() ? "" : ", ", text({tokens_[begin].begin, tokens_[i - 1].end}));
      begin = i + 1;
    }
  }
  pos_ = closer + 1;
  if (asserts) mend(found, "Remove it", {{whole, ""}});
  else mend(found, fmt::format("Write `print({})`", values.size() < 40 ? values : "…"), {{whole, fmt::format("print({})", values)}});
  error_at_ = pos_;
  return true;
}

// `int x = 1`, `const x = 1`, `__shared__ float s[256]`, `lett x = 1`: names in a row, then a declaration's rest.
bool ItemParser::foreign_declaration(Block& into) {
  std::size_t last = 0;
  while (raw(last + 1) == Tok::Name && same_line(last + 1)) ++last;
  if (last == 0) return false;
  const Tok behind = same_line(last + 1) ? raw(last + 1) : Tok::End;
  const std::string_view first = text(token().span());
  const bool type_first = !scalar_meant(first).empty() || is_qualifier(first);
  const bool several = behind == Tok::Comma && type_first && raw(last + 2) == Tok::Name;
  const bool declares = behind == Tok::Assign || (behind == Tok::Colon && (raw(last + 2) == Tok::Name || raw(last + 2) == Tok::Assign));
  const bool array = behind == Tok::LeftBracket && type_first && closed(pos_ + last + 1);
  const bool ends = behind == Tok::End || behind == Tok::Semicolon || behind == Tok::RightBrace;
  bool all_types = true;
  for (std::size_t i = 0; i < last; ++i) all_types = all_types && (is_qualifier(text(token(i).span())) || !scalar_meant(text(token(i).span())).empty());
  if (!(declares && (type_first || last == 1)) && !array && !((ends || several) && type_first && (last <= 2 || all_types))) return false;
  if (unopened_ahead()) return false;  // `A i] = 1`
  const std::uint32_t begin = token().begin;
  const Lexeme name = token(last);
  std::vector<std::string_view> words;
  bool constant = false;
  for (std::size_t i = 0; i < last; ++i) {
    const std::string_view each = text(token(i).span());
    words.push_back(each);
    constant = constant || each == "const" || each == "constexpr" || each == "val";
  }
  const std::string_view scalar = scalar_meant(words);
  const std::string keyword = constant ? "let" : "var";
  const auto found = foreign({begin, token(last - 1).end}, "a name is declared with `let` or `var`");
  const Name declared_as{std::string(text(name.span())), name.span(), false};
  if (array) {
    const Lexeme opener = token(last + 1);
    const std::size_t closer = partner_[pos_ + last + 1];
    const bool one = closer == pos_ + last + 3 && tokens_[closer + 1].kind != Tok::Assign && tokens_[closer + 1].kind != Tok::LeftBracket;
    if (one && !scalar.empty()) mend(found, "Declare a tile", {{{begin, opener.begin}, fmt::format("var {}: tile<{}>", text(name.span()), scalar)}});
    pos_ += last + 1;
    TypeSyntax type{TypeSyntax::Form::Tile, {std::string(scalar.empty() ? "f32" : scalar), name.span(), false}, {}, opener.span()};
    if (one) dimensions(type);
    else type.form = TypeSyntax::Form::Error;
    while (raw() == Tok::LeftBracket) skip_group();
    ++errors_;
    into.push_back(add(begin, LetStmt{true, declared_as, std::move(type), {}}));
    return true;
  }
  const std::string typed = !scalar.empty() && behind == Tok::Assign ? fmt::format(": {}", scalar) : "";
  if (declares) mend(found, fmt::format("Write `{} {}`", keyword, text(name.span())), {{{begin, name.end}, fmt::format("{} {}{}", keyword, text(name.span()), typed)}});
  pos_ += last + 1;
  const std::size_t first_of_them = into.size();
  if (ends || several) {
    if (!scalar.empty())
      mend(found, fmt::format("Write `var {}: {}`", text(name.span()), scalar), {{{begin, name.end}, fmt::format("var {}: {} = {}", text(name.span()), scalar, scalar[0] == 'f' || scalar == "bf16" ? "0.0" : scalar == "bool" ? "false" : "0")}});
    error_at_ = pos_;
    TypeSyntax type{scalar.empty() ? TypeSyntax::Form::Error : TypeSyntax::Form::Scalar, {std::string(scalar), name.span(), false}, {}, name.span()};
    const ExprId none = error_expression(name.span());
    into.push_back(add(begin, LetStmt{true, declared_as, std::move(type), none}));
    more_declarations(into, true, found, scalar);
  } else {
    declared(into, begin, !constant, declared_as, found, scalar);
    if (!typed.empty())
      if (auto* let = std::get_if<LetStmt>(&item_.stmts[into[first_of_them]].node); let && !let->type)
        let->type = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(scalar), name.span(), false}, {}, name.span()};
  }
  ++errors_;
  return true;
}

}  // namespace phobos::syntax
