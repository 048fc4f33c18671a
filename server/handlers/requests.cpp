#include "requests.h"

namespace phobos::server {

namespace {

std::string key_of(const lsp::Json& id) { return id.dump(-1, ' ', false, lsp::Json::error_handler_t::replace); }

}  // namespace

bool Requests::open(const lsp::Json& id, std::string_view method) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = open_.try_emplace(key_of(id));
  if (fresh) at->second.may_be_cancelled = method != "initialize" && method != "shutdown";
  return fresh;
}

std::stop_token Requests::token(const lsp::Json& id) {
  const std::lock_guard lock(mutex_);
  const auto at = open_.find(key_of(id));
  if (at != open_.end()) return at->second.stop.get_token();
  std::stop_source stopped;
  stopped.request_stop();
  return stopped.get_token();
}

bool Requests::take(const lsp::Json& id) {
  const std::lock_guard lock(mutex_);
  return open_.erase(key_of(id)) > 0;
}

bool Requests::cancel(const lsp::Json& id) {
  std::stop_source stop(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    const auto at = open_.find(key_of(id));
    if (at == open_.end() || !at->second.may_be_cancelled) return false;
    stop = std::move(at->second.stop);
    open_.erase(at);
  }
  stop.request_stop();
  return true;
}

bool Requests::is_open(const lsp::Json& id) {
  const std::lock_guard lock(mutex_);
  return open_.contains(key_of(id));
}

std::size_t Requests::count() {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace phobos::server
