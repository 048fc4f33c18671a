// Threads for what would take too long where messages are handled. Tasks begin in the order in which they were given.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace phobos::server {

class Pool {
 public:
  explicit Pool(unsigned threads);
  // Drops what has not begun, waits for what has.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run(std::function<void()> task);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ended_ = false;
  unsigned most_ = 1, idle_ = 0;
  std::vector<std::thread> threads_;  // begun when there is work for them
};

}  // namespace phobos::server
