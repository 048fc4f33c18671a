#include "server.h"

#include <charconv>
#include <cstdio>
#include <ctime>
#include <thread>

#include <fmt/format.h>

#include <phobos/server/handlers/server.h>
#include <phobos/server/transport/framing.h>

#include "handlers.h"

namespace phobos::server {

namespace {

using namespace std::chrono_literals;
using lsp::ErrorCode;
using lsp::Message;

constexpr auto last_words = 2000ms;  // for a client that reads what is left

// Of this thread, in milliseconds that it had a core.
double worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

unsigned pool_threads() { return std::max(2u, std::thread::hardware_concurrency()); }

}  // namespace

Server::Server(Stream& stream, const Options& options)
    : stream_(stream),
      options_(options),
      outbox_(stream, [this] { inbox_.end(); }),
      pool_(pool_threads()),
      runs_(options.program),
      searches_(options.program),
      background_runs_(options.program) {
  if (options.record.empty()) return;
  recording_.open(options.record, std::ios::binary | std::ios::trunc);
  if (!recording_) fmt::print(stderr, "phobos lsp: {} cannot be written; nothing is recorded\n", options.record);
}

Server::~Server() = default;

int Server::run() {
  std::thread reader([this] { read(); });
  while (!exited) {
    std::optional<Inbox::Item> item = inbox_.pop(workspace.next_due());
    const double before = worked();
    const std::string method = !item ? "analysis" : item->task ? "task" : item->message.method;
    if (item) handle(std::move(*item));
    else if (inbox_.ended()) break;
    publish_due();
    count_turn(before, method);
  }
  for (auto& [identity, desk] : desks_) desk.stop.request_stop();
  inbox_.end();
  outbox_.finish(last_words);
  stream_.stop();
  reader.join();
  return state == State::ShutDown ? 0 : 1;
}

void Server::count_turn(double before, std::string_view method) {
  ++turns_.count;
  const double took = worked() - before;
  if (took <= turns_.longest_ms) return;
  turns_.longest_ms = took;
  turns_.longest = method;
}

// The reading thread. It stops at `exit`, since nothing may follow.
void Server::read() {
  FrameReader frames;
  std::string buffer(64u << 10, '\0');
  for (bool reading = true; reading;) {
    outbox_.wait_for_room();
    const std::size_t size = stream_.read_some(buffer.data(), buffer.size());
    if (size == 0) break;
    frames.feed(std::string_view(buffer).substr(0, size));
    while (std::optional<Frame> frame = frames.next()) {
      Message message;
      std::size_t bytes = 0;
      if (const auto* malformed = std::get_if<Malformed>(&*frame)) {
        message.error = ErrorCode::ParseError;
        message.reason = malformed->reason;
      } else {
        const std::string& text = std::get<Body>(*frame).text;
        bytes = text.size();
        message = lsp::parse_message(text);
        if (recording_.is_open()) record(text);
      }
      const bool last = message.form == Message::Form::Notification && message.method == "exit";
      receive(std::move(message), bytes);
      if (last) {
        reading = false;
        break;
      }
    }
  }
  inbox_.end();
}

void Server::record(std::string_view body) {
  const lsp::Json message = lsp::recorded_message(body);
  if (message.is_null()) return;
  recording_ << lsp::recorded_line(options_.record_sources ? message : redactor_.redacted(message)) << std::flush;
  if (recording_) return;
  recording_.close();
  fmt::print(stderr, "phobos lsp: {} cannot be written any more; nothing more is recorded\n", options_.record);
}

// Still on the reading thread: what must not wait its turn.
void Server::receive(Message message, std::size_t bytes) {
  if (message.form == Message::Form::Notification && message.method == "$/cancelRequest") {
    const lsp::Json* id = lsp::find(message.params, "id");
    if (id != nullptr && requests_.cancel(*id)) outbox_.send(lsp::error_reply(*id, ErrorCode::RequestCancelled, "cancelled"));
    return;
  }
  if (message.form == Message::Form::Request && !requests_.open(message.id, message.method)) {
    message.form = Message::Form::Bad;
    message.error = ErrorCode::InvalidRequest;
    message.reason = "a request of that id is still to be answered";
  }
  inbox_.push(std::move(message), bytes);
}

void Server::handle(Inbox::Item item) {
  if (item.task) return item.task();
  if (waits(item)) return;
  switch (item.message.form) {
    case Message::Form::Request: answer(item); break;
    case Message::Form::Notification: notice(item.message); break;
    case Message::Form::Response: take_response(item.message); break;
    case Message::Form::Bad:
      log(item.message.reason);
      outbox_.send(lsp::error_reply(item.message.id, item.message.error, item.message.reason));
      break;
  }
}

void Server::fail(const lsp::Json& id, ErrorCode code, std::string_view reason) {
  if (requests_.take(id)) outbox_.send(lsp::error_reply(id, code, reason));
}

void Server::answer(Inbox::Item& item) {
  const Message& message = item.message;
  if (!requests_.is_open(message.id)) return;  // cancelled
  const bool is_initialize = message.method == "initialize";
  if (state == State::Fresh && !is_initialize) return fail(message.id, ErrorCode::ServerNotInitialized, "the server is not initialized");
  if (state == State::ShutDown) return fail(message.id, ErrorCode::InvalidRequest, "the server was shut down");
  if (state == State::Running && is_initialize) return fail(message.id, ErrorCode::InvalidRequest, "the server is initialized already");
  if (const RunHandler* run = run_handler(message.method)) {
    return begin_run(*run, message);
  }
  const RequestHandler* handler = request_handler(message.method);
  if (handler == nullptr) return fail(message.id, ErrorCode::MethodNotFound, fmt::format("there is no method `{}`", message.method));
  Views views;
  try {
    if (!prepare(*handler, item, views)) return;  // it waits
  } catch (const std::exception& error) {
    log(fmt::format("{} failed: {}", message.method, error.what()));
    return fail(message.id, ErrorCode::InternalError, "internal error");
  }
  if (!is_slow(*handler, item)) return respond(*handler, message, requests_.token(message.id));
  answer_slowly(*handler, std::move(item), std::move(views));
}

// A document that is not open is an empty one.
void Server::ask(const Feature& feature, const lsp::Json& params, std::stop_token stop, std::string& out) {
  const auto answer = [&](const Asked& asked) {
    if (feature.write != nullptr) feature.write(asked, params, out);
    else out += lsp::text_of(feature.answer(asked, params));
  };
  const std::optional<std::string> uri = lsp::uri_of_params(params);
  if (!uri) throw lsp::InvalidParams("`textDocument.uri` is missing");
  const View opened = view(*uri, stop);
  const std::shared_ptr<const lsp::Settings> wanted = settings(*uri);
  if (opened) return answer({*opened.snapshot, *opened.document, client, stop, wanted, opened.tokens, opened.saved, opened.symbols});
  session::Session nothing("");
  const auto snapshot = nothing.snapshot();
  lsp::DocumentName name;
  name.uri = *uri;
  answer({*snapshot, std::move(name), client, stop, wanted, nullptr, nullptr, nullptr});
}

void Server::reply(const lsp::Json& id, lsp::Json result) {
  std::string text = lsp::reply(id, std::move(result));
  if (requests_.take(id)) outbox_.send(std::move(text));
}

void Server::begin_run(const RunHandler& handler, const Message& message) {
  try {
    handler.start(*this, message, requests_.token(message.id));
  } catch (const lsp::RequestFailed& error) {
    fail(message.id, error.code, error.what());
  } catch (const lsp::InvalidParams& error) {
    fail(message.id, ErrorCode::InvalidParams, error.what());
  } catch (const std::exception& error) {
    log(fmt::format("{} failed: {}", message.method, error.what()));
    fail(message.id, ErrorCode::InternalError, "internal error");
  }
}

// Whatever goes wrong in a handler is an answer and a line in the log.
void Server::respond(const RequestHandler& handler, const Message& message, std::stop_token stop) {
  try {
    std::string reply = lsp::begin_reply(message.id);
    if (handler.feature) ask(*handler.feature, message.params, stop, reply);
    else reply += lsp::text_of(handler.run(*this, message.params, stop));
    if (stop.stop_requested() && !requests_.is_open(message.id)) return;
    lsp::end_reply(reply);
    if (requests_.take(message.id)) outbox_.send(std::move(reply));
  } catch (const Cancelled&) {
    fail(message.id, ErrorCode::RequestCancelled, "cancelled");
  } catch (const lsp::RequestFailed& error) {
    fail(message.id, error.code, error.what());
  } catch (const lsp::InvalidParams& error) {
    log(fmt::format("{}: {}", message.method, error.what()));
    fail(message.id, ErrorCode::InvalidParams, error.what());
  } catch (const std::exception& error) {
    log(fmt::format("{} failed: {}", message.method, error.what()));
    fail(message.id, ErrorCode::InternalError, "internal error");
  }
}

void Server::notice(const Message& message) {
  if (state != State::Running && message.method != "exit") return;
  const NotificationHandler* handler = notification_handler(message.method);
  if (handler == nullptr) {
    if (!message.method.starts_with("$/")) log(fmt::format("`{}` is not handled", message.method));
    return;
  }
  try {
    handler->run(*this, message.params);
  } catch (const std::exception& error) {
    log(fmt::format("{} failed: {}", message.method, error.what()));
  }
}

void Server::log(std::string_view message) {
  fmt::print(stderr, "phobos lsp: {}\n", message);
  if (state == State::Running) send_notification("window/logMessage", lsp::log_params(message));
}

void Server::send_notification(std::string_view method, lsp::Json params, std::string subject) {
  outbox_.send(lsp::notification(method, std::move(params)), std::move(subject));
}

int run(Stream& stream, const Options& options) {
  return Server(stream, options).run();
}

int run_stdio(const Options& options) {
  return run(*standard_stream(), options);
}

int run_listen(const std::string& address, bool allow_remote, const Options& options) {
  const std::size_t colon = address.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : address.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  const std::string port_text = address.substr(colon == std::string::npos ? 0 : colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (port_text.empty() || error != std::errc() || end != port_text.data() + port_text.size() || port > 0xffff) {
    fmt::print(stderr, "phobos lsp: `{}` is not [HOST:]PORT\n", address);
    return 2;
  }
  if (!is_loopback(host)) {
    if (!allow_remote) {
      fmt::print(stderr, "phobos lsp: {} can be reached from other machines, and whoever reaches the server can run programs here; "
                         "--allow-remote allows it\n", host);
      return 2;
    }
    fmt::print(stderr, "phobos lsp: warning: whoever reaches {} port {} can read files and run kernels here\n", host, port);
  }
  const auto announce = [](unsigned short listening) { fmt::print(stderr, "phobos lsp: listening on port {}\n", listening); };
  auto stream = accept_client(host, static_cast<unsigned short>(port), announce);
  if (!stream) {
    fmt::print(stderr, "phobos lsp: {}\n", stream.message());
    return 1;
  }
  return run(**stream, options);
}

}  // namespace phobos::server
