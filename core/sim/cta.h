// One CTA at work, and what it shares with the others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <phobos/sim/simulator.h>

#include "grid_shadow.h"
#include "holes.h"
#include "plan.h"
#include "thread_shadow.h"
#include "warnings.h"

namespace phobos::sim {

class Turns;

// Where CTAs run in turns, in which order.
struct Order {
  bool backward = false;  // the last ones are begun first
  bool eager = false;     // a turn ends wherever one may see what another does
  bool patient = false;   // a turn lasts until it waits in vain; those that wait for what is released go on at once
  std::string_view words; // "found where …"
};

struct Halt {};  // thrown to unwind a CTA that is stopped

// What a CTA has printed, as far as it is kept.
struct Prints {
  std::vector<Printed> lines;
  std::vector<std::size_t> ends;  // of each `print` that is kept: the lines up to its last
  std::int64_t executed = 0;      // of all of them
};

// What all CTAs of a launch share.
class Machine {
 public:
  Machine(const Plan& plan, const Launch& launch, const Options& options);

  // Throws Halt in a CTA that is not to go on: the stop token, or a finding in a CTA before it. The CTAs before one with a finding
  // do run to their end, and where CTAs wait for each other all run until they do, so that what is found does not depend on the
  // workers.
  void check(std::int64_t cta) const {
    if (cta > last_.load(std::memory_order_relaxed) || options.stop.stop_requested()) throw Halt{};
  }
  bool wanted(std::int64_t cta) const { return cta <= last_.load(std::memory_order_relaxed) && !options.stop.stop_requested(); }
  void report(std::int64_t cta, diag::Diagnostic finding);
  // A warning that says nothing of a CTA; told once.
  void remark(diag::Diagnostic warning);
  void stop();  // every CTA
  std::int64_t finding_cta() const { return finding_cta_ == INT64_MAX ? -1 : finding_cta_; }  // once all have ended
  // A CTA at a barrier: where, and the tensor that it counts in.
  struct AtBarrier {
    const ir::Op* op = nullptr;
    const std::byte* bar = nullptr;
  };
  // Waits until every CTA has come to this one; false where that cannot be, since one has ended or waits at another one. Throws Halt
  // when stopped.
  bool grid_barrier(std::int64_t cta, const AtBarrier& here);
  // Of all CTAs that wait in vain.
  void note_barrier(std::int64_t cta, const AtBarrier& here);
  // The CTA of lowest number that waits at another barrier than this, and where; -1: none.
  std::pair<std::int64_t, const ir::Op*> at_other_barrier(const AtBarrier& here);
  // Of those that have ended the first one, and by which statement (null: at the kernel's end).
  struct Ended {
    std::int64_t cta = -1;
    const ir::Op* by = nullptr;
  };
  Ended first_ended();
  // Whether lines that a CTA prints may be kept.
  bool hears(std::int64_t cta) const { return cta <= last_heard_.load(std::memory_order_relaxed); }
  std::int64_t ctas() const { return launch.grid[0] * launch.grid[1] * launch.grid[2]; }
  void cta_ended(bool halted, const Cta& cta);
  void take_warnings(Warnings& warnings);  // of a CTA
  void take_prints(std::int64_t cta, Prints prints);
  // Once all CTAs have ended.
  void tell_prints(Outcome& outcome);
  std::vector<diag::Diagnostic> take_findings();

  std::array<std::int64_t, 3> block_of(std::int64_t cta) const {
    const auto& grid = launch.grid;
    return {cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]};
  }
  // Extents of a watched buffer.
  std::vector<std::int64_t> extents_of(int buffer) const;
  GridShadow* grid_shadow() { return grid_shadow_.get(); }
  // Elements of each watched buffer, where it is watched for that.
  std::vector<std::int64_t> counts(Watch watch) const;

  const Plan& plan;
  const Launch& launch;
  const Options& options;
  Turns* turns = nullptr;  // where CTAs run in turns
  Order order;             // then

 private:
  std::atomic<std::int64_t> last_{INT64_MAX};
  std::mutex mutex_;
  std::condition_variable turn_;
  std::int64_t finding_cta_ = INT64_MAX;
  std::vector<diag::Diagnostic> findings_;
  std::unique_ptr<GridShadow> grid_shadow_;
  Warnings warnings_;
  std::map<std::int64_t, Prints> prints_;  // by CTA; those of the highest numbers are dropped where there are too many
  std::size_t kept_lines_ = 0;
  std::atomic<std::int64_t> last_heard_{INT64_MAX};  // those before it have printed as much as is kept
  Ended ended_first_;
  std::int64_t waiting_ = 0, ended_ = 0, halted_ = 0, round_ = 0;
  std::map<const std::byte*, std::int64_t> arrived_;   // at the barrier of each tensor
  std::map<std::int64_t, AtBarrier> at_barrier_;       // by CTA, of a barrier that cannot be passed any more
  bool dissolved_ = false;  // a grid barrier that cannot be passed any more
  bool cut_off_ = false;    // a CTA has not come to its end
  std::vector<diag::Diagnostic> remarks_;
};

struct AlignedDelete {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;
AlignedBytes aligned_bytes(std::size_t size);

class Cta {
 public:
  explicit Cta(Machine& machine);
  void run(std::int64_t index);  // of the CTA in the grid, x fastest

  std::byte* raw(const Slot& slot) { return frame_.get() + slot.offset; }
  template <class T>
  T* at(const Slot& slot) {
    return reinterpret_cast<T*>(raw(slot));
  }
  const BufferRef& buffer(const Slot& slot) { return *at<BufferRef>(slot); }
  Mask& mask(int number) { return masks_[static_cast<std::size_t>(number)]; }
  std::byte* scratch(int number);  // threads × the longest run × 8 bytes; 0 to 3
  std::byte* pad(int number, std::size_t size);  // grows as asked; 0 to 3

  // The first thread that runs; there is one.
  std::int64_t first(const Mask& mask) const;
  // A thread that runs that lane of an operation with `lanes` of them; -1 where none does.
  std::int64_t runner(const Mask& mask, std::int64_t lanes, std::int64_t lane) const;
  // How many threads run it.
  std::int64_t runners(const Mask& mask, std::int64_t lanes, std::int64_t lane) const;
  // A lane of the slot that some thread runs: CTA-wide operations read their scalars there, since all agree.
  std::int64_t any_lane(const Slot& slot, const Mask& mask) const;
  std::int64_t integer(const Slot& slot, std::int64_t lane);
  std::int64_t whole(const Slot& slot, const Mask& mask) { return integer(slot, any_lane(slot, mask)); }

  void region(const Code& code, Mask& mask);
  void move(const Move& move, const Mask* mask);
  void move_all(const std::vector<Move>& moves, const Mask* mask);

  int threads() const { return threads_; }
  int warps() const { return threads_ / warp_size; }
  std::byte* shared() { return shared_.get(); }
  std::int64_t index() const { return index_; }
  std::int64_t block(int axis) const { return block_[static_cast<std::size_t>(axis)]; }
  bool is_full(const Mask& mask) const { return mask.count == threads_; }
  std::string block_text() const;
  Machine& machine() { return machine_; }
  const ir::Kernel& kernel() const { return *machine_.plan.kernel; }
  // Who is told its steps; null for most.
  Watcher* watcher() const { return index_ == machine_.options.watched_cta ? machine_.options.watcher : nullptr; }
  void report(diag::Diagnostic finding) {
    if (watcher()) watcher()->found(finding);
    machine_.report(index_, std::move(finding));
  }
  void warn(diag::Code code, Span place, Warning warning) { warnings_.add(code, place, std::move(warning)); }
  // Whether a line of `print` would be kept; the `print` is counted.
  bool may_print() {
    ++prints_.executed;
    return prints_on_;
  }
  void print(std::vector<Printed> lines);
  std::uint32_t number_of(const Instr& in) const {
    return static_cast<std::uint32_t>(in.op - &kernel().ops[ir::OpId(std::size_t{0})]);
  }

  // What checking keeps; null where nothing is watched for it.
  ThreadShadow* thread_shadow() { return thread_shadow_.get(); }
  GridShadow* grid_shadow() { return machine_.grid_shadow(); }
  GridShadow::Who who(const Instr& in) {
    return {static_cast<std::uint32_t>(index_), number_of(in), grid_epoch_, (in.watch & watch_own) ? &own_writes_ : nullptr};
  }
  HoleMap& holes() { return holes_; }
  Turns* turns() { return machine_.turns; }
  void add_steps(std::int64_t steps) { steps_ += steps; }
  std::uint64_t hash_of_memory() const;  // of all that decides how it goes on, but the tensors
  // Of a watched tile in memory: a byte an element, 1 where it has been written.
  std::uint8_t* written(int buffer) { return written_[static_cast<std::size_t>(buffer)].data(); }
  // Of such a tile: what the elements are that are 0 there although something was stored. Empty where there are none.
  Holes& stored_holes(int buffer) { return stored_holes_[buffer]; }
  const Holes* find_stored_holes(int buffer) const {
    const auto found = stored_holes_.find(buffer);
    return found == stored_holes_.end() || found->second.at.empty() ? nullptr : &found->second;
  }
  // Of what was read to be printed: a byte an element and lane, 1 where nothing has written it; null where all is.
  std::uint8_t* begin_told_unset(const Slot& slot) {
    std::vector<std::uint8_t>& unset = told_unset_[slot.offset];
    unset.assign(static_cast<std::size_t>(slot.count()), 0);
    return unset.data();
  }
  const std::vector<std::uint8_t>* told_unset(const Slot& slot) const {
    const auto found = told_unset_.find(slot.offset);
    return found == told_unset_.end() ? nullptr : &found->second;
  }
  // The innermost loop that is being run; null outside of any.
  const Instr* loop() const { return loop_; }
  void set_loop(const Instr* loop) { loop_ = loop; }
  // By which statement its last threads have left the kernel; null where they came to the end.
  const ir::Op* returned() const { return returned_; }
  void passed_barrier() {
    if (thread_shadow_) thread_shadow_->barrier();
  }
  // What it wrote before may be overwritten in order from now on: a read of it counts again.
  void passed_release() {
    passed_barrier();
    if (machine_.plan.acquires) own_writes_.clear();
  }
  void passed_grid_barrier() {
    ++grid_epoch_;
    passed_barrier();
  }

 private:
  void set_constants();
  void set_blocks();
  void preset_integer(const Slot& slot, std::int64_t value);
  void step(const Code& code);

  Machine& machine_;
  int threads_;
  std::int64_t index_ = 0;
  std::array<std::int64_t, 3> block_{};
  std::int64_t steps_ = 0;
  AlignedBytes frame_, shared_, scratch_, mask_bytes_;
  std::size_t scratch_size_ = 0;
  std::vector<Mask> masks_;
  std::array<AlignedBytes, 4> pads_;
  std::array<std::size_t, 4> pad_sizes_{};
  std::unique_ptr<ThreadShadow> thread_shadow_;
  std::uint32_t grid_epoch_ = 0;
  OwnWrites own_writes_;  // of the tensors that are read, too
  std::vector<std::vector<std::uint8_t>> written_;
  std::map<int, Holes> stored_holes_;  // by buffer
  HoleMap holes_;
  Warnings warnings_;
  Prints prints_;
  bool prints_on_ = true;  // lines are still kept
  std::map<std::size_t, std::vector<std::uint8_t>> told_unset_;  // by offset in the frame
  const Instr* loop_ = nullptr;
  const ir::Op* returned_ = nullptr;
};

// --- lanes and masks ---

void copy_mask(Mask& to, const Mask& from, int threads);
void clear_mask(Mask& mask, int threads);
void add_mask(Mask& to, const Mask& from, int threads);  // disjoint

// The slot's values, spread to `lanes` lanes: itself where it has as many, else in that scratch.
const void* spread(Cta& cta, const Slot& slot, std::int64_t lanes, int scratch);

}  // namespace phobos::sim
