// Infers how far each value may differ between threads, and reports what breaks the rules (language.md, 11 and 12).
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/sema/checked.h>
#include <phobos/support/kind.h>

namespace phobos::uniformity {

// One step of a reason: "`x` is assigned under this condition", at its place. From effect to source.
struct Step {
  std::string message;
  Location location;
};

// Why something is not uniform: an index into Result::causes, or none. Causes form a tree towards the sources, each knowing the
// next one on the shortest way, so that a chain is read off without running the analysis again.
using CauseId = Id<struct CauseTag>;
struct Cause {
  Step step;
  CauseId next;
  CauseId source;  // where the chain ends; none: here
};

// More steps than this nobody reads.
inline constexpr std::size_t longest_reason = 32;

struct Result {
  IdVector<sema::ExprId, Kind> expr_kinds;
  IdVector<sema::LocalId, Kind> local_kinds;
  IdVector<sema::StmtId, Kind> control;  // the control that a statement runs under
  IdVector<sema::ExprId, CauseId> expr_causes;
  IdVector<sema::LocalId, CauseId> local_causes;
  IdVector<sema::StmtId, CauseId> control_causes;
  IdVector<CauseId, Cause> causes;
  std::vector<diag::Diagnostic> diagnostics;

  // The chain from a cause to its source, in order; of a long one its beginning and the source.
  std::vector<Step> chain(CauseId cause, std::size_t most = longest_reason) const;
};

// Works on any checked item, wrong ones too (expressions of type error are uniform and break no rule).
Result analyse(const sema::CheckedItem& item, std::stop_token stop = {});

}  // namespace phobos::uniformity
