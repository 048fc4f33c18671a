// Races between CTAs, on tensors that the kernel writes.
//
// Two CTAs conflict on an element where one of them writes it and nothing orders them. CTAs run in any order and at the same time,
// and what is found must not depend on that. So an element remembers what does not: of all that wrote it the CTAs of lowest and
// highest number, of all that read it the same two, and whether ever one wrote another value than was there; from then on also which
// is the first that does not write what the lowest one does. From these it is told at the end whether two CTAs met. Writing the same value is no conflict: the outcome is well defined, as it is for threads. Nor is
// reading what one's own CTA wrote: should another one have written something else, the two writes conflict. So of the reads only
// those count that come before their own CTA's write, and each CTA keeps what it has written (own_writes.h).
//
// `grid_barrier` orders all before it with all behind it: the elements are judged and begin anew, each when it is next touched.
//
// `store_release` and `load_acquire` order pairs of CTAs. A kernel that has them runs a CTA at a time, and each CTA carries how
// far it has seen each other one: a clock for each. An access is ordered behind another where its CTA has seen the other's clock of
// that time. Such a kernel is judged at each access. Atomics are relaxed: they order nothing, and conflict with plain accesses, but
// not with each other.
//
// Elements that were touched alike are one interval, and intervals stand in chunks of 1024 elements, each with a lock: a tile costs
// an interval a row, whatever its width.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interval_map.h"
#include "own_writes.h"

namespace phobos::sim {

struct GridRace {
  int buffer = 0;
  std::int64_t element = 0;
  std::uint32_t op = 0, other_op = 0;  // ir::OpId
  std::uint32_t cta = 0, other_cta = 0;
  bool apart = false;  // they are the first and the last of several that write, one of which stores several values
};

class GridShadow {
 public:
  // `counts`: elements of each buffer, 0 for those that are not watched; `updated`: of those that atomics change and plain reads read.
  // `ordered`: the kernel has acquires.
  GridShadow(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& updated, std::int64_t ctas, bool ordered);

  struct Who {
    std::uint32_t cta = 0, op = 0;
    std::uint32_t epoch = 0;  // grid barriers that the CTA has passed
    OwnWrites* own = nullptr; // what it has written of the tensors that the kernel reads, too
  };
  void read(int buffer, std::int64_t begin, std::int64_t count, const Who& who);
  void update(int buffer, std::int64_t element, const Who& who);  // by an atomic
  // An atomic's change, and a plain read, of an element that both touch.
  void change(int buffer, std::int64_t element, const Who& who);
  void read_changing(int buffer, std::int64_t begin, std::int64_t count, const Who& who);
  // Stores `count` elements of `size` bytes to `to`, which is where `begin` lies.
  void write(int buffer, std::int64_t begin, std::int64_t count, const Who& who, const std::byte* values, std::byte* to,
             std::size_t size);

  // Of an element that is read or written soon.
  void prefetch(int buffer, std::int64_t element);

  // In kernels with acquires. `tensor` is its number among the kernel's values.
  void release(std::uint32_t tensor, std::int64_t element, std::uint32_t cta);
  void acquire(std::uint32_t tensor, std::int64_t element, std::uint32_t cta);

  // Once all CTAs have ended: one for each pair of operations, the lowest element of the first buffer that they met on.
  std::vector<GridRace> races();

 private:
  static constexpr std::uint64_t nobody_low = UINT64_MAX, nobody_high = 0;
  struct Entry {
    // CTA + 1 and operation in one number. An atomic counts as a read, and comes before the others of its CTA.
    std::uint64_t low_writer = nobody_low, high_writer = nobody_high, low_reader = nobody_low, high_reader = nobody_high;
    std::uint32_t epoch = 0;
    bool changed = false;
    std::uint32_t write_clock = 0, low_clock = 0, high_clock = 0;  // ordered: high_writer's, and the two readers'
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  // Of an element that different values have been written to: what the lowest CTA of its writers writes, at most two values with the
  // lowest operation of each (keys as in Entry), and the lowest of the others that writes something else than its first.
  struct Contest {
    std::uint64_t first = 0, second = 0;  // values
    std::uint64_t first_key = nobody_low, second_key = nobody_low, other = nobody_low;
    void add(std::uint64_t key, std::uint64_t value);
  };
  static constexpr std::int64_t chunk_size = 1024;
  struct Chunk {
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    std::atomic<const Entry*> places{nullptr};  // of the map, for who has not the lock
    IntervalMap<Entry, chunk_size> map;
    std::unique_ptr<std::unordered_map<std::int32_t, Contest>> contests;  // by element
  };
  // Elements of a chunk that one entry stands for.
  struct Piece {
    Chunk& chunk;
    int buffer;
    std::int64_t base;  // of the chunk
    std::int32_t begin, end;
    std::int64_t first() const { return base + begin; }
  };
  // What is written to a piece, and what was there.
  struct Values {
    const std::byte *now, *before;  // where the chunk's element 0 would be
    std::size_t size;
    std::uint64_t at(const std::byte* values, std::int32_t i) const;
  };
  using Clocks = std::vector<std::uint32_t>;

  static constexpr std::uint64_t mark = 1u << 31;  // in low_reader: a plain read; in high_reader: an atomic
  static std::uint64_t key(const Who& who) { return static_cast<std::uint64_t>(who.cta + 1) << 32 | who.op; }
  static std::uint32_t cta_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32) - 1; }

  template <class F>
  void each_chunk(int buffer, std::int64_t begin, std::int64_t count, F&& f);
  void read_all(int buffer, std::int64_t begin, std::int64_t count, const Who& who, bool atomic);
  void read_piece(Entry& entry, const Piece& piece, const Who& who, bool atomic);
  void write_piece(Entry& entry, const Piece& piece, const Who& who, bool differs, const Values* values);
  void contend(const Entry& entry, const Piece& piece, std::uint64_t me, bool begins, const Values& values);
  void refresh(Entry& entry, const Piece& piece, std::uint32_t epoch);
  void judge(const Entry& entry, const Piece& piece);
  void add(int buffer, std::int64_t element, std::uint64_t one, std::uint64_t other, bool apart = false);
  bool seen(std::uint32_t cta, std::uint64_t other, std::uint32_t clock) const;
  Clocks& clocks(std::uint32_t cta);

  struct Buffer {
    std::unique_ptr<Chunk[]> chunks;
    std::int64_t count = 0;
  };
  std::vector<Buffer> buffers_;  // and behind them, for each, the one for what atomics change in it and plain reads read
  int count_ = 0;
  std::int64_t ctas_;
  bool ordered_;
  std::vector<Clocks> clocks_;                                // ordered: by CTA
  std::map<std::pair<std::uint32_t, std::int64_t>, Clocks> released_;   // by element: what its last release has seen
  std::mutex mutex_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, GridRace> races_;  // by operations
};

}  // namespace phobos::sim
