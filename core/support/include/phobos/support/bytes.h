// Numbers and texts one after the other in bytes, read back in the same order: what one process of the program tells another, or a
// later one.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace phobos {

class ByteWriter {
 public:
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Past the end everything is 0 or empty, and good() is false from there on.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view field = take(sizeof value);
    if (good_) std::memcpy(&value, field.data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number()); }
  bool good() const { return good_; }
  bool ended() const { return good_ && bytes_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    good_ = good_ && size <= bytes_.size();
    if (!good_) return {};
    const std::string_view field = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return field;
  }
  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace phobos
