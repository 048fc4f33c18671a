// Repairs that hold. Whoever finds a mistake offers the repair that a person would make, and cannot know what else is wrong there;
// so a repair is tried before anybody sees it.
#pragma once

#include <cstddef>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ide/refactoring.h>
#include <phobos/session/session.h>

namespace phobos::session {

inline constexpr std::size_t most_tried_fixes = 256;       // at once; what comes behind them is not offered
inline constexpr std::size_t most_tried_bytes = 4u << 20;  // of text that is analysed for it, or as much work; the same

// Takes from `found`, which are diagnostics of that snapshot, each fix that does not hold: with its edits made, its diagnostic is
// still there, or an error is there that was not. What an edit touches is analysed anew for it, and what inlines that.
void drop_fixes_that_fail(const Snapshot& snapshot, std::vector<diag::Diagnostic>& found);

// The repairs of several diagnostics as one edit: of each that has exactly one, that. Those that fail alone, or lie in another's way, are
// left out; with the rest made, no error comes, and there are fewer diagnostics. Empty where that cannot be had. Sorted by place.
std::vector<Edit> fixes_together(const Snapshot& snapshot, std::vector<diag::Diagnostic> found);

// Takes from `found` each refactoring with whose edits made there is an error that was not, or a name or a store has another type.
void drop_refactorings_that_change(const Snapshot& snapshot, std::vector<ide::Refactoring>& found);

}  // namespace phobos::session
