// Elementwise operations: operands are spread to the result's lanes, then it is one loop. Lanes that do not run are computed
// too, which harms nobody; only a division by zero asks which lanes run.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cta.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

using ir::Opcode;

constexpr std::int64_t most_at_once = 1 << 18;  // elements between two looks at whether the run is to end

template <int operands>
void run_elementwise(Cta& cta, const Instr& in, Mask&) {
  const void* from[3] = {};
  for (int i = 0; i < operands; ++i) from[i] = spread(cta, in.in[static_cast<std::size_t>(i)], in.out.lanes, i);
  const std::int64_t count = in.out.count();
  const auto piece = [&](std::int64_t at, std::int64_t some) {
    const auto offset = [&](const Slot& slot) { return static_cast<std::size_t>(at) * size_of(slot.store); };
    const void* parts[3] = {};
    for (int i = 0; i < operands; ++i) parts[i] = static_cast<const std::byte*>(from[i]) + offset(in.in[static_cast<std::size_t>(i)]);
    std::byte* out = cta.raw(in.out) + offset(in.out);
    in.element(out, parts[0], parts[1], parts[2], some);
    if (in.narrow) in.narrow(out, some);
  };
  if (count <= most_at_once) return piece(0, count);
  for (std::int64_t at = 0; at < count; at += most_at_once) {
    cta.machine().check(cta.index());
    piece(at, std::min(most_at_once, count - at));
  }
}

// It matters only where these elements go.
void leave_holes(Cta& cta, const Instr& in, std::vector<std::int32_t> zeros) {
  if (const Holes* before = cta.holes().find(in.out))
    for (std::size_t i = 0; i < zeros.size(); ++i)
      if (zeros[i] == 0) zeros[i] = before->at[i];
  cta.holes().set(in.out, {std::move(zeros), cta.number_of(in), in.op->results[0].value, true});
}

// The threads that run the lane and take what comes out: the first, -1 for none, and how many.
struct Needed {
  std::int64_t first = -1, count = 0;
};
Needed who_needs(Cta& cta, const Instr& in, const Mask& mask, std::int64_t lane) {
  if (in.guarded < 0) return {cta.runner(mask, in.out.lanes, lane), cta.runners(mask, in.out.lanes, lane)};
  const std::int64_t each = cta.threads() / in.out.lanes, per_guard = cta.threads() / in.guard.lanes;
  const std::uint8_t* condition = cta.at<std::uint8_t>(in.guard);
  Needed needed;
  for (std::int64_t thread = (lane + 1) * each; thread-- > lane * each;)
    if (mask.lanes[thread] && condition[thread / per_guard] == in.guarded) needed.first = thread, ++needed.count;
  return needed;
}

template <class T>
void run_division(Cta& cta, const Instr& in, Mask& mask) {
  const bool remainder = in.op->code == Opcode::Rem;
  const T* a = static_cast<const T*>(spread(cta, in.in[0], in.out.lanes, 0));
  const T* b = static_cast<const T*>(spread(cta, in.in[1], in.out.lanes, 1));
  T* out = cta.at<T>(in.out);
  const bool tile = cta.kernel().type(in.op->results[0]).is_tile();
  const std::int64_t least = in.out.element == ScalarType::I8 ? INT8_MIN : in.out.element == ScalarType::U8 ? 1 : std::numeric_limits<T>::min();
  bool faulty = false;
  std::int64_t thread = 0;
  std::vector<std::int32_t> zeros(tile ? static_cast<std::size_t>(in.out.rows) : 0);
  std::int64_t wrapped = 0, wrapping_thread = 0;
  for (std::int64_t i = 0; i < in.out.count(); ++i) {
    if (b[i] == 0) {
      const std::int64_t runner = who_needs(cta, in, mask, i % in.out.lanes).first;
      if (runner >= 0 && !faulty) thread = runner;
      faulty = faulty || runner >= 0;
      if (tile) zeros[static_cast<std::size_t>(i)] = 1;
      out[i] = 0;
    } else if (b[i] == -1) {  // the least integer wraps
      if (!remainder && a[i] == least) {
        const auto [runner, count] = who_needs(cta, in, mask, i % in.out.lanes);
        if (runner >= 0 && wrapped == 0) wrapping_thread = runner;
        wrapped += tile ? runner >= 0 : count;
      }
      out[i] = remainder ? 0 : static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a[i]));
    } else {
      out[i] = remainder ? a[i] % b[i] : a[i] / b[i];
    }
  }
  if (in.narrow) in.narrow(out, in.out.count());
  if (wrapped > 0)
    cta.warn(diag::Code::LossyConversion, in.op->span,
             {wrapped, cta.index(), wrapping_thread, fmt::format("{} / -1", least), fmt::format("{} and becomes {}", name_of(in.out.element), least)});
  if (!faulty) return;
  if (tile) return leave_holes(cta, in, zeros);
  cta.report(diag::make(diag::Code::IntegerDivisionByZero, {in.op->span}, cta.block_text(), thread));
  throw Halt{};
}

// Whether the result may lie outside of the element type, given operands inside of it.
bool may_grow(Opcode code) {
  switch (code) {
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Select: return false;
    default: return true;
  }
}

}  // namespace

void run_elementwise1(Cta& cta, const Instr& in, Mask& mask) { run_elementwise<1>(cta, in, mask); }
void run_elementwise2(Cta& cta, const Instr& in, Mask& mask) { run_elementwise<2>(cta, in, mask); }

void choose_elementwise(Instr& instr, ScalarType from, bool checks) {
  const Opcode code = instr.op->code;
  const bool compares = code >= Opcode::CmpEq && code <= Opcode::CmpGe;
  if (!compares && may_grow(code)) instr.narrow = narrow_function(instr.out.element);
  if ((code == Opcode::Div || code == Opcode::Rem) && !is_float(from)) {
    instr.run = store_of(from) == Store::I32 ? run_division<std::int32_t> : run_division<std::int64_t>;
    return;
  }
  instr.element = code == Opcode::Convert ? conversion_function(from, instr.out.element) : math_function(code, from);
  if (!instr.element) instr.element = arithmetic_function(code, from);
  instr.run = instr.in.size() == 1 ? run_elementwise<1> : instr.in.size() == 2 ? run_elementwise<2> : run_elementwise<3>;
  if (!checks) return;
  if (code == Opcode::Convert && may_lose(from, instr.out.element)) instr.run = run_watched_conversion;
  if (code == Opcode::Shl || code == Opcode::Shr) instr.run = run_watched_shift;
}

}  // namespace phobos::sim
