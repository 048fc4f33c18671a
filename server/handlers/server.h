#pragma once

#include <atomic>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <phobos/server/handlers/features.h>
#include <phobos/server/handlers/server.h>
#include <phobos/server/lsp/recording.h>
#include <phobos/server/lsp/settings.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>
#include <phobos/server/transport/outbox.h>
#include <phobos/server/transport/stream.h>
#include <phobos/server/workspace/workspace.h>

#include "inbox.h"
#include "pool.h"
#include "requests.h"
#include "runs.h"
#include "workspace_files.h"

namespace phobos::server {

struct RequestHandler;
struct RunHandler;

// Thrown by a handler whose request was cancelled while it ran.
struct Cancelled {};

// What handlers work on. Messages are handled on one thread, in their order; no turn of it may take long. So what may takes place in
// the pool: requests of the slow lane, on snapshots; and the analysis of a text of which much is new. While that runs, the session of
// that document is away, and what else is about the document waits for it, but for edits: they end it.
//
// Handlers of the typing lane run on the handling thread and may use all of this. Those of the slow lane run in the pool, and may use
// `client`, `settings`, `view`, `views` and `log`.
class Server {
 public:
  enum class State { Fresh, Running, ShutDown };

  Server(Stream& stream, const Options& options);
  ~Server();
  int run();

  std::atomic<State> state = State::Fresh;
  bool exited = false;
  lsp::InitializeParams client;  // since `initialize`
  Workspace workspace;

  void log(std::string_view message);

  // A document as it is now, or of the slow lane as it was when the request was handled; null where it is not open. Throws Cancelled.
  struct View {
    std::shared_ptr<const lsp::DocumentName> document;
    std::shared_ptr<const session::Snapshot> snapshot;
    Encoding encoding = Encoding::Utf16;
    std::shared_ptr<TokenMemory> tokens;
    std::shared_ptr<const SavedFindings> saved;
    std::shared_ptr<lsp::ItemTexts> symbols;
    lsp::Border border() const { return {snapshot->text(), snapshot->lines(), encoding}; }
    explicit operator bool() const { return snapshot != nullptr; }
  };
  View view(const std::string& uri, std::stop_token stop);
  // Of all documents; on the slow lane alone, and only for rows that ask for them.
  std::vector<View> views();

  void send_notification(std::string_view method, lsp::Json params, std::string subject = {});

  // --- for the handlers of texts
  void opened(Document& document);
  void changed(Document& document, std::size_t new_bytes);
  void closed(const std::string& identity, const std::string& uri);
  void let_go_of(std::shared_ptr<Document> document);  // in the pool: a large one takes its time

  // How long turns of the handling thread took of a core; for tests and for whoever looks for what was slow.
  struct Turns {
    std::size_t count = 0;
    double longest_ms = 0;
    std::string longest;  // the method
  };
  const Turns& turns() const { return turns_; }
  void forget_turns() { turns_ = {}; }

  // --- for the handlers of the client's own affairs
  // Those of the innermost folder that a document is in, where the client has others for it than the user's. From any thread.
  std::shared_ptr<const lsp::Settings> settings(const std::string& uri);
  using FolderSettings = std::map<std::string, std::shared_ptr<const lsp::Settings>>;  // by the folder's identity
  void take_settings(const lsp::Json& given, FolderSettings of_folders = {});
  // URIs. From any thread.
  std::vector<std::string> folders();
  void change_folders(const std::function<void(std::vector<std::string>&)>& change);
  void ask_for_settings();
  void refresh_pulled();  // diagnostics, where the client pulls them
  // `then` is called on the handling thread with the answer, or with the error and true.
  using Answered = std::function<void(const lsp::Json&, bool refused)>;
  void request_client(std::string_view method, lsp::Json params, Answered then = {});

  // --- for runs; from any thread but where it says otherwise
  void reply(const lsp::Json& id, lsp::Json result);
  void reply_failure(const lsp::Json& id, lsp::ErrorCode code, std::string_view reason) { fail(id, code, reason); }
  void on_handling_thread(std::function<void()> task) { inbox_.post(std::move(task)); }
  // On the handling thread.
  lsp::Json new_progress_token(const lsp::Json& request);
  void cancel_progress(const lsp::Json& token);
  bool can_run() const { return !options_.program.empty(); }
  Runs& runs() { return runs_; }
  Runs& searches() { return searches_; }  // of `phobos/tune`, which may take an hour: nothing else waits for one
  Runs& background_runs() { return background_runs_; }
  // What paths in a document's run lines are relative to.
  std::string folder_of(const std::string& uri);

  // The diagnostics as the user wants them, what was found on saving behind them.
  lsp::Json diagnostics_of(const View& view);
  WorkspaceFiles& files() { return files_; }

 private:
  using Views = std::map<std::string, View>;
  // What goes on about one document, on the handling thread.
  struct Desk {
    std::stop_source stop;                // of its session's analysis, while that is away
    std::deque<Inbox::Item> waiting;      // for the session
    std::vector<lsp::Json> slow;  // requests of the slow lane, of its present text
    std::shared_ptr<lsp::ItemTexts> symbols = std::make_shared<lsp::ItemTexts>();
  };

  void read();
  void record(std::string_view body);
  void receive(lsp::Message message, std::size_t bytes);
  void handle(Inbox::Item item);
  bool waits(Inbox::Item& item);
  void answer(Inbox::Item& item);
  bool prepare(const RequestHandler& handler, Inbox::Item& item, Views& views);
  bool is_slow(const RequestHandler& handler, const Inbox::Item& item) const;
  void answer_slowly(const RequestHandler& handler, Inbox::Item item, Views views);
  void ask(const Feature& feature, const lsp::Json& params, std::stop_token stop, std::string& out);
  void begin_run(const RunHandler& handler, const lsp::Message& message);
  void respond(const RequestHandler& handler, const lsp::Message& message, std::stop_token stop);
  void fail(const lsp::Json& id, lsp::ErrorCode code, std::string_view reason);
  void notice(const lsp::Message& message);

  bool is_away(const std::string& identity) const;
  void send_away(const std::shared_ptr<Document>& document);
  void came_back(std::shared_ptr<Document> document, bool complete, Clock::duration took, const std::string& failure);
  void resume(const std::string& identity);
  void outdate(const lsp::Json& id);
  void text_moved_on(Desk& desk);
  void text_moves_on(Desk& desk);
  View view_of(Document& document, std::stop_token stop);

  void take_response(const lsp::Message& message);
  void publish_due();
  void publish(Document& document);
  void publish_nothing(const std::string& uri);
  void count_turn(double before, std::string_view method);

  Stream& stream_;
  Inbox inbox_;
  Requests requests_;
  std::map<std::string, Desk> desks_;
  std::deque<Inbox::Item> waiting_for_all_;
  std::mutex views_mutex_;
  std::map<std::thread::id, const Views*> views_of_threads_;
  std::mutex settings_mutex_;  // also of the folders
  std::shared_ptr<const lsp::Settings> settings_ = std::make_shared<lsp::Settings>();
  FolderSettings folder_settings_;
  std::vector<std::string> folders_;
  WorkspaceFiles files_;
  int asked_ = 0;  // requests to the client so far
  std::map<std::string, Answered> asked_of_client_;
  std::map<std::string, lsp::Json> progress_requests_;  // by token: what the client may end
  Options options_;
  std::ofstream recording_;
  lsp::Redactor redactor_;
  Turns turns_;
  Outbox outbox_;
  Pool pool_;  // from here on: threads that use all of the above
  Runs runs_, searches_, background_runs_;
};

}  // namespace phobos::server
