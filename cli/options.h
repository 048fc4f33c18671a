// What every command has in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace phobos::cli {

// The exit statuses of the program.
enum Exit : int {
  exit_done = 0,
  exit_failed = 1,       // the program found errors, a comparison failed or a launch failed
  exit_usage = 2,        // the command line was wrong
  exit_unavailable = 3,  // the machine lacks what was asked for
  exit_fault = 70,       // a fault of our own
  exit_interrupted = 130,  // by Ctrl-C, as shells have it
  exit_terminated = 143,   // by SIGTERM
};
inline bool is_interruption(int status) { return status == exit_interrupted || status == exit_terminated; }

struct Options {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
  std::string device = "auto";
  std::string chip;  // empty: the GPU's, else sm_90a
  bool no_cache = false;
};

class Devices;

// What stays from one command to the next, where one process runs several; and who wants to know how far a run has got.
struct Host {
  Devices* devices = nullptr;
  std::function<void(std::int64_t done, std::int64_t total)> progress;
};

// The command that the command line chose, ready to run; gives the exit status.
struct Chosen {
  std::function<int()> run;
  Host* host = nullptr;  // null: this command is all that the process runs
  template <class Run>
  Chosen& operator=(Run command) {
    run = std::move(command);
    return *this;
  }
};

// The options that every command takes, whether or not it has a use for them: a script gives all commands the same ones.
void add_common(CLI::App& command, Options& options);
// Checks of a value, which say in words what it is.
CLI::Validator not_empty();
CLI::Validator not_negative();
bool use_color(const Options& options, int descriptor);

}  // namespace phobos::cli
