// What is known of the elements 0 to `size` - 1, as few intervals as tell it: neighbours of which the same is known are one. Where
// that takes more than a few, each element has a place of its own, so that no access is ever slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace phobos::sim {

// `Entry` is a value with ==. A default one stands for nothing known.
template <class Entry, std::int32_t size>
class IntervalMap {
 public:
  // f(entry, begin, end) for the pieces of a range, which f may change.
  template <class F>
  void visit(std::int32_t begin, std::int32_t end, F&& f) {
    if (!each_.empty()) {
      for (std::int32_t i = begin; i < end; ++i) f(each_[static_cast<std::size_t>(i)], i, i + 1);
      return;
    }
    if (begin >= end) return;
    std::size_t i = first_behind(begin), from = i == 0 ? 0 : i - 1;
    for (std::int32_t at = begin; at < end; ++i) {
      if (i == intervals_.size() || intervals_[i].begin > at) {  // a gap
        const std::int32_t stop = i == intervals_.size() ? end : std::min(end, intervals_[i].begin);
        insert(i, {at, stop, Entry()});
      } else if (intervals_[i].begin < at) {  // its first part stays
        Interval part = intervals_[i];
        part.end = at;
        intervals_[i].begin = at;
        insert(i, part);
        continue;
      }
      if (intervals_[i].end > end) {  // and its last
        Interval part = intervals_[i];
        part.begin = intervals_[i].end = end;
        insert(i + 1, part);
      }
      f(intervals_[i].entry, at, intervals_[i].end);
      at = intervals_[i].end;
    }
    join(from, i);
    if (intervals_.size() > most_intervals) spread();
  }

  // An element of which nothing is known is made `entry` where it follows an interval of that. Whether it was: one compare, where
  // visit() would cut and join.
  bool grow(std::int32_t at, const Entry& entry) {
    if (intervals_.empty()) return false;
    const std::size_t i = first_behind(at);
    if (i == 0 || intervals_[i - 1].end != at || (i < intervals_.size() && intervals_[i].begin <= at + 1)) return false;
    if (!(intervals_[i - 1].entry == entry)) return false;
    ++intervals_[i - 1].end;
    return true;
  }

  // Whether f(entry) holds for some known piece of the range.
  template <class F>
  bool any(std::int32_t begin, std::int32_t end, F&& f) const {
    if (!each_.empty()) return std::any_of(each_.begin() + begin, each_.begin() + end, f);
    for (std::size_t i = first_behind(begin); i < intervals_.size() && intervals_[i].begin < end; ++i)
      if (f(intervals_[i].entry)) return true;
    return false;
  }

  // Where each element has a place of its own they begin here, and stay here; else null.
  const Entry* places() const { return each_.empty() ? nullptr : each_.data(); }

  // f(entry, begin, end) for all that is known.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < each_.size(); ++i) f(each_[i], static_cast<std::int32_t>(i), static_cast<std::int32_t>(i) + 1);
    for (const Interval& interval : intervals_) f(interval.entry, interval.begin, interval.end);
  }

 private:
  static constexpr std::size_t most_intervals = 64;
  struct Interval {
    std::int32_t begin = 0, end = 0;
    Entry entry;
  };

  // The first that ends behind there.
  std::size_t first_behind(std::int32_t at) const {
    const auto found = std::upper_bound(intervals_.begin(), intervals_.end(), at,
                                        [](std::int32_t place, const Interval& interval) { return place < interval.end; });
    return static_cast<std::size_t>(found - intervals_.begin());
  }

  void insert(std::size_t at, const Interval& interval) {
    intervals_.insert(intervals_.begin() + static_cast<std::ptrdiff_t>(at), interval);
  }

  // Neighbours from there up to there, and the one behind.
  void join(std::size_t from, std::size_t to) {
    to = std::min(to, intervals_.size() - 1);
    std::size_t kept = from;
    for (std::size_t i = from + 1; i <= to; ++i) {
      if (intervals_[kept].end == intervals_[i].begin && intervals_[kept].entry == intervals_[i].entry)
        intervals_[kept].end = intervals_[i].end;
      else if (++kept != i)
        intervals_[kept] = intervals_[i];
    }
    intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(kept) + 1, intervals_.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  }

  void spread() {
    each_.resize(static_cast<std::size_t>(size));
    for (const Interval& interval : intervals_) std::fill(each_.begin() + interval.begin, each_.begin() + interval.end, interval.entry);
    intervals_ = {};
  }

  std::vector<Interval> intervals_;
  std::vector<Entry> each_;  // in place of the intervals
};

}  // namespace phobos::sim
