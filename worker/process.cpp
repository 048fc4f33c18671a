#include <phobos/worker/worker.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <phobos/support/bytes.h>

#include "frames.h"

extern char** environ;

namespace phobos::worker {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto grace = 1000ms;  // for a job that was asked to stop
constexpr auto patience = 10s;  // with a process that does not take a job
constexpr auto tick = 100ms;

// Wakes who waits for files, from another thread.
struct Bell {
  const int file = ::eventfd(0, EFD_CLOEXEC);
  Bell() = default;
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() { ::close(file); }
  void ring() const {
    const std::uint64_t one = 1;
    const ssize_t rung = ::write(file, &one, sizeof one);
    static_cast<void>(rung);
  }
};

std::string bytes_of(const Job& job) {
  ByteWriter writer;
  writer.text(job.folder);
  writer.text(job.input);
  writer.number(job.words.size());
  for (const std::string& word : job.words) writer.text(word);
  return writer.take();
}

}  // namespace

Process::~Process() { end(true); }

bool Process::start(std::string& reason) {
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0) {
    reason = fmt::format("no process can be started: {}", std::strerror(errno));
    return false;
  }
  if (::pipe2(from, O_CLOEXEC) != 0) {
    reason = fmt::format("no process can be started: {}", std::strerror(errno));
    ::close(to[0]), ::close(to[1]);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int each : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&defaults, each);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);  // a Ctrl-C for the server is not one for it
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string word = "worker";
  char* const arguments[] = {program_.data(), word.data(), nullptr};
  pid_t child = -1;
  const int fault = ::posix_spawn(&child, program_.c_str(), &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(to[0]), ::close(from[1]);
  if (fault != 0) {
    ::close(to[1]), ::close(from[0]);
    reason = fmt::format("{} cannot be started: {}", program_, std::strerror(fault));
    return false;
  }
  ::fcntl(to[1], F_SETFL, O_NONBLOCK);  // of our end alone
  child_ = child, in_ = to[1], out_ = from[0];
  return true;
}

// How it ended, in words.
std::string Process::end(bool kill_it) {
  if (child_ < 0) return {};
  if (kill_it) ::kill(child_, SIGKILL);
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0) ::close(out_);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
  child_ = in_ = out_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("with status {}", WEXITSTATUS(status));
}

// One job, as far as it has got.
struct Process::Pending {
  std::string unsent;
  bool taken = false;      // the process has it
  bool restarted = false;  // it is the second process that was given it
  std::optional<Clock::time_point> kill_at;
  bool stopped = false, late = false;
  Clock::time_point given = Clock::now();
};

// A process that died, or was stopped by somebody, while it had nothing to do is found out here; a job that it did not take yet is
// another's.
bool Process::give(const Job& job, Pending& pending, Outcome& outcome) {
  if (child_ < 0 && !start(outcome.reason)) return false;
  pending.unsent = frame_bytes(Frame::Job, bytes_of(job));
  pending.given = Clock::now();
  return true;
}

bool Process::send(Pending& pending) {
  const ssize_t written = ::write(in_, pending.unsent.data(), pending.unsent.size());
  if (written > 0) pending.unsent.erase(0, static_cast<std::size_t>(written));
  return written >= 0 || errno == EAGAIN || errno == EINTR;
}

// False where the process is gone, or the job is done.
bool Process::receive(const Watcher& watcher, Pending& pending, Outcome& outcome, bool& done) {
  Frame frame = Frame::End;
  std::string bytes;
  if (!read_frame(out_, frame, bytes)) return false;
  ByteReader reader(bytes);
  switch (frame) {
    case Frame::Taken: pending.taken = true; break;
    case Frame::Output:
      if (watcher.output) watcher.output(bytes);
      else outcome.output += bytes;
      break;
    case Frame::Errors: outcome.errors += bytes; break;
    case Frame::Progress: {
      const auto part = static_cast<std::int64_t>(reader.number());
      if (watcher.progress && !pending.stopped) watcher.progress(part, static_cast<std::int64_t>(reader.number()));
      break;
    }
    case Frame::End: outcome.status = static_cast<int>(reader.number()), done = true; return false;
    case Frame::Job: break;
  }
  return true;
}

Outcome Process::run(const Job& job, const Watcher& watcher) {
  Outcome outcome;
  Pending pending;
  const auto ended = [&](Outcome::End end) {
    outcome.end = end;
    return outcome;
  };
  if (watcher.stop.stop_requested()) return ended(Outcome::End::Stopped);
  if (!give(job, pending, outcome)) return ended(Outcome::End::Unstarted);
  const Bell bell;  // there until nobody can ring any more
  const std::stop_callback ring(watcher.stop, [&] { bell.ring(); });
  const Clock::time_point start = Clock::now();
  bool done = false;
  for (bool alive = true; alive;) {
    pollfd waiting[] = {{out_, POLLIN, 0}, {pending.unsent.empty() ? -1 : in_, POLLOUT, 0}, {pending.stopped ? -1 : bell.file, POLLIN, 0}};
    const int ready = ::poll(waiting, 3, static_cast<int>(tick.count()));
    const Clock::time_point now = Clock::now();
    if (!pending.stopped && watcher.stop.stop_requested()) {
      pending.stopped = true;
      pending.kill_at = now + grace;
      ::kill(child_, SIGINT);
    }
    pending.late = watcher.seconds > 0 && now - start > std::chrono::duration<double>(watcher.seconds);
    if (pending.late || (pending.kill_at && now > *pending.kill_at)) break;
    if (ready <= 0 && watcher.progress && !pending.stopped) watcher.progress(0, 0);
    if (ready > 0 && waiting[1].revents != 0) alive = send(pending);
    if (ready > 0 && alive && waiting[0].revents != 0) alive = receive(watcher, pending, outcome, done);
    const bool deaf = !pending.taken && now - pending.given > patience;
    if ((alive && !deaf) || done || pending.taken || pending.restarted || pending.stopped) continue;
    end(true);
    pending.restarted = alive = true;
    if (!give(job, pending, outcome)) return ended(Outcome::End::Unstarted);
  }
  if (done) return ended(pending.stopped ? Outcome::End::Stopped : Outcome::End::Done);
  const std::string how = end(pending.late || pending.stopped);
  outcome.reason = pending.late ? fmt::format("it took longer than {:g} s and was ended", watcher.seconds)
                                : fmt::format("the process that ran it ended {}", how);
  return ended(pending.stopped ? Outcome::End::Stopped : pending.late ? Outcome::End::Late : Outcome::End::Died);
}

}  // namespace phobos::worker
