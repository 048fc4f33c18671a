// What a value at a place is wanted to be, by the words before it.
#pragma once

#include <optional>
#include <string_view>

#include <phobos/sema/type.h>

#include "cursor.h"

namespace phobos::ide {

struct Expected {
  enum class Numbers { Any, Float, Integer, One };
  Numbers numbers = Numbers::Any;
  ScalarType element = ScalarType::Index;  // One: that
  enum class Shape { Any, Scalar, Shaped };
  Shape shape = Shape::Any;

  bool says_nothing() const { return numbers == Numbers::Any && shape == Shape::Any; }
  bool admits(const sema::Type& type) const;
};
// Of a type as it is written, or as a signature has it: `f32`, `tile<f32>[M, N]`, `float`, `integer`.
Expected expected_of(std::string_view type);
Expected expected_at(const File& file, const Cursor& cursor);

}  // namespace phobos::ide
