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
        case Opcode::Alloc:
          if (!is_filled(ops, i)) watch_[op.results[0]] |= watch_unset;
          break;
        default: break;
      }
    }
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
};

}  // namespace

std::vector<Watched> watched_buffers(const ir::Kernel& kernel, bool several_ctas) { return Finder(kernel, several_ctas).find(); }

}  // namespace phobos::sim
