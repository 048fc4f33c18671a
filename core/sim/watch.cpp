#include "watch.h"

#include <algorithm>
#include <map>
#include <set>

namespace phobos::sim {
namespace {

using ir::Opcode;

class Finder {
 public:
  Finder(const ir::Kernel& kernel, bool several_ctas) : kernel_(kernel), several_ctas_(several_ctas) {}

  std::vector<Watched> find() {
    region(kernel_.body);
    while (follow_holes(kernel_.body)) {
    }
    for (const ir::ValueId tensor : changed_)
      if (several_ctas_ && read_.contains(tensor)) watch_[tensor] |= watch_change;
    for (const ir::ValueId bar : counts_)  // any write of the kernel's own is told by itself
      if (const auto found = watch_.find(bar); found != watch_.end()) found->second &= static_cast<std::uint8_t>(~(watch_grid | watch_change));
    std::vector<Watched> found;
    for (const auto& [value, watch] : watch_)
      if (watch) found.push_back({value, static_cast<std::uint8_t>(watch | ((watch & watch_grid) && read_.contains(value) ? watch_own : 0))});
    return found;
  }

 private:
  void region(ir::RegionId id) {
    const auto& ops = kernel_[id].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const ir::Op& op = kernel_[ops[i]];
      for (const ir::RegionId nested : op.regions) region(nested);
      switch (op.code) {
        case Opcode::Store:
        case Opcode::RunStore:
        case Opcode::ElemStore: written(op.operands[0], true); break;
        case Opcode::TileStore: written(op.operands[0], false); break;
        case Opcode::Load:
        case Opcode::RunLoad:
        case Opcode::ElemLoad:
        case Opcode::TileLoad: read_.insert(op.operands[0]); break;
        case Opcode::Atomic:
        case Opcode::StoreRelease: changed_.insert(op.operands[0]); break;
        case Opcode::GridBarrier: counts_.insert(op.operands[0]); break;
        case Opcode::Alloc:
          if (!is_filled(ops, i)) watch_[op.results[0]] |= watch_unset;
          break;
        default: break;
      }
    }
  }

  // A tile value may have elements that nothing has written, or that were divided by zero, and so then may the memory that it is
  // stored to. Whether more of them were found.
  bool follow_holes(ir::RegionId id) {
    bool more = false;
    const auto mark = [&](ir::ValueId value) {
      if (kernel_.type(value).is_tile()) more |= holed_.insert(value).second;
    };
    for (const ir::OpId op_id : kernel_[id].ops) {
      const ir::Op& op = kernel_[op_id];
      for (const ir::RegionId nested : op.regions) more |= follow_holes(nested);
      if (op.code == Opcode::TileStore) {
        std::uint8_t& watch = watch_[op.operands[0]];
        const bool stays = kernel_.type(op.operands[0]).space == ir::Type::Space::Shared && holed_.contains(op.operands[1]);
        more |= stays && !(watch & watch_unset);
        if (stays) watch |= watch_unset;
        continue;
      }
      if (!makes_holes(op) && !std::any_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId one) { return holed_.contains(one); }) &&
          !carries_out(op))
        continue;
      for (const ir::ValueId result : op.results) mark(result);
      for (const ir::RegionId nested : op.regions)
        for (const ir::ValueId argument : kernel_[nested].arguments) mark(argument);
    }
    return more;
  }
  bool makes_holes(const ir::Op& op) const {
    if (op.code == Opcode::Splat) return op.immediate == 1;
    if (op.code == Opcode::TileLoad) {
      const auto found = watch_.find(op.operands[0]);
      return found != watch_.end() && (found->second & watch_unset);
    }
    return (op.code == Opcode::Div || op.code == Opcode::Rem) && !is_float(kernel_.type(op.results[0]).element) && !is_number(op.operands[1]);
  }
  // Whether it is the same constant everywhere, and not 0.
  bool is_number(ir::ValueId tile) const {
    const ir::OpId maker = kernel_[tile].op;
    if (!maker.valid()) return false;
    const ir::Op& op = kernel_[maker];
    if (op.code == Opcode::Constant) return op.immediate != 0;
    return (op.code == Opcode::Splat || op.code == Opcode::Broadcast || op.code == Opcode::Convert) && is_number(op.operands[0]);
  }
  // Whether what leaves some region of it may have holes.
  bool carries_out(const ir::Op& op) const {
    return std::any_of(op.regions.begin(), op.regions.end(), [&](ir::RegionId region) {
      return std::any_of(kernel_[region].ops.begin(), kernel_[region].ops.end(), [&](ir::OpId id) {
        const ir::Op& one = kernel_[id];
        const bool out = ir::has(ir::info(one.code).traits, ir::Trait::Terminator) &&
                         std::any_of(one.operands.begin(), one.operands.end(), [&](ir::ValueId value) { return holed_.contains(value); });
        return out || carries_out(one);
      });
    });
  }

  void written(ir::ValueId buffer, bool by_threads) {
    std::uint8_t& watch = watch_[buffer];
    if (by_threads) watch |= watch_threads;
    if (several_ctas_ && kernel_.type(buffer).space == ir::Type::Space::Global) watch |= watch_grid;
  }

  // Whether the whole tile is stored before anybody else names it.
  bool is_filled(const std::vector<ir::OpId>& ops, std::size_t alloc) const {
    const ir::ValueId buffer = kernel_[ops[alloc]].results[0];
    for (std::size_t i = alloc + 1; i < ops.size(); ++i) {
      const ir::Op& op = kernel_[ops[i]];
      if (!op.regions.empty()) return false;
      if (std::find(op.operands.begin(), op.operands.end(), buffer) == op.operands.end()) continue;
      if (op.code != Opcode::TileStore || kernel_.type(op.operands[1]).shape != kernel_.type(buffer).shape) return false;
      return std::all_of(op.operands.begin() + 2, op.operands.end(), [&](ir::ValueId start) {
        const ir::OpId maker = kernel_[start].op;
        return maker.valid() && kernel_[maker].code == Opcode::Constant && kernel_[maker].immediate == 0;
      });
    }
    return false;
  }

  const ir::Kernel& kernel_;
  bool several_ctas_;
  std::map<ir::ValueId, std::uint8_t> watch_;
  std::set<ir::ValueId> read_;
  std::set<ir::ValueId> changed_;  // by atomics and releases
  std::set<ir::ValueId> counts_;  // of grid barriers
  std::set<ir::ValueId> holed_;  // tile values that may have holes
};

}  // namespace

std::vector<Watched> watched_buffers(const ir::Kernel& kernel, bool several_ctas) { return Finder(kernel, several_ctas).find(); }

}  // namespace phobos::sim
