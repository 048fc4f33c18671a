// A run that may take long: shows on a terminal how far it has got, and ends early at Ctrl-C or SIGTERM. A second one ends the program
// at once.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace phobos::cli {

// While it lives, Ctrl-C and SIGTERM end the program at once, with a word and the exit status of what was interrupted: for what takes
// long before anything is begun that could be cut off, as making large tensors does.
class QuickEnd {
 public:
  QuickEnd();
  ~QuickEnd();
  QuickEnd(const QuickEnd&) = delete;
  QuickEnd& operator=(const QuickEnd&) = delete;

 private:
  std::array<struct sigaction, 2> before_{};
};

class Watch {
 public:
  using Progress = std::function<void(std::int64_t done, std::int64_t total)>;
  // `told`: who else wants to know how far it has got; called now and then from a thread of the watch.
  explicit Watch(bool shows_progress, Progress told = {});
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  std::stop_token stop() const { return stop_.get_token(); }
  void progress(std::int64_t done, std::int64_t total);  // from any thread
  void show_as(std::string text);  // in place of a count of CTAs
  bool interrupted() const { return stop_.stop_requested(); }
  int exit_status() const;  // of what was interrupted
  double seconds() const;
  void finish();  // clears what is shown, and hands Ctrl-C back

 private:
  void work();
  void show();

  const bool shows_progress_;
  const Progress told_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::stop_source stop_;
  std::atomic<std::int64_t> done_{0}, total_{0};
  bool shown_ = false, ended_ = false;
  std::string text_;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread thread_;
};

}  // namespace phobos::cli
