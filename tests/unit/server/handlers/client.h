// A client in the same process: the server runs on a thread of its own and the two talk through a pair of pipes. Nothing sleeps:
// the client waits for what it asked for.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include <phobos/server/handlers/server.h>
#include <phobos/server/transport/framing.h>

using Json = nlohmann::json;

class Pipe {
 public:
  void write(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::size_t read_some(char* into, std::size_t size) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !bytes_.empty(); });
    size = std::min(size, bytes_.size());
    bytes_.copy(into, size);
    bytes_.erase(0, size);
    return size;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  bool closed_ = false;
};

class Client : private phobos::server::Stream {
 public:
  Client() : thread_([this] {
    status_ = phobos::server::run(*this);
    from_server_.close();
  }) {}
  ~Client() override {
    hang_up();
    if (thread_.joinable()) thread_.join();
  }

  void send_raw(std::string_view bytes) { to_server_.write(bytes); }
  void send(const Json& message) { send_raw(phobos::server::framed(message.dump())); }
  void notify(const std::string& method, Json params) { send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}); }

  // The reply to a request, or its error; what else comes before it is kept.
  Json request(const std::string& method, Json params) {
    const int id = next_id_++;
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    return reply_to(id);
  }
  Json reply_to(const Json& id) {
    return wait([&](const Json& message) { return message.contains("id") && message["id"] == id && !message.contains("method"); });
  }
  // Diagnostics of a version; those of earlier ones are thrown away.
  Json diagnostics(const std::string& uri, int version) {
    return wait([&](const Json& message) {
      return message.value("method", "") == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri &&
             message["params"].value("version", -1) == version;
    })["params"]["diagnostics"];
  }
  Json notification(const std::string& method) {
    return wait([&](const Json& message) { return message.value("method", "") == method; })["params"];
  }
  // What has come so far and was not asked for.
  std::size_t count(const std::string& method) const {
    return static_cast<std::size_t>(std::count_if(kept_.begin(), kept_.end(), [&](const Json& each) { return each.value("method", "") == method; }));
  }
  // A request of the server's to this client.
  Json asked(const std::string& method) {
    return wait([&](const Json& message) { return message.value("method", "") == method && message.contains("id"); });
  }
  void answer(const Json& asked, Json result) { send({{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", std::move(result)}}); }
  // All that has come so far and was not asked for.
  const std::deque<Json>& kept() const { return kept_; }
  // Whether a message of that method has come so far and was not asked for.
  bool has(const std::string& method) const {
    for (const Json& message : kept_)
      if (message.value("method", "") == method) return true;
    return false;
  }

  // A client that knows versions: each has its diagnostics.
  void initialize(Json capabilities = Json::object()) {
    capabilities["textDocument"]["publishDiagnostics"]["versionSupport"] = true;
    request("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", std::move(capabilities)}});
    notify("initialized", Json::object());
  }
  void open(const std::string& uri, const std::string& text, int version = 1) {
    notify("textDocument/didOpen", {{"textDocument", {{"uri", uri}, {"languageId", "phobos"}, {"version", version}, {"text", text}}}});
  }
  void change(const std::string& uri, int version, Json changes) {
    notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", std::move(changes)}});
  }

  void hang_up() { to_server_.close(); }
  int exit_status() {
    thread_.join();
    return status_;
  }

 private:
  std::size_t read_some(char* into, std::size_t size) override { return to_server_.read_some(into, size); }
  void stop() override { to_server_.close(); }
  bool write(std::string_view bytes) override {
    from_server_.write(bytes);
    return true;
  }

  template <class Wanted>
  Json wait(Wanted wanted) {
    for (auto message = kept_.begin(); message != kept_.end(); ++message)
      if (wanted(*message)) {
        Json found = std::move(*message);
        kept_.erase(message);
        return found;
      }
    char buffer[4096];
    for (;;) {
      while (auto frame = frames_.next()) {
        Json message = Json::parse(std::get<phobos::server::Body>(*frame).text);
        if (wanted(message)) return message;
        kept_.push_back(std::move(message));
      }
      const std::size_t size = from_server_.read_some(buffer, sizeof buffer);
      if (size == 0) return nullptr;  // the server ended: the test's checks will fail
      frames_.feed({buffer, size});
    }
  }

  Pipe to_server_, from_server_;
  phobos::server::FrameReader frames_;
  std::deque<Json> kept_;
  int next_id_ = 1;
  int status_ = -1;
  std::thread thread_;  // last: it uses all of the above
};

inline Json position(unsigned line, unsigned character) {
  return {{"line", line}, {"character", character}};
}
inline Json range(unsigned line, unsigned from, unsigned end_line, unsigned to) {
  return {{"start", position(line, from)}, {"end", position(end_line, to)}};
}
inline Json document(const std::string& uri) {
  return {{"textDocument", {{"uri", uri}}}};
}
