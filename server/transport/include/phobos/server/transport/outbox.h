// What goes to the client, in order, by a thread of its own: nobody who has something to say waits for a client that does not read.
// What a newer message makes pointless before it was read is left out. What waits is bounded by whoever reads from the client: while
// `has_room` is false nothing more is taken from it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <phobos/server/transport/stream.h>

namespace phobos::server {

class Outbox {
 public:
  static constexpr std::size_t most_waiting = 64u << 20;  // bytes

  // `gone` is called once, from the outbox's thread, when the client takes no more.
  Outbox(Stream& stream, std::function<void()> gone);
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // A message's body. With a `subject`, one of the same subject that still waits is left out.
  void send(std::string body, std::string subject = {});
  // Waits until less than `most_waiting` bytes are unread, or the client is gone.
  void wait_for_room();
  // Nothing follows: gives the client time to read what waits, for as long as it keeps reading within each `patience`.
  void finish(std::chrono::milliseconds patience);

 private:
  struct Waiting {
    std::string body, subject;
  };
  void work();

  Stream& stream_;
  std::function<void()> gone_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Waiting> waiting_;
  std::map<std::string, std::list<Waiting>::iterator> subjects_;
  std::size_t bytes_ = 0, written_ = 0;
  bool ended_ = false, broken_ = false, idle_ = true;
  std::thread thread_;
};

}  // namespace phobos::server
