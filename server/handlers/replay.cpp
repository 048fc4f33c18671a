// A recorded session, run again: each message is sent when the requests before it are answered, and what the server says is written down.
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <string>

#include <fmt/format.h>

#include <phobos/server/handlers/server.h>
#include <phobos/server/lsp/recording.h>
#include <phobos/server/transport/framing.h>

#include "server.h"

namespace phobos::server {

namespace {

class Replay : public Stream {
 public:
  explicit Replay(std::istream& recording) : recording_(recording) {}

  std::size_t read_some(char* into, std::size_t size) override {
    if (at_ == next_.size() && !take_next()) return 0;
    size = std::min(size, next_.size() - at_);
    next_.copy(into, size, at_);
    at_ += size;
    return size;
  }

  bool write(std::string_view bytes) override {
    frames_.feed(bytes);
    while (const auto frame = frames_.next()) {
      const std::string& text = std::get<Body>(*frame).text;
      fmt::print("{}\n", text);
      const lsp::Json message = lsp::recorded_message(text);
      const lsp::Json* id = lsp::find(message, "id");
      if (id == nullptr || lsp::find(message, "method") != nullptr) continue;
      const std::lock_guard lock(mutex_);
      open_.erase(id->dump());
      answered_.notify_all();
    }
    std::fflush(stdout);
    return true;
  }

  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    answered_.notify_all();
  }

 private:
  bool take_next() {
    std::string line;
    lsp::Json message;
    while (message.is_null() && std::getline(recording_, line)) message = lsp::recorded_message(line);
    if (message.is_null()) return false;
    const lsp::Json* id = lsp::find(message, "id");
    const bool request = id != nullptr && lsp::find(message, "method") != nullptr;
    const bool cancels = message.value("method", "") == "$/cancelRequest";
    std::unique_lock lock(mutex_);
    if (!cancels) answered_.wait(lock, [&] { return open_.empty() || stopped_; });
    if (request) open_.insert(id->dump());
    next_ = framed(message.dump());
    at_ = 0;
    return !stopped_;
  }

  std::istream& recording_;
  FrameReader frames_;
  std::string next_;
  std::size_t at_ = 0;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::set<std::string> open_;  // ids of requests
  bool stopped_ = false;
};

}  // namespace

int run_replay(const std::string& path, const Options& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fmt::print(stderr, "phobos lsp: {} cannot be read\n", path);
    return 2;
  }
  Replay replay(file);
  run(replay, options);
  return 0;
}

}  // namespace phobos::server
