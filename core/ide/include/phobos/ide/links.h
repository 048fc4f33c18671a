// The files that run lines name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct Link {
  Span span;  // of the file
  std::string path;  // as it is written: relative to the file's folder, or absolute
};
std::vector<Link> links(const File& file);
// The one at an offset of a text, of which no more is looked at than the line.
std::optional<Link> link_at(std::string_view text, std::uint32_t offset);

}  // namespace phobos::ide
