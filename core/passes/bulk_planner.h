// What decides whether the operands of a kernel's loop come by bulk copies: bulk.cpp has what both forms of a loop share and that of one
// contraction, chain.cpp that of two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <phobos/passes/bulk.h>

namespace phobos::passes {

constexpr int of_addresses = 40;  // registers of a consumer beside its sums

class BulkPlanner {
 public:
  BulkPlanner(ir::Kernel& kernel, const Chip& chip) : kernel_(kernel), chip_(chip), uses_(kernel.values.size()) {}
  BulkPlan plan();

 private:
  struct Use {
    ir::OpId op;
    std::size_t operand;
  };

  void note_uses(ir::RegionId region);
  std::string find();
  std::string find_dots();
  std::string look_at_counter() const;
  std::string find_loop();
  bool may_take_turns() const;
  bool same_in_all_blocks(ir::ValueId value) const;
  std::string look_at_load(ir::OpId id) const;
  bool follows(ir::ValueId value) const;
  // How a contraction of the loop is computed, where groups of warps can do it.
  std::string look_at_dot(ir::OpId dot, Contraction& how) const;
  std::string look_at_operand(const Contraction& how, BulkPlan::Operand& operand) const;
  std::string look_at_registers(std::int64_t columns, std::int64_t per_thread, std::int64_t others) const;
  std::string look_at_sum();
  std::string look_at_sum_of_f32();  // f32.cpp
  bool is_short() const;
  bool is_used_once(ir::ValueId value, ir::OpId by, std::size_t operand) const;
  ir::OpId load_of(ir::OpId dot, std::size_t operand) const;
  // chain.cpp
  std::string find_chain();
  std::string look_between() const;
  std::string look_at_chain();
  void find_stores();
  bool is_result(ir::ValueId value) const;
  std::string fit();

  ir::Kernel& kernel_;
  const Chip& chip_;
  IdVector<ir::ValueId, std::vector<Use>> uses_;
  std::vector<ir::OpId> live_;  // in a region still
  std::vector<ir::OpId> dots_;
  BulkPlan plan_;
};

}  // namespace phobos::passes
