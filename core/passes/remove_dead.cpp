// Goes through each region backwards: an operation without effect whose results nobody reads goes, and with it its reads.
#include <phobos/passes/passes.h>

#include <algorithm>

namespace phobos::passes {
namespace {

using ir::Opcode;

class Sweeper {
 public:
  explicit Sweeper(ir::Kernel& kernel) : kernel_(kernel), reads_(kernel.values.size()) {}
  void run() {
    count(kernel_.body, 1);
    sweep(kernel_.body);
  }

 private:
  void count(ir::RegionId region, int by) {
    for (ir::OpId op : kernel_[region].ops) count_op(op, by);
  }
  void count_op(ir::OpId id, int by) {
    for (ir::ValueId operand : kernel_[id].operands) reads_[operand] += by;
    for (ir::RegionId nested : kernel_[id].regions) count(nested, by);
  }

  void sweep(ir::RegionId region) {
    std::vector<ir::OpId> ops = kernel_[region].ops, kept;
    for (auto id = ops.rbegin(); id != ops.rend(); ++id) {
      const ir::Op& op = kernel_[*id];
      const bool read = std::any_of(op.results.begin(), op.results.end(), [&](ir::ValueId value) { return reads_[value] > 0; });
      if (!read && removable(*id)) {
        count_op(*id, -1);
        continue;
      }
      for (ir::RegionId nested : op.regions) sweep(nested);
      kept.push_back(*id);
    }
    std::reverse(kept.begin(), kept.end());
    kernel_[region].ops = std::move(kept);
  }

  // Whether nobody but its readers sees that it ran. A `for` ends of itself; of a `while` nobody knows.
  bool removable(ir::OpId id) const {
    const ir::Op& op = kernel_[id];
    if (op.code == Opcode::Alloc) return true;
    if (op.code != Opcode::If && op.code != Opcode::For) return !ir::has(ir::info(op.code).traits, ir::Trait::Effect);
    return std::all_of(op.regions.begin(), op.regions.end(), [&](ir::RegionId region) {
      const auto& ops = kernel_[region].ops;
      return kernel_[ops.back()].code == Opcode::Yield &&
             std::all_of(ops.begin(), ops.end() - 1, [&](ir::OpId one) { return removable(one); });
    });
  }

  ir::Kernel& kernel_;
  IdVector<ir::ValueId, int> reads_;
};

}  // namespace

void remove_dead(ir::Kernel& kernel, const Chip&) { Sweeper(kernel).run(); }

}  // namespace phobos::passes
