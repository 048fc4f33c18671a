#include <phobos/launch/grid.h>

#include <algorithm>

#include <fmt/format.h>

namespace phobos::launch {

Result<Grid> infer_grid(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions) {
  if (!kernel.grid.axes) {
    const std::string reason = kernel.grid.reason.empty() ? "its stores do not follow `ctx.block`" : kernel.grid.reason;
    return Error{fmt::format("the grid of `{}` cannot be inferred: {}; give it with --grid X[,Y[,Z]]", kernel.name, reason)};
  }
  Grid grid{1, 1, 1};
  for (std::size_t axis = 0; axis < kernel.grid.axes->size() && axis < grid.size(); ++axis) {
    const ir::GridAxis& rule = (*kernel.grid.axes)[axis];
    const std::int64_t extent = ir::is_dynamic(rule.extent) ? dimensions[ir::dimension_of(rule.extent)] : rule.extent;
    const std::int64_t step = rule.step < 1 ? 1 : rule.step;
    grid[axis] = extent / step + (extent % step != 0 ? 1 : 0);
  }
  return grid;
}

Result<void> check_count(const Grid& grid) {
  constexpr std::int64_t most = INT32_MAX;
  std::int64_t ctas = 1;
  for (const std::int64_t extent : grid)
    if (__builtin_mul_overflow(ctas, extent, &ctas) || ctas > most)
      return Error{fmt::format("a grid of {} x {} x {} CTAs is too large: there are at most {}", grid[0], grid[1], grid[2], most)};
  return {};
}

Result<void> check_grid(const Grid& grid) {
  constexpr std::int64_t most[] = {0x7fffffff, 65535, 65535};
  for (std::size_t axis = 0; axis < grid.size(); ++axis)
    if (grid[axis] > most[axis])
      return Error{fmt::format("a grid has at most {} CTAs along {}, not {}", most[axis], "xyz"[axis], grid[axis])};
  return {};
}

Result<void> check_barrier_grid(const ir::Kernel& kernel, const Grid& grid) {
  const bool any = std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) { return op.code == ir::Opcode::GridBarrier; });
  if (!any || (grid[1] == 1 && grid[2] == 1)) return {};
  return Error{fmt::format("`grid_barrier` needs a grid of one axis, not one of {} x {} x {} CTAs", grid[0], grid[1], grid[2])};
}

}  // namespace phobos::launch
