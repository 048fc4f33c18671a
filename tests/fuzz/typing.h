// Edits out of an input's last bytes, so that a `.ph` file is an input with a few odd edits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <phobos/source/span.h>

namespace phobos::fuzz {

// Takes bytes off the end of the input; zeros where there are none left.
class Tail {
 public:
  explicit Tail(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t take(int count);
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// What people type, what makes an item out of two, and pieces of the text itself; within the text.
Edit next_edit(Tail& tail, const std::string& text);

}  // namespace phobos::fuzz
