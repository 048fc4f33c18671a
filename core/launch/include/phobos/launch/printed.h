// Lines that a kernel prints: how they are tagged, and what a device's printf has written brought into the simulator's form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/sim/told.h>

namespace phobos::launch {

struct Printout {
  std::vector<sim::Printed> lines;
  std::int64_t left_out = 0;  // of `print`s, past the most that are kept
};

// `lane 5`, `lanes 0-3, 7`; of a CTA of several warps `warp 1 lane 5`, `warps 0-7 lane 0`, `warp 3`. Nothing for all threads.
std::string lanes_text(const std::vector<int>& threads, int all_threads);

// `block (0, 0, 0) lane 5: x = 3.5`.
std::string line_text(const sim::Printed& line, int all_threads);

bool prints(const ir::Kernel& kernel);

// Lines of printf, `file:line: block (x, y, z) warp w lane l: text`. By block; in each in the order in which they came. What threads
// of a CTA have told alike at one place, each for the n-th time, is one line.
Printout read_printed(const std::vector<std::string_view>& lines, const ir::Kernel& kernel, const std::string& file,
                      const std::string& source, std::size_t most);

// What is written to standard output while this lives, which is how a driver tells what a kernel has printed.
class Capture {
 public:
  Capture();
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  std::string take();  // and no further

 private:
  int file_ = -1, output_ = -1;
};

}  // namespace phobos::launch
