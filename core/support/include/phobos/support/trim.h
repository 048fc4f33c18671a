#pragma once

#include <algorithm>
#include <utility>

namespace phobos {

// A vector that grew by doubling keeps up to half of its memory for what never comes; what is remembered is of its exact size.
template <class All>
void trim(All& all) {
  All exact(all.size());
  std::move(all.begin(), all.end(), exact.begin());
  all = std::move(exact);
}

}  // namespace phobos
