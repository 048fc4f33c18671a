// Attributes, with what stands in their place elsewhere: other brackets, other signs, arithmetic.
#include <cstdlib>

#include "item_parser.h"
#include "split.h"

namespace phobos::syntax {

using diag::Code;

void ItemParser::attributes() {
  while (raw() == Tok::At) {
    item_.attributes.push_back(attribute());
    if (raw() == Tok::Semicolon || raw() == Tok::Comma) {  // `@launch(64);`
      mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: nothing separates attributes", described(token()))), fmt::format("Remove {}", described(token())), {{token().span(), ""}});
      ++pos_;
      error_at_ = no_partner;
    }
    if (raw() == Tok::At || raw() == Tok::Kernel || raw() == Tok::Fn || raw() == Tok::End || token().newline) continue;
    if (item_.attributes.back().arguments.empty() && raw() == Tok::Name) continue;  // `@launch kernal k(…)`
    const auto found = report(Code::SyntaxUnexpected, token().span(), described(token()));
    if (token(1).newline && (raw() == Tok::RightParen || raw() == Tok::RightBracket)) mend(found, fmt::format("Remove {}", described(token())), {{token().span(), ""}});  // `@launch(128)]`
    while (raw() != Tok::At && raw() != Tok::Kernel && raw() != Tok::Fn && raw() != Tok::End && !token().newline) ++pos_;
    error_at_ = no_partner;
  }
}

Attribute ItemParser::attribute() {
  Attribute result;
  const std::uint32_t begin = token().begin;
  ++pos_;
  if (raw() == Tok::At && adjacent(0) && raw(1) == Tok::Name) {  // `@@launch`
    mend(report(Code::SyntaxUnexpected, token().span(), "`@`: an attribute begins with one `@`"), "Remove `@`", {{token().span(), ""}});
    ++pos_;
    error_at_ = no_partner;
  }
  result.name = declared_name("the attribute's name");
  if (raw() == Tok::Dot && raw(1) == Tok::Name && same_line(0)) {  // `@triton.jit`
    while (raw() == Tok::Dot && raw(1) == Tok::Name) pos_ += 2;
    const Span whole{begin, previous_end()};
    const std::size_t end = raw() == Tok::LeftParen ? end_of_group(text_, token().begin) : 0;
    while (raw() != Tok::End && token().begin < end) ++pos_;
    const std::size_t stop = pos_;
    mend(foreign(whole, fmt::format("there is no attribute `{}`", text(whole))), "Remove it", {{{begin, tokens_[stop].begin}, ""}});
    error_at_ = no_partner;
    result.name.missing = true;
    result.name.text.clear();
    result.span = {begin, previous_end()};
    return result;
  }
  if (loose_arguments(result)) {
    result.span = {begin, previous_end()};
    return result;
  }
  if (raw() == Tok::LeftParen) {
    const std::size_t opener = pos_++;
    const bool before = open(opener);
    while (!list_ends(opener)) {
      const std::size_t from = pos_;
      if (auto argument = attribute_argument()) result.arguments.push_back(std::move(*argument));
      if (raw() == Tok::Semicolon && (raw(1) == Tok::RightParen || raw(1) == Tok::Integer) && same_line(1)) {  // `@launch(128;)`
        const bool last = raw(1) == Tok::RightParen;
        mend(report(Code::SyntaxUnexpected, token().span(), "`;`: arguments are separated by `,`"), last ? "Remove `;`" : "Write `,`", {{token().span(), last ? "" : ","}});
        ++pos_;
        error_at_ = no_partner;
        if (last) break;
        continue;
      }
      if (!next_element(opener, "arguments")) break;
      if (list_ends(opener)) {
        --pos_;
        mend(report(Code::SyntaxExpected, token().span(), "another argument behind `,`"), "Remove `,`", {{token().span(), ""}});
        ++pos_;
        error_at_ = pos_;
      }
      if (pos_ == from) skip_group();
    }
    close(opener, Tok::RightParen, "arguments", before);
  }
  result.span = {begin, previous_end()};
  return result;
}

// `@launch 128`, `@launch: 128`, `@launch[128]`, `@launch{128}`, `@aligned N = 64`: the arguments without their parentheses.
bool ItemParser::loose_arguments(Attribute& into) {
  const Tok kind = raw();
  const bool sign = kind == Tok::Colon || kind == Tok::Assign, bracket = ((kind == Tok::LeftBracket || kind == Tok::LeftBrace) && closed(pos_)) || kind == Tok::Less;
  const bool named = kind == Tok::Name && (raw(1) == Tok::In || raw(1) == Tok::Assign);
  if (!same_line(0) || (!sign && !bracket && kind != Tok::Integer && !named)) return false;
  const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("`(` before the arguments, not {}", described(token())));
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  std::vector<std::pair<Span, std::string>> edits{{{previous_end(), sign || bracket ? token(1).begin : token().begin}, "("}};
  if (sign || bracket) ++pos_;
  for (bool more = true; more; more = accept(Tok::Comma)) {
    if (auto argument = attribute_argument()) into.arguments.push_back(std::move(*argument));
    else break;
  }
  const Tok closer = kind == Tok::LeftBracket ? Tok::RightBracket : kind == Tok::LeftBrace ? Tok::RightBrace : kind == Tok::Less ? Tok::Greater : raw() == Tok::RightParen ? Tok::RightParen : Tok::End;
  if (closer != Tok::End && raw() == closer) {
    ++pos_;
    edits.push_back({previous_span(), ")"});
  } else {
    edits.push_back({{previous_end(), previous_end()}, ")"});
  }
  if (errors_ == errors) mend(found, "Write `(…)`", std::move(edits));
  return true;
}

std::optional<AttributeArgument> ItemParser::attribute_argument() {
  AttributeArgument result;
  const Lexeme first = token();
  if (first.kind == Tok::Name && raw(1) == Tok::Percent && raw(2) == Tok::Integer && raw(3) == Tok::EqEq && raw(4) == Tok::Integer && text(token(4).span()) == "0") {  // `N % 64 == 0`
    const Span sign = token(1).span(), number = token(2).span();
    ++pos_;
    mend(report(Code::SyntaxExpected, sign, "`=` before the number that divides it, not `%`"), "Write `=`", {{sign, "="}, {{number.end, token(3).end}, ""}});
    result.name = {std::string(text(first.span())), first.span(), false};
    result.form = AttributeArgument::Form::Assign;
    ++pos_;
    error_at_ = no_partner;
    const auto value = attribute_integer();
    pos_ += 2;
    if (!value) return {};
    result.value = *value;
    result.span = {first.begin, previous_end()};
    return result;
  }
  if (first.kind == Tok::Ctx && raw(1) == Tok::In) {
    report(Code::CtxReserved, first.span());
    pos_ += 2;
    error_at_ = no_partner;
    attribute_choices(result);
    return {};
  }
  if (first.kind == Tok::Name && same_line(1)) {
    const bool misspelt = raw(1) == Tok::Name && raw(2) == Tok::LeftBracket;  // `X inn [1, 2]`
    if (misspelt || raw(1) == Tok::LeftBracket) {                            // `X [1, 2]`
      const auto found = misspelt ? report(Code::SyntaxExpected, token(1).span(), fmt::format("`in` before the choices, not {}", described(token(1)))) : report(Code::SyntaxExpected, first.span(), "`in` between the name and its choices");
      if (misspelt) mend(found, "Write `in`", {{token(1).span(), "in"}});
      else insert(found, first.end, " in");
      pos_ += misspelt ? 2 : 1;
      error_at_ = no_partner;
      result.name = {std::string(text(first.span())), first.span(), false};
      result.form = AttributeArgument::Form::Choices;
      attribute_choices(result);
      result.span = {first.begin, std::max(first.end, previous_end())};
      return result;
    }
    if (raw(1) == Tok::Integer && raw(2) != Tok::Dot) {  // `X 16`
      const Span number = token(1).span();
      mend(report(Code::SyntaxExpected, first.span(), "`in [` between the name and its choices"), fmt::format("Write `in [{}]`", text(number)), {{{first.end, number.end}, fmt::format(" in [{}]", text(number))}});
      ++pos_;
      error_at_ = no_partner;
      result.name = {std::string(text(first.span())), first.span(), false};
      result.form = AttributeArgument::Form::Choices;
      result.choices.push_back(attribute_integer().value_or(1));
      result.span = {first.begin, previous_end()};
      return result;
    }
  }
  if (first.kind == Tok::Name && (raw(1) == Tok::In || raw(1) == Tok::Assign || raw(1) == Tok::Colon || raw(1) == Tok::EqEq)) {
    result.name = {std::string(text(first.span())), first.span(), false};
    ++pos_;
    const Span sign = token().span();
    const Tok kind = raw();
    ++pos_;
    const bool list = raw() == Tok::LeftBracket;
    if (kind != Tok::In && list) {
      --pos_;
      mend(report(Code::SyntaxExpected, sign, "`in` before the choices"), "Write `in`", {{sign, fmt::format("{}in{}", sign.begin == previous_end() ? " " : "", adjacent(0) ? " " : "")}});
      ++pos_;
    } else if (kind == Tok::Colon || kind == Tok::EqEq) {
      --pos_;
      mend(report(Code::SyntaxExpected, sign, "`=` behind the name"), "Write `=`", {{sign, kind == Tok::Colon ? " =" : "="}});
      ++pos_;
    }
    if (kind == Tok::In || list) {
      result.form = AttributeArgument::Form::Choices;
      attribute_choices(result);
    } else {
      result.form = AttributeArgument::Form::Assign;
      auto value = attribute_value();
      if (!value) return {};
      result.value = std::move(*value);
    }
  } else {
    auto value = attribute_value();
    if (!value) return {};
    result.value = std::move(*value);
  }
  result.span = {first.begin, std::max(first.end, previous_end())};
  return result;
}

std::optional<AttributeArgument::Value> ItemParser::attribute_value() {
  const bool negative = raw() == Tok::Minus && (raw(1) == Tok::Integer || raw(1) == Tok::Float);
  const Lexeme value = token(negative ? 1 : 0);
  if (arithmetic_follows()) {
    ConstantExpr arithmetic;
    if (!attribute_arithmetic(arithmetic, false, 0)) return {};
    return arithmetic;
  }
  switch (value.kind) {
    case Tok::Integer: return attribute_integer();
    case Tok::LeftBracket:
      if (raw(1) == Tok::Integer && closed(pos_) && partner_[pos_] == pos_ + 2) {  // `(128)`
        mend(report(Code::SyntaxExpected, value.span(), fmt::format("a number alone, without {}", described(value))), "Write the number alone", {{value.span(), ""}, {token(2).span(), ""}});
        ++pos_;
        const auto number = attribute_integer();
        ++pos_;
        error_at_ = no_partner;
        return number;
      }
      expected("a number or a name");
      return {};
    case Tok::Float:
      pos_ += negative ? 2 : 1;
      return std::strtod(std::string(text(value.span())).c_str(), nullptr) * (negative ? -1 : 1);
    case Tok::True:
    case Tok::False: ++pos_; return value.kind == Tok::True;
    case Tok::Name: ++pos_; return std::string(text(value.span()));
    case Tok::Text: text_junk(); return {};
    default: expected("a number or a name"); return {};
  }
}

// `TM * 2`, `(TM + TN) / 2`; a number or a name alone is none.
bool ItemParser::arithmetic_follows() const {
  if (raw() == Tok::LeftParen) return closed(pos_);
  return (raw() == Tok::Name || raw() == Tok::Integer) && raw(1) >= Tok::Plus && raw(1) <= Tok::Percent;
}

// False where it is broken, which is reported.
bool ItemParser::attribute_arithmetic(ConstantExpr& into, bool of_products, int depth) {
  const auto operand = [&] {
    const Lexeme first = token();
    if (first.kind == Tok::LeftParen && closed(pos_) && depth < nesting_limit) {
      const std::size_t opener = pos_++;
      const bool before = open(opener);
      const bool good = attribute_arithmetic(into, false, depth + 1);
      close(opener, Tok::RightParen, "arguments", before);
      return good;
    }
    if (first.kind == Tok::Name) {
      into.steps.emplace_back(std::string(text(first.span())), first.span());
      ++pos_;
      return true;
    }
    if (first.kind != Tok::Integer) {
      expected("a number or a constant of `@autotune`");
      return false;
    }
    const auto number = attribute_integer();
    if (number) into.steps.emplace_back(*number, first.span());
    return number.has_value();
  };
  const auto next = [&] { return of_products ? operand() : attribute_arithmetic(into, true, depth); };
  if (!next()) return false;
  while (of_products ? raw() >= Tok::Star && raw() <= Tok::Percent : raw() == Tok::Plus || raw() == Tok::Minus) {
    const Lexeme sign = token();
    ++pos_;
    if (!next()) return false;
    into.steps.emplace_back(static_cast<BinaryOp>(static_cast<int>(sign.kind) - static_cast<int>(Tok::OrOr)), sign.span());
  }
  return true;
}

std::optional<std::int64_t> ItemParser::attribute_integer() {
  const bool negative = raw() == Tok::Minus && raw(1) == Tok::Integer;
  if (negative) ++pos_;
  if (raw() == Tok::Text) return text_junk(), std::nullopt;
  if (raw() != Tok::Integer) {
    expected(raw() == Tok::Float ? "a whole number" : "a number");
    return {};
  }
  const std::size_t errors = errors_;
  const std::uint64_t value = integer_value(token(), negative);
  ++pos_;
  if (errors_ != errors) return {};
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

void ItemParser::attribute_choices(AttributeArgument& into) {
  const Tok kind = raw();
  if (kind == Tok::LeftBracket || ((kind == Tok::LeftParen || kind == Tok::LeftBrace) && closed(pos_))) {
    const std::size_t opener = pos_;
    if (kind != Tok::LeftBracket)
      mend(report(Code::SyntaxExpected, token().span(), fmt::format("`[` to begin the choices, not {}", described(token()))), "Write `[…]`",
           {{token().span(), "["}, {tokens_[partner_[pos_]].span(), "]"}});
    ++pos_;
    const Tok closer = kind == Tok::LeftBracket ? Tok::RightBracket : tokens_[partner_[opener]].kind;
    const bool before = open(opener);
    const std::size_t errors = errors_;
    do {
      if (const auto choice = attribute_integer()) into.choices.push_back(*choice);
      while (raw() == Tok::Dot && raw(1) == Tok::Dot && raw(2) == Tok::Integer) {  // `[32..64]`
        mend(foreign({token().begin, token(1).end}, "`..` is no range: two choices `[a, b]` are the bounds of a search"), "Write `,`", {{{token().begin, token(2).begin}, ", "}});
        pos_ += 2;
        error_at_ = no_partner;
        if (const auto choice = attribute_integer()) into.choices.push_back(*choice);
      }
    } while (next_element(opener, "choices"));
    close(opener, closer, "choices", before);
    if (into.choices.empty() && errors_ != errors) into.choices.push_back(1);  // the name is there all the same
    return;
  }
  if (word_is("range") && raw(1) == Tok::LeftParen && closed(pos_ + 1)) {  // `X in range(32, 64)`
    const Lexeme word = token(), paren = token(1), end = tokens_[partner_[pos_ + 1]];
    mend(report(Code::SyntaxExpected, word.span(), "`[` to begin the choices, not `range`"), "Write `[…]`", {{{word.begin, paren.end}, "["}, {end.span(), "]"}});
    pos_ += 2;
    error_at_ = no_partner;
    for (bool more = true; more; more = accept(Tok::Comma))
      if (const auto choice = attribute_integer()) into.choices.push_back(*choice);
    accept(Tok::RightParen);
    error_at_ = no_partner;
    return;
  }
  const std::uint32_t begin = token().begin;
  const auto found = expected("`[` to begin the choices");
  if (raw() != Tok::Integer && raw() != Tok::Minus) return;
  for (;;) {
    if (const auto choice = attribute_integer()) into.choices.push_back(*choice);
    if (raw() != Tok::Comma || (raw(1) != Tok::Integer && raw(1) != Tok::Minus)) break;
    ++pos_;
  }
  if (raw() == Tok::RightBracket && !closed(pos_)) {
    insert(found, begin, "[");
    ++pos_;
  } else if (found) {
    mend(found, "Write `[…]`", {{{begin, begin}, "["}, {{previous_end(), previous_end()}, "]"}});
  }
  error_at_ = pos_;
}

// `kernel @launch(64) k(…)`, `kernel k(…) @launch(64)`. At the `@`; `keyword`: where the definition begins.
void ItemParser::misplaced_attribute(std::uint32_t keyword) {
  if (raw() != Tok::At || raw(1) != Tok::Name) return;
  const auto found = report(Code::SyntaxUnexpected, token().span(), "`@`: an attribute stands before `kernel`");
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const std::uint32_t from = token().begin;
  item_.attributes.push_back(attribute());
  const std::uint32_t end = previous_end();
  if (errors_ == errors) mend(found, "Move it before", {{{keyword, keyword}, std::string(text({from, end})) + " "}, {{from, token().begin}, ""}});
  error_at_ = no_partner;
}

}  // namespace phobos::syntax
