// Elements in memory, in their own form, and as the simulator holds them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <phobos/support/float16.h>
#include <phobos/support/scalar_type.h>

#include "value.h"

namespace phobos::sim {

template <ScalarType>
struct Element;

template <class RawType, class HeldType>
struct PlainElement {
  using Raw = RawType;
  using Held = HeldType;
  static Held load(Raw raw) { return raw; }
  static Raw store(Held held) { return static_cast<Raw>(held); }
};

template <>
struct Element<ScalarType::F32> : PlainElement<float, float> {};
template <>
struct Element<ScalarType::F64> : PlainElement<double, double> {};
template <>
struct Element<ScalarType::I8> : PlainElement<std::int8_t, std::int32_t> {};
template <>
struct Element<ScalarType::U8> : PlainElement<std::uint8_t, std::int32_t> {};
template <>
struct Element<ScalarType::I32> : PlainElement<std::int32_t, std::int32_t> {};
template <>
struct Element<ScalarType::I64> : PlainElement<std::int64_t, std::int64_t> {};
template <>
struct Element<ScalarType::Bool> : PlainElement<std::uint8_t, std::uint8_t> {
  static std::uint8_t load(std::uint8_t raw) { return raw != 0; }
};
template <>
struct Element<ScalarType::BF16> {
  using Raw = std::uint16_t;
  using Held = float;
  static Held load(Raw raw) { return bf16_to_float(raw); }
  static Raw store(Held held) { return static_cast<Raw>(std::bit_cast<std::uint32_t>(held) >> 16); }
};
// Without branches, for the vectoriser; what is stored is already a value of f16.
template <>
struct Element<ScalarType::F16> {
  using Raw = std::uint16_t;
  using Held = float;
  static Held load(Raw raw) {
    const std::uint32_t magnitude = static_cast<std::uint32_t>(raw & 0x7fffu) << 13;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    bits = magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : bits;
    return std::bit_cast<float>(bits | static_cast<std::uint32_t>(raw & 0x8000u) << 16);
  }
  static Raw store(Held held) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(held), magnitude = bits & 0x7fffffffu;
    const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    std::uint32_t half = magnitude < 0x38800000u ? small : (magnitude - 0x38000000u) >> 13;
    half = magnitude >= 0x7f800000u ? 0x7c00u | ((magnitude >> 13) & 0x3ffu) : half;
    return static_cast<Raw>(half | (bits >> 16 & 0x8000u));
  }
};

// Calls f with the Element of that type.
template <class F>
decltype(auto) with_element(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::F16: return f(Element<ScalarType::F16>());
    case ScalarType::BF16: return f(Element<ScalarType::BF16>());
    case ScalarType::F32: return f(Element<ScalarType::F32>());
    case ScalarType::F64: return f(Element<ScalarType::F64>());
    case ScalarType::I8: return f(Element<ScalarType::I8>());
    case ScalarType::U8: return f(Element<ScalarType::U8>());
    case ScalarType::I32: return f(Element<ScalarType::I32>());
    case ScalarType::Bool: return f(Element<ScalarType::Bool>());
    default: return f(Element<ScalarType::I64>());
  }
}

// Calls f with a null pointer to the type that values of that store are held in.
template <class F>
void with_store(Store store, F&& f) {
  switch (store) {
    case Store::F32: return f(static_cast<float*>(nullptr));
    case Store::F64: return f(static_cast<double*>(nullptr));
    case Store::I32: return f(static_cast<std::int32_t*>(nullptr));
    case Store::Bool: return f(static_cast<std::uint8_t*>(nullptr));
    default: return f(static_cast<std::int64_t*>(nullptr));
  }
}

}  // namespace phobos::sim
