// Another name for what stands at a place, wherever the file names it, run lines included. Refused, with words, where the text would
// mean something else afterwards or where that cannot be told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>
#include <phobos/support/result.h>

namespace phobos::ide {

struct Renameable {
  Span span;  // of the file
  std::string name;
};
Result<Renameable> prepare_rename(const File& file, std::uint32_t offset);
// In order, of the file.
Result<std::vector<Edit>> rename(const File& file, std::uint32_t offset, const std::string& name);

}  // namespace phobos::ide
