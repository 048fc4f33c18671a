// Conversions between element types, and what keeps values within theirs.
#include <limits>

#include "handlers.h"
#include "loops.h"
#include "rounding.h"

namespace phobos::sim {
namespace {

// Toward zero; what does not fit becomes the nearest that does; NaN is 0.
template <class From, class To, std::int64_t least, std::int64_t most>
To saturate(From value) {
  if (value != value) return 0;
  if (value <= static_cast<From>(least)) return static_cast<To>(least);
  if (value >= static_cast<From>(most)) return static_cast<To>(most);  // most rounds up to a power of two where it must
  return static_cast<To>(value);
}

template <class From, class To>
To cast(From value) { return static_cast<To>(value); }
template <class From>
std::uint8_t truth(From value) { return value != 0; }
float odd_from_double(double value) { return narrow_to_odd(value); }
float odd_from_i32(std::int32_t value) { return narrow_to_odd(static_cast<double>(value)); }
float odd_from_i64(std::int64_t value) { return narrow_to_odd(value); }

bool is_sixteen_bits(ScalarType type) { return type == ScalarType::F16 || type == ScalarType::BF16; }

template <class From>
ElementFunction from_real(ScalarType to) {
  switch (to) {
    case ScalarType::I8: return loop1<From, std::int32_t, saturate<From, std::int32_t, -128, 127>>;
    case ScalarType::U8: return loop1<From, std::int32_t, saturate<From, std::int32_t, 0, 255>>;
    case ScalarType::I32: return loop1<From, std::int32_t, saturate<From, std::int32_t, INT32_MIN, INT32_MAX>>;
    case ScalarType::Bool: return loop1<From, std::uint8_t, truth<From>>;
    case ScalarType::F64: return loop1<From, double, cast<From, double>>;
    case ScalarType::I64:
    case ScalarType::Index: return loop1<From, std::int64_t, saturate<From, std::int64_t, INT64_MIN, INT64_MAX>>;
    default: return loop1<From, float, cast<From, float>>;
  }
}

template <class From>
ElementFunction from_integer(ScalarType to) {
  switch (store_of(to)) {
    case Store::F32: return loop1<From, float, cast<From, float>>;
    case Store::F64: return loop1<From, double, cast<From, double>>;
    case Store::I32: return loop1<From, std::int32_t, cast<From, std::int32_t>>;
    case Store::Bool: return loop1<From, std::uint8_t, truth<From>>;
    default: return loop1<From, std::int64_t, cast<From, std::int64_t>>;
  }
}

template <class T, class Held>
void wrap(void* values, std::int64_t n) {
  auto* x = static_cast<T*>(values);
  for (std::int64_t i = 0; i < n; ++i) x[i] = static_cast<Held>(x[i]);
}
template <auto round>
void round_all(void* values, std::int64_t n) {
  auto* x = static_cast<float*>(values);
  for (std::int64_t i = 0; i < n; ++i) x[i] = round(x[i]);
}

}  // namespace

ElementFunction conversion_function(ScalarType from, ScalarType to) {
  if (is_sixteen_bits(to)) {
    if (from == ScalarType::F64) return loop1<double, float, odd_from_double>;
    if (store_of(from) == Store::I32) return loop1<std::int32_t, float, odd_from_i32>;
    if (store_of(from) == Store::I64) return loop1<std::int64_t, float, odd_from_i64>;
  }
  switch (store_of(from)) {
    case Store::F32: return from_real<float>(to);
    case Store::F64: return from_real<double>(to);
    case Store::I32: return from_integer<std::int32_t>(to);
    case Store::Bool: return from_integer<std::uint8_t>(to);
    default: return from_integer<std::int64_t>(to);
  }
}

NarrowFunction narrow_function(ScalarType element) {
  switch (element) {
    case ScalarType::F16: return round_all<round_to_f16>;
    case ScalarType::BF16: return round_all<round_to_bf16>;
    case ScalarType::I8: return wrap<std::int32_t, std::int8_t>;
    case ScalarType::U8: return wrap<std::int32_t, std::uint8_t>;
    default: return nullptr;
  }
}

}  // namespace phobos::sim
