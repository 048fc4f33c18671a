#include "items.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <iterator>
#include <system_error>
#include <thread>
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

bool has_name_of(const syntax::Item& a, const syntax::Item& b) {
  return a.form == b.form && a.name.missing == b.name.missing && a.name.text == b.name.text;
}

// Threads are begun for many only; a thread that cannot be begun is done without.
// Gives what the work threw first, if anything.
std::exception_ptr in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t worth_a_thread = 16, at_once = 4;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::size_t first = next.fetch_add(at_once); first < count && !failed; first = next.fetch_add(at_once))
        for (std::size_t i = first; i < std::min(first + at_once, count); ++i) work(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  const std::size_t most = std::min<std::size_t>(count / worth_a_thread, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < most) others.emplace_back(run);
  } catch (const std::system_error&) {
  }
  run();
  others.clear();
  return failure;
}

}  // namespace

void Items::update(std::string_view text, syntax::Unchanged same) {
  if (due_.empty()) analysed_ = 0;
  syntax::ItemsChange change = parser_.update(text, same);
  loose_ = std::move(change.diagnostics);
  declared_ = std::move(change.declared);
  move_views(change);
  splice(change);
  recheck_concerned();
  for (std::size_t i = 0; i < change.items.size(); ++i)
    if (!known_[change.first + i].due) view(change.first + i);
  due_.clear();
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (known_[i].due) due_.push_back(i);
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

// What was known of an item goes to the one of its name that comes in its place or, where as many come as go, to the one of its rank.
void Items::inherit_good(std::vector<Known>& fresh, const std::vector<Known>& gone) {
  if (gone.empty()) return;
  std::unordered_map<std::string_view, const Known*> named;
  for (const Known& each : gone) named.try_emplace(each.item->name.text, &each);
  std::vector<Known*> come;
  for (Known& each : fresh)
    if (!each.memo && !each.good) come.push_back(&each);
  for (std::size_t i = 0; i < come.size(); ++i) {
    const auto same = named.find(come[i]->item->name.text);
    const Known* before = same != named.end() ? same->second : come.size() == gone.size() ? &gone[i] : nullptr;
    if (before != nullptr) come[i]->good = is_good(*before) ? before->memo->analysis : before->good;
  }
}

void Items::splice(const syntax::ItemsChange& change) {
  std::vector<ItemPointer> before;
  std::unordered_map<const syntax::Item*, Known> gone;
  for (std::size_t i = change.first; i < change.first + change.removed; ++i) {
    before.push_back(known_[i].item);
    gone.emplace(known_[i].item.get(), std::move(known_[i]));
  }
  const bool same_names = std::equal(before.begin(), before.end(), change.items.begin(), change.items.end(),
                                     [](const ItemPointer& then, const syntax::ParsedItem& now) { return has_name_of(*then, *now.item); });
  if (!same_names) names_ = std::make_shared<const ide::Names>();
  std::vector<Known> fresh;
  for (const syntax::ParsedItem& parsed : change.items) {
    const auto kept = gone.extract(parsed.item.get());
    fresh.push_back(kept ? std::move(kept.mapped()) : Known{parsed.item, nullptr, nullptr});
  }
  std::vector<Known> left;
  for (const ItemPointer& item : before)
    if (const auto known = gone.find(item.get()); known != gone.end()) left.push_back(known->second);
  inherit_good(fresh, left);
  for (const auto& [item, known] : gone)
    if (known.memo) index_.asks_no_more(*item, *known.memo);
  index_.update(parser_.items(), change, before);
  replace_range(known_, change.first, change.removed, std::move(fresh));
  replace_range(views_, change.first, change.removed, std::vector<ItemView>(change.items.size()));
}

void Items::recheck_concerned() {
  for (const syntax::Item* item : index_.concerned()) {
    const std::size_t at = index_.place_of(*item);
    known_[at].due = !still_holds(*known_[at].memo, index_);
    if (!known_[at].due) view(at);
  }
}

Items::Fresh Items::analyse(std::size_t at, std::stop_token stop) {
  Known& known = known_[at];
  Fresh fresh{session::analyse(known.item, index_, {{}, stop})};
  if (stop.stop_requested()) return {};
  if (fresh.memo->analysis->checked.ok()) known.good.reset();
  else if (is_good(known)) known.good = known.memo->analysis;
  fresh.asks_as_before = known.memo && same_questions(*known.memo, *fresh.memo);
  if (fresh.asks_as_before) {  // let go of here, since that takes time too
    known.memo.reset();
    views_[at] = {};
  }
  return fresh;
}

void Items::adopt(std::size_t at, Fresh fresh) {
  Known& known = known_[at];
  if (!fresh.asks_as_before) {
    if (known.memo) index_.asks_no_more(*known.item, *known.memo);
    index_.asks(*known.item, *fresh.memo);
  }
  known.memo = std::move(fresh.memo);
  known.due = false;
  view(at);
  ++analysed_;
}

std::size_t Items::due_bytes() const {
  std::size_t bytes = 0;
  for (const std::size_t at : due_) bytes += parser_.items()[at].span.size();
  return bytes;
}

bool Items::analyse(std::stop_token stop) {
  std::vector<Fresh> fresh(due_.size());
  const std::exception_ptr failure = in_parallel(due_.size(), [&](std::size_t i) {
    if (!stop.stop_requested()) fresh[i] = analyse(due_[i], stop);
  });
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < due_.size(); ++i) {
    if (fresh[i].memo) adopt(due_[i], std::move(fresh[i]));
    else left.push_back(due_[i]);
  }
  due_ = std::move(left);
  if (failure) std::rethrow_exception(failure);
  return due_.empty();
}

void Items::view(std::size_t at) {
  const Known& known = known_[at];
  views_[at] = view_of(known.memo->analysis, parser_.items()[at].span, [this](const syntax::Item& item) { return offset_of(item); });
  if (known.good) views_[at].good = std::make_shared<const ide::LastGood>(known.good, known.item->text);
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
