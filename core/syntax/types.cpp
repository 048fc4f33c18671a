// Parameters and types.
#include <algorithm>
#include <array>
#include <cstdlib>

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
                                ScalarWord{"uint32_t", "i32"}, ScalarWord{"__half", "f16"},   ScalarWord{"uint", "i32"},   ScalarWord{"short", "i32"},
                                ScalarWord{"float32", "f32"},  ScalarWord{"float16", "f16"},  ScalarWord{"float64", "f64"}, ScalarWord{"bfloat16", "bf16"},
                                ScalarWord{"int32", "i32"},    ScalarWord{"int64", "i64"},    ScalarWord{"int8", "i8"},    ScalarWord{"uint8", "u8"},
                                ScalarWord{"__nv_bfloat16", "bf16"}, ScalarWord{"usize", "i64"}, ScalarWord{"u32", "i32"}, ScalarWord{"u64", "i64"}};
constexpr std::array scalars = {"f16", "bf16", "f32", "f64", "i8", "u8", "i32", "i64", "bool"};

}  // namespace

std::string_view scalar_meant(std::string_view word) {
  for (const std::string_view each : scalars)
    if (each == word) return each;
  for (const ScalarWord& each : c_types)
    if (each.word == word) return each.meant;
  return {};
}

std::string_view scalar_meant(std::span<const std::string_view> words) {
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (has("char") && has("unsigned")) return "u8";
  if (has("long") && !has("double")) return "i64";
  std::string_view meant;
  for (const std::string_view word : words)
    if (!scalar_meant(word).empty() && (meant.empty() || (word != "unsigned" && word != "int"))) meant = scalar_meant(word);
  return meant;
}

Name ItemParser::declared_name(std::string_view what) {
  const Lexeme& here = token();
  const bool fits = here.kind == Tok::Name || here.kind == Tok::Ctx;  // that `ctx` is reserved is the checker's to say
  // `let` alone on its line goes on with the next one, by the language's rule.
  const bool goes_on = pos_ > 0 && (tokens_[pos_ - 1].kind == Tok::Let || tokens_[pos_ - 1].kind == Tok::Var) && (raw(1) == Tok::Assign || raw(1) == Tok::Colon);
  if (!fits || (here.newline && newline_ends_ && pos_ > 0 && !goes_on && line_is_statement(pos_))) {
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

// A name that the item has nowhere, for the extent of what was a pointer.
const std::string& ItemParser::fresh_dimension() {
  if (!fresh_dimension_.empty()) return fresh_dimension_;
  constexpr std::array names = {"N", "M", "K", "L", "P", "Q", "R", "S"};
  for (const std::string_view each : names) {
    const bool taken = std::any_of(tokens_.begin(), tokens_.end(), [&](const Lexeme& token) { return token.kind == Tok::Name && text(token.span()) == each; });
    if (!taken) return fresh_dimension_ = each;
  }
  return fresh_dimension_ = "extent_of_it";
}

// What stands before a parameter's name or its type elsewhere and says nothing here.
static bool is_qualifier(std::string_view word) {
  constexpr std::array words = {"const", "mut", "volatile", "restrict", "__restrict__", "__restrict", "static", "ref", "out", "inout", "register", "struct", "readonly", "final", "let", "var", "val"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `float* x`, `const int n`, `float x[]`. False where it is none of those.
bool ItemParser::c_parameter(Parameter& into) {
  std::size_t last = 0;
  std::vector<std::string_view> words;
  std::string_view scalar;
  bool pointer = false, typed = false;
  const auto is_named = [&](std::size_t i) {  // a keyword can be meant as a name: `float* in`
    return raw(i) == Tok::Name || (i > 0 && raw(i) >= Tok::Kernel && raw(i) <= Tok::Ctx && (raw(i + 1) == Tok::Comma || raw(i + 1) == Tok::RightParen));
  };
  for (std::size_t i = 0; is_named(i) || raw(i) == Tok::Star || raw(i) == Tok::And; ++i) {
    pointer = pointer || raw(i) == Tok::Star;
    if (!is_named(i)) continue;
    const std::string_view meant = scalar_meant(text(token(last).span()));
    if (i > 0) words.push_back(text(token(last).span()));
    typed = typed || (i > 0 && (!meant.empty() || is_qualifier(text(token(last).span()))));
    last = i;
  }
  scalar = scalar_meant(words);
  const Tok behind = raw(last + 1);
  const bool unknown = last == 2 && raw(1) == Tok::Star;  // `T* a`
  if (last == 0 || (!typed && !unknown) || (behind != Tok::Comma && behind != Tok::RightParen && behind != Tok::LeftBracket && behind != Tok::Assign)) return false;
  const Lexeme first = token(), name = token(last);
  const auto found = foreign(first.span(), "a parameter is written `name: type`");
  pos_ += last + 1;
  into.name = {std::string(text(name.span())), name.span(), false};
  if (name.kind != Tok::Name) {
    into.name = {"", name.span(), true};
    if (found) item_.diagnostics[*found].message += fmt::format("; `{}` is a keyword and names nothing", text(name.span()));
  }
  while (raw() == Tok::LeftBracket) {
    pointer = true;
    skip_group();
  }
  error_at_ = pos_;
  if (scalar.empty() || into.name.missing) return true;
  parameter_name_ = into.name.text;
  const std::string type = pointer ? fmt::format("tensor<{}>[{}]", scalar, fmt::join(fresh_dimensions(), ", ")) : std::string(scalar);
  mend(found, fmt::format("Write `{}: {}`", into.name.text, type), {{{first.begin, previous_end()}, fmt::format("{}: {}", into.name.text, type)}});
  into.type = pointer ? tensor_of(scalar, first.span()) : TypeSyntax{TypeSyntax::Form::Scalar, {std::string(scalar), first.span(), false}, {}, first.span()};
  return true;
}

// The extents of what was a pointer or a list: as many as the subscripts that the parameter has somewhere.
std::vector<std::string> ItemParser::fresh_dimensions() {
  constexpr std::size_t most = 4;
  std::size_t rank = 1;
  for (std::size_t i = pos_; i + 1 < tokens_.size() && rank < most; ++i) {
    if (tokens_[i].kind != Tok::Name || text(tokens_[i].span()) != parameter_name_ || tokens_[i + 1].kind != Tok::LeftBracket || !closed(i + 1)) continue;
    std::size_t subscripts = 1;
    for (std::size_t k = i + 2; k < partner_[i + 1]; ++k) {
      subscripts += tokens_[k].kind == Tok::Comma;
      if (partner_[k] != no_partner) k = std::max<std::size_t>(k, partner_[k]);
    }
    rank = std::max(rank, std::min(subscripts, most));
  }
  std::vector<std::string> result{fresh_dimension()};
  while (result.size() < rank) result.push_back(fmt::format("{}{}", result.front(), result.size() + 1));
  return result;
}

TypeSyntax ItemParser::tensor_of(std::string_view scalar, Span at) {
  TypeSyntax result{TypeSyntax::Form::Tensor, {std::string(scalar), at, false}, {}, at};
  for (std::string& each : fresh_dimensions()) {
    result.dims.emplace_back().value.emplace<std::string>(std::move(each));
    result.dims.back().span = at;
  }
  return result;
}

std::optional<Parameter> ItemParser::parameter() {
  Parameter result;
  const Lexeme first = token();
  result.documentation = documentation_above(first.begin);
  while ((raw() == Tok::Let || raw() == Tok::Var || raw() == Tok::In || (raw() == Tok::Name && is_qualifier(text(token().span())))) && raw(1) == Tok::Name && raw(2) == Tok::Colon) {  // `mut x: …`
    mend(foreign(token().span(), fmt::format("a parameter is written `name: type`, without {}", described(token()))), fmt::format("Remove `{}`", text(token().span())), {{{token().begin, token(1).begin}, ""}});
    ++pos_;
    error_at_ = no_partner;
  }
  if ((word_is("tensor") || word_is("tile")) && raw(1) == Tok::Less) {  // `tensor<f32>[N] A`
    const auto found = foreign(first.span(), "a parameter is written `name: type`");
    error_at_ = no_partner;
    const std::size_t errors = errors_;
    result.type = type();
    const std::uint32_t end = previous_end();
    if (raw() != Tok::Name) error_at_ = pos_;
    result.name = declared_name("the parameter's name");
    if (errors_ == errors && !result.name.missing) mend(found, fmt::format("Write `{}: …`", result.name.text), {{{first.begin, first.begin}, result.name.text + ": "}, {{end, previous_end()}, ""}});
  } else if (!c_parameter(result)) {
    const bool comma = raw() == Tok::Comma && error_at_ != pos_;
    const std::size_t told = item_.diagnostics.size();
    result.name = declared_name("the parameter's name");
    parameter_name_ = result.name.text;
    if (comma && result.name.missing && item_.diagnostics.size() > told) item_.diagnostics.back().fixes.push_back({"Remove `,`", {{{token().span(), 0}, ""}}});
    if (result.name.missing && raw() != Tok::Colon) return {};
    const bool assigned = raw() == Tok::Assign && raw(2) == Tok::Less && (word_is("tensor", 1) || word_is("tile", 1));
    if (assigned) {  // `x = tensor<f32>[N]`
      const auto found = expected("`:` and the parameter's type");
      mend(found, "Write `:`", {{{previous_end(), token(1).begin}, ": "}});
      ++pos_;
      error_at_ = no_partner;
      result.type = type();
    } else if (!accept(Tok::Colon)) {
      const bool typed = raw() == Tok::Name;
      const bool told = head_told_ || (typed ? !typed_edits_.empty() : untyped_);  // of `f(a, b)` all parameters are one mistake
      if (told) ++errors_;
      if (typed) {
        if (!told) typed_found_ = report(Code::SyntaxExpected, gap(), "`:` and the parameter's type");
        typed_edits_.push_back({{previous_end(), previous_end()}, ":"});
        result.type = type();
      } else if (raw() != Tok::End) {
        if (!told) untyped_found_ = expected("`:` and the parameter's type");
        untyped_ = true;
        constexpr std::size_t most = 16;  // whose uses are looked for
        const std::string type = untyped_edits_.size() < most && is_subscripted(parameter_name_) ? fmt::format("tensor<f32>[{}]", fmt::join(fresh_dimensions(), ", ")) : "f32";
        untyped_edits_.push_back({{previous_end(), previous_end()}, ": " + type});
      } else {
        expected("`:` and the parameter's type");
      }
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

// `tile<f32>[8, 8] = …` on a line of its own, behind the `:`.
bool ItemParser::begins_type() const { return (word_is("tile") || word_is("tensor")) ? raw(1) == Tok::Less : raw() == Tok::Name && scalar_meant(text(token().span())) == text(token().span()); }

bool ItemParser::is_subscripted(std::string_view name) const {
  for (std::size_t i = pos_; i + 1 < tokens_.size(); ++i)
    if (tokens_[i].kind == Tok::Name && tokens_[i + 1].kind == Tok::LeftBracket && text(tokens_[i].span()) == name) return true;
  return false;
}

// `&T`, `*const T`. At the sign.
TypeSyntax ItemParser::pointer_type() {
  const Lexeme first = token();
  const auto found = foreign(first.span(), "there are no pointers and no references: a tensor is `tensor<T>[dimensions]`");
  bool star = false;
  while (raw() == Tok::Star || raw() == Tok::And || (raw() == Tok::Name && is_qualifier(text(token().span())) && !token().newline)) {
    star = star || raw() == Tok::Star;
    ++pos_;
  }
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const std::uint32_t from = token().begin;
  TypeSyntax inner = type();
  if (errors_ != errors) return inner;
  --errors_;
  error_at_ = no_partner;
  if (inner.form != TypeSyntax::Form::Scalar) {
    mend(found, "Write the type alone", {{{first.begin, from}, ""}});
    return inner;
  }
  const std::string_view meant = scalar_meant(inner.element.text);
  if (meant.empty()) return {};
  inner.element.text = meant;
  if (star && in_body_) return inner;
  const bool tensor = star || (!in_body_ && is_subscripted(parameter_name_));
  const std::string words = tensor ? fmt::format("tensor<{}>[{}]", meant, fmt::join(fresh_dimensions(), ", ")) : std::string(meant);
  mend(found, fmt::format("Write `{}`", words), {{{first.begin, previous_end()}, words}});
  return tensor ? tensor_of(meant, inner.span) : inner;
}

// `[f32; 32]`, `[32]f32`, `[f32]`. At the bracket.
TypeSyntax ItemParser::bracketed_type() {
  const Lexeme first = token();
  const std::string_view word = in_body_ ? "tile" : "tensor";
  const auto found = foreign(first.span(), fmt::format("a {}'s type is written `{}<T>[dimensions]`", word, word));
  const auto number = [](Tok kind) { return kind == Tok::Integer || kind == Tok::Name; };
  const std::string_view inside = raw(1) == Tok::Name ? scalar_meant(text(token(1).span())) : "";
  std::string_view scalar;
  std::vector<std::string> dimensions;
  std::size_t length = 0;
  if (!inside.empty() && raw(2) == Tok::Semicolon && number(raw(3)) && raw(4) == Tok::RightBracket) {
    scalar = inside;
    dimensions = {std::string(text(token(3).span()))};
    length = 5;
  } else if (!inside.empty() && raw(2) == Tok::RightBracket && !in_body_) {
    scalar = inside;
    dimensions = fresh_dimensions();
    length = 3;
  } else if (number(raw(1)) && raw(2) == Tok::RightBracket && raw(3) == Tok::Name && same_line(3)) {
    scalar = scalar_meant(text(token(3).span()));
    dimensions = {std::string(text(token(1).span()))};
    length = 4;
  }
  if (scalar.empty()) {
    if (closed(pos_)) skip_group();
    else
      while (raw() != Tok::End && raw() != Tok::LeftBrace && tokens_[pos_ - 1].kind != Tok::RightBracket) ++pos_;
    error_at_ = pos_;
    return {};
  }
  const std::uint32_t end = token(length - 1).end;
  const std::string better = fmt::format("{}<{}>[{}]", word, scalar, fmt::join(dimensions, ", "));
  mend(found, fmt::format("Write `{}`", better), {{{first.begin, end}, better}});
  TypeSyntax result{in_body_ ? TypeSyntax::Form::Tile : TypeSyntax::Form::Tensor, {std::string(scalar), first.span(), false}, {}, {first.begin, end}};
  for (const std::string& each : dimensions) {
    result.dims.emplace_back().span = first.span();
    if (each[0] >= '0' && each[0] <= '9') result.dims.back().value = static_cast<std::int64_t>(std::atoll(each.c_str()));
    else result.dims.back().value = each;
  }
  pos_ += length;
  --errors_;
  error_at_ = no_partner;
  return result;
}

// `<f32>[M, N]`. At the `<`.
TypeSyntax ItemParser::type_without_word() {
  const bool tensor = !in_body_ && item_.form == Item::Form::Kernel;
  const Lexeme first = token(), element = token(1);
  const std::string_view word = tensor ? "tensor" : "tile";
  insert(report(Code::SyntaxExpected, first.span(), fmt::format("`{}` before `<`", word)), first.begin, word);
  pos_ += 3;
  --errors_;
  error_at_ = no_partner;
  TypeSyntax result{tensor ? TypeSyntax::Form::Tensor : TypeSyntax::Form::Tile, {std::string(text(element.span())), element.span(), false}, {}, first.span()};
  dimensions(result);
  result.span = {first.begin, previous_end()};
  return result;
}

TypeSyntax ItemParser::type() {
  TypeSyntax result;
  const Lexeme first = token();
  if (first.kind == Tok::Star || first.kind == Tok::And) return pointer_type();
  if (first.kind == Tok::LeftBracket) return bracketed_type();
  if (first.kind == Tok::Less && raw(1) == Tok::Name && raw(2) == Tok::Greater) return type_without_word();
  if (first.kind != Tok::Name || (first.newline && newline_ends_ && !begins_type() && line_is_statement(pos_))) {
    expected("a type");
    if (first.kind == Tok::Text || first.kind == Tok::Unknown) ++pos_;
    return result;
  }
  const std::string_view word = text(first.span());
  if ((word == "tensor" || word == "tile") && raw(1) == Tok::Name && (word_is("tensor", 1) || word_is("tile", 1)) && raw(2) == Tok::Less && same_line(1)) {  // `tile tile<f32>[4]`
    mend(report(Code::SyntaxUnexpected, token(1).span(), fmt::format("{}: one word says what it is", described(token(1)))), fmt::format("Remove `{}`", word), {{{first.begin, token(1).begin}, ""}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
    return type();
  }
  if (word == "unsigned" && word_is("char", 1) && same_line(1)) {
    const Span all{first.begin, token(1).end};
    const auto found = foreign(all, "there is no type `unsigned char`; it is `u8` here");
    if (raw(2) != Tok::Star && raw(2) != Tok::LeftBracket) mend(found, "Write `u8`", {{all, "u8"}});
    pos_ += 2;
    while (raw() == Tok::Star) ++pos_;
    --errors_;
    error_at_ = no_partner;
    return {TypeSyntax::Form::Scalar, {"u8", all, false}, {}, all};
  }
  if ((is_qualifier(word) || word == "unsigned" || word == "signed") && raw(1) == Tok::Name && same_line(1)) {  // `const tensor<f32>[N]`
    mend(foreign(first.span(), fmt::format("a type stands without {}", described(first))), fmt::format("Remove `{}`", word), {{{first.begin, token(1).begin}, ""}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
    return type();
  }
  if (raw(1) == Tok::Dot && raw(2) == Tok::Name && same_line(2)) {  // `tl.float32`
    const std::string_view meant = scalar_meant(text(token(2).span()));
    const Span all{first.begin, token(2).end};
    const auto found = foreign(all, meant.empty() ? fmt::format("there is no type `{}`", text(all)) : fmt::format("there is no type `{}`; it is `{}` here", text(all), meant));
    pos_ += 3;
    if (!meant.empty()) {
      mend(found, fmt::format("Write `{}`", meant), {{all, std::string(meant)}});
      result = {TypeSyntax::Form::Scalar, {std::string(meant), all, false}, {}, all};
    }
    --errors_;
    error_at_ = no_partner;
    return result;
  }
  const std::size_t joined = word.starts_with("tensor") ? 6 : word.starts_with("tile") ? 4 : 0;
  if (joined > 0 && raw(1) == Tok::Greater && scalar_meant(word.substr(joined)) == word.substr(joined) && joined < word.size()) {  // `tensorf32>[N]`
    const auto at = static_cast<std::uint32_t>(first.begin + joined);
    insert(report(Code::SyntaxExpected, first.span(), "`<` before the element's type"), at, "<");
    --errors_;
    error_at_ = no_partner;
    pos_ += 2;
    result.form = joined == 6 ? TypeSyntax::Form::Tensor : TypeSyntax::Form::Tile;
    result.element = {std::string(word.substr(joined)), {at, first.end}, false};
    dimensions(result);
    result.span = {first.begin, previous_end()};
    return result;
  }
  ++pos_;
  const bool known = word == "tensor" || word == "tile";
  if (peek() != Tok::Less && !known) return scalar_type(first);
  if (!known) {
    const bool has_dimensions = raw(2) == Tok::Greater && raw(3) == Tok::LeftBracket;
    const std::string_view near = in_body_ || (word.find('i') != std::string_view::npos && word.find('l') != std::string_view::npos) ? "tile" : "tensor";
    --pos_;
    const auto found = report(Code::UnknownType, first.span(), std::string(word));
    if (has_dimensions) mend(found, fmt::format("Write `{}`", near), {{first.span(), std::string(near)}});
    ++pos_;
    if (!has_dimensions && raw(1) == Tok::Name && raw(2) == Tok::Greater) {  // `Vec<f32>`
      pos_ += 3;
      return result;
    }
  } else {
    result.form = word == "tensor" ? TypeSyntax::Form::Tensor : TypeSyntax::Form::Tile;
  }
  if (!accept(Tok::Less)) {
    const bool element = raw() == Tok::Name && raw(1) == Tok::Greater;
    const bool only_shape = known && raw() == Tok::LeftBracket && same_line(0);  // `tile[32]`
    const auto found = element ? report(Code::SyntaxExpected, gap(), "`<` before the element's type") : expected(fmt::format("`<` and the element's type, as in `{}<f32>[N]`", word));
    if (element) insert(found, previous_end(), "<");
    if (only_shape) {
      insert(found, previous_end(), "<f32>");
      result.element = {"f32", first.span(), false};
      error_at_ = no_partner;
      dimensions(result);
      result.span = {first.begin, previous_end()};
      return result;
    }
    if (!element) {
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
    shape_inside(result, word);
    newline_ends_ = outer;
    result.span = {first.begin, previous_end()};
    return result;
  }
  if (!accept(Tok::Greater)) {
    const auto found = raw() == Tok::LeftBracket ? report(Code::SyntaxExpected, gap(), "`>` behind the element's type") : expected("`>` behind the element's type");
    if (raw() == Tok::LeftBracket) insert(found, previous_end(), ">");
    if (raw() != Tok::LeftBracket) result.form = TypeSyntax::Form::Error;
  }
  newline_ends_ = outer;
  dimensions(result);
  result.span = {first.begin, previous_end()};
  if (result.element.missing || !known) result.form = TypeSyntax::Form::Error;
  return result;
}

// Behind the name of a scalar type: `f32`, and `f32[N]` and `f32*`, which mean tensors elsewhere.
TypeSyntax ItemParser::scalar_type(const Lexeme& first) {
  const std::string_view word = text(first.span());
  const std::string_view meant = scalar_meant(word).empty() ? word : scalar_meant(word);
  TypeSyntax result{TypeSyntax::Form::Scalar, {std::string(word), first.span(), false}, {}, first.span()};
  const std::string_view of = in_body_ ? "tile" : "tensor";
  if (peek() == Tok::LeftBracket) {
    const auto found = foreign(first.span(), fmt::format("a {}'s type is written `{}<{}>[…]`", of, of, meant));
    const bool empty = raw(1) == Tok::RightBracket;
    const std::string words = fmt::format("{}<{}>{}", of, meant, empty ? fmt::format("[{}]", fmt::join(fresh_dimensions(), ", ")) : "");
    mend(found, fmt::format("Write `{}`", words), {{empty ? Span{first.begin, token(1).end} : first.span(), words}});
    result.form = in_body_ ? TypeSyntax::Form::Tile : TypeSyntax::Form::Tensor;
    result.element.text = meant;
    --errors_;
    error_at_ = no_partner;
    if (empty) {
      pos_ += 2;
      return tensor_of(meant, first.span());
    }
    dimensions(result);
  } else if (peek() == Tok::Star && !in_body_ && !scalar_meant(word).empty()) {
    const auto found = foreign({first.begin, token().end}, "there are no pointers: a tensor is `tensor<T>[dimensions]`");
    while (peek() == Tok::Star) ++pos_;
    const std::string words = fmt::format("tensor<{}>[{}]", meant, fmt::join(fresh_dimensions(), ", "));
    mend(found, fmt::format("Write `{}`", words), {{{first.begin, previous_end()}, words}});
    --errors_;
    error_at_ = no_partner;
    return tensor_of(meant, first.span());
  }
  result.span = {first.begin, previous_end()};
  return result;
}

// `tensor<f32, M, N>`. At the first comma.
void ItemParser::shape_inside(TypeSyntax& into, std::string_view word) {
  const std::uint32_t from = token().begin;
  const auto found = report(Code::SyntaxUnexpected, token().span(), fmt::format("`,`: the dimensions stand behind the element's type, as in `{}<f32>[M, N]`", word));
  std::string dims;
  bool good = into.form != TypeSyntax::Form::Error;
  while (raw() == Tok::Comma && (raw(1) == Tok::Name || raw(1) == Tok::Integer)) {
    const Lexeme dim = token(1);
    DimSyntax& each = into.dims.emplace_back();
    each.span = dim.span();
    if (dim.kind == Tok::Name) each.value = std::string(text(dim.span()));
    else each.value = static_cast<std::int64_t>(integer_value(dim, false));
    dims += fmt::format("{}{}", dims.empty() ? "" : ", ", text(dim.span()));
    pos_ += 2;
  }
  while (raw() == Tok::Comma || raw() == Tok::Name || raw() == Tok::Integer) {
    good = false;
    ++pos_;
  }
  good = accept(Tok::Greater) && good && raw() != Tok::LeftBracket;
  if (good) mend(found, fmt::format("Write `{}<{}>[{}]`", word, into.element.text, dims), {{{from, previous_end()}, fmt::format(">[{}]", dims)}});
  else into.form = TypeSyntax::Form::Error;
  if (raw() == Tok::LeftBracket) skip_group();
  error_at_ = good ? no_partner : pos_;
  if (good) --errors_;
}

void ItemParser::dimensions(TypeSyntax& into) {
  if (raw() == Tok::LeftParen && closed(pos_)) {
    const Lexeme opener = token();
    mend(report(Code::SyntaxExpected, opener.span(), "`[` before the dimensions, not `(`"), "Write `[…]`", {{opener.span(), "["}, {tokens_[partner_[pos_]].span(), "]"}});
  } else if (raw() != Tok::LeftBracket) {
    const bool bare = (raw() == Tok::Name || raw() == Tok::Integer) && same_line(0);
    const auto found = bare ? report(Code::SyntaxExpected, gap(), "`[` before the dimensions") : expected("`[` and the dimensions");
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
  const std::size_t errors = errors_;
  const auto next_parameter = [&] { return !closed(opener) && raw() == Tok::Comma && raw(1) == Tok::Name && raw(2) == Tok::Colon; };
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
      // `[]`, `[?]`, `[:]`, `[-1]`: an extent that is not known
      const std::size_t length = here.kind == Tok::Minus && raw(1) == Tok::Integer ? 2 : here.kind == Tok::Question || here.kind == Tok::Colon ? 1 : 0;
      const bool open_extent = !trailing && !in_body_ && into.form == TypeSyntax::Form::Tensor && (raw(length) == Tok::Comma || raw(length) == Tok::RightBracket) && (length > 0 || here.kind == Tok::RightBracket);
      if (open_extent) {
        const bool all = length == 0 && into.dims.empty();
        const std::vector<std::string> extents = all ? fresh_dimensions() : std::vector{fresh_dimension()};
        const std::string words = fmt::format("{}", fmt::join(extents, ", "));
        mend(found, fmt::format("Write `{}`", words), {{{here.begin, length > 0 ? token(length - 1).end : here.begin}, words}});
        for (const std::string& each : extents) {
          into.dims.emplace_back().value.emplace<std::string>(each);
          into.dims.back().span = here.span();
        }
        --errors_;
      } else {
        into.form = TypeSyntax::Form::Error;
      }
      pos_ += length;
      if (open_extent) error_at_ = no_partner;
    }
    if (closed(opener) && pos_ < partner_[opener] && raw() != Tok::Comma && raw() >= Tok::OrOr && raw() <= Tok::Percent) {
      const auto found = report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: a dimension is a name or a number", described(token())));
      if (here.kind == Tok::Integer && raw(1) == Tok::Integer && (raw(2) == Tok::Comma || raw(2) == Tok::RightBracket)) {  // `[2 * 8]`
        const auto a = static_cast<std::int64_t>(integer_value(here, false)), b = static_cast<std::int64_t>(integer_value(token(1), false));
        constexpr std::int64_t most = 1 << 24;
        const bool small = a <= most && b <= most;
        const std::int64_t value = !small ? 0 : raw() == Tok::Star ? a * b : raw() == Tok::Plus ? a + b : raw() == Tok::Minus ? a - b : raw() == Tok::Slash && b != 0 ? a / b : 0;
        if (value > 0) mend(found, fmt::format("Write `{}`", value), {{{here.begin, token(1).end}, std::to_string(value)}});
      }
      while (pos_ < partner_[opener] && raw() != Tok::Comma) skip_group();
      error_at_ = pos_;
      into.form = TypeSyntax::Form::Error;
    }
  } while (!next_parameter() && next_element(opener, "dimensions"));
  if (errors_ != errors) into.form = TypeSyntax::Form::Error;
  close(opener, closer, "shape", before);
  while (into.form != TypeSyntax::Form::Error && closed(opener) && peek() == Tok::LeftBracket && same_line(0) && (raw(1) == Tok::Integer || raw(1) == Tok::Name) && raw(2) == Tok::RightBracket) {  // `[M][N]`
    const Span between{token().begin - 1, token().end};
    const auto found = report(Code::SyntaxUnexpected, token().span(), "`[`: the dimensions stand in one pair of brackets");
    if (text(between) == "][") mend(found, "Write them in one pair", {{between, ", "}});
    DimSyntax& each = into.dims.emplace_back();
    each.span = token(1).span();
    if (raw(1) == Tok::Name) each.value = std::string(text(token(1).span()));
    else each.value = static_cast<std::int64_t>(integer_value(token(1), false));
    pos_ += 3;
    --errors_;
    error_at_ = no_partner;
  }
}

}  // namespace phobos::syntax
