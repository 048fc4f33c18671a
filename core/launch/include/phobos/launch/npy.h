// NumPy's `.npy` files: format versions 1 to 3, C order, little-endian, of the element types that the language has.
//
//   f2 f4 f8 i1 u1 i4 i8 b1    f16 f32 f64 i8 u8 i32 i64 bool
//   V2                         bf16: two bytes that NumPy has no name for
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <phobos/launch/tensor.h>

namespace phobos::launch {

// Errors name the file and what is wrong with it: not there, a directory, cut off, another byte order, an element type that the
// language has not, a shape and a size that do not agree.
Result<HostTensor> read_npy(const std::filesystem::path& path);
// The same from bytes; `name` is what errors call the file.
Result<HostTensor> parse_npy(std::string_view bytes, const std::string& name);

// The tensor as an element type wants it: unchanged where it has that type, an f32 tensor rounded where bf16 is wanted; otherwise
// an error that says which type the file should have. `subject` names the tensor in it.
Result<HostTensor> as_element(HostTensor tensor, ScalarType wanted, const std::string& subject);

// Version 1.0; bf16 is written as f32. The file is there whole or not at all.
std::string npy_bytes(const HostTensor& tensor);
Result<void> write_npy(const std::filesystem::path& path, const HostTensor& tensor);

}  // namespace phobos::launch
