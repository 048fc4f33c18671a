// Jobs for a process of its own (worker/), one after the other, on a thread of its own. A job that waits for another one is told so.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <phobos/worker/worker.h>

namespace phobos::server {

class Runs {
 public:
  struct Run {
    worker::Job job;
    worker::Watcher watcher;
    std::function<void(worker::Outcome)> done;  // on the thread of the runs
    std::string title;                                       // for those that wait for it
    std::function<void(const std::string& title)> waits_for;  // from any thread, again and again; may be empty
    std::string subject;                        // where not empty: one of the same subject that waits is dropped
  };

  // `program`: what is executed; empty: every run ends at once, and says that there is none.
  explicit Runs(std::string program);
  // Kills what runs; what waits is never done.
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  void start(Run run);

 private:
  void work();
  void tell_waiting(const std::string& title);

  std::string program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Run> waiting_;
  std::stop_source end_;
  std::thread thread_;  // begun at the first run
};

}  // namespace phobos::server
