// Races between the threads of a CTA.
//
// Two accesses of one element by different threads conflict where one of them is a store and no barrier stands between. What
// stands between is told by a number, the epoch, that grows at each barrier: each element remembers who touched it in which epoch,
// so a barrier costs nothing and nothing is cleared before the numbers run out.
//
// Threads whose last stores to an element agree do not conflict: whoever comes last, the outcome is the same. So an element remembers
// who has stored what it holds; a statement that stores another value is in order if all of them take part in it (`O[0, 0] = i32(k)`
// in a loop), and those that store the same are added. A thread may read what it has stored itself, as long as nobody stores another
// value, and nobody else has stored one before, who may come late. Who reads what only others store is in conflict with all of them,
// whatever they store and whichever comes first: that the values are the same is chance. CTA-wide operations and accesses of threads
// are ordered as written, so what the CTA writes as a whole forgets who touched it before.
//
// Which two threads are named does not depend on whether an operation's threads are told one by one or as a set: a run that computes
// every value per thread, to check kinds, names the same.
//
// Elements come in pages that are made when first touched, and kept for the next CTA. Mostly one thread, or all between two, have
// touched an element. Any other set is bits in a place of its own, until the next barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "thread_set.h"

namespace phobos::sim {

// Two accesses that nothing orders.
struct ThreadRace {
  int buffer = 0;
  std::int64_t element = 0;
  std::uint32_t op = 0, earlier_op = 0;  // ir::OpId
  int thread = 0, earlier_thread = 0;
  bool writes = false, earlier_writes = false;
};

class ThreadShadow {
 public:
  // `counts`: elements of each buffer, 0 for those that are not watched.
  ThreadShadow(const std::vector<std::int64_t>& counts, int threads);

  void start_cta();
  void barrier() {
    words_.clear();
    free_words_.clear();
    if (++epoch_ == 0) renew();
  }
  void forget(int buffer, std::int64_t begin, std::int64_t end);  // the CTA as a whole wrote these

  // An operation's accesses stand between these two; what they find is told behind the second.
  void begin(std::uint32_t op) { op_ = op, ++instance_; }
  void end();
  void read(int buffer, std::int64_t element, const ThreadSet& who);
  // `same`: the element holds that value already.
  void write(int buffer, std::int64_t element, const ThreadSet& who, bool same);

  // What was found since it was last asked for, one of each pair of operations in a CTA; null for no more.
  const ThreadRace* next_race() { return told_ < races_.size() ? &races_[told_++] : nullptr; }

 private:
  struct Touch {
    std::uint32_t epoch = 0;
    std::uint32_t op = 0;  // of the last access
    std::int16_t low = 0, high = 0;
    std::int16_t last = 0;       // the first of those that made it
    bool exposed = false;        // reads: any store of another thread conflicts
    std::int32_t bits = -1;      // where the set's words begin; -1: all from low to high
  };
  struct Cell {
    Touch write, read;
    std::uint32_t instance = 0;  // the operation that wrote it
    // Who stored something else before, in this epoch, and the last of the operations that did. None where low > high.
    std::int16_t stale_low = 1, stale_high = 0;
    std::uint32_t stale_op = 0;
  };
  // An earlier store with another value. It is no conflict where all who made it store again in this operation.
  struct Suspect {
    int buffer;
    std::int64_t element;
    Touch earlier;
  };
  static constexpr int page_bits = 8;
  using Page = std::unique_ptr<Cell[]>;

  Cell& cell(int buffer, std::int64_t element);
  void renew();  // forgets everything, so that epochs may be counted anew
  ThreadSet set_of(const Touch& touch) const { return {touch.low, touch.high, touch.bits < 0 ? nullptr : words_.data() + touch.bits}; }
  void drop(Touch& touch);  // its words
  void assign(Touch& touch, const ThreadSet& who);
  void unite(Touch& touch, const ThreadSet& who);
  void keep_bits(Touch& touch);
  void add(int buffer, std::int64_t element, int thread, bool writes, std::uint32_t earlier_op, int earlier_thread, bool earlier_writes);

  std::vector<std::vector<Page>> buffers_;
  std::vector<std::pair<int, std::size_t>> used_;
  std::vector<Page> free_;
  std::size_t words_each_;
  std::vector<std::uint64_t> words_;       // of sets that are no intervals, in this epoch
  std::vector<std::int32_t> free_words_;
  std::vector<Suspect> suspects_;
  std::vector<ThreadRace> races_;
  std::size_t told_ = 0;
  std::uint32_t epoch_ = 1, instance_ = 0;
  std::uint32_t op_ = 0;
};

}  // namespace phobos::sim
