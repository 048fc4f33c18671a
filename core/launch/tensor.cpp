#include <phobos/launch/tensor.h>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/support/float16.h>

namespace phobos::launch {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
T saturate(double value) {
  if (std::isnan(value)) return 0;
  value = std::nearbyint(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 6) bytes /= 1024, ++unit;
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

double machine_memory() { return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)); }

std::int64_t HostTensor::count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

double HostTensor::real_at(std::int64_t index) const {
  const std::byte* at = data.data() + index * size_of(element);
  switch (element) {
    case ScalarType::F16: return f16_to_float(load<std::uint16_t>(at));
    case ScalarType::BF16: return bf16_to_float(load<std::uint16_t>(at));
    case ScalarType::F32: return load<float>(at);
    case ScalarType::F64: return load<double>(at);
    default: return static_cast<double>(integer_at(index));
  }
}

std::int64_t HostTensor::integer_at(std::int64_t index) const {
  const std::byte* at = data.data() + index * size_of(element);
  switch (element) {
    case ScalarType::I8: return load<std::int8_t>(at);
    case ScalarType::U8: return load<std::uint8_t>(at);
    case ScalarType::I32: return load<std::int32_t>(at);
    case ScalarType::I64:
    case ScalarType::Index: return load<std::int64_t>(at);
    case ScalarType::Bool: return load<std::uint8_t>(at) != 0;
    default: return 0;
  }
}

void HostTensor::set_real(std::int64_t index, double value) {
  std::byte* at = data.data() + index * size_of(element);
  switch (element) {
    case ScalarType::F16: return store(at, double_to_f16(value));
    case ScalarType::BF16: return store(at, double_to_bf16(value));
    case ScalarType::F32: return store(at, static_cast<float>(value));
    case ScalarType::F64: return store(at, value);
    case ScalarType::I8: return store(at, saturate<std::int8_t>(value));
    case ScalarType::U8: return store(at, saturate<std::uint8_t>(value));
    case ScalarType::I32: return store(at, saturate<std::int32_t>(value));
    case ScalarType::I64:
    case ScalarType::Index: return store(at, saturate<std::int64_t>(value));
    case ScalarType::Bool: return store(at, static_cast<std::uint8_t>(value != 0 && !std::isnan(value)));
  }
}

void HostTensor::set_integer(std::int64_t index, std::int64_t value) {
  std::byte* at = data.data() + index * size_of(element);
  switch (element) {
    case ScalarType::I8:
    case ScalarType::U8: return store(at, static_cast<std::uint8_t>(value));
    case ScalarType::I32: return store(at, static_cast<std::int32_t>(value));
    case ScalarType::I64:
    case ScalarType::Index: return store(at, value);
    case ScalarType::Bool: return store(at, static_cast<std::uint8_t>(value != 0));
    default: return set_real(index, static_cast<double>(value));
  }
}

Result<std::size_t> byte_count(ScalarType element, const std::vector<std::int64_t>& shape) {
  double estimate = size_of(element);
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return Error{fmt::format("the shape {} has a negative extent", shape_text(shape))};
    estimate *= static_cast<double>(extent);
    empty = empty || extent == 0;
  }
  if (empty) return std::size_t{0};
  const double memory = machine_memory();
  if (estimate > memory)
    return Error{fmt::format("{}{} takes {}, and this machine has {} of memory", name_of(element), shape_text(shape),
                             bytes_text(estimate), bytes_text(memory))};
  return static_cast<std::size_t>(estimate);  // below 2^53 on any machine: exact
}

Result<HostTensor> make_tensor(ScalarType element, std::vector<std::int64_t> shape) {
  const Result<std::size_t> bytes = byte_count(element, shape);
  if (!bytes) return bytes.error();
  try {
    return HostTensor{element, std::move(shape), std::vector<std::byte>(*bytes)};
  } catch (const std::bad_alloc&) {
    return Error{fmt::format("there is no memory for {}", bytes_text(static_cast<double>(*bytes)))};
  }
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string position_text(const std::vector<std::int64_t>& shape, std::int64_t index) {
  std::vector<std::int64_t> indices(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    indices[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return shape_text(indices);
}

std::string element_text(const HostTensor& tensor, std::int64_t index) {
  if (is_float(tensor.element) && std::isnan(tensor.real_at(index))) return "nan";  // whatever its sign
  switch (tensor.element) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32: return fmt::format("{}", static_cast<float>(tensor.real_at(index)));
    case ScalarType::F64: return fmt::format("{}", tensor.real_at(index));
    case ScalarType::Bool: return tensor.integer_at(index) != 0 ? "true" : "false";
    default: return fmt::format("{}", tensor.integer_at(index));
  }
}

}  // namespace phobos::launch
