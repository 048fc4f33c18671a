// Names that differ by a slip of the keyboard.
#pragma once

#include <string_view>

namespace phobos::builtins {

// Whether a name is so near to another that it can hardly be a word of its own: `rowmx` for `rowmax`, but not `acos` for `cos`.
// Digits are never a slip.
bool is_slip(std::string_view name, std::string_view meant);

// Whether two names tell two things of a kind apart: `row0` and `row1`, `pid_m` and `pid_n`. Neither is meant by the other.
bool are_siblings(std::string_view name, std::string_view other);

}  // namespace phobos::builtins
