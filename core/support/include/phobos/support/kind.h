// How far a value may differ between the threads of a CTA (language.md, 11). Ordered: the join is the larger one.
#pragma once

#include <algorithm>
#include <string_view>

namespace phobos {

enum class Kind : unsigned char { Uniform, WarpUniform, Varying };

constexpr Kind join(Kind a, Kind b) { return std::max(a, b); }

constexpr std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"uniform", "warp-uniform", "varying"};
  return names[static_cast<int>(kind)];
}

}  // namespace phobos
