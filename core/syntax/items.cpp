// Definitions: attributes, head, body, and what stands behind them.
#include <algorithm>
#include <cstdlib>

#include "item_parser.h"
#include "split.h"

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
    if (line.empty() && end < text.size()) {  // above it are run lines; what else is said there is not said of this item
      item.documentation.clear();
      at = end + 1;
      continue;
    }
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
  for (const diag::Diagnostic& each : item_.diagnostics) told_tokens_.push_back(each.location.span.begin);
  std::sort(told_tokens_.begin(), told_tokens_.end());
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
  Braces braces;  // and whatever else of the head is mended with them
  std::string_view result;
  const std::uint32_t keyword_at = token().begin;
  if (raw() != Tok::Kernel && raw() != Tok::Fn) {
    if (!foreign_head(braces, result)) {
      expected("a definition");
      return;
    }
  } else {
    const Lexeme keyword = token();
    const bool is_kernel = keyword.kind == Tok::Kernel;
    item_.form = is_kernel ? Item::Form::Kernel : Item::Form::Function;
    ++pos_;
    misplaced_attribute(keyword.begin);
    if (raw() == Tok::Name && raw(1) == Tok::Name && raw(2) == Tok::LeftParen && same_line(1)) result = typed_head(braces);
    if (raw() == Tok::End) {  // `kernel fn k(…)`: what follows is an item of its own
      mend(expected(is_kernel ? "the kernel's name" : "the function's name"), fmt::format("Remove `{}`", text(keyword.span())), {{keyword.span(), ""}});
      return;
    }
    item_.name = declared_name(is_kernel ? "the kernel's name" : "the function's name");
  }
  type_parameters();
  to_parameters();
  parameters();
  if (raw() == Tok::RightParen && (raw(1) == Tok::Arrow || raw(1) == Tok::LeftBrace) && same_line(1) && take_unopened()) error_at_ = no_partner;  // `f(x: f32))`
  if (!result.empty()) {
    item_.result = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(result), previous_span(), false}, {}, previous_span()};
    braces.edits.push_back({{previous_end(), previous_end()}, fmt::format(" -> {}", result)});
  }
  if (result.empty() || raw() == Tok::Arrow) result_type();
  misplaced_attribute(keyword_at);
  body(braces);
  finish(braces);
  tail();
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

// `def f(…)`, `__global__ void k(…)`, `kernal k(…)`: the words before the name. False where none is.
bool ItemParser::foreign_head(Braces& braces, std::string_view& result) {
  const auto is_word = [](Tok kind) { return kind == Tok::Name || kind == Tok::Star || kind == Tok::And || kind == Tok::Text || kind == Tok::Kernel || kind == Tok::Fn; };
  std::size_t name = 0;
  bool kernel = false, function = false, device = false, defines = false, nothing = false;
  std::string_view type;
  std::string launch;
  for (; is_word(raw(name)) && (is_word(raw(name + 1)) || text(token(name).span()) == "__launch_bounds__"); ++name) {
    const std::string_view word = text(token(name).span());
    if (word == "__launch_bounds__") {
      if (raw(name + 1) != Tok::LeftParen || !closed(pos_ + name + 1)) return false;
      const std::size_t closer = partner_[pos_ + name + 1];
      launch = fmt::format("@launch{}\n", text({token(name + 1).begin, tokens_[closer].end}));
      name = closer - pos_;
      continue;
    }
    kernel = kernel || raw(name) == Tok::Kernel || word == "__global__" || word == "__kernel" || word == "global" || (raw(name) == Tok::Name && resembles_kernel(word));
    function = function || raw(name) == Tok::Fn;
    device = device || word == "__device__" || word == "device";
    nothing = nothing || word == "void";
    defines = defines || word == "def" || word == "func" || word == "function" || word == "fun" || word == "fnc" || word == "ffn" || word == "fnn" || word == "proc";
    if (!scalar_meant(word).empty()) type = scalar_meant(word);
  }
  if (name == 0 || raw(name) != Tok::Name || (raw(name + 1) != Tok::LeftParen && raw(name + 1) != Tok::Less)) return false;
  const std::size_t opener = pos_ + name + 1;
  const bool arrow = raw(name + 1) == Tok::LeftParen && closed(opener) && tokens_[partner_[opener] + 1].kind == Tok::Arrow;
  bool gives = arrow, tensors = false;
  for (std::size_t i = opener; i + 1 < tokens_.size(); ++i) {
    gives = gives || (tokens_[i].kind == Tok::Return && begins_operand(tokens_[i + 1].kind) && !tokens_[i + 1].newline);
    tensors = tensors || (tokens_[i].kind == Tok::Name && (text(tokens_[i].span()) == "tensor" || text(tokens_[i].span()) == "tl"));
  }
  if (!kernel && !function) kernel = !gives && type.empty() && !device && (nothing || (defines && tensors));
  item_.form = kernel && !function ? Item::Form::Kernel : Item::Form::Function;
  const Lexeme first = token(), last = token(name - 1), named = token(name);
  const std::string_view keyword = item_.form == Item::Form::Kernel ? "kernel" : "fn";
  braces.reported = true;
  braces.found = foreign({first.begin, last.end}, item_.form == Item::Form::Kernel ? "a kernel begins with `kernel`" : "a function begins with `fn`");
  braces.title = fmt::format("Write `{}`", keyword);
  braces.edits.push_back({{first.begin, named.begin}, fmt::format("{}{} ", launch, keyword)});
  if (item_.form == Item::Form::Function && !arrow) result = type;
  pos_ += name + 1;
  item_.name = {std::string(text(named.span())), named.span(), false};
  error_at_ = no_partner;
  return true;
}

// `fn f32 f(…)`, `kernel void k(…)`. At the type; what the result is, if it is one.
std::string_view ItemParser::typed_head(Braces& braces) {
  const Lexeme type = token();
  const std::string_view word = text(type.span()), meant = scalar_meant(word);
  if (meant.empty() && word != "void") return {};
  const bool is_kernel = item_.form == Item::Form::Kernel;
  braces.reported = true;
  braces.found = foreign(type.span(), is_kernel ? "a kernel has no result" : "a function's result stands behind its parameters: `-> f32`");
  braces.title = is_kernel || meant.empty() ? fmt::format("Remove `{}`", word) : fmt::format("Write `-> {}`", meant);
  braces.edits.push_back({{type.begin, token(1).begin}, ""});
  ++pos_;
  error_at_ = no_partner;
  return is_kernel ? "" : meant;
}

// `f<T>(…)`. A function is generic in the dimensions of its parameters alone.
void ItemParser::type_parameters() {
  if (raw() != Tok::Less || !same_line(0)) return;
  std::size_t end = pos_ + 1;
  while (tokens_[end].kind != Tok::Greater && tokens_[end].kind != Tok::LeftParen && tokens_[end].kind != Tok::LeftBrace && tokens_[end].kind != Tok::End) ++end;
  if (tokens_[end].kind != Tok::Greater) return;
  const auto found = report(Code::SyntaxUnexpected, token().span(), "`<`: there are no type parameters; a dimension is named in a parameter's type, as in `tensor<f32>[N]`");
  bool used = false;
  for (std::size_t i = pos_ + 1; i < end; ++i)
    for (std::size_t k = end; tokens_[i].kind == Tok::Name && k < tokens_.size() && !used; ++k) used = tokens_[k].kind == Tok::Name && text(tokens_[k].span()) == text(tokens_[i].span());
  if (!used) mend(found, "Remove it", {{{token().begin, tokens_[end].end}, ""}});
  pos_ = end + 1;
  error_at_ = no_partner;
}

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
    if (raw() == Tok::LeftParen && closed(pos_)) skip_group();
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
  if (first.kind == Tok::Name && raw(1) == Tok::Percent && raw(2) == Tok::Integer) {  // `N % 64`, `N % 64 == 0`
    const Span sign = token(1).span(), number = token(2).span();
    const bool compares = raw(3) == Tok::EqEq && raw(4) == Tok::Integer && text(token(4).span()) == "0";
    ++pos_;
    std::vector<std::pair<Span, std::string>> edits{{sign, "="}};
    if (compares) edits.push_back({{number.end, token(3).end}, ""});
    mend(report(Code::SyntaxExpected, sign, "`=` before the number that divides it, not `%`"), "Write `=`", std::move(edits));
    result.name = {std::string(text(first.span())), first.span(), false};
    result.form = AttributeArgument::Form::Assign;
    ++pos_;
    error_at_ = no_partner;
    const auto value = attribute_integer();
    if (compares) pos_ += 2;
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
  switch (value.kind) {
    case Tok::Integer: {
      const auto number = attribute_integer();
      if (number && raw() == Tok::Star && raw(1) == Tok::Integer) {  // `4 * 32`
        const auto found = report(Code::SyntaxUnexpected, token().span(), "`*`: an attribute takes numbers, and works nothing out");
        std::int64_t product = *number;
        while (raw() == Tok::Star && raw(1) == Tok::Integer && product > -1000000 && product < 1000000) {
          product *= static_cast<std::int64_t>(integer_value(token(1), false) % 1000000);
          pos_ += 2;
        }
        mend(found, fmt::format("Write `{}`", product), {{{value.begin, previous_end()}, std::to_string(product)}});
        error_at_ = no_partner;
        return product;
      }
      return number;
    }
    case Tok::LeftParen:
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

// Past what stands between a definition's name and its parameters: `a-b(`, `a<<<1, 2>>>(`, `k k2(`.
void ItemParser::to_parameters() {
  std::size_t at = pos_;
  while (tokens_[at].kind != Tok::LeftParen) {
    const Tok kind = tokens_[at].kind;
    if (kind == Tok::End || kind == Tok::LeftBrace || kind == Tok::RightBrace || kind == Tok::Colon || kind == Tok::Arrow || tokens_[at].newline) return;
    at = partner_[at] != no_partner && partner_[at] > at ? partner_[at] + 1 : at + 1;
  }
  if (at == pos_) return;
  report(Code::SyntaxExpected, token().span(), fmt::format("`(` to begin the parameters, not {}", described(token())));
  pos_ = at;
  error_at_ = no_partner;
}

void ItemParser::parameters() {
  std::size_t opener = no_partner;
  bool before = newline_ends_;
  if (raw() == Tok::LeftParen && raw(1) == Tok::LeftParen && !closed(pos_)) {  // `k((A: …)`
    mend(report(Code::SyntaxUnexpected, token().span(), "`(`: one pair of parentheses holds the parameters"), "Remove `(`", {{token().span(), ""}});
    ++pos_;
    error_at_ = no_partner;
  }
  if (raw() == Tok::LeftParen) {
    opener = pos_++;
    before = open(opener);
  } else {
    const bool nameless = raw() == Tok::Colon && raw(1) == Tok::Name && same_line(0) && on_this_line(Tok::RightParen);  // `fa: f32)`, which was `f(a: f32)`
    const bool go_on = nameless || raw() == Tok::RightParen || (raw() == Tok::Name && (raw(1) == Tok::Colon || raw(1) == Tok::Name));
    const auto found = go_on ? report(Code::SyntaxExpected, behind(), "`(` to begin the parameters") : expected("`(` to begin the parameters");
    if (go_on && !nameless) insert(found, previous_end(), "(");
    if (!go_on) return;
    if (!nameless) error_at_ = no_partner;
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
  if (raw() == Tok::Assign && raw(1) == Tok::Greater && adjacent(0)) {  // `=> f32`
    const Span both{sign.begin, token(1).end};
    mend(foreign(both, "`=>` is written `->`"), "Write `->`", {{both, "->"}});
    ++pos_;
    error_at_ = no_partner;
  } else if (raw() == Tok::Arrow && word_is("void", 1)) {
    mend(foreign(token(1).span(), "a function without a result names none"), "Remove it", {{{previous_end(), token(1).end}, ""}});
    pos_ += 2;
    error_at_ = no_partner;
    return;
  } else if (raw() == Tok::Colon && same_line(0) && !is_kernel && raw(1) == Tok::Name) {
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

void ItemParser::body(Braces& braces) {
  in_body_ = true;
  if (raw() != Tok::LeftBrace && raw() != Tok::End) {
    if (const auto brace = on_this_line(Tok::LeftBrace)) {
      if (take_unopened() && pos_ == *brace) return body(braces);
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
  if (raw() == Tok::Colon && stray_braces_ == 0 && token(1).newline && token(1).indent > 0) {  // as Python writes it
    std::uint32_t head = static_cast<std::uint32_t>(pos_);
    while (head > 0 && tokens_[head].kind != Tok::LeftParen) --head;
    const std::uint32_t begin = token().begin;
    item_.body = body_after_colon(head, braces);
    item_.body_span = {begin, std::max(begin, previous_end())};
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
  const std::string words = outside_of_items(text_.substr(token().begin));
  const auto found = words.empty() ? report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: only kernels and functions stand outside of a body", described(token()))) : foreign(token().span(), words);
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
