// The files that run lines name.
#pragma once

#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct Link {
  Span span;  // of the file
  std::string path;  // as it is written: relative to the file's folder, or absolute
};
std::vector<Link> links(const File& file);

}  // namespace phobos::ide
