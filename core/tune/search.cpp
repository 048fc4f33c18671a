#include <phobos/tune/search.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "builders.h"

namespace phobos::tune {

namespace {

constexpr std::size_t finalists = 3;
constexpr double close = 1.02;            // times the best: who is timed again in the end
constexpr std::size_t most_foreseen = 4096;
constexpr double at_once = 50;            // milliseconds by estimate that need no quick look first

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
      : space_(space), variants_(variants), options_(options), to_time_(timed_at_most(space, options)),
        builders_(variants, options.builders, options.stop) {
    for (const Axis& axis : space.axes) {  // each axis by size, since what is near is likely to be as fast
      std::vector<std::size_t> order(axis.values.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return axis.values[a] < axis.values[b]; });
      std::vector<std::size_t> rank(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
      rank_.push_back(std::move(rank));
    }
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
  static std::size_t timed_at_most(const Space& space, const SearchOptions& options) {
    constexpr std::size_t least = 16;
    return std::min(space.size(), options.most_timed != 0 ? options.most_timed : std::max(least, space.size() / 10));
  }
  bool stopped() const { return options_.stop.stop_requested(); }
  bool spent() const { return stopped() || timed_ >= to_time_; }

  void remember(const Trial& trial) {
    if (trial.point.size() != space_.axes.size() || !known_.try_emplace(trial.point, trials_.size()).second) return;
    trials_.push_back(trial);
    if (trial.outcome != Trial::Outcome::Timed) return;
    ++timed_;
    if (!best_ || trial.milliseconds < trials_[*best_].milliseconds) best_ = trials_.size() - 1;
  }

  void look_at(const Point& point) {
    if (known_.contains(point) || spent()) return;
    const std::optional<Built> built = builders_.built(point);
    if (!built || stopped()) return;
    std::optional<Trial> trial = try_out(point, *built);
    if (!trial) return;
    if (const auto foreseen = foreseen_.find(point); foreseen != foreseen_.end() && trial->outcome != Trial::Outcome::Refused) trial->estimate = foreseen->second;
    remember(*trial);
    const bool contender = trial->outcome == Trial::Outcome::Timed && trial->milliseconds <= trials_[*best_].milliseconds * close;
    if (!contender) variants_.drop(point);
    tell(trials_.back());
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
    trial.repeats = built.estimate * options_.repeats <= at_once ? options_.repeats : options_.quick_repeats;
    Result<std::vector<double>> times = variants_.time(point, trial.repeats);
    const auto usable = [&] { return times && !times->empty(); };
    if (usable() && options_.repeats > trial.repeats && (!best_ || median(*times) < trials_[*best_].milliseconds * options_.near)) {
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
    for (const Point& point : points) builders_.build(point);
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

  // All points of the space, in an order that is as good as any; of a large one so many that are spread over it.
  std::vector<Point> spread() const {
    std::vector<Point> points;
    if (space_.size() <= most_foreseen) {
      for (std::size_t i = 0; i < space_.size(); ++i) points.push_back(numbered(i));
    } else {
      std::set<Point> seen;
      for (std::uint64_t i = 0; i < 2 * most_foreseen && points.size() < most_foreseen; ++i) {
        Point point;
        for (std::size_t a = 0; a < space_.axes.size(); ++a) point.push_back(mixed(mixed(options_.seed * 1000003 + a) + i) % space_.axes[a].values.size());
        if (seen.insert(point).second) points.push_back(std::move(point));
      }
      points.emplace_back(space_.axes.size(), 0);
    }
    std::vector<std::pair<std::uint64_t, Point>> order;
    for (std::size_t i = 0; i < points.size(); ++i) order.emplace_back(mixed(options_.seed * 7919 + i), std::move(points[i]));
    std::sort(order.begin(), order.end());
    points.clear();
    for (auto& [number, point] : order) points.push_back(std::move(point));
    return points;
  }

  struct Candidate {
    Point point;
    double estimate;
  };

  void part() {
    constexpr std::size_t later_round = 3, ahead = 3;
    if (!foresee()) return;
    for (bool first = true; !spent(); first = false) {
      if (!foresee_beside_the_best()) return;
      rank();
      std::vector<Point> next = first ? first_ones() : settled() ? taken([&](const Candidate& each) { return is_beside_the_best(each); }, later_round) : taken(any, later_round);
      if (next.empty()) return;
      for (const Point& point : next) builders_.build(point);
      std::stable_sort(next.begin(), next.end(), [&](const Point& a, const Point& b) { return weight(a) < weight(b); });
      for (std::size_t i = 0; i < std::min(ahead, candidates_.size()); ++i) builders_.build(candidates_[candidates_.size() - 1 - i].point);
      for (const Point& point : next) look_at(point);
      if (stopped()) return;
    }
  }

  static bool any(const Candidate&) { return true; }
  // What has larger numbers takes longer to build, mostly: it is waited for last.
  double weight(const Point& point) const {
    double product = 1;
    for (const std::int64_t value : space_.values(point)) product *= static_cast<double>(value);
    return product;
  }

  // The most promising of those that are wanted, which are candidates no more.
  template <class Wanted>
  std::vector<Point> taken(Wanted&& wanted, std::size_t most) {
    std::vector<Point> points;
    for (std::size_t i = candidates_.size(); i-- > 0 && points.size() < most;) {
      if (!wanted(candidates_[i])) continue;
      points.push_back(std::move(candidates_[i].point));
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return points;
  }

  // The default among them, with which others are compared.
  std::vector<Point> first_ones() {
    constexpr std::size_t round = 6;
    const Point usual(space_.axes.size(), 0);
    std::vector<Point> points = taken([&](const Candidate& each) { return each.point == usual; }, 1);
    const std::vector<Point> promising = taken(any, round - points.size());
    points.insert(points.begin(), promising.begin(), promising.end());
    return points;
  }

  // A step away, and not much slower by what is known: the estimate may not see what comes there.
  bool is_beside_the_best(const Candidate& candidate) const {
    constexpr double not_much = 0.25;
    const Trial& best = trials_[*best_];
    return distance(candidate.point, best.point) <= 1 && promise(candidate, 0) < logarithm(best.milliseconds) + not_much;
  }

  // False where the search has ended.
  bool foresee() {
    const std::vector<Point> points = spread();
    for (const Point& point : points) builders_.foresee(point);
    std::vector<Trial> refused;
    for (const Point& point : points) {
      const std::optional<Built> built = builders_.foreseen(point);
      if (!built || stopped()) return false;
      if (!built->refused.empty()) {
        refused.push_back({point, Trial::Outcome::Refused, built->refused, 0, 0, 0});
        continue;
      }
      foreseen_[point] = built->estimate;
      if (!known_.contains(point)) candidates_.push_back({point, built->estimate});
    }
    constexpr std::size_t most_told = 16;
    for (std::size_t i = 0; candidates_.empty() && trials_.empty() && i < std::min(refused.size(), most_told); ++i) {
      remember(refused[i]);
      tell(trials_.back());
    }
    return true;
  }

  // Of a space of which not all was foreseen: what is a step from the fastest along one axis. False where the search has ended.
  bool foresee_beside_the_best() {
    if (space_.size() <= most_foreseen || !best_) return true;
    for (std::size_t axis = 0; axis < space_.axes.size(); ++axis)
      for (std::size_t value = 0; value < space_.axes[axis].values.size(); ++value) {
        Point point = trials_[*best_].point;
        point[axis] = value;
        if (distance(point, trials_[*best_].point) != 1 || foreseen_.contains(point) || known_.contains(point)) continue;
        const std::optional<Built> built = builders_.foreseen(point);
        if (!built || stopped()) return false;
        if (!built->refused.empty()) continue;
        foreseen_[point] = built->estimate;
        candidates_.push_back({std::move(point), built->estimate});
      }
    return true;
  }

  // Whether none of the rest promises to be faster than the best, by how far off the promises of those would have been that were timed.
  bool settled() const {
    constexpr std::size_t least = 6;
    constexpr double least_doubt = 0.01, caution = 2;
    if (timed_ < least || !best_) return false;
    const double best = trials_[*best_].milliseconds;
    double squares = 0, count = 0;
    for (const Trial& trial : trials_) {
      if (trial.outcome != Trial::Outcome::Timed) continue;
      const double error = promise({trial.point, trial.estimate}, 0, &trial) - logarithm(trial.milliseconds);
      squares += error * error;
      ++count;
    }
    const double doubt = caution * std::max(least_doubt, std::sqrt(squares / count));
    return std::none_of(candidates_.begin(), candidates_.end(), [&](const Candidate& each) { return promise(each, 1) - doubt < logarithm(best); });
  }

  // The most promising candidate last.
  void rank() {
    std::vector<std::pair<double, Candidate>> ranked;
    for (Candidate& each : candidates_) ranked.emplace_back(promise(each), std::move(each));
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    candidates_.clear();
    for (auto& [promise, each] : ranked) candidates_.push_back(std::move(each));
  }

  // The logarithm of the time that a candidate may take: its estimate by how far off those of timed points were, the nearer the more it
  // counts. Where nothing near was timed it may take less, in the eyes of who hopes. `without` does not count.
  double promise(const Candidate& candidate, double hope = 0.5, const Trial* without = nullptr) const {
    constexpr double prior = 0.3, width = 4, unknown = 0.3;
    double mean = 0, count = 0, weights = 0, near = 0, spread = 0;
    const auto counts = [&](const Trial& trial) { return trial.outcome == Trial::Outcome::Timed && &trial != without; };
    for (const Trial& trial : trials_)
      if (counts(trial)) mean += off(trial), ++count;
    if (count == 0) return logarithm(candidate.estimate);
    mean /= count;
    for (const Trial& trial : trials_) {
      if (!counts(trial)) continue;
      const double weight = std::exp(-distance(trial.point, candidate.point) / width);
      weights += weight;
      near += weight * (off(trial) - mean);
      spread += (off(trial) - mean) * (off(trial) - mean);
    }
    const double known = weights / (weights + prior);
    return logarithm(candidate.estimate) + mean + near / (weights + prior) - hope * (1 - known) * std::max(unknown, std::sqrt(spread / count));
  }
  static double logarithm(double milliseconds) { return std::log(std::max(milliseconds, 1e-9)); }
  static double off(const Trial& trial) { return logarithm(trial.milliseconds) - logarithm(trial.estimate); }

  // Squared, in steps along the axes.
  double distance(const Point& a, const Point& b) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
      const double steps = static_cast<double>(rank_[axis][a[axis]]) - static_cast<double>(rank_[axis][b[axis]]);
      sum += steps * steps;
    }
    return sum;
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
        if (!builders_.built(trials_[each].point) || stopped()) return;
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
  const std::size_t to_time_;
  std::size_t timed_ = 0;
  double lowest_estimate_ = 0;
  std::vector<std::vector<std::size_t>> rank_;  // of each axis, the place of each of its values among them by size
  std::vector<Candidate> candidates_;
  std::map<Point, double> foreseen_;
  std::vector<Trial> trials_;
  std::map<Point, std::size_t> known_;
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
