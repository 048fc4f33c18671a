// Folding. Integers wrap at their width as they do at run time; floats are computed in f64 and rounded to their type.
#pragma once

#include <optional>

#include <phobos/sema/checked.h>

namespace phobos::sema {

// `type` is that of the operands, which they have. None where the operation has no value (division by zero) or is not folded.
std::optional<Constant> fold(UnaryOp op, const Constant& a, ScalarType type);
std::optional<Constant> fold(BinaryOp op, const Constant& a, const Constant& b, ScalarType type);
// A float to an integer truncates toward zero and saturates, NaN becomes 0; an integer wraps.
Constant converted(const Constant& constant, ScalarType to);

}  // namespace phobos::sema
