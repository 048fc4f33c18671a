// What has been read and not yet been handled: one thread reads messages into it, another handles them strictly in order. A
// cancellation is not among them: it is seen to when it is read (requests.h). Other threads leave tasks here for the handling thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <phobos/server/lsp/json.h>
#include <phobos/server/workspace/workspace.h>

namespace phobos::server {

class Inbox {
 public:
  static constexpr std::size_t most_waiting = 64u << 20;  // bytes of messages; past that no more is read

  struct Item {
    lsp::Message message;
    std::string document;        // identity of the one that it is about; empty where it is about none
    bool changes_text = false;   // of that document
    std::function<void()> task;  // in place of a message
    std::size_t bytes = 0;
  };

  // From the reading thread. Waits while too much is unhandled.
  void push(lsp::Message message, std::size_t bytes);
  void end();  // nothing more will come
  // From any thread.
  void post(std::function<void()> task);

  // From the handling thread. Waits until there is an item, the deadline passed (none), or the stream ended (none, and ended()).
  std::optional<Item> pop(std::optional<Clock::time_point> deadline);
  bool ended();
  // Whether a change of its text waits.
  bool has_edit_of(const std::string& identity);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_, room_;
  std::deque<Item> items_;
  bool ended_ = false;
  std::size_t bytes_ = 0;
  std::map<std::string, int> edits_;  // waiting edits by document
};

}  // namespace phobos::server
