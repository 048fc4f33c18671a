// Diagnostics as a person reads them in a terminal: the source line, what is meant underlined, the chain below it, the repair.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>

namespace phobos::diag {

struct RenderOptions {
  bool color = false;
};

// `diagnostic` has absolute spans (origin 0) into `text`; `path` is printed as given.
std::string render(const Diagnostic& diagnostic, std::string_view path, std::string_view text, const RenderOptions& options = {});

}  // namespace phobos::diag
