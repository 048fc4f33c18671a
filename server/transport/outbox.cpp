#include <phobos/server/transport/outbox.h>

#include <utility>

#include <phobos/server/transport/framing.h>

namespace phobos::server {

Outbox::Outbox(Stream& stream, std::function<void()> gone) : stream_(stream), gone_(std::move(gone)) {
  thread_ = std::thread([this] { work(); });
}

Outbox::~Outbox() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Outbox::send(std::string body, std::string subject) {
  {
    const std::lock_guard lock(mutex_);
    if (broken_ || ended_) return;
    if (!subject.empty())
      if (const auto old = subjects_.find(subject); old != subjects_.end()) {
        bytes_ -= old->second->body.size();
        waiting_.erase(old->second);
        subjects_.erase(old);
      }
    bytes_ += body.size();
    waiting_.push_back({std::move(body), std::move(subject)});
    if (!waiting_.back().subject.empty()) subjects_[waiting_.back().subject] = std::prev(waiting_.end());
  }
  changed_.notify_all();
}

void Outbox::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return bytes_ < most_waiting || broken_ || ended_; });
}

void Outbox::finish(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  while (!broken_ && !(waiting_.empty() && idle_)) {
    const std::size_t before = written_;
    changed_.wait_for(lock, patience, [&] { return broken_ || (waiting_.empty() && idle_) || written_ != before; });
    if (written_ == before && !(waiting_.empty() && idle_)) break;
  }
  ended_ = true;
  waiting_.clear();
  subjects_.clear();
  lock.unlock();
  changed_.notify_all();
  stream_.stop();
}

void Outbox::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Waiting next = std::move(waiting_.front());
    if (!next.subject.empty()) subjects_.erase(next.subject);
    waiting_.pop_front();
    idle_ = false;
    lock.unlock();
    constexpr std::size_t worth_a_copy = 64u << 10;  // a short one goes out whole
    const bool taken = next.body.size() <= worth_a_copy ? stream_.write(framed(next.body)) : stream_.write(frame_head(next.body.size())) && stream_.write(next.body);
    lock.lock();
    idle_ = true;
    bytes_ -= next.body.size();
    ++written_;
    if (!taken) {
      broken_ = true;
      waiting_.clear();
      subjects_.clear();
      bytes_ = 0;
    }
    changed_.notify_all();
    if (!taken) {
      lock.unlock();
      gone_();
      return;
    }
  }
}

}  // namespace phobos::server
