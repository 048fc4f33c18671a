// What a kernel tells while it runs: lines of `print`, and the steps of a trace.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ir/ir.h>

namespace phobos::sim {

// A line of `print`, of those threads of a CTA for which it reads the same.
struct Printed {
  std::array<std::int64_t, 3> block{};
  Span place;
  std::vector<int> threads;   // ascending; empty: all of the CTA
  std::string text;           // `x = 3.5, i = 2`
};

// A value as it was at some moment.
struct Seen {
  ir::Type type;              // scalar, tile or run; of memory: a tile of its shape
  Kind kind = Kind::Uniform;
  std::int64_t lanes = 1;     // one for all threads, one a warp, or one a thread
  std::int64_t rows = 0;      // elements of each lane that are kept, in row-major order
  std::vector<double> reals;  // row by row, each with all lanes; of floats
  std::vector<std::int64_t> integers;  // of the other types
  std::vector<std::uint8_t> unset;     // in the same order, 1 where nothing has written the element; empty: all are written

  std::int64_t lane_of(int thread, int threads) const { return lanes == 1 ? 0 : lanes == threads ? thread : thread / (threads / static_cast<int>(lanes)); }
  bool is_unset(std::int64_t lane, std::int64_t row) const { return !unset.empty() && unset[static_cast<std::size_t>(row * lanes + lane)] != 0; }
  // Of one element: a number, true or false, or `unset`.
  std::string element(std::int64_t lane, std::int64_t row) const;
  // The whole value in one line. Of an axis of more than eight elements the first eight are told.
  std::string text(std::int64_t lane) const;
};

// One step of a CTA, when a Mark is reached.
struct Reached {
  const ir::Op& op;
  const ir::Note& note;
  std::array<std::int64_t, 3> block;
  const std::vector<int>& threads;   // those that have come here, ascending
  int all_threads;
  const std::vector<Seen>& values;   // one an operand; of memory that is only named: no rows
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual std::int64_t most_elements() const { return 1024; }  // of a value that are kept
  virtual bool reached(const Reached& step) = 0;  // false: no further
  virtual void printed(const std::vector<Printed>& lines) = 0;
  virtual void found(const diag::Diagnostic& finding) = 0;
};

}  // namespace phobos::sim
