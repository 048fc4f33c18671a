#include "progress.h"

#include <utility>

#include "server.h"

namespace phobos::server {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 500ms;  // before anything is shown

}  // namespace

Progress::Progress(Server& server, lsp::Json token, lsp::Json request, std::string title)
    : server_(server), request_(std::move(request)), title_(std::move(title)), token_(std::move(token)) {}

void Progress::send(lsp::Json value) { server_.send_notification("$/progress", lsp::progress_params(token_, std::move(value))); }

void Progress::begin() {
  state_ = State::Shown;
  send(lsp::progress_begin(title_));
}

void Progress::show() {
  if (state_ != State::Quiet || std::chrono::steady_clock::now() - start_ <= patience) return;
  if (!token_.is_null()) return begin();
  state_ = State::Refused;
  if (!server_.client.takes_progress) return;
  state_ = State::Asked;
  server_.on_handling_thread([self = shared_from_this()] {
    const lsp::Json token = self->server_.new_progress_token(self->request_);
    self->server_.request_client("window/workDoneProgress/create", lsp::token_params(token), [self, token](const lsp::Json&, bool refused) {
      const std::lock_guard again(self->mutex_);
      if (self->state_ != State::Asked) return;
      self->token_ = token;
      if (refused) self->state_ = State::Refused;
      else self->begin();
    });
  });
}

void Progress::report(std::int64_t done, std::int64_t total) {
  const std::lock_guard lock(mutex_);
  show();
  if (state_ != State::Shown) return;
  if (!std::exchange(waits_for_, {}).empty()) send(lsp::progress_message(""));
  if (total <= 0) return;
  const std::int64_t percent = done * 100 / total;
  if (percent == std::exchange(percent_, percent)) return;
  send(lsp::progress_report(percent));
}

void Progress::wait_for(const std::string& other) {
  const std::lock_guard lock(mutex_);
  show();
  if (state_ != State::Shown || std::exchange(waits_for_, other) == other) return;
  send(lsp::progress_message("waits for: " + other));
}

void Progress::end(std::string_view message) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::Shown) send(lsp::progress_end(message));
  state_ = State::Ended;
}

}  // namespace phobos::server
