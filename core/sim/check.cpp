// Holds what was inferred of a value against what the threads have computed, and of control against who has come.
#include <cstring>

#include "cta.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

// The first running thread from `begin` below `end` whose lane differs from `model`'s; -1 where none does.
template <class T>
std::int64_t odd_one(const T* values, const Mask& mask, std::int64_t begin, std::int64_t end, std::int64_t model) {
  for (std::int64_t i = begin; i < end; ++i)
    if (mask.lanes[i] && values[i] != values[model]) return i;
  return -1;
}

struct Pair {
  std::int64_t one = -1, other = -1;
};

template <class T>
Pair compare(const T* values, const Mask& mask, std::int64_t threads, std::int64_t group) {
  for (std::int64_t begin = 0; begin < threads; begin += group) {
    const void* found = std::memchr(mask.lanes + begin, 1, static_cast<std::size_t>(group));
    if (!found) continue;
    const std::int64_t model = static_cast<const std::uint8_t*>(found) - mask.lanes;
    const std::int64_t other = odd_one(values, mask, begin, begin + group, model);
    if (other >= 0) return {model, other};
  }
  return {};
}

}  // namespace

void run_check_kind(Cta& cta, const Instr& in, Mask& mask) {
  const Slot& slot = in.in[0];
  const auto kind = static_cast<Kind>(in.place);
  const std::int64_t threads = cta.threads(), group = kind == Kind::Uniform ? threads : warp_size;
  Pair pair;
  for (std::int64_t row = 0; row < slot.rows && pair.one < 0; ++row) {
    const std::byte* values = cta.raw(slot) + static_cast<std::size_t>(row * threads) * size_of(slot.store);
    switch (size_of(slot.store)) {
      case 1: pair = compare(reinterpret_cast<const std::uint8_t*>(values), mask, threads, group); break;
      case 4: pair = compare(reinterpret_cast<const std::uint32_t*>(values), mask, threads, group); break;
      default: pair = compare(reinterpret_cast<const std::uint64_t*>(values), mask, threads, group);
    }
  }
  if (pair.one < 0) return;
  const Span place = in.op ? in.op->span : Span{};
  cta.report(diag::make(diag::Code::KindViolated, {place}, name_of(kind), pair.one, pair.other, cta.block_text()));
  throw Halt{};
}

void run_check_reached(Cta& cta, const Instr& in, Mask& mask) {
  if (cta.is_full(mask)) return;
  cta.report(diag::make(diag::Code::BarrierMissed, {in.op->span}, ir::info(in.op->code).mnemonic, mask.count, cta.threads(),
                        cta.block_text()));
  throw Halt{};
}

}  // namespace phobos::sim
