#include <phobos/source/line_map.h>

#include <algorithm>
#include <cstring>

#include <phobos/source/positions.h>
#include <phobos/source/utf8.h>

namespace phobos {

namespace {

// A line starts after an LF, and after a CR that no LF follows.
bool starts_line(std::string_view text, std::size_t offset) {
  if (offset == 0) return true;
  if (text[offset - 1] == '\n') return true;
  return text[offset - 1] == '\r' && !(offset < text.size() && text[offset] == '\n');
}

void scan(std::string_view text, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& starts) {
  const auto take = [&](std::size_t offset) {
    if (starts_line(text, offset)) starts.push_back(static_cast<std::uint32_t>(offset));
  };
  take(begin);
  if (begin == end) return;
  // Most texts have no CR: then the library's search is all that is needed.
  const bool has_returns = std::memchr(text.data() + begin, '\r', end - begin) != nullptr;
  for (std::size_t offset = begin; offset < end; ++offset) {
    if (has_returns) {
      if (text[offset] == '\n' || text[offset] == '\r') take(offset + 1);
      continue;
    }
    const void* found = std::memchr(text.data() + offset, '\n', end - offset);
    if (found == nullptr) break;
    offset = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    starts.push_back(static_cast<std::uint32_t>(offset + 1));
  }
}

std::uint32_t units(const Character& character, Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8: return character.size;
    case Encoding::Utf16: return character.utf16_units();
    default: return 1;
  }
}

}  // namespace

LineMap::LineMap(std::string_view text) {
  scan(text, 0, text.size(), starts_);
}

std::uint32_t LineMap::line_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(after - starts_.begin()) - 1;
}

Span LineMap::line_span(std::string_view text, std::uint32_t line) const {
  const auto size = static_cast<std::uint32_t>(text.size());
  if (line >= starts_.size()) return {size, size};
  const std::uint32_t begin = starts_[line];
  std::uint32_t end = size;
  if (line + 1 < starts_.size()) {
    end = starts_[line + 1] - 1;
    if (text[end] == '\n' && end > begin && text[end - 1] == '\r') --end;
  }
  return {begin, end};
}

Position LineMap::position(std::string_view text, std::uint32_t offset, Encoding encoding) const {
  return Positions(text, *this, encoding).of(offset);
}

Position Positions::of(std::uint32_t offset) {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const std::uint32_t line = lines_.line_of(offset);
  const Span span = lines_.line_span(text_, line);
  offset = std::min(offset, span.end);
  if (line != last_.line || offset < at_ || at_ < span.begin) last_ = {line, 0}, at_ = span.begin;
  while (at_ < offset) {
    if (at_ + 8 <= offset && ascii_block(text_, at_)) {
      at_ += 8;
      last_.column += 8;
      continue;
    }
    const Character character = decode(text_, at_);
    if (at_ + character.size > offset) break;
    at_ += character.size;
    last_.column += units(character, encoding_);
  }
  return last_;
}

std::uint32_t LineMap::offset(std::string_view text, Position position, Encoding encoding) const {
  const Span span = line_span(text, position.line);
  std::uint32_t at = span.begin;
  for (std::uint32_t column = 0; at < span.end;) {
    if (position.column - column >= 8 && at + 8 <= span.end && ascii_block(text, at)) {
      at += 8;
      column += 8;
      continue;
    }
    const Character character = decode(text, at);
    const std::uint32_t width = units(character, encoding);
    if (width > position.column - column) break;
    column += width;
    at += character.size;
  }
  return at;
}

// Whether a line starts at an offset depends on the bytes on both sides of it, so all starts from the edit's first byte to its
// last are found anew, and those beyond it only move.
void LineMap::apply(std::string_view new_text, const Edit& edit) {
  const auto inserted = static_cast<std::uint32_t>(edit.text.size());
  const std::int64_t moved = static_cast<std::int64_t>(inserted) - edit.span.size();
  const auto first = std::lower_bound(starts_.begin(), starts_.end(), edit.span.begin);
  const auto last = std::upper_bound(first, starts_.end(), edit.span.end);
  for (auto start = last; start != starts_.end(); ++start) *start = static_cast<std::uint32_t>(*start + moved);

  std::vector<std::uint32_t> fresh;
  scan(new_text, edit.span.begin, edit.span.begin + inserted, fresh);
  const auto replaced = std::min<std::ptrdiff_t>(last - first, static_cast<std::ptrdiff_t>(fresh.size()));
  std::copy_n(fresh.begin(), replaced, first);
  if (static_cast<std::ptrdiff_t>(fresh.size()) > replaced)
    starts_.insert(first + replaced, fresh.begin() + replaced, fresh.end());
  else
    starts_.erase(first + replaced, last);
}

}  // namespace phobos
