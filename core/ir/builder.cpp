#include <phobos/ir/builder.h>

namespace phobos::ir {

ValueId Builder::add_argument(RegionId region, Type type, Kind kind, std::string name) {
  const auto index = static_cast<std::uint32_t>(kernel_[region].arguments.size());
  const ValueId id = kernel_.values.add({std::move(type), kind, OpId(), index, std::move(name)});
  kernel_[region].arguments.push_back(id);
  return id;
}

OpId Builder::op(Opcode code, std::vector<ValueId> operands, std::int64_t immediate) {
  Op op{code, std::move(operands), {}, {}, immediate, 0, where_.span, where_.call};
  const OpId id = kernel_.ops.add(std::move(op));
  kernel_[region_].ops.push_back(id);
  return id;
}

ValueId Builder::add_result(OpId op, Type type, Kind kind, std::string name) {
  const auto index = static_cast<std::uint32_t>(kernel_[op].results.size());
  const ValueId id = kernel_.values.add({std::move(type), kind, op, index, std::move(name)});
  kernel_[op].results.push_back(id);
  return id;
}

ValueId Builder::value(Opcode code, Type type, std::vector<ValueId> operands, std::int64_t immediate) {
  Kind kind = Kind::Uniform;
  if (type.is_scalar() || type.is_run())
    for (ValueId operand : operands) kind = join(kind, kernel_[operand].kind);
  return value(code, std::move(type), kind, std::move(operands), immediate);
}

ValueId Builder::value(Opcode code, Type type, Kind kind, std::vector<ValueId> operands, std::int64_t immediate) {
  return add_result(op(code, std::move(operands), immediate), std::move(type), kind);
}

ValueId Builder::integer(ScalarType type, std::int64_t value) {
  return add_result(op(Opcode::Constant, {}, value), Type::scalar(type), Kind::Uniform);
}

ValueId Builder::real(ScalarType type, double value) {
  const OpId id = op(Opcode::Constant, {});
  kernel_[id].real = value;
  return add_result(id, Type::scalar(type), Kind::Uniform);
}

}  // namespace phobos::ir
