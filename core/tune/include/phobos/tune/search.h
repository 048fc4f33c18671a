// The search for the fastest of a kernel's variants. What a variant is, how it is built and what times it is somebody else's: this is
// the order in which they are looked at.
//
// All of it happens on several threads but what needs the device, which is the caller's: there a variant is checked and timed, one at a time.
// A small space is timed whole. Of a larger one each variant's time is foreseen, by what can be known without building it. Those are built and
// timed that promise most, a few at a time: by what was foreseen, corrected by how far off that was nearby. It ends where none of the rest
// promises to be faster than the best, by as much as the promises of the last ones were off; or when as many were timed as are allowed. Where
// there is nothing to foresee, the corrections alone lead. The fastest few are timed again, in turns, before one wins. Which points are looked at
// does not depend on how fast anything is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <phobos/support/result.h>

namespace phobos::tune {

struct Axis {
  std::string name;
  std::vector<std::int64_t> values;  // the first is the default
};
using Point = std::vector<std::size_t>;  // of each axis, which of its values

struct Space {
  std::vector<Axis> axes;
  std::size_t size() const;  // at most the largest that can be counted
  std::vector<std::int64_t> values(const Point& point) const;
};

struct Built {
  std::string refused;  // why it cannot be run; empty: it can
  double estimate = 0;  // milliseconds, by a model
};

class Variants {
 public:
  virtual ~Variants() = default;
  // From several threads at a time: what is known before it is built, cheaply.
  virtual Built foresee(const Point& point, std::stop_token stop) = 0;
  // From several threads at a time. What is built is kept for the calls below, which come from the thread of the search.
  virtual Built build(const Point& point, std::stop_token stop) = 0;
  // Behind that, from several threads as well: what its results have to be.
  virtual void rehearse(const Point& point, std::stop_token stop) = 0;
  // What is wrong with its results; empty: nothing.
  virtual std::string check(const Point& point) = 0;
  // Milliseconds of each of as many runs.
  virtual Result<std::vector<double>> time(const Point& point, int repeats) = 0;
  // It is not looked at again.
  virtual void drop(const Point& point) = 0;
};

struct Trial {
  enum class Outcome {
    Timed,
    Refused,  // it cannot be built, or no multiprocessor holds it
    Slow,     // by its estimate, so far behind others that it was not timed
    Wrong,    // its results are not those of the simulator
    Failed,   // it did not run to its end
  };
  Point point;
  Outcome outcome = Outcome::Timed;
  std::string why;           // of what was not timed
  double milliseconds = 0;   // the median
  double estimate = 0;
  int repeats = 0;
};

struct Progress {
  std::size_t space = 0, looked_at = 0, timed = 0, to_time = 0;
  const Trial* latest = nullptr;
  const Trial* best = nullptr;  // null: none yet
};

struct SearchOptions {
  std::size_t most_timed = 0;  // 0: a tenth of the space, and at least 16
  int builders = 1;            // threads
  int quick_repeats = 3, repeats = 20;
  double near = 1.15;   // times the best: what is timed at length
  double prune = 4;     // times the best estimate: what is not timed; 0: nothing
  std::uint64_t seed = 0;
  std::vector<Trial> known;  // of a search that was stopped
  std::stop_token stop;
  std::function<void(const Progress&)> told;  // after each trial
};

struct SearchResult {
  std::optional<Trial> best;
  std::vector<Trial> trials;  // in their order, the known ones first
  bool stopped = false;
};

SearchResult search(const Space& space, Variants& variants, const SearchOptions& options);

}  // namespace phobos::tune
