#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format_notes.h"

namespace phobos::syntax {

// The white space before one token, where it changes.
struct Gap {
  std::uint32_t token;
  std::string text;
};

// `notes` are those of `text`, unchanged. Gaps in the order of their tokens.
std::vector<Gap> lay_out(std::string_view text, const Notes& notes);

}  // namespace phobos::syntax
