// One run of one kernel, from its arguments to what is to be said of it. `phobos run` and `phobos test` are this and its telling.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <phobos/launch/bind.h>
#include <phobos/launch/printed.h>
#include <phobos/launch/run_line.h>
#include <phobos/launch/timing.h>
#include <phobos/sim/simulator.h>

#include "devices.h"
#include "kernel.h"
#include "options.h"
#include "source.h"
#include "watch.h"

namespace phobos::cli {

struct RunOptions {
  launch::Request request;
  std::filesystem::path folder;  // what its paths are relative to
  std::string device = "auto";
  std::string chip;
  bool checked = false;          // on the GPU and the emulator: point accesses are tested
  double seconds = 60;           // that a launch on the GPU may take; 0: as long as it does
  bool cache = true;             // of compiled code
  // The constants that are not given. ByDevice: on the GPU what `phobos tune` found for such a launch, else what the model has for the fastest;
  // elsewhere the defaults. Cost: the same anywhere. First: the defaults.
  enum class Choose { First, ByDevice, Cost };
  Choose choose = Choose::First;
  bool compare_with_simulator = false;
  bool check_kinds = false;      // on the simulator
  bool checks = true;            // on the simulator
  int workers = 0;               // of the simulator; 0: one a core
  std::optional<std::int64_t> max_steps;  // of a CTA on the simulator; 0: no limit
  std::int64_t most_prints = 1000;        // lines of `print` that are kept
  bool shows_progress = false;   // of a long run, on standard error
  Watch::Progress progress;      // of any run, to somebody else
  int bench_repeats = 0;         // 0: none
  std::vector<launch::Given> out;  // NAME=FILE
  std::filesystem::path out_folder;  // where each written tensor goes as NAME.npy, and what the simulator has for it as NAME.sim.npy
};

// A kernel with its arguments and its grid, ready to run.
struct Prepared {
  ir::Kernel kernel;
  launch::Bound bound;
  launch::Grid grid{1, 1, 1};
  std::vector<diag::Diagnostic> diagnostics;  // warnings and hints
};
// Asked before any tensor is made: why a launch of that size cannot be, if it cannot.
using LaunchCheck = std::function<std::optional<Stop>(const ir::Kernel& kernel, const launch::Grid& grid, double bytes)>;
// Of the simulator.
std::optional<Stop> check_simulated(const ir::Kernel& kernel, const launch::Grid& grid, double bytes, const sim::Options& options);
// Asked once the dimensions are known: constants that the kernel is to have instead of its defaults; none: as it is.
using ConstantsFor = std::function<std::vector<launch::Given>(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions)>;
// `written`: tensors that the kernel has to write.
OrStop<Prepared> prepare(const Source& source, const session::ItemView& kernel, const launch::Request& request,
                         const std::filesystem::path& folder, const std::vector<launch::Given>& written, const LaunchCheck& check,
                         lower::Purpose purpose = lower::Purpose::Run, const ConstantsFor& constants = {});

// What words of a command line ask for; without any, what that run line of the kernel does. `folder` becomes what paths are relative
// to.
Result<launch::Request> request_of(const std::vector<std::string>& words, std::size_t run_line, const std::string& grid,
                                   const Source& source, const session::ItemView& kernel, std::filesystem::path& folder);

struct RunReport {
  enum class Status {
    Ok,
    Failed,  // it ran, and an expectation or a comparison does not hold
    Error,   // it did not run to its end
  };
  Status status = Status::Ok;
  int exit = exit_done;
  std::string message;  // of what failed; else what is worth saying
  std::string kernel, device;
  std::optional<launch::Grid> grid;
  std::optional<double> milliseconds;
  std::vector<std::pair<std::string, launch::HostTensor>> outputs;  // the written tensors
  std::vector<diag::Diagnostic> diagnostics;                        // of the source and of the simulator
  std::optional<launch::Timing> bench;
  double bytes = 0, operations = 0;  // that the kernel has to move, and to do
  int threads = 0;
  launch::Printout printed;
  std::vector<std::pair<std::string, std::int64_t>> constants;
  std::string chosen_by;  // `tuned`, `cost`, `default` or `given`; empty where the kernel has no constants
  std::string chosen;     // `TM=128 TN=64`, where it was `tuned` or `cost`
  std::optional<double> estimated;  // milliseconds, where it was `cost`
  std::size_t chosen_of = 0;        // the choices that were looked at for that
};

RunReport run_kernel(const Source& source, const session::ItemView& kernel, const RunOptions& options, Devices& devices);

}  // namespace phobos::cli
