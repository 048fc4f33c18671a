// The requests that are still to be answered. Each is answered once: by whoever is first to take it from here. So a cancellation is
// answered when it is read, whatever the work on its request is doing, and what that work comes to later goes nowhere.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <phobos/server/lsp/json.h>

namespace phobos::server {

class Requests {
 public:
  // False where one of that id is open already.
  bool open(const lsp::Json& id, std::string_view method);
  // The token that is stopped when the request is answered by somebody else.
  std::stop_token token(const lsp::Json& id);
  // Whether it was still to be answered; from now on it is not.
  bool take(const lsp::Json& id);
  // The same, and whatever works on it is told. `initialize` and `shutdown` are not to be cancelled.
  bool cancel(const lsp::Json& id);
  bool is_open(const lsp::Json& id);
  std::size_t count();

 private:
  struct Open {
    std::stop_source stop;
    bool may_be_cancelled = true;
  };
  std::mutex mutex_;
  std::map<std::string, Open> open_;  // by the id as JSON: `1` is not `"1"`
};

}  // namespace phobos::server
