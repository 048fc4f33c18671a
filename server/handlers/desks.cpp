// Whose turn it is: what is handled at once, what waits for a session that is away, and what an edit makes pointless.
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "handlers.h"

namespace phobos::server {

namespace {

using lsp::ErrorCode;
using lsp::Message;

bool is(const Message& message, std::string_view method) {
  return message.form == Message::Form::Notification && message.method == method;
}

}  // namespace

bool Server::is_away(const std::string& identity) const {
  const auto found = workspace.documents().find(identity);
  return found != workspace.documents().end() && found->second->away;
}

// Whether the item was put aside until the session of its document is back. A document that is opened anew or closed needs it no more.
bool Server::waits(Inbox::Item& item) {
  if (item.document.empty() || !is_away(item.document)) return false;
  if (is(item.message, "textDocument/didOpen") || is(item.message, "textDocument/didClose")) return false;
  if (item.changes_text) text_moves_on(desks_[item.document]);
  desks_[item.document].waiting.push_back(std::move(item));
  return true;
}

// A request whose text nobody has any more; the client asks again where it still wants to know.
void Server::outdate(const lsp::Json& id) {
  if (requests_.cancel(id)) outbox_.send(lsp::error_reply(id, ErrorCode::ContentModified, "the text has changed"));
}

void Server::text_moved_on(Desk& desk) {
  for (const lsp::Json& id : desk.slow) outdate(id);
  desk.slow.clear();
}

// An edit has come that is still to be applied: what it will make pointless is ended now.
void Server::text_moves_on(Desk& desk) {
  desk.stop.request_stop();
  text_moved_on(desk);
  for (const Inbox::Item& item : desk.waiting)
    if (item.message.form == Message::Form::Request) outdate(item.message.id);
  std::erase_if(desk.waiting, [](const Inbox::Item& item) { return item.message.form == Message::Form::Request; });
}

void Server::send_away(const std::shared_ptr<Document>& document) {
  Desk& desk = desks_[document->identity];
  document->away = true;
  desk.stop = std::stop_source();
  pool_.run([this, document, stop = desk.stop.get_token()] {
    const Clock::time_point start = Clock::now();
    bool complete = false;
    std::string failure;
    try {
      complete = document->session.snapshot(stop) != nullptr;
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const Clock::duration took = Clock::now() - start;
    inbox_.post([this, document, complete, took, failure]() mutable { came_back(std::move(document), complete, took, failure); });
  });
}

void Server::came_back(std::shared_ptr<Document> document, bool complete, Clock::duration took, const std::string& failure) {
  document->away = false;
  const auto now = workspace.documents().find(document->identity);
  if (now == workspace.documents().end() || now->second != document) return let_go_of(std::move(document));  // closed or opened anew meanwhile
  document->last_rebuild = took;
  document->rebuilt_much = true;
  document->measured = complete;
  if (complete) document->bulk = false;
  if (!failure.empty()) {
    document->failed = true;
    document->due.reset();
    log(fmt::format("the analysis of {} failed: {}", document->uri, failure));
  }
  if (document->due && complete) document->due = Clock::now();
  resume(document->identity);
  for (std::size_t left = waiting_for_all_.size(); left > 0; --left) {
    Inbox::Item item = std::move(waiting_for_all_.front());
    waiting_for_all_.pop_front();
    handle(std::move(item));
  }
}

// What waited, in its order, until the session goes away again.
void Server::resume(const std::string& identity) {
  for (;;) {
    const auto desk = desks_.find(identity);
    if (desk == desks_.end() || desk->second.waiting.empty() || is_away(identity)) return;
    Inbox::Item item = std::move(desk->second.waiting.front());
    desk->second.waiting.pop_front();
    const bool request = item.message.form == Message::Form::Request;
    handle(std::move(item));
    if (!is_away(identity)) continue;
    // It is away because of this very request, which was put behind those that came after it.
    Desk& now = desks_[identity];
    if (request && now.waiting.size() > 1) {
      now.waiting.push_front(std::move(now.waiting.back()));
      now.waiting.pop_back();
    }
    return;
  }
}

// Sees to it that what the handler is to look at is there. False where it has to wait for it.
bool Server::prepare(const RequestHandler& handler, Inbox::Item& item, Views& views) {
  if (handler.needs == Needs::AllDocuments) {
    bool all = true;
    for (const auto& [identity, document] : workspace.documents()) {
      if (is_away(identity)) all = false;
      else if (!document->is_quick()) send_away(document), all = false;
    }
    if (!all) {
      waiting_for_all_.push_back(std::move(item));
      return false;
    }
    for (const auto& [identity, document] : workspace.documents())
      if (!document->failed) views[identity] = view_of(*document, {});
    return true;
  }
  const auto found = item.document.empty() ? workspace.documents().end() : workspace.documents().find(item.document);
  if (found == workspace.documents().end()) return true;
  const std::shared_ptr<Document> document = found->second;
  if (!document->is_quick()) {
    send_away(document);
    desks_[item.document].waiting.push_back(std::move(item));
    return false;
  }
  if (is_slow(handler, item) && !document->failed) {
    views[item.document] = view_of(*document, {});
    std::vector<lsp::Json>& slow = desks_[item.document].slow;
    std::erase_if(slow, [&](const lsp::Json& id) { return !requests_.is_open(id); });
    slow.push_back(item.message.id);
  }
  return true;
}

bool Server::is_slow(const RequestHandler& handler, const Inbox::Item& item) const {
  const auto found = workspace.documents().find(item.document);
  if (handler.feature != nullptr && handler.feature->reads_disk != nullptr && found != workspace.documents().end()) {
    const session::Session& session = found->second->session;
    if (handler.feature->reads_disk(session.text(), {session.text(), session.lines(), client.encoding}, item.message.params)) return true;
  }
  if (handler.lane != Lane::Whole) return handler.lane == Lane::Slow;
  return found != workspace.documents().end() && found->second->session.text().size() > quick_text;
}

void Server::answer_slowly(const RequestHandler& handler, Inbox::Item item, Views views) {
  const auto message = std::make_shared<const Message>(std::move(item.message));
  const auto taken = std::make_shared<const Views>(std::move(views));
  pool_.run([this, &handler, message, taken, stop = requests_.token(message->id)] {
    if (stop.stop_requested()) return;
    {
      const std::lock_guard lock(views_mutex_);
      views_of_threads_[std::this_thread::get_id()] = taken.get();
    }
    respond(handler, *message, stop);
    const std::lock_guard lock(views_mutex_);
    views_of_threads_.erase(std::this_thread::get_id());
  });
}

Server::View Server::view_of(Document& document, std::stop_token stop) {
  View view{std::make_shared<lsp::DocumentName>(lsp::DocumentName{document.uri, document.version}), document.session.snapshot(stop),
            client.encoding, document.tokens, std::make_shared<const SavedFindings>(document.saved), desks_[document.identity].symbols};
  if (!view.snapshot) throw Cancelled();
  return view;
}

Server::View Server::view(const std::string& uri, std::stop_token stop) {
  const std::string identity = lsp::identity_of(uri);
  {
    const std::lock_guard lock(views_mutex_);
    if (const auto taken = views_of_threads_.find(std::this_thread::get_id()); taken != views_of_threads_.end()) {
      const auto found = taken->second->find(identity);
      return found == taken->second->end() ? View{} : found->second;
    }
  }
  Document* document = workspace.find(identity);
  return document == nullptr ? View{} : view_of(*document, stop);
}

std::vector<Server::View> Server::views() {
  const std::lock_guard lock(views_mutex_);
  std::vector<View> all;
  if (const auto taken = views_of_threads_.find(std::this_thread::get_id()); taken != views_of_threads_.end())
    for (const auto& [identity, view] : *taken->second) all.push_back(view);
  return all;
}

// --- texts ---

void Server::let_go_of(std::shared_ptr<Document> document) {
  if (document) pool_.run([document = std::move(document)] {});
}

void Server::opened(Document& document) {
  text_moves_on(desks_[document.identity]);
  desks_.erase(document.identity);
  document.schedule(Clock::now(), document.session.text().size());
}

void Server::changed(Document& document, std::size_t new_bytes) {
  text_moved_on(desks_[document.identity]);
  document.schedule(Clock::now(), new_bytes);
}

void Server::closed(const std::string& identity, const std::string& uri) {
  text_moves_on(desks_[identity]);
  desks_.erase(identity);
  publish_nothing(uri);
}

// --- diagnostics ---

void Server::publish_due() {
  for (const std::shared_ptr<Document>& document : workspace.due_at(Clock::now())) {
    // Those of a text that a waiting message changes would be stale: they are left due until that was handled.
    if (inbox_.has_edit_of(document->identity)) continue;
    if (!document->is_quick()) {
      send_away(document);
      continue;
    }
    try {
      publish(*document);
    } catch (const std::exception& error) {
      document->due.reset();
      document->failed = true;
      log(fmt::format("the analysis of {} failed: {}", document->uri, error.what()));
    }
  }
}

}  // namespace phobos::server
