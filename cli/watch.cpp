#include "watch.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace phobos::cli {
namespace {

constexpr std::chrono::milliseconds tick{50};
constexpr double quiet_seconds = 1;  // before anything is shown

// A signal handler may touch no more than this, and the thread that looks at it is another one. There is one terminal, and one Ctrl-C.
std::atomic<int> interrupts = 0;
static_assert(std::atomic<int>::is_always_lock_free);
struct Watched {
  int signal;
  struct sigaction before;
} watched[] = {{SIGINT, {}}, {SIGTERM, {}}};

extern "C" void on_interrupt(int signal) {
  const int before = errno;
  if (interrupts == 0) {
    interrupts = signal;
  } else {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = before;
}

void write_error(std::string_view text) {
  const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);
}

constexpr std::array ending_signals{SIGINT, SIGTERM};

extern "C" void end_at_once(int signal) {
  write_error("phobos: interrupted\n");
  _exit(128 + signal);
}

}  // namespace

QuickEnd::QuickEnd() {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    sigaction(ending_signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = end_at_once;
    sigemptyset(&action.sa_mask);
    sigaction(ending_signals[i], &action, nullptr);
  }
}

QuickEnd::~QuickEnd() {
  for (std::size_t i = 0; i < before_.size(); ++i) sigaction(ending_signals[i], &before_[i], nullptr);
}

Watch::Watch(bool shows_progress, Progress told) : shows_progress_(shows_progress), told_(std::move(told)) {
  interrupts = 0;
  for (Watched& one : watched) {
    sigaction(one.signal, nullptr, &one.before);
    if (one.before.sa_handler == SIG_IGN) continue;  // one that runs in the background is left alone
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(one.signal, &action, nullptr);
  }
  thread_ = std::thread([this] { work(); });
}

Watch::~Watch() { finish(); }

void Watch::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
  }
  end_.notify_all();
  thread_.join();
  if (shown_) write_error("\r\x1b[K");
  for (const Watched& one : watched) sigaction(one.signal, &one.before, nullptr);
}

int Watch::exit_status() const { return 128 + interrupts; }

void Watch::progress(std::int64_t done, std::int64_t total) {
  std::int64_t known = done_.load();
  while (known < done && !done_.compare_exchange_weak(known, done)) {
  }
  total_ = total;
}

void Watch::show_as(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

double Watch::seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

void Watch::work() {
  std::unique_lock lock(mutex_);
  double last = 0;
  while (!end_.wait_for(lock, tick, [&] { return ended_; })) {
    if (interrupts != 0) stop_.request_stop();
    if (told_) told_(done_, total_);
    const double now = seconds();
    if (!shows_progress_ || now < quiet_seconds || now - last < 0.2) continue;
    last = now;
    show();
  }
}

void Watch::show() {
  const std::int64_t done = done_, total = total_;
  const double passed = seconds();
  std::string line = fmt::format("\r\x1b[K{:.0f} s", passed);
  if (!text_.empty()) {
    line += ": " + text_;
  } else if (total > 0) {
    const double part = static_cast<double>(done) / static_cast<double>(total);
    line += fmt::format(": {:.0f} %, {} of {} CTAs", part * 100, done, total);
    if (done > 0) line += fmt::format(", about {:.0f} s left", passed / part - passed);
  }
  write_error(line + " (Ctrl-C ends it)");
  shown_ = true;
}

}  // namespace phobos::cli
