#include "debug_session.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <phobos/server/transport/framing.h>

#include "debug_request.h"
#include "fence.h"

namespace phobos::cli {
namespace {

constexpr std::int64_t most_unfolded = 1024;  // lines of a tree at once, where the client asks for all

// What a run through the steps can stop for, beside breakpoints.
struct Filter {
  const char* name;
  const char* label;
  const char* description;
  bool by_default;
};
constexpr Filter filters[] = {
    {"finding", "Races, bad accesses and other findings", "Stops where the simulator finds an error, with its explanation", true},
    {"barrier", "Barriers", "Stops at each barrier of the CTA or of the grid", false},
    {"divergence", "Divergence", "Stops where lanes part", false},
};

bool is_event(const launch::TraceStep& step, const std::string& filter) {
  if (filter == "finding") return std::any_of(step.found.begin(), step.found.end(), [](const diag::Diagnostic& one) { return one.severity <= diag::Severity::Warning; });
  if (filter == "barrier") return step.event == "barrier" || step.event == "grid_barrier";
  return step.event == filter;
}

}  // namespace

// --- messages

void DebugSession::send(Json message) {
  message["seq"] = ++sent_;
  stream_.write(server::framed(message.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

void DebugSession::respond(const Json& request, Json body) {
  send({{"type", "response"}, {"request_seq", integer_in(request, "seq", 0)}, {"success", true}, {"command", text_in(request, "command")}, {"body", std::move(body)}});
}

// An expression that cannot be told is said where it stands; an editor asks for any word that the mouse rests on.
void DebugSession::refuse(const Json& request, const std::string& message) {
  const std::string command = text_in(request, "command");
  // A client that tells by itself why a session did not begin shows nothing more.
  const bool quiet = command == "evaluate" || (command == "launch" && flag_in(object_in(request, "arguments"), "clientTellsRefusal", false));
  send({{"type", "response"}, {"request_seq", integer_in(request, "seq", 0)}, {"success", false}, {"command", command}, {"message", message},
        {"body", {{"error", {{"id", 1}, {"format", "{message}"}, {"variables", {{"message", message}}}, {"showUser", !quiet}}}}}});
}

void DebugSession::event(const std::string& name, Json body) { send({{"type", "event"}, {"event", name}, {"body", std::move(body)}}); }

void DebugSession::run() {
  server::FrameReader frames;
  std::string bytes(std::size_t{1} << 16, '\0');
  while (!ended_) {
    const std::size_t size = stream_.read_some(bytes.data(), bytes.size());
    if (size == 0) break;
    frames.feed(std::string_view(bytes).substr(0, size));
    while (const std::optional<server::Frame> frame = frames.next()) {
      const auto* body = std::get_if<server::Body>(&*frame);
      const Json message = body == nullptr ? Json() : Json::parse(body->text, nullptr, false);
      if (!message.is_object() || text_in(message, "type") != "request") continue;
      const std::lock_guard lock(mutex_);
      handle(message);
      if (ended_) break;
    }
  }
  recorder_.request_stop();
}

void DebugSession::handle(const Json& request) {
  using Handler = void (DebugSession::*)(const Json&);
  static const std::map<std::string, Handler> always = {{"initialize", &DebugSession::initialize},
                                                        {"launch", &DebugSession::launch},
                                                        {"setBreakpoints", &DebugSession::set_breakpoints},
                                                        {"setExceptionBreakpoints", &DebugSession::set_exception_breakpoints}};
  static const std::map<std::string, Handler> recorded = {
      {"configurationDone", &DebugSession::configured}, {"stackTrace", &DebugSession::stack_trace},         {"scopes", &DebugSession::scopes},
      {"variables", &DebugSession::variables},          {"evaluate", &DebugSession::evaluate},              {"exceptionInfo", &DebugSession::exception_info},
      {"phobos/pick", &DebugSession::pick},             {"phobos/goTo", &DebugSession::go_to}};
  const std::string command = text_in(request, "command");
  const Json arguments = object_in(request, "arguments");
  try {
    if (const auto found = always.find(command); found != always.end()) return (this->*found->second)(request);
    if (command == "disconnect" || command == "terminate") {
      recorder_.request_stop();
      respond(request);
      if (command == "terminate") event("terminated");
      else ended_ = true;
      return;
    }
    if (command == "threads") {
      const std::array<std::int64_t, 3> block = recording_ ? recording_->block() : std::array<std::int64_t, 3>{};
      return respond(request, {{"threads", {{{"id", 1}, {"name", fmt::format("CTA ({}, {}, {})", block[0], block[1], block[2])}}}}});
    }
    if (!recording_) return refuse(request, "there are no steps yet");
    if (const auto found = recorded.find(command); found != recorded.end()) return (this->*found->second)(request);
    if (command == "next")
      return go(request, Direction::Forward, [this, depth = recording_->depth_of(at_)](std::size_t step) { return recording_->depth_of(step) <= depth; }, "step");
    if (command == "stepIn") return go(request, Direction::Forward, {}, "step");
    if (command == "stepOut")
      return go(request, Direction::Forward, [this, depth = recording_->depth_of(at_)](std::size_t step) { return recording_->depth_of(step) < depth; }, "step");
    if (command == "stepBack") return go(request, Direction::Back, {}, "step");
    if (command == "continue") return go_on(request, Direction::Forward);
    if (command == "reverseContinue") return go_on(request, Direction::Back);
    if (command == "pause") return respond(request);
    if (command == "phobos/state") return respond(request, values().state());
    if (command == "phobos/inlineValues") return respond(request, {{"values", values(integer_in(arguments, "frameId", 0)).inline_values()}});
    if (command == "phobos/table") {
      const Result<Json> table = values().table(text_in(arguments, "name"), integer_in(arguments, "row", 0), integer_in(arguments, "column", 0),
                                                std::clamp<std::int64_t>(integer_in(arguments, "rows", 16), 1, 64), std::clamp<std::int64_t>(integer_in(arguments, "columns", 8), 1, 64));
      return table ? respond(request, *table) : refuse(request, table.message());
    }
    refuse(request, fmt::format("`{}` is not known", command));
  } catch (const Json::exception& fault) {
    refuse(request, fmt::format("the request cannot be read: {}", fault.what()));
  }
}

// --- the life of a session

void DebugSession::initialize(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  first_line_ = flag_in(arguments, "linesStartAt1", true) ? 1 : 0;
  first_column_ = flag_in(arguments, "columnsStartAt1", true) ? 1 : 0;
  Json offered = Json::array();
  for (const Filter& filter : filters) {
    offered.push_back({{"filter", filter.name}, {"label", filter.label}, {"description", filter.description}, {"default", filter.by_default}});
    filters_[filter.name] = filter.by_default;
  }
  Json body = {{"exceptionBreakpointFilters", std::move(offered)}};
  for (const char* can : {"supportsConfigurationDoneRequest", "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints",
                          "supportsStepBack", "supportsEvaluateForHovers", "supportsExceptionInfoRequest", "supportsTerminateRequest"})
    body[can] = true;
  respond(request, std::move(body));
}

void DebugSession::launch(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  if (recording_ || recorder_.joinable()) return refuse(request, "it runs already");
  Result<DebugRequest> asked = debug_request(arguments);
  if (!asked) return refuse(request, asked.message());
  path_ = asked->program;
  stops_on_entry_ = asked->stop_on_entry;
  picked_ = asked->thread;
  recorder_ = std::jthread([this, request, arguments, asked = std::move(*asked)](std::stop_token stop) mutable {
    std::optional<OrStop<Recording>> made;
    const int status = fenced([&] {
      Result<Source> source = open(asked);
      if (source) made = Recording::make(std::move(*source), asked.recording, stop);
      else made = Stop{exit_usage, source.message(), {}};
      return exit_done;
    });
    if (status != exit_done || !made) made = Stop{exit_fault, "a fault of our own ended the run", {}};
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return refuse(request, "it was stopped");
    recorded(request, arguments, std::move(*made));
  });
}

void DebugSession::recorded(const Json& request, const Json&, OrStop<Recording> made) {
  if (const Stop* why = std::get_if<Stop>(&made)) {
    const std::string message = why->reason();
    return refuse(request, message.empty() ? "the kernel cannot be run" : message);
  }
  Recording& recording = std::get<Recording>(made);
  if (recording.steps().empty()) return refuse(request, "there is nothing to step through: the kernel has no statement that this CTA comes to");
  if (picked_ && *picked_ >= recording.threads()) return refuse(request, fmt::format("a CTA of `{}` has {} threads, counted from 0", recording.kernel().name, recording.threads()));
  recording_ = std::move(recording);
  for (Breakpoint& breakpoint : breakpoints_) place(breakpoint);
  respond(request);
  event("initialized");
  if (recording_->cut()) event("output", {{"category", "important"}, {"output", fmt::format("There are more than the {} steps that were kept.\n", recording_->steps().size())}});
}

void DebugSession::configured(const Json& request) {
  respond(request);
  if (stops_on_entry_) {
    const std::size_t first = takes_part(0) ? 0 : next(Direction::Forward, {}).value_or(0);
    return stop_at(first, reason_to_stop(first).is_null() ? Json{{"reason", "entry"}} : reason_to_stop(first));
  }
  if (Json why = reason_to_stop(0); !why.is_null()) return stop_at(0, std::move(why));
  const auto stops = [this](std::size_t step) { return !reason_to_stop(step).is_null(); };
  if (const std::optional<std::size_t> step = next(Direction::Forward, stops)) return stop_at(*step, reason_to_stop(*step));
  stop_at(recording_->steps().size() - 1, {{"reason", "pause"}, {"description", "At the end of the CTA"}});
}

// --- breakpoints

void DebugSession::set_breakpoints(const Json& request) {
  const Json arguments = object_in(request, "arguments"), source = object_in(arguments, "source");
  const bool ours = path_.empty() || same_file(text_in(source, "path"), path_);
  if (ours) breakpoints_.clear();
  Json list = Json::array();
  for (const Json& each : list_in(arguments, "breakpoints")) {
    Breakpoint made;
    made.id = ++last_breakpoint_;
    made.wanted = static_cast<std::uint32_t>(std::max<std::int64_t>(0, integer_in(each, "line", first_line_) - first_line_));
    made.condition = text_in(each, "condition");
    made.hit_condition = text_in(each, "hitCondition");
    made.log = text_in(each, "logMessage");
    if (!ours) made.fault = "another file runs";
    else if (recording_) place(made);
    list.push_back(breakpoint_json(made));
    if (ours) breakpoints_.push_back(std::move(made));
  }
  respond(request, {{"breakpoints", std::move(list)}});
}

// On its line, or on the next one that a step is on.
void DebugSession::place(Breakpoint& breakpoint) const {
  breakpoint.line.reset();
  for (std::size_t i = 0; i < recording_->steps().size(); ++i) {
    const std::uint32_t line = recording_->line_of(i);
    if (line >= breakpoint.wanted && (!breakpoint.line || line < *breakpoint.line)) breakpoint.line = line;
  }
  breakpoint.fault.clear();
  if (!breakpoint.line) breakpoint.fault = "no step of this CTA is on this line or behind it";
  else find_hits(breakpoint);
}

void DebugSession::find_hits(Breakpoint& breakpoint) const {
  breakpoint.hits.clear();
  std::string first_fault;
  bool was_told = false;
  for (std::size_t i = 0; i < recording_->steps().size(); ++i) {
    if (recording_->line_of(i) != *breakpoint.line || !takes_part(i)) continue;
    if (!breakpoint.condition.empty()) {
      const launch::TraceStep& step = recording_->steps()[i];
      const Result<PerThread> value = cli::evaluate(breakpoint.condition, {&*recording_, i, step.call});
      if (!value) {
        if (first_fault.empty()) first_fault = value.message();
        continue;
      }
      was_told = true;
      const bool holds = picked_ ? value->truth(static_cast<std::size_t>(*picked_))
                                 : std::any_of(step.active.begin(), step.active.end(), [&](int thread) { return value->truth(static_cast<std::size_t>(thread)); });
      if (!holds) continue;
    }
    breakpoint.hits.push_back(i);
  }
  breakpoint.fault = was_told ? "" : first_fault;
  if (breakpoint.hit_condition.empty()) return;
  const std::optional<HitCondition> wanted = hit_condition(breakpoint.hit_condition);
  if (!wanted) {
    breakpoint.fault = "a hit count is a number, or one behind `>`, `>=`, `<`, `<=`, `==` or `%`";
    breakpoint.hits.clear();
    return;
  }
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < breakpoint.hits.size(); ++i)
    if (holds(*wanted, static_cast<std::int64_t>(i) + 1)) kept.push_back(breakpoint.hits[i]);
  breakpoint.hits = std::move(kept);
}

Json DebugSession::breakpoint_json(const Breakpoint& breakpoint) const {
  Json json = {{"id", breakpoint.id}, {"verified", breakpoint.line.has_value() && breakpoint.fault.empty()}};
  if (breakpoint.line) json["line"] = *breakpoint.line + static_cast<std::uint32_t>(first_line_);
  if (!breakpoint.fault.empty()) json["message"] = breakpoint.fault;
  return json;
}

void DebugSession::set_exception_breakpoints(const Json& request) {
  for (auto& [name, on] : filters_) on = false;
  for (const Json& each : list_in(object_in(request, "arguments"), "filters"))
    if (each.is_string() && filters_.contains(each.get<std::string>())) filters_[each.get<std::string>()] = true;
  respond(request);
}

// `{expression}` in it is told by its value.
std::string DebugSession::log_text(const std::string& message, std::size_t step) const {
  std::string text;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const std::size_t end = message[i] == '{' ? message.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      text += message[i];
      continue;
    }
    const std::string expression = message.substr(i + 1, end - i - 1);
    const launch::TraceStep& there = recording_->steps()[step];
    const int thread = picked_.value_or(there.active.empty() ? 0 : there.active.front());
    const Result<Shown> value = Values({&*recording_, step, there.call}, thread).watch(expression);
    text += value ? value->value : value.message();
    i = end;
  }
  return text + '\n';
}

// --- going through the steps

bool DebugSession::takes_part(std::size_t step) const {
  const launch::TraceStep& there = recording_->steps()[step];
  return !picked_ || !there.found.empty() || std::binary_search(there.active.begin(), there.active.end(), *picked_);
}

int DebugSession::thread() const {
  const launch::TraceStep& step = recording_->steps()[at_];
  return picked_.value_or(step.active.empty() ? 0 : step.active.front());
}

std::optional<std::size_t> DebugSession::next(Direction direction, const Wanted& wanted) const {
  const std::size_t count = recording_->steps().size();
  for (std::size_t step = at_;;) {
    if (direction == Direction::Forward ? step + 1 == count : step == 0) return std::nullopt;
    step += direction == Direction::Forward ? std::size_t{1} : static_cast<std::size_t>(-1);
    if (takes_part(step) && (!wanted || wanted(step))) return step;
  }
}

Json DebugSession::reason_to_stop(std::size_t step) const {
  const launch::TraceStep& there = recording_->steps()[step];
  for (const Filter& filter : filters) {
    if (!filters_.at(filter.name) || !is_event(there, filter.name)) continue;
    if (filter.name == std::string_view("finding")) return {{"reason", "exception"}, {"description", "Stopped on what the simulator found"}, {"text", there.message}};
    return {{"reason", there.event}, {"description", fmt::format("Stopped on a {}", there.event == "grid_barrier" ? "barrier of the grid" : there.event)}};
  }
  Json ids = Json::array();
  for (const Breakpoint& breakpoint : breakpoints_)
    if (breakpoint.log.empty() && std::binary_search(breakpoint.hits.begin(), breakpoint.hits.end(), step)) ids.push_back(breakpoint.id);
  if (ids.empty()) return nullptr;
  return {{"reason", "breakpoint"}, {"hitBreakpointIds", std::move(ids)}};
}

void DebugSession::stop_at(std::size_t step, Json why) {
  at_ = step;
  unfoldings_.clear();
  why["threadId"] = 1;
  why["allThreadsStopped"] = true;
  event("stopped", std::move(why));
}

void DebugSession::go(const Json& request, Direction direction, const Wanted& wanted, const std::string& reason) {
  respond(request);
  // A breakpoint inside of a call that is stepped over is met all the same.
  const auto stops = [&](std::size_t step) { return !wanted || wanted(step) || !reason_to_stop(step).is_null(); };
  const std::optional<std::size_t> step = next(direction, stops);
  if (!step && direction == Direction::Forward && at_ + 1 == recording_->steps().size()) return event("terminated");
  const std::size_t end = direction == Direction::Forward ? recording_->steps().size() - 1 : 0;
  if (!step) return stop_at(end, {{"reason", reason}, {"description", direction == Direction::Forward ? "At the end of the CTA" : "At the first step"}});
  Json why = reason_to_stop(*step);
  stop_at(*step, why.is_null() ? Json{{"reason", reason}} : std::move(why));
}

void DebugSession::go_on(const Json& request, Direction direction) {
  const std::size_t from = at_;
  respond(request, {{"allThreadsContinued", true}});
  const std::optional<std::size_t> step = next(direction, [this](std::size_t each) { return !reason_to_stop(each).is_null(); });
  const bool forward = direction == Direction::Forward;
  const std::size_t end = step.value_or(forward ? recording_->steps().size() - 1 : 0);
  for (std::size_t i = from + 1; forward && i <= end; ++i)
    for (const Breakpoint& breakpoint : breakpoints_)
      if (!breakpoint.log.empty() && std::binary_search(breakpoint.hits.begin(), breakpoint.hits.end(), i))
        event("output", {{"category", "console"}, {"output", log_text(breakpoint.log, i)}, {"source", source_json()}, {"line", recording_->line_of(i) + static_cast<std::uint32_t>(first_line_)}});
  if (!step && forward && from == end) return event("terminated");
  stop_at(end, step ? reason_to_stop(end) : Json{{"reason", "pause"}, {"description", forward ? "At the end of the CTA" : "At the first step"}});
}

// To a step by its number, or to the next one of an event.
void DebugSession::go_to(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  const std::string wanted = text_in(arguments, "event");
  if (wanted.empty()) {
    const std::int64_t step = integer_in(arguments, "step", 0), last = static_cast<std::int64_t>(recording_->steps().size()) - 1;
    respond(request);
    return stop_at(static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, last)), {{"reason", "goto"}});
  }
  const Direction direction = flag_in(arguments, "back", false) ? Direction::Back : Direction::Forward;
  const std::optional<std::size_t> step = next(direction, [&](std::size_t each) { return is_event(recording_->steps()[each], wanted); });
  if (!step) return refuse(request, fmt::format("there is no {} {} this step", wanted, direction == Direction::Forward ? "behind" : "before"));
  respond(request);
  const Json why = reason_to_stop(*step);
  stop_at(*step, why.is_null() ? Json{{"reason", wanted}, {"description", fmt::format("Stopped on a {}", wanted)}} : why);
}

// --- what is shown

Json DebugSession::source_json() const {
  const std::size_t slash = path_.find_last_of("/:");
  return {{"name", slash == std::string::npos ? path_ : path_.substr(slash + 1)}, {"path", path_}};
}

Json DebugSession::place_json(Span span) const {
  const Json range = range_json(recording_->source(), span);
  const auto number = [&](const char* end, const char* what, int first) { return range[end][what].get<int>() + first; };
  return {{"line", number("start", "line", first_line_)}, {"column", number("start", "character", first_column_)},
          {"endLine", number("end", "line", first_line_)}, {"endColumn", number("end", "character", first_column_)}};
}

// Frames are numbered from the innermost call, 0, on.
Moment DebugSession::moment(std::int64_t frame) const {
  std::uint32_t call = recording_->steps()[at_].call;
  for (std::int64_t i = 0; i < frame && call != 0; ++i) call = recording_->kernel().calls[call - 1].caller;
  return {&*recording_, at_, call};
}

void DebugSession::stack_trace(const Json& request) {
  const ir::Kernel& kernel = recording_->kernel();
  const launch::TraceStep& step = recording_->steps()[at_];
  Json frames = Json::array();
  Span span = step.range;
  std::uint32_t call = step.call;
  for (std::int64_t id = 0;; ++id) {
    Json frame = {{"id", id}, {"name", call == 0 ? fmt::format("{}  step {} of {}", kernel.name, at_ + 1, recording_->steps().size()) : kernel.calls[call - 1].function},
                  {"source", source_json()}};
    frame.update(place_json(span));
    frames.push_back(std::move(frame));
    if (call == 0) break;
    span = kernel.calls[call - 1].site;
    call = kernel.calls[call - 1].caller;
  }
  const std::size_t count = frames.size();
  respond(request, {{"stackFrames", std::move(frames)}, {"totalFrames", count}});
}

std::int64_t DebugSession::reference_to(std::function<std::vector<Shown>(std::int64_t, std::int64_t)> unfold, std::int64_t count) {
  unfoldings_.push_back({std::move(unfold), count});
  return static_cast<std::int64_t>(unfoldings_.size());
}

void DebugSession::scopes(const Json& request) {
  const Values there = values(integer_in(object_in(request, "arguments"), "frameId", 0));
  const int shown = thread();
  const auto scope = [&](std::string name, std::vector<Shown> (Values::*list)() const, bool expensive) {
    const auto unfold = [there, list](std::int64_t, std::int64_t) { return (there.*list)(); };
    return Json{{"name", std::move(name)}, {"variablesReference", reference_to(unfold, 0)}, {"expensive", expensive}};
  };
  respond(request, {{"scopes", {scope(fmt::format("Lane {} of warp {}", shown % 32, shown / 32), &Values::names, false), scope("Tensors", &Values::tensors, false),
                                scope("ctx", &Values::ctx, true), scope("Arguments", &Values::arguments, true)}}});
}

Json DebugSession::variable_json(const Shown& shown) {
  Json json = {{"name", shown.name}, {"value", shown.value}, {"type", shown.type}, {"variablesReference", shown.unfold ? reference_to(shown.unfold, shown.count) : 0}};
  if (!shown.expression.empty()) json["evaluateName"] = shown.expression;
  if (shown.count > 0) json["indexedVariables"] = shown.count;
  json["presentationHint"] = {{"attributes", {"readOnly"}}};
  return json;
}

void DebugSession::variables(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  const std::int64_t reference = integer_in(arguments, "variablesReference", 0);
  Json list = Json::array();
  if (reference >= 1 && reference <= static_cast<std::int64_t>(unfoldings_.size())) {
    const Unfolding of = unfoldings_[static_cast<std::size_t>(reference - 1)];
    const std::int64_t asked = integer_in(arguments, "count", 0);
    for (const Shown& each : of.unfold(std::max<std::int64_t>(0, integer_in(arguments, "start", 0)), asked > 0 ? asked : most_unfolded)) list.push_back(variable_json(each));
  }
  respond(request, {{"variables", std::move(list)}});
}

void DebugSession::evaluate(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  const Result<Shown> value = values(integer_in(arguments, "frameId", 0)).watch(text_in(arguments, "expression"));
  if (!value) return refuse(request, value.message());
  const Json shown = variable_json(*value);
  Json body = {{"result", shown["value"]}, {"type", shown["type"]}, {"variablesReference", shown["variablesReference"]}};
  if (value->count > 0) body["indexedVariables"] = value->count;
  respond(request, std::move(body));
}

void DebugSession::exception_info(const Json& request) {
  const launch::TraceStep& step = recording_->steps()[at_];
  std::string code, text;
  for (const diag::Diagnostic& each : step.found) {
    if (code.empty()) code = diag::info(each.code).code;
    text += (text.empty() ? "" : "\n\n") + each.message;
    for (const diag::Related& related : each.related) text += fmt::format("\n  line {}: {}", recording_->source().snapshot->lines().line_of(related.location.span.begin) + 1, related.message);
  }
  respond(request, {{"exceptionId", code}, {"description", text}, {"breakMode", "always"}, {"details", {{"message", step.message}, {"typeName", code}}}});
}

// A thread, whose values are shown and whose steps alone are gone through; none: the CTA's.
void DebugSession::pick(const Json& request) {
  const Json arguments = object_in(request, "arguments");
  const auto found = arguments.find("thread");
  picked_.reset();
  if (found != arguments.end() && found->is_number_integer())
    picked_ = static_cast<int>(std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, recording_->threads() - 1));
  for (Breakpoint& breakpoint : breakpoints_)
    if (breakpoint.line) find_hits(breakpoint);
  unfoldings_.clear();
  respond(request);
  event("invalidated", {{"areas", {"variables"}}});
}

}  // namespace phobos::cli
