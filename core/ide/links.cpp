#include <phobos/ide/links.h>

#include <algorithm>

#include <phobos/support/run_line.h>

#include "run_words.h"

namespace phobos::ide {

namespace {

// What stands behind the `=` of a run line, where that is a file.
std::optional<Link> link_of(std::string_view text, Span value) {
  std::string_view path = text.substr(value.begin, value.size());
  if (path.size() > 2 && path.front() == '"' && path.back() == '"') {
    path = path.substr(1, path.size() - 2);
    value = {value.begin + 1, value.end - 1};
  }
  if (!path.ends_with(".npy")) return std::nullopt;
  return Link{value, std::string(path)};
}

}  // namespace

std::vector<Link> links(const File& file) {
  std::vector<Link> all;
  for (const ItemView& item : file.items) {
    if (item.item().run_lines.empty()) continue;
    for (const RunName& each : item.index().run_names)
      if (auto link = link_of(item.item().text, each.value)) all.push_back({item.absolute(link->span), std::move(link->path)});
  }
  return all;
}

std::optional<Link> link_at(std::string_view text, std::uint32_t offset) {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const std::size_t before = text.substr(0, offset).find_last_of("\r\n");
  const std::size_t end = std::min(text.find_first_of("\r\n", offset), text.size());
  const std::size_t begin = text.find_first_not_of(" \t", before == std::string_view::npos ? 0 : before + 1);
  if (begin >= end || !text.substr(begin, end - begin).starts_with(run_line::mark)) return std::nullopt;
  for (const RunWord& word : run_words(text, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)})) {
    const std::size_t equals = word.text.find('=');
    if (!word.span.touches(offset) || equals == std::string_view::npos) continue;
    const auto link = link_of(text, {word.span.begin + static_cast<std::uint32_t>(equals) + 1, word.span.end});
    if (link && link->span.touches(offset)) return link;
  }
  return std::nullopt;
}

}  // namespace phobos::ide
