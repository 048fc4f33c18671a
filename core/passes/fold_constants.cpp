// Operations on constants become constants, and what holds for every value is used: `x + 0`, `x * 1`, an `if` whose condition is
// known. Only what is exact: `x + 0.0` is not x (for -0.0 it is 0.0), but `x - 0.0` is; `x * 0.0` is not 0.0 at all.
#include <phobos/passes/passes.h>

#include <cmath>

#include "evaluate.h"
#include "walk.h"

namespace phobos::passes {
namespace {

using ir::Opcode;
using ir::ValueId;

class Folder {
 public:
  explicit Folder(ir::Kernel& kernel) : kernel_(kernel), replaced_(kernel) {}
  void run() { region(kernel_.body); }

 private:
  void region(ir::RegionId id) {
    std::vector<ir::OpId> kept;
    append(id, kept, true);
    kernel_[id].ops = std::move(kept);
  }

  // Folds the operations of a region and appends what is left of them.
  void append(ir::RegionId id, std::vector<ir::OpId>& kept, bool with_terminator) {
    const std::vector<ir::OpId> ops = kernel_[id].ops;
    for (ir::OpId op_id : ops) {
      replaced_.apply(kernel_[op_id].operands);
      const bool terminator = ir::has(ir::info(kernel_[op_id].code).traits, ir::Trait::Terminator);
      if (terminator && !with_terminator) continue;
      if (kernel_[op_id].code == Opcode::If && take_branch(op_id, kept)) continue;
      for (ir::RegionId nested : std::vector(kernel_[op_id].regions)) region(nested);
      fold(op_id);
      kept.push_back(op_id);
    }
  }

  bool take_branch(ir::OpId id, std::vector<ir::OpId>& kept) {
    const auto condition = constant(kernel_[id].operands[0]);
    if (!condition) return false;
    const ir::RegionId branch = kernel_[id].regions[condition->integer ? 0 : 1];
    const ir::OpId last = kernel_[branch].ops.back();
    if (kernel_[last].code != Opcode::Yield) return false;  // it leaves; the rest behind the `if` would have to go too
    append(branch, kept, false);
    replaced_.apply(kernel_[last].operands);
    for (std::size_t i = 0; i < kernel_[id].results.size(); ++i) replaced_.replace(kernel_[id].results[i], kernel_[last].operands[i]);
    return true;
  }

  std::optional<Number> constant(ValueId value) const {
    const ir::OpId id = kernel_[value].op;
    if (!id.valid() || kernel_[id].code != Opcode::Constant) return std::nullopt;
    const ScalarType element = kernel_.type(value).element;
    const auto held = is_float(element) ? held_real(element, kernel_[id].real) : std::optional(0.0);
    if (!held) return std::nullopt;
    return Number{kernel_[id].immediate, *held};
  }

  void make_constant(ir::Op& op, Number number) {
    op.code = Opcode::Constant;
    op.operands.clear();
    op.immediate = number.integer;
    op.real = number.real;
  }

  void fold(ir::OpId id) {
    ir::Op& op = kernel_[id];
    if (op.code == Opcode::Extent) return extent(op);
    if (!ir::has(ir::info(op.code).traits, ir::Trait::Elementwise)) return;
    const ValueId result = op.results[0];
    if (const ValueId same = identity(op); same.valid()) return replaced_.replace(result, same);
    if (!kernel_.type(result).is_scalar() || op.code == Opcode::Select) return;
    std::vector<Number> operands;
    for (ValueId operand : op.operands) {
      const auto number = constant(operand);
      if (!number) return absorb(op);
      operands.push_back(*number);
    }
    const ScalarType from = kernel_.type(op.operands[0]).element, to = kernel_.type(result).element;
    if (const auto number = evaluate(op.code, from, to, operands)) make_constant(op, *number);
  }

  // An axis whose extent is known, or is a dimension of the kernel.
  void extent(ir::Op& op) {
    const ir::Type& type = kernel_.type(op.operands[0]);
    const std::int64_t extent = type.shape[static_cast<std::size_t>(op.immediate)];
    if (!ir::is_dynamic(extent)) return make_constant(op, {extent, 0});
    const std::size_t argument = kernel_.parameters.size() + ir::dimension_of(extent);
    replaced_.replace(op.results[0], kernel_[kernel_.body].arguments[argument]);
  }

  bool is_integer_constant(ValueId value, std::int64_t number) const {
    const auto found = constant(value);
    return found && !is_float(kernel_.type(value).element) && found->integer == number;
  }
  bool is_real_constant(ValueId value, double number) const {
    const auto found = constant(value);
    return found && is_float(kernel_.type(value).element) && found->real == number && std::signbit(found->real) == std::signbit(number);
  }
  bool is_number(ValueId value, std::int64_t number) const {
    return is_integer_constant(value, number) || is_real_constant(value, static_cast<double>(number));
  }

  // The operand that the result equals whatever its value is; none where there is none.
  ValueId identity(const ir::Op& op) const {
    const ValueId a = op.operands[0], b = op.operands.size() > 1 ? op.operands[1] : ValueId();
    switch (op.code) {
      case Opcode::Add:
        if (is_integer_constant(b, 0) || is_real_constant(b, -0.0)) return a;
        return is_integer_constant(a, 0) || is_real_constant(a, -0.0) ? b : ValueId();
      case Opcode::Sub: return is_number(b, 0) ? a : ValueId();
      case Opcode::Mul:
        if (is_number(b, 1)) return a;
        return is_number(a, 1) ? b : ValueId();
      case Opcode::Div: return is_number(b, 1) ? a : ValueId();
      case Opcode::And: return and_identity(a, b);
      case Opcode::Or:
      case Opcode::Xor:
        if (is_integer_constant(b, 0) || (op.code == Opcode::Or && a == b)) return a;
        return is_integer_constant(a, 0) ? b : ValueId();
      case Opcode::Shl:
      case Opcode::Shr: return is_integer_constant(b, 0) ? a : ValueId();
      case Opcode::Min:
      case Opcode::Max: return a == b ? a : ValueId();
      case Opcode::Convert: return kernel_.type(a) == kernel_.type(op.results[0]) ? a : ValueId();
      case Opcode::Select:
        if (op.operands[1] == op.operands[2]) return op.operands[1];
        if (const auto condition = constant(a)) return op.operands[condition->integer ? 1 : 2];
        return ValueId();
      case Opcode::Not: return twice(op);
      default: return ValueId();
    }
  }
  ValueId and_identity(ValueId a, ValueId b) const {
    if (a == b) return a;
    const ScalarType element = kernel_.type(a).element;
    const std::int64_t ones = element == ScalarType::Bool ? 1 : element == ScalarType::U8 ? 255 : -1;
    if (is_integer_constant(b, ones)) return a;
    return is_integer_constant(a, ones) ? b : ValueId();
  }
  ValueId twice(const ir::Op& op) const {
    const ir::OpId inner = kernel_[op.operands[0]].op;
    return inner.valid() && kernel_[inner].code == Opcode::Not ? kernel_[inner].operands[0] : ValueId();
  }

  // Integers: the result is known although an operand is not.
  void absorb(ir::Op& op) {
    const ScalarType element = kernel_.type(op.operands[0]).element;
    if (is_float(element) || op.operands.size() != 2) return;
    const bool zero = is_integer_constant(op.operands[0], 0) || is_integer_constant(op.operands[1], 0);
    const bool same = op.operands[0] == op.operands[1];
    if ((op.code == Opcode::Mul || op.code == Opcode::And) && zero) return make_constant(op, {});
    if ((op.code == Opcode::Sub || op.code == Opcode::Xor) && same) return make_constant(op, {});
    if (!same) return;
    if (op.code == Opcode::CmpEq || op.code == Opcode::CmpLe || op.code == Opcode::CmpGe) make_constant(op, {1, 0});
    else if (op.code == Opcode::CmpNe || op.code == Opcode::CmpLt || op.code == Opcode::CmpGt) make_constant(op, {0, 0});
  }

  ir::Kernel& kernel_;
  Replacements replaced_;
};

}  // namespace

void fold_constants(ir::Kernel& kernel, const Chip&) { Folder(kernel).run(); }

}  // namespace phobos::passes
