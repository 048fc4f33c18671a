// Kernels of files, run on the simulator with and without checks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <phobos/lower/lower.h>
#include <phobos/session/session.h>
#include <phobos/sim/simulator.h>

#include "measure.h"

namespace phobos::bench {

// A kernel of a file of the tree, with the first choice of each constant; without a name the first one.
inline ir::Kernel kernel_of(const std::string& path, const std::string& name = "") {
  std::ifstream file(std::string(PHOBOS_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  session::Session session(text.str());
  const auto snapshot = session.snapshot();
  for (const session::ItemView& view : snapshot->items()) {
    if (view.item().form != syntax::Item::Form::Kernel) continue;
    Result<ir::Kernel> kernel = lower::lower(view.analysis->checked, view.analysis->kinds, {view.origins});
    if (kernel && (name.empty() || kernel->name == name)) return std::move(*kernel);
  }
  fmt::print("{} {} cannot be lowered\n", path, name);
  std::exit(1);
}

// Milliseconds of the fastest run without checks and with them, in turns; tensors hold bytes of 1. Of one worker the time that it had
// a core, of several the time by the clock.
inline std::array<double, 2> fastest(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions,
                                     std::array<std::int64_t, 3> grid, double seconds, int workers = 1) {
  std::vector<std::vector<std::byte>> memory;
  sim::Launch launch;
  launch.grid = grid;
  launch.dimensions = dimensions;
  for (const ir::Parameter& parameter : kernel.parameters) {
    if (!parameter.type.is_buffer()) {
      launch.arguments.emplace_back(1.0);
      continue;
    }
    sim::Tensor tensor;
    std::int64_t count = size_of(parameter.type.element);
    for (const std::int64_t extent : parameter.type.shape) {
      tensor.shape.push_back(ir::is_dynamic(extent) ? dimensions[ir::dimension_of(extent)] : extent);
      count *= tensor.shape.back();
    }
    memory.emplace_back(static_cast<std::size_t>(count), std::byte{1});
    tensor.data = memory.back().data();
    launch.arguments.emplace_back(std::move(tensor));
  }
  sim::Options options;
  options.workers = workers;
  std::array<double, 2> best{1e9, 1e9};
  const auto begin = Clock::now();
  do
    for (const bool checks : {false, true}) {
      options.checks = checks;
      const double start = worked();
      const auto by_clock = Clock::now();
      for (const diag::Diagnostic& finding : sim::run(kernel, launch, options).findings) fmt::print("{}\n", finding.message);
      best[checks] = std::min(best[checks], workers == 1 ? worked() - start : milliseconds_since(by_clock));
    }
  while (milliseconds_since(begin) < 1e3 * seconds);
  return best;
}

}  // namespace phobos::bench
