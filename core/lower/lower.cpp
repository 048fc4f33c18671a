#include "lowering.h"

#include <algorithm>

#include <fmt/format.h>

namespace phobos::lower {

Result<ir::Kernel> lower(const sema::CheckedItem& item, const uniformity::Result& kinds, const Origins& origins, Purpose purpose) {
  try {
    return Lowering(item, kinds, origins, purpose).kernel();
  } catch (const NotYet& missing) {
    return Error{fmt::format("{} is not supported yet", missing.what)};
  }
}

ir::Kernel Lowering::kernel() {
  head();
  find_memory();
  step_of_parameters(item_.parameters);
  block(item_.body);
  end_region(Opcode::Return, {});
  kernel_.grid = infer_grid(item_, origins_, kernel_.dimensions);
  return std::move(kernel_);
}

void Lowering::head() {
  const sema::Attributes& attributes = item_.attributes;
  kernel_.name = item_.item->name.text;
  kernel_.threads = attributes.threads;
  kernel_.min_blocks = attributes.min_blocks;
  kernel_.max_registers = attributes.max_registers;
  kernel_.persistent = attributes.persistent;
  kernel_.precise = attributes.precise;
  using enum sema::Attributes::TensorCore;
  if (attributes.tensor_core != No) kernel_.rounding = attributes.tensor_core == F16 ? ir::Rounding::F16 : ir::Rounding::Tf32;
  if (attributes.pipeline) kernel_.pipeline = ir::PipelineDemand{*attributes.pipeline, origins_.absolute({attributes.pipeline_span, 0}), false};
  kernel_.band = attributes.swizzle;
  for (const sema::AutotuneConstant& constant : attributes.autotune) kernel_.constants.emplace_back(constant.name, constant.value);
  for (const sema::AlignedPromise& promise : attributes.aligned)
    kernel_.promises.push_back({promise.dimension, promise.multiple});
  for (const LocalId dimension : item_.dimensions) kernel_.dimensions.push_back(item_[dimension].name);

  env_.resize(item_.locals.size());
  kernel_.body = builder_.new_region();
  builder_.set_region(kernel_.body);
  for (const LocalId parameter : item_.parameters) {
    const sema::Local& local = item_[parameter];
    const ir::Type type = type_of(local.type);
    kernel_.parameters.push_back({local.name, type});
    env_[parameter] = builder_.add_argument(kernel_.body, type, Kind::Uniform, local.name);
  }
  for (const LocalId dimension : item_.dimensions)
    env_[dimension] =
        builder_.add_argument(kernel_.body, ir::Type::scalar(ScalarType::Index), Kind::Uniform, item_[dimension].name);
}

std::int64_t Lowering::extent_of(const sema::Extent& extent) const {
  if (extent.constant) return *extent.constant;
  const auto at = std::find(kernel_.dimensions.begin(), kernel_.dimensions.end(), extent.name);
  if (at == kernel_.dimensions.end()) throw NotYet{fmt::format("the extent `{}` outside of a tensor's type", extent.name)};
  return ir::dynamic_extent(static_cast<std::size_t>(at - kernel_.dimensions.begin()));
}

ir::Shape Lowering::shape_of(const std::vector<sema::Extent>& extents) const {
  ir::Shape shape;
  for (const sema::Extent& extent : extents) shape.push_back(extent_of(extent));
  return shape;
}

ir::Type Lowering::type_of(const sema::Type& type) const {
  switch (type.form) {
    case sema::Type::Form::Tile: {
      ir::Shape shape = shape_of(type.shape);
      if (std::any_of(shape.begin(), shape.end(), ir::is_dynamic))
        throw NotYet{fmt::format("a tile of shape {} here", sema::to_string(type.shape))};
      return ir::Type::tile(type.element, std::move(shape));
    }
    case sema::Type::Form::Run: return ir::Type::run(type.element, extent_of(type.shape[0]));
    case sema::Type::Form::Tensor: return ir::Type::buffer(type.element, shape_of(type.shape), ir::Type::Space::Global);
    default: return ir::Type::scalar(type.element);
  }
}

void Lowering::place_span(Location location) {
  ir::Builder::Where where{origins_.absolute(location), 0};
  for (const auto& [function, call] : inlined_)
    if (function == location.origin) where.call = call;
  builder_.set_where(where);
}

ValueId Lowering::emit(Opcode code, ir::Type type, Values operands, std::int64_t immediate) {
  return builder_.value(code, std::move(type), std::move(operands), immediate);
}

// The operation that an expression is: of its type, its kind and its place.
ValueId Lowering::emit_as(ExprId id, Opcode code, Values operands, std::int64_t immediate) {
  const sema::Expr& node = item_[id];
  place_span(node.location);
  ir::Type type = type_of(node.type);
  const Kind kind = type.is_scalar() || type.is_run() ? kinds_.expr_kinds[id] : Kind::Uniform;
  return builder_.value(code, std::move(type), kind, std::move(operands), immediate);
}

ValueId Lowering::constant(ScalarType element, const sema::Constant& constant) {
  return std::visit(
      [&](auto value) {
        if (is_float(element)) return builder_.real(element, static_cast<double>(value));
        return builder_.integer(element, static_cast<std::int64_t>(value));
      },
      constant.value);
}

ValueId Lowering::zero(ir::Type type) {
  const ValueId scalar = is_float(type.element) ? builder_.real(type.element, 0.0) : builder_.integer(type.element, 0);
  return type.is_scalar() ? scalar : emit(Opcode::Splat, std::move(type), {scalar});
}

void Lowering::name(ValueId value, const std::string& name) {
  if (value && kernel_[value].name.empty()) kernel_[value].name = name;
}

}  // namespace phobos::lower
