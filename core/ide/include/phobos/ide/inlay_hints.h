// What a text leaves to be inferred, shown between its words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct HintOptions {
  bool kinds = true;            // of what is not uniform
  bool parameter_names = true;  // in calls of functions
  bool constants = true;        // values that are known when the kernel is compiled
  bool shapes = true;           // types of tiles and runs
};
struct InlayHint {
  enum class Sort : std::uint8_t { Kind, ParameterName, Constant, Shape };
  std::uint32_t at = 0;  // of the file
  std::string text;
  Sort sort = Sort::Kind;
  std::uint32_t about = 0;  // a place of the file whose hover tells more
};
// Those in a range of the file, by place.
std::vector<InlayHint> inlay_hints(const File& file, Span range, const HintOptions& options);

}  // namespace phobos::ide
