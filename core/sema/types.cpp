// Declared types, the join of two operands, conversion and assignment (language.md, 3).
#include "checker.h"

namespace phobos::sema {

namespace {

// Past this a tile could neither be held by a CTA nor run on the simulator in reason.
constexpr std::int64_t largest_tile = std::int64_t{1} << 24;

std::optional<ScalarType> joined(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Bool || b == ScalarType::Bool) return std::nullopt;
  if (is_float(a) && is_float(b)) {
    if (size_of(a) == size_of(b)) return ScalarType::F32;  // f16 with bf16
    return size_of(a) > size_of(b) ? a : b;
  }
  if (is_float(a)) return a;
  if (is_float(b)) return b;
  if (a == ScalarType::Index || b == ScalarType::Index) return ScalarType::I64;
  if (size_of(a) == size_of(b)) return ScalarType::I32;  // i8 with u8
  return size_of(a) > size_of(b) ? a : b;
}

}  // namespace

std::optional<ScalarType> Checker::element_type(const syntax::Name& name) {
  if (name.missing) return std::nullopt;
  if (const auto type = scalar_named(name.text)) return type;
  constexpr std::string_view known[] = {"f16", "bf16", "f32", "f64", "i8", "u8", "i32", "i64", "bool"};
  constexpr std::pair<std::string_view, std::string_view> foreign[] = {
      {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"int", "i32"}, {"long", "i64"}, {"float32", "f32"}, {"float16", "f16"},
      {"bfloat16", "bf16"}, {"int32", "i32"}, {"int64", "i64"}, {"int8", "i8"}, {"uint8", "u8"}, {"boolean", "bool"}, {"u32", "i32"}};
  auto& d = report(Code::UnknownType, here(name.span), name.text);
  std::optional<std::string_view> near;
  for (const auto& [theirs, ours] : foreign)
    if (name.text == theirs) near = ours;
  if (!near) near = builtins::nearest(name.text, known);
  if (near) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), here(name.span), std::string(*near)));
  return std::nullopt;
}

std::optional<Extent> Checker::declared_extent(const syntax::DimSyntax& dim) {
  std::int64_t value = 0;
  if (const auto* number = std::get_if<std::int64_t>(&dim.value)) {
    value = *number;
  } else {
    const std::string& name = std::get<std::string>(dim.value);
    const LocalId local = lookup(name);
    if (!local) {
      auto& d = report(Code::UnknownName, here(dim.span), name);
      if (const auto near = builtins::nearest(name, visible_names()))
        d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), here(dim.span), std::string(*near)));
      return std::nullopt;
    }
    out_.locals[local].used = true;
    const auto& constant = out_.locals[local].constant;
    if (!constant || !std::holds_alternative<std::int64_t>(constant->value)) {
      if (generic_ && out_.locals[local].form == Local::Form::Dimension) return Extent::named(name);
      report(Code::TileExtent, here(dim.span), name);
      return std::nullopt;
    }
    value = std::get<std::int64_t>(constant->value);
  }
  if (value <= 0) {
    report(Code::BadExtent, here(dim.span), value);
    return std::nullopt;
  }
  return Extent::of(value);
}

Type Checker::declared_type(const syntax::TypeSyntax& syntax) {
  if (syntax.form == syntax::TypeSyntax::Form::Error) return Type::error();
  const auto element = element_type(syntax.element);
  if (!element) return Type::error();
  if (syntax.form == syntax::TypeSyntax::Form::Scalar) return Type::scalar(*element);
  if (syntax.form == syntax::TypeSyntax::Form::Tensor) {
    report(Code::ParameterType, here(syntax.span), "a tensor is a kernel's argument; inside of a kernel declare a `tile`");
    return Type::error();
  }
  if (syntax.dims.size() > 4) {
    report(Code::RankRange, here(syntax.span), text_at(here(syntax.span)), syntax.dims.size());
    return Type::error();
  }
  std::vector<Extent> shape;
  std::int64_t count = 1;
  for (const syntax::DimSyntax& dim : syntax.dims) {
    const auto extent = declared_extent(dim);
    if (!extent) return Type::error();
    if (extent->constant && *extent->constant > largest_tile / count) {
      report(Code::BadExtent, here(syntax.span), 0).message = fmt::format("a tile has at most {} elements", largest_tile);
      return Type::error();
    }
    count *= extent->constant.value_or(1);
    shape.push_back(*extent);
  }
  return Type::tile(*element, std::move(shape));
}

std::optional<ScalarType> Checker::join(ExprId a, ExprId b) {
  const ScalarType x = type(a).element, y = type(b).element;
  if (soft(a) != soft(b)) {  // a literal takes the other's type where that can hold its kind of number
    const ScalarType literal = soft(a) ? x : y, other = soft(a) ? y : x;
    if (other != ScalarType::Bool && (is_float(other) || !is_float(literal))) return other;
    return joined(ScalarType::F32, other);
  }
  return joined(x, y);
}

ExprId Checker::harden(ExprId expr) {
  if (!soft(expr)) return expr;
  return convert(expr, is_float(type(expr).element) ? ScalarType::F32 : ScalarType::Index);
}

ExprId Checker::convert(ExprId expr, ScalarType element, bool written) {
  const Type from = type(expr);
  const Location at = out_[expr].location;
  if (from.is_error()) return expr;
  if (from.element == element && !soft(expr) && !written) return expr;
  Type to = from;
  to.element = element;
  const auto constant = out_[expr].constant;
  if (constant && from.is_scalar()) {
    if (soft(expr) && !written) {  // a literal is of the type that its context wants
      if (!fits(*constant, element)) {
        report(Code::LiteralRange, at, to_string(*constant), name_of(element));
        return error(at);
      }
      retype(expr, element);
      return expr;
    }
    return add(ConstantExpr{}, to, at, converted(*constant, element));
  }
  return add(ConvertExpr{expr, written}, to, at);
}

// The literals in `-1.0` or `2 * 0.5` become what the whole of it becomes.
void Checker::retype(ExprId literal, ScalarType element) {
  Expr& expr = out_.exprs[literal];
  expr.type.element = element;
  expr.constant = converted(*expr.constant, element);
  soft_[literal.value] = false;
  const auto inner = [&](ExprId operand) {
    if (soft(operand)) retype(operand, element);
  };
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) inner(unary->operand);
  if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
    const ExprId left = binary->left, right = binary->right;
    inner(left);
    inner(right);
  }
}

ExprId Checker::spread(ExprId scalar, const Type& target) {
  Type to = target;
  to.element = type(scalar).element;
  return add(ConvertExpr{scalar, false}, to, out_[scalar].location);
}

ExprId Checker::assignable(ExprId expr, const Type& target, std::string_view target_name) {
  const Type from = type(expr);
  const Location at = out_[expr].location;
  if (from.is_error() || target.is_error()) return expr;
  const bool fills = from.is_scalar() && target.is_tile();
  if (!fills && from.form != target.form) {
    report(Code::AssignType, at, to_string(from), fmt::format("{}` of type `{}", target_name, to_string(target)));
    return error(at);
  }
  if (target.is_tile() && from.is_tile() && from.shape != target.shape) {
    report(Code::StoreShape, at, to_string(from.shape), to_string(target.shape));
    return error(at);
  }
  const bool to_index = target.element == ScalarType::Index && is_integer(from.element);  // has no spelling that could be written
  const bool allowed = from.element == target.element || to_index || (is_float(from.element) && is_float(target.element)) ||
                       (soft(expr) && !is_float(from.element) && target.element != ScalarType::Bool);
  if (!allowed) {
    const std::string source = text_at(at);
    if (target.element == ScalarType::Bool || from.element == ScalarType::Bool) {
      report(Code::AssignType, at, to_string(from), fmt::format("{}` of type `{}", target_name, to_string(target)));
      return error(at);
    }
    auto& d = report(Code::NeedsConversion, at, name_of(soft(expr) && is_float(from.element) ? ScalarType::F32 : from.element), name_of(target.element), name_of(target.element), source);
    d.fixes.push_back({fmt::format("Convert to `{}`", name_of(target.element)),
                       {{{{at.span.begin, at.span.begin}, at.origin}, fmt::format("{}(", name_of(target.element))}, {{{at.span.end, at.span.end}, at.origin}, ")"}}});
    return error(at);
  }
  const ExprId result = convert(expr, target.element);
  return fills && !wrong(result) ? spread(result, target) : result;
}

std::optional<std::vector<Extent>> Checker::broadcast(const std::vector<Extent>& a, const std::vector<Extent>& b, Location at) {
  const std::size_t rank = std::max(a.size(), b.size());
  std::vector<Extent> result(rank);
  const Extent one = Extent::of(1);
  for (std::size_t i = 0; i < rank; ++i) {  // from the last axis
    const Extent& x = i < a.size() ? a[a.size() - 1 - i] : one;
    const Extent& y = i < b.size() ? b[b.size() - 1 - i] : one;
    if (x == y || y == one) {
      result[rank - 1 - i] = x;
    } else if (x == one) {
      result[rank - 1 - i] = y;
    } else {
      report(Code::ShapeMismatch, at, to_string(a), to_string(b), rank - 1 - i);
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace phobos::sema
