// Sets of a CTA's threads, as they come up: one thread, all between two, or any.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace phobos::sim {

// Not empty. `bits`: a bit each, in words that somebody else owns; null for all from `low` to `high`.
struct ThreadSet {
  int low = 0, high = 0;
  const std::uint64_t* bits = nullptr;

  bool single() const { return low == high; }
  std::uint64_t word(int i) const {
    if (i < low / 64 || i > high / 64) return 0;
    if (bits) return bits[i];
    std::uint64_t all = ~std::uint64_t{0};
    if (i == low / 64) all &= ~std::uint64_t{0} << (low % 64);
    if (i == high / 64) all &= ~std::uint64_t{0} >> (63 - high % 64);
    return all;
  }
  bool has(int thread) const { return thread >= low && thread <= high && (!bits || (bits[thread / 64] >> (thread % 64) & 1) != 0); }
  // The one behind `low`; there is one unless single().
  int second() const {
    int thread = low + 1;
    while (!has(thread)) ++thread;
    return thread;
  }
  // The first that is not in `other`; -1 where all are.
  int first_outside(const ThreadSet& other) const {
    if (!other.bits && low >= other.low && high <= other.high) return -1;
    for (int i = low / 64; i <= high / 64; ++i)
      if (const std::uint64_t outside = word(i) & ~other.word(i)) return i * 64 + std::countr_zero(outside);
    return -1;
  }
  bool within(const ThreadSet& other) const { return first_outside(other) < 0; }
};

}  // namespace phobos::sim
