// The steps of one CTA, kept, and what holds behind each of them: a debugger goes through them in both directions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <phobos/launch/trace.h>

#include "runner.h"
#include "source.h"

namespace phobos::cli {

struct RecordingRequest {
  std::string kernel, grid, block;
  std::vector<std::string> words;
  std::size_t run_line = 0;
  std::int64_t steps = 10'000;
};

// What a name holds in the threads of the CTA: each has the value of the last step at which it wrote it.
struct Held {
  const launch::TraceWrite* last = nullptr;          // by anybody
  std::size_t step = 0;                              // of it
  std::vector<const launch::TraceWrite*> by_thread;  // one a thread; null where it has written none. Of a tile: one, for all
  const launch::TraceWrite* of(int thread) const { return by_thread.size() == 1 ? by_thread[0] : by_thread[static_cast<std::size_t>(thread)]; }
};

class Recording {
 public:
  // Runs the CTA. Fails as `phobos trace` does.
  static OrStop<Recording> make(Source source, const RecordingRequest& request, std::stop_token stop);

  const Source& source() const { return source_; }
  const ir::Kernel& kernel() const { return kernel_; }
  const launch::Grid& grid() const { return grid_; }
  const std::array<std::int64_t, 3>& block() const { return block_; }
  const launch::Bound& before() const { return before_; }  // the arguments as they were given
  const std::vector<launch::TraceStep>& steps() const { return steps_; }
  bool cut() const { return trace_.cut; }
  int threads() const { return kernel_.threads; }
  std::uint32_t line_of(std::size_t step) const { return source_.snapshot->lines().line_of(steps_[step].range.begin); }
  // How many calls a step is inside of.
  int depth_of(std::size_t step) const;

  // What is known behind a step inside of that call (0: in the kernel itself), the name written last first.
  std::vector<std::string> names(std::size_t step, std::uint32_t call) const;
  std::optional<Held> held(std::size_t step, std::uint32_t call, const std::string& name) const;

  // A tensor that the kernel is given, as this CTA has made it behind the step.
  const launch::HostTensor& tensor(std::size_t step, int parameter) const;
  // The elements that one write stores to in memory of those extents, row-major, each with the thread and with the row and lane of the value.
  using Visit = std::function<void(std::int64_t element, int thread, std::int64_t lane, std::int64_t row)>;
  void visit_stored(const launch::TraceStep& step, const launch::TraceWrite& write, const std::vector<std::int64_t>& extents, const Visit& visit) const;
  int parameter(const std::string& name) const;  // of that name; -1: none
  // The tensor of a parameter as it was given; null: it is none.
  const launch::HostTensor* given(int parameter) const;

 private:
  struct Place {
    std::size_t step, write;
  };
  void index();
  void store(std::size_t step, int parameter, launch::HostTensor& into) const;

  Source source_;
  ir::Kernel kernel_;
  launch::Grid grid_{1, 1, 1};
  std::array<std::int64_t, 3> block_{};
  launch::Bound before_;
  std::vector<launch::TraceStep> steps_;
  launch::Trace trace_;
  std::map<std::pair<std::uint32_t, std::string>, std::vector<Place>> written_;  // by call and name, in the order of the steps
  // The tensors as they were when they were last asked for, and behind which step that was.
  mutable std::map<int, std::pair<std::size_t, launch::HostTensor>> now_;
};

}  // namespace phobos::cli
