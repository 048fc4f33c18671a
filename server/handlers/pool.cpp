#include "pool.h"

#include <algorithm>
#include <utility>

namespace phobos::server {

Pool::Pool(unsigned threads) : most_(std::max(1u, threads)) {}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (idle_ < tasks_.size() && threads_.size() < most_) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
}

void Pool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
    --idle_;
    if (ended_) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // with all that it held
    lock.lock();
  }
}

}  // namespace phobos::server
