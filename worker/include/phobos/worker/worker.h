// A process that runs command lines of the program for another one, one after the other, and can be killed: a kernel that hangs or
// crashes takes nothing else along. What is dear to begin with, the driver's context above all, stays there from one job to the next.
//
// The process is the program itself, whose standard input and output are the pipe; what a job would read from its standard input comes
// with it, and what it writes to its standard output goes back as it comes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace phobos::worker {

struct Job {
  std::vector<std::string> words;  // of the command line, behind the program's name
  std::string input;
  std::string folder;              // what paths are relative to; empty: wherever the process is
};

struct Outcome {
  enum class End {
    Done,
    Stopped,   // as it was asked to
    Late,      // it took too long and was killed
    Died,      // the process ended by itself
    Unstarted  // there is no process to be had
  };
  End end = End::Done;
  int status = 0;      // the command's exit status
  std::string output;  // what went to standard output, where nobody took it as it came
  std::string errors;  // to standard error
  std::string reason;  // of an end that is not Done, in words
};

struct Watcher {
  std::stop_token stop;
  double seconds = 0;  // that the job may take; 0: as long as it does
  std::function<void(std::int64_t done, std::int64_t total)> progress;  // total 0: nothing is known of it
  std::function<void(std::string_view)> output;
};

// Of one thread.
class Process {
 public:
  // `program`: what is executed, with the word `worker` behind it. Started at the first job, and again for one behind a job that
  // killed it.
  explicit Process(std::string program) : program_(std::move(program)) {}
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Outcome run(const Job& job, const Watcher& watcher);
  int id() const { return child_; }  // -1: there is none

 private:
  struct Pending;
  bool give(const Job& job, Pending& pending, Outcome& outcome);
  bool send(Pending& pending);
  bool receive(const Watcher& watcher, Pending& pending, Outcome& outcome, bool& done);
  bool start(std::string& reason);
  std::string end(bool kill_it);

  std::string program_;
  int child_ = -1, in_ = -1, out_ = -1;
};

// --- in that process

struct Reply {
  std::function<void(std::string_view)> output, errors;
  std::function<void(std::int64_t done, std::int64_t total)> progress;
};
// Takes jobs from standard input until it ends; standard output is standard error from then on. `run` gives the exit status, and may
// call what `Reply` holds from any thread.
int serve(const std::function<int(const Job&, const Reply&)>& run);

}  // namespace phobos::worker
