// Positions in text. Inside the program everything is counted in bytes; other encodings exist only at the border (line_map.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace phobos {

// Bytes [begin, end).
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr std::uint32_t size() const { return end - begin; }
  constexpr bool empty() const { return begin == end; }
  constexpr bool contains(std::uint32_t offset) const { return begin <= offset && offset < end; }
  constexpr bool touches(std::uint32_t offset) const { return begin <= offset && offset <= end; }
  constexpr Span shifted(std::int64_t by) const {
    return {static_cast<std::uint32_t>(begin + by), static_cast<std::uint32_t>(end + by)};
  }
  friend constexpr bool operator==(Span, Span) = default;
};

constexpr Span cover(Span a, Span b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

// A span of an item (a kernel or a function), relative to the item's first byte. `origin` 0 is the item itself; n > 0 is the
// n-th function that it inlines, so that what is known of an item survives every edit elsewhere in the file.
struct Location {
  Span span;
  std::uint32_t origin = 0;
  friend constexpr bool operator==(Location, Location) = default;
};

// Replaces `span` of the text before by `text`.
struct Edit {
  Span span;
  std::string text;
};

}  // namespace phobos
