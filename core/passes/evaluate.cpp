#include "evaluate.h"

#include <cmath>

#include <phobos/support/float16.h>

namespace phobos::passes {
namespace {

using ir::Opcode;

std::int64_t wrapped(ScalarType type, std::int64_t value) {
  switch (type) {
    case ScalarType::I8: return static_cast<std::int8_t>(value);
    case ScalarType::U8: return static_cast<std::uint8_t>(value);
    case ScalarType::I32: return static_cast<std::int32_t>(value);
    case ScalarType::Bool: return value & 1;
    default: return value;
  }
}

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// To the type: of arithmetic on 16-bit types, which is done in f32, and of other numbers, that are rounded once.
double rounded(ScalarType type, double value) {
  if (type == ScalarType::F16) return f16_to_float(double_to_f16(value));
  if (type == ScalarType::BF16) return bf16_to_float(double_to_bf16(value));
  return type == ScalarType::F32 ? static_cast<float>(value) : value;
}

std::optional<std::int64_t> integer_arithmetic(Opcode code, ScalarType type, std::int64_t a, std::int64_t b) {
  const int count = static_cast<int>(b & (bits_of(type) - 1));
  switch (code) {
    case Opcode::Add: return signed_of(bits(a) + bits(b));
    case Opcode::Sub: return signed_of(bits(a) - bits(b));
    case Opcode::Mul: return signed_of(bits(a) * bits(b));
    case Opcode::Div:
      if (b == 0) return std::nullopt;
      return b == -1 ? signed_of(0 - bits(a)) : a / b;
    case Opcode::Rem:
      if (b == 0) return std::nullopt;
      return b == -1 ? 0 : a % b;
    case Opcode::And: return a & b;
    case Opcode::Or: return a | b;
    case Opcode::Xor: return a ^ b;
    case Opcode::Shl: return signed_of(bits(a) << count);
    case Opcode::Shr: return a >> count;
    case Opcode::Min: return a < b ? a : b;
    case Opcode::Max: return a > b ? a : b;
    case Opcode::Neg: return signed_of(0 - bits(a));
    case Opcode::Not: return type == ScalarType::Bool ? a ^ 1 : ~a;
    case Opcode::Abs: return a < 0 ? signed_of(0 - bits(a)) : a;
    default: return std::nullopt;
  }
}

template <class T>
std::optional<T> real_arithmetic(Opcode code, T a, T b) {
  switch (code) {
    case Opcode::Add: return a + b;
    case Opcode::Sub: return a - b;
    case Opcode::Mul: return a * b;
    case Opcode::Div: return a / b;
    case Opcode::Min: return std::isnan(b) || a < b || (a == b && std::signbit(a)) ? a : b;  // -0 lies below 0
    case Opcode::Max: return std::isnan(b) || a > b || (a == b && std::signbit(b)) ? a : b;
    case Opcode::Neg: return -a;
    case Opcode::Abs: return std::abs(a);
    case Opcode::Floor: return std::floor(a);
    case Opcode::Ceil: return std::ceil(a);
    case Opcode::Round: return std::nearbyint(a);
    default: return std::nullopt;
  }
}

template <class T>
std::optional<bool> comparison(Opcode code, T a, T b) {
  switch (code) {
    case Opcode::CmpEq: return a == b;
    case Opcode::CmpNe: return a != b;
    case Opcode::CmpLt: return a < b;
    case Opcode::CmpLe: return a <= b;
    case Opcode::CmpGt: return a > b;
    case Opcode::CmpGe: return a >= b;
    default: return std::nullopt;
  }
}

// Toward zero, to the nearest that fits; NaN is 0.
std::int64_t truncated(ScalarType to, double value) {
  if (std::isnan(value)) return 0;
  const int width = bits_of(to);
  const double least = to == ScalarType::U8 ? 0 : -std::ldexp(1.0, width - 1);
  const double past = to == ScalarType::U8 ? 256 : std::ldexp(1.0, width - 1);
  if (value <= least) return static_cast<std::int64_t>(least);
  if (value >= past) return to == ScalarType::U8 ? 255 : signed_of((std::uint64_t(1) << (width - 1)) - 1);
  return static_cast<std::int64_t>(value);
}

std::optional<Number> conversion(ScalarType from, ScalarType to, Number value) {
  if (is_float(from)) {
    if (to == ScalarType::Bool) return Number{value.real != 0, 0};
    if (!is_float(to)) return Number{truncated(to, value.real), 0};
    return Number{0, rounded(to, value.real)};
  }
  if (to == ScalarType::Bool) return Number{value.integer != 0, 0};
  if (!is_float(to)) return Number{wrapped(to, value.integer), 0};
  if (to == ScalarType::F64) return Number{0, static_cast<double>(value.integer)};
  if (to == ScalarType::F32) return Number{0, static_cast<float>(value.integer)};
  constexpr std::int64_t exact = std::int64_t(1) << 24;
  if (value.integer < -exact || value.integer > exact) return std::nullopt;
  return Number{0, rounded(to, static_cast<float>(value.integer))};
}

}  // namespace

std::optional<double> held_real(ScalarType type, double real) {
  if (std::isnan(real)) return std::nullopt;
  return rounded(type, real);
}

std::optional<Number> evaluate(Opcode code, ScalarType from, ScalarType to, const std::vector<Number>& operands) {
  const Number a = operands[0], b = operands.size() > 1 ? operands[1] : Number();
  std::optional<Number> result;
  if (code == Opcode::Convert) {
    result = conversion(from, to, a);
  } else if (code >= Opcode::CmpEq && code <= Opcode::CmpGe) {
    const auto truth = is_float(from) ? comparison(code, a.real, b.real) : comparison(code, a.integer, b.integer);
    if (truth) result = Number{*truth, 0};
  } else if (from == ScalarType::F64) {
    if (const auto real = real_arithmetic(code, a.real, b.real)) result = Number{0, *real};
  } else if (is_float(from)) {
    if (const auto real = real_arithmetic(code, static_cast<float>(a.real), static_cast<float>(b.real)))
      result = Number{0, rounded(from, *real)};
  } else if (const auto integer = integer_arithmetic(code, from, a.integer, b.integer)) {
    result = Number{wrapped(from, *integer), 0};
  }
  if (result && is_float(to) && std::isnan(result->real)) return std::nullopt;
  return result;
}

}  // namespace phobos::passes
