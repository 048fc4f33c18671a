// Scalar operations on numbers that are known, exactly as the language means them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <phobos/ir/ir.h>

namespace phobos::passes {

struct Number {
  std::int64_t integer = 0;  // integers and bool
  double real = 0;           // floats, a value of their type
};

// Nothing where the operation is not folded: functions that hardware may approximate, divisions by zero, results that are NaN
// (whose bits the language leaves open).
std::optional<Number> evaluate(ir::Opcode code, ScalarType from, ScalarType to, const std::vector<Number>& operands);

// The value of that type that a constant written with this real is; nothing where it may take two roundings to say.
std::optional<double> held_real(ScalarType type, double real);

}  // namespace phobos::passes
