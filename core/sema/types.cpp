// Declared types, the join of two operands, conversion and assignment (language.md, 3).
#include <algorithm>

#include <phobos/sema/missing_axes.h>

#include "checker.h"
#include "vocabulary.h"

namespace phobos::sema {

namespace {

// Past this a tile could neither be held by a CTA nor run on the simulator in reason.

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
  auto& d = report(Code::UnknownType, here(name.span), name.text);
  const auto meant = type_meant(name.text);
  const auto near = meant ? meant : builtins::nearest(name.text, known);
  if (near) d.message += meant ? fmt::format("; {}", said_of_type(name.text)) : fmt::format("; did you mean `{}`?", *near);
  if (near) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), here(name.span), std::string(*near)));
  if (meant) return scalar_named(*meant);
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
      std::vector<std::string_view> names = visible_names();
      std::erase_if(names, [&](std::string_view each) { return !out_.locals[lookup(each)].constant; });
      if (const auto near = nearest(name, names)) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), here(dim.span), *near));
      return std::nullopt;
    }
    out_.locals[local].used = true;
    const auto& constant = out_.locals[local].constant;
    if (!constant || !std::holds_alternative<std::int64_t>(constant->value)) {
      const Local& known = out_.locals[local];
      if (generic_ && known.form == Local::Form::Dimension) return Extent::named(name);
      if (known.type.is_error() || call_may_know(local)) return std::nullopt;
      auto& d = report(Code::TileExtent, here(dim.span), name);
      if (known.form != Local::Form::Dimension && known.form != Local::Form::Parameter)
        d.message = fmt::format("a tile's extent must be a compile-time constant; `{}` is known only when the kernel runs", name);
      d.related.push_back({known.declared, fmt::format("`{}` is {} here", name, known.form == Local::Form::Dimension ? "bound" : "declared")});
      return std::nullopt;
    }
    value = std::get<std::int64_t>(constant->value);
  }
  if (value <= 0) {
    if (!told_too_large(dim)) report(Code::BadExtent, here(dim.span), value);
    return std::nullopt;
  }
  return Extent::of(value);
}

Type Checker::declared_type(const syntax::TypeSyntax& syntax) {
  if (syntax.form == syntax::TypeSyntax::Form::Error) return Type::error();
  const auto element = element_type(syntax.element);
  if (syntax.form == syntax::TypeSyntax::Form::Scalar) return element ? Type::scalar(*element) : Type::error();
  if (syntax.form == syntax::TypeSyntax::Form::Tensor && !(origin_ == 0 && other_buffer_ == syntax.span)) {
    auto& d = report(Code::ParameterType, here(syntax.span), "a tensor is a kernel's argument; inside of a kernel declare a `tile`");
    const Location word = here({syntax.span.begin, syntax.span.begin + 6});
    const bool constant = std::all_of(syntax.dims.begin(), syntax.dims.end(), [](const auto& dim) { return std::holds_alternative<std::int64_t>(dim.value); });
    if (constant && here_is(word, "tensor")) d.fixes.push_back(replacement("Change to `tile`", word, "tile"));
    return Type::error();
  }
  if (syntax.dims.size() > 4) {
    report(Code::RankRange, here(syntax.span), text_at(here(syntax.span)), syntax.dims.size());
    return Type::error();
  }
  std::vector<Extent> shape;
  bool good = true;
  for (const syntax::DimSyntax& dim : syntax.dims) {
    const auto extent = declared_extent(dim);
    if (!extent) {
      good = false;
      continue;
    }
    shape.push_back(*extent);
  }
  if (too_many(shape, largest_tile, "tile", here(syntax.span))) return Type::error();
  if (!element || !good) return Type::error();
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
  if (soft(expr) && !constant) {  // a `where` of literals
    if (written) return add(ConvertExpr{harden(expr), true}, to, at);
    if (!literals_fit(expr, element)) return error(at);
    retype(expr, element);
    return expr;
  }
  if (constant && from.is_scalar()) {
    if (soft(expr) && !written) {  // a literal is of the type that its context wants
      if (!literals_fit(expr, element)) return error(at);
      retype(expr, element);
      return expr;
    }
    return add(ConstantExpr{}, to, at, converted(*constant, element));
  }
  return add(ConvertExpr{expr, written}, to, at);
}

bool Checker::literals_fit(ExprId literal, ScalarType element) {
  const auto& constant = out_[literal].constant;
  if (!constant) {
    const auto& arguments = std::get<BuiltinCall>(out_[literal].node).arguments;
    const ExprId first = arguments[1], second = arguments[2];
    return (!soft(first) || literals_fit(first, element)) && (!soft(second) || literals_fit(second, element));
  }
  if (fits(*constant, element)) return true;
  literal_range(*constant, out_[literal].location, element);
  return false;
}

void Checker::literal_range(const Constant& constant, Location at, ScalarType element) {
  const auto* value = std::get_if<std::int64_t>(&constant.value);
  const std::string source = text_at(at);
  auto& d = report(Code::LiteralRange, at, value ? std::to_string(*value) : fmt::format("`{}`", source), name_of(element));
  if (!value || is_float(element)) return;
  // `0xffffffff` for an i32: the bits that were meant.
  const bool bits = source.starts_with("0x") || source.starts_with("0b");
  const int width = bits_of(element);
  if (element == ScalarType::U8 && *value < 0 && *value >= -128) {
    const std::string same = std::to_string(*value + 256);
    d.fixes.push_back(replacement(fmt::format("Write `{}`, which has these bits", same), at, same));
  }
  if (!bits || width >= 64 || *value < 0 || *value >> width != 0) return;
  const std::string same = std::to_string(*value - (std::int64_t{1} << width));
  d.fixes.push_back(replacement(fmt::format("Write `{}`, which has these bits", same), at, same));
}

// The literals in `-1.0` or `2 * 0.5` become what the whole of it becomes.
void Checker::retype(ExprId literal, ScalarType element) {
  Expr& expr = out_.exprs[literal];
  expr.type.element = element;
  if (expr.constant) expr.constant = converted(*expr.constant, element);
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
  if (const auto* call = std::get_if<BuiltinCall>(&expr.node)) {
    const ExprId first = call->arguments[1], second = call->arguments[2];
    inner(first);
    inner(second);
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
    auto& d = report(Code::AssignType, at, to_string(type(harden(expr))), fmt::format("{}` of type `{}", target_name, to_string(target)));
    const bool one = from.is_tile() && target.is_scalar() && from.element == target.element &&
                     std::all_of(from.shape.begin(), from.shape.end(), [](const Extent& extent) { return extent.constant == 1; });
    const bool named = std::holds_alternative<LocalExpr>(out_[expr].node) || std::holds_alternative<BuiltinCall>(out_[expr].node);
    if (one && named && from.rank() <= 2)
      d.fixes.push_back(replacement("Take its one element", {{at.span.end, at.span.end}, at.origin}, from.rank() == 1 ? "[0]" : "[0, 0]"));
    if (one) mend_slice(d, expr);
    else if (from.is_tile() && target.is_scalar()) mend_row(d, expr);
    return error(at);
  }
  if (target.is_tile() && from.is_tile() && !agree(from.shape, target.shape)) {
    mend_store(report(Code::StoreShape, at, to_string(from.shape), to_string(target.shape)), expr, target.shape);
    return error(at);
  }
  const bool to_index = target.element == ScalarType::Index && is_integer(from.element);  // has no spelling that could be written
  const bool allowed = from.element == target.element || to_index || (is_float(from.element) && is_float(target.element)) ||
                       (soft(expr) && !is_float(from.element) && target.element != ScalarType::Bool);
  if (!allowed) {
    const std::string source = text_at(at);
    if (target.element == ScalarType::Bool || from.element == ScalarType::Bool) {
      auto& d = report(Code::AssignType, at, to_string(type(harden(expr))), fmt::format("{}` of type `{}", target_name, to_string(target)));
      const std::string_view to = name_of(target.element == ScalarType::Index ? ScalarType::I64 : target.element);
      d.fixes.push_back(in_call(fmt::format("Convert to `{}`", to), to, at));
      return error(at);
    }
    auto& d = report(Code::NeedsConversion, at, name_of(soft(expr) && is_float(from.element) ? ScalarType::F32 : from.element), name_of(target.element), name_of(target.element), source);
    if (target.element == ScalarType::Index) {  // whose name cannot be written
      d.message = fmt::format("`{}` is not assigned to `{}`, a whole number, without a conversion: write `i64({})`",
                              name_of(soft(expr) ? ScalarType::F32 : from.element), target_name, source);
      d.fixes.push_back(in_call("Convert to `i64`", "i64", at));
    } else {
      d.fixes.push_back(in_call(fmt::format("Convert to `{}`", name_of(target.element)), name_of(target.element), at));
    }
    return error(at);
  }
  const ExprId result = convert(expr, target.element);
  return fills && !wrong(result) ? spread(result, target) : result;
}

// `A[i :+ 1]` where its one element is meant.
void Checker::mend_slice(diag::Diagnostic& d, ExprId expr) const {
  const auto* slice = std::get_if<SliceLoad>(&out_[expr].node);
  if (!slice) return;
  diag::Fix fix{"Take the one element with a point subscript", {}};
  for (const Axis& axis : slice->axes) {
    const std::string start = axis.start ? text_at(out_[axis.start].location) : "0";
    if (axis.span.empty() || start.empty() || start.find("…") != start.npos) return;
    if (axis.form != Axis::Form::Point) fix.edits.push_back({here(axis.span), start});
  }
  d.fixes.push_back(std::move(fix));
}

// `x[i]` or `x[i][j]` of a tensor of two axes where an element is meant.
void Checker::mend_row(diag::Diagnostic& d, ExprId expr) const {
  const auto* slice = std::get_if<SliceLoad>(&out_[expr].node);
  if (!slice || !points_before_missing(out_, slice->axes, out_[expr].location)) return;
  if (const auto* local = std::get_if<LocalExpr>(&out_[slice->base].node)) {
    d.message += "; " + said_of_missing(out_, local->local, *points_before_missing(out_, slice->axes, out_[expr].location));
    for (diag::Fix& each : fixes_for_missing_axes(out_, {local->local, &slice->axes, out_[expr].location, {}, {}})) d.fixes.push_back(std::move(each));
    return;
  }
  const Location inner = out_[slice->base].location, outer = out_[expr].location;
  const auto* row = std::get_if<SliceLoad>(&out_[slice->base].node);
  const auto points = row ? points_before_missing(out_, row->axes, inner) : std::nullopt;
  if (!points || !std::holds_alternative<LocalExpr>(out_[row->base].node) || text_at({{inner.span.end - 1, inner.span.end + 1}, outer.origin}) != "][") return;
  d.message += fmt::format("; an element of `{}` takes its subscripts in one pair of brackets", text_at(out_[row->base].location));
  d.fixes.push_back(replacement("Write them in one pair", {{inner.span.end - 1, inner.span.end + 1}, outer.origin}, ", "));
}

// A value that fits once it is turned, or folded along its rows.
void Checker::mend_store(diag::Diagnostic& d, ExprId stored, const std::vector<Extent>& wanted) {
  const Type& value = type(stored);
  const Location at = out_[stored].location;
  explain_rank(d, stored, static_cast<int>(wanted.size()));
  if (!value.is_tile() || value.rank() != 2 || wanted.size() != 2) return;
  if (value.shape[0] == wanted[1] && value.shape[1] == wanted[0]) {
    d.fixes.push_back(in_call("Transpose the value", "transpose", at));
  } else if (value.shape[0] == wanted[0] && wanted[1] == Extent::of(1)) {
    d.fixes.push_back(in_call("Sum its rows", "rowsum", at));
    d.fixes.push_back(in_call("Take the largest of each row", "rowmax", at));
  }
}

// `Q[b, h, s :+ 32, :]` where fewer axes are wanted: in a slice no axis goes away, but leading ones can be declared as one.
void Checker::explain_rank(diag::Diagnostic& d, ExprId value, int wanted) const {
  ExprId source = value;
  if (const auto* local = std::get_if<LocalExpr>(&out_[source].node))
    if (const auto init = inits_.find(local->local); init != inits_.end()) source = init->second;
  const auto* slice = std::get_if<SliceLoad>(&out_[source].node);
  const auto* base = slice ? std::get_if<LocalExpr>(&out_[slice->base].node) : nullptr;
  if (!base || !type(value).is_tile() || wanted < 1 || type(value).rank() <= wanted || !type(slice->base).is_tensor()) return;
  const auto joined = static_cast<std::size_t>(type(value).rank() - wanted);  // with the axis behind them
  std::string row;
  for (std::size_t i = 0; i <= joined; ++i) {
    const Axis& axis = slice->axes[i];
    if (i < joined && axis.length != Extent::of(1)) return;
    if (axis.form == Axis::Form::Full && i < joined) return;
    std::string start = axis.start ? text_at(out_[axis.start].location) : "0";
    const bool compound = axis.start && (std::holds_alternative<BinaryExpr>(out_[axis.start].node) || std::holds_alternative<LogicalExpr>(out_[axis.start].node));
    if (compound && i < joined) start = "(" + start + ")";
    if (i == 0 || row == "0") row = start;
    else row = fmt::format("{} * {}{}", i > 1 ? "(" + row + ")" : row, to_string(type(slice->base).shape[i]), start == "0" ? "" : " + " + start);
  }
  const std::string& name = out_[base->local].name;
  d.message += fmt::format("; a point keeps its axis in a slice: declare `{}` with its first {} axes as one, and start at `{}`", name, joined + 1, row);
}

bool Checker::agree(const std::vector<Extent>& a, const std::vector<Extent>& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Extent& x, const Extent& y) { return agree(x, y); });
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
    } else if (agree(x, y)) {
      result[rank - 1 - i] = x.constant ? x : y;
    } else {
      report(Code::ShapeMismatch, at, to_string(a), to_string(b), rank - 1 - i);
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace phobos::sema
