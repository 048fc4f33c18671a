#include "reference_text.h"

#include <algorithm>

namespace phobos::fuzz {

namespace {

std::size_t size_of_lead(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4; }

// Bytes of the character that begins there; 0 where none does.
std::size_t valid_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t size = size_of_lead(lead);
  if (at + size > bytes.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
  const bool too_large = lead == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : size;
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = valid_at(bytes, at);
    if (size == 0) text += '?';
    else text += bytes.substr(at, size);
    at += std::max<std::size_t>(1, size);
  }
  return text;
}

std::size_t ReferenceText::size_at(std::size_t at) const { return size_of_lead(static_cast<unsigned char>(text_[at])); }

std::uint32_t ReferenceText::width(std::size_t at) const {
  const std::size_t size = size_at(at);
  if (encoding_ == Encoding::Utf8) return static_cast<std::uint32_t>(size);
  return encoding_ == Encoding::Utf16 && size == 4 ? 2 : 1;
}

std::size_t ReferenceText::line_end(std::size_t at) const { return std::min(text_.size(), text_.find_first_of("\r\n", at)); }

std::size_t ReferenceText::next_line(std::size_t at) const {
  const std::size_t end = line_end(at);
  if (end == text_.size()) return std::string::npos;
  return end + (text_.compare(end, 2, "\r\n") == 0 ? 2 : 1);
}

std::size_t ReferenceText::offset_of(Position position) const {
  std::size_t at = 0;
  for (std::uint32_t line = 0; line < position.line; ++line)
    if ((at = next_line(at)) == std::string::npos) return text_.size();
  const std::size_t end = line_end(at);
  for (std::uint32_t column = 0; at < end; at += size_at(at)) {
    const std::uint32_t wide = width(at);
    if (wide > position.column - column) break;
    column += wide;
  }
  return at;
}

Position ReferenceText::position_of(std::size_t offset) const {
  Position position;
  std::size_t line = 0;
  for (std::size_t next = next_line(line); next != std::string::npos && next <= offset; next = next_line(line)) {
    line = next;
    ++position.line;
  }
  const std::size_t end = std::min(offset, line_end(line));
  for (std::size_t at = line; at < end; at += size_at(at)) {
    if (at + size_at(at) > end) break;
    position.column += width(at);
  }
  return position;
}

void ReferenceText::replace(Position start, Position end, std::string_view by) {
  const std::size_t begin = offset_of(start);
  text_.replace(begin, std::max(begin, offset_of(end)) - begin, by);
}

}  // namespace phobos::fuzz
