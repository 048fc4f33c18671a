#include <phobos/passes/contraction.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace phobos::passes {

namespace {

// What tensor cores would multiply of these operands.
std::optional<ScalarType> multiplied_as(const ir::Kernel& kernel, ScalarType element) {
  switch (element) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::I8:
    case ScalarType::U8: return element;
    case ScalarType::F32:
      if (kernel.rounding == ir::Rounding::None || kernel.precise) return std::nullopt;
      return kernel.rounding == ir::Rounding::F16 ? ScalarType::F16 : ScalarType::F32;
    default: return std::nullopt;
  }
}

std::string why_not_tensor_cores(const ir::Kernel& kernel, const Contraction& dot, ScalarType element, const Chip& chip) {
  if (!multiplied_as(kernel, element)) {
    if (element != ScalarType::F32) return fmt::format("tensor cores take f16, bf16, i8 and u8, not {}", name_of(element));
    if (kernel.precise) return "@precise asks for multiply-adds";
    return chip.has_wgmma() ? "tensor cores multiply all of f32 where bulk copies bring it, and elsewhere would round it, which only @tensorcore allows"
                            : "tensor cores would round f32, which only @tensorcore allows";
  }
  if (!chip.has_tensor_cores()) return fmt::format("{} has none of the tensor-core operations that are used, which came with sm_80", chip.name);
  if (dot.m % 16 != 0) return fmt::format("{} rows are no multiple of 16", dot.m);
  if (dot.n % 8 != 0) return fmt::format("{} columns are no multiple of 8", dot.n);
  if (dot.k % dot.mma_step() != 0) return fmt::format("an inner extent of {} is no multiple of {}", dot.k, dot.mma_step());
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
  chosen.transposed = (dot.immediate & dot_transposed) != 0;
  if ((dot.immediate & dot_by_groups) != 0 && a.element == ScalarType::F32) {
    chosen.path = Contraction::Path::Groups;
    chosen.products = kernel.rounding == ir::Rounding::None ? 3 : 1;
    return chosen;
  }
  chosen.multiplied = multiplied_as(kernel, a.element).value_or(a.element);
  chosen.reason = why_not_tensor_cores(kernel, chosen, a.element, chip);
  if (chosen.reason.empty()) chosen.path = (dot.immediate & dot_by_groups) != 0 ? Contraction::Path::Groups : Contraction::Path::Mma;
  else if (size_of(a.element) == 1 && chosen.k % 4 == 0) chosen.path = Contraction::Path::Bytes;
  return chosen;
}

Swizzle swizzle_for(std::int64_t row_bytes, bool along_k) {
  // Across k only the widest is used: how others repeat is not told by what was measured.
  for (const std::int64_t row : {128, 64, 32})
    if (row_bytes % row == 0) return along_k || row == 128 ? Swizzle{row} : Swizzle{};
  return {};
}

namespace {

std::string why_no_group(const ir::Kernel& kernel, const Chip& chip) {
  if (!chip.has_wgmma()) return fmt::format("{} has no wgmma", chip.name);
  if (kernel.threads % 128 != 0) return fmt::format("wgmma takes groups of 128 threads, and the CTA has {}", kernel.threads);
  // A call anywhere keeps the assembler from leaving multiplications under way.
  if (std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) { return op.code == ir::Opcode::Print; })) return "the kernel prints, and wgmma goes with no call";
  return {};
}

}  // namespace

std::string why_not_groups_of_f32(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip) {
  if (std::string why = why_no_group(kernel, chip); !why.empty()) return why;
  if (kernel.precise) return "@precise asks for multiply-adds";
  ir::Op by_groups = dot;
  by_groups.immediate |= dot_by_groups;
  const Contraction how = choose_contraction(kernel, by_groups, chip);
  if (how.k % 8 != 0) return fmt::format("wgmma takes 8 of the inner extent of f32, and {} is no multiple", how.k);
  // Of 64 there are so many for each group, of the other axis at most 256.
  std::int64_t grouped = how.m, other = how.n;
  const char *rows = "rows", *columns = "columns";
  if (how.swapped()) {
    std::swap(grouped, other);
    std::swap(rows, columns);
  }
  const std::int64_t share = kernel.threads / 128 * 64;
  if (grouped % share != 0) return fmt::format("wgmma takes 64 {} for each group of 128 threads, here a multiple of {}, not {}", rows, share, grouped);
  if (other > 256 || other % 8 != 0) return fmt::format("wgmma takes a multiple of 8 {}, at most 256, not {}", columns, other);
  return {};
}

std::string why_not_groups(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip) {
  const ScalarType element = kernel.type(dot.operands[0]).element;
  const Contraction how = choose_contraction(kernel, dot, chip);
  if (std::string why = why_no_group(kernel, chip); !why.empty()) return why;
  const bool bytes = element == ScalarType::I8 || element == ScalarType::U8;
  if (element == ScalarType::F32) return "wgmma multiplies f32 where bulk copies bring it";
  if (element != ScalarType::F16 && element != ScalarType::BF16 && !bytes) return fmt::format("wgmma is used for f16, bf16, f32, i8 and u8, not {}", name_of(element));
  if (bytes && !how.transposed) return "wgmma takes bytes that lie along k only, as `dot_t` has them";
  const std::int64_t groups = kernel.threads / 128;
  if (how.m % (64 * groups) != 0) return fmt::format("wgmma takes 64 rows for each group of 128 threads, here a multiple of {}, not {}", 64 * groups, how.m);
  if (how.n > 256) return fmt::format("wgmma takes at most 256 columns, not {}", how.n);
  if (bytes && how.n > 32 && how.n % 16 != 0) return fmt::format("wgmma of bytes takes multiples of 16 columns, and {} is none", how.n);
  if (!how.transposed && how.n % 64 != 0) return fmt::format("wgmma reads [K, N] in blocks of 64 columns, and {} is no multiple", how.n);
  return {};
}

bool reads_in_place(const Contraction& contraction, ScalarType element, std::size_t operand) {
  if (operand == 0) return true;
  if (contraction.path == Contraction::Path::Fma) return !contraction.transposed;
  return size_of(element) != 1 || contraction.transposed;
}

std::int64_t padded(const Contraction& contraction, ScalarType element, std::int64_t columns, bool along_k) {
  const std::int64_t chunk = 16 / size_of(element);
  if (contraction.path == Contraction::Path::Groups) return columns;
  if (contraction.path == Contraction::Path::Mma && size_of(element) == 4 && !along_k) {
    // Lanes read one element each, of 8 columns in 4 rows: those are 32 banks where a row begins 8 or 24 further on than the last.
    std::int64_t pitch = (columns + chunk - 1) / chunk * chunk;
    while (pitch % 32 != 8 && pitch % 32 != 24) pitch += chunk;
    return pitch;
  }
  // Rows are read by 16 bytes: an odd number of those spreads 8 rows over all banks.
  return columns / chunk % 2 == 0 ? columns + chunk : columns;
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
