#include <phobos/sema/constants.h>

#include <bit>
#include <cmath>
#include <limits>

#include <phobos/support/float16.h>

#include "checker.h"

namespace phobos::sema {

namespace {

std::int64_t wrapped(std::uint64_t value, ScalarType type) {
  switch (type) {
    case ScalarType::I8: return static_cast<std::int8_t>(value);
    case ScalarType::U8: return static_cast<std::uint8_t>(value);
    case ScalarType::I32: return static_cast<std::int32_t>(value);
    default: return static_cast<std::int64_t>(value);
  }
}

double rounded(double value, ScalarType type) {
  switch (type) {
    case ScalarType::F16: return f16_to_float(double_to_f16(value));
    case ScalarType::BF16: return bf16_to_float(double_to_bf16(value));
    case ScalarType::F32: return static_cast<float>(value);
    default: return value;
  }
}

std::int64_t saturated(double value, ScalarType type) {
  if (std::isnan(value)) return 0;
  std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
  if (type == ScalarType::I8) low = -128, high = 127;
  if (type == ScalarType::U8) low = 0, high = 255;
  if (type == ScalarType::I32) low = std::numeric_limits<std::int32_t>::min(), high = std::numeric_limits<std::int32_t>::max();
  const double whole = std::trunc(value);
  if (whole <= static_cast<double>(low)) return low;
  if (whole >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(whole);
}

std::optional<std::int64_t> integer_result(BinaryOp op, std::int64_t a, std::int64_t b, ScalarType type) {
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const unsigned width = static_cast<unsigned>(bits_of(type));
  switch (op) {
    case BinaryOp::Add: return wrapped(ua + ub, type);
    case BinaryOp::Sub: return wrapped(ua - ub, type);
    case BinaryOp::Mul: return wrapped(ua * ub, type);
    case BinaryOp::Div: return b == 0 ? std::nullopt : std::optional(b == -1 ? wrapped(0 - ua, type) : wrapped(static_cast<std::uint64_t>(a / b), type));
    case BinaryOp::Rem: return b == 0 ? std::nullopt : std::optional(b == -1 ? 0 : wrapped(static_cast<std::uint64_t>(a % b), type));
    case BinaryOp::BitAnd: return wrapped(ua & ub, type);
    case BinaryOp::BitOr: return wrapped(ua | ub, type);
    case BinaryOp::BitXor: return wrapped(ua ^ ub, type);
    case BinaryOp::Shl: return wrapped(ua << (ub % width), type);
    case BinaryOp::Shr: return wrapped(static_cast<std::uint64_t>(a >> (ub % width)), type);
    default: return std::nullopt;
  }
}

template <class T>
std::optional<bool> comparison(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    case BinaryOp::Ge: return a >= b;
    default: return std::nullopt;
  }
}

}  // namespace

std::string to_string(const Constant& constant) {
  if (const auto* integer = std::get_if<std::int64_t>(&constant.value)) return std::to_string(*integer);
  if (const auto* flag = std::get_if<bool>(&constant.value)) return *flag ? "true" : "false";
  return fmt::format("{}", std::get<double>(constant.value));
}

Constant converted(const Constant& constant, ScalarType to) {
  const auto* integer = std::get_if<std::int64_t>(&constant.value);
  const auto* flag = std::get_if<bool>(&constant.value);
  const auto* real = std::get_if<double>(&constant.value);
  if (to == ScalarType::Bool) return {integer ? *integer != 0 : flag ? *flag : *real != 0};
  if (is_float(to)) return {rounded(integer ? static_cast<double>(*integer) : flag ? double(*flag) : *real, to)};
  if (real) return {saturated(*real, to)};
  return {wrapped(static_cast<std::uint64_t>(integer ? *integer : std::int64_t{*flag}), to)};
}

std::optional<Constant> fold(UnaryOp op, const Constant& a, ScalarType type) {
  if (const auto* flag = std::get_if<bool>(&a.value)) return op == UnaryOp::Not ? std::optional(Constant{!*flag}) : std::nullopt;
  if (const auto* real = std::get_if<double>(&a.value)) return op == UnaryOp::Negate ? std::optional(Constant{-*real}) : std::nullopt;
  const auto value = static_cast<std::uint64_t>(std::get<std::int64_t>(a.value));
  if (op == UnaryOp::Negate) return Constant{wrapped(0 - value, type)};
  if (op == UnaryOp::Complement) return Constant{wrapped(~value, type)};
  return std::nullopt;
}

std::optional<Constant> fold(BinaryOp op, const Constant& a, const Constant& b, ScalarType type) {
  if (const auto* x = std::get_if<bool>(&a.value)) {
    const bool y = std::get<bool>(b.value);
    if (op == BinaryOp::And) return Constant{*x && y};
    if (op == BinaryOp::Or) return Constant{*x || y};
    if (const auto result = comparison(op, *x, y)) return Constant{*result};
    return std::nullopt;
  }
  if (const auto* x = std::get_if<double>(&a.value)) {
    const double y = std::get<double>(b.value);
    if (const auto result = comparison(op, *x, y)) return Constant{*result};
    switch (op) {
      case BinaryOp::Add: return Constant{rounded(*x + y, type)};
      case BinaryOp::Sub: return Constant{rounded(*x - y, type)};
      case BinaryOp::Mul: return Constant{rounded(*x * y, type)};
      case BinaryOp::Div: return Constant{rounded(*x / y, type)};
      default: return std::nullopt;
    }
  }
  const std::int64_t x = std::get<std::int64_t>(a.value), y = std::get<std::int64_t>(b.value);
  if (const auto result = comparison(op, x, y)) return Constant{*result};
  if (const auto result = integer_result(op, x, y, type)) return Constant{*result};
  return std::nullopt;
}

bool Checker::overflows(BinaryOp op, const Constant& a, const Constant& b) {
  const auto *x = std::get_if<std::int64_t>(&a.value), *y = std::get_if<std::int64_t>(&b.value);
  if (!x || !y) return false;
  std::int64_t result = 0;
  switch (op) {
    case BinaryOp::Add: return __builtin_add_overflow(*x, *y, &result);
    case BinaryOp::Sub: return __builtin_sub_overflow(*x, *y, &result);
    case BinaryOp::Mul: return __builtin_mul_overflow(*x, *y, &result);
    case BinaryOp::Div: return *x == std::numeric_limits<std::int64_t>::min() && *y == -1;
    case BinaryOp::Shl: return *y >= 0 && *y < 64 && (wrapped(static_cast<std::uint64_t>(*x) << *y, ScalarType::I64) >> *y) != *x;
    default: return false;
  }
}

bool Checker::becomes_infinite(const Constant& a, const Constant& b, const Constant& result) {
  const auto infinite = [](const Constant& constant) {
    const auto* real = std::get_if<double>(&constant.value);
    return real && std::isinf(*real);
  };
  return infinite(result) && !infinite(a) && !infinite(b);
}

ExprId Checker::integer_constant(std::int64_t value, Location at) {
  return add(ConstantExpr{}, Type::scalar(ScalarType::Index), at, Constant{value});
}

bool Checker::fits(const Constant& constant, ScalarType type) const {
  const auto* value = std::get_if<std::int64_t>(&constant.value);
  const auto* real = std::get_if<double>(&constant.value);
  if (is_float(type) && (value || real)) {
    const double exact = value ? static_cast<double>(*value) : *real;
    return std::isinf(exact) || !std::isinf(rounded(exact, type));
  }
  if (!value) return true;
  return type != ScalarType::Bool && wrapped(static_cast<std::uint64_t>(*value), type) == *value;
}

}  // namespace phobos::sema
