// Threads that build variants ahead of the search, and not further than a few: each takes memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <phobos/tune/search.h>

namespace phobos::tune {

class Builders {
 public:
  Builders(Variants& variants, int threads, std::stop_token stop);
  ~Builders();
  Builders(const Builders&) = delete;
  Builders& operator=(const Builders&) = delete;

  void ask(const Point& point);  // behind what was asked for before; nothing where it was
  // Before all others. None where the search was stopped.
  std::optional<Built> wait(const Point& point);
  // It is built again where it is asked for again.
  void forget(const Point& point);

 private:
  struct Job {
    bool wanted = false;  // by somebody who waits, or did
    std::optional<Built> result;
  };
  bool may_begin() const;
  void work();

  Variants& variants_;
  std::stop_source ends_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<Point, Job> jobs_;
  std::deque<Point> queue_;
  std::size_t ahead_ = 0;  // built or being built, and wanted by nobody yet
  const std::size_t most_ahead_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::vector<std::jthread> threads_;
};

}  // namespace phobos::tune
