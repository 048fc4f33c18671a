// How values lie in memory while a CTA runs.
//
// Every value has a slot in the CTA's frame. A scalar of kind uniform is one number, a warp-uniform one has one a warp, a varying
// one has one a thread: that many `lanes`. A tile is one lane of as many `rows` as it has elements, in row-major order; a run has
// its elements as rows, each with all lanes side by side. So an elementwise operation is one loop over lanes × rows, whatever its
// operands are. f16 and bf16 are kept as floats that a 16-bit float holds exactly, the small integers as int32 that they hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <phobos/ir/ir.h>

namespace phobos::sim {

enum class Store : unsigned char { F32, F64, I32, I64, Bool, Buffer };

constexpr Store store_of(ScalarType type) {
  switch (type) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32: return Store::F32;
    case ScalarType::F64: return Store::F64;
    case ScalarType::I8:
    case ScalarType::U8:
    case ScalarType::I32: return Store::I32;
    case ScalarType::Bool: return Store::Bool;
    default: return Store::I64;
  }
}

// A buffer as an operation sees it: where its elements are, in their own form, and how many along each axis.
struct BufferRef {
  std::byte* data = nullptr;
  std::array<std::int64_t, 4> extents{1, 1, 1, 1};
  std::int64_t count = 0;
};

constexpr std::size_t size_of(Store store) {
  switch (store) {
    case Store::F32:
    case Store::I32: return 4;
    case Store::F64:
    case Store::I64: return 8;
    case Store::Bool: return 1;
    default: return sizeof(BufferRef);
  }
}

struct Slot {
  std::size_t offset = 0;
  std::int64_t lanes = 1;
  std::int64_t rows = 1;
  Store store = Store::I64;
  ScalarType element = ScalarType::Index;

  std::int64_t count() const { return lanes * rows; }
  std::size_t bytes() const { return static_cast<std::size_t>(count()) * size_of(store); }
};

// The threads that run: a byte each, 1 or 0, and how many ones.
struct Mask {
  std::uint8_t* lanes = nullptr;
  int count = 0;
};

constexpr int warp_size = 32;

}  // namespace phobos::sim
