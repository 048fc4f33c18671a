#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include <phobos/tune/estimate.h>
#include <phobos/tune/search.h>

using namespace phobos;
using namespace phobos::tune;

namespace {

// Times that are a function of the values; what is asked for is written down.
class Model : public Variants {
 public:
  Model(const Space& space, std::function<double(const std::vector<std::int64_t>&)> time) : space_(space), time_(std::move(time)) {}

  Built foresee(const Point& point, std::stop_token) override {
    const std::vector<std::int64_t> values = space_.values(point);
    if (foresees_refusal && refuses && refuses(values)) return {"too much shared memory", 0};
    return {"", estimate ? estimate(values) : 1.0};
  }
  Built build(const Point& point, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    CHECK(++builds_[point] == 1);
    const std::vector<std::int64_t> values = space_.values(point);
    if (refuses && refuses(values)) return {"too much shared memory", 0};
    return {"", estimate ? estimate(values) : 1.0};
  }
  void rehearse(const Point& point, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    CHECK(builds_.contains(point));
    CHECK(rehearsed_.insert(point).second);
  }
  std::string check(const Point& point) override {
    {
      const std::lock_guard lock(mutex_);
      CHECK(rehearsed_.contains(point));
    }
    checked_.insert(point);
    return wrong && wrong(space_.values(point)) ? "element [0] is 1, not 2" : "";
  }
  Result<std::vector<double>> time(const Point& point, int repeats) override {
    CHECK(checked_.contains(point));  // nothing is timed that was not checked
    ++timed[point];
    if (before_timing) before_timing();
    if (fails && fails(space_.values(point))) return Error{"it did not end"};
    return std::vector<double>(static_cast<std::size_t>(repeats), time_(space_.values(point)));
  }
  void drop(const Point& point) override {
    const std::lock_guard lock(mutex_);
    CHECK(builds_.erase(point) == 1);
  }

  std::function<bool(const std::vector<std::int64_t>&)> refuses, wrong, fails;
  std::function<double(const std::vector<std::int64_t>&)> estimate;
  std::function<void()> before_timing;
  bool foresees_refusal = false;
  std::map<Point, int> timed;

 private:
  const Space& space_;
  std::function<double(const std::vector<std::int64_t>&)> time_;
  std::mutex mutex_;
  std::map<Point, int> builds_;
  std::set<Point> checked_, rehearsed_;
};

Space powers(std::size_t axes, std::size_t values) {
  Space space;
  for (std::size_t a = 0; a < axes; ++a) {
    Axis axis{std::string(1, static_cast<char>('A' + a)), {}};
    for (std::size_t i = 0; i < values; ++i) axis.values.push_back(std::int64_t{8} << i);
    space.axes.push_back(std::move(axis));
  }
  return space;
}

double best_of_all(const Space& space, const std::function<double(const std::vector<std::int64_t>&)>& time) {
  double best = 1e30;
  Point point(space.axes.size(), 0);
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::size_t rest = i;
    for (std::size_t a = 0; a < point.size(); ++a) {
      point[a] = rest % space.axes[a].values.size();
      rest /= space.axes[a].values.size();
    }
    best = std::min(best, time(space.values(point)));
  }
  return best;
}

// As a tiled product has it: a valley that runs across two axes, and a cliff where no more fits.
double valley(const std::vector<std::int64_t>& v) {
  const auto octave = [](std::int64_t x) { return std::log2(static_cast<double>(x)); };
  const double area = octave(v[0]) + octave(v[1]) - 13, shape = octave(v[0]) - octave(v[1]) - 1, depth = octave(v[2]) - 5;
  return 1 + 0.08 * area * area + 0.05 * shape * shape + 0.06 * depth * depth + (area > 1.5 ? 2 : 0);
}

}  // namespace

TEST_CASE("a small space is timed whole") {
  const Space space = powers(2, 3);
  const auto time = [](const std::vector<std::int64_t>& v) { return static_cast<double>(v[0] * 100 + v[1]); };
  Model model(space, time);
  const SearchResult result = search(space, model, {});
  REQUIRE(result.best);
  CHECK(result.best->milliseconds == 808);
  CHECK(result.trials.size() == 9);
  CHECK(result.trials.front().point == Point{0, 0});
  CHECK(!result.stopped);
}

TEST_CASE("a large space is not, and what wins is near the best") {
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    Space space = powers(4, 6);  // 1296 points; the last axis changes nothing
    Model model(space, valley);
    model.refuses = [](const std::vector<std::int64_t>& v) { return v[0] * v[1] > 128 * 256; };
    SearchOptions options;
    options.most_timed = space.size() / 10;
    options.seed = seed;
    options.builders = 3;
    const SearchResult result = search(space, model, options);
    REQUIRE(result.best);
    CHECK(result.best->milliseconds <= 1.02 * best_of_all(space, valley));
    CHECK(model.timed.size() <= options.most_timed);
  }
}

TEST_CASE("which points are looked at does not depend on how fast they are built") {
  const Space space = powers(3, 6);
  std::vector<std::vector<Point>> orders;
  for (const int builders : {1, 2, 7}) {
    Model model(space, valley);
    model.estimate = [](const std::vector<std::int64_t>& v) { return valley(v) * (v[0] > v[1] ? 1.5 : 1); };
    SearchOptions options;
    options.builders = builders;
    std::vector<Point>& order = orders.emplace_back();
    for (const Trial& trial : search(space, model, options).trials) order.push_back(trial.point);
  }
  CHECK(orders[0] == orders[1]);
  CHECK(orders[0] == orders[2]);
}

TEST_CASE("an estimate that knows something helps") {
  const Space space = powers(4, 6);
  const double best = best_of_all(space, valley);
  Model model(space, valley);
  model.estimate = [](const std::vector<std::int64_t>& v) { return 7 * valley(v) * (v[1] >= 64 ? 1.3 : 1); };  // off, and not everywhere alike
  SearchOptions options;
  options.most_timed = 24;
  const SearchResult result = search(space, model, options);
  REQUIRE(result.best);
  CHECK(result.best->milliseconds <= 1.02 * best);
}

TEST_CASE("what is wrong or refused does not win") {
  const Space space = powers(2, 4);
  const auto time = [](const std::vector<std::int64_t>& v) { return static_cast<double>(v[0] + v[1]); };
  Model model(space, time);
  model.refuses = [](const std::vector<std::int64_t>& v) { return v[0] == 8; };
  model.wrong = [](const std::vector<std::int64_t>& v) { return v[1] == 8; };
  const SearchResult result = search(space, model, {});
  REQUIRE(result.best);
  CHECK(space.values(result.best->point) == std::vector<std::int64_t>{16, 16});
  std::size_t refused = 0, wrong = 0;
  for (const Trial& trial : result.trials) {
    refused += trial.outcome == Trial::Outcome::Refused;
    wrong += trial.outcome == Trial::Outcome::Wrong;
    if (trial.outcome != Trial::Outcome::Timed) CHECK(!trial.why.empty());
  }
  CHECK(refused == 4);
  CHECK(wrong == 3);
  CHECK(model.timed.size() == 9);
}

TEST_CASE("what does not run to its end is no winner, and the search goes on behind it") {
  const Space space = powers(1, 5);
  Model model(space, [](const std::vector<std::int64_t>& v) { return static_cast<double>(v[0]); });
  model.fails = [](const std::vector<std::int64_t>& v) { return v[0] < 32; };
  const SearchResult result = search(space, model, {});
  REQUIRE(result.best);
  CHECK(space.values(result.best->point)[0] == 32);
  CHECK(result.trials[0].outcome == Trial::Outcome::Failed);
  CHECK(result.trials[0].why == "it did not end");
}

TEST_CASE("where nothing can be timed there is no best") {
  const Space space = powers(3, 6);
  Model model(space, valley);
  model.refuses = [](const std::vector<std::int64_t>&) { return true; };
  const SearchResult result = search(space, model, {});
  CHECK(!result.best);
  CHECK(!result.trials.empty());
}

TEST_CASE("what is foreseen not to fit is never built") {
  const Space space = powers(3, 6);
  Model model(space, valley);
  model.foresees_refusal = true;
  model.refuses = [](const std::vector<std::int64_t>& v) { return v[0] * v[1] > 64 * 64; };
  const SearchResult result = search(space, model, {});
  REQUIRE(result.best);
  for (const Trial& trial : result.trials) CHECK(trial.outcome == Trial::Outcome::Timed);

  Model none(space, valley);
  none.foresees_refusal = true;
  none.refuses = [](const std::vector<std::int64_t>&) { return true; };
  const SearchResult refused = search(space, none, {});
  CHECK(!refused.best);
  REQUIRE(!refused.trials.empty());
  CHECK(refused.trials[0].why == "too much shared memory");
}

TEST_CASE("of a space that is too large to be foreseen whole the fastest is found by steps") {
  const Space space = powers(6, 6);  // 46,656 points; three axes change nothing
  const double best = best_of_all(powers(3, 6), valley);
  for (const std::uint64_t seed : {0, 1, 2}) {
    Model model(space, valley);
    model.estimate = [](const std::vector<std::int64_t>& v) { return 3 * valley(v) + 0.001 * static_cast<double>(v[3]); };
    SearchOptions options;
    options.most_timed = 60;
    options.seed = seed;
    const SearchResult result = search(space, model, options);
    REQUIRE(result.best);
    CHECK(result.best->milliseconds <= 1.02 * best);
  }
}

TEST_CASE("a search ends where nothing promises to be faster") {
  const Space space = powers(3, 6);
  Model model(space, valley);
  model.estimate = [](const std::vector<std::int64_t>& v) { return 3 * valley(v); };
  SearchOptions options;
  options.most_timed = 100;
  const SearchResult result = search(space, model, options);
  REQUIRE(result.best);
  CHECK(result.best->milliseconds == best_of_all(space, valley));
  CHECK(model.timed.size() < 20);
}

TEST_CASE("what is far behind by its estimate is not timed, but where all are wanted") {
  const Space space = powers(1, 8);
  const auto time = [](const std::vector<std::int64_t>& v) { return 2000.0 - static_cast<double>(v[0]); };  // unlike the estimate
  for (const double prune : {4.0, 0.0}) {
    Model model(space, time);
    model.estimate = [](const std::vector<std::int64_t>& v) { return static_cast<double>(v[0]); };
    SearchOptions options;
    options.prune = prune;
    const SearchResult result = search(space, model, options);
    REQUIRE(result.best);
    CHECK(space.values(result.best->point)[0] == (prune > 0 ? 32 : 1024));
    CHECK(model.timed.size() == (prune > 0 ? 3 : 8));
  }
}

TEST_CASE("only what is near the best, or short, is timed at length") {
  const Space space = powers(1, 8);
  for (const double estimate : {1.0, 1000.0}) {
    Model model(space, [](const std::vector<std::int64_t>& v) { return static_cast<double>(v[0]); });
    model.estimate = [&](const std::vector<std::int64_t>&) { return estimate; };
    const SearchResult result = search(space, model, {});
    for (const Trial& trial : result.trials) CHECK(trial.repeats == (trial.point[0] == 0 || estimate == 1 ? 20 : 3));
  }
}

TEST_CASE("a search that was stopped goes on where it was") {
  const Space space = powers(2, 3);
  const auto time = [](const std::vector<std::int64_t>& v) { return static_cast<double>(10000 - v[0] * 100 - v[1]); };
  std::stop_source stop;
  SearchOptions options;
  options.stop = stop.get_token();
  Model first(space, time);
  int left = 7;
  first.before_timing = [&] {
    if (--left == 0) stop.request_stop();
  };
  const SearchResult half = search(space, first, options);
  CHECK(half.stopped);
  REQUIRE(half.trials.size() < 9);
  REQUIRE(!half.trials.empty());

  SearchOptions again;
  again.known = half.trials;
  Model second(space, time);
  std::size_t told = 0;
  again.told = [&](const Progress& progress) {
    ++told;
    CHECK(progress.looked_at == half.trials.size() + told);
    CHECK(progress.best != nullptr);
  };
  const SearchResult whole = search(space, second, again);
  CHECK(whole.trials.size() == 9);
  CHECK(told == 9 - half.trials.size());
  REQUIRE(whole.best);
  CHECK(space.values(whole.best->point) == std::vector<std::int64_t>{32, 32});
}

TEST_CASE("a stop ends a wait for what is being built") {
  const Space space = powers(1, 2);
  struct Endless : Variants {
    std::stop_source& source;
    explicit Endless(std::stop_source& s) : source(s) {}
    Built foresee(const Point&, std::stop_token) override { return {}; }
    Built build(const Point&, std::stop_token stop) override {
      source.request_stop();
      while (!stop.stop_requested()) std::this_thread::yield();
      return {};
    }
    void rehearse(const Point&, std::stop_token) override {}
    std::string check(const Point&) override { return "not to be reached"; }
    Result<std::vector<double>> time(const Point&, int) override { return Error{"not to be reached"}; }
    void drop(const Point&) override {}
  };
  std::stop_source stop;
  SearchOptions options;
  options.stop = stop.get_token();
  Endless endless(stop);
  const SearchResult result = search(space, endless, options);
  CHECK(result.stopped);
  CHECK(result.trials.empty());
}

TEST_CASE("the estimate knows what costs time") {
  Load load;
  load.operations = 1e12;
  load.least_bytes = 1e8;
  load.traffic = 1e9;
  load.ctas = 1024;
  load.occupancy.ctas = 4;
  const double base = estimated_milliseconds(load);
  const auto with = [&](auto change) {
    Load other = load;
    change(other);
    return estimated_milliseconds(other);
  };
  CHECK(base > 0);
  const auto contracts = [](Load& l, Path path) { l.contractions = l.operations, l.operand_bytes = 2, l.m = 128, l.n = 128, l.k = 64, l.stages = 4, l.path = path; };
  const auto by = [&](Path path) { return with([&](Load& l) { contracts(l, path); }); };
  CHECK(by(Path::Mma) < base);
  CHECK(by(Path::Groups) < by(Path::Mma));
  CHECK(by(Path::Bulk) < by(Path::Groups));
  CHECK(with([&](Load& l) { contracts(l, Path::Bulk), l.teams = 2; }) < by(Path::Bulk));  // one team stores while the other multiplies
  CHECK(with([&](Load& l) { contracts(l, Path::Bulk), l.stages = 2; }) > by(Path::Bulk));
  CHECK(with([&](Load& l) { contracts(l, Path::Bulk), l.n = 32; }) > by(Path::Bulk));
  CHECK(with([](Load& l) { l.spilled = 512; }) > base);
  CHECK(with([](Load& l) { l.occupancy.ctas = 1, l.threads = 64; }) > base);
  CHECK(with([](Load& l) { l.ctas = 20; }) > base);
  CHECK(with([](Load& l) { l.traffic = 1e13; }) > base);
}
