#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <phobos/passes/chip.h>
#include <phobos/support/limits.h>

using namespace phobos;
using passes::find_chip;
using passes::occupancy;

TEST_CASE("chips are known by name") {
  for (const char* name : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100"}) CHECK(find_chip(name) != nullptr);
  for (const char* name : {"sm_70", "sm_90b", "sm_", "", "sm_9"}) CHECK(find_chip(name) == nullptr);
  CHECK(passes::chip_names() == "sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a and sm_100");
  CHECK_FALSE(find_chip("sm_75")->has_redux());
  CHECK(find_chip("sm_80")->has_redux());
}

TEST_CASE("what checking says that no chip holds is the most that one has") {
  std::int64_t most = 0;
  for (const passes::Chip& chip : passes::chips()) most = std::max<std::int64_t>(most, chip.shared_of_cta);
  CHECK(most == largest_shared);
  CHECK(tile_elements_of_cta(256, 4) == 131072);
  CHECK(tile_elements_of_cta(256, 1) == largest_shared);
}

// Figures as the CUDA occupancy calculator gives them.
TEST_CASE("occupancy follows from threads, registers and shared memory") {
  const passes::Chip& hopper = *find_chip("sm_90a");
  const auto limited = [](const passes::Occupancy& occupancy, int ctas, std::string_view limit) {
    CHECK(occupancy.ctas == ctas);
    CHECK(occupancy.limit == limit);
  };
  limited(occupancy(hopper, 256, 32, 0), 8, "threads");
  CHECK(occupancy(hopper, 256, 32, 0).share == 1.0);
  limited(occupancy(hopper, 32, 32, 0), 32, "ctas");
  CHECK(occupancy(hopper, 32, 32, 0).share == 0.5);
  limited(occupancy(hopper, 256, 33, 0), 6, "registers");    // 40 a thread are given out: 12 warps a quarter
  limited(occupancy(hopper, 128, 168, 0), 3, "registers");
  limited(occupancy(hopper, 1024, 64, 0), 1, "registers");
  limited(occupancy(hopper, 1024, 65, 0), 0, "registers");   // not even one fits
  limited(occupancy(hopper, 128, 32, 48 * 1024), 4, "shared");
  limited(occupancy(hopper, 128, 32, 227 * 1024), 1, "shared");
  limited(occupancy(hopper, 128, 32, 228 * 1024), 0, "shared");
  const passes::Chip& turing = *find_chip("sm_75");
  limited(occupancy(turing, 256, 32, 0), 4, "threads");
  limited(occupancy(turing, 128, 32, 32 * 1024), 2, "shared");
  limited(occupancy(*find_chip("sm_86"), 64, 32, 0), 16, "ctas");
  limited(occupancy(*find_chip("sm_89"), 64, 32, 0), 24, "threads");
}
