#include "random_edits.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace phobos::edits {

namespace {

constexpr std::array<std::string_view, 18> snippets = {
    "\n  let extra = abs(2.5) + 1.0",
    "\n  if ctx.lane == 0 {\n    barrier()\n  }",
    "\n  var t: tile<f32>[4, 8] = 0.0",
    "\n  for i in range(0, 10) {\n    let _y = i\n  }",
    "\n\nfn helper(x: f32) -> f32 {\n  return x * 2.0\n}\n",
    "\n\nkernel more(A: tensor<f32>[N]) {\n  A[ctx.thread] = helper(1.0)\n}\n",
    "\n// a comment with `fn` and kernel in it",
    "\n//# run N=4 X=randn expect Y=zeros",
    "helper(0.5)",
    " + helper(x)",
    "ctx.thread",
    "@launch(64)\n",
    "\r\n",
    "\xc3\xa9",
    "\xf0\x9f\x98\x80",
    "// ",
    "<over ctx.lane>",
    "[0 :+ 4, :]",
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

Edit RandomEdits::next(const std::string& text) {
  const std::uint32_t choice = below(100);
  Edit edit;
  if (!to_type_.empty() && choice < 80) edit = typed(text);
  else if (!back_.empty() && choice < 45) {
    edit = back_.back();
    back_.pop_back();
    caret_ = edit.span.begin + static_cast<std::uint32_t>(edit.text.size());
    return edit;
  } else if (choice < 60) edit = of_token(text);
  else if (choice < 72) edit = of_line(text);
  else if (choice < 78) edit = of_item(text);
  else if (choice < 90) edit = of_character(text);
  else {
    caret_ = below(text.size() + 1);
    to_type_ = snippets[below(snippets.size())];
    edit = typed(text);
  }
  caret_ = edit.span.begin + static_cast<std::uint32_t>(edit.text.size());
  back_.push_back({{edit.span.begin, caret_}, text.substr(edit.span.begin, edit.span.size())});
  if (back_.size() > 40) back_.erase(back_.begin());
  return edit;
}

// A letter, or at times some at once; and at times one is taken back.
Edit RandomEdits::typed(const std::string& text) {
  const std::uint32_t at = std::min(caret_, static_cast<std::uint32_t>(text.size()));
  if (at > 0 && below(8) == 0) return {{at - 1, at}, ""};
  const std::size_t count = std::min<std::size_t>(to_type_.size(), below(6) == 0 ? 1 + below(12) : 1);
  std::string letters = to_type_.substr(0, count);
  to_type_.erase(0, count);
  return {{at, at}, std::move(letters)};
}

Edit RandomEdits::of_character(const std::string& text) {
  constexpr std::string_view useful = "()[]{}<>,;:=+-*/\n @.\"#0";
  const std::uint32_t at = below(text.size() + 1);
  if (at < text.size() && below(2) == 0) return {{at, at + 1}, below(2) == 0 ? "" : std::string(1, useful[below(useful.size())])};
  return {{at, at}, std::string(1, useful[below(useful.size())])};
}

Edit RandomEdits::of_token(const std::string& text) {
  if (text.empty()) return {{0, 0}, "fn f() {\n}\n"};
  std::uint32_t begin = below(text.size());
  std::uint32_t end = begin + 1;
  while (begin > 0 && is_word(text[begin]) && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[begin]) && is_word(text[end])) ++end;
  const std::string token = text.substr(begin, end - begin);
  switch (below(4)) {
    case 0: return {{begin, end}, ""};
    case 1: return {{begin, end}, std::isdigit(static_cast<unsigned char>(token[0])) ? std::to_string(below(300)) : token + "x"};
    case 2: {  // another word of the text
      std::uint32_t from = below(text.size()), to = from + 1;
      while (from > 0 && is_word(text[from]) && is_word(text[from - 1])) --from;
      while (to < text.size() && is_word(text[from]) && is_word(text[to])) ++to;
      return {{begin, end}, text.substr(from, to - from)};
    }
    default: return {{end, end}, token};
  }
}

Span RandomEdits::line_at(const std::string& text, std::uint32_t offset) const {
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t after = text.find('\n', offset);
  return {before == std::string::npos ? 0 : static_cast<std::uint32_t>(before + 1),
          static_cast<std::uint32_t>(after == std::string::npos ? text.size() : after + 1)};
}

Edit RandomEdits::of_line(const std::string& text) {
  const Span line = line_at(text, below(text.size()));
  const std::string words = text.substr(line.begin, line.size());
  switch (below(5)) {
    case 0: return {line, ""};
    case 1: return {{line.end, line.end}, words};
    case 2: return {{line.begin, line.begin}, "// "};
    case 3: {
      const std::size_t comment = words.find("//");
      if (comment == std::string::npos) return {{line.begin, line.begin}, "\n"};
      const auto at = static_cast<std::uint32_t>(line.begin + comment);
      return {{at, at + 2}, ""};
    }
    default: {  // a line from elsewhere
      const Span other = line_at(text, below(text.size()));
      return {{line.begin, line.begin}, text.substr(other.begin, other.size())};
    }
  }
}

// From the word that begins an item to the next such word, wherever it stands.
Span RandomEdits::item_at(const std::string& text, std::uint32_t offset) const {
  const auto start_from = [&](std::size_t from) { return std::min({text.find("\nkernel ", from), text.find("\nfn ", from), text.size()}); };
  std::size_t begin = start_from(0);
  if (begin == text.size()) return {0, 0};
  std::size_t end = start_from(begin + 1);
  while (end < offset) {
    begin = end;
    end = start_from(begin + 1);
    if (end == text.size()) break;
  }
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

Edit RandomEdits::of_item(const std::string& text) {
  const Span item = item_at(text, below(text.size()));
  std::string words = text.substr(item.begin, item.size());
  const Span other = item_at(text, below(text.size()));
  switch (below(4)) {
    case 0: return {item, ""};
    case 1: return {{other.begin, other.begin}, words};
    case 2: {
      const std::size_t name = words.find('(');
      if (name != std::string::npos) words.insert(name, "_copy");
      return {{other.begin, other.begin}, std::move(words)};
    }
    default: {  // the next item takes its place
      if (item.begin >= item.end || item.end >= text.size()) return {{item.begin, item.begin}, "\n"};
      const Span next = item_at(text, item.end + 1);
      if (next.begin != item.end) return {{item.end, item.end}, "\n"};
      return {{item.begin, next.end}, text.substr(next.begin, next.size()) + words};
    }
  }
}

}  // namespace phobos::edits
