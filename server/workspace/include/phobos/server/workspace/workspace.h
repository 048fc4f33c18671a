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

#include <phobos/server/workspace/change_order.h>
#include <phobos/server/workspace/saved_findings.h>
#include <phobos/server/workspace/token_memory.h>
#include <phobos/session/session.h>

namespace phobos::server {

using Clock = std::chrono::steady_clock;

// A text of that many bytes is looked through, or taken apart, in a few milliseconds.
inline constexpr std::size_t quick_text = 48u << 10;

struct Document {
  std::string identity;
  std::string uri;
  std::optional<std::int64_t> version;
  session::Session session;
  ChangeOrder order;
  std::shared_ptr<TokenMemory> tokens = std::make_shared<TokenMemory>();
  std::uint64_t changes = 0;  // of the text since it was opened
  SavedFindings saved;
  // What was published last, by a name, and of which version; none before that.
  std::optional<std::size_t> published;
  std::optional<std::int64_t> published_version;
  // When diagnostics of the text as it is are to be published; none when they have been.
  std::optional<Clock::time_point> due;
  Clock::duration last_rebuild{};
  bool measured = false;  // that was of this text, in the pool
  bool rebuilt_much = false;  // that was of so much text that it says nothing of an edit's
  bool bulk = false;    // so much text is new that even taking it apart may take long
  bool away = false;    // a thread of the pool has the session
  bool failed = false;  // the analysis of this text did not come to an end

  Document(std::string identity_, std::string uri_, std::optional<std::int64_t> version_, std::string text)
      : identity(std::move(identity_)), uri(std::move(uri_)), version(version_), session(std::move(text)) {}

  // After a change by a text of that many bytes: at once while rebuilding is quick, else after a pause as long as the last rebuild
  // of as much took, within bounds.
  void schedule(Clock::time_point now, std::size_t new_bytes = 0);
  // Whether a snapshot can be had without keeping anybody waiting.
  bool is_quick();
};

class Workspace {
 public:
  using Documents = std::map<std::string, std::shared_ptr<Document>>;

  // Null where no such document is open.
  Document* find(const std::string& identity);
  // A document that is open already is to be closed before.
  Document& open(std::string identity, std::string uri, std::optional<std::int64_t> version, std::string text);
  // The document that is open no more; null when it was not open. To let go of a large one takes time.
  std::shared_ptr<Document> close(const std::string& identity);
  const Documents& documents() const { return documents_; }

  // Of those whose sessions are here.
  std::optional<Clock::time_point> next_due() const;
  std::vector<std::shared_ptr<Document>> due_at(Clock::time_point now);

 private:
  Documents documents_;
};

}  // namespace phobos::server
