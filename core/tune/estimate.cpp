#include <phobos/tune/estimate.h>

#include <algorithm>
#include <cmath>

namespace phobos::tune {

namespace {

// Of an H200, a multiprocessor: what its units reach, and its part of the bandwidths, per millisecond. Other chips of the same kind
// have other numbers, and nearly the same order of variants.
constexpr double clock = 1.7e6;
constexpr double fma_operations = 256 * clock;
constexpr double mma_operations = 2 * 1024 * clock;       // of f16, by mma.sync
constexpr double wgmma_operations = 2 * 2048 * clock;
constexpr double memory_bytes = 4.2e9 / 132;
constexpr double cache_bytes = 9e9 / 132;
constexpr double start = 2e-3;  // of a launch, and half of it of each further wave of CTAs

}  // namespace

double estimated_milliseconds(const Load& load) {
  if (load.ctas == 0) return start;
  const double multiprocessors = std::max(1, load.multiprocessors);
  const double at_once = multiprocessors * std::max(1, load.occupancy.ctas), ctas = static_cast<double>(load.ctas);
  const double waves = std::ceil(ctas / at_once);
  // Of the multiprocessors, how many have work, on average over the waves; with few warps on one, its units wait.
  const double busy = std::min(ctas, waves * at_once) / (waves * at_once);
  const double resident = std::min<double>(load.occupancy.ctas, std::ceil(ctas / multiprocessors));
  const double warps = resident * load.threads / 32;
  const double hidden = std::min(1.0, 0.35 + warps / 20);
  double unit = fma_operations;
  if (load.operand_bytes > 0) unit = (load.wgmma ? wgmma_operations : mma_operations) * 2 / load.operand_bytes;
  const double computing = load.operations / (unit * multiprocessors * busy * hidden);
  const double reading = load.least_bytes / (memory_bytes * multiprocessors * std::min(1.0, hidden + 0.2));
  const double exchanging = load.traffic / (cache_bytes * multiprocessors * busy * hidden);
  const double spills = 1 + static_cast<double>(std::min<std::int64_t>(load.spilled, 4096)) / 256;
  return std::max({computing, reading, exchanging}) * spills + start * (1 + (waves - 1) / 2);
}

}  // namespace phobos::tune
