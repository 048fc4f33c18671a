#include <phobos/tune/estimate.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace phobos::tune {

namespace {

// Of an H200, a multiprocessor: what its units reach in a cycle, and its part of the bandwidths, as measured spaces of variants have them
// (tests/unit/core/tune/h200). Other chips of the same kind have other numbers, and nearly the same order of variants.
constexpr double cycles_of_millisecond = 1.6e6;
constexpr double fma_operations = 256, operations_between = 64;
constexpr double mma_operations = 1950;          // of 16 bits, by mma.sync
constexpr double wgmma_by_warps = 3800;          // by wgmma whose operands the same warps copy
constexpr double wgmma_operations = 2 * 2048 / 1.05;
constexpr double wgmma_share = 48;               // cycles for 64 x 16 of the first operand, to be read from shared memory
constexpr double operations_of_group = 22.6;     // on elements, beside contractions, by 128 threads
constexpr double shared_reads = 85;              // bytes of operands, by warps
constexpr double shared_writes = 250;            // bytes of copies
constexpr double cache_bytes = 71;
constexpr double memory_bytes = 4.2e9 / 132 / cycles_of_millisecond;
constexpr double latency_of_two = 890, latency_of_three = 95;  // of copies, for each turn, where there are so many stages
constexpr double barrier = 306;                  // of a turn, for one CTA
constexpr double start = 2e-3;                   // milliseconds of a launch, and half of it of each further wave of CTAs

double spill_factor(std::int64_t bytes) { return 1 + static_cast<double>(std::min<std::int64_t>(bytes, 4096)) / 190; }

// The longest, and more where others are nearly as long.
double together(std::initializer_list<double> times, double power = 10) {
  const double longest = std::max(times);
  double sum = 0;
  for (const double each : times) sum += std::pow(each / std::max(longest, 1e-9), power);
  return longest * std::pow(sum, 1 / power);
}

// Of all contractions together, those of the size of the largest.
double turns_of(const Load& load) {
  const double of_turn = 2 * static_cast<double>(load.m) * static_cast<double>(load.n) * static_cast<double>(load.k);
  return of_turn > 0 ? load.contractions / of_turn : 0;
}
double stage_latency(const Load& load) { return load.stages <= 2 ? latency_of_two : load.stages == 3 ? latency_of_three : 0; }
double in_milliseconds(const Load& load, double cycles) { return cycles * spill_factor(load.spilled) / cycles_of_millisecond + 2 * start; }

// One contraction: while a team stores its block another multiplies.
double bulk_milliseconds(const Load& load) {
  const auto m = static_cast<double>(load.m), n = static_cast<double>(load.n), k = static_cast<double>(load.k), bytes = (m + n) * k * load.operand_bytes;
  const double scale = load.operand_bytes / 2.0 * load.products;
  const double multiplying = 2 * m * n * k * scale / wgmma_operations;
  const double reading = m / 64 * k / 16 * scale * wgmma_share + bytes / shared_writes;
  const double turn = together({multiplying, reading, bytes / cache_bytes}) + stage_latency(load);
  const double storing = 600 + m * n / load.threads * (load.teams > 1 ? 8 : 28);
  const double ctas = static_cast<double>(load.ctas), blocks = std::ceil(ctas / std::max(1, load.multiprocessors));
  return in_milliseconds(load, blocks * turns_of(load) / ctas * turn + (load.teams > 1 ? 1 : blocks) * storing);
}

// Two contractions and what is between them: one after the other for each group of 128 threads, which overlap.
double chain_milliseconds(const Load& load) {
  constexpr double beside = 300, operations_of_group = 23.8;  // cycles of a turn; operations in one
  const auto m = static_cast<double>(load.m), n = static_cast<double>(load.n), k = static_cast<double>(load.k);
  const double ctas = static_cast<double>(load.ctas), turns = std::max(1.0, turns_of(load) / 2 / ctas), groups = std::max(1, load.threads / 128);
  const double multiplying = 4 * m * n * k * (load.operand_bytes / 2.0) / wgmma_operations;
  const double between = (load.operations - load.contractions) / ctas / turns;
  const double turn = together({multiplying, multiplying / groups + beside + between / groups / operations_of_group, between / operations_of_group / 4,
                                2 * n * k * load.operand_bytes / cache_bytes}) + stage_latency(load);
  // Blocks may differ in what they have to do, so that none waits for the longest.
  return in_milliseconds(load, std::max(1.0, ctas / std::max(1, load.multiprocessors)) * turns * turn);
}

// CTAs in waves, as many on a multiprocessor as it holds.
double wave_milliseconds(const Load& load) {
  const double multiprocessors = std::max(1, load.multiprocessors);
  const double at_once = multiprocessors * std::max(1, load.occupancy.ctas), ctas = static_cast<double>(load.ctas);
  const double waves = std::ceil(ctas / at_once);
  // Of the multiprocessors, how many have work, on average over the waves; with few warps on one, its units wait.
  const double busy = std::min(ctas, waves * at_once) / (waves * at_once);
  const double resident = std::min<double>(load.occupancy.ctas, std::ceil(ctas / multiprocessors));
  const double sharing_warps = load.path == Path::Mma && load.warps > 0 ? load.warps : load.threads / 32.0;
  const double warps = resident * sharing_warps;
  const double hidden = std::min(1.0, 0.42 + warps * 0.053);
  const bool on_tensor_cores = load.path != Path::Plain && load.operand_bytes > 0;
  const double unit = on_tensor_cores ? (load.path == Path::Mma ? mma_operations : wgmma_by_warps) * 2 / load.operand_bytes : fma_operations;
  const double between = (load.operations - load.contractions) / (on_tensor_cores ? operations_of_group : operations_between);
  // Each warp reads both operands of its share of the result, about a square.
  const double share = load.path == Path::Mma ? std::sqrt(static_cast<double>(load.m * load.n) / sharing_warps) : 0;
  const double sharing = share > 0 ? load.contractions * load.operand_bytes / share / shared_reads : 0;
  const double working = together({load.contractions / unit + between, sharing, load.traffic / cache_bytes * 0.82}, 6) / hidden + turns_of(load) * barrier / std::max(1.0, resident);
  const double reading = load.least_bytes / multiprocessors / (memory_bytes * std::min(1.0, hidden + 0.2));
  // Of the last CTAs nothing hides how they begin and how they end.
  const double ends = on_tensor_cores ? 1600 + static_cast<double>(load.m * load.n) / load.threads * 8 : 0;
  return (std::max(working / multiprocessors / busy, reading) * spill_factor(load.spilled) + ends) / cycles_of_millisecond + start * (on_tensor_cores ? 2 : 1) + start * (waves - 1) / 2;
}

}  // namespace

double estimated_milliseconds(const Load& load) {
  if (load.ctas == 0) return start;
  if (load.path == Path::Bulk) return bulk_milliseconds(load);
  return load.path == Path::Chain ? chain_milliseconds(load) : wave_milliseconds(load);
}

}  // namespace phobos::tune
