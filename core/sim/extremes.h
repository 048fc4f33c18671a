// The lesser and the greater of two numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace phobos::sim {

// Of two equal floats, which differ in the sign of zero at most: the one with a sign if either has it, or if both have.
inline float either(float a, float b) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) | std::bit_cast<std::uint32_t>(b)); }
inline double either(double a, double b) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b)); }
inline float both(float a, float b) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & std::bit_cast<std::uint32_t>(b)); }
inline double both(double a, double b) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & std::bit_cast<std::uint64_t>(b)); }
// Of a NaN and a number, the number; -0 lies below 0. So it is on the hardware.
template <class T>
T minimum(T a, T b) {
  const T least = a < b ? a : b;
  if constexpr (std::is_floating_point_v<T>) return b != b ? a : a == b ? either(a, b) : least;
  else return least;
}
template <class T>
T maximum(T a, T b) {
  const T most = a > b ? a : b;
  if constexpr (std::is_floating_point_v<T>) return b != b ? a : a == b ? both(a, b) : most;
  else return most;
}

}  // namespace phobos::sim
