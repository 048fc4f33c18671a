#include <phobos/passes/chip.h>

#include <cstdlib>

namespace phobos::passes {

Chip chip_named(const std::string& name) {
  Chip chip;
  chip.name = name;
  chip.generation = name.starts_with("sm_") ? std::atoi(name.c_str() + 3) : 0;
  constexpr std::int64_t kilobyte = 1024;
  struct Row {
    int generation;
    std::int64_t limit, total;
  };
  static constexpr Row rows[] = {{75, 64, 64},   {80, 163, 164}, {86, 99, 100},  {87, 163, 164}, {89, 99, 100},
                                 {90, 227, 228}, {100, 227, 228}, {103, 227, 228}, {120, 99, 100}};
  chip.shared_limit = chip.shared_total = 64 * kilobyte;
  for (const Row& row : rows)
    if (chip.generation >= row.generation) {
      chip.shared_limit = row.limit * kilobyte;
      chip.shared_total = row.total * kilobyte;
    }
  return chip;
}

}  // namespace phobos::passes
