// Definitions: head, body, and what stands behind them.
#include <algorithm>
#include <utility>

#include "item_parser.h"
#include "outside.h"
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
  for (const std::uint32_t each : told_tokens_)
    if (text_[each] == '#') declare_outside(text_.substr(each, text_.find('\n', each) - each));
  keywords_as_names();
  partner_ = pair_brackets(tokens_);
  supply_braces();
  for (std::size_t i = 0; i < tokens_.size(); ++i) stray_braces_ += tokens_[i].kind == Tok::RightBrace && partner_[i] == no_partner;
  attributes();
  definition();
  forget_type_parameters();
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
  head_told_ = braces.reported;
  type_parameters();
  to_parameters();
  parameters();
  if (raw() == Tok::RightParen && (raw(1) == Tok::Arrow || raw(1) == Tok::LeftBrace) && same_line(1) && take_unopened()) error_at_ = no_partner;  // `f(x: f32))`
  if (!result.empty()) {
    item_.result = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(result), previous_span(), false}, {}, previous_span()};
    braces.edits.push_back({{previous_end(), previous_end()}, fmt::format(" -> {}", result)});
  }
  if (result.empty() || raw() == Tok::Arrow) result_type();
  mend_types(braces);
  misplaced_attribute(keyword_at);
  body(braces);
  finish(braces);
  tail();
}

// `def f(…)`, `__global__ void k(…)`, `kernal k(…)`: the words before the name. False where none is.
bool ItemParser::foreign_head(Braces& braces, std::string_view& result) {
  const auto is_word = [](Tok kind) { return kind == Tok::Name || kind == Tok::Star || kind == Tok::And || kind == Tok::Text || kind == Tok::Kernel || kind == Tok::Fn; };
  std::size_t name = 0;
  bool kernel = false, function = false, device = false, defines = false, nothing = false;
  std::vector<std::string_view> words;
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
    words.push_back(word);
  }
  const std::string_view type = scalar_meant(words);
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
  constexpr std::size_t most = 16;  // that are looked at
  std::vector<std::pair<Span, std::string>> edits{{{token().begin, tokens_[end].end}, ""}};
  for (std::size_t i = pos_ + 1; i < end; ++i) {
    if (tokens_[i].kind != Tok::Name || type_parameters_.size() == most) continue;
    const std::string_view name = text(tokens_[i].span());
    if (std::find(type_parameters_.begin(), type_parameters_.end(), name) != type_parameters_.end()) continue;
    type_parameters_.emplace_back(name);
    const auto is_it = [&](std::size_t k) { return tokens_[k].kind == Tok::Name && text(tokens_[k].span()) == name; };
    const auto stands_for_type = [&](std::size_t k) {
      const Tok before = tokens_[k - 1].kind;
      return is_it(k) && (before == Tok::Colon || before == Tok::Arrow || (before == Tok::Less && tokens_[k + 1].kind == Tok::Greater));
    };
    bool is_type = false;
    for (std::size_t k = end + 1; k < tokens_.size() && !is_type; ++k) is_type = stands_for_type(k);
    for (std::size_t k = end + 1; k < tokens_.size() && is_type; ++k)
      if (is_it(k)) edits.push_back({tokens_[k].span(), "f32"});
  }
  const std::string title = edits.size() == 1 ? "Remove it" : "Write `f32` in its place";
  mend(found, title, std::move(edits));
  pos_ = end + 1;
  error_at_ = no_partner;
}

// What was said of them is not said again of the types that name them.
void ItemParser::forget_type_parameters() {
  const auto forget = [&](TypeSyntax& type) {
    if (std::find(type_parameters_.begin(), type_parameters_.end(), type.element.text) != type_parameters_.end()) type.element.missing = true;
  };
  for (Parameter& each : item_.parameters) forget(each.type);
  if (item_.result) forget(*item_.result);
  for (std::size_t i = 0; i < item_.stmts.size(); ++i)
    if (auto* let = std::get_if<LetStmt>(&item_.stmts[StmtId(i)].node); let && let->type) forget(*let->type);
  for (std::string& each : type_parameters_) item_.outside.push_back(std::move(each));
}

// Parameters as Go and Python declare them: with the definition's first word, where that is another language's, one mistake.
void ItemParser::mend_types(Braces& head) {
  const bool gives = item_.form == Item::Form::Function && !item_.result && !untyped_edits_.empty() && returns_value();
  if (gives) untyped_edits_.push_back({{previous_end(), previous_end()}, " -> f32"});
  if (head.reported) {
    if (!typed_edits_.empty() && head.found) item_.diagnostics[*head.found].message += "; a type stands behind `:`, and the result's behind `->`";
    if (!untyped_edits_.empty() && head.found) item_.diagnostics[*head.found].message += ", and each parameter has a type";
    for (auto* edits : {&typed_edits_, &untyped_edits_}) std::move(edits->begin(), edits->end(), std::back_inserter(head.edits));
    return;
  }
  const std::string signs = typed_edits_.size() == 1 ? "Insert `:`" : "Insert the signs before the types";
  if (!typed_edits_.empty()) mend(typed_found_, signs, std::move(typed_edits_));
  const std::string types = untyped_edits_.size() == 1 ? fmt::format("Insert `{}`", trimmed(untyped_edits_[0].second)) : "Insert the types";
  if (!untyped_edits_.empty()) mend(untyped_found_, types, std::move(untyped_edits_));
}

bool ItemParser::returns_value() const {
  for (std::size_t i = pos_; i + 1 < tokens_.size(); ++i)
    if (tokens_[i].kind == Tok::Return && begins_operand(tokens_[i + 1].kind) && !tokens_[i + 1].newline) return true;
  return false;
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
    const auto found = go_on ? report(Code::SyntaxExpected, gap(), "`(` to begin the parameters") : expected("`(` to begin the parameters");
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
    if (head_told_) typed_edits_.push_back({sign, " ->"});
    else mend(report(Code::SyntaxExpected, sign, "`->` before the result's type, not `:`"), "Write `->`", {{sign, " ->"}});
  } else if (names_type && !is_kernel && !typed_edits_.empty()) {
    typed_edits_.push_back({{previous_end(), previous_end()}, " ->"});
    --pos_;
  } else if (names_type && !is_kernel) {
    insert(report(Code::SyntaxExpected, gap(), "`->` before the result's type"), previous_end(), " ->");
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

// A declaration between two items, or whatever it was meant to be; what is nothing known is part of the mistake before it.
void ItemParser::foreign_definition() {
  const std::uint32_t begin = token().begin, end = end_of_declaration(text_, begin);
  const std::string words = outside_of_items(text_.substr(begin, end - begin));
  if (std::exchange(unknown_outside_, words.empty()) && words.empty()) error_at_ = pos_;
  const auto found = words.empty() ? report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: only kernels and functions stand outside of a body", described(token()))) : foreign(token().span(), words);
  if (raw() == Tok::Name && raw(1) == Tok::LeftParen && closed(pos_ + 1)) {
    const Tok behind = tokens_[partner_[pos_ + 1] + 1].kind;
    if (behind == Tok::LeftBrace) insert(found, token().begin, "kernel ");
    if (behind == Tok::Arrow) insert(found, token().begin, "fn ");
    if (behind == Tok::End) insert(found, token().begin, "@");
  }
  do skip_group();
  while (raw() != Tok::End && raw() != Tok::At && token().begin < end);
  declare_outside(text({begin, previous_end()}));
}

void ItemParser::declare_outside(std::string_view words) {
  for (std::string& each : names_declared(words)) item_.outside.push_back(std::move(each));
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
