#include "rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <phobos/sema/missing_axes.h>

#include "barriers.h"
#include "fixes.h"
#include "words.h"

namespace phobos::uniformity {

namespace {

using diag::Code;

// How many of the grid's barriers are met on the way through a block; none where that depends on the way, or on the turns of a loop.
std::optional<std::size_t> grid_barriers(const CheckedItem& item, const sema::Block& block) {
  std::size_t count = 0;
  for (const StmtId id : block) {
    const auto& node = item[id].node;
    std::optional<std::size_t> more = 0;
    if (const auto* branch = std::get_if<sema::If>(&node)) {
      more = grid_barriers(item, branch->then_block);
      if (more != grid_barriers(item, branch->else_block)) return std::nullopt;
    } else if (const auto* loop = std::get_if<sema::For>(&node)) {
      if (grid_barriers(item, loop->body) != 0) return std::nullopt;
    } else if (const auto* loop = std::get_if<sema::While>(&node)) {
      if (grid_barriers(item, loop->body) != 0) return std::nullopt;
    } else if (const auto* value = std::get_if<sema::Evaluate>(&node)) {
      const auto* call = std::get_if<sema::BuiltinCall>(&item[value->expr].node);
      const auto* inlined = std::get_if<sema::InlinedCall>(&item[value->expr].node);
      more = call && call->id == builtins::Builtin::GridBarrier ? 1 : 0;
      if (inlined) more = grid_barriers(item, *inlined->body);
    }
    if (!more) return std::nullopt;
    count += *more;
  }
  return count;
}

// Of an `if` that each CTA meets as many of them in, whichever branch it takes.
bool as_often_in_both(const CheckedItem& item, StmtId stmt) {
  const auto* branch = std::get_if<sema::If>(&item[stmt].node);
  const auto then = branch ? grid_barriers(item, branch->then_block) : std::nullopt;
  return then && then == grid_barriers(item, branch->else_block);
}

class Rules {
 public:
  explicit Rules(const Context& context)
      : context_(context), item_(context.item), facts_(context.facts), told_(context.item.stmts.size(), nothing) {}

  void check_reach();
  void check_operands();
  void check_barriers();
  void check_grid();

 private:
  void tell_operand(const Op& op, ExprId id, Kind kind);
  void tell_early(const EarlyRead& early);
  void tell_also(diag::Diagnostic& first, const EarlyRead& early) const;
  // The chain behind a cause, and the calls that the statement stands in, innermost first.
  void explain(diag::Diagnostic& diagnostic, CauseId cause, StmtId stmt) const;
  void add_calls(diag::Diagnostic& diagnostic, StmtId stmt) const;
  Location place_of(const Op& op, const Location& operand) const;
  bool may_repair();

  const Context& context_;
  const CheckedItem& item_;
  const Facts& facts_;
  IdVector<StmtId, std::uint32_t> told_;  // the diagnostic that says that not all threads reach a statement
  std::size_t looked_at_ = 0;             // for repairs
};

// To find one repair costs what the item has of statements, so an item with thousands of mistakes gets them for the first ones.
bool Rules::may_repair() {
  constexpr std::size_t most = 20'000'000;
  looked_at_ += item_.exprs.size() + item_.stmts.size() + facts_.events.size();
  return looked_at_ <= most;
}

// Of a long chain its beginning, and the source that it ends at.
void Rules::explain(diag::Diagnostic& diagnostic, CauseId cause, StmtId stmt) const {
  constexpr std::size_t most = 13;
  for (Step& step : context_.result.chain(cause, most)) diagnostic.related.push_back({step.location, std::move(step.message)});
  add_calls(diagnostic, stmt);
}

void Rules::add_calls(diag::Diagnostic& diagnostic, StmtId stmt) const {
  for (std::uint32_t at = facts_.call[stmt]; at != nothing; at = facts_.calls[at].outer) {
    const sema::Expr& call = item_[facts_.calls[at].expr];
    diagnostic.related.push_back({call.location, fmt::format("in this call of `{}`", item_.name_of_origin(std::get<sema::InlinedCall>(call.node).origin)), true});
  }
}

// Rules 1 and 4. Ops come outermost first, so the first one that is out of reach names its statement.
void Rules::check_reach() {
  constexpr std::size_t most_apart = 4, most_related = 24;  // of one control: each by itself, then with the last of them
  std::map<std::pair<Node, Code>, std::pair<std::size_t, std::uint32_t>> by_control;
  for (const Op& op : facts_.ops) {
    const Kind kind = facts_.graph.kind(op.control);
    if (kind == Kind::Uniform || (op.needs == Op::Needs::Warp && kind == Kind::WarpUniform) || told_[op.stmt] != nothing) continue;
    told_[op.stmt] = static_cast<std::uint32_t>(context_.result.diagnostics.size());
    const Code code = op.needs == Op::Needs::Cta    ? Code::NeedsUniformControl
                      : op.needs == Op::Needs::Warp ? Code::NeedsWarp
                                                    : Code::NeedsCta;
    const std::string reason = culprit(item_, facts_.graph.ways(), op.control, differing(kind));
    auto& [count, latest] = by_control[{op.control, code}];
    if (++count > most_apart) {
      diag::Diagnostic& first = context_.result.diagnostics[latest];
      if (first.related.size() < most_related) relate(first, location_of(item_, op), fmt::format("{} does so too", name_of(item_, op)));
      told_[op.stmt] = latest;
      continue;
    }
    latest = told_[op.stmt];
    diag::Diagnostic diagnostic = diag::make(code, location_of(item_, op), name_of(item_, op), reason);
    explain(diagnostic, context_.cause[op.control], op.stmt);
    if (may_repair()) diagnostic.fixes = fixes_for_reach(item_, facts_, op);
    if (op.needs == Op::Needs::Warp && may_repair()) explain_warp(item_, diagnostic);
    context_.result.diagnostics.push_back(std::move(diagnostic));
  }
}

// Rule 2. Where the same source already keeps threads from the statement, one error says it, with the repair that mends both.
void Rules::check_operands() {
  struct Told {
    std::size_t op;             // the last of which it was told
    std::uint32_t diagnostic;
  };
  std::map<std::pair<std::uint32_t, std::string_view>, Told> told;  // of a statement, by what varies
  for (const Operand& operand : facts_.operands) {
    const Kind kind = facts_.graph.kind(facts_.node(operand.expr));
    if (kind == Kind::Uniform) continue;
    const Op& op = facts_.ops[operand.op];
    const auto found = static_cast<std::uint32_t>(context_.result.diagnostics.size());
    const auto [known, fresh] = told.try_emplace({op.stmt.value, text_of(item_, item_[operand.expr].location)}, Told{operand.op, found});
    if (!fresh) {  // `O[i :+ 4] = A[i :+ 4]`
      if (std::exchange(known->second.op, operand.op) != operand.op && known->second.diagnostic < context_.result.diagnostics.size())
        context_.result.diagnostics[known->second.diagnostic].related.push_back({item_[without_implied(item_, operand.expr)].location, fmt::format("{} takes it too", name_of(item_, op))});
      continue;
    }
    if (told_[op.stmt] != nothing && source_of(item_, facts_.graph.ways(), op.control) == source_of(item_, facts_.graph.ways(), facts_.node(operand.expr))) {
      diag::Diagnostic& told_there = context_.result.diagnostics[told_[op.stmt]];
      if (told_there.location == location_of(item_, op) && may_repair()) told_there.fixes = fixes_for_operand(item_, facts_, op);
      known->second.diagnostic = told_[op.stmt];
    } else {
      tell_operand(op, operand.expr, kind);
    }
  }
}

// The operand itself, unless it stands on a later line than its op starts on.
Location Rules::place_of(const Op& op, const Location& operand) const {
  const Location whole = location_of(item_, op);
  if (whole.origin != operand.origin || operand.span.begin < whole.span.begin) return operand;
  const std::string_view between = text_of(item_, {{whole.span.begin, operand.span.begin}, whole.origin});
  return between.find('\n') == between.npos ? operand : whole;
}

void Rules::tell_operand(const Op& op, ExprId id, Kind kind) {
  const Location at = item_[without_implied(item_, id)].location;
  const std::string operand = quoted(item_, at);
  const std::string source = source_of(item_, facts_.graph.ways(), facts_.node(id));
  std::string between(differing(kind));
  if (operand.find(source.substr(1, source.size() - 2)) == operand.npos) between += ", because of " + source;
  diag::Diagnostic diagnostic =
      diag::make(Code::OperandVaries, place_of(op, at), name_of(item_, op), operand.substr(1, operand.size() - 2), between);
  if (const auto points = points_of_short_store(item_, op))
    diagnostic.message += "; " + sema::said_of_missing(item_, std::get<sema::SliceStore>(item_[op.stmt].node).target, *points);
  explain(diagnostic, context_.cause[facts_.node(id)], op.stmt);
  if (may_repair()) diagnostic.fixes = fixes_for_operand(item_, facts_, op);
  context_.result.diagnostics.push_back(std::move(diagnostic));
}

// Rule 3. Of a buffer, what one barrier mends is one violation: the first statement that reads too early, and the others after it.
void Rules::check_barriers() {
  const std::vector<EarlyRead> all = early_reads(item_, facts_, context_.stop);
  const auto key = [&](const EarlyRead& early) { return std::pair(facts_.reads[early.read].stmt.value, facts_.reads[early.read].buffer.value); };
  std::vector<bool> told(all.size(), false);
  std::map<std::uint32_t, std::size_t> by_store;  // the diagnostics, where the barriers are not looked for any more
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (told[i]) continue;
    const bool repairs = may_repair();
    if (!repairs) {
      const auto [known, fresh] = by_store.try_emplace(all[i].store, context_.result.diagnostics.size());
      if (fresh) tell_early(all[i]);
      else tell_also(context_.result.diagnostics[known->second], all[i]);
      continue;
    }
    tell_early(all[i]);
    diag::Diagnostic& first = context_.result.diagnostics.back();
    BarrierRepair repair = repair_early_read(item_, facts_, all[i], context_.stop);
    first.fixes = std::move(repair.fixes);
    std::set<std::pair<std::uint32_t, std::uint32_t>> left;
    for (const EarlyRead& early : repair.left) left.insert(key(early));
    for (std::size_t other = i + 1; other < all.size(); ++other) {
      if (told[other] || left.contains(key(all[other])) || key(all[other]).second != key(all[i]).second) continue;
      told[other] = true;
      tell_also(first, all[other]);
    }
  }
}

void Rules::tell_also(diag::Diagnostic& first, const EarlyRead& early) const {
  constexpr std::size_t most = 24;  // related places
  const Op& op = facts_.ops[facts_.reads[early.read].op];
  if (first.related.size() >= most) return;
  relate(first, location_of(item_, op), fmt::format("{} reads `{}` here, as early", name_of(item_, op), item_[facts_.reads[early.read].buffer].name));
}

void Rules::tell_early(const EarlyRead& early) {
  const Read& read = facts_.reads[early.read];
  const ThreadStore& store = facts_.stores[early.store];
  const Op& op = facts_.ops[read.op];
  diag::Diagnostic diagnostic =
      diag::make(Code::NeedsBarrier, location_of(item_, op), name_of(item_, op), item_[read.buffer].name);
  const Location stored = store.call.valid() ? item_[store.call].location : item_[store.stmt].location;
  const StoreCause cause = per_thread(item_, facts_, store);
  static constexpr std::string_view what[] = {"value", "index", "control"};
  const bool around = stored.origin == diagnostic.location.origin && stored.span.begin > diagnostic.location.span.begin;
  diagnostic.related.push_back({stored, fmt::format("the per-thread store{}: its {} differs between {}",
                                                    around ? ", in an earlier iteration" : "",
                                                    what[static_cast<int>(cause.form)], differing(facts_.graph.kind(cause.node)))});
  explain(diagnostic, context_.cause[cause.node], read.stmt);
  context_.result.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

// A `grid_barrier` that some CTAs of a grid do not come to. No rule of the language, since how many there are is known at launch.
void Rules::check_grid() {
  const Ways& ways = context_.between_ctas;
  std::map<std::uint32_t, bool> balanced;  // of an `if` that was looked at
  for (const Op& op : facts_.ops) {
    if (!waits_for_grid(item_, op) || !ways.reach(op.control) || told_[op.stmt] != nothing) continue;
    Influence step = ways.last[op.control];
    while (step.why == Why::Plain) step = ways.last[step.from];
    if (step.why == Why::Condition) {
      const auto [known, fresh] = balanced.try_emplace(step.subject, false);
      if (fresh) known->second = as_often_in_both(item_, StmtId(step.subject));
      if (known->second) continue;
    }
    diag::Diagnostic diagnostic = diag::make(Code::NeedsGrid, location_of(item_, op), name_of(item_, op), culprit(item_, ways, op.control, "CTAs"));
    constexpr std::size_t most = 13;
    for (;; step = ways.last[step.from]) {
      const bool ends = step.from == no_node;
      if (step.why != Why::Plain && (ends || diagnostic.related.size() + 1 < most)) {
        Step said = step_of(item_, facts_, step, "CTAs");
        diagnostic.related.push_back({said.location, std::move(said.message)});
      }
      if (ends) break;
    }
    add_calls(diagnostic, op.stmt);
    context_.result.diagnostics.push_back(std::move(diagnostic));
  }
}

bool waits_for_grid(const CheckedItem& item, const Op& op) {
  const auto* call = op.form == Op::Form::Builtin ? std::get_if<sema::BuiltinCall>(&item[op.expr].node) : nullptr;
  return call && call->id == builtins::Builtin::GridBarrier;
}

void check_rules(const Context& context) {
  Rules rules(context);
  rules.check_reach();
  rules.check_operands();
  rules.check_barriers();
  rules.check_grid();
  std::sort(context.result.diagnostics.begin(), context.result.diagnostics.end(), [](const auto& a, const auto& b) {
    const auto key = [](const diag::Diagnostic& d) {
      return std::tuple(d.location.origin, d.location.span.begin, d.location.span.end, d.code, std::string_view(d.message));
    };
    return key(a) < key(b);
  });
}

}  // namespace phobos::uniformity
