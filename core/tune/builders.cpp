#include "builders.h"

#include <algorithm>
#include <utility>

namespace phobos::tune {

Builders::Builders(Variants& variants, int threads, std::stop_token stop)
    : variants_(variants), most_ahead_(static_cast<std::size_t>(2 * std::max(1, threads) + 2)), on_stop_(std::move(stop), [this] { ends_.request_stop(); }) {
  for (int i = 0; i < std::max(1, threads); ++i) threads_.emplace_back([this] { work(); });
}

Builders::~Builders() { ends_.request_stop(); }

void Builders::ask(const Point& point) {
  {
    const std::lock_guard lock(mutex_);
    if (!jobs_.try_emplace(point).second) return;
    queue_.push_back(point);
  }
  changed_.notify_all();
}

std::optional<Built> Builders::wait(const Point& point) {
  ask(point);
  std::unique_lock lock(mutex_);
  Job& job = jobs_[point];
  const bool waiting = std::find(queue_.begin(), queue_.end(), point) != queue_.end();
  if (!std::exchange(job.wanted, true) && !waiting && ahead_ > 0) --ahead_;
  if (const auto at = std::find(queue_.begin(), queue_.end(), point); at != queue_.end()) {
    queue_.erase(at);
    queue_.push_front(point);
  }
  changed_.notify_all();
  changed_.wait(lock, ends_.get_token(), [&] { return job.result.has_value(); });
  return job.result;
}

void Builders::forget(const Point& point) {
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(point);
  if (job != jobs_.end() && job->second.result) jobs_.erase(job);
}

bool Builders::may_begin() const { return !queue_.empty() && (ahead_ < most_ahead_ || jobs_.at(queue_.front()).wanted); }

void Builders::work() {
  const std::stop_token stop = ends_.get_token();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return may_begin(); }) && !stop.stop_requested()) {
    const Point point = queue_.front();
    queue_.pop_front();
    if (!jobs_[point].wanted) ++ahead_;
    lock.unlock();
    Built built = variants_.build(point, stop);
    lock.lock();
    if (!stop.stop_requested()) jobs_[point].result = std::move(built);
    changed_.notify_all();
  }
}

}  // namespace phobos::tune
