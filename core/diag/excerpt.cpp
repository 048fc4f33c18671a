#include "excerpt.h"

#include <algorithm>
#include <vector>

#include <phobos/source/utf8.h>

namespace phobos::diag {

namespace {

constexpr std::uint32_t tab_width = 4;
constexpr std::uint32_t widest = 120;  // cells of a line that are shown
constexpr std::uint32_t before = 40;   // of those, before the marked range

struct Range {
  char32_t first, last;
};

bool in_any(char32_t code, const Range* begin, const Range* end) {
  const auto range = std::lower_bound(begin, end, code, [](const Range& r, char32_t c) { return r.last < c; });
  return range != end && range->first <= code;
}

// Marks that sit on the character before them, joiners and variation selectors.
bool takes_no_cell(char32_t code) {
  static constexpr Range ranges[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
                                     {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                     {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
                                     {0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef}};
  return in_any(code, std::begin(ranges), std::end(ranges));
}

bool takes_two_cells(char32_t code) {
  static constexpr Range ranges[] = {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2e80, 0x303e},
                                     {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
                                     {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                     {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff},
                                     {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f19a}, {0x1f200, 0x1f265},
                                     {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f900, 0x1faff},
                                     {0x20000, 0x3fffd}};
  return in_any(code, std::begin(ranges), std::end(ranges));
}

// Characters that would steer the terminal or reorder what stands around them are shown as a sign instead.
char32_t printable(char32_t code) {
  if (code < 0x20) return 0x2400 + code;
  if (code == 0x7f) return 0x2421;
  const bool steers = (code >= 0x80 && code < 0xa0) || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                      (code >= 0x2066 && code <= 0x2069);
  return steers ? 0xfffd : code;
}

void append(std::string& out, char32_t code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) put(0xc0 | (code >> 6));
  else if (code < 0x10000) put(0xe0 | (code >> 12)), put(0x80 | ((code >> 6) & 0x3f));
  else put(0xf0 | (code >> 18)), put(0x80 | ((code >> 12) & 0x3f)), put(0x80 | ((code >> 6) & 0x3f));
  put(0x80 | (code & 0x3f));
}

struct Cell {
  std::string text;
  std::uint32_t width = 1;
};

Cell cell_of(const Character& character, std::uint32_t column) {
  if (character.code == '\t') {
    const std::uint32_t width = tab_width - column % tab_width;
    return {std::string(width, ' '), width};
  }
  const char32_t code = printable(character.code);
  Cell cell{{}, takes_no_cell(code) ? 0u : takes_two_cells(code) ? 2u : 1u};
  append(cell.text, code);
  return cell;
}

}  // namespace

// A line of megabytes must not cost a pass to print a hundred of its cells: when the range lies far in, only the characters
// shortly before it are looked at, and a tab there counts from where the looking starts.
ShownLine show_line(std::string_view line, Span mark) {
  mark.end = std::min(mark.end, static_cast<std::uint32_t>(line.size()));
  mark.begin = std::min(mark.begin, mark.end);

  std::uint32_t at = 0;
  if (mark.begin > widest) at = character_start(line, mark.begin - before);
  ShownLine shown;
  std::uint32_t column = 0;
  const bool cut_before = at > 0;
  if (cut_before) shown.text = "…", column = 1;

  const auto passed = [&] { return at >= mark.begin; };
  bool marked = false, closed = false;
  while (at < line.size() && column < widest) {
    if (passed() && !marked) shown.mark_begin = column, marked = true;
    if (at >= mark.end && marked && !closed) shown.mark_end = column, closed = true;
    const Character character = decode(line, at);
    const Cell cell = cell_of(character, column);
    shown.text += cell.text;
    column += cell.width;
    at += character.size;
  }
  if (!marked) shown.mark_begin = column;
  if (!closed) shown.mark_end = column;
  if (at < line.size()) shown.text += "…";
  shown.mark_end = std::max(shown.mark_end, shown.mark_begin + 1);
  while (!shown.text.empty() && shown.text.back() == ' ') shown.text.pop_back();
  return shown;
}

}  // namespace phobos::diag
