#include "fixes.h"

#include <algorithm>
#include <set>

#include <phobos/sema/missing_axes.h>

#include "words.h"

namespace phobos::uniformity {

namespace {

std::string_view newline_of(std::string_view text) { return text.find("\r\n") != text.npos ? "\r\n" : "\n"; }

// The white space before a place when nothing else stands before it on its line.
std::optional<std::string_view> indentation(std::string_view text, std::uint32_t at) {
  std::uint32_t begin = at;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r') return std::nullopt;
  return text.substr(begin, at - begin);
}

// --- rule 3 --------------------------------------------------------------------------------------------------------------

std::optional<diag::TextEdit> barrier_before(const CheckedItem& item, StmtId stmt) {
  const std::string_view text = text_of(item, 0);
  const std::uint32_t at = item[stmt].location.span.begin;
  if (at > text.size()) return std::nullopt;
  const Location place{{at, at}, 0};
  if (const auto indent = indentation(text, at))
    return diag::TextEdit{place, std::string("barrier()").append(newline_of(text)).append(*indent)};
  const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
  if (before == text.npos || (text[before] != '{' && text[before] != ';')) return std::nullopt;
  return diag::TextEdit{place, "barrier(); "};
}

}  // namespace

BarrierRepair repair_early_read(const CheckedItem& item, const Facts& facts, const EarlyRead& early, const std::stop_token& stop) {
  const Read& read = facts.reads[early.read];
  // A read inside an inlined function is mended where the kernel calls it.
  StmtId stmt = read.stmt;
  for (std::uint32_t call = facts.call[stmt]; call != nothing; call = facts.call[stmt]) stmt = facts.calls[call].stmt;
  BarrierRepair repair{early_reads(item, facts, stop, stmt), {}};
  const bool mended = std::none_of(repair.left.begin(), repair.left.end(), [&](const EarlyRead& other) {
    return facts.reads[other.read].stmt == read.stmt && facts.reads[other.read].buffer == read.buffer;
  });
  if (!mended || facts.graph.kind(facts.control[stmt]) != Kind::Uniform) return repair;
  if (const auto edit = barrier_before(item, stmt)) repair.fixes.push_back({"Insert `barrier()` before this statement", {*edit}});
  return repair;
}

// --- rule 1 --------------------------------------------------------------------------------------------------------------

namespace {

struct Surrounding {
  StmtId stmt;  // the `if`
  const sema::If* node = nullptr;
  bool first = false, last = false;
};

Surrounding if_around(const CheckedItem& item, StmtId stmt) {
  for (std::size_t i = 0; i < item.stmts.size(); ++i) {
    const auto* node = std::get_if<sema::If>(&item[StmtId(i)].node);
    if (!node) continue;
    for (const sema::Block* block : {&node->then_block, &node->else_block})
      if (!block->empty() && (block->front() == stmt || block->back() == stmt))
        return {StmtId(i), node, block->front() == stmt, block->back() == stmt};
  }
  return {};
}

bool is_barrier(const CheckedItem& item, StmtId stmt) {
  const auto* evaluate = std::get_if<sema::Evaluate>(&item[stmt].node);
  const auto* call = evaluate ? std::get_if<sema::BuiltinCall>(&item[evaluate->expr].node) : nullptr;
  return call && builtins::row(call->id).form == builtins::Form::Barrier;
}

bool leaves(const CheckedItem& item, const sema::Block& block) {
  return std::any_of(block.begin(), block.end(), [&](StmtId id) {
    const auto& node = item[id].node;
    if (const auto* branch = std::get_if<sema::If>(&node)) return leaves(item, branch->then_block) || leaves(item, branch->else_block);
    if (const auto* loop = std::get_if<sema::For>(&node)) return leaves(item, loop->body);
    if (const auto* loop = std::get_if<sema::While>(&node)) return leaves(item, loop->body);
    return std::holds_alternative<sema::Break>(node) || std::holds_alternative<sema::Continue>(node) ||
           std::holds_alternative<sema::Return>(node);
  });
}

bool gives_a_value_alone(builtins::Form form) {
  using builtins::Form;
  constexpr Form forms[] = {Form::Math1, Form::Math2, Form::Where, Form::Convert, Form::Dot, Form::RowFold, Form::RowArg, Form::Scan, Form::Tril,
                            Form::Transpose, Form::Flat, Form::Iota, Form::Quantised, Form::BytePerm, Form::PopCount, Form::Dp4a, Form::F16Bits, Form::Extent};
  return std::find(std::begin(forms), std::end(forms), form) != std::end(forms);
}

// Whether a value may be computed by threads that did not ask for it: nothing of it has an effect or can fail. A slice reads
// nothing where it lies outside; an element that is outside is a mistake.
bool computes_anywhere(const CheckedItem& item, ExprId id) {
  const auto& node = item[id].node;
  const auto safe = [&](ExprId operand) { return computes_anywhere(item, operand); };
  if (std::holds_alternative<sema::ConstantExpr>(node) || std::holds_alternative<sema::CtxExpr>(node)) return true;
  if (std::holds_alternative<sema::LocalExpr>(node)) return true;
  if (const auto* slice = std::get_if<sema::SliceLoad>(&node))
    return safe(slice->base) && std::all_of(slice->axes.begin(), slice->axes.end(), [&](const sema::Axis& axis) { return !axis.start.valid() || safe(axis.start); });
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&node)) return safe(unary->operand);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node)) return safe(convert->operand);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node)) {
    const bool may_fail = (binary->op == sema::BinaryOp::Div || binary->op == sema::BinaryOp::Rem) && !item[binary->right].constant;
    return !may_fail && safe(binary->left) && safe(binary->right);
  }
  const auto* call = std::get_if<sema::BuiltinCall>(&node);
  if (!call) return false;
  const bool pure = call->fold || gives_a_value_alone(builtins::row(call->id).form);
  return pure && std::all_of(call->arguments.begin(), call->arguments.end(), safe) && (!call->fold || !call->fold->operand.valid() || safe(call->fold->operand));
}

// Goes through a value, but for what it takes from lets: false where something in it has an effect.
class Mentions {
 public:
  explicit Mentions(const CheckedItem& item) : item_(item), inits_(item.locals.size()) {
    for (std::size_t i = 0; i < item.stmts.size(); ++i)
      if (const auto* declare = std::get_if<sema::Declare>(&item[StmtId(i)].node)) inits_[declare->local.value] = declare->init;
  }

  bool value(ExprId id, ExprId within = {});
  bool found() const { return found_; }  // what `within` was
  bool meets(const Mentions& other) const {
    return (fields_ & other.fields_) != 0 || std::any_of(locals_.begin(), locals_.end(), [&](LocalId each) { return other.locals_.contains(each); });
  }

 private:
  bool all(const std::vector<ExprId>& ids, ExprId within) {
    return std::all_of(ids.begin(), ids.end(), [&](ExprId each) { return value(each, within); });
  }
  bool local(LocalId id) {
    if (!locals_.insert(id).second) return true;
    if (item_[id].form == sema::Local::Form::Var && item_[id].type.is_scalar()) return false;  // it may hold anything
    const ExprId init = inits_[id.value];
    return !init.valid() || value(init);
  }

  const CheckedItem& item_;
  std::vector<ExprId> inits_;
  std::set<LocalId> locals_;
  std::uint64_t fields_ = 0;
  bool found_ = false;
};

bool Mentions::value(ExprId id, ExprId within) {
  const auto& node = item_[id].node;
  found_ = found_ || id == within;
  if (std::holds_alternative<sema::ConstantExpr>(node)) return true;
  if (const auto* ctx = std::get_if<sema::CtxExpr>(&node)) {
    fields_ |= std::uint64_t{1} << static_cast<int>(ctx->field);
    return true;
  }
  if (const auto* local = std::get_if<sema::LocalExpr>(&node)) return this->local(local->local);
  if (const auto* point = std::get_if<sema::PointLoad>(&node)) return value(point->base, within) && all(point->indices, within);
  if (const auto* slice = std::get_if<sema::SliceLoad>(&node))
    return value(slice->base, within) && std::all_of(slice->axes.begin(), slice->axes.end(), [&](const sema::Axis& axis) { return !axis.start.valid() || value(axis.start, within); });
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&node)) return value(unary->operand, within);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node)) return value(convert->operand, within);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node)) return value(binary->left, within) && value(binary->right, within);
  if (const auto* logical = std::get_if<sema::LogicalExpr>(&node)) return value(logical->left, within) && value(logical->right, within);
  const auto* call = std::get_if<sema::BuiltinCall>(&node);
  if (!call || !(call->fold || gives_a_value_alone(builtins::row(call->id).form))) return false;
  return all(call->arguments, within) && (!call->fold || !call->fold->operand.valid() || value(call->fold->operand, within));
}

// `ctx.lane == 0 && any<over ctx.lane>(b)`: the other way round all lanes come to it. The left side may keep the right one from
// what would fail, an access outside or a division, where both speak of the same thing.
std::vector<diag::Fix> fixes_for_right_side(const CheckedItem& item, const Op& op) {
  const std::string_view text = text_of(item, 0);
  const auto encloses = [](const Location& outer, const Location& inner) {
    return outer.origin == inner.origin && outer.span.begin <= inner.span.begin && inner.span.end <= outer.span.end;
  };
  int left_to_try = 4;  // one in another
  for (std::size_t i = 0; i < item.exprs.size(); ++i) {
    const sema::Expr& each = item[ExprId(i)];
    const auto* logical = std::get_if<sema::LogicalExpr>(&each.node);
    if (!logical || each.location.origin != 0 || !encloses(item[logical->right].location, item[op.expr].location)) continue;
    if (--left_to_try < 0) return {};
    Mentions left(item), right(item);
    if (!right.value(logical->right, op.expr) || !right.found() || !left.value(logical->left) || left.meets(right)) continue;
    const Span first = item[logical->left].location.span, second = item[logical->right].location.span;
    const std::string_view a = text.substr(first.begin, first.size()), b = text.substr(second.begin, second.size());
    const auto mixes = [&](ExprId side) {
      const auto* inner = std::get_if<sema::LogicalExpr>(&item[side].node);
      return inner && inner->is_and != logical->is_and;
    };
    if (second.begin < first.end || a.find('\n') != a.npos || b.find('\n') != b.npos || mixes(logical->left) || mixes(logical->right)) return {};
    return {{"Put it on the left side", {{{first, 0}, std::string(b)}, {{second, 0}, std::string(a)}}}};
  }
  return {};
}

// Whether leaving a value out changes nothing else.
bool only_reads(const CheckedItem& item, ExprId id) {
  const auto& node = item[id].node;
  const auto reads = [&](ExprId operand) { return only_reads(item, operand); };
  if (const auto* point = std::get_if<sema::PointLoad>(&node)) return std::all_of(point->indices.begin(), point->indices.end(), reads);
  if (const auto* logical = std::get_if<sema::LogicalExpr>(&node)) return reads(logical->left) && reads(logical->right);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node)) return reads(binary->left) && reads(binary->right);
  return computes_anywhere(item, id);
}

// Whether a statement may run where it did not: a barrier, and the declaration of a value whose name is nobody else's.
bool may_move(const CheckedItem& item, StmtId stmt) {
  if (is_barrier(item, stmt)) return true;
  const auto* declare = std::get_if<sema::Declare>(&item[stmt].node);
  if (!declare || !declare->init.valid() || !computes_anywhere(item, declare->init)) return false;
  return std::count_if(item.locals.begin(), item.locals.end(),
                       [&](const sema::Local& local) { return local.name == item[declare->local].name; }) == 1;
}

// A statement that has its line to itself (a comment after it goes along), line end included.
std::optional<Span> line_of(std::string_view text, Span span) {
  const auto indent = indentation(text, span.begin);
  const std::size_t end = text.find('\n', span.begin);
  if (!indent || end == text.npos || end < span.end) return std::nullopt;
  const std::size_t next = text.find_first_not_of(" \t\r", span.end);
  if (next < end && text.substr(next, 2) != "//") return std::nullopt;
  return Span{static_cast<std::uint32_t>(span.begin - indent->size()), static_cast<std::uint32_t>(end + 1)};
}

// `if ctx.thread == 0 { atomic_add(n, 0, 1) }`: that it is done once is what the operation does by itself.
std::optional<diag::Fix> without_condition(const CheckedItem& item, const Surrounding& around, const Op& op) {
  const auto is_thread = [&](ExprId id) {
    while (const auto* convert = std::get_if<sema::ConvertExpr>(&item[id].node)) id = convert->operand;
    const auto* field = std::get_if<sema::CtxExpr>(&item[id].node);
    return field && field->field == builtins::CtxField::Thread;
  };
  const auto* equal = std::get_if<sema::BinaryExpr>(&item[around.node->condition].node);
  const bool first = equal && equal->op == sema::BinaryOp::Eq && is_thread(equal->left) && item[equal->right].constant == sema::Constant{std::int64_t{0}};
  const auto* evaluate = std::get_if<sema::Evaluate>(&item[op.stmt].node);
  const auto* call = evaluate ? std::get_if<sema::BuiltinCall>(&item[evaluate->expr].node) : nullptr;
  if (!first || !call || builtins::row(call->id).needs != builtins::Needs::Cta || around.node->then_block.size() != 1 || !around.node->else_block.empty()) return std::nullopt;
  const Span whole = item[around.stmt].location.span, kept = item[op.stmt].location.span;
  const std::string_view text = text_of(item, 0);
  if (whole.end > text.size() || text.substr(whole.begin, kept.begin - whole.begin).find("//") != text.npos || text[whole.end - 1] != '}') return std::nullopt;
  const auto last = static_cast<std::uint32_t>(text.find_last_not_of(" \t\r\n", whole.end - 2) + 1);  // a comment stays
  return diag::Fix{"Remove the `if`", {{{{whole.begin, kept.begin}, 0}, ""}, {{{last, whole.end}, 0}, ""}}};
}

}  // namespace

std::vector<diag::Fix> fixes_for_reach(const CheckedItem& item, const Facts& facts, const Op& op) {
  if (facts.call[op.stmt] != nothing) return {};
  if (op.control != facts.control[op.stmt]) return fixes_for_right_side(item, op);
  const Surrounding around = if_around(item, op.stmt);
  const Kind outside = around.node ? facts.graph.kind(facts.control[around.stmt]) : Kind::Varying;
  if (outside != Kind::Uniform && !(op.needs == Op::Needs::Warp && outside == Kind::WarpUniform)) return {};
  if (std::holds_alternative<sema::LogicalExpr>(item[around.node->condition].node)) return {};
  if (auto fix = without_condition(item, around, op)) return {*fix};
  const bool behind = !around.first && is_barrier(item, op.stmt) && !leaves(item, around.node->then_block) &&
                      !leaves(item, around.node->else_block);
  if (!behind && !(around.first && may_move(item, op.stmt))) return {};
  const std::string_view text = text_of(item, 0);
  const Span outer = item[around.stmt].location.span;
  const bool alone = around.node->then_block.size() == 1 && around.node->else_block.empty() && around.node->then_block[0] == op.stmt;
  if (alone && outer.end <= text.size() && text.substr(outer.begin, outer.size()).find('\n') == text.npos && is_barrier(item, op.stmt) && only_reads(item, around.node->condition))
    return {{"Take this out of the `if`", {{{outer, 0}, std::string(text.substr(item[op.stmt].location.span.begin, item[op.stmt].location.span.size()))}}}};
  const auto indent = indentation(text, outer.begin);
  const auto line = line_of(text, item[op.stmt].location.span);
  if (!indent || !line || outer.end > text.size() || line->begin < outer.begin || line->end > outer.end) return {};
  std::string moved(text.substr(item[op.stmt].location.span.begin, line->end - item[op.stmt].location.span.begin));
  diag::Fix fix{"Move this out of the `if`", {}};
  if (behind) {
    while (!moved.empty() && (moved.back() == '\n' || moved.back() == '\r')) moved.pop_back();
    fix.edits.push_back({{*line, 0}, ""});
    fix.edits.push_back({{{outer.end, outer.end}, 0}, std::string(newline_of(text)).append(*indent) + moved});
  } else {
    fix.edits.push_back({{{outer.begin, outer.begin}, 0}, moved.append(*indent)});
    fix.edits.push_back({{*line, 0}, ""});
  }
  return {fix};
}

// --- rule 4 --------------------------------------------------------------------------------------------------------------

void explain_warp(const CheckedItem& item, diag::Diagnostic& diagnostic) {
  constexpr std::size_t most = 4;
  const auto is_number = [&](ExprId id, std::int64_t number) { return item[id].constant == sema::Constant{number}; };
  diag::Fix fix{"Change to `ctx.warp`", {}};
  for (const sema::Expr& each : item.exprs) {
    const auto* binary = std::get_if<sema::BinaryExpr>(&each.node);
    if (!binary || each.location.origin != 0 || fix.edits.size() == most) continue;
    const auto* thread = std::get_if<sema::CtxExpr>(&item[binary->left].node);
    const bool divides = binary->op == sema::BinaryOp::Div && is_number(binary->right, 32), shifts = binary->op == sema::BinaryOp::Shr && is_number(binary->right, 5);
    if (!thread || thread->field != builtins::CtxField::Thread || (!divides && !shifts)) continue;
    fix.edits.push_back({each.location, "ctx.warp"});
    relate(diagnostic, each.location, "this is `ctx.warp`, which is the same in all of a warp's lanes");
  }
  if (!fix.edits.empty()) diagnostic.fixes.push_back(std::move(fix));
}

// --- rule 2 --------------------------------------------------------------------------------------------------------------

namespace {

// Turns the one-element slices of a statement into point subscripts; `element` is a variable that becomes such an element.
class PointForm {
 public:
  PointForm(const CheckedItem& item, LocalId element) : item_(item), element_(element) {}

  bool axes(const std::vector<sema::Axis>& axes) {
    return std::all_of(axes.begin(), axes.end(), [&](const sema::Axis& axis) { return this->axis(axis); });
  }
  bool value(ExprId id);
  bool store(const sema::SliceStore& store) { return axes(store.axes) && value(store.value); }
  // `u[0, 0]` of a variable that has no elements any more.
  void drop_subscripts(ExprId id) {
    const Location whole = item_[id].location, base = item_[std::get<sema::PointLoad>(item_[id].node).base].location;
    edits_.push_back({{{base.span.end, whole.span.end}, whole.origin}, ""});
    ++uses_;
  }
  int uses() const { return uses_; }
  std::vector<diag::TextEdit> edits() {
    std::sort(edits_.begin(), edits_.end(),
              [](const auto& a, const auto& b) { return a.location.span.begin < b.location.span.begin; });
    return std::move(edits_);
  }

 private:
  bool axis(const sema::Axis& axis);

  const CheckedItem& item_;
  LocalId element_;
  int uses_ = 0;
  std::vector<diag::TextEdit> edits_;
};

bool PointForm::axis(const sema::Axis& axis) {
  if (axis.form == sema::Axis::Form::Point) return true;
  const std::string_view text = text_of(item_, {axis.span, 0});
  if (axis.length.constant != 1 || text.empty()) return false;
  int depth = 0;
  std::size_t colon = 0;
  for (; colon < text.size() && (depth > 0 || text[colon] != ':'); ++colon) {
    if (text[colon] == '(' || text[colon] == '[') ++depth;
    if (text[colon] == ')' || text[colon] == ']') --depth;
  }
  if (colon == text.size()) return false;
  const std::size_t last = text.substr(0, colon).find_last_not_of(" \t\r\n");
  const auto keep = static_cast<std::uint32_t>(last == text.npos ? 0 : last + 1);
  edits_.push_back({{{axis.span.begin + keep, axis.span.end}, 0}, keep == 0 ? "0" : ""});
  return true;
}

bool PointForm::value(ExprId id) {
  const sema::Expr& expr = item_[id];
  if (!expr.type.is_tile()) return expr.type.is_scalar();
  if (const auto* local = std::get_if<sema::LocalExpr>(&expr.node)) {
    const bool own = element_.valid() && local->local == element_;
    uses_ += own;
    return own;
  }
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&expr.node)) return value(convert->operand);
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&expr.node)) return value(unary->operand);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&expr.node)) return value(binary->left) && value(binary->right);
  if (const auto* slice = std::get_if<sema::SliceLoad>(&expr.node))
    return std::holds_alternative<sema::LocalExpr>(item_[slice->base].node) && axes(slice->axes);
  const auto* call = std::get_if<sema::BuiltinCall>(&expr.node);
  if (!call || builtins::row(call->id).needs != builtins::Needs::CtaIfTile) return false;
  return std::all_of(call->arguments.begin(), call->arguments.end(), [&](ExprId argument) { return value(argument); });
}

bool is_read(const Facts& facts, LocalId buffer) {
  return std::any_of(facts.reads.begin(), facts.reads.end(), [&](const Read& read) { return read.buffer == buffer; });
}

bool is_of_no_written_type(const CheckedItem& item, LocalId local) {
  const std::string_view text = text_of(item, 0);
  const std::size_t next = text.find_first_not_of(" \t", item[local].declared.span.end);
  return next != text.npos && text[next] == '=';
}

bool mentions(const CheckedItem& item, ExprId id, LocalId local) {
  const auto* expr = std::get_if<sema::LocalExpr>(&item[id].node);
  return expr && expr->local == local;
}

// `O[i]` in `O[i] = v`: the last axis that was left out ends where it does.
Location place_of_store(const CheckedItem& item, StmtId stmt) {
  const Location whole = item[stmt].location;
  return {{whole.span.begin, std::get<sema::SliceStore>(item[stmt].node).axes.back().span.end}, whole.origin};
}

// `let u = A[0, i :+ 1]` and all that uses `u`: stores of one element, and subscripts of it.
std::optional<std::vector<diag::TextEdit>> element_variable(const CheckedItem& item, const Facts& facts, const sema::Declare& node) {
  PointForm form(item, node.local);
  if (!is_of_no_written_type(item, node.local) || !form.value(node.init)) return std::nullopt;
  int uses = 0;
  for (std::size_t i = 0; i < item.exprs.size(); ++i) {
    const ExprId id(i);
    if (mentions(item, id, node.local)) ++uses;
    const auto* point = std::get_if<sema::PointLoad>(&item[id].node);
    if (point && mentions(item, point->base, node.local)) form.drop_subscripts(id);
  }
  for (std::size_t i = 0; i < item.stmts.size(); ++i) {
    const auto& other = item[StmtId(i)].node;
    if (const auto* assign = std::get_if<sema::Assign>(&other); assign && assign->target == node.local) return std::nullopt;
    if (const auto* point = std::get_if<sema::PointStore>(&other); point && point->target == node.local) return std::nullopt;
    const auto* store = std::get_if<sema::SliceStore>(&other);
    if (!store) continue;
    if (store->target == node.local) return std::nullopt;
    PointForm trial(item, node.local);
    trial.value(store->value);
    if (trial.uses() == 0) continue;
    if (is_read(facts, store->target) || !form.store(*store)) return std::nullopt;
  }
  if (form.uses() != uses) return std::nullopt;
  return form.edits();
}

}  // namespace

namespace {

// What is stored, before it was spread over the slice.
ExprId stored_value(const CheckedItem& item, const sema::SliceStore& store) {
  ExprId id = store.value;
  while (const auto* convert = std::get_if<sema::ConvertExpr>(&item[id].node)) {
    if (convert->written) break;
    id = convert->operand;
  }
  return id;
}

}  // namespace

std::optional<std::size_t> points_of_short_store(const CheckedItem& item, const Op& op) {
  const auto* store = std::get_if<sema::SliceStore>(&item[op.stmt].node);
  if (!store || op.form != Op::Form::Store || !item[stored_value(item, *store)].type.is_scalar()) return std::nullopt;
  return sema::points_before_missing(item, store->axes, place_of_store(item, op.stmt));
}

std::vector<diag::Fix> fixes_for_operand(const CheckedItem& item, const Facts& facts, const Op& op) {
  if (facts.call[op.stmt] != nothing) return {};
  const auto& node = item[op.stmt].node;
  std::optional<std::vector<diag::TextEdit>> edits;
  if (const auto* store = std::get_if<sema::SliceStore>(&node)) {
    if (points_of_short_store(item, op)) {
      const Location whole = item[op.stmt].location;
      sema::ShortSubscripts written{store->target, &store->axes, place_of_store(item, op.stmt), {}, whole};
      if (!store->op) written.stored = text_of(item, item[stored_value(item, *store)].location);
      return sema::fixes_for_missing_axes(item, written);
    }
    PointForm form(item, LocalId());
    if (!is_read(facts, store->target) && form.store(*store)) edits = form.edits();
  } else if (const auto* declare = std::get_if<sema::Declare>(&node)) {
    if (declare->init.valid() && item[declare->local].type.is_tile()) edits = element_variable(item, facts, *declare);
  }
  if (!edits || edits->empty()) return {};
  return {{"Take the one element with a point subscript", std::move(*edits)}};
}

}  // namespace phobos::uniformity
