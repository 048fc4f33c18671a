// What a person would write where `x[i * N]` of a tensor of two axes leaves one out.
#pragma once

#include <phobos/sema/checked.h>

namespace phobos::sema {

struct ShortSubscripts {
  LocalId buffer;
  const std::vector<Axis>* axes = nullptr;  // points, then the axes that are left out
  Location place;                     // `x[i * N]`
  std::string stored;                       // of a store by `=`: its value
  Location statement;
};

// How many leading axes are points, where the rest was left out; none where it is otherwise.
std::optional<std::size_t> points_before_missing(const CheckedItem& item, const std::vector<Axis>& axes, Location place);
std::string said_of_missing(const CheckedItem& item, LocalId buffer, std::size_t points);
// `x[i, 0]`, `elem(x, i * N)`, `store(x, i * N, v)`; none of what an inlined function has.
std::vector<diag::Fix> fixes_for_missing_axes(const CheckedItem& item, const ShortSubscripts& written);

}  // namespace phobos::sema
