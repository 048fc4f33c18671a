// Code that stands outside of all items, where nothing but items may stand: what is to be said of it, and the names that it would
// declare elsewhere. Of what uses those names nothing is to be said that the code's own error does not say.
#include "outside.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

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
  if (is_any(word, {"template", "def", "func", "function", "void", "__global__", "__device__", "extern", "static", "inline", "pub", "proc"})) return "a kernel begins with `kernel`, a function with `fn`";
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  const std::size_t sign = text.substr(0, line_end).find('=');
  if (is_any(word, {"let", "var", "const", "constexpr", "val"}) || (!word.empty() && sign != std::string_view::npos && text.substr(0, sign).find('(') == std::string_view::npos))
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

std::vector<diag::Diagnostic> preamble_errors(std::string_view text, Span preamble) {
  if (text.substr(preamble.begin, 2) == "/*") {
    const std::size_t closer = text.find("*/", preamble.begin + 2);
    const std::size_t end = closer < preamble.end ? closer + 2 : preamble.end;
    std::vector<diag::Diagnostic> found{diag::make(diag::Code::OtherLanguage, {{preamble.begin, preamble.begin + 2}, 0}, no_block_comments)};
    if (closer < preamble.end)
      if (auto fix = as_line_comments(text, preamble.begin, end)) found.back().fixes.push_back(*std::move(fix));
    std::size_t rest = end;
    while (rest < preamble.end && (text[rest] <= ' ' || text.substr(rest, 2) == "//")) rest = text[rest] <= ' ' ? rest + 1 : std::min<std::size_t>(text.find('\n', rest), preamble.end);
    if (rest < preamble.end)
      for (diag::Diagnostic& more : preamble_errors(text, {static_cast<std::uint32_t>(rest), preamble.end})) found.push_back(std::move(more));
    return found;
  }
  const std::size_t line_end = std::min<std::size_t>(text.find_first_of("\r\n", preamble.begin), preamble.end);
  const Span line{preamble.begin, std::max(static_cast<std::uint32_t>(line_end), preamble.begin + 1)};
  std::string words = outside_of_items(text.substr(preamble.begin, preamble.size()));
  if (is_any(first_word(text.substr(preamble.begin)), {"launch", "autotune", "aligned", "persistent", "precise", "dynshared", "registers"}) && line_end == preamble.end) {
    diag::Diagnostic bare = diag::make(diag::Code::SyntaxExpected, {line, 0}, "`@` before an attribute");
    bare.fixes.push_back({"Insert `@`", {{{{preamble.begin, preamble.begin}, 0}, "@"}}});
    return {std::move(bare)};
  }
  const std::string_view all = text.substr(preamble.begin, preamble.size());
  constexpr std::string_view bounds = "__launch_bounds__";
  if (first_word(all) == bounds && all.find('\n') == std::string_view::npos) {
    diag::Diagnostic result = diag::make(diag::Code::OtherLanguage, {line, 0}, "the launch bounds are an attribute, `@launch(64)`");
    const Span word{preamble.begin, preamble.begin + static_cast<std::uint32_t>(bounds.size())};
    result.fixes.push_back({"Write `@launch`", {{{word, 0}, "@launch"}}});
    return {std::move(result)};
  }
  if (words.empty()) return {diag::make(diag::Code::SyntaxExpected, {line, 0}, "`kernel` or `fn`: a file is a list of kernels and functions")};
  diag::Diagnostic result = diag::make(diag::Code::OtherLanguage, {line, 0}, words);
  if (const std::string better = constants_as_attribute(all); !better.empty()) {
    std::string_view next = text.substr(preamble.end, 200);
    next.remove_prefix(std::min(next.find_first_not_of(" \t\r\n;"), next.size()));
    if (next.starts_with("kernel") || next.starts_with("@")) result.fixes.push_back({fmt::format("Write `{}`", better), {{{preamble, 0}, better}}});
  }
  return {std::move(result)};
}

// Lines of constants as the one attribute that means them.
std::string constants_as_attribute(std::string_view text) {
  constexpr std::string_view head = "@autotune(";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = line.substr(0, line.find("//"));
    at = end + 1;
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::string each = constant_as_attribute(line);
    if (each.empty()) return {};
    result += fmt::format("{}{}", result.empty() ? head : ", ", std::string_view(each).substr(head.size(), each.size() - head.size() - 1));
  }
  return result.empty() ? result : result + ")";
}

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
      if (!told && outer_.size() > 2 && word(2) == "(") declare(word(1));  // `float f(float x);`
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
