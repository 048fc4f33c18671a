#include <phobos/tune/search.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "builders.h"

namespace phobos::tune {

namespace {

constexpr double helps = 0.998;       // times the best: what counts as faster
constexpr std::size_t finalists = 3;
constexpr double close = 1.05;        // times the best: who is timed again in the end

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// The same numbers on every machine.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Search {
 public:
  Search(const Space& space, Variants& variants, const SearchOptions& options)
      : space_(space), variants_(variants), options_(options), builders_(variants, options.builders, options.stop) {
    for (const Axis& axis : space.axes) {  // each axis by size, since what is near is likely to be as fast
      std::vector<std::size_t> order(axis.values.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return axis.values[a] < axis.values[b]; });
      by_size_.push_back(std::move(order));
    }
    constexpr std::size_t least = 16;
    to_time_ = options.most_timed != 0 ? options.most_timed : std::max(least, space.size() / 10);
    to_time_ = std::min(to_time_, space.size());
    for (const Trial& known : options.known) remember(known);
  }

  SearchResult run() {
    if (space_.size() <= to_time_) all();
    else part();
    if (!stopped()) play_off();
    SearchResult result;
    result.stopped = stopped();
    if (best_) result.best = trials_[*best_];
    result.trials = std::move(trials_);
    return result;
  }

 private:
  bool stopped() const { return options_.stop.stop_requested(); }
  bool spent() const { return stopped() || timed_ >= to_time_; }

  void remember(const Trial& trial) {
    if (trial.point.size() != space_.axes.size() || !known_.try_emplace(trial.point, trials_.size()).second) return;
    trials_.push_back(trial);
    if (trial.outcome != Trial::Outcome::Timed) return;
    ++timed_;
    if (!best_ || trial.milliseconds < trials_[*best_].milliseconds) best_ = trials_.size() - 1;
  }

  // Milliseconds; infinite where it was not timed, none where the search has ended.
  std::optional<double> look_at(const Point& point) {
    if (const auto known = known_.find(point); known != known_.end()) {
      const Trial& trial = trials_[known->second];
      return trial.outcome == Trial::Outcome::Timed ? trial.milliseconds : std::numeric_limits<double>::infinity();
    }
    if (spent()) return std::nullopt;
    const std::optional<Built> built = builders_.wait(point);
    if (!built || stopped()) return std::nullopt;
    const std::optional<Trial> trial = try_out(point, *built);
    if (!trial) return std::nullopt;
    remember(*trial);
    const bool contender = trial->outcome == Trial::Outcome::Timed && trial->milliseconds <= trials_[*best_].milliseconds * close;
    if (!contender) variants_.drop(point);
    tell(trials_.back());
    return trial->outcome == Trial::Outcome::Timed ? trial->milliseconds : std::numeric_limits<double>::infinity();
  }

  std::optional<Trial> try_out(const Point& point, const Built& built) {
    using enum Trial::Outcome;
    Trial trial{point, Timed, {}, 0, built.estimate, 0};
    const auto ended = [&](Trial::Outcome outcome, std::string why) {
      trial.outcome = outcome;
      trial.why = std::move(why);
      return trial;
    };
    if (!built.refused.empty()) return ended(Refused, built.refused);
    if (lowest_estimate_ == 0 || built.estimate < lowest_estimate_) lowest_estimate_ = built.estimate;
    if (options_.prune > 0 && built.estimate > options_.prune * lowest_estimate_) return ended(Slow, "its estimate is far behind that of others");
    checked_.insert(point);
    if (std::string wrong = variants_.check(point); !wrong.empty()) return stopped() ? std::nullopt : std::optional(ended(Wrong, std::move(wrong)));
    if (stopped()) return std::nullopt;
    Result<std::vector<double>> times = variants_.time(point, options_.quick_repeats);
    trial.repeats = options_.quick_repeats;
    const auto usable = [&] { return times && !times->empty(); };
    if (usable() && options_.repeats > options_.quick_repeats && (!best_ || median(*times) < trials_[*best_].milliseconds * options_.near)) {
      times = variants_.time(point, options_.repeats);
      trial.repeats = options_.repeats;
    }
    if (stopped() && !usable()) return std::nullopt;
    if (!usable()) return ended(Failed, times ? "it was not timed" : times.message());
    trial.milliseconds = median(std::move(*times));
    return trial;
  }

  void tell(const Trial& latest) {
    if (!options_.told) return;
    options_.told({space_.size(), trials_.size(), timed_, to_time_, &latest, best_ ? &trials_[*best_] : nullptr});
  }

  // The points of a small space, the default first.
  void all() {
    std::vector<Point> points;
    for (std::size_t i = 0; i < space_.size(); ++i) points.push_back(numbered(i));
    for (const Point& point : points) builders_.ask(point);
    for (const Point& point : points) look_at(point);
  }

  Point numbered(std::size_t number) const {
    Point point;
    for (const Axis& axis : space_.axes) {
      point.push_back(number % axis.values.size());
      number /= axis.values.size();
    }
    return point;
  }

  // Points that are spread over the space: each axis is walked evenly, in an order of its own.
  std::vector<Point> sample(std::size_t count) {
    std::vector<Point> points;
    for (std::size_t tries = 0; points.size() < count && tries < 20 * count; ++tries) {
      Point point;
      for (std::size_t a = 0; a < space_.axes.size(); ++a) {
        const std::size_t values = space_.axes[a].values.size();
        const std::uint64_t round = sampled_ / values;
        point.push_back((sampled_ + mixed(options_.seed * 1000003 + a * 65537 + round)) % values);
      }
      ++sampled_;
      if (known_.contains(point) || !seen_.insert(point).second) continue;
      points.push_back(std::move(point));
    }
    return points;
  }

  // Where to begin: the sampled points by their estimates. They are built side by side.
  std::optional<std::vector<Point>> starts() {
    constexpr std::size_t most = 16, kept = 2;
    const std::size_t count = std::min({std::max<std::size_t>(8, 4 * space_.axes.size()), std::max<std::size_t>(2, to_time_ / 2), most});
    std::vector<Point> points = sample(count);
    for (const Point& point : points) builders_.ask(point);
    std::vector<std::pair<double, Point>> ranked;
    for (Point& point : points) {
      const std::optional<Built> built = builders_.wait(point);
      if (!built) return std::nullopt;
      if (!built->refused.empty()) continue;
      ranked.emplace_back(built->estimate, std::move(point));
      if (lowest_estimate_ == 0 || built->estimate < lowest_estimate_) lowest_estimate_ = built->estimate;
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Point> result;
    for (auto& [estimate, point] : ranked) {
      if (result.size() < kept) {
        result.push_back(std::move(point));
      } else {
        variants_.drop(point);
        builders_.forget(point);
      }
    }
    return result;
  }

  void part() {
    const Point first(space_.axes.size(), 0);
    builders_.ask(first);
    look_at(first);
    if (best_) descend(trials_[*best_].point);
    while (!spent()) {
      std::optional<std::vector<Point>> begins = starts();
      if (!begins || (begins->empty() && sample(1).empty())) return;
      std::optional<std::pair<double, Point>> fastest;
      for (const Point& point : *begins) {
        const std::optional<double> time = look_at(point);
        if (time && (!fastest || *time < fastest->first)) fastest = {*time, point};
      }
      if (fastest && fastest->first < std::numeric_limits<double>::infinity()) descend(fastest->second);
    }
  }

  std::optional<Point> moved(Point point, std::size_t axis, int by) const {
    const std::vector<std::size_t>& order = by_size_[axis];
    const auto at = std::find(order.begin(), order.end(), point[axis]) - order.begin() + by;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(order.size())) return std::nullopt;
    point[axis] = order[static_cast<std::size_t>(at)];
    return point;
  }

  void ask_around(const Point& point) {
    for (std::size_t axis = 0; axis < space_.axes.size(); ++axis)
      for (const int by : {1, -1})
        if (const auto next = moved(point, axis, by); next && !known_.contains(*next)) builders_.ask(*next);
  }

  // One step, and further the same way as long as that helps.
  template <class Move>
  bool follow(Point& at, double& time, Move&& move) {
    bool helped = false;
    for (std::optional<Point> next = move(at); next && !stopped(); next = move(at)) {
      const std::optional<double> there = look_at(*next);
      if (!there || *there >= time * helps) break;
      at = *next;
      time = *there;
      helped = true;
      ask_around(at);
    }
    return helped;
  }

  void descend(Point at) {
    std::optional<double> began = look_at(at);
    if (!began) return;
    double time = *began;
    for (bool helped = true; helped && !spent();) {
      helped = false;
      ask_around(at);
      for (std::size_t axis = 0; axis < space_.axes.size(); ++axis)
        for (const int by : {1, -1})
          if (follow(at, time, [&](const Point& from) { return moved(from, axis, by); })) {
            helped = true;
            break;
          }
      for (std::size_t a = 0; a < space_.axes.size() && !helped; ++a)
        for (std::size_t b = a + 1; b < space_.axes.size() && !helped; ++b)
          for (const auto& [by_a, by_b] : {std::pair(1, -1), std::pair(-1, 1), std::pair(1, 1), std::pair(-1, -1)}) {
            const auto both = [&, by_a = by_a, by_b = by_b](const Point& from) -> std::optional<Point> {
              const auto half = moved(from, a, by_a);
              return half ? moved(*half, b, by_b) : std::nullopt;
            };
            helped = helped || follow(at, time, both);
          }
    }
  }

  // The fastest few in turns, since a machine is not always as fast.
  void play_off() {
    if (!best_ || options_.repeats <= options_.quick_repeats) return;
    std::vector<std::size_t> close_ones;
    for (std::size_t i = 0; i < trials_.size(); ++i)
      if (trials_[i].outcome == Trial::Outcome::Timed && trials_[i].milliseconds <= trials_[*best_].milliseconds * close) close_ones.push_back(i);
    std::sort(close_ones.begin(), close_ones.end(), [&](std::size_t a, std::size_t b) { return trials_[a].milliseconds < trials_[b].milliseconds; });
    if (close_ones.size() > finalists) close_ones.resize(finalists);
    if (close_ones.size() < 2) return;
    std::map<std::size_t, std::vector<double>> times;
    for (int turn = 0; turn < 2; ++turn)
      for (const std::size_t each : close_ones) {
        if (!builders_.wait(trials_[each].point) || stopped()) return;
        if (checked_.insert(trials_[each].point).second && !variants_.check(trials_[each].point).empty()) return;  // of an earlier search
        const Result<std::vector<double>> more = variants_.time(trials_[each].point, options_.repeats);
        if (!more || stopped()) return;
        times[each].insert(times[each].end(), more->begin(), more->end());
      }
    for (auto& [each, all] : times) {
      if (all.empty()) return;
      trials_[each].milliseconds = median(std::move(all));
      trials_[each].repeats = 2 * options_.repeats;
    }
    best_ = *std::min_element(close_ones.begin(), close_ones.end(), [&](std::size_t a, std::size_t b) { return trials_[a].milliseconds < trials_[b].milliseconds; });
  }

  const Space& space_;
  Variants& variants_;
  const SearchOptions& options_;
  std::size_t to_time_ = 0, timed_ = 0;
  std::uint64_t sampled_ = 0;
  double lowest_estimate_ = 0;
  std::vector<std::vector<std::size_t>> by_size_;  // of each axis, its values from the smallest to the largest
  std::vector<Trial> trials_;
  std::map<Point, std::size_t> known_;
  std::set<Point> seen_;  // what was sampled
  std::set<Point> checked_;
  std::optional<std::size_t> best_;
  Builders builders_;  // ends before the rest goes
};

}  // namespace

std::size_t Space::size() const {
  std::size_t product = 1;
  for (const Axis& axis : axes) {
    if (axis.values.empty()) return 0;
    if (product > std::numeric_limits<std::size_t>::max() / axis.values.size()) return std::numeric_limits<std::size_t>::max();
    product *= axis.values.size();
  }
  return product;
}

std::vector<std::int64_t> Space::values(const Point& point) const {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < axes.size(); ++i) result.push_back(axes[i].values[point[i]]);
  return result;
}

SearchResult search(const Space& space, Variants& variants, const SearchOptions& options) { return Search(space, variants, options).run(); }

}  // namespace phobos::tune
