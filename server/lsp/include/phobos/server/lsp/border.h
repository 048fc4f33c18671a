// The one border between bytes and the columns that a client counts in.
#pragma once

#include <cstdint>
#include <string_view>

#include <phobos/source/positions.h>
#include <phobos/source/span.h>

namespace phobos::server::lsp {

// Zero-based; columns in the negotiated encoding.
struct Range {
  Position start, end;
  friend bool operator==(const Range&, const Range&) = default;
};

// For one thread.
class Border {
 public:
  Border(std::string_view text, const LineMap& lines, Encoding encoding) : text_(text), lines_(lines), encoding_(encoding), positions_(text, lines, encoding) {}

  std::uint32_t offset(Position position) const { return lines_.offset(text_, position, encoding_); }
  Position position(std::uint32_t offset) const { return positions_.of(offset); }
  // An end before the start is taken as the start.
  Span span(const Range& range) const {
    const std::uint32_t begin = offset(range.start);
    return {begin, std::max(begin, offset(range.end))};
  }
  Range range(Span span) const { return {position(span.begin), position(std::max(span.begin, span.end))}; }

 private:
  std::string_view text_;
  const LineMap& lines_;
  Encoding encoding_;
  mutable Positions positions_;
};

}  // namespace phobos::server::lsp
