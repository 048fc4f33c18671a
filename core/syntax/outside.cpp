// Code that stands outside of all items, where nothing but items may stand: what is to be said of it, and the names that it would
// declare elsewhere. Of what uses those names nothing is to be said that the code's own error does not say.
#include "outside.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include <phobos/syntax/lexer.h>
#include "split.h"

namespace phobos::syntax {

namespace {

bool is_any(std::string_view word, std::initializer_list<std::string_view> list) { return std::find(list.begin(), list.end(), word) != list.end(); }

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_part(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace

std::string outside_of_items(std::string_view text) {
  const std::string_view word = first_word(text);
  if (is_any(word, {"import", "from", "using", "include", "use"})) return "nothing is imported: a file stands by itself";
  if (text.starts_with("#")) {
    std::string_view rest = text.substr(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::string_view directive = first_word(rest);
    if (directive == "include") return "nothing is included: a file stands by itself";
    if (directive == "define") return "there is no preprocessor: a constant is declared with `let` in a body, or with `@autotune(N in [64])` above a kernel";
    if (is_any(directive, {"pragma", "if", "ifdef", "ifndef", "endif", "undef", "else"})) return "there is no preprocessor";
    if (rest.starts_with("[")) return "an attribute is written `@launch(64)`";
    return "`//` begins a comment, not `#`";
  }
  if (is_any(word, {"struct", "class", "union", "enum", "trait", "interface", "impl"})) return fmt::format("there is no `{}`: a value is a number, a `bool` or a tile", word);
  if (is_any(word, {"typedef", "type"})) return fmt::format("there is no `{}`: types have no other names", word);
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  const std::size_t sign = text.substr(0, line_end).find('=');
  const bool assigns = sign != std::string_view::npos && text.substr(0, sign).find('(') == std::string_view::npos;
  if (word == "template") return "there are no templates: a dimension is named in a parameter's type, as in `tensor<f32>[N]`";
  if (!(assigns && is_any(word, {"extern", "static", "inline", "pub"})) && is_any(word, {"def", "func", "function", "void", "__global__", "__device__", "extern", "static", "inline", "pub", "proc"})) return "a kernel begins with `kernel`, a function with `fn`";
  if (is_any(word, {"let", "var", "const", "constexpr", "val"}) || (!word.empty() && assigns))
    return "a constant is declared with `let` in a body, or with `@autotune(N in [64])` above a kernel";
  return {};
}

std::optional<diag::Fix> as_line_comments(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view behind = text.substr(end, text.find_first_of("\r\n", end) - end);
  const std::size_t next = behind.find_first_not_of(" \t");
  if (next != std::string_view::npos && behind.substr(next, 2) != "//") return {};
  diag::Fix fix{"Write `//`", {}};
  const auto replace = [&](std::size_t from, std::size_t to, const char* by) {
    fix.edits.push_back({{{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}, 0}, by});
  };
  replace(begin, begin + 2, "//");
  for (std::size_t line = text.find('\n', begin) + 1; line != 0 && line < end; line = text.find('\n', line) + 1) {
    std::size_t first = std::min(text.find_first_not_of(" \t", line), end - 2);
    const bool starred = text[first] == '*' && first < end - 2;  // as many write it
    replace(line, starred ? first + 1 : line, "//");
  }
  replace(end - 2, end, "");
  return fix;
}

std::uint32_t end_of_declaration(std::string_view text, std::size_t begin) {
  const std::size_t line = text.substr(0, begin).rfind('\n') + 1, indent = begin - line;
  const auto end_of_line = [&](std::size_t at) { return std::min(text.find('\n', at), text.size()); };
  const auto stop = [&](std::size_t at) {
    while (at > begin && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\r')) --at;
    return static_cast<std::uint32_t>(at);
  };
  if (text[begin] == '#') return stop(std::min(end_of_line(begin), text.find("//", begin)));
  for (const std::string_view quote : {"/*", "\"\"\""}) {
    if (text.substr(begin, quote.size()) != quote) continue;
    const std::string_view closer = quote == "/*" ? "*/" : quote;
    const std::size_t end = text.find(closer, begin + quote.size());
    return static_cast<std::uint32_t>(end == text.npos ? text.size() : end + closer.size());
  }
  bool heads_another = first_word(text.substr(begin)) == "template";
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size();) {
    const char c = text[at];
    if (text.substr(at, 2) == "//") {
      at = end_of_line(at);
      continue;
    }
    if (c == '\n' && depth == 0) {
      const std::size_t next = text.find_first_not_of(" \t\r\n", at);
      if (next == text.npos) return stop(at);
      const std::size_t inside = next - (text.substr(0, next).rfind('\n') + 1);
      if (text[next] != '{' && inside <= indent && !heads_another) return stop(at);
      heads_another = false;
      at = next;
      continue;
    }
    if (c == ';' && depth == 0) return static_cast<std::uint32_t>(at + 1);
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    ++at;
  }
  return stop(text.size());
}

namespace {

// `const T = 32`, `#define T 32` as the attribute that means it; empty for none.
std::string constant_as_attribute(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return {};
  const bool directive = text.starts_with("#");
  std::vector<std::string_view> words;
  std::string_view typed;  // by `T: i32`
  std::size_t at = directive ? 1 : 0;
  while (at < text.size()) {
    if (is_word_start(text[at]) && (words.empty() || !(words.back()[0] >= '0' && words.back()[0] <= '9'))) {
      words.push_back(first_word(text.substr(at)));
      at += words.back().size();
    } else if (text[at] >= '0' && text[at] <= '9') {
      words.push_back(first_word(text.substr(at)));
      at += words.back().size();
    } else if (text[at] == ' ' || text[at] == '\t' || text[at] == '=' || text[at] == ';' || text[at] == ':') {
      if (text[at] == ':' && !words.empty()) typed = words.back();
      ++at;
    } else {
      return {};
    }
  }
  if (words.size() < 2 || words.size() > 4 || (directive && words[0] != "define")) return {};
  std::string_view name = words[directive || words.size() > 2 ? 1 : 0];
  const bool typed_before = words.size() == 4;  // `constexpr int T = 32`
  if (typed_before) name = words[2];
  if (!typed.empty()) name = typed;
  const std::string_view value = words.back();
  if (!is_word_start(name[0]) || value.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return fmt::format("@autotune({} in [{}])", name, value);
}

// A constant as an attribute of the item behind the preamble. Where it does not stand directly above, it moves there.
std::optional<diag::Fix> as_attribute(std::string_view text, Span constant, Span preamble) {
  const std::string better = constant_as_attribute(text.substr(constant.begin, constant.size()));
  std::size_t item = text.find_first_not_of(" \t\r\n;", preamble.end);
  while (item != text.npos && text.substr(item, 2) == "//") item = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', item), text.size()));
  if (better.empty() || item == text.npos || (!text.substr(item).starts_with("kernel") && text[item] != '@')) return {};
  diag::Fix fix{fmt::format("Write `{}`", better), {}};
  if (constant.end == preamble.end) {
    fix.edits.push_back({{constant, 0}, better});
  } else {
    const std::size_t line_end = text.find('\n', constant.end);
    const auto next = static_cast<std::uint32_t>(line_end == text.npos ? constant.end : line_end + 1), at = static_cast<std::uint32_t>(item);
    const std::size_t behind = text.find_first_not_of(" \t\r;", constant.end);
    if (next > at || (text[behind] != '\n' && text.substr(behind, 2) != "//")) return {};
    fix.edits.push_back({{{constant.begin, next}, 0}, ""});
    fix.edits.push_back({{{at, at}, 0}, better + "\n"});
  }
  return fix;
}

// What is wrong with one declaration, or whatever it is. `alone`: nothing else stands before the first item.
diag::Diagnostic declaration_error(std::string_view text, Span whole, Span preamble, bool alone) {
  const std::string_view words = text.substr(whole.begin, whole.size()), word = first_word(words);
  const auto line_end = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_of("\r\n", whole.begin), whole.end));
  const Span line{whole.begin, std::max(line_end, whole.begin + 1)};
  if (words.starts_with("/*")) {
    diag::Diagnostic comment = diag::make(diag::Code::OtherLanguage, {{whole.begin, whole.begin + 2}, 0}, no_block_comments);
    if (words.ends_with("*/"))
      if (auto fix = as_line_comments(text, whole.begin, whole.end)) comment.fixes.push_back(*std::move(fix));
    return comment;
  }
  if (alone && line_end == whole.end && is_any(word, {"launch", "autotune", "aligned", "persistent", "precise", "dynshared", "registers"})) {
    diag::Diagnostic bare = diag::make(diag::Code::SyntaxExpected, {line, 0}, "`@` before an attribute");
    bare.fixes.push_back({"Insert `@`", {{{{whole.begin, whole.begin}, 0}, "@"}}});
    return bare;
  }
  if (alone && line_end == whole.end && word == "__launch_bounds__") {
    diag::Diagnostic bounds = diag::make(diag::Code::OtherLanguage, {line, 0}, "the launch bounds are an attribute, `@launch(64)`");
    bounds.fixes.push_back({"Write `@launch`", {{{{whole.begin, whole.begin + static_cast<std::uint32_t>(word.size())}, 0}, "@launch"}}});
    return bounds;
  }
  const std::string known = outside_of_items(words);
  if (known.empty()) return diag::make(diag::Code::SyntaxExpected, {line, 0}, "`kernel` or `fn`: a file is a list of kernels and functions");
  diag::Diagnostic result = diag::make(diag::Code::OtherLanguage, {line, 0}, known);
  if (auto fix = as_attribute(text, whole, preamble)) result.fixes.push_back(*std::move(fix));
  return result;
}

}  // namespace

std::vector<diag::Diagnostic> preamble_errors(std::string_view text, Span preamble) {
  std::vector<diag::Diagnostic> found;
  const std::string_view all = text.substr(0, preamble.end);
  bool unknown = false;  // the declaration before: what follows such a one is part of the same mistake
  for (std::size_t at = preamble.begin; at < preamble.end && found.size() < most_errors;) {
    if (text[at] <= ' ' || text[at] == ';') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      const auto begin = static_cast<std::uint32_t>(at);
      const Span whole{begin, end_of_declaration(all, at)};
      diag::Diagnostic error = declaration_error(text, whole, preamble, whole == preamble);
      const bool known = error.code == diag::Code::OtherLanguage || !error.fixes.empty();
      if (known || !unknown) found.push_back(std::move(error));
      unknown = !known;
      at = std::max<std::size_t>(whole.end, at + 1);
    }
  }
  return found;
}

namespace {

// The declarations of a text, one by one: the words and signs of each outside of brackets, and those of its first pair of braces.
class Declarations {
 public:
  explicit Declarations(std::string_view text) : text_(text) {}

  std::vector<std::string> names() {
    while (at_ < text_.size()) step();
    end();
    return std::move(names_);
  }

 private:
  void step() {
    const char c = text_[at_];
    std::size_t next = at_ + 1;
    if (c == '\n' || c == ';') {
      if (depth_ == 0) end();
    } else if (text_.substr(at_, 2) == "//") {
      next = std::min(text_.find('\n', at_), text_.size());
    } else if (is_word_part(c)) {
      while (next < text_.size() && is_word_part(text_[next])) ++next;
      take(text_.substr(at_, next - at_));
    } else if (c > ' ') {
      const bool closes = c == ')' || c == ']' || c == '}';
      if (closes && depth_ > 0) --depth_;
      take(text_.substr(at_, 1));
      if (c == '(' || c == '[' || c == '{') ++depth_;
    }
    at_ = next;
  }

  void take(std::string_view token) {
    if (depth_ == 0) outer_.push_back(token);
    else if (depth_ == 1 && braces_ < 2) inner_.push_back(token);
    if (token == "[" && before_ == "in" && !chosen_.empty()) declare(chosen_);  // `autotune(T in [16, 32])`
    chosen_ = before_;
    before_ = token;
    braces_ += token == "{";
  }

  void declare(std::string_view word) {
    if (is_word_start(word[0])) names_.emplace_back(word);
  }

  // The word that a sign follows, over the extents of an array: `int w[4] = …`.
  void declare_before(std::size_t sign) {
    while (sign > 1 && (outer_[sign - 1] == "]" || outer_[sign - 1] == "[")) --sign;
    if (sign > 0) declare(outer_[sign - 1]);
  }

  void end() {
    const auto word = [&](std::size_t i) { return i < outer_.size() ? outer_[i] : std::string_view(" "); };
    const bool type = is_any(word(0), {"struct", "class", "union", "enum", "trait", "interface"});
    if (word(0) == "#" && word(1) == "define") {
      declare(word(2));
    } else if (word(0) == "typedef") {
      declare(outer_.back());
    } else if (type) {
      declare(word(1));
      for (std::size_t i = 0; word(0) == "enum" && i < inner_.size(); ++i)
        if (i == 0 || inner_[i - 1] == ",") declare(inner_[i]);
    } else {
      bool told = false;
      for (std::size_t i = 1; i < outer_.size(); ++i) {
        if ((outer_[i] == "=" || outer_[i] == ":") && !told) declare_before(i), told = true;
        if (outer_[i] == ",") told = false;
      }
      const auto opener = std::find(outer_.begin(), outer_.end(), "(");
      if (!told && opener != outer_.end() && opener - outer_.begin() > 1) declare(*(opener - 1));  // `float f(float x);`
    }
    outer_.clear();
    inner_.clear();
    braces_ = 0;
    depth_ = 0;
    before_ = chosen_ = {};
  }

  std::string_view text_, before_, chosen_;  // the last token, and the one before it
  std::size_t at_ = 0, depth_ = 0, braces_ = 0;
  std::vector<std::string_view> outer_, inner_;  // of the declaration at hand
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> names_declared(std::string_view text) { return Declarations(text).names(); }

}  // namespace phobos::syntax
