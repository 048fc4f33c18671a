#include <phobos/server/transport/outbox.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include <doctest/doctest.h>

using namespace phobos::server;
using namespace std::chrono_literals;

namespace {

// A client that reads when it is told to.
class Reader : public Stream {
 public:
  std::size_t read_some(char*, std::size_t) override { return 0; }
  bool write(std::string_view bytes) override {
    std::unique_lock lock(mutex_);
    writing_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return reads_ || stopped_; });
    if (stopped_ || gone) return false;
    text_ += bytes.substr(bytes.find("\r\n\r\n") + 4);
    text_ += ' ';
    return true;
  }
  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  void wait_until_written_to() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return writing_; });
  }
  void read() {
    const std::lock_guard lock(mutex_);
    reads_ = true;
    changed_.notify_all();
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  std::atomic<bool> gone = false;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  bool reads_ = false, stopped_ = false, writing_ = false;
};

}  // namespace

TEST_CASE("what a newer message makes pointless is left out, and all else keeps its order") {
  Reader client;
  Outbox outbox(client, [] {});
  outbox.send("first");
  client.wait_until_written_to();  // it is out of our hands
  outbox.send("a1", "a");
  outbox.send("reply");
  outbox.send("b1", "b");
  outbox.send("a2", "a");
  outbox.send("a3", "a");
  client.read();
  outbox.finish(10s);
  CHECK(client.text() == "first reply b1 a3 ");
}

TEST_CASE("a client that never reads keeps nobody from ending") {
  Reader client;
  bool gone = false;
  {
    Outbox outbox(client, [&] { gone = true; });
    for (int i = 0; i < 100; ++i) outbox.send(std::string(1000, 'x'));
    client.wait_until_written_to();
    outbox.finish(1ms);
  }
  CHECK(gone);
  CHECK(client.text().empty());
}

TEST_CASE("a client that is gone is noticed once, and what is sent to it then goes nowhere") {
  Reader client;
  client.gone = true;
  client.read();
  std::atomic<int> gone = 0;
  std::mutex mutex;
  std::condition_variable noticed;
  Outbox outbox(client, [&] {
    const std::lock_guard lock(mutex);
    ++gone;
    noticed.notify_all();
  });
  outbox.send("x");
  {
    std::unique_lock lock(mutex);
    noticed.wait(lock, [&] { return gone > 0; });
  }
  outbox.send("y");
  outbox.wait_for_room();
  outbox.finish(10s);
  CHECK(gone == 1);
}
