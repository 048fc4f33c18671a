#include "expected_type.h"

#include <algorithm>
#include <string>

#include <phobos/ide/signature_help.h>

#include "signature.h"

namespace phobos::ide {

namespace {

using syntax::Tok;
using Numbers = Expected::Numbers;
using Shape = Expected::Shape;

Expected of_type(const sema::Type& type) {
  if (type.is_error() || type.is_void()) return {};
  if (type.element == ScalarType::Index && type.is_scalar()) return {Numbers::Integer, {}, Shape::Scalar};
  return {Numbers::One, type.element, type.is_buffer() ? Shape::Shaped : Shape::Scalar};
}

constexpr Expected an_integer{Numbers::Integer, {}, Shape::Scalar};
constexpr Expected a_bool{Numbers::One, ScalarType::Bool, Shape::Any};

class Finder {
 public:
  Finder(const File& file, const Cursor& cursor) : file_(file), cursor_(cursor) {}

  Expected run() const {
    const Tok last = cursor_.before();
    if (last == Tok::If || last == Tok::While || last == Tok::Not || last == Tok::AndAnd || last == Tok::OrOr) return a_bool;
    if (last == Tok::Return) return cursor_.item && cursor_.item->item().result ? expected_of(text_of(*cursor_.item->item().result)) : Expected();
    if (syntax::assigns(last)) return of_target(cursor_.tokens.size() - 1);
    if (last == Tok::LeftParen || last == Tok::Comma || last == Tok::LeftBracket || last == Tok::ColonPlus) return of_bracket();
    if (last >= Tok::EqEq && last <= Tok::Percent && cursor_.tokens.size() > 1) return of_operand(cursor_.tokens.size() - 2);
    return {};
  }

 private:
  const sema::Type* type_of(std::size_t token) const {
    if (cursor_.item == nullptr || cursor_.tokens[token].kind != Tok::Name) return nullptr;
    const SymbolId symbol = cursor_.item->index().meaning(cursor_.text_at(token), static_cast<std::uint32_t>(cursor_.text.size()));
    if (!symbol || !cursor_.item->index()[symbol].local) return nullptr;
    return &cursor_.item->checked()[cursor_.item->index()[symbol].local].type;
  }

  // Where the bracket opens that closes at a token; none: the token itself.
  std::size_t opened(std::size_t at) const {
    std::size_t inner = 0;
    for (std::size_t i = at + 1; i-- > 0;) {
      const Tok kind = cursor_.tokens[i].kind;
      if (kind == Tok::RightBracket) ++inner;
      if (kind == Tok::LeftBracket && --inner == 0) return i;
    }
    return at;
  }

  // `x[i]`, which ends at a token: an element; of a slice all of them.
  Expected of_element(std::size_t end) const {
    const std::size_t open = opened(end);
    const sema::Type* type = open == end || open == 0 ? nullptr : type_of(open - 1);
    if (type == nullptr || type->is_error()) return {};
    const bool slice = std::any_of(cursor_.tokens.begin() + static_cast<std::ptrdiff_t>(open), cursor_.tokens.begin() + static_cast<std::ptrdiff_t>(end),
                                   [](const syntax::Lexeme& each) { return each.kind == Tok::ColonPlus || each.kind == Tok::Colon; });
    return {Numbers::One, type->element, slice ? Shape::Any : Shape::Scalar};
  }

  // What stands before an `=`.
  Expected of_target(std::size_t assign) const {
    if (assign == 0) return {};
    if (cursor_.tokens[assign - 1].kind == Tok::RightBracket && !is_declared_type(assign)) return of_element(assign - 1);
    for (std::size_t i = assign; i-- > 0 && !syntax::begins_statement(cursor_.tokens[i].kind) && !cursor_.tokens[i + 1].newline;)
      if (cursor_.tokens[i].kind == Tok::Colon) return expected_of(cursor_.text.substr(cursor_.tokens[i].end, cursor_.tokens[assign].begin - cursor_.tokens[i].end));
    const sema::Type* type = type_of(assign - 1);
    const Tok before = assign >= 2 ? cursor_.tokens[assign - 2].kind : Tok::End;
    return type == nullptr || before == Tok::Let || before == Tok::Var ? Expected() : of_type(*type);
  }
  bool is_declared_type(std::size_t assign) const {
    const std::size_t open = opened(assign - 1);
    return open > 0 && cursor_.tokens[open - 1].kind == Tok::Greater;
  }

  Expected of_bracket() const {
    const std::size_t opener = cursor_.opener();
    if (opener == Cursor::no_token || opener == 0) return {};
    if (cursor_.tokens[opener].kind == Tok::LeftBracket) return an_integer;
    if (cursor_.text_at(opener - 1) == "range") return an_integer;
    const auto help = signature_help(file_, cursor_.word_begin());
    if (!help) return {};
    const SignatureFacts& signature = help->signatures[help->signature];
    if (help->parameter >= signature.parameters.size()) return {};
    const Span parameter = signature.parameters[help->parameter];
    const std::string_view label = std::string_view(signature.label).substr(parameter.begin, parameter.size());
    const std::size_t colon = label.find(':');
    return colon == std::string_view::npos ? Expected() : expected_of(label.substr(colon + 1));
  }

  // What stands before an operator.
  Expected of_operand(std::size_t at) const {
    if (cursor_.tokens[at].kind == Tok::Integer) return {Numbers::Integer, {}, Shape::Any};
    if (cursor_.tokens[at].kind == Tok::Float) return {Numbers::Float, {}, Shape::Any};
    if (cursor_.tokens[at].kind == Tok::RightBracket) return of_element(at);
    const sema::Type* type = type_of(at);
    if (type == nullptr || type->is_error()) return {};
    Expected wanted = of_type(*type);
    wanted.shape = Shape::Any;  // a scalar spreads over a tile
    return wanted;
  }

  const File& file_;
  const Cursor& cursor_;
};

}  // namespace

bool Expected::admits(const sema::Type& type) const {
  if (says_nothing() || type.is_error() || type.is_void()) return false;
  if (shape == Shape::Scalar && !type.is_scalar()) return false;
  if (shape == Shape::Shaped && !type.is_buffer()) return false;
  if (shape == Shape::Any && type.is_tensor()) return false;
  switch (numbers) {
    case Numbers::Float: return is_float(type.element);
    case Numbers::Integer: return is_integer(type.element);
    case Numbers::One: return type.element == element;
    default: return true;
  }
}

Expected expected_of(std::string_view type) {
  type.remove_prefix(std::min(type.find_first_not_of(" "), type.size()));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (type == "float") return {Numbers::Float, {}, Shape::Any};
  if (type == "integer") return {Numbers::Integer, {}, Shape::Any};
  if (type == "index") return an_integer;
  const bool shaped = type.ends_with(']') || type == "tile" || type == "run";
  std::string_view element = type.substr(0, type.find_first_of("[<"));
  if (const std::size_t open = type.find('<'); open != std::string_view::npos) element = type.substr(open + 1, type.find('>') - open - 1);
  if (const auto scalar = scalar_named(element)) return {Numbers::One, *scalar, shaped ? Shape::Shaped : Shape::Scalar};
  return shaped ? Expected{Numbers::Any, {}, Shape::Shaped} : Expected();
}

Expected expected_at(const File& file, const Cursor& cursor) {
  return Finder(file, cursor).run();
}

}  // namespace phobos::ide
