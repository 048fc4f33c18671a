// What became of a kernel: what it takes of a chip, and which way each of its operations went, and why not a faster one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <phobos/ir/ir.h>
#include <phobos/nvptx/nvptx.h>
#include <phobos/support/result.h>

#include "output.h"
#include "source.h"

namespace phobos::cli {

// As ptxas counts them; bytes of a thread.
struct Resources {
  int registers = 0;
  std::int64_t spill_stores = 0, spill_loads = 0, stack = 0;
};
// From what `ptxas -v` prints of that entry; nothing where that is not to be read.
std::optional<Resources> read_resources(std::string_view log, std::string_view entry);

struct Report {
  std::string kernel;
  const passes::Chip* chip = nullptr;
  int threads = 0;
  std::vector<std::pair<std::string, std::int64_t>> constants;
  std::string chosen_by;  // those: `cost`, `default` or `given`; empty where there are none
  std::uint32_t shared_bytes = 0, dynamic_shared_bytes = 0;
  std::optional<Resources> resources;
  std::string resources_missing;  // why there are none
  passes::Occupancy occupancy;     // without regard to registers where they are not known
  struct Bulk {  // the entry for bulk copies
    nvptx::Compiled::Bulk entry;
    std::optional<Resources> resources;
  };
  std::optional<Bulk> bulk;
  std::vector<ir::Decision> decisions;
};
// `ptxas`: its path, where it is installed. An error: it refuses the PTX.
Result<Report> make_report(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const std::string& chip, const std::optional<std::string>& ptxas);
Json report_json(const Source& source, const Report& report);
std::string report_text(const Source& source, const Report& report);

}  // namespace phobos::cli
