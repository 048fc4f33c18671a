// The grid from the stores (language.md, 14.3). A store whose start along an axis is
//
//   ctx.block.x * T + rest,  0 <= rest < T
//
// says that the CTAs along x tile that axis in steps of T: there are extent / T of them, rounded up. `rest` is what the threads,
// the lanes and the inner loops add; bounds on it are kept as an interval. All that depends on `ctx.block` must say the same.
//
// Two facts of each expression are needed: its affine form, where it has one, and which axes of `ctx.block` it depends on at all
// (its taint). A start that is tainted and has no form defeats the inference; one that is not tainted says nothing.
#include <algorithm>
#include <functional>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "lowering.h"

namespace phobos::lower {

namespace {

constexpr std::array axis_names = {"x", "y", "z"};
constexpr unsigned blocks_taint = 8;  // bits 0 to 2: ctx.block.x, .y, .z; bit 3: ctx.blocks
constexpr std::int64_t far = std::int64_t{1} << 40;  // bounds beyond this are as good as none

// coefficient . ctx.block + rest, lo <= rest <= hi.
struct Form {
  bool affine = false;
  std::array<std::int64_t, 3> coefficient{};
  std::int64_t lo = -far, hi = far;
  unsigned taint = 0;
  unsigned broken = 0;  // the part of the taint that came in by no multiple

  bool constant() const { return affine && coefficient == std::array<std::int64_t, 3>{} && lo == hi; }
  bool known() const { return affine && lo > -far && hi < far; }
};

Form number(std::int64_t lo, std::int64_t hi) {
  Form form;
  form.affine = true;
  form.lo = std::clamp(lo, -far, far);
  form.hi = std::clamp(hi, -far, far);
  return form;
}

Form unknown(unsigned taint) {
  Form form;
  form.affine = taint == 0;  // a number that no CTA's index is part of is all rest, unbounded
  form.taint = form.broken = taint;
  return form;
}

Form add(const Form& a, const Form& b, std::int64_t sign) {
  if (!a.affine || !b.affine) {
    Form sum = unknown(a.taint | b.taint);
    sum.broken = a.broken | b.broken;
    return sum;
  }
  Form sum = number(a.lo + (sign > 0 ? b.lo : -b.hi), a.hi + (sign > 0 ? b.hi : -b.lo));
  if (!a.known() || !b.known()) sum.lo = -far, sum.hi = far;
  for (std::size_t i = 0; i < 3; ++i) sum.coefficient[i] = a.coefficient[i] + sign * b.coefficient[i];
  sum.taint = a.taint | b.taint;
  return sum;
}

Form multiply(const Form& a, const Form& b) {
  const bool by_b = b.constant();
  if (!by_b && !a.constant()) return unknown(a.taint | b.taint);
  const Form& value = by_b ? a : b;
  const std::int64_t factor = by_b ? b.lo : a.lo;
  if (!value.affine || factor < 0 || factor > far / 1024) return unknown(value.taint);
  Form product = number(0, 0);
  for (std::size_t i = 0; i < 3; ++i) product.coefficient[i] = value.coefficient[i] * factor;
  const std::int64_t bound = far / std::max<std::int64_t>(factor, 1);
  const bool fits = value.known() && value.lo > -bound && value.hi < bound;
  product.lo = fits ? value.lo * factor : -far;
  product.hi = fits ? value.hi * factor : far;
  product.taint = value.taint;
  return product;
}

class Inference {
 public:
  Inference(const sema::CheckedItem& item, const Origins& origins, const std::vector<std::string>& dimensions)
      : item_(item), origins_(origins), dimensions_(dimensions) {}
  ir::GridRule rule();

 private:
  struct Claim {  // what a store says of an axis of the grid
    ir::GridAxis axis;
    LocalId target;
  };

  void collect();
  void collect_condition(ExprId condition, const sema::Block& block);
  unsigned used() const;
  Form form(ExprId id);
  Form form_of(LocalId id);
  Form loop_variable(const sema::For& loop);
  Form ctx(const sema::CtxExpr& node) const;
  unsigned taint_of(ExprId id) const;
  template <class Visit>
  void each_operand(const sema::Expr& node, const Visit& visit) const;
  template <class Visit>
  void each_return(const sema::Block& block, const Visit& visit) const;
  void store(const sema::Stmt& stmt);
  void builtin_store(const sema::Expr& node, const sema::BuiltinCall& call);
  void start(LocalId target, const sema::Extent& extent, ExprId at, std::int64_t length, Location location);
  void defeat(std::string reason, Location location);

  const sema::CheckedItem& item_;
  const Origins& origins_;
  const std::vector<std::string>& dimensions_;
  std::map<LocalId, std::vector<ExprId>> values_;      // all that is ever assigned
  std::map<LocalId, std::vector<ExprId>> conditions_;  // under which a local is assigned; a loop variable's bounds
  std::map<LocalId, const sema::For*> loops_;          // by their variable
  std::map<LocalId, Form> forms_;
  IdVector<LocalId, unsigned> taints_;                 // by fixpoint
  std::array<std::optional<Claim>, 3> claims_;
  ir::GridRule rule_;
};

// What each local is given, and the conditions that choose between them.
void Inference::collect() {
  for (const sema::Stmt& stmt : item_.stmts) {
    if (const auto* declare = std::get_if<sema::Declare>(&stmt.node))
      if (declare->init) values_[declare->local].push_back(declare->init);
    if (const auto* assign = std::get_if<sema::Assign>(&stmt.node)) values_[assign->target].push_back(assign->value);
    if (const auto* loop = std::get_if<sema::For>(&stmt.node)) {
      loops_[loop->variable] = loop;
      for (const ExprId bound : {loop->begin, loop->end, loop->step}) {
        conditions_[loop->variable].push_back(bound);
        collect_condition(bound, loop->body);
      }
    }
    if (const auto* loop = std::get_if<sema::While>(&stmt.node)) collect_condition(loop->condition, loop->body);
    if (const auto* branch = std::get_if<sema::If>(&stmt.node)) {
      collect_condition(branch->condition, branch->then_block);
      collect_condition(branch->condition, branch->else_block);
    }
  }
  for (const sema::Expr& node : item_.exprs)
    if (const auto* call = std::get_if<sema::InlinedCall>(&node.node))
      for (const auto& [local, argument] : call->bindings) values_[local].push_back(argument);

  taints_.resize(item_.locals.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto* given : {&values_, &conditions_})
      for (const auto& [local, exprs] : *given)
        for (const ExprId id : exprs) {
          const unsigned taint = taints_[local] | taint_of(id);
          changed |= taint != taints_[local];
          taints_[local] = taint;
        }
  }
}

void Inference::collect_condition(ExprId condition, const sema::Block& block) {
  for (const StmtId id : block) {
    const auto& node = item_[id].node;
    if (const auto* assign = std::get_if<sema::Assign>(&node)) conditions_[assign->target].push_back(condition);
    if (const auto* loop = std::get_if<sema::For>(&node)) collect_condition(condition, loop->body);
    if (const auto* loop = std::get_if<sema::While>(&node)) collect_condition(condition, loop->body);
    if (const auto* branch = std::get_if<sema::If>(&node)) {
      collect_condition(condition, branch->then_block);
      collect_condition(condition, branch->else_block);
    }
  }
}

// Which indices and counts the kernel reads at all. What is only printed changes nothing.
unsigned Inference::used() const {
  std::vector<bool> shown(item_.exprs.size());
  const std::function<void(ExprId)> show = [&](ExprId id) {
    shown[id.value] = true;
    each_operand(item_[id], show);
  };
  for (const sema::Expr& node : item_.exprs)
    if (const auto* call = std::get_if<sema::BuiltinCall>(&node.node); call && call->id == builtins::Builtin::Print) each_operand(node, show);
  unsigned axes = 0;
  for (std::size_t i = 0; i < item_.exprs.size(); ++i)
    if (const auto* read = std::get_if<sema::CtxExpr>(&item_[ExprId(i)].node); read && !shown[i]) axes |= ctx(*read).taint;
  return axes;
}

Form Inference::ctx(const sema::CtxExpr& node) const {
  using builtins::CtxField;
  const int threads = item_.attributes.threads;
  switch (node.field) {
    case CtxField::Block: {
      Form form = number(0, 0);
      form.coefficient[static_cast<std::size_t>(node.axis)] = 1;
      form.taint = 1u << node.axis;
      return form;
    }
    case CtxField::Blocks: return unknown(blocks_taint);
    case CtxField::Threads: return number(threads, threads);
    case CtxField::Warps: return number(threads / 32, threads / 32);
    case CtxField::Lanes: return number(32, 32);
    case CtxField::Warp: return number(0, threads / 32 - 1);
    case CtxField::Thread: return number(0, threads - 1);
    case CtxField::Lane: return number(0, 31);
  }
  return {};
}

Form Inference::form(ExprId id) {
  const sema::Expr& node = item_[id];
  if (node.constant)
    if (const auto* value = std::get_if<std::int64_t>(&node.constant->value)) return number(*value, *value);
  if (const auto* read = std::get_if<sema::CtxExpr>(&node.node)) return ctx(*read);
  if (const auto* local = std::get_if<sema::LocalExpr>(&node.node)) return form_of(local->local);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node.node); convert && is_integer(node.type.element))
    return form(convert->operand);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node.node); binary && is_integer(node.type.element)) {
    const Form left = form(binary->left), right = form(binary->right);
    switch (binary->op) {
      case sema::BinaryOp::Add: return add(left, right, 1);
      case sema::BinaryOp::Sub: return add(left, right, -1);
      case sema::BinaryOp::Mul: return multiply(left, right);
      case sema::BinaryOp::Shl:
        if (!right.constant() || right.lo < 0 || right.lo >= 32) break;
        return multiply(left, number(std::int64_t{1} << right.lo, std::int64_t{1} << right.lo));
      case sema::BinaryOp::Div:
        if (left.taint == 0 && left.known() && left.lo >= 0 && right.constant() && right.lo > 0)
          return number(left.lo / right.lo, left.hi / right.lo);
        break;
      case sema::BinaryOp::Rem:
        if (left.taint == 0 && left.known() && left.lo >= 0 && right.constant() && right.lo > 0)
          return number(0, std::min(left.hi, right.lo - 1));
        break;
      default: break;
    }
    return unknown(left.taint | right.taint);
  }
  return unknown(taint_of(id));
}

Form Inference::form_of(LocalId id) {
  const sema::Local& local = item_[id];
  if (local.constant)
    if (const auto* value = std::get_if<std::int64_t>(&local.constant->value)) return number(*value, *value);
  if (const auto known = forms_.find(id); known != forms_.end()) return known->second;
  Form result = unknown(taints_[id]);
  const auto values = values_.find(id);
  if (const auto loop = loops_.find(id); loop != loops_.end())
    result = loop_variable(*loop->second);
  else if (local.type.is_scalar() && values != values_.end() && values->second.size() == 1)
    result = form(values->second[0]);
  return forms_[id] = result;
}

// begin <= variable < end: of one form with both where they differ by no CTA's index.
Form Inference::loop_variable(const sema::For& loop) {
  const Form begin = form(loop.begin), end = form(loop.end);
  const unsigned taint = begin.taint | end.taint | taint_of(loop.step);
  if (!begin.affine || !end.affine || begin.coefficient != end.coefficient || taint_of(loop.step) != 0) return unknown(taint);
  Form variable = begin;
  variable.hi = end.hi >= far ? far : std::max(begin.lo, end.hi - 1);
  variable.taint = taint;
  return variable;
}

// What the value of an expression is computed from, loads and calls included.
template <class Visit>
void Inference::each_operand(const sema::Expr& node, const Visit& visit) const {
  const auto look = [&](ExprId id) {
    if (id) visit(id);
  };
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&node.node)) look(unary->operand);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node.node)) look(binary->left), look(binary->right);
  if (const auto* logical = std::get_if<sema::LogicalExpr>(&node.node)) look(logical->left), look(logical->right);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node.node)) look(convert->operand);
  if (const auto* load = std::get_if<sema::PointLoad>(&node.node)) {
    look(load->base);
    for (const ExprId index : load->indices) look(index);
  }
  if (const auto* load = std::get_if<sema::SliceLoad>(&node.node)) {
    look(load->base);
    for (const sema::Axis& axis : load->axes) look(axis.start);
  }
  if (const auto* call = std::get_if<sema::BuiltinCall>(&node.node)) {
    for (const ExprId argument : call->arguments) look(argument);
    if (call->fold) look(call->fold->operand);
  }
  if (const auto* call = std::get_if<sema::InlinedCall>(&node.node)) {
    for (const auto& [local, argument] : call->bindings) look(argument);
    each_return(*call->body, look);
  }
}

template <class Visit>
void Inference::each_return(const sema::Block& block, const Visit& visit) const {
  for (const StmtId id : block) {
    const auto& node = item_[id].node;
    if (const auto* result = std::get_if<sema::Return>(&node)) visit(result->value);
    if (const auto* loop = std::get_if<sema::For>(&node)) each_return(loop->body, visit);
    if (const auto* loop = std::get_if<sema::While>(&node)) each_return(loop->body, visit);
    if (const auto* branch = std::get_if<sema::If>(&node)) {
      visit(branch->condition);
      each_return(branch->then_block, visit);
      each_return(branch->else_block, visit);
    }
  }
}

unsigned Inference::taint_of(ExprId id) const {
  const sema::Expr& node = item_[id];
  if (const auto* read = std::get_if<sema::CtxExpr>(&node.node)) return ctx(*read).taint;
  if (const auto* local = std::get_if<sema::LocalExpr>(&node.node)) return taints_[local->local];
  unsigned taint = 0;
  each_operand(node, [&](ExprId operand) { taint |= taint_of(operand); });
  return taint;
}

void Inference::defeat(std::string reason, Location location) {
  if (!rule_.reason.empty()) return;
  rule_.reason = std::move(reason);
  rule_.span = origins_.absolute(location);
}

// A store of `length` elements from `at` along an axis of that extent.
void Inference::start(LocalId target, const sema::Extent& extent, ExprId at, std::int64_t length, Location location) {
  const Form place = at ? form(at) : number(0, 0);
  if (place.taint == 0) return;
  const std::string& name = item_[target].name;
  if (place.taint & blocks_taint)
    return defeat(fmt::format("the store to `{}` starts at a value that depends on `ctx.blocks`", name), location);
  const auto count = std::count_if(place.coefficient.begin(), place.coefficient.end(), [](std::int64_t c) { return c != 0; });
  const auto first = std::find_if(place.coefficient.begin(), place.coefficient.end(), [](std::int64_t c) { return c != 0; });
  const std::size_t axis = place.affine && count == 1 ? static_cast<std::size_t>(first - place.coefficient.begin()) : 0;
  const std::int64_t step = place.coefficient[axis];
  if (!place.affine || count != 1 || step < 1) {
    const unsigned named_by = place.broken ? place.broken : place.taint;
    const auto named = static_cast<std::size_t>(named_by & 1 ? 0 : named_by & 2 ? 1 : 2);
    return defeat(fmt::format("the store to `{}` starts at a value that is not a multiple of `ctx.block.{}`", name,
                              axis_names[named]),
                  location);
  }
  if (!place.known() || place.lo < 0 || place.hi + length > step)
    return defeat(fmt::format("the store to `{}` may reach past the {} that a step of `ctx.block.{}` covers", name,
                              step == 1 ? "one element" : fmt::format("{} elements", step), axis_names[axis]),
                  location);
  ir::GridAxis claim;
  claim.step = step;
  if (extent.constant) {
    claim.extent = *extent.constant;
  } else {
    const auto dimension = std::find(dimensions_.begin(), dimensions_.end(), extent.name);
    if (dimension == dimensions_.end())
      return defeat(fmt::format("the extent `{}` is not known at launch", extent.name), location);
    claim.extent = ir::dynamic_extent(static_cast<std::size_t>(dimension - dimensions_.begin()));
  }
  if (!claims_[axis]) {
    claims_[axis] = Claim{claim, target};
    return;
  }
  const Claim& other = *claims_[axis];
  if (other.axis.extent != claim.extent || other.axis.step != claim.step)
    defeat(fmt::format("the stores to `{}` and `{}` want different grids along {}", item_[other.target].name, name,
                       axis_names[axis]),
           location);
}

void Inference::store(const sema::Stmt& stmt) {
  if (const auto* point = std::get_if<sema::PointStore>(&stmt.node)) {
    const sema::Local& target = item_[point->target];
    if (!target.type.is_tensor()) return;
    for (std::size_t i = 0; i < point->indices.size(); ++i)
      start(point->target, target.type.shape[i], point->indices[i], 1, stmt.location);
  }
  if (const auto* slice = std::get_if<sema::SliceStore>(&stmt.node)) {
    const sema::Local& target = item_[slice->target];
    if (!target.type.is_tensor()) return;
    for (std::size_t i = 0; i < slice->axes.size(); ++i)
      start(slice->target, target.type.shape[i], slice->axes[i].start, slice->axes[i].length.constant.value_or(1), stmt.location);
  }
}

// store(t, e, v), atomics and store_release address a tensor in row-major order: an axis only where the tensor has one.
void Inference::builtin_store(const sema::Expr& node, const sema::BuiltinCall& call) {
  using builtins::Form;
  const Form form_of_call = builtins::row(call.id).form;
  if (form_of_call != Form::Store && form_of_call != Form::Atomic && form_of_call != Form::StoreRelease) return;
  const auto* target = std::get_if<sema::LocalExpr>(&item_[call.arguments[0]].node);
  if (!target || !item_[target->local].type.is_tensor()) return;
  const sema::Type& type = item_[target->local].type;
  const unsigned taint = form(call.arguments[1]).taint;
  if (taint == 0) return;
  if (type.rank() != 1)
    return defeat(fmt::format("the store to `{}` is at a flat position", item_[target->local].name), node.location);
  const sema::Type& value = item_[call.arguments[2]].type;
  start(target->local, type.shape[0], call.arguments[1], value.is_run() ? value.shape[0].constant.value_or(1) : 1, node.location);
}

ir::GridRule Inference::rule() {
  collect();
  const unsigned axes = used();
  if (axes == 0) {
    rule_.axes.emplace(3, ir::GridAxis{});
    return std::move(rule_);
  }
  for (const sema::Stmt& stmt : item_.stmts) store(stmt);
  for (const sema::Expr& node : item_.exprs)
    if (const auto* call = std::get_if<sema::BuiltinCall>(&node.node)) builtin_store(node, *call);
  const Location whole{item_.item->name.span, 0};
  if (axes & blocks_taint) defeat("the kernel reads `ctx.blocks`, so any grid would do", whole);
  std::vector<ir::GridAxis> found(3);
  for (std::size_t i = 0; i < 3; ++i) {
    if (claims_[i]) found[i] = claims_[i]->axis;
    if ((axes >> i & 1) && !claims_[i])
      defeat(fmt::format("no store starts at a multiple of `ctx.block.{}`", axis_names[i]), whole);
  }
  if (rule_.reason.empty()) rule_.axes = std::move(found);
  return std::move(rule_);
}

}  // namespace

ir::GridRule infer_grid(const sema::CheckedItem& item, const Origins& origins, const std::vector<std::string>& dimensions) {
  return Inference(item, origins, dimensions).rule();
}

}  // namespace phobos::lower
