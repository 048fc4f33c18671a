// A kernel made ready to run: a tree of instruction lists, each instruction a function and the slots that it works on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <phobos/ir/ir.h>

#include "value.h"
#include "watch.h"

namespace phobos::sim {

class Cta;
struct Control;

// out[i] = f(a[i], b[i], c[i]) for i below n; the types are known to who chose the function.
using ElementFunction = void (*)(void* out, const void* a, const void* b, const void* c, std::int64_t n);
// Brings values back to what the element type holds: rounds to f16, wraps to i8.
using NarrowFunction = void (*)(void* values, std::int64_t n);

struct Instr {
  void (*run)(Cta&, const Instr&, Mask&) = nullptr;
  const ir::Op* op = nullptr;
  Slot out;
  std::vector<Slot> in;
  ElementFunction element = nullptr;
  NarrowFunction narrow = nullptr;
  std::size_t place = 0;  // Alloc: offset in shared memory
  int buffer = -1;        // of what it accesses, among Plan::watched
  std::uint8_t watch = 0;
  bool large = false;     // works on so many elements that the run may be stopped before it
  bool told = false;      // only `print` asks for what it gives
  Slot guard;             // a division: the condition of the `where` that alone takes its result,
  std::int8_t guarded = -1;  // and its value there; -1: there is none
  bool idle = false;      // which may be left out where nothing more is printed, since it can find nothing
  std::unique_ptr<Control> control;
};

struct Move {
  Slot from, to;
};

constexpr int no_mask = -1;

// What the end of a region does with the threads that reach it.
struct Exit {
  bool leaves = false;     // they do not go on behind the operation that the region belongs to
  const ir::Op* returned = nullptr;  // they leave the kernel here, before its end
  bool masked = false;     // other threads' values are in the targets already
  int collect = no_mask;   // the mask that gathers them: continued, broken out, or left
  std::vector<Move> saves; // first, since the moves would overwrite them
  std::vector<Move> moves;
};

struct Code {
  std::vector<Instr> instrs;
  Exit exit;
};

// Of an operation with regions. Masks are by number; those of operations that do not nest share numbers.
struct Control {
  std::vector<Code> regions;
  Slot condition;             // if, while
  Slot variable;              // for
  bool leaves = false;        // some thread may leave it other than by its end
  bool may_wait = false;      // a loop that reads what another CTA may write
  const ir::Op* polls = nullptr;  // the plain read that a `while` waits at: it changes nothing itself
  Span header;                // of a loop: up to its condition or its bounds
  int masks = no_mask;        // first of the numbers: if: then, else; loops: running, continued, done; scope: inside, left
  std::vector<Move> enter;    // initial values → carried
  std::vector<Move> commit;   // next values → carried, where an iteration may end early
  std::vector<Move> finish;   // carried → results
  std::vector<Move> pass;     // while: condition's values → the body's arguments
};

// Set before the code runs: by whom and how often says the list that it stands in.
struct Preset {
  Slot slot;
  const ir::Op* op = nullptr;        // a constant or a field of ctx
};

struct Plan {
  const ir::Kernel* kernel = nullptr;
  bool check_kinds = false;
  bool waits = false;                // CTAs may wait for each other: all of them have to be live
  bool barriers = false;             // they do, all for all
  bool acquires = false;             // they do, one for another, and say so
  bool turns = false;                // what a CTA sees depends on which one ran before it: one at a time
  bool checks = false;
  std::vector<Watched> watched;
  Code body;
  std::vector<Slot> arguments;       // of the kernel's body
  std::vector<Preset> constants;     // the same in every CTA
  std::vector<Preset> blocks;        // of this CTA
  std::size_t frame_bytes = 0, shared_bytes = 0;
  int masks = 0;
  std::int64_t longest_run = 1;
};

// `checks`: accesses are watched; `several_ctas`: between CTAs as well.
Plan make_plan(const ir::Kernel& kernel, bool check_kinds, bool checks, bool several_ctas);

}  // namespace phobos::sim
