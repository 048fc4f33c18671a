// Control under masks.
//
// A region runs for the threads of a mask and gives back those of them that reach its end. Threads that leave early go into the
// mask of whom they leave (an iteration, a loop, a scope) or, by a return, nowhere; their values lie in the targets already. So
// behind an `if` go those that came to the end of either branch, and behind a loop those that ended or broke it. Where the
// condition is the same for all, nothing is split.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "cta.h"
#include "handlers.h"
#include "turns.h"

namespace phobos::sim {
namespace {

template <class T>
void move_lanes(Cta& cta, const Move& move, const Mask* mask) {
  const T* from = cta.at<T>(move.from);
  T* to = cta.at<T>(move.to);
  const std::int64_t lanes = move.to.lanes, from_lanes = move.from.lanes;
  if (!mask && lanes == from_lanes) {
    std::memcpy(to, from, move.to.bytes());
    return;
  }
  for (std::int64_t row = 0; row < move.to.rows; ++row, from += from_lanes, to += lanes) {
    if (mask && lanes == cta.threads() && from_lanes == lanes) {
      for (std::int64_t i = 0; i < lanes; ++i) to[i] = mask->lanes[i] ? from[i] : to[i];
      continue;
    }
    for (std::int64_t i = 0; i < lanes; ++i) {
      if (mask && cta.runner(*mask, lanes, i) < 0) continue;
      to[i] = from[from_lanes == 1 ? 0 : from_lanes == lanes ? i : i / (lanes / from_lanes)];
    }
  }
}

// Splits `mask`, which may be one of the two, by a condition with a lane for each thread or warp.
void split(Cta& cta, const Mask& mask, const Slot& condition, Mask& yes, Mask& no) {
  const auto* values = static_cast<const std::uint8_t*>(spread(cta, condition, cta.threads(), 0));
  const int all = mask.count;
  int count = 0;
  for (int i = 0; i < cta.threads(); ++i) {
    const std::uint8_t runs = mask.lanes[i];
    yes.lanes[i] = runs & values[i];
    no.lanes[i] = static_cast<std::uint8_t>(runs & (values[i] ^ 1));
    count += yes.lanes[i];
  }
  yes.count = count;
  no.count = all - count;
}

// The masks of a loop that threads may leave one by one.
struct LoopMasks {
  Mask &running, &continued, &done;
  LoopMasks(Cta& cta, const Control& control)
      : running(cta.mask(control.masks)), continued(cta.mask(control.masks + 1)), done(cta.mask(control.masks + 2)) {}
};

void end_of_round(Cta& cta, const Instr& in, const Mask& mask) {
  if (in.control->may_wait && cta.turns()) cta.turns()->end_of_round(in, !cta.is_full(mask));
}

// The loop that is being run, for as long as this lives.
class Inside {
 public:
  Inside(Cta& cta, const Instr& loop) : cta_(cta), outer_(cta.loop()) { cta.set_loop(&loop); }
  ~Inside() { cta_.set_loop(outer_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Cta& cta_;
  const Instr* outer_;
};

// A loop that reads nothing of what is written does the same again where it comes back to what it was. Of a loop that has gone on for
// long a few rounds are compared, now and then.
class Rounds {
 public:
  Rounds(Cta& cta, const Instr& in) : cta_(cta), in_(in) {}

  // Behind each, with the threads that are to begin another.
  void next(const Mask& running) {
    ++count_;
    if (count_ < first || in_.control->may_wait) return;
    if (count_ == watched_ * 2 || count_ == first) {
      watched_ = count_;
      memory_ = cta_.hash_of_memory();
    } else if (count_ - watched_ <= compared && cta_.hash_of_memory() == memory_) {
      const std::string whose = cta_.is_full(running) ? "" : fmt::format(" for thread {}", cta_.first(running));
      const std::int64_t period = count_ - watched_;
      cta_.report(diag::make(diag::Code::EndlessWait, {in_.control->header}, "while",
                             period == 1 ? fmt::format("nothing changes any more{}", whose)
                                         : fmt::format("every {} rounds all is as it was{}", period, whose),
                             cta_.block_text()));
      throw Halt{};
    }
  }

 private:
  static constexpr std::int64_t first = 4096, compared = 16;
  Cta& cta_;
  const Instr& in_;
  std::int64_t count_ = 0, watched_ = 0;
  std::uint64_t memory_ = 0;
};

void body(Cta& cta, const Instr& in, const Control& control, LoopMasks& masks) {
  clear_mask(masks.continued, cta.threads());
  cta.region(control.regions.back(), masks.running);
  add_mask(masks.running, masks.continued, cta.threads());
  cta.move_all(control.commit, nullptr);
  end_of_round(cta, in, masks.running);
}

// These end the loop here, with what it carries.
void finish(Cta& cta, const Control& control, const Mask& ending, Mask& done) {
  if (ending.count == 0) return;
  cta.move_all(control.finish, &ending);
  add_mask(done, ending, cta.threads());
}

void note_wait(Cta& cta, const Control& control) {
  if (!control.polls) return;
  const ir::Op& read = *control.polls;
  cta.machine().remark(diag::make(diag::Code::PlainWait, {read.span}, cta.kernel()[read.operands[0]].name));
}

void set_variable(Cta& cta, const Slot& slot, std::int64_t value) {
  if (slot.store == Store::I32) std::fill_n(cta.at<std::int32_t>(slot), slot.lanes, static_cast<std::int32_t>(value));
  else std::fill_n(cta.at<std::int64_t>(slot), slot.lanes, value);
}

// Whether a loop with these bounds takes a turn. Where the step is not positive other devices take none.
bool begins(Cta& cta, const Instr& in, std::int64_t begin, std::int64_t end, std::int64_t step, std::int64_t thread) {
  if (begin >= end) return false;
  if (step > 0) return true;
  cta.report(diag::make(diag::Code::RangeStep, {in.control->header}, step, "a step is positive", cta.block_text(), thread));
  throw Halt{};
}

// The next value of the variable, or nothing at the end. The distance is unsigned: it may be more than an int64 holds.
bool advance(std::int64_t& value, std::int64_t end, std::int64_t step) {
  if (static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(step)) return false;
  value += step;
  return true;
}

void for_together(Cta& cta, const Instr& in, const Control& control, Mask& mask) {
  std::int64_t value = cta.whole(in.in[0], mask);
  const std::int64_t end = cta.whole(in.in[1], mask), step = cta.whole(in.in[2], mask);
  bool more = begins(cta, in, value, end, step, cta.first(mask));
  if (!control.leaves) {
    for (; more; more = advance(value, end, step)) {
      set_variable(cta, control.variable, value);
      cta.region(control.regions[0], mask);
      end_of_round(cta, in, mask);
    }
    return cta.move_all(control.finish, cta.is_full(mask) ? nullptr : &mask);
  }
  LoopMasks masks(cta, control);
  copy_mask(masks.running, mask, cta.threads());
  clear_mask(masks.done, cta.threads());
  for (; more && masks.running.count > 0; more = masks.running.count > 0 && advance(value, end, step)) {
    set_variable(cta, control.variable, value);
    body(cta, in, control, masks);
  }
  finish(cta, control, masks.running, masks.done);
  copy_mask(mask, masks.done, cta.threads());
}

// Bounds that differ: each thread has its own variable, end and step.
void for_apart(Cta& cta, const Instr& in, const Control& control, Mask& mask) {
  const int threads = cta.threads();
  LoopMasks masks(cta, control);
  copy_mask(masks.running, mask, threads);
  clear_mask(masks.done, threads);
  Mask& ending = masks.continued;  // not in use between iterations
  const auto lane_of = [&](const Slot& slot, int thread) -> std::int64_t {
    return slot.lanes == 1 ? 0 : slot.lanes == threads ? thread : thread / warp_size;
  };
  const auto bound = [&](int i, int thread) {
    const Slot& slot = in.in[static_cast<std::size_t>(i)];
    return cta.integer(slot, lane_of(slot, thread));
  };
  const auto set = [&](int thread, std::int64_t value) {
    const std::int64_t lane = lane_of(control.variable, thread);
    if (control.variable.store == Store::I32) cta.at<std::int32_t>(control.variable)[lane] = static_cast<std::int32_t>(value);
    else cta.at<std::int64_t>(control.variable)[lane] = value;
  };
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads));
  for (bool first = true;; first = false) {
    clear_mask(ending, threads);
    for (int i = 0; i < threads; ++i) {
      if (!masks.running.lanes[i]) continue;
      std::int64_t& value = values[static_cast<std::size_t>(i)];
      if (first) value = bound(0, i);
      const bool goes_on = first ? begins(cta, in, value, bound(1, i), bound(2, i), i) : advance(value, bound(1, i), bound(2, i));
      if (goes_on) set(i, value);
      else ending.lanes[i] = 1, masks.running.lanes[i] = 0, ++ending.count, --masks.running.count;
    }
    finish(cta, control, ending, masks.done);
    if (masks.running.count == 0) break;
    body(cta, in, control, masks);
  }
  copy_mask(mask, masks.done, threads);
}

}  // namespace

const void* spread(Cta& cta, const Slot& slot, std::int64_t lanes, int scratch) {
  if (slot.lanes == lanes) return cta.raw(slot);
  std::byte* out = cta.scratch(scratch);
  const auto copy = [&]<class T>(T*) {
    const T* from = cta.at<T>(slot);
    T* to = reinterpret_cast<T*>(out);
    const std::int64_t each = lanes / slot.lanes;
    for (std::int64_t i = 0; i < slot.count(); ++i) std::fill_n(to + i * each, each, from[i]);
  };
  switch (size_of(slot.store)) {
    case 1: copy(static_cast<std::uint8_t*>(nullptr)); break;
    case 4: copy(static_cast<std::uint32_t*>(nullptr)); break;
    default: copy(static_cast<std::uint64_t*>(nullptr));
  }
  return out;
}

void Cta::move(const Move& one, const Mask* mask) {
  if (holes_.any()) holes_.move(one.from, one.to);
  switch (one.to.store) {
    case Store::Bool: return move_lanes<std::uint8_t>(*this, one, mask);
    case Store::F32:
    case Store::I32: return move_lanes<std::uint32_t>(*this, one, mask);
    case Store::Buffer: return move_lanes<BufferRef>(*this, one, mask);
    default: return move_lanes<std::uint64_t>(*this, one, mask);
  }
}

void Cta::move_all(const std::vector<Move>& moves, const Mask* mask) {
  for (const Move& one : moves) move(one, mask);
}

void Cta::region(const Code& code, Mask& mask) {
  step(code);
  for (const Instr& instr : code.instrs) {
    if (instr.idle && !prints_on_) continue;
    if (instr.large) machine_.check(index_);
    if (holes_.any()) holes_.propagate(instr, *this);
    instr.run(*this, instr, mask);
    if (mask.count == 0) return;
  }
  const Exit& exit = code.exit;
  move_all(exit.saves, nullptr);
  move_all(exit.moves, exit.masked && !is_full(mask) ? &mask : nullptr);
  if (!exit.leaves) return;
  if (exit.returned) returned_ = exit.returned;
  if (exit.collect != no_mask) add_mask(masks_[static_cast<std::size_t>(exit.collect)], mask, threads_);
  clear_mask(mask, threads_);
}

void run_if(Cta& cta, const Instr& in, Mask& mask) {
  const Control& control = *in.control;
  if (control.condition.lanes == 1) return cta.region(control.regions[*cta.at<std::uint8_t>(control.condition) ? 0 : 1], mask);
  Mask &yes = cta.mask(control.masks), &no = cta.mask(control.masks + 1);
  split(cta, mask, control.condition, yes, no);
  if (yes.count == 0) return cta.region(control.regions[1], mask);
  if (no.count == 0) return cta.region(control.regions[0], mask);
  cta.region(control.regions[0], yes);
  cta.region(control.regions[1], no);
  add_mask(yes, no, cta.threads());
  copy_mask(mask, yes, cta.threads());
}

void run_for(Cta& cta, const Instr& in, Mask& mask) {
  const Control& control = *in.control;
  cta.move_all(control.enter, nullptr);
  const Inside inside(cta, in);
  note_wait(cta, control);
  const bool together = std::all_of(in.in.begin(), in.in.begin() + 3, [](const Slot& slot) { return slot.lanes == 1; });
  if (together) for_together(cta, in, control, mask);
  else for_apart(cta, in, control, mask);
}

void run_while(Cta& cta, const Instr& in, Mask& mask) {
  const Control& control = *in.control;
  const int threads = cta.threads();
  cta.move_all(control.enter, nullptr);
  const Inside inside(cta, in);
  note_wait(cta, control);
  Rounds rounds(cta, in);
  LoopMasks masks(cta, control);
  copy_mask(masks.running, mask, threads);
  clear_mask(masks.done, threads);
  while (masks.running.count > 0) {
    clear_mask(masks.continued, threads);
    cta.region(control.regions[0], masks.running);
    if (masks.running.count == 0) break;
    if (control.condition.lanes > 1) {
      Mask &running = masks.running, &ending = masks.continued;
      clear_mask(ending, threads);
      split(cta, running, control.condition, running, ending);
      finish(cta, control, ending, masks.done);
    } else if (!*cta.at<std::uint8_t>(control.condition)) {
      finish(cta, control, masks.running, masks.done);
      break;
    }
    if (masks.running.count == 0) break;
    cta.move_all(control.pass, nullptr);
    body(cta, in, control, masks);
    rounds.next(masks.running);
  }
  copy_mask(mask, masks.done, threads);
}

void run_scope(Cta& cta, const Instr& in, Mask& mask) {
  const Control& control = *in.control;
  if (!control.leaves) return cta.region(control.regions[0], mask);
  Mask &inside = cta.mask(control.masks), &left = cta.mask(control.masks + 1);
  copy_mask(inside, mask, cta.threads());
  clear_mask(left, cta.threads());
  cta.region(control.regions[0], inside);
  add_mask(left, inside, cta.threads());
  copy_mask(mask, left, cta.threads());
}

}  // namespace phobos::sim
