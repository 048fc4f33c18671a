// Runs, in a process of their own, of the text as the editor has it. The answer comes when the run has ended, however it did; a run that
// failed is an answer, not an error.
#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <phobos/server/lsp/run.h>

#include "handlers.h"
#include "progress.h"

namespace phobos::server {

namespace {

constexpr double most_seconds = 120;  // unless the request or the settings say otherwise
constexpr double most_tuning_seconds = 3600;
constexpr std::size_t most_steps_at_once = 256;

// All that the threads of a run need of the text that is run.
struct Ran {
  std::string command, uri, text;
  std::optional<std::int64_t> version;
  LineMap lines{""};
  Encoding encoding;
  std::mutex mutex;
  std::string rest;                // of a line that is not whole
  std::vector<lsp::Json> written;  // lines of JSON
};

lsp::Json client_json(const Ran& ran, const lsp::Json& written) { return lsp::client_json(written, ran.text, ran.lines, ran.encoding, ran.uri); }

void take_output(Ran& ran, std::string_view bytes) {
  ran.rest += bytes;
  for (std::size_t end = ran.rest.find('\n'); end != std::string::npos; end = ran.rest.find('\n')) {
    lsp::Json line = lsp::parsed_line(std::string_view(ran.rest).substr(0, end));
    ran.rest.erase(0, end + 1);
    if (line.is_object()) ran.written.push_back(client_json(ran, line));
  }
}

}  // namespace

std::string Server::folder_of(const std::string& uri) {
  if (const auto path = lsp::path_of_uri(uri)) return path->substr(0, std::max<std::size_t>(1, path->rfind('/')));
  for (const std::string& folder : folders())
    if (const auto path = lsp::path_of_uri(folder)) return *path;
  return {};
}

void start_run(Server& server, const lsp::Message& message, std::stop_token stop) {
  const std::string command = message.method.substr(message.method.find('/') + 1);
  lsp::RunParams asked = lsp::run_params(command, message.params);
  Document* document = server.workspace.find(lsp::identity_of(asked.uri));
  if (document == nullptr && !asked.text) throw lsp::RequestFailed(lsp::ErrorCode::RequestFailed, "the document is not open, and the request has no text");
  if (document != nullptr && !asked.text && asked.version && document->version != asked.version)
    throw lsp::RequestFailed(lsp::ErrorCode::ContentModified, "the text has changed");
  const auto settings = server.settings(asked.uri);
  auto ran = std::make_shared<Ran>();
  ran->command = command;
  ran->uri = document != nullptr ? document->uri : asked.uri;
  ran->version = document != nullptr && !asked.text ? document->version : asked.version;
  ran->text = asked.text ? *asked.text : document->session.text();
  ran->lines = LineMap(ran->text);
  ran->encoding = server.client.encoding;

  Runs::Run run;
  run.job.words = std::move(asked.words);
  const std::string device = settings->text("run.device", "");
  const bool names_device = std::any_of(run.job.words.begin(), run.job.words.end(), [](const std::string& word) { return word.starts_with("--device="); });
  if (command == "run" && !device.empty() && !names_device) run.job.words.push_back("--device=" + device);
  run.job.input = ran->text;
  run.job.folder = server.folder_of(ran->uri);
  run.watcher.stop = stop;
  const double most = command == "tune" ? most_tuning_seconds : settings->number("run.timeout", most_seconds);
  run.watcher.seconds = asked.seconds > 0 ? asked.seconds : most;
  const auto progress = std::make_shared<Progress>(server, asked.progress_token, message.id, asked.title);
  run.watcher.progress = [progress](std::int64_t done, std::int64_t total) { progress->report(done, total); };
  run.title = asked.title;
  run.waits_for = [progress](const std::string& other) { progress->wait_for(other); };
  run.watcher.output = [ran, &server, partial = asked.partial_token](std::string_view bytes) {
    take_output(*ran, bytes);
    if (partial.is_null() || ran->command != "trace" || ran->written.size() < most_steps_at_once) return;
    server.send_notification("$/progress", lsp::progress_params(partial, lsp::partial_steps(std::exchange(ran->written, {}))));
  };
  run.done = [ran, &server, progress, id = message.id, partial = asked.partial_token](const worker::Outcome& outcome) {
    const bool done = outcome.end == worker::Outcome::End::Done;
    progress->end(done ? "done" : "ended");
    if (outcome.end == worker::Outcome::End::Stopped) return server.reply_failure(id, lsp::ErrorCode::RequestCancelled, "cancelled");
    std::vector<lsp::Json> written = std::exchange(ran->written, {});
    if (!partial.is_null() && ran->command == "trace" && !written.empty())
      server.send_notification("$/progress", lsp::progress_params(partial, lsp::partial_steps(std::exchange(written, {}))));
    if (!done) server.log(fmt::format("phobos/{} of {}: {}", ran->command, ran->uri, outcome.reason));
    lsp::Json result = lsp::run_result(std::move(written), {ran->command, ran->uri, ran->version, outcome.status, outcome.reason, outcome.errors});
    if (server.client.runs_by_server && (ran->command == "run" || ran->command == "report")) server.send_notification("window/showMessage", lsp::message_params(3, lsp::run_summary(result)));
    server.reply(id, std::move(result));
  };
  (command == "tune" ? server.searches() : server.runs()).start(std::move(run));
}

// A command of the editor's is a request of ours; where the client leaves showing to the server, the result is a message, too.
void execute_command(Server& server, const lsp::Message& message, std::stop_token stop) {
  std::optional<lsp::Command> command = lsp::command_of(message.params);
  if (!command) throw lsp::InvalidParams("there is no such command");
  lsp::Message request = message;
  request.method = std::move(command->method);
  request.params = std::move(command->params);
  start_run(server, request, stop);
}

// --- what is known only when a text is compiled or run

namespace {

constexpr std::size_t most_kernels = 16;  // of a saved file

struct Saved {
  Server& server;
  std::weak_ptr<Document> document;
  std::string text;
  LineMap lines;
  std::uint64_t revision = 0;
  std::map<std::string, Span> names;  // of its kernels: where they stand
  std::size_t left = 0;  // jobs
  std::vector<SavedFinding> found;
  std::map<std::string, std::string> reports;
};

// On the thread of the runs that a save began; the last one hands over what was found.
void take_findings(const std::shared_ptr<Saved>& saved, bool of_run, const worker::Outcome& outcome) {
  const lsp::Json written = lsp::parsed_line(std::string_view(outcome.output).substr(0, outcome.output.find('\n')));
  try {
    if (written.is_object() && !of_run && lsp::find(written, "occupancy") != nullptr) saved->reports[lsp::string_at(written, "kernel")] = lsp::report_summary(written);
    if (written.is_object())
      for (const lsp::ReportedFinding& each : of_run ? lsp::findings_of_run(written) : lsp::findings_of_report(written)) {
        const lsp::Border border(saved->text, saved->lines, Encoding::Utf16);
        const Span place = each.range ? border.span(*each.range) : saved->names[lsp::string_at(written, "kernel")];
        saved->found.push_back({place, each.severity, each.code, each.message});
      }
  } catch (const lsp::InvalidParams& fault) {
    saved->server.log(fmt::format("a report cannot be read: {}", fault.what()));
  }
  if (--saved->left > 0) return;
  saved->server.on_handling_thread([saved] {
    const std::shared_ptr<Document> document = saved->document.lock();
    // Findings of a text that has gone on are of no use: its next save has its own.
    if (!document || document->changes != saved->revision) return;
    document->saved.replace(std::move(saved->found), std::move(saved->reports));
    document->due = Clock::now();
    if (saved->server.client.refreshes_lenses) saved->server.request_client("workspace/codeLens/refresh", nullptr);
    saved->server.refresh_pulled();
  });
}

}  // namespace

void analyse_saved(Server& server, const std::shared_ptr<Document>& document) {
  const auto settings = server.settings(document->uri);
  const bool reports = settings->flag("onSave.report", true), runs = settings->flag("onSave.run", false);
  if ((!reports && !runs) || !server.can_run() || lsp::scheme_of(document->uri) != "file" || document->away || !document->is_quick()) return;
  const std::shared_ptr<const session::Snapshot> snapshot = document->session.snapshot();
  auto saved = std::make_shared<Saved>(Saved{server, document, snapshot->text(), snapshot->lines(), document->changes, {}, 0, {}, {}});
  std::vector<Runs::Run> jobs;
  const auto add = [&](std::vector<std::string> words, bool of_run, const std::string& subject) {
    Runs::Run run;
    run.job = {std::move(words), saved->text, server.folder_of(document->uri)};
    run.watcher.seconds = 30;
    run.subject = document->identity + subject;
    run.done = [saved, of_run](const worker::Outcome& outcome) { take_findings(saved, of_run, outcome); };
    jobs.push_back(std::move(run));
  };
  for (const session::ItemView& item : snapshot->items()) {
    if (item.item().form != syntax::Item::Form::Kernel || item.item().name.missing || jobs.size() >= most_kernels) continue;
    const std::string& name = item.item().name.text;
    saved->names.emplace(name, item.absolute(item.item().name.span));
    if (reports) add({"build", "-", "--json", "--emit", "report", "--kernel", name}, false, "report " + name);
    for (std::size_t i = 0; runs && i < snapshot->run_lines(item).size() && jobs.size() < most_kernels; ++i)
      add({"run", "-", "--json", "--device", "sim", "--kernel", name, "--run-line", std::to_string(i)}, true, fmt::format("run {} {}", name, i));
  }
  saved->left = jobs.size();
  for (Runs::Run& job : jobs) server.background_runs().start(std::move(job));
}

}  // namespace phobos::server
