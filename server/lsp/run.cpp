#include <phobos/server/lsp/run.h>

#include <algorithm>

#include <fmt/format.h>

#include <phobos/server/lsp/types.h>

namespace phobos::server::lsp {

namespace {

struct Option {
  std::string_view key, word, commands;  // of which commands, as letters
};
// r run, t trace, b build, p report, u tune
constexpr Option texts[] = {{"kernel", "--kernel", "rtbpu"}, {"grid", "--grid", "rtu"},  {"device", "--device", "ru"}, {"chip", "--chip", "rbpu"},
                            {"block", "--block", "t"},       {"emit", "--emit", "b"},    {"after", "--after", "b"}};
constexpr Option numbers[] = {{"runLine", "--run-line", "rtu"}, {"steps", "--steps", "t"}, {"repeats", "--reps", "r"}, {"maxPrints", "--max-prints", "r"},
                              {"rtol", "--rtol", "r"},          {"atol", "--atol", "r"},   {"maxSteps", "--max-steps", "r"}};
constexpr Option flags[] = {{"bench", "--bench", "r"}, {"checked", "--checked", "r"}, {"withSource", "--with-source", "b"}};

char letter_of(std::string_view command) { return command == "report" ? 'p' : command == "tune" ? 'u' : command.empty() ? '?' : command[0]; }

Json position_in(const Json& position, std::string_view text, const LineMap& lines, Encoding encoding) {
  const Position at{uint_at(position, "line"), uint_at(position, "character")};
  const Position there = lines.position(text, lines.offset(text, at, Encoding::Utf16), encoding);
  return {{"line", there.line}, {"character", there.column}};
}

Range range_of(const Json& range) {
  const auto position = [&](const char* end) {
    const Json& at = member(range, end);
    return Position{uint_at(at, "line"), uint_at(at, "character")};
  };
  return {position("start"), position("end")};
}

}  // namespace

RunParams run_params(std::string_view command, const Json& params) {
  RunParams result;
  const Json& document = member(params, "textDocument");
  result.uri = string_at(document, "uri");
  if (const Json* version = find(document, "version"); version != nullptr && version->is_number_integer()) result.version = version->get<std::int64_t>();
  if (find(params, "text") != nullptr) result.text = string_at(params, "text");
  result.words = {command == "report" ? "build" : std::string(command), "-", "--json"};
  if (command == "report") result.words.insert(result.words.end(), {"--emit", "report"});
  const auto applies = [&](const Option& option) { return option.commands.find(letter_of(command)) != std::string_view::npos; };
  for (const Option& option : texts)
    if (applies(option) && find(params, option.key.data()) != nullptr)
      result.words.push_back(fmt::format("{}={}", option.word, string_at(params, option.key.data())));
  for (const Option& option : numbers)
    if (const Json* value = find(params, option.key.data()); value != nullptr && applies(option)) {
      if (!value->is_number()) throw InvalidParams(fmt::format("`{}` is not a number", option.key));
      result.words.push_back(fmt::format("{}={}", option.word, value->dump()));
    }
  for (const Option& option : flags)
    if (const Json* value = find(params, option.key.data()); value != nullptr && value->is_boolean() && value->get<bool>() && applies(option))
      result.words.emplace_back(option.word);
  if (const Json* compare = find(params, "compare"); compare != nullptr && compare->is_boolean() && compare->get<bool>() && command == "run")
    result.words.emplace_back("--compare=sim");
  if (const Json* seconds = find(params, "timeout"); seconds != nullptr && seconds->is_number()) result.seconds = seconds->get<double>();
  if (const Json* words = find(params, "arguments")) {
    if (!words->is_array()) throw InvalidParams("`arguments` is not an array");
    for (const Json& word : *words) {
      if (!word.is_string() || word.get_ref<const std::string&>().starts_with('-')) throw InvalidParams("an argument is a text as in `N=4`");
      result.words.push_back(word.get<std::string>());
    }
  }
  if (const Json* token = find(params, "workDoneToken")) result.progress_token = *token;
  if (const Json* token = find(params, "partialResultToken")) result.partial_token = *token;
  const Json* kernel = find(params, "kernel");
  result.title = fmt::format("{} {}", command, kernel != nullptr ? kernel->get<std::string>() : "the kernel");
  return result;
}

std::optional<Command> command_of(const Json& params) {
  std::string name = string_at(params, "command");
  for (const std::string_view prefix : {"phobos.server.", "phobos."})
    if (name.starts_with(prefix)) {
      name = name.substr(prefix.size());
      break;
    }
  const bool simulates = name == "simulate", compares = name == "compare";
  if (simulates || compares) name = "run";
  constexpr std::string_view known[] = {"run", "trace", "build", "report", "tune"};
  if (std::find(std::begin(known), std::end(known), name) == std::end(known)) return std::nullopt;
  const Json* arguments = find(params, "arguments");
  Json given = arguments != nullptr && arguments->is_array() && !arguments->empty() ? (*arguments)[0] : Json::object();
  if (!given.is_object()) throw InvalidParams("the command's argument is an object");
  if (const Json* uri = find(given, "uri"); uri != nullptr && find(given, "textDocument") == nullptr) given["textDocument"] = {{"uri", *uri}};
  if (simulates) given["device"] = "sim";
  if (compares) given["compare"] = true;
  if (const Json* token = find(params, "workDoneToken")) given["workDoneToken"] = *token;
  return Command{"phobos/" + name, std::move(given)};
}

Json client_json(const Json& written, std::string_view text, const LineMap& lines, Encoding encoding, const std::string& uri) {
  if (written.is_object() && written.size() == 2 && written.contains("line") && written.contains("character"))
    return position_in(written, text, lines, encoding);
  if (written.is_string() && written == "stdin:") return uri;
  if (!written.is_structured()) return written;
  Json result = written;
  for (auto& each : result) each = client_json(each, text, lines, encoding, uri);
  if (result.is_object() && find(result, "file") != nullptr && result["file"] == "-") result["file"] = uri;
  return result;
}

Json parsed_line(std::string_view line) { return Json::parse(line, nullptr, false, false); }

Json run_result(std::vector<Json> written, const RunAnswer& answer) {
  Json result = Json::object();
  if (answer.command == "trace") {
    // Who stops before the first step, or between two, says why on a line that is no step.
    if (!written.empty() && find(written.back(), "diagnostics") != nullptr) {
      result = std::move(written.back());
      written.pop_back();
    }
    result["steps"] = std::move(written);
    result["status"] = answer.status == 0 ? "ok" : "failed";
  }
  else if (!written.empty() && written[0].is_object()) result = std::move(written[0]);
  result["textDocument"] = {{"uri", answer.uri}, {"version", answer.version ? Json(*answer.version) : Json(nullptr)}};
  result["exit"] = answer.status;
  if (answer.failure.empty() && result.size() > 2) return result;
  // Nothing was written, or not all: what there is is still told.
  result["status"] = "failed";
  if (!answer.failure.empty()) result["message"] = answer.failure;
  else if (result.value("message", Json(nullptr)).is_null()) result["message"] = answer.errors;
  return result;
}

std::string run_summary(const Json& result) {
  if (find(result, "occupancy") != nullptr) return fmt::format("{}: {}", string_at(result, "kernel"), report_summary(result));
  const auto text = [&](const char* key) {
    const Json* value = find(result, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  };
  const Json* time = find(result, "ms");
  std::string line = fmt::format("{}: {}", text("kernel"), text("status"));
  if (!text("device").empty()) line += fmt::format(" on {}", text("device"));
  if (time != nullptr && time->is_number()) line += fmt::format(", {:.4g} ms", time->get<double>());
  if (!text("message").empty()) line += fmt::format(": {}", text("message"));
  return line;
}

Json message_params(int severity, std::string_view message) { return {{"type", severity}, {"message", message}}; }

Json partial_steps(std::vector<Json> steps) { return {{"steps", std::move(steps)}}; }

std::vector<ReportedFinding> findings_of_report(const Json& report) {
  std::vector<ReportedFinding> found;
  if (const Json* told = find(report, "diagnostics"); told != nullptr && told->is_array())
    for (const Json& each : *told)
      if (string_at(each, "code").starts_with("PH08")) found.push_back({range_of(member(each, "range")), 1, string_at(each, "code"), string_at(each, "message")});
  if (const Json* decisions = find(report, "decisions"); decisions != nullptr && decisions->is_array())
    for (const Json& each : *decisions) {
      if (string_at(each, "kind") != "contraction" || member(each, "fast").get<bool>()) continue;
      found.push_back({range_of(member(each, "range")), 3, "",
                       fmt::format("this contraction is done by {}: {}", string_at(each, "path"), string_at(each, "reason"))});
    }
  const Json* resources = find(report, "resources");
  if (resources == nullptr || !resources->is_object()) return found;
  const std::uint32_t spilled = uint_at(*resources, "spill_store_bytes");
  if (spilled == 0) return found;
  found.push_back({std::nullopt, 2, "", fmt::format("`{}` takes more registers than there are: {} bytes a thread go to memory and back", string_at(report, "kernel"), spilled)});
  return found;
}

std::vector<ReportedFinding> findings_of_run(const Json& result) {
  std::vector<ReportedFinding> found;
  if (const Json* told = find(result, "diagnostics"); told != nullptr && told->is_array())
    for (const Json& each : *told)
      if (string_at(each, "code").starts_with("PH06") || string_at(each, "code").starts_with("PH07"))
        found.push_back({range_of(member(each, "range")), static_cast<int>(uint_at(each, "severity")), string_at(each, "code"), string_at(each, "message")});
  return found;
}

std::string report_summary(const Json& report) {
  const Json *resources = find(report, "resources"), *occupancy = find(report, "occupancy");
  std::string text;
  if (resources != nullptr && resources->is_object()) text = fmt::format("{} registers, ", uint_at(*resources, "registers"));
  const std::uint32_t shared = uint_at(report, "shared_bytes") + uint_at(report, "dynamic_shared_bytes");
  text += shared < 1024 ? fmt::format("{} B shared", shared) : fmt::format("{:.4g} KiB shared", shared / 1024.0);
  if (const Json* share = occupancy != nullptr ? find(*occupancy, "share") : nullptr; share != nullptr && share->is_number())
    text += fmt::format(", {}{:.0f} % of the warps", resources == nullptr ? "at most " : "", 100 * share->get<double>());
  return text;
}

Json saved_diagnostic(const Range& range, int severity, const std::string& code, const std::string& message, bool stale) {
  Json result = {{"range", to_json(range)},
                 {"severity", severity},
                 {"source", "phobos (saved)"},
                 {"message", stale ? "before the last changes: " + message : message}};
  if (!code.empty()) result["code"] = code;
  return result;
}

}  // namespace phobos::server::lsp
