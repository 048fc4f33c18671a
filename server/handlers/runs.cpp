#include "runs.h"

#include <optional>
#include <utility>

namespace phobos::server {

Runs::Runs(std::string program) : program_(std::move(program)) {}

Runs::~Runs() {
  {
    const std::lock_guard lock(mutex_);
    end_.request_stop();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Runs::start(Run run) {
  const std::lock_guard lock(mutex_);
  if (!run.subject.empty()) std::erase_if(waiting_, [&](const Run& each) { return each.subject == run.subject; });
  waiting_.push_back(std::move(run));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_one();
}

void Runs::tell_waiting(const std::string& title) {
  const std::lock_guard lock(mutex_);
  for (const Run& run : waiting_)
    if (run.waits_for && !run.watcher.stop.stop_requested()) run.waits_for(title);
}

void Runs::work() {
  worker::Process process(program_);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return end_.stop_requested() || !waiting_.empty(); });
    if (end_.stop_requested()) return;
    Run run = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    worker::Outcome outcome;
    if (program_.empty()) {
      outcome.end = worker::Outcome::End::Unstarted;
      outcome.reason = "this server cannot start a process for it";
    } else {
      // Either side may end it: who asked for it, or the server's end.
      std::stop_source either;
      const std::stop_callback first(run.watcher.stop, [&] { either.request_stop(); });
      const std::stop_callback second(end_.get_token(), [&] { either.request_stop(); });
      run.watcher.stop = either.get_token();
      run.watcher.progress = [this, &title = run.title, told = std::move(run.watcher.progress)](std::int64_t part, std::int64_t whole) {
        if (told) told(part, whole);
        tell_waiting(title);
      };
      outcome = process.run(run.job, run.watcher);
    }
    if (!end_.stop_requested() && run.done) run.done(std::move(outcome));
    run = {};
    lock.lock();
  }
}

}  // namespace phobos::server
