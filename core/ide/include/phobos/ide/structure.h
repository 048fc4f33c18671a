// How a text is built: what can be folded, and what lies around a place.
#pragma once

#include <cstdint>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct FoldingRange {
  Span span;  // of the file, from the bracket that opens to the one that closes; a run of comments as a whole
  bool comment = false;
};
std::vector<FoldingRange> folding_ranges(const File& file);

// What lies around a place: the word, the expressions, the statements, the blocks, the item, the file; each in the next one.
std::vector<Span> selection_ranges(const File& file, std::uint32_t offset);

}  // namespace phobos::ide
