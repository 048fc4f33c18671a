// Subscripts (language.md, 6): points, spans, ranges; tiles' slices and a thread's own runs.
#include <algorithm>

#include <phobos/sema/missing_axes.h>

#include "checker.h"

namespace phobos::sema {

namespace {
constexpr std::int64_t longest_run = 16;
}

std::vector<Extent> Checker::Place::shape() const {
  std::vector<Extent> result;
  for (const Axis& axis : axes) result.push_back(axis.length);
  return result;
}

void Checker::mark_subscripted(ExprId base) {
  if (const auto* local = std::get_if<LocalExpr>(&out_[base].node); local && type(base).is_tile()) out_.locals[local->local].subscripted = true;
}

// Of an integer in a function by itself: whether a call may make a constant of it, so that only the call can be judged.
bool Checker::call_may_know(ExprId id) const {
  const Expr& expr = out_[id];
  if (!generic_) return false;
  if (expr.constant || expr.type.is_error()) return true;
  if (const auto* ctx = std::get_if<CtxExpr>(&expr.node)) return builtins::row(ctx->field).compile_time;
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) return call_may_know(unary->operand);
  if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) return call_may_know(binary->left) && call_may_know(binary->right);
  if (const auto* convert = std::get_if<ConvertExpr>(&expr.node)) return call_may_know(convert->operand);
  const auto* local = std::get_if<LocalExpr>(&expr.node);
  return local && call_may_know(local->local);
}

bool Checker::call_may_know(LocalId id) const {
  if (!generic_) return false;
  const Local& local = out_[id];
  const bool given = local.form == Local::Form::Dimension || local.form == Local::Form::Parameter;
  if (given || local.constant) return local.type.is_scalar();
  if (const auto known = call_may_know_.find(id.value); known != call_may_know_.end()) return known->second;
  const auto init = inits_.find(id);
  const bool may = init != inits_.end() && local.type.is_scalar() && call_may_know(init->second);
  return call_may_know_[id.value] = may;
}

// What `to - from` folds to, when it does whatever the names in them are.
std::optional<std::int64_t> Checker::constant_length(ExprId from, ExprId to) {
  Affine length = affine_of(out_, inits_, to);
  length.add(affine_of(out_, inits_, from), -1);
  if (!length.is_constant()) return std::nullopt;
  return length.constant;
}

Axis Checker::axis(const syntax::Subscript& subscript, const Extent& extent) {
  using S = syntax::Subscript::Form;
  Axis result;
  result.span = subscript.span;
  const auto bad_length = [&](std::int64_t length) {
    auto& d = report(Code::BadExtent, here(subscript.span), length);
    if (length < 0 && subscript.form == S::Range) d.message = fmt::format("the slice `{}` ends before it begins", text_at(here(subscript.span)));
    if (length < 0 && subscript.form == S::Prefix) d.message = fmt::format("the slice `{}` ends before it begins: nothing is counted from the end", text_at(here(subscript.span)));
    result.start = error(here(subscript.span));
    result.length = Extent::of(1);
  };
  switch (subscript.form) {
    case S::Error:
      result.form = Axis::Form::Span;
      result.start = error(here(subscript.span));
      result.length = Extent::of(1);
      return result;
    case S::Full: result.length = extent; return result;
    case S::Point:
      result.form = Axis::Form::Point;
      result.start = integer(subscript.first, Code::SubscriptNotInteger);
      result.length = Extent::of(1);
      return result;
    case S::Span: {
      result.form = Axis::Form::Span;
      result.start = integer(subscript.first, Code::SubscriptNotInteger);
      const ExprId length = integer(subscript.second, Code::SubscriptNotInteger);
      const auto& constant = out_[length].constant;
      if (wrong(length)) {
        result.start = length;
        result.length = Extent::of(1);
      } else if (constant) {
        const std::int64_t n = std::get<std::int64_t>(constant->value);
        if (n <= 0) bad_length(n);
        else result.length = Extent::of(n);
      } else if (const auto* local = std::get_if<LocalExpr>(&out_[length].node); generic_ && local && out_[local->local].form == Local::Form::Dimension) {
        result.length = Extent::named(out_[local->local].name);
      } else if (call_may_know(length)) {
        result.start = error(here(subscript.span));
        result.length = Extent::of(1);
      } else {
        auto& d = report(Code::NotConstant, out_[length].location, fmt::format("the length of a slice, `{}`,", text_at(out_[length].location)));
        relate_operand(d, length);
        if (const auto* local = std::get_if<LocalExpr>(&out_[length].node); local && out_[local->local].form == Local::Form::Var)
          if (const auto keyword = keyword_before(out_[local->local].declared, "var")) d.fixes.push_back(replacement("Declare it with `let`", *keyword, "let"));
        result.start = error(here(subscript.span));
        result.length = Extent::of(1);
      }
      return result;
    }
    case S::Range:
    case S::Prefix: {
      result.form = Axis::Form::Span;
      result.start = subscript.form == S::Prefix ? integer_constant(0, here(subscript.span)) : integer(subscript.first, Code::SubscriptNotInteger);
      const ExprId end = integer(subscript.second, Code::SubscriptNotInteger);
      std::optional<std::int64_t> length;
      if (!wrong(result.start) && !wrong(end)) length = constant_length(result.start, end);
      result.length = Extent::of(1);
      if (wrong(end)) result.start = end;
      else if (wrong(result.start)) return result;
      else if (length && *length > 0) result.length = Extent::of(*length);
      else if (length) bad_length(*length);
      else if (generic_ && call_may_know(end)) result.start = error(here(subscript.span));
      else {
        auto& d = report(Code::NotConstant, here(subscript.span), fmt::format("the length of the slice `{}`", text_at(here(subscript.span))));
        if (subscript.form == S::Range) relate_operand(d, result.start);
        relate_operand(d, end);
        const auto* sum = subscript.form == S::Range ? std::get_if<BinaryExpr>(&out_[end].node) : nullptr;
        if (sum && sum->op == BinaryOp::Add && text_at(out_[sum->left].location) == text_at(out_[result.start].location)) {
          const std::string count = text_at(out_[sum->right].location);
          d.fixes.push_back(replacement(fmt::format("Take `{}` elements", count), {{out_[result.start].location.span.end, subscript.span.end}, origin_}, fmt::format(" :+ {}", count)));
        }
        result.start = error(here(subscript.span));
      }
      return result;
    }
  }
  return result;
}

Checker::Place Checker::place(const Type& base, std::string_view base_name, const std::vector<syntax::Subscript>& subscripts, Location at) {
  Place result;
  bool all_points = true;
  const bool outer_run = in_run_;
  in_run_ = false;  // an index is no run
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    axes.push_back(axis(subscripts[i], i < base.shape.size() ? base.shape[i] : Extent::of(1)));
    all_points = all_points && axes.back().form == Axis::Form::Point;
  }
  in_run_ = outer_run;
  const int given = static_cast<int>(subscripts.size());
  if (std::any_of(subscripts.begin(), subscripts.end(), [](const syntax::Subscript& each) { return each.form == syntax::Subscript::Form::Error; })) return result;
  if (given > base.rank() || given == 0) {
    auto& d = report(Code::SubscriptCount, at, given, base_name, base.rank(), base.rank() == 1 ? "axis" : "axes");
    if (given > 0) d.message = fmt::format("{} subscript{} for `{}`, which has {} {}: it is {}", given, given == 1 ? "" : "s", base_name, base.rank(), base.rank() == 1 ? "axis" : "axes", with_article(base));
    return result;
  }
  for (const Axis& each : axes)
    if (each.start && wrong(each.start)) return result;
  result.ok = true;
  result.point = all_points && given == base.rank();
  if (result.point) {
    for (const Axis& each : axes) result.indices.push_back(each.start);
    return result;
  }
  for (int i = given; i < base.rank(); ++i) {
    Axis full;
    full.length = base.shape[static_cast<std::size_t>(i)];
    full.span = {at.span.end > 0 ? at.span.end - 1 : 0, at.span.end};
    axes.push_back(full);
  }
  result.axes = std::move(axes);
  return result;
}

ExprId Checker::subscript(const syntax::SubscriptExpr& expr, Location at) {
  if (const ExprId foreign = foreign_subscript(expr, at)) return foreign;
  const bool outer_run = std::exchange(in_run_, false);
  const ExprId base = expression(expr.object);
  in_run_ = outer_run;
  if (wrong(base)) {
    place(Type::tensor(ScalarType::F32, std::vector<Extent>(std::max<std::size_t>(1, expr.subscripts.size()), Extent::of(1))), "", expr.subscripts, at);
    return error(at);
  }
  const Type base_type = type(base);
  const std::string base_name = text_at(out_[base].location);
  if (!base_type.is_buffer()) {
    report(Code::NotSubscriptable, out_[base].location, base_name, base_type.is_void() ? "no value" : with_article(base_type));
    return error(at);
  }
  Place where = place(base_type, base_name, expr.subscripts, at);
  if (!where.ok) return error(at);
  mark_subscripted(base);
  if (!where.point && !generic_ && !frame_.loose_extents && tell_missing_axes(base, expr.subscripts.size(), where, at)) return error(at);
  if (where.point) return add(PointLoad{base, std::move(where.indices)}, Type::scalar(base_type.element), at);
  if (in_run_) {
    std::int64_t length = 1;
    for (const Axis& each : where.axes) {
      if (!each.length.constant && generic_) return error(at);
      if (each.length.constant && *each.length.constant > 1 && length > 1) {
        auto& d = report(Code::RunTooLong, at, length * *each.length.constant);
        d.message = fmt::format("a thread's own run goes along one axis, and `{}` along two; the rows of a tile are folded by `rowsum`, `rowmax` and `rowmin`", text_at(at));
        return error(at);
      }
      if (!each.length.constant) {
        report(Code::NotConstant, here(each.span), "the length of a thread's own run");
        return error(at);
      }
      length = std::max(length, *each.length.constant);
    }
    if (length > longest_run) {
      report(Code::RunTooLong, at, length);
      return error(at);
    }
    return add(SliceLoad{base, std::move(where.axes)}, Type::run(base_type.element, length), at);
  }
  for (const Axis& each : where.axes)
    if (!each.length.constant && !generic_ && !frame_.loose_extents) {
      tell_launch_extent(each);
      return error(at);
    }
  std::vector<Extent> shape = where.shape();
  return add(SliceLoad{base, std::move(where.axes)}, Type::tile(base_type.element, std::move(shape)), at);
}

// `x[i * N]`, as C has it, where the axis that is left out has no constant extent.
bool Checker::tell_missing_axes(ExprId base, std::size_t given, const Place& where, Location at) {
  const auto* local = std::get_if<LocalExpr>(&out_[base].node);
  const auto is_constant = [](const Axis& axis) { return axis.length.constant.has_value(); };
  if (!local || std::all_of(where.axes.begin(), where.axes.end(), is_constant) || points_before_missing(out_, where.axes, at) != given) return false;
  const Type& type = out_[local->local].type;
  auto& d = report(Code::SubscriptCount, at, given, out_[local->local].name, type.rank(), "axes");
  d.message = said_of_missing(out_, local->local, given) + fmt::format(": a whole axis is taken where its extent is a constant, and `{}` is known at launch", to_string(where.axes.back().length));
  d.fixes = fixes_for_missing_axes(out_, {local->local, &where.axes, at, {}, {}});
  return true;
}

// The whole of an axis whose extent only the launch knows.
void Checker::tell_launch_extent(const Axis& axis) {
  auto& d = report(Code::NotConstant, here(axis.span), fmt::format("the extent `{}` of a tile", to_string(axis.length)));
  if (!frame_.in_kernel || axis.form != Axis::Form::Full || axis.length.name.empty()) return;
  const std::string choice = fmt::format("@autotune({} in [64])", axis.length.name);
  d.message += fmt::format("; a part is taken by `:+ 64`, and `{}` above the kernel makes `{}` a constant", choice, axis.length.name);
  if (const auto keyword = keyword_before(here(frame_.item->name.span), "kernel"); keyword && lookup(axis.length.name))
    d.fixes.push_back(replacement(fmt::format("Declare it by `{}`", choice), here({keyword->span.begin, keyword->span.begin}), choice + "\n"));
}

}  // namespace phobos::sema
