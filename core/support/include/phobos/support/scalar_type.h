// The scalar element types of the language, shared by every layer from the checker to the device.
#pragma once

#include <optional>
#include <string_view>

namespace phobos {

// `Index` has no spelling in source; it is a signed 64-bit integer (language.md, 3).
enum class ScalarType : unsigned char { F16, BF16, F32, F64, I8, U8, I32, I64, Bool, Index };

constexpr bool is_float(ScalarType type) { return type <= ScalarType::F64; }
constexpr bool is_integer(ScalarType type) {
  return type != ScalarType::Bool && !is_float(type);
}
constexpr bool is_signed(ScalarType type) { return is_integer(type) && type != ScalarType::U8; }

// Bytes in memory.
constexpr int size_of(ScalarType type) {
  switch (type) {
    case ScalarType::I8:
    case ScalarType::U8:
    case ScalarType::Bool: return 1;
    case ScalarType::F16:
    case ScalarType::BF16: return 2;
    case ScalarType::F32:
    case ScalarType::I32: return 4;
    default: return 8;
  }
}
constexpr int bits_of(ScalarType type) { return type == ScalarType::Bool ? 1 : 8 * size_of(type); }

constexpr std::string_view name_of(ScalarType type) {
  constexpr std::string_view names[] = {"f16", "bf16", "f32", "f64", "i8", "u8", "i32", "i64", "bool", "index"};
  return names[static_cast<int>(type)];
}

// The type of that spelling, `index` not among them.
constexpr std::optional<ScalarType> scalar_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ScalarType::Bool); ++i)
    if (name_of(static_cast<ScalarType>(i)) == name) return static_cast<ScalarType>(i);
  return std::nullopt;
}

}  // namespace phobos
