// Folds over the threads that run, and shuffles. A warp is folded as a butterfly does it: lanes 16 apart first, then 8, 4, 2, 1;
// a CTA as its warps, then their results one after the other. So float sums are taken in the order of the emitted code, and like
// there a fold of 16-bit floats is kept in f32 and rounded once.
#include <algorithm>

#include "cta.h"
#include "element.h"
#include "extremes.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

using ir::FoldOp;

template <class T>
T join(FoldOp op, T a, T b) {
  switch (op) {
    case FoldOp::Sum:
      if constexpr (std::is_floating_point_v<T>) return a + b;
      else return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    case FoldOp::Max: return maximum(a, b);
    case FoldOp::Min: return minimum(a, b);
    default: break;
  }
  if constexpr (std::is_integral_v<T>) return op == FoldOp::Any ? a | b : a & b;  // of bools only
  else return a;
}

// Folds the lanes of a warp into the first, those that do not run left out. Whether any runs.
template <class T>
bool butterfly(FoldOp op, T* values, bool* runs) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    for (int i = 0; i < distance; ++i) {
      if (!runs[i + distance]) continue;
      values[i] = runs[i] ? join(op, values[i], values[i + distance]) : values[i + distance];
      runs[i] = true;
    }
  return runs[0];
}

template <class T>
void fold_threads(Cta& cta, const Instr& in, const Mask& mask) {
  const FoldOp op = ir::collective_fold(in.op->immediate);
  const auto* x = static_cast<const T*>(spread(cta, in.in[0], cta.threads(), 0));
  T results[warp_size] = {}, total = {};
  bool any = false;
  for (int warp = 0; warp < cta.warps(); ++warp) {
    T values[warp_size];
    bool runs[warp_size];
    std::copy_n(x + warp * warp_size, warp_size, values);
    std::copy_n(mask.lanes + warp * warp_size, warp_size, runs);
    const bool there = butterfly(op, values, runs);
    results[warp] = values[0];
    if (there) total = any ? join(op, total, values[0]) : values[0];
    any |= there;
  }
  T* out = cta.at<T>(in.out);
  const std::int64_t warps = cta.warps(), each = std::max<std::int64_t>(1, in.out.lanes / warps);
  const bool whole = ir::collective_scope(in.op->immediate) == ir::Scope::Thread;
  for (std::int64_t lane = 0; lane < in.out.lanes; ++lane)
    out[lane] = whole ? total : results[in.out.lanes >= warps ? lane / each : cta.first(mask) / warp_size];
  if (in.narrow) in.narrow(out, in.out.lanes);
}

// The lane of the warp that a thread reads.
int source_lane(ir::ShuffleMode mode, int lane, std::int64_t operand) {
  const auto within = [&](std::int64_t source) { return source >= 0 && source < warp_size ? static_cast<int>(source) : lane; };
  if (mode == ir::ShuffleMode::From) return static_cast<int>(operand & (warp_size - 1));
  if (mode == ir::ShuffleMode::Xor) return within(lane ^ operand);
  if (operand <= -warp_size || operand >= warp_size) return lane;
  return within(mode == ir::ShuffleMode::Up ? lane - operand : lane + operand);
}

template <class T>
void shuffle(Cta& cta, const Instr& in, const Mask& mask) {
  const auto* x = static_cast<const T*>(spread(cta, in.in[0], in.out.lanes, 0));
  T* out = cta.at<T>(in.out);
  if (in.out.lanes < cta.threads()) {  // the same in all lanes of a warp
    std::copy_n(x, in.out.lanes, out);
    return;
  }
  const auto mode = static_cast<ir::ShuffleMode>(in.op->immediate);
  const Slot& operand = in.in[1];
  for (int i = 0; i < cta.threads(); ++i) {
    const std::int64_t at = operand.lanes == 1 ? 0 : operand.lanes == cta.threads() ? i : i / warp_size;
    const int source = i / warp_size * warp_size + source_lane(mode, i % warp_size, cta.integer(operand, at));
    out[i] = x[mask.lanes[source] ? source : i];
  }
}

}  // namespace

void run_collective(Cta& cta, const Instr& in, Mask& mask) {
  with_store(in.out.store, [&]<class T>(T*) { fold_threads<T>(cta, in, mask); });
}

void run_shuffle(Cta& cta, const Instr& in, Mask& mask) {
  with_store(in.out.store, [&]<class T>(T*) { shuffle<T>(cta, in, mask); });
}

}  // namespace phobos::sim
