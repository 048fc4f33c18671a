#include "builders.h"

#include <algorithm>
#include <utility>

namespace phobos::tune {

Builders::Builders(Variants& variants, int threads, std::stop_token stop)
    : variants_(variants), most_ahead_(static_cast<std::size_t>(2 * std::max(1, threads) + 2)),
      on_stop_(std::move(stop), [this] { ends_.request_stop(); }) {
  for (int i = 0; i < std::max(1, threads); ++i) threads_.emplace_back([this] { work(); });
}

Builders::~Builders() { ends_.request_stop(); }

void Builders::ask(const Key& key) {
  {
    const std::lock_guard lock(mutex_);
    if (!jobs_.try_emplace(key).second) return;
    queue_.push_back(key);
  }
  changed_.notify_all();
}

std::optional<Built> Builders::wait(const Key& key) {
  ask(key);
  std::unique_lock lock(mutex_);
  Job& job = jobs_[key];
  const auto at = std::find(queue_.begin(), queue_.end(), key);
  if (!std::exchange(job.wanted, true) && at == queue_.end() && key.first == Stage::Build && ahead_ > 0) --ahead_;
  if (at != queue_.end()) {
    queue_.erase(at);
    queue_.push_front(key);
  }
  changed_.notify_all();
  changed_.wait(lock, ends_.get_token(), [&] { return job.result.has_value(); });
  return job.result;
}

bool Builders::may_begin() const {
  return !queue_.empty() && (queue_.front().first == Stage::Foresee || ahead_ < most_ahead_ || jobs_.at(queue_.front()).wanted);
}

Built Builders::made(const Key& key, const std::stop_token& stop) {
  const auto& [stage, point] = key;
  if (stage == Stage::Foresee) return variants_.foresee(point, stop);
  Built built = variants_.build(point, stop);
  if (built.refused.empty() && !stop.stop_requested()) variants_.rehearse(point, stop);
  return built;
}

void Builders::work() {
  const std::stop_token stop = ends_.get_token();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return may_begin(); }) && !stop.stop_requested()) {
    const Key key = queue_.front();
    queue_.pop_front();
    if (key.first == Stage::Build && !jobs_[key].wanted) ++ahead_;
    lock.unlock();
    Built built = made(key, stop);
    lock.lock();
    if (!stop.stop_requested()) jobs_[key].result = std::move(built);
    changed_.notify_all();
  }
}

}  // namespace phobos::tune
