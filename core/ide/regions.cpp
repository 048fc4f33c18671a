#include "regions.h"

#include <algorithm>
#include <numeric>

namespace phobos::ide {
namespace {

using namespace sema;
using Reached = Hierarchy::Access::Reached;
using Numbers = std::optional<Progression>;  // none: not known

constexpr std::int64_t far = std::int64_t{1} << 40;

Numbers made(std::int64_t first, std::int64_t last, std::int64_t step) {
  if (std::max(std::abs(first), std::abs(last)) > far) return std::nullopt;
  if (first == last) return Progression{first, last, 0};
  return Progression{first, last, std::max<std::int64_t>(step, 1)};
}
Numbers single(std::int64_t number) { return made(number, number, 0); }
bool is_single(const Numbers& a) { return a && a->first == a->last; }

Numbers scaled(const Progression& a, std::int64_t by) {
  if (std::abs(by) > far) return std::nullopt;
  const std::int64_t one = a.first * by, other = a.last * by;
  return made(std::min(one, other), std::max(one, other), a.step * std::abs(by));
}

Numbers sum(const Numbers& a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  return made(a->first + b->first, a->last + b->last, std::gcd(a->step, b->step));
}

Numbers product(const Numbers& a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  if (is_single(a)) return scaled(*b, a->first);
  if (is_single(b)) return scaled(*a, b->first);
  if (a->first < 0 || b->first < 0 || a->last > (far / std::max<std::int64_t>(b->last, 1))) return std::nullopt;
  return made(a->first * b->first, a->last * b->last, 1);
}

Numbers quotient(const Numbers& a, const Numbers& b) {
  if (!a || !is_single(b) || b->first <= 0 || a->first < 0) return std::nullopt;
  const std::int64_t by = b->first;
  return made(a->first / by, a->last / by, a->step % by == 0 && a->first % by == 0 ? a->step / by : 1);
}

Numbers remainder(const Numbers& a, const Numbers& b) {
  if (!a || !is_single(b) || b->first <= 0 || a->first < 0) return std::nullopt;
  const std::int64_t by = b->first;
  if (a->first / by == a->last / by) return made(a->first % by, a->last % by, a->step);
  const std::int64_t step = std::gcd(a->step, by);
  return made(a->first % step, by - step + a->first % step, step);
}

Numbers extreme(const Numbers& a, const Numbers& b, bool larger) {
  if (!a || !b) return std::nullopt;
  if (is_single(a) && is_single(b)) return single(larger ? std::max(a->first, b->first) : std::min(a->first, b->first));
  return larger ? made(std::max(a->first, b->first), std::max(a->last, b->last), 1) : made(std::min(a->first, b->first), std::min(a->last, b->last), 1);
}

Numbers joined(const Numbers& a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  return made(std::min(a->first, b->first), std::max(a->last, b->last), std::gcd(std::gcd(a->step, b->step), std::abs(a->first - b->first)));
}

// 0, 1 or either.
Numbers truth(bool can_be_false, bool can_be_true) { return made(can_be_false ? 0 : 1, can_be_true ? 1 : 0, 1); }

Numbers compared(BinaryOp op, const Numbers& a, const Numbers& b) {
  if (!a || !b) return truth(true, true);
  const bool same = is_single(a) && is_single(b) && a->first == b->first;
  const std::int64_t step = std::gcd(a->step, b->step);
  const bool apart = a->last < b->first || b->last < a->first || (step != 0 && (a->first - b->first) % step != 0);
  switch (op) {
    case BinaryOp::Lt: return truth(a->last >= b->first, a->first < b->last);
    case BinaryOp::Le: return truth(a->last > b->first, a->first <= b->last);
    case BinaryOp::Gt: return truth(b->last >= a->first, b->first < a->last);
    case BinaryOp::Ge: return truth(b->last > a->first, b->first <= a->last);
    case BinaryOp::Eq: return truth(!same, !apart);
    case BinaryOp::Ne: return truth(!apart, !same);
    default: return truth(true, true);
  }
}

Reached worse(Reached a, Reached b) { return std::max(a, b); }

class Walk {
 public:
  Walk(const CheckedItem& item, const Runners& runners, const std::map<std::string, std::int64_t>& dimensions)
      : item_(item), runners_(runners), dimensions_(dimensions) {}

  Found run() {
    block(item_.body);
    return std::move(found_);
  }

 private:
  // Whether it always leaves the kernel or the call.
  bool block(const Block& stmts) {
    const Reached before = reached_;
    bool left = false;
    for (const StmtId id : stmts) {
      const bool leaves = std::visit([&](const auto& node) { return this->stmt(node, item_[id].location); }, item_[id].node);
      left = left || leaves;
      if (leaves) reached_ = Reached::No;
    }
    if (!left) reached_ = worse(before, reached_ == Reached::Maybe ? Reached::Maybe : before);
    return left;
  }

  bool stmt(const Declare& node, const Location&) {
    env_[node.local] = node.init.valid() ? visit(node.init) : std::nullopt;
    return false;
  }
  bool stmt(const Assign& node, const Location&) {
    env_[node.target] = visit(node.value);
    return false;
  }
  bool stmt(const PointStore& node, const Location& location) {
    std::vector<Numbers> starts;
    for (const ExprId index : node.indices) starts.push_back(visit(index));
    visit(node.value);
    if (node.op) record(node.target, location, false, false, starts, std::vector<std::int64_t>(starts.size(), 1));
    record(node.target, location, true, false, std::move(starts), std::vector<std::int64_t>(node.indices.size(), 1));
    return false;
  }
  bool stmt(const SliceStore& node, const Location& location) {
    visit(node.value);
    slice(node.target, node.axes, location, true, true);
    return false;
  }
  bool stmt(const For& node, const Location&) {
    const Numbers begin = visit(node.begin), end = visit(node.end), step = visit(node.step);
    const Reached before = reached_;
    forget(node.body);
    env_[node.variable] = std::nullopt;
    if (begin && end && is_single(step) && step->first > 0) {
      const std::int64_t last = end->last - 1, by = std::gcd(begin->step, step->first);
      if (last < begin->first) reached_ = Reached::No;
      else env_[node.variable] = made(begin->first, begin->first + (last - begin->first) / by * by, by);
      if (end->first <= begin->last && reached_ == Reached::Yes) reached_ = Reached::Maybe;
    } else {
      reached_ = worse(reached_, Reached::Maybe);
    }
    block(node.body);
    reached_ = before;
    forget(node.body);
    return false;
  }
  bool stmt(const While& node, const Location&) {
    const Reached before = reached_;
    forget(node.body);
    const Numbers condition = visit(node.condition);
    reached_ = worse(reached_, is_single(condition) && condition->first == 0 ? Reached::No : Reached::Maybe);
    block(node.body);
    reached_ = before;
    forget(node.body);
    return false;
  }
  bool stmt(const If& node, const Location&) {
    const Numbers condition = visit(node.condition);
    const Reached before = reached_;
    const auto start = env_;
    const bool settled = is_single(condition), holds = settled && condition->first != 0;
    reached_ = worse(before, settled ? holds ? Reached::Yes : Reached::No : Reached::Maybe);
    const bool then_left = block(node.then_block);
    const auto after_then = std::move(env_);
    env_ = start;
    reached_ = worse(before, settled ? holds ? Reached::No : Reached::Yes : Reached::Maybe);
    const bool else_left = block(node.else_block);
    reached_ = before;
    if (settled ? holds : else_left) env_ = after_then;
    else if (!settled && !then_left)
      for (auto& [local, numbers] : env_)
        if (const auto other = after_then.find(local); other != after_then.end() && other->second != numbers) numbers = joined(numbers, other->second);
    if (settled ? (holds ? then_left : else_left) : then_left && else_left) return true;
    if (!settled && (then_left || else_left)) reached_ = worse(before, Reached::Maybe);
    return false;
  }
  bool stmt(const Break&, const Location&) { return true; }
  bool stmt(const Continue&, const Location&) { return true; }
  bool stmt(const Return& node, const Location&) {
    if (node.value.valid()) {
      const Numbers value = visit(node.value);
      returned_ = returns_++ == 0 ? value : joined(returned_, value);
    }
    return true;
  }
  bool stmt(const Evaluate& node, const Location&) {
    visit(node.expr);
    return false;
  }

  // What a loop assigns is not known in it.
  void forget(const Block& stmts) {
    for (const StmtId id : stmts) {
      const auto& node = item_[id].node;
      if (const auto* assign = std::get_if<Assign>(&node)) env_[assign->target] = std::nullopt;
      if (const auto* loop = std::get_if<For>(&node)) forget(loop->body);
      if (const auto* loop = std::get_if<While>(&node)) forget(loop->body);
      if (const auto* branch = std::get_if<If>(&node)) {
        forget(branch->then_block);
        forget(branch->else_block);
      }
    }
  }

  Numbers visit(ExprId id) {
    if (!id.valid()) return std::nullopt;
    const Expr& expr = item_[id];
    const Numbers value = std::visit([&](const auto& node) { return this->of(node, expr); }, expr.node);
    if (expr.constant) {
      if (const auto* number = std::get_if<std::int64_t>(&expr.constant->value)) return single(*number);
      if (const auto* flag = std::get_if<bool>(&expr.constant->value)) return single(*flag);
    }
    return expr.type.is_scalar() && !is_float(expr.type.element) ? value : std::nullopt;
  }

  Numbers of(const ErrorExpr&, const Expr&) { return std::nullopt; }
  Numbers of(const ConstantExpr&, const Expr&) { return std::nullopt; }
  Numbers of(const LocalExpr& node, const Expr&) {
    const Local& local = item_[node.local];
    if (local.form == Local::Form::Dimension)
      if (const auto found = dimensions_.find(local.name); found != dimensions_.end()) return single(found->second);
    const auto found = env_.find(node.local);
    return found == env_.end() ? std::nullopt : found->second;
  }
  Numbers of(const CtxExpr& node, const Expr&) {
    using builtins::CtxField;
    const auto axis = static_cast<std::size_t>(node.axis);
    if (node.field == CtxField::Block && !printing_) found_.block[axis] = true;
    if (node.field == CtxField::Blocks && !printing_) found_.blocks = true;
    switch (node.field) {
      case CtxField::Block: return runners_.block[axis];
      case CtxField::Blocks: return runners_.blocks[axis];
      case CtxField::Threads: return single(runners_.threads);
      case CtxField::Warps: return single(runners_.threads / 32);
      case CtxField::Lanes: return single(32);
      case CtxField::Warp: return runners_.warp;
      case CtxField::Thread: return runners_.thread;
      case CtxField::Lane: return runners_.lane;
    }
    return std::nullopt;
  }
  Numbers of(const UnaryExpr& node, const Expr&) {
    const Numbers operand = visit(node.operand);
    if (!operand) return std::nullopt;
    if (node.op == UnaryOp::Negate) return scaled(*operand, -1);
    if (node.op == UnaryOp::Not) return truth(operand->last != 0, operand->first == 0);
    return std::nullopt;
  }
  Numbers of(const BinaryExpr& node, const Expr&) {
    const Numbers left = visit(node.left), right = visit(node.right);
    if (syntax::is_comparison(node.op)) return is_float(item_[node.left].type.element) ? truth(true, true) : compared(node.op, left, right);
    switch (node.op) {
      case BinaryOp::Add: return sum(left, right);
      case BinaryOp::Sub: return right ? sum(left, scaled(*right, -1)) : std::nullopt;
      case BinaryOp::Mul: return product(left, right);
      case BinaryOp::Div: return quotient(left, right);
      case BinaryOp::Rem: return remainder(left, right);
      case BinaryOp::Shl: return is_single(right) && right->first >= 0 && right->first < 40 ? product(left, single(std::int64_t{1} << right->first)) : std::nullopt;
      case BinaryOp::Shr: return is_single(right) && right->first >= 0 && right->first < 40 ? quotient(left, single(std::int64_t{1} << right->first)) : std::nullopt;
      case BinaryOp::BitAnd: return is_single(right) && right->first >= 0 && (right->first & (right->first + 1)) == 0 ? remainder(left, single(right->first + 1)) : std::nullopt;
      default: return std::nullopt;
    }
  }
  Numbers of(const LogicalExpr& node, const Expr&) {
    const Numbers left = visit(node.left), right = visit(node.right);
    const Numbers a = left ? left : truth(true, true), b = right ? right : truth(true, true);
    if (!a || !b) return truth(true, true);
    return node.is_and ? made(std::min(a->first, b->first), std::min(a->last, b->last), 1) : made(std::max(a->first, b->first), std::max(a->last, b->last), 1);
  }
  Numbers of(const ConvertExpr& node, const Expr&) { return visit(node.operand); }
  Numbers of(const PointLoad& node, const Expr& expr) {
    std::vector<Numbers> starts;
    for (const ExprId index : node.indices) starts.push_back(visit(index));
    if (const auto* base = std::get_if<LocalExpr>(&item_[node.base].node)) record(base->local, expr.location, false, false, starts, std::vector<std::int64_t>(starts.size(), 1));
    else visit(node.base);
    return std::nullopt;
  }
  Numbers of(const SliceLoad& node, const Expr& expr) {
    if (const auto* base = std::get_if<LocalExpr>(&item_[node.base].node)) slice(base->local, node.axes, expr.location, false, !expr.type.is_run());
    else {
      visit(node.base);
      for (const Axis& axis : node.axes) visit(axis.start);
    }
    return std::nullopt;
  }
  Numbers of(const BuiltinCall& node, const Expr& expr) {
    using builtins::Builtin;
    const bool outer = printing_;
    printing_ = printing_ || node.id == Builtin::Print;
    std::vector<Numbers> given;
    for (const ExprId argument : node.arguments) given.push_back(visit(argument));
    if (node.fold) visit(node.fold->operand);
    printing_ = outer;
    if (given.size() == 2 && (node.id == Builtin::TMin || node.id == Builtin::TMax)) return extreme(given[0], given[1], node.id == Builtin::TMax);
    if (given.size() >= 2) at_position(node, given[1], expr);
    return std::nullopt;
  }
  // elem, store, atomics, load_acquire and store_release: at a row-major position.
  void at_position(const BuiltinCall& node, const Numbers& position, const Expr& expr) {
    using builtins::Form;
    const Form form = builtins::row(node.id).form;
    const bool own = form == Form::Elem || form == Form::Store, atomic = form == Form::Atomic;
    if (!own && !atomic && form != Form::LoadAcquire && form != Form::StoreRelease) return;
    const auto* tensor = std::get_if<LocalExpr>(&item_[node.arguments[0]].node);
    if (tensor == nullptr || !item_[tensor->local].type.is_tensor()) return;
    const Type& value = form == Form::Store ? item_[node.arguments[2]].type : expr.type;
    const std::int64_t length = value.is_run() ? value.shape[0].constant.value_or(1) : 1;
    record(tensor->local, expr.location, form != Form::Elem && form != Form::LoadAcquire, !own, {position}, {length});
    found_.accesses.back().atomic = atomic;
    found_.accesses.back().flat = item_[tensor->local].type.rank() > 1;
  }
  Numbers of(const InlinedCall& node, const Expr&) {
    for (const auto& [local, argument] : node.bindings) env_[local] = visit(argument);
    const Reached before = reached_;
    const Numbers outer = returned_;
    const int count = returns_;
    returned_ = std::nullopt;
    returns_ = 0;
    block(*node.body);
    const Numbers value = returned_;
    returned_ = outer;
    returns_ = count;
    reached_ = before;
    return value;
  }

  void slice(LocalId target, const std::vector<Axis>& axes, const Location& location, bool store, bool by_cta) {
    std::vector<Numbers> starts;
    std::vector<std::int64_t> lengths;
    for (const Axis& axis : axes) {
      starts.push_back(axis.form == Axis::Form::Full ? single(0) : visit(axis.start));
      const auto named = dimensions_.find(axis.length.name);
      lengths.push_back(axis.length.constant ? *axis.length.constant : named != dimensions_.end() ? named->second : 1);
    }
    record(target, location, store, by_cta, std::move(starts), std::move(lengths));
  }

  void record(LocalId tensor, const Location& location, bool store, bool by_cta, std::vector<Numbers> starts, std::vector<std::int64_t> lengths) {
    if (item_[tensor].type.is_tensor()) found_.accesses.push_back({location, tensor, store, by_cta, false, false, reached_, std::move(starts), std::move(lengths)});
  }

  const CheckedItem& item_;
  const Runners& runners_;
  const std::map<std::string, std::int64_t>& dimensions_;
  std::map<LocalId, Numbers> env_;
  Reached reached_ = Reached::Yes;
  Numbers returned_;
  int returns_ = 0;
  bool printing_ = false;
  Found found_;
};

}  // namespace

Found accesses_of(const CheckedItem& item, const Runners& runners, const std::map<std::string, std::int64_t>& dimensions) {
  return Walk(item, runners, dimensions).run();
}

}  // namespace phobos::ide
