// The built-ins of tiles, warps, CTAs and memory.
#include "checker.h"

namespace phobos::sema {

using builtins::Builtin;

namespace {

ScalarType accumulator(ScalarType element) {
  switch (element) {
    case ScalarType::F16:
    case ScalarType::BF16: return ScalarType::F32;
    case ScalarType::I8:
    case ScalarType::U8: return ScalarType::I32;
    default: return element;
  }
}

}  // namespace

ExprId Checker::contraction(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 2)) return error(at);
  ExprId a = value(expr.arguments[0]), b = value(expr.arguments[1]);
  if (wrong(a) || wrong(b)) return error(at);
  for (const ExprId each : {a, b})
    if (!type(each).is_tile() || type(each).rank() != 2 || type(each).element == ScalarType::Bool) {
      wrong_argument(row, each, "tiles of rank 2");
      explain_rank(last(), each, 2);
      return error(at);
    }
  const bool transposed = row.id == Builtin::DotT;
  const Type ta = type(a), tb = type(b);
  const Extent &k_a = ta.shape[1], &k_b = transposed ? tb.shape[1] : tb.shape[0];
  if (!agree(k_a, k_b)) {
    auto& d = report(Code::DotShapes, at, row.name, to_string(ta.shape), to_string(tb.shape), to_string(k_a), to_string(k_b));
    relate_operand(d, a);
    relate_operand(d, b);
    const std::string_view other = transposed ? "dot" : "dot_t";
    if (agree(k_a, transposed ? tb.shape[0] : tb.shape[1]))
      d.fixes.push_back(replacement(fmt::format("Change to `{}`", other), here((*frame_.item)[expr.callee].span), std::string(other)));
    return error(at);
  }
  const auto element = join(a, b);
  if (!element) return error(at);
  a = convert(a, *element);
  b = convert(b, *element);
  return make_call(row.id, Type::tile(accumulator(*element), {ta.shape[0], transposed ? tb.shape[0] : tb.shape[1]}), {a, b}, at);
}

ExprId Checker::tile_operation(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 1)) return error(at);
  const ExprId a = value(expr.arguments[0]);
  if (wrong(a)) return error(at);
  const Type t = type(a);
  const bool any_rank = row.form == builtins::Form::Flat;
  if (!t.is_tile() || (!any_rank && t.rank() != 2)) {
    wrong_argument(row, a, any_rank ? "a tile" : "a tile of rank 2");
    explain_rank(last(), a, 2);
    return error(at);
  }
  const bool numbers = row.form != builtins::Form::Flat && row.form != builtins::Form::Transpose;
  if (numbers && t.element == ScalarType::Bool) {
    wrong_argument(row, a, "a tile of numbers");
    return error(at);
  }
  Type result = t;
  switch (row.form) {
    case builtins::Form::RowFold: result.shape[1] = Extent::of(1); break;
    case builtins::Form::RowArg:
      result.shape[1] = Extent::of(1);
      result.element = ScalarType::I32;
      break;
    case builtins::Form::Transpose: std::swap(result.shape[0], result.shape[1]); break;
    case builtins::Form::Flat: {
      std::int64_t count = 1;
      bool known = true;
      for (const Extent& extent : t.shape) {
        known = known && extent.constant.has_value();
        count *= extent.constant.value_or(1);
      }
      result.shape = {Extent::of(1), known ? Extent::of(count) : Extent::named("R*C")};
      break;
    }
    default: break;
  }
  return make_call(row.id, result, {a}, at);
}

ExprId Checker::iota(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 1, 5)) return error(at);
  std::vector<std::int64_t> numbers;
  for (const syntax::ExprId argument : expr.arguments) {
    const std::string_view what = numbers.size() + 1 == expr.arguments.size() && !numbers.empty() ? "the axis of `iota`" : "an extent of `iota`";
    const ExprId each = integer(argument, Code::SubscriptNotInteger, what);
    if (wrong(each)) return error(at);
    if (call_may_know(each) && !out_[each].constant) return error(at);
    if (!out_[each].constant) {
      report(Code::NotConstant, out_[each].location, fmt::format("`{}`, {},", text_at(out_[each].location), what));
      return error(at);
    }
    numbers.push_back(std::get<std::int64_t>(out_[each].constant->value));
  }
  std::int64_t axis = 0;
  if (numbers.size() > 1) {
    axis = numbers.back();
    numbers.pop_back();
  }
  std::vector<Extent> shape;
  std::int64_t count = 1;
  for (const std::int64_t n : numbers) {
    if (n <= 0 || n > (std::int64_t{1} << 24) / count) {
      auto& d = report(Code::BadExtent, at, n);
      if (n == 0 && expr.arguments.size() == 2) {  // `arange(0, 32)`
        const std::string better = fmt::format("iota({})", text_at(here((*frame_.item)[expr.arguments[1]].span)));
        d.message += fmt::format("; `{}` counts from 0", better);
        d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
      }
      return error(at);
    }
    count *= n;
    shape.push_back(Extent::of(n));
  }
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) {
    report(Code::ArgumentType, at, row.name, fmt::format("an axis from 0 to {} as its last argument", shape.size() - 1), std::to_string(axis));
    if (shape.size() == 1) last().message += fmt::format("; the indices of {} rows of {} are `iota({}, {}, axis)`", numbers[0], axis, numbers[0], axis);
    return error(at);
  }
  return make_call(row.id, Type::tile(ScalarType::I32, std::move(shape)), {}, at, static_cast<int>(axis));
}

ExprId Checker::collective(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  using F = syntax::Fold::Form;
  if (expr.fold->form == F::Error) return error(at);
  if (expr.fold->form != F::OverLane && expr.fold->form != F::OverThread) {
    auto& d = report(Code::FoldMisplaced, here(expr.fold->span), fmt::format("`{}` folds `over ctx.lane` or `over ctx.thread`; lanes are exchanged by `shfl`", row.name));
    d.fixes.push_back(replacement("Fold over the lanes of the warp", here(expr.fold->span), "over ctx.lane"));
    d.fixes.push_back(replacement("Fold over the threads of the CTA", here(expr.fold->span), "over ctx.thread"));
    for (const syntax::ExprId argument : expr.arguments) expression(argument);
    return error(at);
  }
  if (!count_is(row, expr, at, 1)) return error(at);
  const ExprId x = harden(value(expr.arguments[0]));
  if (wrong(x)) return error(at);
  const bool logical = row.id == Builtin::Any || row.id == Builtin::All;
  if (!type(x).is_scalar() || (type(x).element == ScalarType::Bool) != logical) {
    wrong_argument(row, x, logical ? "a `bool` of each thread" : "a number of each thread");
    if (logical) mend_condition(last(), x);
    else if (type(x).is_scalar()) last().fixes.push_back(in_call("Count it as 0 or 1", "i32", out_[x].location));
    return error(at);
  }
  const ExprId result = make_call(row.id, type(x), {x}, at);
  std::get<BuiltinCall>(out_.exprs[result].node).fold = FoldArgument{expr.fold->form, {}};
  return result;
}

ExprId Checker::run_fold(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (row.id == Builtin::Any || row.id == Builtin::All) {
    const std::uint32_t behind = (*frame_.item)[expr.callee].span.end;
    std::vector<ExprId> arguments;
    for (const syntax::ExprId argument : expr.arguments) arguments.push_back(expression(argument));
    auto& d = report(Code::FoldMisplaced, at, fmt::format("`{0}` folds over lanes or threads: write `{0}<over ctx.lane>(…)` or `{0}<over ctx.thread>(…)`", row.name));
    if (arguments.size() == 1 && type(arguments[0]) == Type::scalar(ScalarType::Bool)) offer_folds(d, {behind, behind}, "Fold");
    return error(at);
  }
  const bool outer = std::exchange(in_run_, true);
  const bool counted = count_is(row, expr, at, 1);
  const ExprId x = counted ? value(expr.arguments[0]) : ExprId();
  in_run_ = outer;
  if (!counted || wrong(x)) return error(at);
  if (!type(x).is_run() || type(x).element == ScalarType::Bool) {
    scalar_fold(row, expr, x);
    return error(at);
  }
  const ScalarType element = row.id == Builtin::Sum ? accumulator(type(x).element) : type(x).element;
  const ScalarType result = is_float(type(x).element) ? type(x).element : element;
  return make_call(row.id, Type::scalar(result), {result == type(x).element ? x : convert(x, result)}, at);
}

// `sum(x)` of what is no run: over what it was meant to fold is seen from what it is given.
void Checker::scalar_fold(const builtins::Row& row, const syntax::CallExpr& expr, ExprId x) {
  const Type given = type(harden(x));
  wrong_argument(row, x, given.is_run() ? "a run of numbers" : "a thread's own run, as in `A[i, k :+ 4]`");
  const Location name = here((*frame_.item)[expr.callee].span);
  if (given.is_run()) {
    last().fixes.push_back(in_call("Count it as 0 or 1", "i32", out_[x].location));
  } else if (given.is_tile()) {
    last().message += fmt::format("; the rows of a tile are folded by `row{}`", row.name);
    const bool folds = given.rank() == 2 && given.element != ScalarType::Bool;
    if (folds) last().fixes.push_back(replacement(fmt::format("Change to `row{}`", row.name), name, fmt::format("row{}", row.name)));
  } else if (given.is_scalar()) {
    last().message += fmt::format("; scalars are folded over a warp by `{0}<over ctx.lane>(…)` and over the CTA by `{0}<over ctx.thread>(…)`", row.name);
    if (given.element != ScalarType::Bool) offer_folds(last(), {name.span.end, name.span.end}, "Fold");
  }
}

void Checker::offer_folds(diag::Diagnostic& d, Span where, std::string_view verb) {
  d.fixes.push_back(replacement(fmt::format("{} over the lanes of the warp", verb), here(where), "<over ctx.lane>"));
  d.fixes.push_back(replacement(fmt::format("{} over the threads of the CTA", verb), here(where), "<over ctx.thread>"));
}

// A number where a `bool` is wanted.
void Checker::mend_condition(diag::Diagnostic& d, ExprId number) const {
  const Type& given = type(number);
  if ((!given.is_scalar() && !given.is_tile()) || given.element == ScalarType::Bool || std::holds_alternative<BinaryExpr>(out_[number].node)) return;
  const Location at = out_[number].location;
  d.fixes.push_back(replacement("Compare with zero", {{at.span.end, at.span.end}, at.origin}, " != 0"));
}

ExprId Checker::shuffle(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  using F = syntax::Fold::Form;
  if (!expr.fold || expr.fold->form == F::OverLane || expr.fold->form == F::OverThread) {
    auto& d = report(Code::FoldMisplaced, expr.fold ? here(expr.fold->span) : at, "`shfl` needs the lane that it reads from: write `shfl<xor e>(v)`, `<up e>`, `<down e>` or `<from e>`");
    if (!expr.fold && expr.arguments.size() == 2) {  // as other languages have it
      const Span name = (*frame_.item)[expr.callee].span, value = (*frame_.item)[expr.arguments[0]].span, lane = (*frame_.item)[expr.arguments[1]].span;
      const bool simple = !std::holds_alternative<syntax::BinaryExpr>((*frame_.item)[expr.arguments[1]].node);
      const std::string text = text_at(here(lane));
      if (text.find("…") == std::string::npos)
        d.fixes.push_back({"Read from that lane", {{here({name.end, name.end}), fmt::format("<from {}>", simple ? text : "(" + text + ")")}, {here({value.end, lane.end}), ""}}});
    }
    for (const syntax::ExprId argument : expr.arguments) expression(argument);
    return error(at);
  }
  if (expr.fold->form == F::Error || !count_is(row, expr, at, 1)) return error(at);
  const ExprId lane = integer(expr.fold->operand, Code::SubscriptNotInteger, "the lane of a shuffle");
  const ExprId v = harden(value(expr.arguments[0]));
  if (wrong(lane) || wrong(v)) return error(at);
  if (!type(v).is_scalar()) {
    wrong_argument(row, v, "a scalar of each lane");
    return error(at);
  }
  const auto& constant = out_[lane].constant;
  const auto* count = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  if (count && (*count < 0 || *count >= 32)) report(Code::LaneRange, out_[lane].location, fmt::format("{} is none of 0 to 31", *count));
  const ExprId result = make_call(row.id, type(v), {v}, at);
  std::get<BuiltinCall>(out_.exprs[result].node).fold = FoldArgument{expr.fold->form, lane};
  return result;
}

ExprId Checker::buffer_argument(const builtins::Row& row, syntax::ExprId argument, bool tile_too) {
  const ExprId buffer = expression(argument);
  if (wrong(buffer)) return buffer;
  const bool named = std::holds_alternative<LocalExpr>(out_[buffer].node);
  if (!named || !(type(buffer).is_tensor() || (tile_too && type(buffer).is_tile())))
    return wrong_argument(row, buffer, tile_too ? "the name of a tensor or tile" : "the name of a tensor");
  mark_subscripted(buffer);
  return buffer;
}

// A position that is never inside.
void Checker::judge_position(ExprId buffer, ExprId position) {
  const auto& constant = out_[position].constant;
  const auto* value = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  if (!value) return;
  std::int64_t count = 1;
  bool known = true;
  for (const Extent& extent : type(buffer).shape) {
    known = known && extent.constant && count < (std::int64_t{1} << 31);
    if (known) count *= *extent.constant;
  }
  if (*value >= 0 && !(known && *value >= count)) return;
  const std::string name = text_at(out_[buffer].location);
  auto& d = report(Code::OutsideExtent, out_[position].location, name, *value, 0, count);
  d.message = *value < 0 ? fmt::format("`{}` has no element at position {}", name, *value) : fmt::format("`{}` has no element at position {}: it has {}", name, *value, count);
}

// elem(t, e), elem(t, e :+ n), store(t, e, v), store(t, e :+ n, v)
ExprId Checker::element(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  const bool store = row.form == builtins::Form::Store;
  if (!count_is(row, expr, at, store ? 3 : 2)) return error(at);
  const bool outer_run = std::exchange(in_run_, false);
  const ExprId buffer = buffer_argument(row, expr.arguments[0], true);
  in_run_ = outer_run;
  std::int64_t length = 0;  // 0: one element
  syntax::ExprId position = expr.arguments[1];
  if (const auto* run = std::get_if<syntax::RunExpr>(&(*frame_.item)[position].node)) {
    const ExprId n = integer(run->length, Code::SubscriptNotInteger, "the length of a run");
    position = run->start;
    if (wrong(n)) return error(at);
    if (call_may_know(n) && !out_[n].constant) return error(at);
    if (!out_[n].constant) {
      report(Code::NotConstant, out_[n].location, fmt::format("the length of a run, `{}`,", text_at(out_[n].location)));
      return error(at);
    }
    length = std::get<std::int64_t>(out_[n].constant->value);
    if (length < 1) {
      report(Code::BadExtent, out_[n].location, length);
      return error(at);
    }
    if (length > 16) {
      report(Code::RunTooLong, out_[n].location, length);
      return error(at);
    }
  }
  const bool outer = std::exchange(in_run_, false);
  const ExprId e = integer(position, Code::SubscriptNotInteger, "a position");
  in_run_ = outer;
  if (!wrong(buffer) && !wrong(e)) judge_position(buffer, e);
  if (!store) {
    if (wrong(buffer) || wrong(e)) return error(at);
    if (length > 0 && !in_run_) {
      report(Code::NotAValue, at, "a run is used inside of `sum`, `max`, `min` or `store`");
      return error(at);
    }
    const ScalarType element = type(buffer).element;
    return make_call(row.id, length ? Type::run(element, length) : Type::scalar(element), {buffer, e}, at);
  }
  in_run_ = true;
  ExprId v = value(expr.arguments[2]);
  in_run_ = outer;
  if (wrong(buffer) || wrong(e) || wrong(v)) return error(at);
  if (const auto* local = std::get_if<LocalExpr>(&out_[buffer].node); type(buffer).is_tile() && out_[local->local].form != Local::Form::Var) {
    const bool parameter = out_[local->local].is_argument || out_[local->local].form == Local::Form::Parameter;
    auto& d = report(Code::AssignToLet, out_[buffer].location, text_at(out_[buffer].location), parameter ? "it is a parameter" : "it is declared with `let`; a `var` can be");
    d.related.push_back({out_[local->local].declared, "declared here"});
    if (out_[local->local].declared.origin == origin_) mend_refused(d, out_[local->local]);
    return error(at);
  }
  const ScalarType element = type(buffer).element;
  const Type target = type(v).is_run() ? Type::run(element, *type(v).shape[0].constant) : Type::scalar(element);
  if (type(v).is_run() && length && *type(v).shape[0].constant != length) {
    report(Code::StoreShape, out_[v].location, to_string(type(v).shape), fmt::format("[{}]", length));
    return error(at);
  }
  v = assignable(v, target, text_at(out_[buffer].location));
  if (length && !wrong(v) && type(v).is_scalar()) v = spread(v, Type::run(element, length));
  return wrong(v) ? error(at) : make_call(row.id, Type::none(), {buffer, e, v}, at);
}

// Atomics, acquire and release, grid_barrier: once per CTA, on an element of a tensor at row-major position `i`.
ExprId Checker::atomic(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  using builtins::Form;
  const std::size_t count = row.form == Form::GridBarrier ? 1 : row.form == Form::LoadAcquire ? 2 : row.id == Builtin::AtomicCas ? 4 : 3;
  if (!count_is(row, expr, at, count)) return error(at);
  const ExprId buffer = buffer_argument(row, expr.arguments[0], false);
  std::vector<ExprId> arguments{buffer};
  if (count > 1) arguments.push_back(integer(expr.arguments[1], Code::SubscriptNotInteger, "a position"));
  for (std::size_t i = 2; i < count; ++i) arguments.push_back(value(expr.arguments[i]));
  for (const ExprId each : arguments)
    if (wrong(each)) return error(at);
  const Type t = type(buffer);
  if (row.form == Form::GridBarrier) {
    const bool good = t.element == ScalarType::I32 && t.rank() == 1 && t.shape[0] == Extent::of(2);
    if (!good) wrong_argument(row, buffer, "a `tensor<i32>[2]`");
    if (good && frame_.in_kernel && !out_.attributes.persistent) {
      auto& d = report(Code::AttributeArguments, at, "persistent", "");
      d.message = "`grid_barrier` needs a `@persistent` kernel: only then are all CTAs sure to run at once";
      if (const auto keyword = keyword_before(here(frame_.item->name.span), "kernel"))
        d.fixes.push_back(replacement("Make the kernel `@persistent`", here({keyword->span.begin, keyword->span.begin}), "@persistent\n"));
    }
    return good ? make_call(row.id, Type::none(), arguments, at) : error(at);
  }
  judge_position(buffer, arguments[1]);
  const bool is_atomic = row.form == Form::Atomic;
  const bool good = !is_atomic || t.element == ScalarType::I32 || t.element == ScalarType::I64 || (t.element == ScalarType::F32 && row.id == Builtin::AtomicAdd);
  if (!good) {
    wrong_argument(row, buffer, row.id == Builtin::AtomicAdd ? "a tensor of `i32`, `i64` or `f32`" : "a tensor of `i32` or `i64`");
    return error(at);
  }
  for (std::size_t i = 2; i < count; ++i) {
    arguments[i] = assignable(arguments[i], Type::scalar(t.element), text_at(out_[buffer].location));
    if (wrong(arguments[i])) return error(at);
  }
  return make_call(row.id, row.form == Form::StoreRelease ? Type::none() : Type::scalar(t.element), arguments, at);
}

ExprId Checker::bits(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  using builtins::Form;
  if (row.form == Form::Word) {
    if (!count_is(row, expr, at, 2, 5)) return error(at);
    const ExprId buffer = buffer_argument(row, expr.arguments[0], true);
    std::vector<ExprId> arguments{buffer};
    for (std::size_t i = 1; i < expr.arguments.size(); ++i) arguments.push_back(integer(expr.arguments[i], Code::SubscriptNotInteger));
    for (const ExprId each : arguments)
      if (wrong(each)) return error(at);
    if (static_cast<int>(arguments.size()) - 1 != type(buffer).rank() || !(type(buffer).element == ScalarType::I8 || type(buffer).element == ScalarType::U8)) {
      wrong_argument(row, buffer, "a buffer of `i8` or `u8` and one index for each of its axes");
      return error(at);
    }
    return make_call(row.id, Type::scalar(ScalarType::I32), arguments, at);
  }
  const std::size_t count = row.form == Form::BytePerm || row.form == Form::Dp4a ? 3 : 1;
  if (!count_is(row, expr, at, count)) return error(at);
  std::vector<ExprId> arguments;
  for (const syntax::ExprId argument : expr.arguments) {
    ExprId each = value(argument);
    if (wrong(each)) return error(at);
    const bool any_integer = row.form == Form::PopCount && type(each).is_scalar() && is_integer(type(each).element);
    if (any_integer) {
      each = harden(each);
    } else if (type(each).is_scalar() && (soft(each) ? !is_float(type(each).element) : type(each).element == ScalarType::I32)) {
      each = convert(each, ScalarType::I32);
    } else {
      wrong_argument(row, each, row.form == Form::PopCount ? "an integer of each thread" : "scalars of type `i32`");
      const Span inside = out_[each].location.span;
      if (row.form != Form::PopCount && type(each).is_scalar() && is_integer(type(each).element))
        out_.diagnostics.back().fixes.push_back({"Convert to `i32`", {{here({inside.begin, inside.begin}), "i32("}, {here({inside.end, inside.end}), ")"}}});
      return error(at);
    }
    arguments.push_back(each);
  }
  return make_call(row.id, Type::scalar(row.form == Form::F16Bits ? ScalarType::F16 : ScalarType::I32), arguments, at);
}

ExprId Checker::extent(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 2)) return error(at);
  const ExprId x = expression(expr.arguments[0]);
  const ExprId axis = integer(expr.arguments[1], Code::SubscriptNotInteger, "an axis");
  if (wrong(x) || wrong(axis)) return error(at);
  if (!type(x).is_buffer()) return wrong_argument(row, x, "a tensor or a tile");
  const auto& constant = out_[axis].constant;
  const std::int64_t number = constant ? std::get<std::int64_t>(constant->value) : -1;
  if (number < 0 || number >= type(x).rank()) {
    if (constant) report(Code::ArgumentType, out_[axis].location, row.name, fmt::format("an axis from 0 to {}", type(x).rank() - 1), number);
    else if (!call_may_know(axis)) report(Code::NotConstant, out_[axis].location, "the axis");
    return error(at);
  }
  return extent_of(x, static_cast<std::size_t>(number), at);
}

ExprId Checker::extent_of(ExprId buffer, std::size_t axis, Location at) {
  const Extent& extent = type(buffer).shape[axis];
  if (extent.constant) return integer_constant(*extent.constant, at);
  for (const LocalId dimension : out_.dimensions)  // in a function the name may be hidden, the dimension is still there
    if (out_[dimension].name == extent.name) return add(LocalExpr{dimension}, Type::scalar(ScalarType::Index), at);
  return error(at);
}

// A slice that a thread can hold by itself is a run here: its start may vary.
void Checker::take_as_run(ExprId id) {
  auto* slice = std::get_if<SliceLoad>(&out_.exprs[id].node);
  if (!slice || !type(id).is_tile() || !std::holds_alternative<LocalExpr>(out_[slice->base].node)) return;
  std::int64_t length = 1;
  for (const Axis& axis : slice->axes) {
    if (!axis.length.constant || (*axis.length.constant > 1 && length > 1)) return;
    length = std::max(length, *axis.length.constant);
  }
  if (length <= 16) out_.exprs[id].type = Type::run(type(id).element, length);
}

ExprId Checker::print(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  constexpr std::size_t most = 8;
  if (!count_is(row, expr, at, 0, most)) return error(at);
  std::vector<ExprId> arguments;
  for (const syntax::ExprId argument : expr.arguments) {
    const auto* call = std::get_if<syntax::CallExpr>(&(*frame_.item)[argument].node);
    const auto* callee = call ? std::get_if<syntax::NameExpr>(&(*frame_.item)[call->callee].node) : nullptr;
    const bool outer = std::exchange(in_run_, callee && callee->name == "elem");
    arguments.push_back(harden(value(argument)));
    in_run_ = outer;
    take_as_run(arguments.back());
  }
  for (const ExprId argument : arguments)
    if (wrong(argument)) return error(at);
  return make_call(row.id, Type::none(), std::move(arguments), at);
}

ExprId Checker::quantised(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  const bool outer = std::exchange(frame_.loose_extents, true);
  const bool counted = count_is(row, expr, at, 4);
  std::vector<ExprId> arguments;
  if (counted)
    for (const syntax::ExprId argument : expr.arguments) arguments.push_back(value(argument));
  frame_.loose_extents = outer;
  if (!counted) return error(at);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (wrong(arguments[i])) return error(at);
    const Type& t = type(arguments[i]);
    if (!t.is_tile() || t.rank() != 2 || t.element != (i % 2 ? ScalarType::F32 : ScalarType::I8)) {
      wrong_argument(row, arguments[i], i % 2 ? "scales as a tile of `f32` of rank 2" : "a tile of `i8` of rank 2");
      return error(at);
    }
  }
  const Type a = type(arguments[0]), w = type(arguments[2]);
  if (!agree(a.shape[1], w.shape[1])) {
    report(Code::DotShapes, at, row.name, to_string(a.shape), to_string(w.shape), to_string(a.shape[1]), to_string(w.shape[1]));
    return error(at);
  }
  if (!quantised_shapes(row, arguments)) return error(at);
  return make_call(row.id, Type::tile(ScalarType::F32, {a.shape[0], w.shape[0]}), arguments, at);
}

// The scales of blocks of 32 along K, as far as the extents are numbers.
bool Checker::quantised_shapes(const builtins::Row& row, const std::vector<ExprId>& arguments) {
  const Type &a = type(arguments[0]), &w = type(arguments[2]);
  const bool by_row = row.id == Builtin::QDotT;
  const Extent blocks = a.shape[1].constant ? Extent::of(*a.shape[1].constant / 32) : Extent::named("K/32");
  if (a.shape[1].constant && *a.shape[1].constant % 32 != 0) {
    wrong_argument(row, arguments[0], "blocks of 32 along K");
    return false;
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}})
    if (const auto& extent = type(arguments[i]).shape[0].constant; !by_row && extent && *extent % 8 != 0) {
      wrong_argument(row, arguments[i], "rows in multiples of 8");
      return false;
    }
  const std::pair<std::size_t, std::vector<Extent>> scales[] = {
      {1, {a.shape[0], blocks}}, {3, by_row ? std::vector<Extent>{w.shape[0], blocks} : std::vector<Extent>{blocks, w.shape[0]}}};
  for (const auto& [at, wanted] : scales)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const Extent& given = type(arguments[at]).shape[axis];
      if (given == wanted[axis] || !given.constant || !wanted[axis].constant) continue;
      wrong_argument(row, arguments[at], fmt::format("scales of shape {} here", to_string(wanted)));
      return false;
    }
  return true;
}

}  // namespace phobos::sema
