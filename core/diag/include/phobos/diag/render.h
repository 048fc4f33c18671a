// Diagnostics as a person reads them in a terminal: the source line, what is meant underlined, the chain below it, the repair.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/line_map.h>

namespace phobos::diag {

struct RenderOptions {
  bool color = false;
};

// `diagnostic` has absolute spans (origin 0) into `text`; `path` is printed as given. Lines and columns are counted from one,
// columns in characters. Ends with a newline.
std::string render(const Diagnostic& diagnostic, std::string_view path, std::string_view text, const RenderOptions& options = {});
// The same with the text's line map at hand, for many diagnostics of one text.
std::string render(const Diagnostic& diagnostic, std::string_view path, std::string_view text, const LineMap& lines,
                   const RenderOptions& options = {});

}  // namespace phobos::diag
