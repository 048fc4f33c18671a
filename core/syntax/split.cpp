// `kernel` and `fn` are keywords, so outside of comments each of them starts an item, wherever it stands; so do, at the start of a
// line, the words that begin a definition elsewhere. The attributes before it and the `//` lines directly above belong to it.
// An item's last token ends it: comments behind that belong to nobody.
#include "split.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <phobos/source/utf8.h>

namespace phobos::syntax {

bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || (c >= '0' && c <= '9'); }

std::size_t utf8_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const Character character = decode(text, at);
  return character.valid ? character.size : 0;
}

namespace {

// Moves the start of an item up over the comment lines directly above it, and over blank lines to a run line, `//# run`.
std::size_t with_documentation(std::string_view text, std::size_t start) {
  const auto line_start = [&](std::size_t at) {
    while (at > 0 && text[at - 1] != '\n') --at;
    return at;
  };
  std::size_t line = line_start(start);
  if (text.substr(line, start - line).find_first_not_of(" \t") != std::string_view::npos) return start;
  bool blank = false;
  while (line > 0) {
    const std::size_t above = line_start(line - 1);
    std::string_view words = text.substr(above, line - 1 - above);
    if (above == 0 && words.starts_with("\xef\xbb\xbf")) {
      words.remove_prefix(3);
      if (!words.starts_with(blank ? "//# run" : "//")) break;
      return 3;
    }
    if (words.ends_with('\r')) words.remove_suffix(1);
    if (words.find('\r') != std::string_view::npos) break;  // which ends a comment, and what is behind it may be no comment
    const std::size_t first = words.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
      blank = true;
    } else {
      if (words.substr(first, blank ? 7 : 2) != (blank ? "//# run" : "//")) break;
      blank = false;
      start = above + first;
    }
    line = above;
  }
  return start;
}

// The end of the words before the name of a definition as other languages begin one, at the start of a line: `def f(`,
// `__global__ void k(`, `kernal k(`. Two words in a row and a parenthesis are nothing of this language. 0 for none.
std::size_t foreign_head_end(std::string_view text, std::size_t at) {
  constexpr std::size_t most = 200;
  text = text.substr(0, at + most);
  std::size_t words = 0, end = at, before = 0;
  const auto blanks = [&](std::size_t from) { return std::min(text.find_first_not_of(" \t*&", from), text.size()); };
  while (end < text.size() && is_word_start(text[end])) {
    std::size_t stop = end;
    while (stop < text.size() && is_word_part(text[stop])) ++stop;
    if (words == 0 && !begins_foreign_head(text.substr(end, stop - end))) return 0;
    ++words;
    before = end;
    end = blanks(stop);
    if (text.substr(end, 3) == "\"C\"") end = blanks(end + 3);
  }
  if (words < 2 || end >= text.size() || (text[end] != '(' && text[end] != '<')) return 0;
  return before;
}

class Splitter {
 public:
  Splitter(std::string_view text, std::size_t from, const std::function<bool(std::size_t)>& known)
      : text_(text), known_(known), at_(from), last_(from) {}

  FileShape run() {
    if (at_ == 0 && text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
    while (at_ < text_.size() && !met_known_) step();
    if (!met_known_) close();
    return std::move(shape_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      at_ = std::min(text_.find_first_of("\n\r", at_), text_.size());
    } else if (c == '#') {  // no comment here, but a comment or a directive elsewhere: nothing in its line is read
      note_loose();
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      if (!attributes_) last_ = end > at_ && text_[end - 1] == '\r' ? end - 1 : end;
      at_ = end;
    } else if (is_word_start(c) && (at_ == 0 || text_[at_ - 1] == '\n' || (at_ == 3 && text_[0] == '\xef')) && foreign_head_end(text_, at_)) {
      const std::size_t end = foreign_head_end(text_, at_);
      begin_item();
      token(end);
    } else if (is_word_start(c)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_word_part(text_[end])) ++end;
      word(text_.substr(at_, end - at_));
      token(end);
    } else {
      if (c >= '0' && c <= '9') {  // so that the `fn` of `0fn` is no word of its own
        std::size_t end = at_ + 1;
        while (end < text_.size() && is_word_part(text_[end])) ++end;
        attribute_token(' ');
        token(end);
        return;
      }
      const std::size_t arguments_end = c == '{' && attributes_ ? braced_arguments_end() : 0;
      attribute_token(c);
      token(std::max({at_ + 1, foreign_end(), arguments_end}));
    }
  }

  // The end of a string or of a comment between `/*` and `*/`, when it lies on the same line: the language has neither, but a
  // `kernel` in one is no kernel. That they end with their line keeps what follows independent of them.
  std::size_t foreign_end() {
    const char c = text_[at_];
    if (c != '"' && c != '\'' && !(c == '/' && text_.substr(at_, 2) == "/*")) return 0;
    const std::string_view closer = c == '/' ? "*/" : text_.substr(at_, 1);
    if (line_end_ <= at_) line_end_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < nothing_until_[c == '/']) return 0;  // so that a long line is searched through once
    const std::size_t found = text_.substr(0, line_end_).find(closer, at_ + closer.size());
    if (found == std::string_view::npos && c != '\'') nothing_until_[c == '/'] = line_end_;
    return found == std::string_view::npos ? 0 : found + closer.size();
  }

  void token(std::size_t end) {
    last_ = end;
    at_ = end;
  }

  // A definition inside of a body, indented further than the body's own definition, is a mistake of that item.
  bool nested() const {
    if (!current_ || depth_ == 0) return false;
    const auto indent = indent_of(at_);
    return indent && *indent > indent_;
  }

  // Of what begins its line; none for what does not.
  std::optional<std::size_t> indent_of(std::size_t at) const {
    std::size_t line = at;
    while (line > 0 && (text_[line - 1] == ' ' || text_[line - 1] == '\t')) --line;
    return line == 0 || text_[line - 1] == '\n' ? std::optional(at - line) : std::nullopt;
  }

  void word(std::string_view name) {
    if (name == "kernel" || name == "fn") {
      if (!nested()) return begin_item();
      drop_attributes();
    }
    if (attributes_ && !in_arguments_ && expect_name_) {
      expect_name_ = false;
    } else if (attributes_ && !in_arguments_ && at_ >= line_of_attribute_) {
      drop_attributes();
    }
    note_loose();
  }

  void begin_item() {
    if (in_arguments_ && line_of_attribute_ == 0) {  // left open in the middle of a line: the mistake stays with what came before
      if (!current_ && !loose_) {
        loose_ = true;
        first_loose_ = *attributes_;
      }
      drop_attributes();
    }
    const std::size_t start = with_documentation(text_, attributes_.value_or(at_));
    close(attributes_ ? before_attributes_ : last_);
    met_known_ = known_ && known_(start);
    current_ = start;
    depth_ = 0;
    indent_ = indent_of(attributes_.value_or(at_)).value_or(0);
    attributes_.reset();
    line_of_attribute_ = 0;
  }

  // Follows `@name(…)`; any other token ends a run of attributes.
  void attribute_token(char c) {
    if (c == '@' && !in_arguments_) {
      if (!attributes_) {
        attributes_ = at_;
        before_attributes_ = last_;
        line_of_attribute_ = 0;
      }
      // Whatever else stands on the line of an attribute that begins it is part of the attribute: `@launch 128`.
      const std::size_t before = text_.substr(0, at_).find_last_not_of(" \t");
      if (line_of_attribute_ <= at_ && (before == std::string_view::npos || text_[before] == '\n')) line_of_attribute_ = std::min(text_.find('\n', at_), text_.size());
      expect_name_ = true;
    } else if (attributes_ && c == '(') {
      expect_name_ = false;  // `@(64)`
      ++in_arguments_;
    } else if (attributes_ && c == ')' && in_arguments_) {
      --in_arguments_;
    } else if (attributes_ && c == '{' && braced_arguments_end()) {  // `@launch{128}`
      return;
    } else if (attributes_ && (c == '{' || c == '}' || (!in_arguments_ && at_ >= line_of_attribute_))) {
      drop_attributes();
    }
    if (c == '{') ++depth_;
    if (c == '}' && depth_ > 0) --depth_;
    if (c != '@') note_loose();
  }

  // Of braces behind an attribute's name, on its line; 0 where there are none.
  std::size_t braced_arguments_end() const {
    if (expect_name_ || at_ == 0 || !is_word_part(text_[at_ - 1]) || at_ >= line_of_attribute_) return 0;
    const std::string_view line = text_.substr(0, line_of_attribute_);
    const std::size_t end = line.find_first_of("{}", at_ + 1);
    return end != std::string_view::npos && line[end] == '}' ? end + 1 : 0;
  }

  void drop_attributes() {
    attributes_.reset();
    in_arguments_ = 0;
    line_of_attribute_ = 0;
    expect_name_ = false;
  }

  void note_loose() {
    if (!current_ && !attributes_ && !loose_) {
      loose_ = true;
      first_loose_ = at_;
    }
  }

  void close(std::optional<std::size_t> end = {}) {
    const std::size_t stop = end.value_or(last_);
    if (current_) {
      shape_.items.push_back({static_cast<std::uint32_t>(*current_), static_cast<std::uint32_t>(stop)});
    } else if (loose_) {
      shape_.preamble = {static_cast<std::uint32_t>(first_loose_), static_cast<std::uint32_t>(std::max(stop, first_loose_))};
    } else if (!end && attributes_) {  // attributes without a definition at the end of the file
      shape_.preamble = {static_cast<std::uint32_t>(*attributes_), static_cast<std::uint32_t>(stop)};
    } else {
      shape_.preamble = {};
    }
    in_arguments_ = 0;
    expect_name_ = false;
  }

  std::string_view text_;
  const std::function<bool(std::size_t)>& known_;
  std::size_t at_, last_;
  std::optional<std::size_t> current_, attributes_;
  std::size_t before_attributes_ = 0, first_loose_ = 0;
  std::size_t line_end_ = 0, nothing_until_[2] = {0, 0};
  std::size_t line_of_attribute_ = 0;  // its end, where the attribute at hand begins the line
  std::size_t depth_ = 0, indent_ = 0;  // braces that are open in the item at hand, and where in its line it begins
  int in_arguments_ = 0;
  bool expect_name_ = false, loose_ = false, met_known_ = false;
  FileShape shape_;
};

}  // namespace

FileShape split(std::string_view text, std::size_t from, const std::function<bool(std::size_t)>& known) {
  return Splitter(text, from, known).run();
}

FileShape split(std::string_view text) { return split(text, 0, {}); }

namespace {

bool is_any(std::string_view word, std::initializer_list<std::string_view> list) { return std::find(list.begin(), list.end(), word) != list.end(); }

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_part(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace

bool resembles_kernel(std::string_view word) {
  constexpr std::string_view meant = "kernel";
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == meant) return true;
  if (lower.size() + 1 < meant.size() || lower.size() > meant.size() + 1) return false;
  std::size_t front = 0, back = 0;
  while (front < lower.size() && front < meant.size() && lower[front] == meant[front]) ++front;
  while (back + front < lower.size() && back + front < meant.size() && lower[lower.size() - 1 - back] == meant[meant.size() - 1 - back]) ++back;
  return front + back + 2 >= meant.size() && front > 0;
}

bool begins_foreign_head(std::string_view word) {
  if (word == "kernel" || word == "fn") return false;
  return resembles_kernel(word) || is_any(word, {"def", "func", "function", "fun", "fnc", "ffn", "fnn", "proc", "void", "__global__", "__kernel", "__device__", "__host__", "__forceinline__", "static", "inline", "extern",
                                                 "constexpr", "pub", "async", "export", "global", "device", "float", "double", "int", "half", "bool", "unsigned", "f16", "bf16", "f32", "f64", "i8", "u8",
                                                 "i32", "i64", "auto", "const"});
}

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

std::vector<diag::Diagnostic> preamble_errors(std::string_view text, Span preamble) {
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
  std::size_t at = directive ? 1 : 0;
  while (at < text.size()) {
    if (is_word_start(text[at]) && (words.empty() || !(words.back()[0] >= '0' && words.back()[0] <= '9'))) {
      words.push_back(first_word(text.substr(at)));
      at += words.back().size();
    } else if (text[at] >= '0' && text[at] <= '9') {
      words.push_back(first_word(text.substr(at)));
      at += words.back().size();
    } else if (text[at] == ' ' || text[at] == '\t' || text[at] == '=' || text[at] == ';' || text[at] == ':') {
      ++at;
    } else {
      return {};
    }
  }
  if (words.size() < 2 || words.size() > 4 || (directive && words[0] != "define")) return {};
  std::string_view name = words[directive || words.size() > 2 ? 1 : 0];
  const bool typed_before = words.size() == 4;  // `constexpr int T = 32`
  if (typed_before) name = words[2];
  const std::string_view value = words.back();
  if (!is_word_start(name[0]) || value.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return fmt::format("@autotune({} in [{}])", name, value);
}

}  // namespace phobos::syntax
