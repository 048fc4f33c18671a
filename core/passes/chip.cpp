#include <phobos/passes/chip.h>

#include <algorithm>
#include <array>

namespace phobos::passes {

namespace {

constexpr int kb = 1024;
constexpr Chip table[] = {
    {"sm_75", 75, "+ptx80", 32, 16, 64 * kb, 64 * kb, 0, 256},
    {"sm_80", 80, "+ptx80", 64, 32, 164 * kb, 163 * kb, kb, 128},
    {"sm_86", 86, "+ptx80", 48, 16, 100 * kb, 99 * kb, kb, 128},
    {"sm_87", 87, "+ptx80", 48, 16, 164 * kb, 163 * kb, kb, 128},
    {"sm_89", 89, "+ptx80", 48, 24, 100 * kb, 99 * kb, kb, 128},
    {"sm_90", 90, "+ptx80", 64, 32, 228 * kb, 227 * kb, kb, 128},
    {"sm_90a", 90, "+ptx87", 64, 32, 228 * kb, 227 * kb, kb, 128},
    {"sm_100", 100, "+ptx87", 64, 32, 228 * kb, 227 * kb, kb, 128},
};

constexpr std::int64_t round_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::span<const Chip> chips() { return table; }

const Chip* find_chip(std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const Chip& chip) { return chip.name == name; });
  return found == std::end(table) ? nullptr : found;
}

const Chip& chip_named(std::string_view name) {
  const Chip* found = find_chip(name);
  return found ? *found : table[0];
}

std::string chip_names() {
  std::string names;
  for (const Chip& chip : table)
    names.append(names.empty() ? "" : &chip == std::end(table) - 1 ? " and " : ", ").append(chip.name);
  return names;
}

Occupancy occupancy(const Chip& chip, int threads, int registers, std::int64_t shared_bytes) {
  const std::int64_t warps = (threads + 31) / 32;
  const std::int64_t of_warp = round_up(std::int64_t{std::max(registers, 1)} * 32, Chip::register_granule);
  // Warps are given their registers four at a time, one for each quarter of the multiprocessor.
  const std::int64_t warps_by_registers = Chip::registers / 4 / of_warp * 4;
  const std::int64_t shared = round_up(shared_bytes + chip.shared_reserved, chip.shared_granule);
  struct Limit {
    std::int64_t ctas;
    std::string_view name;
  };
  const std::array<Limit, 4> limits = {{{chip.warps / warps, "threads"},
                                        {chip.ctas, "ctas"},
                                        {registers > Chip::registers_of_thread ? 0 : warps_by_registers / warps, "registers"},
                                        {shared == 0 ? chip.ctas : shared_bytes > chip.shared_of_cta ? 0 : chip.shared / shared, "shared"}}};
  const Limit least = *std::min_element(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) { return a.ctas < b.ctas; });
  Occupancy occupancy;
  occupancy.ctas = static_cast<int>(least.ctas);
  occupancy.warps = static_cast<int>(least.ctas * warps);
  occupancy.share = static_cast<double>(occupancy.warps) / chip.warps;
  occupancy.limit = least.name;
  return occupancy;
}

}  // namespace phobos::passes
