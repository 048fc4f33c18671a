// How names are written in IR text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace phobos::ir {

bool is_word(std::string_view text);  // a letter or `_`, then letters, digits and `_`
std::string quote(std::string_view text);
std::string quote_unless_word(std::string_view text);

// Gives each value of a kernel its text: `%name`, `%name.1` for the next of that name, or `%0`, `%1`, … for those without.
class Namer {
 public:
  std::string next(std::string_view name);

 private:
  std::unordered_map<std::string, int> seen_;
  int unnamed_ = 0;
};

}  // namespace phobos::ir
