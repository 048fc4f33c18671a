// What an `.npy` file says of itself before its data: format versions 1 to 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/support/result.h>
#include <phobos/support/scalar_type.h>

namespace phobos {

inline constexpr std::string_view npy_magic("\x93NUMPY", 6);

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data = 0;  // where it begins
};

// `bytes` are the file's, or its first ones with the whole header. An error says what is wrong with it.
Result<NpyHeader> npy_header(std::string_view bytes);
// The language's type of its elements.
Result<ScalarType> npy_element(const std::string& descr);

}  // namespace phobos
