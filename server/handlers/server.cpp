#include "server.h"

#include <charconv>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include <phobos/server/handlers/server.h>
#include <phobos/server/transport/framing.h>

#include "handlers.h"

namespace phobos::server {

namespace {

using lsp::ErrorCode;
using lsp::Message;

}  // namespace

int Server::run() {
  std::thread reader([this] { read(); });
  while (!exited) {
    std::optional<Inbox::Item> item = inbox_.pop(workspace.next_due());
    if (item) handle(std::move(*item));
    else if (inbox_.ended()) break;
    publish_due();
  }
  reader.join();
  return state == State::ShutDown ? 0 : 1;
}

// The reading thread. It stops at `exit`, since nothing may follow.
void Server::read() {
  FrameReader frames;
  std::string buffer(64u << 10, '\0');
  for (bool reading = true; reading;) {
    const std::size_t size = stream_.read_some(buffer.data(), buffer.size());
    if (size == 0) break;
    frames.feed(std::string_view(buffer).substr(0, size));
    while (std::optional<Frame> frame = frames.next()) {
      Message message;
      if (const auto* malformed = std::get_if<Malformed>(&*frame)) {
        message.error = ErrorCode::ParseError;
        message.reason = malformed->reason;
      } else {
        message = lsp::parse_message(std::get<Body>(*frame).text);
      }
      const bool last = message.form == Message::Form::Notification && message.method == "exit";
      inbox_.push(std::move(message));
      if (last) {
        reading = false;
        break;
      }
    }
  }
  inbox_.end();
}

void Server::handle(Inbox::Item item) {
  switch (item.message.form) {
    case Message::Form::Request:
      answer(item);
      inbox_.request_done();
      break;
    case Message::Form::Notification: notice(item.message); break;
    case Message::Form::Response: break;
    case Message::Form::Bad:
      log(item.message.reason);
      send(lsp::error_reply(item.message.id, item.message.error, item.message.reason));
      break;
  }
}

// Whatever goes wrong in a handler is an answer and a line in the log.
void Server::answer(const Inbox::Item& item) {
  const Message& message = item.message;
  const auto fail = [&](ErrorCode code, std::string_view reason) { send(lsp::error_reply(message.id, code, reason)); };
  const bool is_initialize = message.method == "initialize";
  if (state == State::Fresh && !is_initialize) return fail(ErrorCode::ServerNotInitialized, "the server is not initialized");
  if (state == State::ShutDown) return fail(ErrorCode::InvalidRequest, "the server was shut down");
  if (state == State::Running && is_initialize) return fail(ErrorCode::InvalidRequest, "the server is initialized already");
  if (item.cancelled) return fail(ErrorCode::RequestCancelled, "cancelled");
  const RequestHandler* handler = request_handler(message.method);
  if (handler == nullptr) return fail(ErrorCode::MethodNotFound, fmt::format("there is no method `{}`", message.method));
  try {
    send(lsp::reply(message.id, handler->run(*this, message.params, item.stop)));
  } catch (const Cancelled&) {
    fail(ErrorCode::RequestCancelled, "cancelled");
  } catch (const lsp::InvalidParams& error) {
    log(fmt::format("{}: {}", message.method, error.what()));
    fail(ErrorCode::InvalidParams, error.what());
  } catch (const std::exception& error) {
    log(fmt::format("{} failed: {}", message.method, error.what()));
    fail(ErrorCode::InternalError, "internal error");
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

void Server::publish_due() {
  for (Document* document : workspace.due_at(Clock::now())) {
    try {
      publish(*document);
    } catch (const std::exception& error) {
      document->due.reset();
      log(fmt::format("the analysis of {} failed: {}", document->uri, error.what()));
    }
  }
}

// Diagnostics of a text that a waiting message changes would be stale: they are left due until that was handled.
void Server::publish(Document& document) {
  if (inbox_.has_edit_of(document.identity)) return;
  const Clock::time_point start = Clock::now();
  const std::shared_ptr<const session::Snapshot> snapshot = document.session.snapshot(inbox_.background(document.identity));
  inbox_.background_done();
  if (!snapshot) {
    document.last_rebuild = std::max(document.last_rebuild, Clock::now() - start);
    return;
  }
  document.last_rebuild = Clock::now() - start;
  document.due.reset();
  if (lsp::scheme_of(document.uri) == "git") return;  // an old state of a file that is open as itself
  const lsp::Border border(snapshot->text(), snapshot->lines(), client.encoding);
  send(lsp::notification("textDocument/publishDiagnostics",
                         lsp::publish_params({document.uri, document.version}, snapshot->diagnostics(), border)));
}

void Server::publish_nothing(const std::string& uri, std::optional<std::int64_t> version) {
  const LineMap lines("");
  send(lsp::notification("textDocument/publishDiagnostics", lsp::publish_params({uri, version}, {}, {"", lines, client.encoding})));
}

Server::View Server::view(const std::string& uri, std::stop_token stop) {
  Document* document = workspace.find(lsp::identity_of(uri));
  if (document == nullptr) return {};
  View view{document, document->session.snapshot(stop), client.encoding};
  if (!view.snapshot) throw Cancelled();
  return view;
}

void Server::log(std::string_view message) {
  fmt::print(stderr, "phobos lsp: {}\n", message);
  if (state == State::Running) send(lsp::notification("window/logMessage", lsp::log_params(message)));
}

// A client that is gone is noticed by the reading thread, at the end of the stream.
void Server::send(const std::string& message) {
  stream_.write(framed(message));
}

int run(Stream& stream) {
  return Server(stream).run();
}

int run_stdio() {
  return run(*standard_stream());
}

int run_listen(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const std::string host = colon == std::string::npos ? "127.0.0.1" : address.substr(0, colon);
  const std::string port_text = address.substr(colon == std::string::npos ? 0 : colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (port_text.empty() || error != std::errc() || end != port_text.data() + port_text.size() || port > 0xffff) {
    fmt::print(stderr, "phobos lsp: `{}` is not [HOST:]PORT\n", address);
    return 2;
  }
  const auto announce = [](unsigned short listening) { fmt::print(stderr, "phobos lsp: listening on port {}\n", listening); };
  auto stream = accept_client(host == "localhost" ? "127.0.0.1" : host, static_cast<unsigned short>(port), announce);
  if (!stream) {
    fmt::print(stderr, "phobos lsp: {}\n", stream.message());
    return 1;
  }
  return run(**stream);
}

}  // namespace phobos::server
