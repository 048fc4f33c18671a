// Rule 3: what a thread stored on its own is read by no CTA-wide op before a `barrier()`.
//
// walk.h has the item as events with the ways between them. So the rule is a search: from each per-thread store of a buffer
// along all ways, loops included, up to barriers and to places where the name stands for a new tile: where it is declared, and
// where it is assigned as a whole, since nothing that a thread stored is left of it then. (A slice store is no such place, even
// one that covers the tile.) A read that the search comes to breaks the rule, and the search is breadth first, so that it names
// a nearest store.
#pragma once

#include <vector>

#include "walk.h"

namespace phobos::uniformity {

struct EarlyRead {
  std::uint32_t read;   // Facts::reads
  std::uint32_t store;  // Facts::stores
};

// What makes a store per thread: the first of value, index and control that differs. `no_node` when nothing does.
struct StoreCause {
  enum class Form { Value, Index, Control } form = Form::Value;
  Node node = no_node;
};
StoreCause per_thread(const CheckedItem& item, const Facts& facts, const ThreadStore& store);

// At most one for each statement and buffer, in source order; as it would be with a `barrier()` before `mended`.
std::vector<EarlyRead> early_reads(const CheckedItem& item, const Facts& facts, const std::stop_token& stop, StmtId mended = {});

}  // namespace phobos::uniformity
