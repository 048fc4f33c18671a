// Barriers, and atomics on the host's memory: CTAs run at the same time.
#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "cta.h"
#include "element.h"
#include "handlers.h"
#include "observe.h"
#include "findings.h"
#include "turns.h"

namespace phobos::sim {
namespace {

constexpr std::int64_t steps_of_atomic = 15;  // beside its own; what it takes, roughly, where CTAs take turns

// The element that a CTA-wide access names; stops the CTA where there is none.
std::byte* element_at(Cta& cta, const Instr& in, const Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  const std::int64_t index = cta.whole(in.in[1], mask);
  if (index >= 0 && index < buffer.count && in.watch) observe_atomic(cta, in, index);
  if (index >= 0 && index < buffer.count) return buffer.data + index * phobos::size_of(cta.kernel().type(in.op->operands[0]).element);
  const std::string& name = cta.kernel()[in.op->operands[0]].name;
  cta.report(diag::make(diag::Code::OutOfBounds, {in.op->span}, name, outside_by(index), index, 0, buffer.count, cta.block_text(),
                        cta.first(mask)));
  throw Halt{};
}

template <class T>
T value_of(Cta& cta, const Slot& slot, const Mask& mask) {
  return cta.at<T>(slot)[cta.any_lane(slot, mask)];
}

template <class T>
T update(ir::AtomicOp op, std::atomic_ref<T> target, T value, T expected) {
  constexpr auto relaxed = std::memory_order_relaxed;
  if (op == ir::AtomicOp::Add) return target.fetch_add(value, relaxed);
  if (op == ir::AtomicOp::Exchange) return target.exchange(value, relaxed);
  if (op == ir::AtomicOp::CompareExchange) {
    target.compare_exchange_strong(expected, value, relaxed);
    return expected;
  }
  T old = target.load(relaxed);
  while (!target.compare_exchange_weak(old, op == ir::AtomicOp::Max ? std::max(old, value) : std::min(old, value), relaxed)) {
  }
  return old;
}

// A CTA that goes round a loop asks this.
template <class T>
void ask(Cta& cta, const Instr& in, const Mask& mask, T value) {
  const ir::Value& tensor = cta.kernel()[in.op->operands[0]];
  const BufferRef& buffer = cta.buffer(in.in[0]);
  const std::vector<std::int64_t> extents(buffer.extents.begin(), buffer.extents.begin() + tensor.type.rank());
  cta.turns()->asked(in, element_text(tensor.name, extents, cta.whole(in.in[1], mask)), fmt::format("{}", +value));
}

template <class T>
void run_atomic_as(Cta& cta, const Instr& in, const Mask& mask) {
  T& place = *reinterpret_cast<T*>(element_at(cta, in, mask));
  const T value = value_of<T>(cta, in.in[2], mask);
  const T expected = in.in.size() > 3 ? value_of<T>(cta, in.in[3], mask) : T();
  const T old = update(static_cast<ir::AtomicOp>(in.op->immediate), std::atomic_ref<T>(place), value, expected);
  std::fill_n(cta.at<T>(in.out), in.out.lanes, old);
  if (!cta.turns()) return;
  cta.add_steps(steps_of_atomic);
  if (place != old) cta.turns()->wrote();
  ask(cta, in, mask, old);
  cta.turns()->met(place != old);
}

}  // namespace

// All threads of the CTA are at one place anyway.
void run_barrier(Cta& cta, const Instr&, Mask&) { cta.passed_barrier(); }

void run_grid_barrier(Cta& cta, const Instr& in, Mask&) {
  const Machine::AtBarrier here{in.op, cta.buffer(in.in[0]).data};
  const bool passed = cta.turns() ? cta.turns()->grid_barrier(here) : cta.machine().grid_barrier(cta.index(), here);
  if (passed) return cta.passed_grid_barrier();
  Machine& machine = cta.machine();
  const auto block = [&](std::int64_t index) { return "block " + block_text(machine.block_of(index)); };
  const auto [other, other_op] = machine.at_other_barrier(here);
  const Machine::Ended ended = machine.first_ended();
  const auto name = [&](const ir::Op& barrier) { return cta.kernel()[barrier.operands[0]].name; };
  const std::string why = other >= 0 ? fmt::format("it counts in `{}`, and {} waits at one that counts in `{}`", name(*in.op), block(other), name(*other_op))
                          : ended.cta >= 0 ? block(ended.cta) + " has ended without reaching it"
                                           : "some CTA has ended without reaching it";
  diag::Diagnostic finding = diag::make(diag::Code::EndlessWait, {in.op->span}, "grid_barrier", why, cta.block_text());
  if (other >= 0) finding.related.push_back({{other_op->span}, block(other) + " waits here"});
  else if (ended.by) finding.related.push_back({{ended.by->span}, block(ended.cta) + " returned here"});
  cta.report(std::move(finding));
  throw Halt{};
}

void run_atomic(Cta& cta, const Instr& in, Mask& mask) {
  switch (in.out.element) {
    case ScalarType::F32: return run_atomic_as<float>(cta, in, mask);
    case ScalarType::I32: return run_atomic_as<std::int32_t>(cta, in, mask);
    default: return run_atomic_as<std::int64_t>(cta, in, mask);
  }
}

void run_load_acquire(Cta& cta, const Instr& in, Mask& mask) {
  with_element(in.out.element, [&](auto element) {
    using E = decltype(element);
    auto& place = *reinterpret_cast<typename E::Raw*>(element_at(cta, in, mask));
    const auto value = E::load(std::atomic_ref(place).load(std::memory_order_acquire));
    std::fill_n(cta.at<typename E::Held>(in.out), in.out.lanes, value);
    if (cta.turns()) ask(cta, in, mask, value);
  });
  cta.passed_barrier();
  if (GridShadow* shadow = cta.grid_shadow())
    shadow->acquire(in.op->operands[0].value, cta.whole(in.in[1], mask), cta.who(in).cta);
  if (cta.turns()) cta.turns()->met(false);
}

void run_store_release(Cta& cta, const Instr& in, Mask& mask) {
  cta.passed_release();
  if (GridShadow* shadow = cta.grid_shadow())
    shadow->release(in.op->operands[0].value, cta.whole(in.in[1], mask), cta.who(in).cta);
  with_element(in.in[2].element, [&](auto element) {
    using E = decltype(element);
    auto& place = *reinterpret_cast<typename E::Raw*>(element_at(cta, in, mask));
    std::atomic_ref(place).store(E::store(value_of<typename E::Held>(cta, in.in[2], mask)), std::memory_order_release);
  });
  if (!cta.turns()) return;
  cta.turns()->wrote();
  cta.turns()->met(true);
}

}  // namespace phobos::sim
