// Calls: which thing is called, and the built-ins that are elementwise.
#include <algorithm>

#include "checker.h"
#include "vocabulary.h"

namespace phobos::sema {

ExprId Checker::call(const syntax::CallExpr& expr, Location at) {
  const auto* callee = std::get_if<syntax::NameExpr>(&(*frame_.item)[expr.callee].node);
  if (const auto* field = std::get_if<syntax::FieldExpr>(&(*frame_.item)[expr.callee].node)) {  // `tl.dot(…)`
    const auto* object = std::get_if<syntax::NameExpr>(&(*frame_.item)[field->object].node);
    if (object && !field->field.missing && is_foreign_module(object->name) && !lookup(object->name))
      return unknown_function(object->name + "." + field->field.text, expr, at);
  }
  if (!callee) {
    if (const auto converted = foreign_cast(expr, at)) return converted;
    const ExprId what = expression(expr.callee);
    if (!wrong(what)) report(Code::NotAValue, out_[what].location, fmt::format("`{}` is no function", text_at(out_[what].location)));
    for (const syntax::ExprId argument : expr.arguments) expression(argument);
    return error(at);
  }
  const std::string& name = callee->name;
  if (const LocalId local = lookup(name)) {
    out_.locals[local].used = true;
    if (!out_.locals[local].type.is_error()) {
      auto& d = report(Code::NotAValue, here((*frame_.item)[expr.callee].span), fmt::format("`{}` names a value of type `{}` here, no function", name, to_string(out_.locals[local].type)));
      d.related.push_back({out_.locals[local].declared, "declared here"});
      if (out_.locals[local].type.is_buffer() && !expr.fold && !expr.arguments.empty()) mend_parentheses(d, expr, at);
    }
    for (const syntax::ExprId argument : expr.arguments) expression(argument);
    return error(at);
  }
  if (const auto function = environment_.find ? environment_.find(name) : nullptr) {
    if (function->form == syntax::Item::Form::Kernel) {
      report(Code::KernelCalled, here((*frame_.item)[expr.callee].span), name);
      for (const syntax::ExprId argument : expr.arguments) expression(argument);
      return error(at);
    }
    return inlined(function, expr, at);
  }
  if (const auto id = builtins::find(name)) return builtin(builtins::row(*id), expr, at);
  return unknown_function(name, expr, at);
}

// `(f32)(n + 1)`, which reads as a call of `(f32)`, and `x.sqrt()`.
ExprId Checker::foreign_cast(const syntax::CallExpr& expr, Location at) {
  const syntax::Item& item = *frame_.item;
  if (expr.fold || expr.arguments.size() > 1) return {};
  const Location callee = here(item[expr.callee].span);
  const auto* paren = std::get_if<syntax::ParenExpr>(&item[expr.callee].node);
  const auto* type = paren ? std::get_if<syntax::NameExpr>(&item[paren->inner].node) : nullptr;
  if (type && expr.arguments.size() == 1 && !lookup(type->name)) {
    const std::string name(type_meant(type->name).value_or(type->name));
    const auto to = scalar_named(name);
    if (!to) return {};
    auto& d = report(Code::NotAValue, callee, fmt::format("a conversion is written `{}(x)`", name));
    d.fixes.push_back(replacement(fmt::format("Write `{}(…)`", name), callee, name));
    const ExprId operand = value(expr.arguments[0]);
    return wrong(operand) ? error(at) : convert(operand, *to, true);
  }
  const auto* field = std::get_if<syntax::FieldExpr>(&item[expr.callee].node);
  if (!field || field->field.missing || std::holds_alternative<syntax::CtxExpr>(item[field->object].node)) return {};
  const Location object = here(item[field->object].span);
  if (expr.arguments.size() == 1) return method(*field, expr.arguments[0], at);
  if (!builtins::find(field->field.text)) return {};
  const ExprId operand = expression(field->object);
  if (wrong(operand)) return operand;
  auto& d = report(Code::NoFields, here(field->field.span), text_at(object));
  const bool folds = builtins::row(*builtins::find(field->field.text)).form == builtins::Form::Fold && out_[operand].type.is_tile();
  const std::string better = fmt::format("{}{}({})", folds ? "row" : "", field->field.text, text_at(object));
  d.message += fmt::format("; an operation stands before its operand: `{}`", better);
  if (folds && !builtins::find(fmt::format("row{}", field->field.text))) return error(at);  // `t.any()`
  if (better.find("…") == better.npos) d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
  return error(at);
}

// `x.max(0.0)`, `x.to(tl.float32)`. None where it means nothing here.
ExprId Checker::method(const syntax::FieldExpr& field, syntax::ExprId argument, Location at) {
  const syntax::Item& item = *frame_.item;
  const std::string& name = field.field.text;
  const std::string_view words = std::string_view(item.text).substr(item[argument].span.begin, item[argument].span.size());
  std::string better;
  if (name == "to" || name == "astype" || name == "type") {
    const std::string_view bare = words.substr(words.rfind('.') == words.npos ? 0 : words.rfind('.') + 1);
    better = type_meant(bare).value_or(scalar_named(bare) ? bare : std::string_view());
    if (better.empty()) return {};
  } else {
    const std::string_view meant = name == "max" || name == "maximum" ? "tmax" : name == "min" || name == "minimum" ? "tmin" : std::string_view(name);
    const auto id = builtins::find(meant);
    const bool two = id && (builtins::row(*id).form == builtins::Form::Math2 || builtins::row(*id).form == builtins::Form::Dot);
    if (!two && name != "sum") return {};
    if (two) better = meant;
  }
  const Location object = here(item[field.object].span);
  const bool converts = scalar_named(better).has_value();
  const ExprId operand = expression(field.object);
  const bool known = wrong(operand) || (!converts && wrong(expression(argument)));
  if (known) return error(at);
  const auto folded = axis_folded(name, text_at(object), type(operand), words);
  if (better.empty() && !folded) {
    report(Code::NoFields, here(field.field.span), text_at(object));
    return error(at);
  }
  auto& d = report(Code::NoFields, here(field.field.span), text_at(object));
  if (folded) {
    d.message += fmt::format("; the {} of a tile are folded by `{}`", words == "0" ? "columns" : "rows", *folded);
    if (folded->find("…") == folded->npos) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *folded), at, *folded));
    return error(at);
  }
  better += converts ? fmt::format("({})", text_at(object)) : fmt::format("({}, {})", text_at(object), words);
  d.message += fmt::format("; an operation stands before its {}: `{}`", converts ? "operand" : "operands", better);
  if (better.find("…") == better.npos) d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
  return error(at);
}

// `A(i, j)` of a tensor or a tile.
void Checker::mend_parentheses(diag::Diagnostic& d, const syntax::CallExpr& expr, Location at) {
  const Span callee = (*frame_.item)[expr.callee].span;
  const std::string& text = frame_.item->text;
  if (text.substr(callee.end, 1) != "(" || text.substr(at.span.end - 1, 1) != ")") return;
  d.message += "; an element stands in brackets";
  d.fixes.push_back({"Write `[…]`", {{{{callee.end, callee.end + 1}, at.origin}, "["}, {{{at.span.end - 1, at.span.end}, at.origin}, "]"}}});
}

ExprId Checker::builtin(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  using builtins::Form;
  if (expr.fold && row.form != Form::Fold && row.form != Form::Shuffle) {
    for (const syntax::ExprId argument : expr.arguments) expression(argument);
    return misplaced_fold(row.name, expr, at);
  }
  switch (row.form) {
    case Form::Math1:
    case Form::Math2: return math(row, expr, at);
    case Form::Where: return where(row, expr, at);
    case Form::Convert: return conversion(row, expr, at);
    case Form::Dot: return contraction(row, expr, at);
    case Form::RowFold:
    case Form::RowArg:
    case Form::Scan:
    case Form::Tril:
    case Form::Transpose:
    case Form::Flat: return tile_operation(row, expr, at);
    case Form::Iota: return iota(row, expr, at);
    case Form::Generate: return generate(expr, at, nullptr);
    case Form::Fold: return expr.fold ? collective(row, expr, at) : run_fold(row, expr, at);
    case Form::Shuffle: return shuffle(row, expr, at);
    case Form::Elem:
    case Form::Store: return element(row, expr, at);
    case Form::Barrier:
      if (!count_is(row, expr, at, 0)) return error(at);
      return make_call(row.id, Type::none(), {}, at);
    case Form::GridBarrier:
    case Form::Atomic:
    case Form::LoadAcquire:
    case Form::StoreRelease: return atomic(row, expr, at);
    case Form::Quantised: return quantised(row, expr, at);
    case Form::Word:
    case Form::BytePerm:
    case Form::PopCount:
    case Form::Dp4a:
    case Form::F16Bits: return bits(row, expr, at);
    case Form::Extent: return extent(row, expr, at);
    case Form::Print: return print(row, expr, at);
  }
  return error(at);
}

ExprId Checker::misplaced_fold(std::string_view name, const syntax::CallExpr& expr, Location at) {
  if (expr.fold->form == syntax::Fold::Form::Error) return error(at);
  auto& d = report(Code::FoldMisplaced, here(expr.fold->span), fmt::format("`{}` takes no `<…>`; only folds and `shfl` do", name));
  const std::uint32_t begin = (*frame_.item)[expr.callee].span.end;
  const std::size_t end = frame_.item->text.find('(', expr.fold->span.end);
  if (end != std::string::npos) d.fixes.push_back(replacement("Remove it", here({begin, static_cast<std::uint32_t>(end)}), ""));
  return error(at);
}

bool Checker::count_is(const builtins::Row& row, const syntax::CallExpr& expr, Location at, std::size_t least, std::size_t most) {
  const std::size_t given = expr.arguments.size();
  if (given >= least && given <= most) return true;
  std::vector<ExprId> arguments;
  for (const syntax::ExprId argument : expr.arguments) arguments.push_back(expression(argument));
  if (expr.broken) return false;
  const bool atomic = row.form == builtins::Form::Atomic || row.form == builtins::Form::LoadAcquire || row.form == builtins::Form::StoreRelease;
  const std::string count = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  auto& d = report(Code::ArgumentCount, at, row.name, count, most == 1 ? "argument" : "arguments", given);
  if (row.signature.find("), ") == row.signature.npos) d.message += fmt::format(": `{}`", row.signature);
  if (const auto better = atomic && given + 1 == least ? on_position(row.name, expr) : std::nullopt) {
    d.message = fmt::format("`{}` takes a tensor and a position in it: `{}`", row.name, *better);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", *better), at, *better));
    return false;
  }
  const std::string group = given == 2 && row.form == builtins::Form::Fold ? text_at(here((*frame_.item)[expr.arguments[1]].span)) : "";
  if (group == "ctx.lane" || group == "ctx.thread") {
    const Span callee = (*frame_.item)[expr.callee].span, first = (*frame_.item)[expr.arguments[0]].span, second = (*frame_.item)[expr.arguments[1]].span;
    d.message = fmt::format("the group of a fold stands in `<…>`: `{}<over {}>({})`", row.name, group, text_at(here(first)));
    d.fixes.push_back({fmt::format("Write `<over {}>`", group), {{{{callee.end, callee.end}, at.origin}, fmt::format("<over {}>", group)}, {{{first.end, second.end}, at.origin}, ""}}});
    return false;
  }
  const bool folds = row.form == builtins::Form::Fold || row.form == builtins::Form::RowFold || row.form == builtins::Form::RowArg;
  if (folds && given == 2) mend_two_folded(d, row, expr, arguments[0], at);
  return false;
}

// `sum(t, 1)`, as NumPy and Triton fold the axis of a tile; none where it is no such thing.
std::optional<std::string> Checker::axis_folded(std::string_view fold, std::string_view tile, const Type& type, std::string_view axis) {
  const bool rows = axis == "1" || axis == "-1";
  const std::string name = fold.starts_with("row") ? std::string(fold) : fmt::format("row{}", fold);
  if (!type.is_tile() || type.rank() != 2 || type.element == ScalarType::Bool || !(rows || axis == "0") || !builtins::find(name)) return std::nullopt;
  return rows ? fmt::format("{}({})", name, tile) : fmt::format("transpose({}(transpose({})))", name, tile);
}

// `max(a, b)`, and `max(t, 1)` as NumPy and Triton have it: the second is an axis there.
void Checker::mend_two_folded(diag::Diagnostic& d, const builtins::Row& row, const syntax::CallExpr& expr, ExprId first, Location at) {
  const syntax::Item& item = *frame_.item;
  const std::string axis = text_at(here(item[expr.arguments[1]].span)), tile = text_at(here(item[expr.arguments[0]].span));
  const bool rows = axis != "0";
  if (const auto better = axis_folded(row.name, tile, type(first), axis)) {
    d.message = fmt::format("`{}` takes no axis: the {} of a tile are folded by `{}`", row.name, rows ? "rows" : "columns", *better);
    if (better->find("…") == better->npos) d.fixes.push_back(replacement(fmt::format("Change to `{}`", *better), at, *better));
  }
  if (row.id != builtins::Builtin::Max && row.id != builtins::Builtin::Min) return;
  if (rows && !d.fixes.empty()) return;
  d.message += fmt::format("; the {} of two is `t{}`", row.id == builtins::Builtin::Max ? "larger" : "smaller", row.name);
  d.fixes.push_back(replacement(fmt::format("Change to `t{}`", row.name), here(item[expr.callee].span), fmt::format("t{}", row.name)));
}

// `atomic_add(A[i], v)`, as C has it: `atomic_add(A, i, v)`.
std::optional<std::string> Checker::on_position(std::string_view name, const syntax::CallExpr& expr) const {
  const syntax::Item& item = *frame_.item;
  const auto* element = expr.arguments.empty() ? nullptr : std::get_if<syntax::SubscriptExpr>(&item[expr.arguments[0]].node);
  if (!element || element->subscripts.size() != 1 || element->subscripts[0].form != syntax::Subscript::Form::Point) return std::nullopt;
  if (!std::holds_alternative<syntax::NameExpr>(item[element->object].node)) return std::nullopt;
  std::string result = fmt::format("{}({}, {}", name, text_at(here(item[element->object].span)), text_at(here(element->subscripts[0].span)));
  for (std::size_t i = 1; i < expr.arguments.size(); ++i) result += ", " + text_at(here(item[expr.arguments[i]].span));
  return result.find("…") == result.npos ? std::optional(result + ")") : std::nullopt;
}

ExprId Checker::wrong_argument(const builtins::Row& row, ExprId argument, std::string_view takes) {
  const Location at = out_[argument].location;
  if (!wrong(argument)) report(Code::ArgumentType, at, row.name, takes, fmt::format("`{}`", to_string(type(harden(argument)))));
  return error(at);
}

ExprId Checker::make_call(builtins::Builtin id, Type type, std::vector<ExprId> arguments, Location at, int axis) {
  return add(BuiltinCall{id, axis, std::move(arguments), {}, {}}, std::move(type), at);
}

ExprId Checker::math(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  const bool two = row.form == builtins::Form::Math2;
  if (!count_is(row, expr, at, two ? 2 : 1)) return error(at);
  ExprId a = value(expr.arguments[0]);
  ExprId b = two ? value(expr.arguments[1]) : ExprId();
  if (wrong(a) || (two && wrong(b))) return error(at);
  const bool second_alone = two && soft(a) && !soft(b);  // the first takes its type
  const bool integers = row.id == builtins::Builtin::Abs || row.id == builtins::Builtin::TMax || row.id == builtins::Builtin::TMin;
  Type result = type(a);
  if (two) {
    const auto element = soft(a) && soft(b) ? std::optional(is_float(type(a).element) || is_float(type(b).element) ? ScalarType::F32 : ScalarType::Index) : join(a, b);
    if (!element || *element == ScalarType::Bool) {
      report(Code::NoJoin, at, to_string(type(harden(a))), to_string(type(harden(b))), row.name);
      return error(at);
    }
    if (!(type(a).is_scalar() && type(b).is_scalar())) {
      const auto shape = broadcast(type(a).shape, type(b).shape, at);
      if (!shape) {
        mend_shapes(last(), a, b);
        return error(at);
      }
      result.shape = *shape;
      result.form = type(a).is_tile() || type(b).is_tile() ? Form::Tile : Form::Run;
    }
    result.element = *element;
    a = convert(a, *element);
    b = convert(b, *element);
    if (wrong(a) || wrong(b)) return error(at);
  } else if (soft(a)) {
    a = is_float(type(a).element) || !integers ? convert(a, ScalarType::F32) : harden(a);
    result = type(a);
  }
  if (!integers && !is_float(result.element) && expr.broken) return error(at);
  if (!integers && !is_float(result.element)) {
    const ExprId culprit = second_alone || (is_float(type(a).element) && two) ? b : a;
    auto& d = report(Code::ArgumentType, out_[culprit].location, row.name, "a float", fmt::format("`{}`", to_string(type(culprit))));
    const Location where = out_[culprit].location;
    d.fixes.push_back({"Convert to `f32`", {{{{where.span.begin, where.span.begin}, where.origin}, "f32("}, {{{where.span.end, where.span.end}, where.origin}, ")"}}});
    return error(at);
  }
  if (result.element == ScalarType::Bool) return wrong_argument(row, a, "numbers");
  return make_call(row.id, result, two ? std::vector<ExprId>{a, b} : std::vector<ExprId>{a}, at);
}

ExprId Checker::where(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 3)) return error(at);
  const ExprId c = value(expr.arguments[0]);
  ExprId a = value(expr.arguments[1]), b = value(expr.arguments[2]);
  if (wrong(c) || wrong(a) || wrong(b)) return error(at);
  if (type(c).element != ScalarType::Bool) {
    wrong_argument(row, c, "a `bool` or a tile of them as its condition");
    mend_condition(last(), c);
    return error(at);
  }
  const bool both_soft = soft(a) && soft(b);  // then the whole is like a literal: of the type that its context wants
  const auto element = !both_soft ? join(a, b) : std::optional(is_float(type(a).element) || is_float(type(b).element) ? ScalarType::F64 : ScalarType::Index);
  if (!element) {
    report(Code::NoJoin, at, to_string(type(harden(a))), to_string(type(harden(b))), row.name);
    return error(at);
  }
  for (ExprId* each : {&a, &b}) {
    if (type(*each).element != *element || !both_soft) *each = convert(*each, *element);
    if (wrong(*each)) return error(at);
    if (both_soft) set_soft(*each);
  }
  Type result = Type::scalar(*element);
  const auto any = [&](auto is) { return is(type(a)) || is(type(b)) || is(type(c)); };
  if (any([](const Type& t) { return t.is_tile(); })) result.form = Form::Tile;
  else if (any([](const Type& t) { return t.is_run(); })) result.form = Form::Run;
  if (!result.is_scalar()) {
    const auto ab = broadcast(type(a).shape, type(b).shape, at);
    const auto all = ab ? broadcast(*ab, type(c).shape, at) : std::nullopt;
    if (!all) {
      for (const ExprId each : {c, a, b}) relate_operand(last(), each);
      return error(at);
    }
    result.shape = *all;
  }
  const ExprId id = make_call(row.id, result, {c, a, b}, at);
  if (both_soft) set_soft(id);
  return id;
}

ExprId Checker::conversion(const builtins::Row& row, const syntax::CallExpr& expr, Location at) {
  if (!count_is(row, expr, at, 1)) return error(at);
  const ExprId operand = value(expr.arguments[0]);
  if (wrong(operand)) return error(at);
  const ScalarType to = *scalar_named(row.name);
  const ExprId result = convert(operand, to, true);
  out_.exprs[result].location = at;
  return result;
}

}  // namespace phobos::sema
