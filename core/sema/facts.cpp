// Interval arithmetic with bounds that may be affine in the dimensions, which are only known not to be negative; beside it the
// greatest common divisor of all values. A name is what it was bound to; a loop's variable lies between its bounds; a `var` may be
// anything that its type holds.
#include <phobos/sema/facts.h>

#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "affine.h"

namespace phobos::sema {

namespace {

using Number = std::int64_t;
using MaybeBound = std::optional<Bound>;

constexpr int deepest = 200;  // of nested operations; below that nothing is claimed

Bound number(Number value) { return {value, {}}; }

MaybeBound combined(const MaybeBound& a, const MaybeBound& b, Number factor) {  // a + factor * b
  if (!a || !b) return std::nullopt;
  Bound sum = *a;
  Number scaled = 0;
  if (__builtin_mul_overflow(b->constant, factor, &scaled) || __builtin_add_overflow(sum.constant, scaled, &sum.constant)) return std::nullopt;
  for (const auto& [name, coefficient] : b->terms) {
    Number& mine = sum.terms[name];
    if (__builtin_mul_overflow(coefficient, factor, &scaled) || __builtin_add_overflow(mine, scaled, &mine)) return std::nullopt;
    if (mine == 0) sum.terms.erase(name);
  }
  return sum;
}

// Whether a <= b for all dimensions.
bool at_most(const Bound& a, const Bound& b) {
  const MaybeBound difference = combined(b, a, -1);
  if (!difference || difference->constant < 0) return false;
  for (const auto& [name, coefficient] : difference->terms)
    if (coefficient < 0) return false;
  return true;
}

MaybeBound smaller(const MaybeBound& a, const MaybeBound& b) {
  if (!a || !b) return std::nullopt;
  return at_most(*a, *b) ? a : at_most(*b, *a) ? b : std::nullopt;
}
MaybeBound larger(const MaybeBound& a, const MaybeBound& b) {
  if (!a || !b) return std::nullopt;
  return at_most(*a, *b) ? b : at_most(*b, *a) ? a : std::nullopt;
}

Facts exactly(Number value) { return {number(value), number(value), value == std::numeric_limits<Number>::min() ? 1 : std::abs(value), {}}; }
Facts between(Number low, Number high) { return {number(low), number(high), 1, {}}; }

bool not_negative(const Facts& f) { return f.lower && at_most(number(0), *f.lower); }
std::optional<Number> exact(const Facts& f) {
  if (f.lower && f.upper && f.lower->is_number() && *f.lower == *f.upper) return f.lower->constant;
  return std::nullopt;
}

Facts scaled(const Facts& f, Number factor) {
  Facts result;
  const MaybeBound zero = number(0);
  result.lower = combined(zero, factor < 0 ? f.upper : f.lower, factor);
  result.upper = combined(zero, factor < 0 ? f.lower : f.upper, factor);
  if (__builtin_mul_overflow(f.divisor, factor, &result.divisor) || result.divisor == std::numeric_limits<Number>::min()) result.divisor = 1;
  result.divisor = std::abs(result.divisor);
  return result;
}

Facts sum(const Facts& a, const Facts& b, Number sign) {
  return {combined(a.lower, sign < 0 ? b.upper : b.lower, sign), combined(a.upper, sign < 0 ? b.lower : b.upper, sign), std::gcd(a.divisor, b.divisor), {}};
}

Facts product(const Facts& a, const Facts& b) {
  if (const auto factor = exact(b)) return scaled(a, *factor);
  if (const auto factor = exact(a)) return scaled(b, *factor);
  Facts result;
  if (__builtin_mul_overflow(a.divisor, b.divisor, &result.divisor)) result.divisor = 1;
  if (!not_negative(a) || !not_negative(b)) return result;
  Number bound = 0;
  const auto both = [&](const MaybeBound& x, const MaybeBound& y) {
    return x && y && x->is_number() && y->is_number() && !__builtin_mul_overflow(x->constant, y->constant, &bound);
  };
  result.lower = both(a.lower, b.lower) ? number(bound) : number(0);
  if (both(a.upper, b.upper)) result.upper = number(bound);
  return result;
}

Facts quotient(const Facts& a, const Facts& b) {
  Facts result;
  if (!not_negative(a) || !b.lower || !at_most(number(1), *b.lower)) return result;
  const auto by = exact(b);
  if (by && a.divisor % *by == 0) result.divisor = a.divisor / *by;
  const auto part = [&](const MaybeBound& x) -> MaybeBound {  // of a sum each of whose parts is divisible, the parts
    if (!x || !by) return std::nullopt;
    if (x->is_number()) return number(x->constant / *by);
    Bound parts = number(x->constant / *by);
    if (x->constant % *by != 0) return std::nullopt;
    for (const auto& [name, coefficient] : x->terms) {
      if (coefficient % *by != 0) return std::nullopt;
      parts.terms[name] = coefficient / *by;
    }
    return parts;
  };
  result.lower = part(a.lower).value_or(number(0));
  result.upper = part(a.upper);
  if (!result.upper) result.upper = a.upper;
  return result;
}

Facts remainder(const Facts& a, const Facts& b) {
  Facts result;
  result.divisor = std::gcd(a.divisor, b.divisor);
  if (!b.lower || !b.upper || !at_most(number(0), *b.lower)) return result;
  const MaybeBound most = combined(b.upper, number(1), -1);
  if (not_negative(a)) {
    result.lower = number(0);
    result.upper = a.upper && most && at_most(*a.upper, *most) ? a.upper : most;
  } else {
    result.lower = combined(number(0), most, -1);
    result.upper = most;
  }
  return result;
}

Facts either(const Facts& a, const Facts& b) { return {smaller(a.lower, b.lower), larger(a.upper, b.upper), std::gcd(a.divisor, b.divisor), {}}; }

// What the type alone says of a number that is loaded or passed.
std::optional<std::pair<Number, Number>> range_of(ScalarType type) {
  switch (type) {
    case ScalarType::I8: return {{-128, 127}};
    case ScalarType::U8: return {{0, 255}};
    case ScalarType::I32: return {{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}};
    default: return std::nullopt;
  }
}

Facts of_type(ScalarType type) {
  const auto range = range_of(type);
  return range && type != ScalarType::I32 ? between(range->first, range->second) : Facts{};
}

// Facts of exact arithmetic, as they hold for a result that may have wrapped to a type.
Facts held(Facts f, ScalarType type) {
  const auto range = range_of(type);
  if (!range) return f;
  if (f.lower && f.upper && at_most(number(range->first), *f.lower) && at_most(*f.upper, number(range->second))) return f;
  Facts wrapped = of_type(type);
  wrapped.divisor = f.divisor == 0 ? 1 : f.divisor & -f.divisor;  // wrapping keeps the low bits
  return wrapped;
}

}  // namespace

std::string to_string(const Bound& bound) {
  std::string text;
  const auto add = [&](Number value, const std::string& name) {
    const bool negative = value < 0;
    const auto magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    text += name.empty() ? std::to_string(magnitude) : magnitude == 1 ? name : fmt::format("{}*{}", magnitude, name);
  };
  for (const auto& [name, coefficient] : bound.terms) add(coefficient, name);
  if (bound.constant != 0 || text.empty()) add(bound.constant, "");
  return text;
}

class FactFinder::Impl {
 public:
  explicit Impl(const CheckedItem& item) : item_(item) {
    for (const Stmt& stmt : item.stmts) {
      if (const auto* declare = std::get_if<Declare>(&stmt.node); declare && declare->init && item[declare->local].form == Local::Form::Let)
        inits_[declare->local] = declare->init;
      if (const auto* loop = std::get_if<For>(&stmt.node)) loops_[loop->variable] = loop;
    }
    for (const Expr& expr : item.exprs) {
      const auto* call = std::get_if<InlinedCall>(&expr.node);
      if (call)
        for (const auto& [local, argument] : call->bindings) inits_[local] = argument;
      const auto* builtin = std::get_if<BuiltinCall>(&expr.node);
      if (builtin && builtin->id == builtins::Builtin::Generate)
        for (std::size_t axis = 0; axis < builtin->indices->size() && axis < expr.type.shape.size(); ++axis)
          if (const auto& extent = expr.type.shape[axis].constant) counted_[(*builtin->indices)[axis]] = *extent;
    }
  }

  Facts of(ExprId id, int depth) {
    const Expr& expr = item_[id];
    if (!expr.type.is_scalar() || !is_integer(expr.type.element)) return {};
    if (expr.constant)
      if (const auto* value = std::get_if<Number>(&expr.constant->value)) return exactly(*value);
    if (depth > deepest) return {};
    if (const auto known = exprs_.find(id); known != exprs_.end()) return known->second;
    Facts result = std::visit([&](const auto& node) { return at(node, expr.type.element, depth + 1); }, expr.node);
    return exprs_[id] = result;
  }

  Facts of(LocalId id, int depth) {
    const Local& local = item_[id];
    if (!local.type.is_scalar() || !is_integer(local.type.element)) return {};
    if (local.constant)
      if (const auto* value = std::get_if<Number>(&local.constant->value)) return exactly(*value);
    if (const auto known = locals_.find(id); known != locals_.end()) return known->second;
    locals_[id] = of_type(local.type.element);
    Facts result = of_type(local.type.element);
    if (local.form == Local::Form::Dimension) result = dimension(local.name);
    else if (const auto loop = loops_.find(id); loop != loops_.end()) result = variable(*loop->second, local.type.element, depth);
    else if (const auto init = inits_.find(id); init != inits_.end()) result = of(init->second, depth);
    else if (const auto count = counted_.find(id); count != counted_.end()) result = between(0, count->second - 1);
    return locals_[id] = result;
  }

  std::string form(const Affine& sum) const {
    if (sum.is_constant() || (sum.terms.size() == 1 && sum.constant == 0 && sum.terms.begin()->second == 1)) return {};
    Bound named = number(sum.constant);
    for (const auto& [atom, coefficient] : sum.terms) {
      if (atom.first == 2) return {};
      named.terms[atom.first == 0 ? item_[LocalId(atom.second)].name : ctx_name(atom.second)] = coefficient;
    }
    return named.terms.size() == sum.terms.size() ? to_string(named) : std::string();
  }
  std::string form(ExprId id) const { return form(affine_of(item_, inits_, id)); }
  std::string form(LocalId id) const {
    const auto init = inits_.find(id);
    return init == inits_.end() ? std::string() : form(init->second);
  }

 private:
  static std::string ctx_name(std::uint32_t atom) {
    const builtins::CtxRow& row = builtins::row(static_cast<builtins::CtxField>(atom / 4));
    return row.has_axis ? fmt::format("ctx.{}.{}", row.name, "xyz"[atom % 4]) : fmt::format("ctx.{}", row.name);
  }

  Facts dimension(const std::string& name) const {
    Facts facts;
    facts.lower = facts.upper = Bound{0, {{name, 1}}};
    for (const AlignedPromise& promise : item_.attributes.aligned)
      if (promise.dimension == name) facts.divisor = std::lcm(facts.divisor, promise.multiple);
    return facts;
  }

  Facts variable(const For& loop, ScalarType element, int depth) {
    for (const ExprId bound : {loop.begin, loop.end, loop.step})
      if (item_[bound].type.is_error()) return of_type(element);  // told; nothing is known of what it counts
    const Facts begin = of(loop.begin, depth), end = of(loop.end, depth), step = of(loop.step, depth);
    Facts result;
    result.lower = begin.lower;
    result.upper = combined(end.upper, number(1), -1);
    result.divisor = std::gcd(begin.divisor, step.divisor);
    const auto from = exact(begin), to = exact(end), by = exact(step);
    if (from && to && by && *by > 0 && *to > *from) result.upper = number(*from + (*to - 1 - *from) / *by * *by);
    return held(result, element);
  }

  template <class Node>
  Facts at(const Node&, ScalarType type, int) {
    return of_type(type);
  }
  Facts at(const LocalExpr& node, ScalarType, int depth) { return of(node.local, depth); }
  Facts at(const CtxExpr& node, ScalarType, int) {
    using builtins::CtxField;
    const bool kernel = item_.item->form == syntax::Item::Form::Kernel;
    const Number threads = kernel ? item_.attributes.threads : 1024;
    switch (node.field) {
      case CtxField::Blocks: return {number(1), {}, 1, {}};
      case CtxField::Block: return {number(0), {}, 1, {}};
      case CtxField::Threads: return {number(32), number(threads), 32, {}};
      case CtxField::Warps: return between(1, threads / 32);
      case CtxField::Lanes: return exactly(32);
      case CtxField::Warp: return between(0, threads / 32 - 1);
      case CtxField::Thread: return between(0, threads - 1);
      case CtxField::Lane: return between(0, 31);
    }
    return {};
  }
  Facts at(const UnaryExpr& node, ScalarType type, int depth) {
    if (node.op != UnaryOp::Negate) return of_type(type);
    return held(scaled(of(node.operand, depth), -1), type);
  }
  Facts at(const ConvertExpr& node, ScalarType type, int depth) {
    const Type& from = item_[node.operand].type;
    if (!from.is_scalar() || !is_integer(from.element)) return of_type(type);
    return held(of(node.operand, depth), type);
  }
  Facts at(const BinaryExpr& node, ScalarType type, int depth) {
    const Facts a = of(node.left, depth), b = of(node.right, depth);
    const auto by = exact(b);
    const bool shift = by && *by >= 0 && *by < 62;
    switch (node.op) {
      case BinaryOp::Add: return held(sum(a, b, 1), type);
      case BinaryOp::Sub: return held(sum(a, b, -1), type);
      case BinaryOp::Mul: return held(product(a, b), type);
      case BinaryOp::Div: return held(quotient(a, b), type);
      case BinaryOp::Rem: return held(remainder(a, b), type);
      case BinaryOp::Shl: return shift ? held(scaled(a, Number{1} << *by), type) : of_type(type);
      case BinaryOp::Shr: return shift ? held(quotient(a, exactly(Number{1} << *by)), type) : of_type(type);
      case BinaryOp::BitAnd: {
        Facts result = of_type(type);
        const auto mask = by ? by : exact(a);
        if (!mask) return result;
        result.divisor = *mask == 0 ? 0 : *mask & -*mask;
        if (*mask >= 0) result.lower = number(0), result.upper = number(*mask);
        return result;
      }
      default: return of_type(type);
    }
  }
  Facts at(const BuiltinCall& node, ScalarType type, int depth) {
    using builtins::Builtin;
    const auto argument = [&](std::size_t i) { return of(node.arguments[i], depth); };
    switch (node.id) {
      case Builtin::Where: return either(argument(1), argument(2));
      case Builtin::TMin: {
        const Facts a = argument(0), b = argument(1);
        Facts result = either(a, b);
        result.upper = !a.upper ? b.upper : !b.upper ? a.upper : at_most(*b.upper, *a.upper) ? b.upper : a.upper;
        return result;
      }
      case Builtin::TMax: {
        const Facts a = argument(0), b = argument(1);
        Facts result = either(a, b);
        result.lower = !a.lower ? b.lower : !b.lower ? a.lower : at_most(*a.lower, *b.lower) ? b.lower : a.lower;
        return result;
      }
      case Builtin::PopCount: return between(0, bits_of(item_[node.arguments[0]].type.element));
      case Builtin::Shfl:
      case Builtin::Max:
      case Builtin::Min:
        return node.fold && !node.arguments.empty() ? argument(0) : of_type(type);
      default: return of_type(type);
    }
  }

  const CheckedItem& item_;
  std::map<LocalId, ExprId> inits_;          // of lets and arguments
  std::map<LocalId, const For*> loops_;      // by their variable
  std::map<LocalId, Number> counted_;        // indices of generated elements: how many there are along the axis
  std::map<ExprId, Facts> exprs_;
  std::map<LocalId, Facts> locals_;
};

FactFinder::FactFinder(const CheckedItem& item) : impl_(std::make_unique<Impl>(item)) {}
FactFinder::~FactFinder() = default;

Facts FactFinder::of(ExprId expr) { return impl_->of(expr, 0); }
Facts FactFinder::of(LocalId local) { return impl_->of(local, 0); }

Facts facts_of(const CheckedItem& item, ExprId expr) {
  FactFinder::Impl finder(item);
  Facts facts = finder.of(expr, 0);
  if (item[expr].type.is_scalar() && is_integer(item[expr].type.element)) facts.affine = finder.form(expr);
  return facts;
}

Facts facts_of(const CheckedItem& item, LocalId local) {
  FactFinder::Impl finder(item);
  Facts facts = finder.of(local, 0);
  if (item[local].type.is_scalar() && is_integer(item[local].type.element)) facts.affine = finder.form(local);
  return facts;
}

}  // namespace phobos::sema
