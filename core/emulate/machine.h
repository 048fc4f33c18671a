// The threads of a launch, their order, where they meet, and what they may touch. Knows nothing of LLVM: the compiled kernel is a
// function that each thread calls, and what it asks for arrives here by way of host.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <phobos/emulate/emulate.h>
#include <phobos/support/random.h>

#include "fiber.h"

namespace phobos::emulate {

// Where an instruction that is watched stands in the source.
struct Site {
  int line = 0, column = 0;
  std::string what;  // `load`, `barrier`
};
using SiteId = std::uint32_t;

enum class WarpOp : std::uint32_t { ShuffleXor, ShuffleUp, ShuffleDown, ShuffleFrom, VoteAll, VoteAny, Add, Max, UMax, Min, UMin, Elect };
// What a warp does together with several words of each lane.
enum class MatrixOp : std::uint32_t { Load2, Load2Turned, Load4, Load4Turned, MultiplyF16, MultiplyBF16, MultiplyTf32, MultiplyI8, MultiplyU8, Store4, Quad4 };
// A product of `wgmma`: 64 rows of A and n columns of B, 32 bytes along k, swizzled in shared memory; A may be in registers. Sums of floats
// are f32, of bytes i32.
enum class Factor : std::uint32_t { F16, BF16, I8, U8, TF32 };
struct GroupProduct {
  Factor factor;
  bool along_k, registers;
  std::uint32_t n;
};
enum class Register : std::uint32_t { Thread, BlockX, BlockY, BlockZ, BlocksX, BlocksY, BlocksZ };

// Of an access: its address space, and what it does.
namespace access {
inline constexpr std::uint32_t shared = 1, write = 2, atomic = 4, constant = 8;
}

class Machine {
 public:
  using Kernel = void (*)(const std::uint64_t* arguments);
  Machine(const Launch& launch, const Options& options, std::vector<Site> sites);
  ~Machine();

  Outcome run(Kernel kernel);

  // Called by the running thread.
  static Machine& current();
  std::uint32_t special_register(Register which) const;
  std::byte* shared_memory() const;
  // Of so many threads; 0: all of the CTA.
  void barrier(std::uint32_t number, std::uint32_t threads, SiteId site);
  void arrive_at_barrier(std::uint32_t number, std::uint32_t threads, SiteId site);
  void trap(SiteId site);  // stops the launch
  std::uint32_t warp(WarpOp op, std::uint32_t value, std::uint32_t lane, SiteId site);
  // `in` and `out` are the lane's own words; of a load, `in` is the address of a row.
  void matrices(MatrixOp op, const std::uint32_t* in, std::uint32_t* out, SiteId site);
  // Adds this thread's share to its n / 2 sums. What is read has to stay as it is until `wait_for_groups` says that it is over. `a` and `b`:
  // descriptors, or the address of this lane's four words.
  void multiply_by_groups(const GroupProduct& product, std::uint64_t a, std::uint64_t b, void* sums, SiteId site);
  void begin_groups(SiteId site);
  void commit_groups(SiteId site);
  void wait_for_groups(std::uint32_t groups);
  // Barriers with phases, in shared memory: as many arrive in each as it was made for, and the bytes that they expect get there.
  void make_phases(std::uintptr_t at, std::uint32_t arrivals, SiteId site);
  void arrive(std::uintptr_t at, std::uint32_t bytes, SiteId site);
  void wait_for_phase(std::uintptr_t at, std::uint32_t phase, SiteId site);
  // A box of a tensor into shared memory, there at the latest when somebody waits for the barrier's phase; or out of it, at the latest when
  // this thread waits.
  void load_box(std::uintptr_t to, const TensorMap& map, std::uintptr_t barrier, std::int32_t x, std::int32_t y, SiteId site);
  void store_box(const TensorMap& map, std::uintptr_t from, std::int32_t x, std::int32_t y, SiteId site);
  void commit_boxes();
  void wait_for_boxes(std::uint32_t groups);
  void publish();  // what this thread has written to shared memory, to copies out of it and to products
  void set_registers(std::uint32_t count, bool more, SiteId site);
  // 16 bytes to shared memory, of which the first `bytes` are read and the rest is 0. They get there when this thread waits for them.
  void copy(std::uintptr_t to, std::uintptr_t from, std::uint32_t bytes, SiteId site);
  void commit_copies();
  void wait_for_copies(std::uint32_t groups);
  // What the card's printf does.
  void print(const char* format, const std::uint64_t* values);
  // One of the budget's steps; returns only where some is left.
  void spend(SiteId site);
  // Of a thread's own. Returns only where it is allowed.
  void access(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment, std::uint32_t how, SiteId site);

 private:
  enum class State { Ready, AtBarrier, AtPhase, ForRegisters, InWarp, InMatrices, Done };
  struct Thread;
  struct Cta;
  struct Memory;
  struct Phases;
  struct Box;

  Thread& next_thread();
  void run_wave(std::int64_t first, std::int64_t count);
  void meet(std::uint32_t number, std::uint32_t threads, SiteId site);
  void leave_barrier(Cta& cta, std::uint32_t number);
  Phases& phases_at(std::uintptr_t at, SiteId site);
  void settle(Phases& phases, SiteId site);
  void finish_boxes(Phases& phases, SiteId site);
  void move(const Box& box, bool out);
  void check(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment, std::uint32_t how, SiteId site);
  void note_write(std::uintptr_t address, std::uint32_t bytes);
  void check_published(std::uint32_t first, std::uint32_t end, const char* what, SiteId site);  // bytes of shared memory
  void wake(Cta& cta, State from, const Phases* phases = nullptr);
  Memory& memory_of(const TensorMap& map);
  void exchange(Cta& cta, std::uint32_t warp);
  void multiply(Cta& cta, std::uint32_t warp);
  void report_stuck(std::vector<std::unique_ptr<Cta>>& ctas);
  void fault(SiteId site, std::string message);
  [[noreturn]] void stop(SiteId site, std::string message);  // from a thread, which never goes on
  void wait(State state);
  static void thread_body(void* thread);
  std::string name_of(const Thread& thread) const;

  const Launch& launch_;
  const Options& options_;
  std::vector<Site> sites_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<std::uint64_t> arguments_;
  std::vector<Memory*> by_argument_;
  std::vector<Stack> stacks_;
  std::vector<Thread*> ready_;
  Kernel kernel_ = nullptr;
  Thread* running_ = nullptr;
  SplitMix64 random_;
  Outcome outcome_;
};

}  // namespace phobos::emulate
