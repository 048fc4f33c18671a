#include <phobos/tune/forecast.h>

#include <algorithm>

#include <phobos/launch/execute.h>
#include <phobos/launch/timing.h>
#include <phobos/launch/work.h>
#include <phobos/passes/bulk.h>
#include <phobos/passes/contraction.h>
#include <phobos/passes/passes.h>

namespace phobos::tune {
namespace {

using ir::Opcode;

constexpr double of_addresses = 40;  // registers of a thread beside tiles

// The most registers that tiles take in a thread at any time, in words. What is read where it lies takes none.
class Liveness {
 public:
  explicit Liveness(const ir::Kernel& kernel) : kernel_(kernel), last_(kernel.values.size(), 0) {}
  double words() { return region(kernel_.body); }

 private:
  static bool is_made_where_used(Opcode code) { return code == Opcode::SharedTile || code == Opcode::Splat || code == Opcode::Iota || code == Opcode::Broadcast; }

  double words_of(ir::ValueId value) const {
    const ir::Type& type = kernel_.type(value);
    const ir::OpId made = kernel_[value].op;
    if (!type.is_tile() || type.element == ScalarType::Bool || (made.valid() && is_made_where_used(kernel_[made].code))) return 0;
    const double elements = static_cast<double>(ir::element_count(type.shape)) / kernel_.threads;
    return std::max(1.0, elements) * std::min(4, size_of(type.element)) / 4;
  }

  void note_uses(const ir::Op& op, std::size_t at) {
    for (const ir::ValueId value : op.operands) last_[value] = std::max(last_[value], at);
    for (const ir::RegionId inner : op.regions)
      for (const ir::OpId id : kernel_[inner].ops) note_uses(kernel_[id], at);
  }

  double region(ir::RegionId id) {
    const std::vector<ir::OpId>& ops = kernel_[id].ops;
    double live = 0, most = 0;
    for (const ir::ValueId argument : kernel_[id].arguments) {
      live += words_of(argument);
      last_[argument] = 0;
    }
    for (const ir::OpId op : ops)
      for (const ir::ValueId result : kernel_[op].results) last_[result] = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) note_uses(kernel_[ops[i]], i + 1);
    std::vector<double> ends(ops.size() + 2, 0);
    for (const ir::ValueId argument : kernel_[id].arguments) ends[std::min(last_[argument], ops.size())] += words_of(argument);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const ir::Op& op = kernel_[ops[i]];
      for (const ir::ValueId result : op.results)
        if (last_[result] > i + 1) ends[last_[result]] += words_of(result);
      double inside = 0;
      const std::vector<std::size_t> outer = op.regions.empty() ? std::vector<std::size_t>() : save();
      for (const ir::RegionId inner : op.regions) inside = std::max(inside, region(inner));
      if (!op.regions.empty()) restore(outer);
      // What a loop carries on is in its arguments.
      if (op.code == Opcode::For || op.code == Opcode::While)
        for (const ir::ValueId operand : op.operands)
          if (last_[operand] == i + 1) inside -= words_of(operand);
      most = std::max(most, live + inside);
      live -= ends[i + 1];
      for (const ir::ValueId result : op.results)
        if (last_[result] > i + 1) live += words_of(result);
      most = std::max(most, live);
    }
    return most;
  }
  std::vector<std::size_t> save() const { return {last_.begin(), last_.end()}; }
  void restore(const std::vector<std::size_t>& from) { std::copy(from.begin(), from.end(), last_.begin()); }

  const ir::Kernel& kernel_;
  IdVector<ir::ValueId, std::size_t> last_;  // by which operation of the region at hand it is used last, from 1
};

// Whether the launch would take the entry for bulk copies: rows of a multiple of 16 bytes.
bool rows_suit(const ir::Kernel& kernel, const passes::BulkPlan& plan, const std::vector<std::int64_t>& dimensions) {
  const std::vector<ir::ValueId>& arguments = kernel[kernel.body].arguments;
  const auto suits = [&](ir::OpId access) {
    const auto at = static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), kernel[access].operands[0]) - arguments.begin());
    if (at >= kernel.parameters.size()) return true;
    const ir::Type& tensor = kernel.parameters[at].type;
    const std::int64_t extent = tensor.shape.back(), columns = ir::is_dynamic(extent) ? dimensions[ir::dimension_of(extent)] : extent;
    return columns * size_of(tensor.element) % nvptx::Compiled::Bulk::row_granule == 0;
  };
  for (const passes::BulkPlan::Ring& ring : plan.rings)
    for (const passes::BulkPlan::Operand& operand : ring.operands)
      if (!suits(operand.load)) return false;
  return std::all_of(plan.stores.begin(), plan.stores.end(), suits);
}

void take_contraction(Load& load, const passes::Contraction& how) {
  load.m = how.m;
  load.n = how.n;
  load.k = how.k;
  load.products = how.products;
  if (how.on_tensor_cores()) load.operand_bytes = size_of(how.multiplied);
}

void take_plan(Load& load, const ir::Kernel& kernel, const passes::BulkPlan& plan, const passes::Chip& chip) {
  load.path = plan.is_chain() ? Path::Chain : Path::Bulk;
  take_contraction(load, passes::choose_contraction(kernel, kernel[plan.is_chain() ? plan.first : plan.dot], chip));
  load.teams = plan.teams;
  for (const passes::BulkPlan::Ring& ring : plan.rings) load.stages = std::max(load.stages, ring.stages);
  load.occupancy.ctas = 1;
  load.occupancy.warps = static_cast<int>((plan.consumers(kernel) + passes::BulkPlan::producers) / 32);
}

void take_plain(Load& load, const ir::Kernel& optimised, const passes::Chip& chip) {
  std::int64_t shared = 0, most = 0;
  for (const ir::Op& op : optimised.ops) {
    if (op.code == Opcode::Alloc) {
      const ir::Type& buffer = optimised.type(op.results[0]);
      shared += ir::element_count(buffer.shape) * size_of(buffer.element);
      if (buffer.shape.size() == 3) load.stages = std::max(load.stages, buffer.shape[0]);
    }
    if (op.code != Opcode::Dot) continue;
    const passes::Contraction how = passes::choose_contraction(optimised, op, chip);
    if (how.m * how.n * how.k <= most) continue;
    most = how.m * how.n * how.k;
    load.path = how.path == passes::Contraction::Path::Groups ? Path::Groups : how.path == passes::Contraction::Path::Mma ? Path::Mma : Path::Plain;
    load.operand_bytes = 0;
    take_contraction(load, how);
    const passes::WarpGrid grid = passes::warp_grid(how.m, how.n, optimised.threads / 32, false);
    load.warps = static_cast<int>(grid.rows * grid.columns);
  }
  const double words = Liveness(optimised).words() + of_addresses;
  const int cap = std::min(optimised.max_registers.value_or(passes::Chip::registers_of_thread), passes::Chip::registers / std::max(1, optimised.threads) / 8 * 8);
  load.spilled = static_cast<std::int64_t>(std::max(0.0, words - cap)) * 4;
  load.occupancy = passes::occupancy(chip, optimised.threads, static_cast<int>(std::min<double>(words, std::min(cap, passes::Chip::registers_of_thread))), shared);
}

}  // namespace

Result<Load> forecast(const ir::Kernel& kernel, const passes::Chip& chip, const std::vector<std::int64_t>& dimensions, const launch::Grid& grid, int multiprocessors) {
  Load load;
  const launch::Work work = launch::count_work(kernel, dimensions, grid);
  load.operations = work.operations;
  load.contractions = work.contractions;
  load.traffic = work.traffic;
  load.least_bytes = launch::bytes_moved(kernel, dimensions);
  load.ctas = grid[0] * grid[1] * grid[2];
  load.threads = kernel.threads;
  if (multiprocessors > 0) load.multiprocessors = multiprocessors;
  const nvptx::BulkKernel bulk = launch::bulk_kernel(kernel, chip);
  if (bulk.plan.why_not.empty() && rows_suit(bulk.kernel, bulk.plan, dimensions)) {
    take_plan(load, bulk.kernel, bulk.plan, chip);
    return load;
  }
  ir::Kernel optimised = kernel;
  passes::run_pipeline(optimised, chip);
  take_plain(load, optimised, chip);
  if (load.occupancy.ctas == 0) return Error{"no multiprocessor holds a CTA of it"};
  return load;
}

}  // namespace phobos::tune
