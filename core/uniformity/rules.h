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
  const std::stop_token& stop;
  Result& result;
};

void check_rules(const Context& context);

}  // namespace phobos::uniformity
