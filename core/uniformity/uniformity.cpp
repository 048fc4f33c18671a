#include <phobos/uniformity/uniformity.h>

#include <algorithm>

#include "rules.h"
#include "walk.h"
#include "words.h"

namespace phobos::uniformity {

std::vector<Step> Result::chain(CauseId cause, std::size_t most) const {
  std::vector<Step> steps;
  if (!cause.valid()) return steps;
  const CauseId source = causes[cause].source;
  for (; cause.valid() && steps.size() + 1 < most; cause = causes[cause].next) steps.push_back(causes[cause].step);
  if (cause.valid()) steps.push_back(causes[source.valid() ? source : cause].step);
  return steps;
}

// A cause for every node that is not uniform; those that were reached by a step with nothing to say share one.
static std::vector<CauseId> find_causes(const CheckedItem& item, const Facts& facts, Result& result) {
  std::vector<CauseId> cause(facts.graph.size());
  for (Node node : facts.graph.reached()) {
    const Influence& influence = facts.graph.ways().last[node];
    const CauseId next = influence.from == no_node ? CauseId() : cause[influence.from];
    if (influence.why == Why::Plain) {
      cause[node] = next;
      continue;
    }
    const CauseId source = next.valid() && !result.causes[next].source.valid() ? next : next.valid() ? result.causes[next].source : CauseId();
    cause[node] = result.causes.add({step_of(item, facts, influence, differing(facts.graph.kind(influence.to))), next, source});
  }
  return cause;
}

template <class IdType>
static void fill(IdVector<IdType, Kind>& kinds, IdVector<IdType, CauseId>& causes, const Facts& facts,
                 const std::vector<CauseId>& cause, std::size_t count) {
  kinds.resize(count, Kind::Uniform);
  causes.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = facts.node(IdType(i));
    kinds[IdType(i)] = facts.graph.kind(node);
    causes[IdType(i)] = cause[node];
  }
}

Result analyse(const CheckedItem& item, std::stop_token stop) {
  Result result;
  Facts facts = walk(item, stop);
  facts.graph.solve(stop);
  const std::vector<CauseId> cause = find_causes(item, facts, result);
  fill(result.expr_kinds, result.expr_causes, facts, cause, item.exprs.size());
  fill(result.local_kinds, result.local_causes, facts, cause, item.locals.size());
  result.control.resize(item.stmts.size(), Kind::Uniform);
  result.control_causes.resize(item.stmts.size());
  for (std::size_t i = 0; i < item.stmts.size(); ++i) {
    const Node node = facts.control[StmtId(i)];
    if (node == no_node) continue;
    result.control[StmtId(i)] = facts.graph.kind(node);
    result.control_causes[StmtId(i)] = cause[node];
  }
  const bool waits = std::any_of(facts.ops.begin(), facts.ops.end(), [&](const Op& op) { return waits_for_grid(item, op); });
  const Ways between_ctas = waits ? facts.graph.ways_from(facts.between_ctas, stop) : Ways();
  if (!stop.stop_requested()) check_rules({item, facts, cause, between_ctas, stop, result});
  IdVector<CauseId, Cause> exact(result.causes.size());
  std::move(result.causes.begin(), result.causes.end(), exact.begin());
  result.causes = std::move(exact);
  return result;
}

}  // namespace phobos::uniformity
