// Runs in the protocol: what a client asks for as a command line of the program, and what that wrote as an answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/server/lsp/border.h>
#include <phobos/server/lsp/json.h>

namespace phobos::server::lsp {

struct RunParams {
  std::string uri;
  std::optional<std::int64_t> version;  // that the client means; another one is refused
  std::optional<std::string> text;      // in place of the document's
  std::vector<std::string> words;       // of the command line
  double seconds = 0;                   // that all of it may take; 0: what the settings say
  Json progress_token, partial_token;
  std::string title;
};
// `command`: run, trace, build, report or tune. Throws InvalidParams.
RunParams run_params(std::string_view command, const Json& params);
// The same of `workspace/executeCommand`: its method, and its one argument in `params`. Nothing where there is no such command.
struct Command {
  std::string method;
  Json params;
};
std::optional<Command> command_of(const Json& params);

// A command's JSON for the client: columns in its encoding, and the document by its URI where the command read `-`.
Json client_json(const Json& written, std::string_view text, const LineMap& lines, Encoding encoding, const std::string& uri);
// What a line of its output is; null where it is none of JSON.
Json parsed_line(std::string_view line);
// The answer of a run from all that the command wrote.
struct RunAnswer {
  std::string_view command, uri;
  std::optional<std::int64_t> version;
  int status = 0;
  std::string_view failure;  // why it did not come to its end; empty: it did
  std::string_view errors;   // what the command said to standard error
};
Json run_result(std::vector<Json> written, const RunAnswer& answer);
// Of a result: one line for a person.
std::string run_summary(const Json& result);
Json message_params(int severity, std::string_view message);
Json partial_steps(std::vector<Json> steps);

// What is found in a saved text only when it is compiled or run: a place, and the rest of the diagnostic.
struct ReportedFinding {
  std::optional<Range> range;  // in UTF-16; none: of the kernel as a whole
  int severity = 2;
  std::string code, message;
};
std::vector<ReportedFinding> findings_of_report(const Json& report);
std::vector<ReportedFinding> findings_of_run(const Json& result);
// What a kernel's code takes, in a few words: registers, shared memory, occupancy.
std::string report_summary(const Json& report);
Json saved_diagnostic(const Range& range, int severity, const std::string& code, const std::string& message, bool stale);

}  // namespace phobos::server::lsp
