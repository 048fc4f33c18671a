// `kernel` and `fn` are keywords, so outside of comments each of them starts an item, wherever it stands but where only a name can; so
// do, at the start of a line, the words that begin a definition elsewhere. The attributes before it and the `//` lines directly above belong to it.
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

std::size_t end_of_group(std::string_view text, std::size_t opener) {
  constexpr std::size_t most = 4000;
  text = text.substr(0, opener + most);
  std::string open;
  for (std::size_t at = opener; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') open += ')';
    else if (c == '[') open += ']';
    else if (c == '{') open += '}';
    else if (c == ')' || c == ']' || c == '}') {
      if (open.back() != c) return 0;
      open.pop_back();
      if (open.empty()) return at + 1;
    } else if (c == '"' || c == '\'') {
      const std::size_t closer = text.find(c, at + 1);
      if (closer == std::string_view::npos) return 0;
      at = closer;
    }
  }
  return 0;
}

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
      if (const std::size_t end = c == '(' ? foreign_arguments_end() : 0) {
        expect_name_ = false;
        line_of_attribute_ = std::max(line_of_attribute_, std::min(text_.find('\n', end), text_.size()));
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
    if ((name == "kernel" || name == "fn") && !is_name(at_ + name.size())) {
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

  // Whether the keyword of a definition, which ends there, stands where a name belongs: `let kernel = 3`, `f(fn: i32)`.
  bool is_name(std::size_t end) const {
    if (!current_ || attributes_) return false;
    const std::size_t before = text_.substr(0, at_).find_last_not_of(" \t\r\n");
    const char previous = before == std::string_view::npos ? ';' : text_[before];
    if (depth_ == 0 && previous != '(' && previous != ',') return false;
    const std::size_t next = text_.find_first_not_of(" \t\r", end);
    const std::string_view behind = next == std::string_view::npos ? "\n" : text_.substr(next, 3);
    if (behind[0] == '\n' || behind.starts_with("//")) {  // `x = kernel`
      return depth_ > 0 && std::string_view("=+-*/%<>&|^").find(previous) != std::string_view::npos && text_.substr(before, at_ - before).find('\n') == std::string_view::npos;
    }
    return behind == "in " || std::string_view("=:,)[].;}+-*/%<>&|^").find(behind[0]) != std::string_view::npos;
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

  // Of `@triton.autotune(configs=[…], key=["n"])`, whatever stands in it; 0 where there are none.
  std::size_t foreign_arguments_end() const {
    if (!attributes_ || in_arguments_) return 0;
    std::size_t name = at_;
    bool dotted = false;
    for (; name > 0 && (is_word_part(text_[name - 1]) || text_[name - 1] == '.'); --name) dotted = dotted || text_[name - 1] == '.';
    return dotted && name > 0 && text_[name - 1] == '@' ? end_of_group(text_, at_) : 0;
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

}  // namespace phobos::syntax
