// Races between the threads of a CTA.
//
// Two accesses of one element by different threads conflict where one of them is a store and no barrier stands between. What
// stands between is told by a number, the epoch, that grows at each barrier: each element remembers who touched it in which epoch,
// so a barrier costs nothing and nothing is cleared before the numbers run out. Threads are remembered as an interval: one thread,
// or all between two where a value that they share is stored or read by all of them.
//
// A store of what the element holds already is no conflict with another store of the same, nor with a thread that reads what it has
// stored itself, until another value is stored. Who reads what others have to say is in conflict with any of their stores, whatever
// they store and whichever comes first: that the values are the same is chance. Threads that overwrite what they wrote together
// conflict with nobody (`O[0, 0] = i32(k)` in a loop). CTA-wide operations and accesses of threads are ordered as written, so what
// the CTA writes as a whole forgets who touched it before.
//
// Elements come in pages that are made when first touched, and kept for the next CTA.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
  explicit ThreadShadow(const std::vector<std::int64_t>& counts);

  void start_cta();
  void barrier() {
    if (++epoch_ == 0) renew();
  }
  void forget(int buffer, std::int64_t begin, std::int64_t end);  // the CTA as a whole wrote these

  // An operation's accesses stand between these two; what they find is told behind the second.
  void begin(std::uint32_t op) { op_ = op, ++instance_; }
  void end();
  void read(int buffer, std::int64_t element, int low, int high);
  // `same`: the element holds that value already.
  void write(int buffer, std::int64_t element, int low, int high, bool same);

  // What was found since it was last asked for, one of each pair of operations in a CTA; null for no more.
  const ThreadRace* next_race() { return told_ < races_.size() ? &races_[told_++] : nullptr; }

 private:
  struct Touch {
    std::uint32_t epoch = 0;
    std::uint32_t op = 0;
    std::int16_t low = 0, high = 0;
  };
  struct Cell {
    Touch write, read;           // the read's operation: with `exposed` where any store of another thread conflicts
    std::uint32_t instance = 0;  // the operation that wrote it
  };
  // An earlier store with another value. It is no conflict where all who made it store again in this operation.
  struct Suspect {
    int buffer;
    std::int64_t element;
    Touch earlier;
  };
  static constexpr int page_bits = 8;
  static constexpr std::uint32_t exposed = 1u << 31;
  using Page = std::unique_ptr<Cell[]>;

  Cell& cell(int buffer, std::int64_t element);
  void renew();  // forgets everything, so that epochs may be counted anew
  void add(int buffer, std::int64_t element, int thread, bool writes, const Touch& earlier, int earlier_thread, bool earlier_writes);

  std::vector<std::vector<Page>> buffers_;
  std::vector<std::pair<int, std::size_t>> used_;
  std::vector<Page> free_;
  std::vector<Suspect> suspects_;
  std::vector<ThreadRace> races_;
  std::size_t told_ = 0;
  std::uint32_t epoch_ = 1, instance_ = 0;
  std::uint32_t op_ = 0;
};

}  // namespace phobos::sim
