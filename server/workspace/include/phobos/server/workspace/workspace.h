// The documents that the client has open. The client's text is the truth, whatever is on disk; documents are known by the
// identity of their URI, and named by the spelling that the client opened them with.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <phobos/session/session.h>

namespace phobos::server {

using Clock = std::chrono::steady_clock;

struct Document {
  std::string identity;
  std::string uri;
  std::optional<std::int64_t> version;
  session::Session session;
  // When diagnostics of the text as it is are to be published; none when they have been.
  std::optional<Clock::time_point> due;
  Clock::duration last_rebuild{};

  Document(std::string identity_, std::string uri_, std::optional<std::int64_t> version_, std::string text)
      : identity(std::move(identity_)), uri(std::move(uri_)), version(version_), session(std::move(text)) {}

  // After a change: at once while rebuilding is quick, else after a pause as long as the last rebuild took, within bounds.
  void schedule(Clock::time_point now);
};

class Workspace {
 public:
  // Null where no such document is open.
  Document* find(const std::string& identity);
  // A document that is open already gets the new text.
  Document& open(std::string identity, std::string uri, std::optional<std::int64_t> version, std::string text);
  // False when it was not open.
  bool close(const std::string& identity);

  std::optional<Clock::time_point> next_due() const;
  std::vector<Document*> due_at(Clock::time_point now);

 private:
  std::map<std::string, std::unique_ptr<Document>> documents_;
};

}  // namespace phobos::server
