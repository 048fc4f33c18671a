// Tensors in host memory, as files and generators make them and as runs take and give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <phobos/support/result.h>
#include <phobos/support/scalar_type.h>

namespace phobos::launch {

struct HostTensor {
  ScalarType element = ScalarType::F32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // row-major, in the element type's own form (bool a byte, f16 and bf16 their bits)

  std::int64_t count() const;
  // Floats widened, integers rounded to the nearest double, bool 0 or 1.
  double real_at(std::int64_t index) const;
  // Integers and bool only.
  std::int64_t integer_at(std::int64_t index) const;
  // Rounds to the element type; integers saturate, a NaN becomes 0.
  void set_real(std::int64_t index, double value);
  // Integers wrap, bool takes anything but 0 as true, floats round.
  void set_integer(std::int64_t index, std::int64_t value);
};

// Bytes of a tensor, or why there cannot be one: a negative extent, more bytes than can be counted or than the machine has.
Result<std::size_t> byte_count(ScalarType element, const std::vector<std::int64_t>& shape);
double machine_memory();             // in bytes
std::string bytes_text(double bytes);  // `1.5 GB`
// All zeros.
Result<HostTensor> make_tensor(ScalarType element, std::vector<std::int64_t> shape);

std::string shape_text(const std::vector<std::int64_t>& shape);    // `[3, 4]`
// The indices of the element at a row-major position: `[1, 2]`.
std::string position_text(const std::vector<std::int64_t>& shape, std::int64_t index);
// An element as a person reads it: shortest digits that give the value back.
std::string element_text(const HostTensor& tensor, std::int64_t index);

}  // namespace phobos::launch
