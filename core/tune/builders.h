// Threads that build variants, and rehearse those that are to be timed, ahead of the search, but not further than a few: each takes memory.
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
  // `whole`: all that is built is to be timed, so that it is rehearsed at once.
  Builders(Variants& variants, int threads, bool whole, std::stop_token stop);
  ~Builders();
  Builders(const Builders&) = delete;
  Builders& operator=(const Builders&) = delete;

  void build(const Point& point) { ask({false, point}); }  // behind what was asked for before; nothing where it was
  void rehearse(const Point& point) { ask({true, point}); }
  // Before all others. None where the search was stopped.
  std::optional<Built> built(const Point& point) { return wait({false, point}); }
  bool rehearsed(const Point& point) { return whole_ || wait({true, point}).has_value(); }

 private:
  using Key = std::pair<bool, Point>;  // whether it is rehearsed
  struct Job {
    bool wanted = false;  // by somebody who waits, or did
    std::optional<Built> result;
  };
  void ask(const Key& key);
  std::optional<Built> wait(const Key& key);
  bool may_begin() const;
  Built made(const Key& key, const std::stop_token& stop);
  void work();

  Variants& variants_;
  const bool whole_;
  std::stop_source ends_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<Key, Job> jobs_;
  std::deque<Key> queue_;
  std::size_t ahead_ = 0;  // built or being built, and wanted by nobody yet
  const std::size_t most_ahead_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::vector<std::jthread> threads_;
};

}  // namespace phobos::tune
