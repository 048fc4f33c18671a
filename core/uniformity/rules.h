// The rules of language.md, 12, put to what the walk gathered once all kinds are known.
#pragma once

#include <vector>

#include <phobos/uniformity/uniformity.h>

#include "walk.h"

namespace phobos::uniformity {

struct Context {
  const CheckedItem& item;
  const Facts& facts;
  const std::vector<CauseId>& cause;  // by node
  const Ways& between_ctas;           // to what differs between them, where an operation waits for the grid
  const std::stop_token& stop;
  Result& result;
};

bool waits_for_grid(const CheckedItem& item, const Op& op);
void check_rules(const Context& context);

}  // namespace phobos::uniformity
