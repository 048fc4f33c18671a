// `kernel` and `fn` are keywords, so outside of comments each of them starts an item, wherever it stands; the language has no
// strings and no block comments that could hide one. The attributes before it and the `//` lines directly above belong to it.
// An item's last token ends it: comments behind that belong to nobody.
#include "split.h"

#include <algorithm>
#include <optional>

namespace phobos::syntax {

bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || (c >= '0' && c <= '9'); }

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned a = byte(at);
  if (a < 0x80) return 1;
  if (a >= 0xc2 && a <= 0xdf && tail(at + 1)) return 2;
  if (a >= 0xe0 && a <= 0xef && tail(at + 1) && tail(at + 2)) {
    const unsigned b = byte(at + 1);
    return (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ? 0 : 3;
  }
  if (a >= 0xf0 && a <= 0xf4 && tail(at + 1) && tail(at + 2) && tail(at + 3)) {
    const unsigned b = byte(at + 1);
    return (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f) ? 0 : 4;
  }
  return 0;
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
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
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
      if (c == '(' || c == '[' || c == '{') depth_ = std::max(depth_, ++nesting_);
      if ((c == ')' || c == ']' || c == '}') && nesting_ > 0) --nesting_;
      token(at_ + 1);
    }
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
      nesting_ = depth_ = 0;
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
      if (!in_arguments_ && expect_name_) drop_attributes();
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
      shape_.items.push_back({{static_cast<std::uint32_t>(*current_), static_cast<std::uint32_t>(stop)}, depth_});
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
  int in_arguments_ = 0, nesting_ = 0, depth_ = 0;
  bool expect_name_ = false, loose_ = false, met_known_ = false;
  FileShape shape_;
};

}  // namespace

FileShape split(std::string_view text, std::size_t from, const std::function<bool(std::size_t)>& known) {
  return Splitter(text, from, known).run();
}

FileShape split(std::string_view text) { return split(text, 0, {}); }

}  // namespace phobos::syntax
