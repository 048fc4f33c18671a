#include <phobos/passes/contraction.h>

#include <fmt/format.h>

namespace phobos::passes {

namespace {

std::string why_not_tensor_cores(const Contraction& dot, ScalarType element, const Chip& chip) {
  const bool wide = element == ScalarType::F16 || element == ScalarType::BF16;
  const bool bytes = element == ScalarType::I8 || element == ScalarType::U8;
  if (!wide && !bytes) return fmt::format("tensor cores take f16, bf16, i8 and u8, not {}", name_of(element));
  if (!chip.tensor_cores()) return fmt::format("{} has none of the tensor-core operations that are used, which came with sm_80", chip.name);
  if (dot.m % 16 != 0) return fmt::format("{} rows are no multiple of 16", dot.m);
  if (dot.n % 8 != 0) return fmt::format("{} columns are no multiple of 8", dot.n);
  const std::int64_t step = wide ? 16 : 32;
  if (dot.k % step != 0) return fmt::format("an inner extent of {} is no multiple of {}", dot.k, step);
  return {};
}

}  // namespace

Contraction choose_contraction(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip) {
  const ir::Type& a = kernel.type(dot.operands[0]);
  const ir::Type& sum = kernel.type(dot.results[0]);
  Contraction chosen;
  chosen.m = sum.shape[0];
  chosen.n = sum.shape[1];
  chosen.k = a.shape[1];
  chosen.transposed = dot.immediate != 0;
  chosen.reason = why_not_tensor_cores(chosen, a.element, chip);
  if (chosen.reason.empty()) chosen.path = Contraction::Path::Mma;
  else if (size_of(a.element) == 1 && chosen.k % 4 == 0) chosen.path = Contraction::Path::Bytes;
  return chosen;
}

bool reads_in_place(const Contraction& contraction, ScalarType element, std::size_t operand) {
  if (operand == 0) return true;
  if (contraction.path == Contraction::Path::Fma) return !contraction.transposed;
  return size_of(element) == 2 || contraction.transposed;
}

WarpGrid warp_grid(std::int64_t m, std::int64_t n, std::int64_t warps, bool by_rows) {
  WarpGrid best;
  const auto better = [&](const WarpGrid& a) {
    if (a.rows * a.columns != best.rows * best.columns) return a.rows * a.columns > best.rows * best.columns;
    return by_rows ? a.rows > best.rows : m / a.rows + n / a.columns < m / best.rows + n / best.columns;
  };
  for (std::int64_t rows = 1; rows <= warps; ++rows)
    for (std::int64_t columns = 1; rows * columns <= warps; ++columns) {
      if (warps % (rows * columns) != 0 || m / 16 % rows != 0 || n / 8 % columns != 0) continue;
      if (const WarpGrid one{rows, columns}; better(one)) best = one;
    }
  return best;
}

}  // namespace phobos::passes
