#include <phobos/ide/formatting.h>

#include <algorithm>

namespace phobos::ide {

namespace {

// The items that a range touches, with neighbours on each side: what is in front of a keyword belongs to the item before as long as that
// one's brackets are open, and what is behind an item decides where a comment at its end belongs. Whole lines.
Span window_of(const File& file, Span range) {
  constexpr std::ptrdiff_t neighbours = 2;  // one may be a lone word
  const auto begins_line = [&](const ItemView& item) {
    const std::size_t before = item.span.begin == 0 ? std::string::npos : file.text.find_last_not_of(" \t", item.span.begin - 1);
    return before != std::string::npos && file.text[before] == '\n';
  };
  auto first = std::lower_bound(file.items.begin(), file.items.end(), range.begin, [](const ItemView& item, std::uint32_t at) { return item.span.end < at; });
  auto behind = std::upper_bound(first, file.items.end(), range.end, [](std::uint32_t at, const ItemView& item) { return at < item.span.begin; });
  first -= std::min(neighbours, first - file.items.begin());
  behind += std::min(neighbours, file.items.end() - behind);
  while (first != file.items.begin() && !begins_line(*first)) --first;
  while (behind != file.items.end() && !begins_line(*behind)) ++behind;
  return {first == file.items.begin() ? 0 : first->span.begin, behind == file.items.end() ? static_cast<std::uint32_t>(file.text.size()) : behind->span.begin};
}

syntax::Formatted moved(syntax::Formatted formatted, std::uint32_t by) {
  for (Edit& edit : formatted.edits) edit.span = edit.span.shifted(by);
  return formatted;
}

}  // namespace

syntax::Formatted format_range(const File& file, Span range) {
  const Span window = window_of(file, range);
  const std::string_view text = std::string_view(file.text).substr(window.begin, window.size());
  return moved(syntax::format_range(text, {range.begin - window.begin, range.end - window.begin}), window.begin);
}

syntax::Formatted format_typed(const File& file, std::uint32_t offset, char typed) {
  const Span window = window_of(file, {offset, offset});
  const std::string_view text = std::string_view(file.text).substr(window.begin, window.size());
  return moved(syntax::format_typed(text, offset - window.begin, typed), window.begin);
}

}  // namespace phobos::ide
