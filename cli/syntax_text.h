// The syntax tree of a file as indented text, for looking at.
#pragma once

#include <string>

#include "source.h"

namespace phobos::cli {

std::string syntax_text(const Source& source);

}  // namespace phobos::cli
