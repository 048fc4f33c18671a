// Rounding to the 16-bit floats, kept as the floats that they are. Written without branches, so that loops over them vectorise.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <phobos/support/float16.h>
#include <phobos/support/scalar_type.h>

namespace phobos::sim {

inline float round_to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return std::bit_cast<float>(nan ? (bits & 0xffff0000u) | 0x400000u : rounded);
}

inline float round_to_f16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u)) & 0xffffe000u;
  // Below 2^-14 a step is 2^-24, which is the last place of 0.5.
  const std::uint32_t small = std::bit_cast<std::uint32_t>((std::bit_cast<float>(magnitude) + 0.5f) - 0.5f);
  std::uint32_t rounded = magnitude < 0x38800000u ? small : normal;
  rounded = magnitude >= 0x477ff000u ? 0x7f800000u : rounded;  // 65520 and above
  rounded = magnitude > 0x7f800000u ? 0x7fc00000u | (magnitude & 0x7fe000u) : rounded;
  return std::bit_cast<float>(rounded | (bits & 0x80000000u));
}

using phobos::narrow_to_odd;
inline float narrow_to_odd(std::int64_t value) {
  double near = static_cast<double>(value);
  const bool above = near >= 0x1p63;
  const std::int64_t back = above ? INT64_MAX : static_cast<std::int64_t>(near);
  if (back != value || above) {  // so to a double first
    if (above || (value > 0 ? back > value : back < value)) near = std::nextafter(near, 0.0);
    near = std::bit_cast<double>(std::bit_cast<std::uint64_t>(near) | 1u);
  }
  return narrow_to_odd(near);
}

// A real as a value of an element type other than f64.
inline float round_to(ScalarType element, double value) {
  if (element == ScalarType::F16) return round_to_f16(narrow_to_odd(value));
  if (element == ScalarType::BF16) return round_to_bf16(narrow_to_odd(value));
  return static_cast<float>(value);
}

}  // namespace phobos::sim
