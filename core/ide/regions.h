// Which elements of its tensors a part of the grid accesses, by following the integers of a checked kernel as progressions.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/hierarchy.h>

namespace phobos::ide {

// Who runs it. Fields without a value are not known.
struct Runners {
  std::array<std::optional<Progression>, 3> block, blocks;
  std::int64_t threads = 256;
  Progression thread, lane, warp;
};

struct FoundAccess {
  Location location;
  sema::LocalId tensor;
  bool store = false, by_cta = false, atomic = false;
  bool flat = false;  // at a row-major position: there is one axis
  Hierarchy::Access::Reached reached = Hierarchy::Access::Reached::Yes;
  // One an axis; none where it is not known.
  std::vector<std::optional<Progression>> starts;
  std::vector<std::int64_t> lengths;
};

struct Found {
  std::vector<FoundAccess> accesses;  // in the order of the source
  std::array<bool, 3> block{};        // the axes of `ctx.block` that are read, other than to be printed
  bool blocks = false;                // `ctx.blocks` is
};

// `dimensions`: by name.
Found accesses_of(const sema::CheckedItem& item, const Runners& runners, const std::map<std::string, std::int64_t>& dimensions);

}  // namespace phobos::ide
