// What is known of the elements of a range, as few intervals as tell it: neighbours of which the same is known are one.
#pragma once

#include <cstdint>
#include <vector>

namespace phobos::sim {

// `Entry` is a value with ==. A default one stands for nothing known.
template <class Entry>
class IntervalMap {
 public:
  struct Interval {
    std::int32_t begin = 0, end = 0;
    Entry entry;
  };

  // f(entry, begin) for the pieces of a range, which f may change.
  template <class F>
  void visit(std::int32_t begin, std::int32_t end, F&& f) {
    std::size_t i = first_behind(begin), from = i == 0 ? 0 : i - 1;
    for (std::int32_t at = begin; at < end; ++i) {
      if (i == intervals_.size() || intervals_[i].begin > at) {  // a gap
        const std::int32_t stop = i == intervals_.size() ? end : smaller(end, intervals_[i].begin);
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
      f(intervals_[i].entry, at);
      at = intervals_[i].end;
    }
    join(from, i);
  }

  // Whether f(entry) holds for some known piece of the range.
  template <class F>
  bool any(std::int32_t begin, std::int32_t end, F&& f) const {
    for (std::size_t i = first_behind(begin); i < intervals_.size() && intervals_[i].begin < end; ++i)
      if (f(intervals_[i].entry)) return true;
    return false;
  }

  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  static std::int32_t smaller(std::int32_t a, std::int32_t b) { return a < b ? a : b; }

  // The first that ends behind there.
  std::size_t first_behind(std::int32_t at) const {
    std::size_t low = 0, high = intervals_.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (intervals_[middle].end > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  void insert(std::size_t at, const Interval& interval) {
    intervals_.insert(intervals_.begin() + static_cast<std::ptrdiff_t>(at), interval);
  }

  // Neighbours from there up to there, and the one behind.
  void join(std::size_t from, std::size_t to) {
    if (from >= intervals_.size()) return;
    to = to < intervals_.size() ? to : intervals_.size() - 1;
    std::size_t kept = from;
    for (std::size_t i = from + 1; i <= to; ++i) {
      if (intervals_[kept].end == intervals_[i].begin && intervals_[kept].entry == intervals_[i].entry)
        intervals_[kept].end = intervals_[i].end;
      else if (++kept != i)
        intervals_[kept] = intervals_[i];
    }
    intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(kept) + 1, intervals_.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  }

  std::vector<Interval> intervals_;
};

}  // namespace phobos::sim
