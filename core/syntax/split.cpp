// `kernel` and `fn` are keywords, so outside of comments each of them starts an item, wherever it stands. The attributes before
// it and the `//` lines directly above belong to it.
// An item's last token ends it: comments behind that belong to nobody.
#include "split.h"

#include <algorithm>
#include <optional>

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

// Moves the start of an item up over the comment lines directly above it.
std::size_t with_documentation(std::string_view text, std::size_t start) {
  const auto line_start = [&](std::size_t at) {
    while (at > 0 && text[at - 1] != '\n') --at;
    return at;
  };
  std::size_t line = line_start(start);
  if (text.substr(line, start - line).find_first_not_of(" \t") != std::string_view::npos) return start;
  while (line > 0) {
    const std::size_t above = line_start(line - 1);
    std::string_view words = text.substr(above, line - 1 - above);
    if (above == 0 && words.starts_with("\xef\xbb\xbf")) {
      words.remove_prefix(3);
      if (!words.starts_with("//")) break;
      return 3;
    }
    const std::size_t first = words.find_first_not_of(" \t");
    if (first == std::string_view::npos || words.substr(first, 2) != "//") break;
    start = above + first;
    line = above;
  }
  return start;
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
    } else if (c == '#' || (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/')) {
      at_ = std::min(text_.find('\n', at_), text_.size());
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
      attribute_token(c);
      token(std::max(at_ + 1, foreign_end()));
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

  void word(std::string_view name) {
    if (name == "kernel" || name == "fn") {
      if (in_arguments_) {  // left open: the mistake stays with what came before
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
      attributes_.reset();
      return;
    }
    if (attributes_ && !in_arguments_ && expect_name_) {
      expect_name_ = false;
    } else if (attributes_ && !in_arguments_) {
      drop_attributes();
    }
    note_loose();
  }

  // Follows `@name(…)`; any other token ends a run of attributes.
  void attribute_token(char c) {
    if (c == '@' && !in_arguments_) {
      if (!attributes_) {
        attributes_ = at_;
        before_attributes_ = last_;
      }
      expect_name_ = true;
    } else if (attributes_ && c == '(') {
      expect_name_ = false;  // `@(64)`
      ++in_arguments_;
    } else if (attributes_ && c == ')' && in_arguments_) {
      --in_arguments_;
    } else if (attributes_ && (!in_arguments_ || c == '{' || c == '}')) {
      drop_attributes();
    }
    if (c != '@') note_loose();
  }

  void drop_attributes() {
    attributes_.reset();
    in_arguments_ = 0;
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
  int in_arguments_ = 0;
  bool expect_name_ = false, loose_ = false, met_known_ = false;
  FileShape shape_;
};

}  // namespace

FileShape split(std::string_view text, std::size_t from, const std::function<bool(std::size_t)>& known) {
  return Splitter(text, from, known).run();
}

FileShape split(std::string_view text) { return split(text, 0, {}); }

std::vector<diag::Diagnostic> preamble_errors(std::string_view text, Span preamble) {
  const std::size_t line_end = std::min<std::size_t>(text.find_first_of("\r\n", preamble.begin), preamble.end);
  const Span line{preamble.begin, std::max(static_cast<std::uint32_t>(line_end), preamble.begin + 1)};
  std::size_t end = preamble.begin;
  while (end < preamble.end && is_word_part(text[end])) ++end;
  const std::string_view word = text.substr(preamble.begin, end - preamble.begin);
  constexpr std::string_view imports[] = {"import", "from", "using", "include", "use"};
  constexpr std::string_view heads[] = {"def", "func", "function", "void", "__global__", "__device__", "template", "extern", "static", "inline", "pub", "proc"};
  const auto is_one = [&](const auto& list) { return std::find(std::begin(list), std::end(list), word) != std::end(list); };
  if (is_one(imports)) return {diag::make(diag::Code::OtherLanguage, {line, 0}, "nothing is imported: a file stands by itself")};
  if (is_one(heads)) return {diag::make(diag::Code::OtherLanguage, {line, 0}, "a kernel begins with `kernel`, a function with `fn`")};
  diag::Diagnostic result = diag::make(diag::Code::SyntaxExpected, {line, 0}, "`kernel` or `fn`: a file is a list of kernels and functions");
  return {std::move(result)};
}

}  // namespace phobos::syntax
