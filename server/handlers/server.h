#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>
#include <phobos/server/transport/stream.h>
#include <phobos/server/workspace/workspace.h>

#include "inbox.h"

namespace phobos::server {

// Thrown by a handler whose request was cancelled while it ran.
struct Cancelled {};

// What handlers work on. It lives on the handling thread alone.
class Server {
 public:
  enum class State { Fresh, Running, ShutDown };

  explicit Server(Stream& stream) : stream_(stream) {}
  int run();

  State state = State::Fresh;
  bool exited = false;
  lsp::InitializeParams client;
  Workspace workspace;

  void log(std::string_view message);
  void publish(Document& document);
  void publish_nothing(const std::string& uri, std::optional<std::int64_t> version);

  // The document as it is now; null where it is not open. Throws Cancelled.
  struct View {
    const Document* document = nullptr;
    std::shared_ptr<const session::Snapshot> snapshot;
    lsp::Border border() const { return {snapshot->text(), snapshot->lines(), encoding}; }
    Encoding encoding = Encoding::Utf16;
    explicit operator bool() const { return snapshot != nullptr; }
  };
  View view(const std::string& uri, std::stop_token stop);

 private:
  void read();
  void handle(Inbox::Item item);
  void answer(const Inbox::Item& item);
  void notice(const lsp::Message& message);
  void publish_due();
  void send(const std::string& message);

  Stream& stream_;
  Inbox inbox_;
};

}  // namespace phobos::server
