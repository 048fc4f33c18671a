// How far a job has got, shown by the client with a button that ends it. A short job shows nothing. The token is the client's own, or
// one that it is asked to take; until it has answered, nothing is sent, and after a refusal nothing at all.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <phobos/server/lsp/json.h>

namespace phobos::server {

class Server;

class Progress : public std::enable_shared_from_this<Progress> {
 public:
  // `token`: of the request, or null. `request`: the id of what is ended by the client's button.
  Progress(Server& server, lsp::Json token, lsp::Json request, std::string title);

  // From any thread.
  void report(std::int64_t done, std::int64_t total);
  // It has not begun: that other job is before it.
  void wait_for(const std::string& other);
  void end(std::string_view message);

 private:
  enum class State { Quiet, Asked, Shown, Refused, Ended };
  void show();  // once it has taken long enough
  void begin();
  void send(lsp::Json value);

  Server& server_;
  const lsp::Json request_;
  const std::string title_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  lsp::Json token_;
  State state_ = State::Quiet;
  std::int64_t percent_ = -1;
  std::string waits_for_;  // as it was told
};

}  // namespace phobos::server
