// The model and the search, held against what an exhaustive search measured on a card.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <phobos/launch/generator.h>

#include "recorded.h"

using namespace phobos;
using namespace phobos::tune;
using phobos::launch::random_word;

namespace {

class Replayed : public Variants {
 public:
  // `off`: by how much each estimate is wrong, in its own way, at random; and by what factor those of the fastest path are.
  explicit Replayed(const Recorded& recorded, double off = 0, double of_path = 1, std::uint64_t seed = 0) : recorded_(recorded), off_(off), of_path_(of_path), seed_(seed) {}

  Built foresee(const Point& point, std::stop_token) override { return look(point); }
  Built build(const Point& point, std::stop_token) override { return look(point); }
  void rehearse(const Point&, std::stop_token) override {}
  std::string check(const Point&) override { return {}; }
  Result<std::vector<double>> time(const Point& point, int repeats) override {
    return std::vector<double>(static_cast<std::size_t>(repeats), recorded_.milliseconds.at(recorded_.space.values(point)));
  }
  void drop(const Point&) override {}

 private:
  Built look(const Point& point) const {
    const auto load = recorded_.loads.find(recorded_.space.values(point));
    if (load == recorded_.loads.end()) return {"it does not fit", 0};
    const bool fastest_path = load->second.path == Path::Bulk || load->second.path == Path::Chain;
    std::uint64_t number = seed_;
    for (const std::size_t each : point) number = random_word(number, each);
    const double chance = static_cast<double>(number >> 11) * 0x1p-53 * 2 - 1;
    return {"", estimated_milliseconds(load->second) * std::exp(off_ * chance) * (fastest_path ? of_path_ : 1)};
  }
  const Recorded& recorded_;
  const double off_, of_path_;
  const std::uint64_t seed_;
};

double best_of(const Recorded& recorded) {
  double best = 1e30;
  for (const auto& [values, milliseconds] : recorded.milliseconds) best = std::min(best, milliseconds);
  return best;
}

}  // namespace

TEST_CASE("what is searched for is found by few measurements") {
  for (const char* name : {"gemm", "attention"}) {
    const Recorded all = recorded(name);
    REQUIRE(all.milliseconds.size() == all.space.size());
    for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
      Replayed replayed(all);
      SearchOptions options;
      options.seed = seed;
      const SearchResult result = search(all.space, replayed, options);
      REQUIRE(result.best);
      const auto timed = std::count_if(result.trials.begin(), result.trials.end(), [](const Trial& each) { return each.outcome == Trial::Outcome::Timed; });
      CHECK_MESSAGE(result.best->milliseconds <= 1.02 * best_of(all), name);
      CHECK_MESSAGE(timed <= 12, name);
    }
  }
}

TEST_CASE("a search finds it where estimates are off as well") {
  for (const char* name : {"gemm", "attention"}) {
    const Recorded all = recorded(name);
    for (const auto& [off, of_path] : {std::pair{0.15, 1.0}, std::pair{0.0, 1.5}, std::pair{0.0, 0.5}, std::pair{0.1, 1.3}})
      for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
        Replayed replayed(all, off, of_path, seed);
        SearchOptions options;
        options.seed = seed;
        const SearchResult result = search(all.space, replayed, options);
        REQUIRE(result.best);
        const auto timed = std::count_if(result.trials.begin(), result.trials.end(), [](const Trial& each) { return each.outcome == Trial::Outcome::Timed; });
        CHECK_MESSAGE(result.best->milliseconds <= 1.02 * best_of(all), name);
        CHECK_MESSAGE(timed <= 24, name);
      }
  }
}

TEST_CASE("what the model chooses without a measurement is nearly as fast") {
  for (const auto& [name, times_the_best] : {std::pair{"gemm", 1.03}, std::pair{"attention", 1.03}}) {
    const Recorded all = recorded(name);
    const auto chosen = std::min_element(all.loads.begin(), all.loads.end(), [](const auto& a, const auto& b) { return estimated_milliseconds(a.second) < estimated_milliseconds(b.second); });
    REQUIRE(chosen != all.loads.end());
    CHECK_MESSAGE(all.milliseconds.at(chosen->first) <= times_the_best * best_of(all), name);
    // The order of all of them, of which the first tenth counts: what is among the fastest is foreseen so.
    std::vector<std::pair<double, double>> order;
    for (const auto& [values, load] : all.loads) order.emplace_back(estimated_milliseconds(load), all.milliseconds.at(values));
    std::sort(order.begin(), order.end());
    const auto nearly = std::count_if(order.begin(), order.begin() + 12, [&](const auto& each) { return each.second <= 1.5 * best_of(all); });
    CHECK_MESSAGE(nearly >= 8, name);
  }
}

// PHOBOS_SHOW_LOADS=gemm: the table that the model is fitted to.
TEST_CASE("the loads of what was recorded") {
  const char* name = std::getenv("PHOBOS_SHOW_LOADS");
  if (name == nullptr) return;
  const Recorded all = recorded(name);
  for (const auto& [values, load] : all.loads) {
    for (const std::int64_t value : values) std::printf("%lld ", static_cast<long long>(value));
    std::printf("ms %.4f estimate %.4f path %d ctas %lld occ %d spilled %lld mnk %lld %lld %lld stages %lld teams %d traffic %.3g ops %.4g contractions %.4g threads %d\n", all.milliseconds.at(values), estimated_milliseconds(load),
                static_cast<int>(load.path), static_cast<long long>(load.ctas), load.occupancy.ctas, static_cast<long long>(load.spilled), static_cast<long long>(load.m), static_cast<long long>(load.n),
                static_cast<long long>(load.k), static_cast<long long>(load.stages), load.teams, load.traffic, load.operations, load.contractions, load.threads);
  }
}
