// What a GPU can hold of one tile: checking tells it of a program, and the code generator refuses what is more.
#pragma once

#include <algorithm>
#include <cstdint>

namespace phobos {

constexpr std::int64_t tile_elements_of_thread = 512;  // in registers; past that they would live in local memory
constexpr std::int64_t largest_shared = 227 * 1024;    // bytes that a CTA of any chip may have

// The elements of the largest tile, whether it lies in registers or, accessed by threads alone, in shared memory.
constexpr std::int64_t tile_elements_of_cta(std::int64_t threads, std::int64_t element_size) {
  return std::max(tile_elements_of_thread * threads, largest_shared / element_size);
}

}  // namespace phobos
