#include <phobos/syntax/parser.h>

#include <algorithm>
#include <unordered_map>

#include <phobos/support/trim.h>

#include "item_parser.h"
#include "outside.h"
#include "split.h"

namespace phobos::syntax {

// After an edit the items before it and those behind it are kept as they are; only what lies between is split again, from the
// item before the edit to the first item that starts where an old one did, behind the edit.
struct Parser::State {
  std::size_t size = 0;  // of the text
  Span preamble;
  std::vector<ParsedItem> known;

  ItemsChange update(std::string_view text, Unchanged same);
  std::vector<ParsedItem> match(std::string_view text, const FileShape& shape, std::size_t first, std::size_t removed, int& parsed);
};

ItemsChange Parser::State::update(std::string_view text, Unchanged same) {
  ItemsChange change;
  change.moved = static_cast<std::int64_t>(text.size()) - static_cast<std::int64_t>(size);
  // Items that end before the edit, but for the last of them, whose end it may move.
  change.first = static_cast<std::size_t>(
      std::partition_point(known.begin(), known.end(), [&](const ParsedItem& each) { return each.span.end < same.front; }) - known.begin());
  if (change.first > 0) --change.first;
  const std::size_t from = change.first == 0 ? 0 : known[change.first].span.begin;
  const std::size_t same_from = text.size() - same.back;
  std::size_t next = change.first, back = known.size();
  const FileShape shape = split(text, from, [&](std::size_t start) {
    if (start < same_from) return false;
    const auto before = static_cast<std::int64_t>(start) - change.moved;
    while (next < known.size() && known[next].span.begin < before) ++next;
    if (next == known.size() || known[next].span.begin != before || start == from) return false;
    back = next;
    return true;
  });
  if (from == 0) preamble = shape.preamble;
  change.removed = back - change.first;
  change.items = match(text, shape, change.first, change.removed, change.parsed);
  for (std::size_t i = back; i < known.size(); ++i) known[i].span = known[i].span.shifted(change.moved);
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(change.first);
  const auto shared = static_cast<std::ptrdiff_t>(std::min(change.removed, change.items.size()));
  std::copy_n(change.items.begin(), shared, middle);
  known.insert(known.erase(middle + shared, middle + static_cast<std::ptrdiff_t>(change.removed)), change.items.begin() + shared, change.items.end());
  size = text.size();
  return change;
}

// The items of `shape`; those whose text was there before, among the removed ones, are the same objects as before.
std::vector<ParsedItem> Parser::State::match(std::string_view text, const FileShape& shape, std::size_t first, std::size_t removed, int& parsed) {
  const ParsedItem* const old = known.data() + first;
  std::unordered_multimap<std::string_view, std::size_t> by_text;
  for (std::size_t i = 0; i < removed; ++i) by_text.emplace(old[i].item->text, i);
  std::vector<ParsedItem> items(shape.items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].span = shape.items[i];
    const std::string_view words = text.substr(items[i].span.begin, items[i].span.size());
    if (const auto same = by_text.find(words); same != by_text.end()) {
      items[i].item = old[same->second].item;
      by_text.erase(same);
    } else {
      items[i].item = parse_item(words);
      ++parsed;
    }
  }
  return items;
}

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;

ParsedFile Parser::parse(std::string_view text) {
  ItemsChange change = update(text, {});
  return {state_->known, std::move(change.diagnostics), change.parsed};
}

ItemsChange Parser::update(std::string_view text, Unchanged same) {
  ItemsChange change = state_->update(text, same);
  if (const Span preamble = state_->preamble; !preamble.empty()) {
    change.diagnostics = preamble_errors(text, preamble);
    change.declared = names_declared(text.substr(preamble.begin, preamble.size()));
  }
  return change;
}

const std::vector<ParsedItem>& Parser::items() const {
  return state_->known;
}

std::shared_ptr<const Item> parse_item(std::string_view text) {
  auto item = std::make_shared<Item>();
  item->text = std::string(text);
  ItemParser(*item).run();
  trim(item->exprs);
  trim(item->stmts);
  return item;
}

}  // namespace phobos::syntax
