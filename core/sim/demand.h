// What each value of a kernel is wanted for: something that lasts, or `print` alone.
#pragma once

#include <phobos/ir/ir.h>

namespace phobos::sim {

class Demand {
 public:
  explicit Demand(const ir::Kernel& kernel);

  // It gives what only `print` asks for. A read like that is no access.
  bool is_told(const ir::Op& op) const { return is_pure(op) && told_[op.results[0]] && !needed_[op.results[0]]; }
  // And nothing can be found in doing it, nor in what else depends on it: where nothing more is printed it need not be done.
  bool is_idle(const ir::Op& op) const;

 private:
  static bool is_pure(const ir::Op& op);

  IdVector<ir::ValueId, bool> told_, needed_;
  IdVector<ir::ValueId, bool> judged_;  // what can find something depends on them
};

}  // namespace phobos::sim
