// Tells the shadows of a watched operation's accesses. The accesses of an operation's threads are told one by one; those that
// follow each other in a tensor are handed on together.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "cta.h"

namespace phobos::sim {

class Observer {
 public:
  // `lanes` of the operation.
  Observer(Cta& cta, const Instr& in, const Mask& mask, std::int64_t lanes);

  // Whether some thread runs that lane.
  bool runs(std::int64_t lane) {
    if (lanes_ == threads_) {
      who_.low = who_.high = static_cast<int>(lane);
      return mask_.lanes[lane] != 0;
    }
    return lane == lane_ ? runs_ : find_threads(lane);
  }
  // All places of the lanes, -1 for none, before the first of them is accessed: where they are scattered, waiting for memory is most
  // of what watching costs.
  void expect(const std::int64_t* offsets, std::int64_t count) {
    if (!grid_shadow_) return;
    for (std::int64_t i = 1; i < count; ++i)
      if (offsets[i] >= 0 && offsets[i] != offsets[i - 1] && offsets[i] != offsets[i - 1] + 1) grid_shadow_->prefetch(in_.buffer, offsets[i]);
  }
  // Both of the lane that runs() was last asked of.
  void read(std::int64_t offset);
  template <class Raw>
  void write(std::int64_t offset, Raw value, Raw* data) {
    const bool known = !written_ || written_[offset] != 0;
    begin_write(offset);
    Raw& place = data[offset];
    if (threads_shadow_) threads_shadow_->write(in_.buffer, offset, who_, known && std::memcmp(&place, &value, sizeof value) == 0);
    if (!grid_shadow_) {
      place = value;
      return;
    }
    if (pending_ == 0) target_ = reinterpret_cast<std::byte*>(&place);
    std::memcpy(values_ + pending_ * sizeof value, &value, sizeof value);
    size_ = sizeof value;
    if (++pending_ == most_pending) flush();
  }
  // Behind the last access; reports what conflicts.
  void end();

 private:
  static constexpr std::int64_t most_pending = 1024;
  static constexpr std::size_t most_threads = 1024;
  bool find_threads(std::int64_t lane);
  void begin_write(std::int64_t offset) {
    stored_ = offset;
    if (written_) written_[offset] = 1;
    if (pending_ != 0 && offset != start_ + pending_) flush();
    if (pending_ == 0) start_ = offset;
  }
  void flush();

  Cta& cta_;
  const Instr& in_;
  const Mask& mask_;
  std::int64_t lanes_;
  int threads_;
  ThreadSet who_;  // runs the lane
  std::int64_t lane_ = -1;  // for which they were looked for, and whether there are any
  bool runs_ = false;
  std::array<std::uint64_t, most_threads / 64> bits_;
  ThreadShadow* threads_shadow_ = nullptr;
  GridShadow* grid_shadow_ = nullptr;
  std::uint8_t* written_ = nullptr;
  std::int64_t unset_ = -1;  // the first element read that was never written
  int unset_thread_ = 0;
  std::int64_t stored_ = -1;  // the last element written
  // Of the accesses not yet told to the grid's shadow.
  std::int64_t start_ = 0, pending_ = 0;
  std::byte* values_ = nullptr;
  std::byte* target_ = nullptr;
  std::size_t size_ = 0;
};

// Of the CTA as a whole, a row of a slice; no more than the shadows are told.
void observe_row_read(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count);
// Stores the row as well.
void observe_row_write(Cta& cta, const Instr& in, std::int64_t offset, std::int64_t count, const std::byte* values, std::byte* to,
                       std::size_t size);
// A tile value with holes in it, from which this row is stored.
void observe_holes(Cta& cta, const Instr& in, const Holes& holes, std::int64_t at, std::int64_t offset, std::int64_t count);
// A row of a slice, loaded: its holes are added to those of the value.
void add_holes(Cta& cta, const Instr& in, std::int64_t at, std::int64_t offset, std::int64_t count, Holes& holes);
// Of a write: whether it goes to what a grid barrier counts in.
void observe_count(Cta& cta, const Instr& in, std::int64_t offset);
// An atomic, an acquire or a release.
void observe_atomic(Cta& cta, const Instr& in, std::int64_t offset);

}  // namespace phobos::sim
