// Arithmetic, comparisons and selection. Integers wrap: they are added and multiplied as unsigned ones.
#include <bit>
#include <type_traits>

#include "extremes.h"
#include "handlers.h"
#include "loops.h"

namespace phobos::sim {
namespace {

using ir::Opcode;

template <class T>
using Unsigned = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T>
T add(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)); }
template <class T>
T sub(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)); }
template <class T>
T mul(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b)); }
template <class T>
T neg(T a) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
  else return -a;
}
template <class T>
T absolute(T a) {
  if constexpr (std::is_integral_v<T>) return a < 0 ? neg(a) : a;
  else if constexpr (sizeof(T) == 4) return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7fffffffu);
  else return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0x7fffffffffffffffull);
}
template <class T>
T divide(T a, T b) { return a / b; }

template <class T>
T bit_and(T a, T b) { return static_cast<T>(a & b); }
template <class T>
T bit_or(T a, T b) { return static_cast<T>(a | b); }
template <class T>
T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
template <class T>
T complement(T a) { return static_cast<T>(~a); }
std::uint8_t logical_not(std::uint8_t a) { return a ^ 1; }
template <class T, int width>
T shift_left(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) << (b & (width - 1))); }
template <class T, int width>
T shift_right(T a, T b) { return static_cast<T>(a >> (b & (width - 1))); }

template <class T>
std::uint8_t equal(T a, T b) { return a == b; }
template <class T>
std::uint8_t unequal(T a, T b) { return a != b; }
template <class T>
std::uint8_t less(T a, T b) { return a < b; }
template <class T>
std::uint8_t less_equal(T a, T b) { return a <= b; }
template <class T>
std::uint8_t greater(T a, T b) { return a > b; }
template <class T>
std::uint8_t greater_equal(T a, T b) { return a >= b; }

template <class T>
ElementFunction comparison(Opcode code) {
  switch (code) {
    case Opcode::CmpEq: return loop2<T, std::uint8_t, equal<T>>;
    case Opcode::CmpNe: return loop2<T, std::uint8_t, unequal<T>>;
    case Opcode::CmpLt: return loop2<T, std::uint8_t, less<T>>;
    case Opcode::CmpLe: return loop2<T, std::uint8_t, less_equal<T>>;
    case Opcode::CmpGt: return loop2<T, std::uint8_t, greater<T>>;
    case Opcode::CmpGe: return loop2<T, std::uint8_t, greater_equal<T>>;
    case Opcode::Select: return loop_select<T>;
    default: return nullptr;
  }
}

template <class T>
ElementFunction number(Opcode code) {
  switch (code) {
    case Opcode::Add: return loop2<T, T, add<T>>;
    case Opcode::Sub: return loop2<T, T, sub<T>>;
    case Opcode::Mul: return loop2<T, T, mul<T>>;
    case Opcode::Min: return loop2<T, T, minimum<T>>;
    case Opcode::Max: return loop2<T, T, maximum<T>>;
    case Opcode::Neg: return loop1<T, T, neg<T>>;
    case Opcode::Abs: return loop1<T, T, absolute<T>>;
    default: return comparison<T>(code);
  }
}

template <class T>
ElementFunction real(Opcode code) {
  return code == Opcode::Div ? ElementFunction(loop2<T, T, divide<T>>) : number<T>(code);
}

template <class T, int width>
ElementFunction whole(Opcode code) {
  switch (code) {
    case Opcode::And: return loop2<T, T, bit_and<T>>;
    case Opcode::Or: return loop2<T, T, bit_or<T>>;
    case Opcode::Xor: return loop2<T, T, bit_xor<T>>;
    case Opcode::Not: return loop1<T, T, complement<T>>;
    case Opcode::Shl: return loop2<T, T, shift_left<T, width>>;
    case Opcode::Shr: return loop2<T, T, shift_right<T, width>>;
    default: return number<T>(code);
  }
}

ElementFunction logical(Opcode code) {
  using T = std::uint8_t;
  switch (code) {
    case Opcode::And: return loop2<T, T, bit_and<T>>;
    case Opcode::Or: return loop2<T, T, bit_or<T>>;
    case Opcode::Xor: return loop2<T, T, bit_xor<T>>;
    case Opcode::Not: return loop1<T, T, logical_not>;
    default: return comparison<T>(code);
  }
}

}  // namespace

ElementFunction arithmetic_function(Opcode code, ScalarType element) {
  switch (element) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32: return real<float>(code);
    case ScalarType::F64: return real<double>(code);
    case ScalarType::I8:
    case ScalarType::U8: return whole<std::int32_t, 8>(code);
    case ScalarType::I32: return whole<std::int32_t, 32>(code);
    case ScalarType::Bool: return logical(code);
    default: return whole<std::int64_t, 64>(code);
  }
}

}  // namespace phobos::sim
