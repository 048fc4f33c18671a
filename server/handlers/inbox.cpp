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

void Inbox::push(Message message, std::size_t bytes) {
  Item item;
  const bool is_about_document = message.form == Message::Form::Request || message.form == Message::Form::Notification;
  if (const auto uri = lsp::uri_of_params(message.params); uri && is_about_document) item.document = lsp::identity_of(*uri);
  item.changes_text = !item.document.empty() && changes_document(message);
  item.bytes = bytes;
  item.message = std::move(message);
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return bytes_ < most_waiting || ended_; });
  if (item.changes_text) ++edits_[item.document];
  bytes_ += bytes;
  items_.push_back(std::move(item));
  arrived_.notify_one();
}

void Inbox::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  Item& item = items_.emplace_back();
  item.task = std::move(task);
  arrived_.notify_one();
}

void Inbox::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  arrived_.notify_one();
  room_.notify_all();
}

std::optional<Inbox::Item> Inbox::pop(std::optional<Clock::time_point> deadline) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return ended_ || !items_.empty(); };
  if (deadline) arrived_.wait_until(lock, *deadline, ready);
  else arrived_.wait(lock, ready);
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  bytes_ -= item.bytes;
  if (item.changes_text && --edits_[item.document] == 0) edits_.erase(item.document);
  room_.notify_one();
  return item;
}

bool Inbox::ended() {
  const std::lock_guard lock(mutex_);
  return ended_ && items_.empty();
}

bool Inbox::has_edit_of(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  return edits_.contains(identity);
}

}  // namespace phobos::server
