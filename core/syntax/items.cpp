// Definitions: attributes, head, body, and what stands behind them.
#include <algorithm>
#include <cstdlib>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

std::string_view without_blanks(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// The comment lines that an item's text begins with: documentation and run lines.
void read_head_comments(std::string_view text, Item& item) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = without_blanks(text.substr(at, end - at));
    if (!line.starts_with("//")) break;
    const std::uint32_t begin = static_cast<std::uint32_t>(line.data() - text.data());
    if (line.starts_with("//# run") && (line.size() == 7 || line[7] == ' ' || line[7] == '\t')) {
      item.run_lines.push_back({std::string(without_blanks(line.substr(7))), {begin, begin + static_cast<std::uint32_t>(line.size())}});
    } else if (!line.starts_with("//#")) {
      if (!item.documentation.empty()) item.documentation += '\n';
      item.documentation += without_blanks(line.substr(2));
    }
    at = end + 1;
  }
}

}  // namespace

ItemParser::ItemParser(Item& item) : item_(item), text_(item.text) {}

void ItemParser::run() {
  read_head_comments(text_, item_);
  tokens_ = lex(text_, item_.diagnostics);
  partner_ = pair_brackets(tokens_);
  supply_braces();
  for (std::size_t i = 0; i < tokens_.size(); ++i) stray_braces_ += tokens_[i].kind == Tok::RightBrace && partner_[i] == no_partner;
  attributes();
  definition();
  std::stable_sort(item_.diagnostics.begin(), item_.diagnostics.end(),
                   [](const auto& a, const auto& b) { return a.location.span.begin < b.location.span.begin; });
}

void ItemParser::definition() {
  item_.name.missing = true;
  if (raw() != Tok::Kernel && raw() != Tok::Fn) {
    expected("a definition");
    return;
  }
  const bool is_kernel = raw() == Tok::Kernel;
  item_.form = is_kernel ? Item::Form::Kernel : Item::Form::Function;
  ++pos_;
  item_.name = declared_name(is_kernel ? "the kernel's name" : "the function's name");
  parameters();
  result_type();
  body();
  tail();
}

void ItemParser::attributes() {
  while (raw() == Tok::At) item_.attributes.push_back(attribute());
}

Attribute ItemParser::attribute() {
  Attribute result;
  const std::uint32_t begin = token().begin;
  ++pos_;
  result.name = declared_name("the attribute's name");
  if (raw() == Tok::LeftParen) {
    const std::size_t opener = pos_++;
    const bool before = open(opener);
    while (!list_ends(opener)) {
      const std::size_t from = pos_;
      if (auto argument = attribute_argument()) result.arguments.push_back(std::move(*argument));
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

std::optional<AttributeArgument> ItemParser::attribute_argument() {
  AttributeArgument result;
  const Lexeme first = token();
  if (first.kind == Tok::Name && (raw(1) == Tok::In || raw(1) == Tok::Assign || raw(1) == Tok::Colon || raw(1) == Tok::EqEq)) {
    result.name = {std::string(text(first.span())), first.span(), false};
    ++pos_;
    const Span sign = token().span();
    const Tok kind = raw();
    ++pos_;
    const bool list = raw() == Tok::LeftBracket;
    if (kind != Tok::In && list) {
      --pos_;
      mend(report(Code::SyntaxExpected, sign, "`in` before the choices"), "Write `in`", {{sign, adjacent(0) ? " in " : "in"}});
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
  switch (value.kind) {
    case Tok::Integer: return attribute_integer();
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

std::optional<std::int64_t> ItemParser::attribute_integer() {
  const bool negative = raw() == Tok::Minus && raw(1) == Tok::Integer;
  if (negative) ++pos_;
  if (raw() == Tok::Text) return text_junk(), std::nullopt;
  if (raw() != Tok::Integer) {
    expected("a number");
    return {};
  }
  const std::uint64_t value = integer_value(token(), negative);
  ++pos_;
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
    do {
      if (const auto choice = attribute_integer()) into.choices.push_back(*choice);
    } while (next_element(opener, "choices"));
    close(opener, closer, "choices", before);
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

void ItemParser::parameters() {
  std::size_t opener = no_partner;
  bool before = newline_ends_;
  if (raw() == Tok::LeftParen) {
    opener = pos_++;
    before = open(opener);
  } else {
    const bool go_on = raw() == Tok::RightParen || (raw() == Tok::Name && (raw(1) == Tok::Colon || raw(1) == Tok::Name));
    const auto found = go_on ? report(Code::SyntaxExpected, behind(), "`(` to begin the parameters") : expected("`(` to begin the parameters");
    if (go_on) insert(found, previous_end(), "(");
    if (!go_on) return;
    error_at_ = no_partner;
    newline_ends_ = false;
  }
  const auto ends = [&] {
    if (opener != no_partner) return list_ends(opener);
    return raw() == Tok::End || closes(raw()) || raw() == Tok::LeftBrace || raw() == Tok::Arrow || begins_statement(raw());
  };
  while (!ends()) {
    const std::size_t from = pos_;
    if (auto each = parameter()) item_.parameters.push_back(std::move(*each));
    if (opener != no_partner ? !next_element(opener, "parameters") : !accept(Tok::Comma)) break;
    if (pos_ == from) skip_group();
  }
  if (opener != no_partner) close(opener, Tok::RightParen, "parameters", before);
  else accept(Tok::RightParen);
  newline_ends_ = before;
}

void ItemParser::result_type() {
  const bool is_kernel = item_.form == Item::Form::Kernel;
  const Span sign = token().span();
  const bool names_type = raw() == Tok::Name && same_line(0) && (raw(1) == Tok::LeftBrace || raw(1) == Tok::Less);
  if (raw() == Tok::Colon && same_line(0) && !is_kernel && raw(1) == Tok::Name) {
    mend(report(Code::SyntaxExpected, sign, "`->` before the result's type, not `:`"), "Write `->`", {{sign, " ->"}});
  } else if (names_type && !is_kernel) {
    insert(report(Code::SyntaxExpected, behind(), "`->` before the result's type"), previous_end(), " ->");
    --pos_;
  } else if (raw() != Tok::Arrow) {
    return;
  }
  ++pos_;
  const std::uint32_t before = sign.begin;
  TypeSyntax result = type();
  if (!is_kernel) {
    item_.result = std::move(result);
  } else {
    mend(report(Code::SyntaxUnexpected, sign, "`->`: a kernel returns nothing, it writes to its tensors"), "Remove it", {{{before, previous_end()}, ""}});
  }
}

void ItemParser::body() {
  in_body_ = true;
  if (raw() != Tok::LeftBrace && raw() != Tok::End) {
    if (const auto brace = on_this_line(Tok::LeftBrace)) {
      if (take_unopened() && pos_ == *brace) return body();
      report(Code::SyntaxExpected, token().span(), fmt::format("`{{` to begin the body, not {}", described(token())));
      pos_ = *brace;
    }
  }
  if (raw() == Tok::LeftBrace) {
    const std::uint32_t begin = token().begin;
    item_.body = block();
    item_.body_span = {begin, previous_end()};
    return;
  }
  const auto found = raw() == Tok::Colon ? report(Code::SyntaxExpected, token().span(), "`{` to begin the body, not `:`") : expected("`{` to begin the body");
  if (raw() == Tok::End) return;
  if (stray_braces_ > 0) {
    if (raw() == Tok::Colon) mend(found, "Write `{`", {{token().span(), " {"}});
    else insert(found, previous_end(), " {");
  }
  accept(Tok::Colon);
  const std::uint32_t begin = token().begin;
  statements(item_.body);
  if (accept(Tok::RightBrace)) --stray_braces_;
  item_.body_span = {begin, std::max(begin, previous_end())};
}

// What stands behind the body. Statements behind a stray `}` are still analysed as part of it: the brace is the mistake.
void ItemParser::tail() {
  newline_ends_ = true;
  bool stray = false;
  if (stray_braces_ > 0 && (begins_statement(raw()) || begins_operand(raw())) && pos_ > 0) {  // the body goes on behind its `}`
    const Span brace = previous_span();
    mend(report(Code::SyntaxUnexpected, brace, "`}`: the statements behind it stand outside of the body"), "Remove `}`", {{brace, ""}});
    statements(item_.body);
    if (accept(Tok::RightBrace)) --stray_braces_;
  }
  while (raw() != Tok::End) {
    if (raw() == Tok::RightBrace) {
      if (!stray) mend(report(Code::SyntaxUnexpected, token().span(), "`}`: it closes nothing"), "Remove `}`", {{token().span(), ""}});
      stray = true;
      ++pos_;
    } else if (raw() == Tok::At) {
      report(Code::SyntaxUnexpected, token().span(), "attribute: no kernel or function follows it");
      attribute();
      if (raw() != Tok::RightBrace && raw() != Tok::At && raw() != Tok::End) foreign_definition();
    } else if (stray) {
      statements(item_.body);
    } else {
      foreign_definition();
    }
  }
}

// Text between two items. It is one mistake, whatever it was meant to be.
void ItemParser::foreign_definition() {
  const auto found = report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: only kernels and functions stand outside of a body", described(token())));
  if (raw() == Tok::Name && raw(1) == Tok::LeftParen && closed(pos_ + 1)) {
    const Tok behind = tokens_[partner_[pos_ + 1] + 1].kind;
    if (behind == Tok::LeftBrace) insert(found, token().begin, "kernel ");
    if (behind == Tok::Arrow) insert(found, token().begin, "fn ");
    if (behind == Tok::End) insert(found, token().begin, "@");
  }
  while (raw() != Tok::End && raw() != Tok::At) skip_group();
}

std::string ItemParser::documentation_above(std::uint32_t at) const {
  std::string result;
  constexpr std::size_t longest_line = 4096;  // what stands further into its line has no comment above it
  const std::size_t from = at - std::min<std::size_t>(at, longest_line);
  std::size_t line = text_.substr(from, at + 1 - from).rfind('\n');
  if (line == std::string_view::npos) return result;
  line += from;
  while (line != std::string_view::npos && line > 0) {
    const std::size_t above = text_.rfind('\n', line - 1);
    const std::size_t begin = above == std::string_view::npos ? 0 : above + 1;
    const std::string_view words = without_blanks(text_.substr(begin, line - begin));
    if (!words.starts_with("//") || above == std::string_view::npos) break;
    result = std::string(without_blanks(words.substr(2))) + (result.empty() ? "" : "\n" + result);
    line = above;
  }
  return result;
}

}  // namespace phobos::syntax
