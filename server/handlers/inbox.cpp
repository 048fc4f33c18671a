#include "inbox.h"

#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

namespace phobos::server {

namespace {

using lsp::Message;

bool changes_document(const Message& message) {
  return message.form == Message::Form::Notification && message.method.starts_with("textDocument/did") &&
         message.method != "textDocument/didSave";
}

}  // namespace

void Inbox::push(Message message) {
  const std::lock_guard lock(mutex_);
  if (message.form == Message::Form::Notification && message.method == "$/cancelRequest") {
    if (const lsp::Json* id = lsp::find(message.params, "id")) cancel(*id);
    return;
  }
  Item item;
  if (changes_document(message))
    if (const auto uri = lsp::uri_of_params(message.params)) item.edited = lsp::identity_of(*uri);
  if (!item.edited.empty()) {
    ++edits_[item.edited];
    if (item.edited == background_) background_stop_.request_stop();
  }
  item.message = std::move(message);
  items_.push_back(std::move(item));
  arrived_.notify_one();
}

void Inbox::cancel(const lsp::Json& id) {
  if (running_ && *running_ == id) request_stop_.request_stop();
  for (Item& item : items_)
    if (item.message.form == Message::Form::Request && item.message.id == id) item.cancelled = true;
}

void Inbox::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  arrived_.notify_one();
}

std::optional<Inbox::Item> Inbox::pop(std::optional<Clock::time_point> deadline) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return ended_ || !items_.empty(); };
  if (deadline) arrived_.wait_until(lock, *deadline, ready);
  else arrived_.wait(lock, ready);
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  if (!item.edited.empty() && --edits_[item.edited] == 0) edits_.erase(item.edited);
  if (item.message.form == Message::Form::Request) {
    running_ = item.message.id;
    request_stop_ = std::stop_source();
    item.stop = request_stop_.get_token();
  }
  return item;
}

bool Inbox::ended() {
  const std::lock_guard lock(mutex_);
  return ended_ && items_.empty();
}

void Inbox::request_done() {
  const std::lock_guard lock(mutex_);
  running_.reset();
}

bool Inbox::has_edit_of(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  return edits_.contains(identity);
}

std::stop_token Inbox::background(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  background_ = identity;
  background_stop_ = std::stop_source();
  if (edits_.contains(identity)) background_stop_.request_stop();
  return background_stop_.get_token();
}

void Inbox::background_done() {
  const std::lock_guard lock(mutex_);
  background_.clear();
}

}  // namespace phobos::server
