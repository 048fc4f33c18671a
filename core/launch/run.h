// What runs on the emulator and on the GPU have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>

#include <phobos/launch/bind.h>
#include <phobos/launch/grid.h>

namespace phobos::launch {

inline bool is_empty(const Grid& grid) { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }

inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// A scalar argument as its parameter holds it, in the low bytes: made as a tensor of one element makes it.
inline std::uint64_t scalar_bits(ScalarType type, const Argument& argument) {
  HostTensor cell{type, {}, std::vector<std::byte>(static_cast<std::size_t>(size_of(type)))};
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) cell.set_integer(0, *integer);
  else cell.set_real(0, std::get<double>(argument));
  std::uint64_t bits = 0;
  std::memcpy(&bits, cell.data.data(), cell.data.size());
  return bits;
}

}  // namespace phobos::launch
