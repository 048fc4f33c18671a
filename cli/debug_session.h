// One debugger's client: the Debug Adapter Protocol over a recording. The CTA has run to its end before the client is told of its
// first step, so it is gone through forwards and backwards alike.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <phobos/server/transport/stream.h>

#include "debug_values.h"

namespace phobos::cli {

class DebugSession {
 public:
  explicit DebugSession(server::Stream& stream) : stream_(stream) {}
  // Until the client disconnects, or its stream ends.
  void run();

 private:
  struct Breakpoint {
    std::int64_t id = 0;
    std::uint32_t wanted = 0;            // line, from 0
    std::optional<std::uint32_t> line;   // where a step is
    std::string condition, hit_condition, log, fault;
    std::vector<std::size_t> hits;       // steps
  };
  enum class Direction { Forward, Back };

  void handle(const Json& request);
  void respond(const Json& request, Json body = Json::object());
  void refuse(const Json& request, const std::string& message);
  void event(const std::string& name, Json body = Json::object());
  void send(Json message);

  // --- the life of a session
  void initialize(const Json& request);
  void launch(const Json& request);
  void recorded(const Json& request, const Json& arguments, OrStop<Recording> made);
  void configured(const Json& request);

  // --- breakpoints
  void set_breakpoints(const Json& request);
  void set_exception_breakpoints(const Json& request);
  void place(Breakpoint& breakpoint) const;
  void find_hits(Breakpoint& breakpoint) const;
  Json breakpoint_json(const Breakpoint& breakpoint) const;
  std::string log_text(const std::string& message, std::size_t step) const;

  // --- going through the steps
  using Wanted = std::function<bool(std::size_t step)>;
  std::optional<std::size_t> next(Direction direction, const Wanted& wanted) const;
  // Why a run through the steps stops there; null: it does not.
  Json reason_to_stop(std::size_t step) const;
  void go(const Json& request, Direction direction, const Wanted& wanted, const std::string& reason);
  void go_on(const Json& request, Direction direction);
  void go_to(const Json& request);
  void stop_at(std::size_t step, Json why);
  bool takes_part(std::size_t step) const;  // who is looked at
  int thread() const;                       // whose values are shown

  // --- what is shown
  void stack_trace(const Json& request);
  void scopes(const Json& request);
  void variables(const Json& request);
  void evaluate(const Json& request);
  void exception_info(const Json& request);
  void pick(const Json& request);
  Json variable_json(const Shown& shown);
  std::int64_t reference_to(std::function<std::vector<Shown>(std::int64_t, std::int64_t)> unfold, std::int64_t count);
  Moment moment(std::int64_t frame = 0) const;
  Values values(std::int64_t frame = 0) const { return {moment(frame), thread()}; }
  Json place_json(Span span) const;
  Json source_json() const;

  server::Stream& stream_;
  std::mutex mutex_;  // of all that follows: a recording is made on a thread of its own
  std::int64_t sent_ = 0;
  int first_line_ = 1, first_column_ = 1;
  std::string path_;
  std::optional<Recording> recording_;
  bool ended_ = false, stops_on_entry_ = true;
  std::size_t at_ = 0;
  std::optional<int> picked_;
  std::vector<Breakpoint> breakpoints_;
  std::int64_t last_breakpoint_ = 0;
  std::map<std::string, bool> filters_;
  struct Unfolding {
    std::function<std::vector<Shown>(std::int64_t, std::int64_t)> unfold;
    std::int64_t count;
  };
  std::vector<Unfolding> unfoldings_;  // by reference - 1, until the next step
  std::jthread recorder_;
};

}  // namespace phobos::cli
