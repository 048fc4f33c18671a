#include <phobos/launch/npy.h>

#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include <phobos/support/npy_header.h>

namespace phobos::launch {
namespace {

std::string descr_of(ScalarType element) {
  switch (element) {
    case ScalarType::F16: return "<f2";
    case ScalarType::BF16:
    case ScalarType::F32: return "<f4";
    case ScalarType::F64: return "<f8";
    case ScalarType::I8: return "|i1";
    case ScalarType::U8: return "|u1";
    case ScalarType::I32: return "<i4";
    case ScalarType::Bool: return "|b1";
    default: return "<i8";
  }
}

Result<HostTensor> parse(std::string_view bytes) {
  const Result<NpyHeader> header = npy_header(bytes);
  if (!header) return header.error();
  const Result<ScalarType> element = npy_element(header->descr);
  if (!element) return element.error();
  if (header->fortran_order && header->shape.size() > 1)
    return Error{"it is in Fortran order; save it with `numpy.ascontiguousarray`"};
  const Result<std::size_t> size = byte_count(*element, header->shape);
  if (!size) return size.error();
  const std::size_t there = bytes.size() - header->data;
  if (there != *size)
    return Error{fmt::format("its data is {}: {}{} takes {} bytes, {} are there", there < *size ? "cut off" : "too long",
                             name_of(*element), shape_text(header->shape), *size, there)};
  Result<HostTensor> tensor = make_tensor(*element, header->shape);
  if (tensor && *size != 0) std::memcpy(tensor->data.data(), bytes.data() + header->data, *size);
  return tensor;
}

}  // namespace

Result<HostTensor> parse_npy(std::string_view bytes, const std::string& name) {
  Result<HostTensor> tensor = parse(bytes);
  if (!tensor) return Error{fmt::format("{}: {}", name, tensor.message())};
  return tensor;
}

Result<HostTensor> read_npy(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::not_found) return Error{fmt::format("{}: there is no such file", name)};
  if (fault) return Error{fmt::format("{}: {}", name, fault.message())};
  if (status.type() == std::filesystem::file_type::directory) return Error{fmt::format("{}: it is a directory", name)};
  if (status.type() != std::filesystem::file_type::regular) return Error{fmt::format("{}: it is not a regular file", name)};
  const std::uintmax_t size = std::filesystem::file_size(path, fault);
  std::ifstream file(path, std::ios::binary);
  if (fault || !file) return Error{fmt::format("{}: it cannot be opened for reading", name)};
  const Result<std::size_t> room = byte_count(ScalarType::U8, {static_cast<std::int64_t>(size)});
  if (!room) return Error{fmt::format("{}: {}", name, room.message())};
  std::string bytes(*room, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(file.gcount()) != bytes.size()) return Error{fmt::format("{}: it cannot be read", name)};
  return parse_npy(bytes, name);
}

Result<HostTensor> as_element(HostTensor tensor, ScalarType wanted, const std::string& subject) {
  if (tensor.element == wanted) return tensor;
  if (wanted == ScalarType::BF16 && tensor.element == ScalarType::F32) {
    Result<HostTensor> rounded = make_tensor(wanted, tensor.shape);
    if (!rounded) return rounded;
    for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) rounded->set_real(i, tensor.real_at(i));
    return rounded;
  }
  const std::string advice = wanted == ScalarType::BF16 ? "an f32 file is rounded to bf16"
                                                        : fmt::format("save it with `.astype('{}')`", descr_of(wanted));
  return Error{fmt::format("{} holds {} elements, and {} is wanted; {}", subject, name_of(tensor.element), name_of(wanted), advice)};
}

std::string npy_bytes(const HostTensor& tensor) {
  std::string shape;
  for (const std::int64_t extent : tensor.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", extent);
  if (tensor.shape.size() == 1) shape += ',';
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(tensor.element), shape);
  header.append(63 - (10 + header.size()) % 64, ' ');  // the data starts at a multiple of 64
  header += '\n';
  std::string bytes(npy_magic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  bytes += header;
  if (tensor.element == ScalarType::BF16) {
    for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) {
      const float value = static_cast<float>(tensor.real_at(i));
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  } else {
    bytes.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  }
  return bytes;
}

Result<void> write_npy(const std::filesystem::path& path, const HostTensor& tensor) {
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::directory) return Error{fmt::format("{}: it is a directory", path.string())};
  const bool in_place = status.type() != std::filesystem::file_type::regular && std::filesystem::exists(status);
  const std::filesystem::path target = in_place ? path : std::filesystem::path(path.string() + ".part");
  std::ofstream file(target, std::ios::binary | std::ios::trunc);
  const std::string bytes = npy_bytes(tensor);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file && !in_place) std::filesystem::rename(target, path, fault);
  if (file && !fault) return {};
  if (!in_place) std::filesystem::remove(target, fault);
  return Error{fmt::format("{}: it cannot be written", path.string())};
}

}  // namespace phobos::launch
