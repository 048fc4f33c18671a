// How operations, steps and causes are named to a person.
#pragma once

#include <string>
#include <string_view>

#include <phobos/uniformity/uniformity.h>

#include "walk.h"

namespace phobos::uniformity {

// The item's or the inlined function's own text.
std::string_view text_of(const CheckedItem& item, std::uint32_t origin);
std::string_view text_of(const CheckedItem& item, const Location& location);
// In backticks, on one line, cut when long.
std::string quoted(const CheckedItem& item, const Location& location);

std::string_view differing(Kind kind);  // what a value of that kind differs between: "lanes", "warps"

// "the store to `O`", "the elementwise sweep `t * 2.0`", "`dot`".
std::string name_of(const CheckedItem& item, const Op& op);
Location location_of(const CheckedItem& item, const Op& op);

// One step of a reason; `differ`: what it makes a difference between.
Step step_of(const CheckedItem& item, const Facts& facts, const Influence& influence, std::string_view differ);
// "the `if` around it differs between lanes, because of `ctx.lane`", of control that the ways reach.
std::string culprit(const CheckedItem& item, const Ways& ways, Node control, std::string_view differ);
// "`ctx.lane`": the source that a node got its difference from.
std::string source_of(const CheckedItem& item, const Ways& ways, Node node);

}  // namespace phobos::uniformity
