// binary16 and bfloat16 as bits, rounded to nearest even from f32.
#pragma once

#include <bit>
#include <cstdint>

namespace phobos {

inline float bf16_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

inline std::uint16_t float_to_bf16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);  // keep NaN a NaN
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return static_cast<std::uint16_t>(bits >> 16);
}

inline float f16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 31u;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // exact: zero or a denormal
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

inline std::uint16_t float_to_f16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {  // below 2^-14: a denormal, in units of 2^-24
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p24f;
    const float rounded = (scaled + 0x1p23f) - 0x1p23f;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(rounded));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

// To f32 with the last bit set where anything was lost, so that rounding once more to 16 bits is as rounding once.
inline float narrow_to_odd(double value) {
  const float narrowed = static_cast<float>(value);
  const double back = narrowed;
  if (back == value || value != value) return narrowed;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(narrowed);
  if ((back < 0 ? -back : back) > (value < 0 ? -value : value)) --bits;  // toward zero
  return std::bit_cast<float>(bits | 1u);
}

inline std::uint16_t double_to_f16(double value) { return float_to_f16(narrow_to_odd(value)); }
inline std::uint16_t double_to_bf16(double value) { return float_to_bf16(narrow_to_odd(value)); }

}  // namespace phobos
