// Threads that foresee and build variants, and rehearse those that are to be timed, ahead of the search. Of what is built not more than a few:
// each takes memory.
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

  // Behind what was asked for before; nothing where it was.
  void foresee(const Point& point) { ask({Stage::Foresee, point}); }
  void build(const Point& point) { ask({Stage::Build, point}); }
  // Before all others. None where the search was stopped.
  std::optional<Built> foreseen(const Point& point) { return wait({Stage::Foresee, point}); }
  std::optional<Built> built(const Point& point) { return wait({Stage::Build, point}); }

 private:
  enum class Stage { Foresee, Build };
  using Key = std::pair<Stage, Point>;
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
