// The same pure operation on the same operands twice in a region: the second is read as the first. Only within one region, so that
// no value lives longer than where it was made for.
#include <phobos/passes/passes.h>

#include <bit>
#include <map>
#include <tuple>

#include "walk.h"

namespace phobos::passes {
namespace {

class Forwarder {
 public:
  explicit Forwarder(ir::Kernel& kernel) : kernel_(kernel), replaced_(kernel) {}
  void run() { region(kernel_.body); }

 private:
  using Key = std::tuple<ir::Opcode, std::vector<ir::ValueId>, std::int64_t, std::uint64_t, ir::Type::Form, ScalarType, ir::Shape, Kind>;

  void region(ir::RegionId id) {
    std::map<Key, ir::ValueId> seen;
    for (ir::OpId op_id : kernel_[id].ops) {
      ir::Op& op = kernel_[op_id];
      replaced_.apply(op.operands);
      for (ir::RegionId nested : op.regions) region(nested);
      if (!is_pure(op) || op.results.size() != 1) continue;
      const ir::Value& result = kernel_[op.results[0]];
      Key key{op.code, op.operands, op.immediate, std::bit_cast<std::uint64_t>(op.real), result.type.form, result.type.element,
              result.type.shape, result.kind};
      const auto [first, fresh] = seen.emplace(std::move(key), op.results[0]);
      if (!fresh) replaced_.replace(op.results[0], first->second);
    }
  }

  ir::Kernel& kernel_;
  Replacements replaced_;
};

}  // namespace

void forward_common(ir::Kernel& kernel, const Chip&) { Forwarder(kernel).run(); }

}  // namespace phobos::passes
