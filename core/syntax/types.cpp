// Parameters and types.
#include <algorithm>
#include <array>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

struct ScalarWord {
  std::string_view word, meant;
};
constexpr std::array c_types = {ScalarWord{"int", "i32"},      ScalarWord{"unsigned", "i32"}, ScalarWord{"long", "i64"},   ScalarWord{"size_t", "i64"},
                                ScalarWord{"float", "f32"},    ScalarWord{"double", "f64"},   ScalarWord{"half", "f16"},   ScalarWord{"char", "i8"},
                                ScalarWord{"uint8_t", "u8"},   ScalarWord{"int8_t", "i8"},    ScalarWord{"int32_t", "i32"}, ScalarWord{"int64_t", "i64"},
                                ScalarWord{"uint32_t", "i32"}, ScalarWord{"__half", "f16"},   ScalarWord{"uint", "i32"},   ScalarWord{"short", "i32"}};
constexpr std::array scalars = {"f16", "bf16", "f32", "f64", "i8", "u8", "i32", "i64", "bool"};

}  // namespace

std::string_view scalar_meant(std::string_view word) {
  for (const std::string_view each : scalars)
    if (each == word) return each;
  for (const ScalarWord& each : c_types)
    if (each.word == word) return each.meant;
  return {};
}

Name ItemParser::declared_name(std::string_view what) {
  const Lexeme& here = token();
  const bool fits = here.kind == Tok::Name || here.kind == Tok::Ctx;  // that `ctx` is reserved is the checker's to say
  if (!fits || (here.newline && pos_ > 0 && line_is_statement(pos_))) {
    const std::uint32_t end = previous_end();
    const bool keyword = here.kind >= Tok::Kernel && here.kind < Tok::Ctx && same_line(0);
    expected(what);
    if (keyword && !begins_operand(raw(1))) {  // `let in = 3`
      ++pos_;
      error_at_ = pos_;
    }
    return {"", {end, end}, true};
  }
  ++pos_;
  return {std::string(text(here.span())), here.span(), false};
}

std::optional<Parameter> ItemParser::parameter() {
  Parameter result;
  const Lexeme first = token();
  result.documentation = documentation_above(first.begin);
  const std::string_view c_type = first.kind == Tok::Name ? scalar_meant(text(first.span())) : "";
  const bool is_const = word_is("const");
  if ((raw(1) == Tok::Name || raw(1) == Tok::Star || raw(1) == Tok::And) && (is_const || !c_type.empty())) {  // `float* x`, `int n`
    const auto found = foreign(first.span(), "a parameter is written `name: type`");
    bool plain = true;
    while (raw(1) == Tok::Name || raw(1) == Tok::Star || raw(1) == Tok::And) {
      plain = plain && raw(1) == Tok::Name && pos_ + 1 < tokens_.size() && raw(2) != Tok::Name;
      ++pos_;
    }
    if (raw() == Tok::Name) {
      result.name = {std::string(text(token().span())), token().span(), false};
      if (plain && !is_const) {
        mend(found, fmt::format("Write `{}: {}`", result.name.text, c_type), {{{first.begin, token().end}, fmt::format("{}: {}", result.name.text, c_type)}});
        result.type.form = TypeSyntax::Form::Scalar;
        result.type.element = {std::string(c_type), first.span(), false};
        result.type.span = first.span();
      }
    }
    ++pos_;
    error_at_ = pos_;
    while (raw() == Tok::LeftBracket) skip_group();
  } else {
    result.name = declared_name("the parameter's name");
    if (result.name.missing && raw() != Tok::Colon) return {};
    if (!accept(Tok::Colon)) {
      const bool typed = raw() == Tok::Name;
      const auto found = typed ? report(Code::SyntaxExpected, behind(), "`:` and the parameter's type") : expected("`:` and the parameter's type");
      if (typed) insert(found, previous_end(), ":");
      if (typed) result.type = type();
      error_at_ = pos_;
    } else {
      result.type = type();
    }
  }
  if (raw() == Tok::Assign) {
    const Span sign = token().span();
    const auto found = report(Code::SyntaxUnexpected, sign, "`=`: a parameter has no default value");
    const std::uint32_t from = previous_end();
    ++pos_;
    expression();
    mend(found, "Remove it", {{{from, previous_end()}, ""}});
  }
  result.span = {first.begin, std::max(first.begin, previous_end())};
  return result;
}

TypeSyntax ItemParser::type() {
  TypeSyntax result;
  const Lexeme first = token();
  if (first.kind == Tok::Star || first.kind == Tok::And) {
    foreign(first.span(), "there are no pointers and no references: a tensor is `tensor<T>[dimensions]`");
    while (raw() == Tok::Star || raw() == Tok::And) ++pos_;
    TypeSyntax inner = type();
    error_at_ = pos_;
    return inner.form == TypeSyntax::Form::Scalar ? result : inner;
  }
  if (first.kind == Tok::LeftBracket) {
    foreign(first.span(), "a tensor's type is written `tensor<T>[dimensions]`");
    if (closed(pos_)) skip_group();
    else
      while (raw() != Tok::End && raw() != Tok::LeftBrace && pos_ < tokens_.size() && tokens_[pos_ - 1].kind != Tok::RightBracket) ++pos_;
    error_at_ = pos_;
    return result;
  }
  if (first.kind != Tok::Name || (first.newline && line_is_statement(pos_))) {
    expected("a type");
    if (first.kind == Tok::Text || first.kind == Tok::Unknown) ++pos_;
    return result;
  }
  const std::string_view word = text(first.span());
  ++pos_;
  const bool known = word == "tensor" || word == "tile";
  if (peek() != Tok::Less && !known) {
    result.form = TypeSyntax::Form::Scalar;
    result.element = {std::string(word), first.span(), false};
    if (peek() == Tok::LeftBracket) {  // `f32[N]`
      mend(foreign(first.span(), fmt::format("a tensor's type is written `tensor<{}>[…]`", word)), fmt::format("Write `tensor<{}>`", word),
           {{first.span(), fmt::format("tensor<{}>", word)}});
      result.form = TypeSyntax::Form::Tensor;
      dimensions(result);
    }
    result.span = {first.begin, previous_end()};
    return result;
  }
  if (!known) {
    const std::string_view near = word.find('i') != std::string_view::npos && word.find('l') != std::string_view::npos ? "tile" : "tensor";
    --pos_;
    mend(report(Code::UnknownType, first.span(), std::string(word)), fmt::format("Write `{}`", near), {{first.span(), std::string(near)}});
    ++pos_;
  } else {
    result.form = word == "tensor" ? TypeSyntax::Form::Tensor : TypeSyntax::Form::Tile;
  }
  if (!accept(Tok::Less)) {
    const bool element = raw() == Tok::Name && raw(1) == Tok::Greater;
    const auto found = element ? report(Code::SyntaxExpected, behind(), "`<` before the element's type") : expected(fmt::format("`<` and the element's type, as in `{}<f32>[N]`", word));
    if (element) insert(found, previous_end(), "<");
    if (!element) {
      if (raw() == Tok::LeftBracket && same_line(0)) skip_group();
      result.form = TypeSyntax::Form::Error;
      error_at_ = pos_;
      return result;
    }
  }
  const bool outer = newline_ends_;
  newline_ends_ = false;
  if (raw() == Tok::Name) {
    result.element = {std::string(text(token().span())), token().span(), false};
    ++pos_;
  } else {
    expected("the element's type");
    result.form = TypeSyntax::Form::Error;
  }
  if (raw() == Tok::Comma) {  // `tensor<f32, N>`
    report(Code::SyntaxUnexpected, token().span(), "`,`: the dimensions stand behind the element's type, as in `tensor<f32>[M, N]`");
    while (raw() == Tok::Comma || raw() == Tok::Name || raw() == Tok::Integer) ++pos_;
    accept(Tok::Greater);
    result.form = TypeSyntax::Form::Error;
    if (raw() == Tok::LeftBracket) skip_group();
    error_at_ = pos_;
    newline_ends_ = outer;
    return result;
  }
  if (!accept(Tok::Greater)) {
    const auto found = raw() == Tok::LeftBracket ? report(Code::SyntaxExpected, behind(), "`>` behind the element's type") : expected("`>` behind the element's type");
    if (raw() == Tok::LeftBracket) insert(found, previous_end(), ">");
    if (raw() != Tok::LeftBracket) result.form = TypeSyntax::Form::Error;
  }
  newline_ends_ = outer;
  dimensions(result);
  result.span = {first.begin, previous_end()};
  if (result.element.missing || !known) result.form = TypeSyntax::Form::Error;
  return result;
}

void ItemParser::dimensions(TypeSyntax& into) {
  if (raw() == Tok::LeftParen && closed(pos_)) {
    const Lexeme opener = token();
    mend(report(Code::SyntaxExpected, opener.span(), "`[` before the dimensions, not `(`"), "Write `[…]`", {{opener.span(), "["}, {tokens_[partner_[pos_]].span(), "]"}});
  } else if (raw() != Tok::LeftBracket) {
    const bool bare = (raw() == Tok::Name || raw() == Tok::Integer) && same_line(0);
    const auto found = bare ? report(Code::SyntaxExpected, behind(), "`[` before the dimensions") : expected("`[` and the dimensions");
    if (bare) insert(found, previous_end(), "[");
    into.form = TypeSyntax::Form::Error;
    if (!bare) return;
    while (raw() == Tok::Name || raw() == Tok::Integer || raw() == Tok::Comma) ++pos_;
    if (raw() == Tok::RightBracket && partner_[pos_] == no_partner) ++pos_;
    error_at_ = pos_;
    return;
  }
  const std::size_t opener = pos_;
  const Tok closer = raw() == Tok::LeftParen ? Tok::RightParen : Tok::RightBracket;
  ++pos_;
  const bool before = open(opener);
  do {
    const Lexeme here = token();
    if (here.kind == Tok::Name) {
      into.dims.emplace_back().value.emplace<std::string>(text(here.span()));
      into.dims.back().span = here.span();
      ++pos_;
    } else if (here.kind == Tok::Integer) {
      into.dims.emplace_back().value = static_cast<std::int64_t>(integer_value(here, false));
      into.dims.back().span = here.span();
      ++pos_;
    } else {
      const bool trailing = closes(here.kind) && pos_ - 1 > opener;
      const auto found = expected(trailing ? "another dimension behind `,`" : "a dimension: a name or a number");
      if (trailing) mend(found, "Remove `,`", {{previous_span(), ""}});
      into.form = TypeSyntax::Form::Error;
      if (here.kind == Tok::Minus && raw(1) == Tok::Integer) pos_ += 2;
    }
    if (closed(opener) && pos_ < partner_[opener] && raw() != Tok::Comma && raw() >= Tok::OrOr && raw() <= Tok::Percent) {
      report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: a dimension is a name or a number", described(token())));
      while (pos_ < partner_[opener] && raw() != Tok::Comma) skip_group();
      error_at_ = pos_;
      into.form = TypeSyntax::Form::Error;
    }
  } while (next_element(opener, "dimensions"));
  close(opener, closer, "shape", before);
}

}  // namespace phobos::syntax
