#include "items.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace phobos::session {

namespace {

template <class T>
void replace_range(std::vector<T>& all, std::size_t first, std::size_t removed, std::vector<T> by) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  const auto shared = static_cast<std::ptrdiff_t>(std::min(removed, by.size()));
  std::move(by.begin(), by.begin() + shared, begin);
  const auto rest = all.erase(begin + shared, begin + static_cast<std::ptrdiff_t>(removed));
  all.insert(rest, std::make_move_iterator(by.begin() + shared), std::make_move_iterator(by.end()));
}

}  // namespace

void Items::update(std::string_view text, syntax::Unchanged same) {
  if (due_.empty()) analysed_ = 0;
  syntax::ItemsChange change = parser_.update(text, same);
  loose_ = std::move(change.diagnostics);
  move_views(change);
  splice(change);
  recheck_concerned();
  for (std::size_t i = 0; i < change.items.size(); ++i)
    if (known_[change.first + i].memo) view(change.first + i);
  due_.clear();
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (!known_[i].memo) due_.push_back(i);
}

// The items behind the edit moved, as kept items and as functions that others inline. (Those who inline a function that the edit
// touched are concerned, and seen anew.)
void Items::move_views(const syntax::ItemsChange& change) {
  const std::size_t end = change.first + change.removed;
  if (end == views_.size() || change.moved == 0) return;
  const std::uint32_t from = parser_.items()[change.first + change.items.size()].span.shifted(-change.moved).begin;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (i == change.first) i = end;
    ItemView& view = views_[i];
    for (std::uint32_t& origin : view.origins)
      if (origin >= from) origin = static_cast<std::uint32_t>(origin + change.moved);
    if (i < end) continue;
    view.offset = static_cast<std::uint32_t>(view.offset + change.moved);
    view.span = view.span.shifted(change.moved);
  }
}

void Items::splice(const syntax::ItemsChange& change) {
  std::vector<ItemPointer> before;
  std::unordered_map<const syntax::Item*, Known> gone;
  for (std::size_t i = change.first; i < change.first + change.removed; ++i) {
    before.push_back(known_[i].item);
    gone.emplace(known_[i].item.get(), std::move(known_[i]));
  }
  std::vector<Known> fresh;
  for (const syntax::ParsedItem& parsed : change.items) {
    const auto kept = gone.extract(parsed.item.get());
    fresh.push_back(kept ? std::move(kept.mapped()) : Known{parsed.item, nullptr});
  }
  for (const auto& [item, known] : gone)
    if (known.memo) index_.asks_no_more(*item, *known.memo);
  index_.update(parser_.items(), change, before);
  replace_range(known_, change.first, change.removed, std::move(fresh));
  replace_range(views_, change.first, change.removed, std::vector<ItemView>(change.items.size()));
}

void Items::recheck_concerned() {
  for (const syntax::Item* item : index_.concerned()) {
    const std::size_t at = index_.place_of(*item);
    std::shared_ptr<const Memo>& memo = known_[at].memo;
    if (still_holds(*memo, index_)) {
      view(at);
    } else {
      index_.asks_no_more(*item, *memo);
      memo.reset();
    }
  }
}

bool Items::analyse(std::stop_token stop) {
  for (; !due_.empty(); due_.pop_back()) {
    if (stop.stop_requested()) return false;
    Known& known = known_[due_.back()];
    auto memo = session::analyse(known.item, index_, {{}, stop});
    if (stop.stop_requested()) return false;
    known.memo = std::move(memo);
    index_.asks(*known.item, *known.memo);
    view(due_.back());
    ++analysed_;
  }
  return true;
}

void Items::view(std::size_t at) {
  views_[at] = view_of(known_[at].memo->analysis, parser_.items()[at].span, [this](const syntax::Item& item) { return offset_of(item); });
}

std::vector<diag::Diagnostic> Items::diagnostics() const {
  std::vector<diag::Diagnostic> all = loose_;
  for (const std::vector<ItemPointer>& definitions : index_.repeated()) {
    const auto place = [&](const ItemPointer& item) { return Location{item->name.span.shifted(offset_of(*item)), 0}; };
    for (std::size_t i = 1; i < definitions.size(); ++i) {
      diag::Diagnostic& twice = all.emplace_back(diag::make(diag::Code::DuplicateItem, place(definitions[i]), definitions[i]->name.text));
      twice.related.push_back({place(definitions[0]), "it is first defined here"});
    }
  }
  return all;
}

}  // namespace phobos::session
