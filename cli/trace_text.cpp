#include "trace_text.h"

#include <algorithm>

#include <fmt/format.h>

#include <phobos/launch/printed.h>

namespace phobos::cli {
namespace {

constexpr std::int64_t most_elements = 64;  // of one value
constexpr std::size_t most_listed = 8;      // values of a step in the listing
constexpr std::size_t widest_source = 100;
constexpr int lanes_of_warp = 32;

Json element_json(const sim::Seen& value, std::int64_t lane, std::int64_t row) {
  if (value.is_unset(lane, row)) return nullptr;
  const auto at = static_cast<std::size_t>(row * value.lanes + lane);
  if (is_float(value.type.element)) return number_json(value.reals[at]);
  if (value.type.element == ScalarType::Bool) return value.integers[at] != 0;
  return value.integers[at];
}

// A scalar as itself, anything else as a list of its elements in row-major order.
Json value_json(const sim::Seen& value, std::int64_t lane) {
  if (value.type.is_scalar()) return element_json(value, lane, 0);
  Json list = Json::array();
  for (std::int64_t row = 0; row < std::min(value.rows, most_elements); ++row) list.push_back(element_json(value, lane, row));
  return list;
}

Json write_json(const launch::TraceWrite& write, const launch::TraceStep& step, int threads) {
  Json json = {{"name", write.name}, {"kind", name_of(write.kind)}, {"type", type_text(write.value)}};
  const auto at = [&](int thread) {
    Json place = Json::array();
    for (const sim::Seen& index : write.at) place.push_back(element_json(index, index.lane_of(thread, threads), 0));
    return place;
  };
  const int first = step.active.empty() ? 0 : step.active.front();
  if (launch::told_once(write)) {
    json["value"] = value_json(write.value, write.value.lane_of(first, threads));
    if (!write.at.empty()) json["at"] = at(first);
  } else {
    Json values = Json::array(), places = Json::array();
    for (const int thread : step.active) {
      values.push_back(value_json(write.value, write.value.lane_of(thread, threads)));
      if (!write.at.empty()) places.push_back(at(thread));
    }
    json["values"] = std::move(values);
    if (!write.at.empty()) json["at"] = std::move(places);
  }
  const std::int64_t count = ir::element_count(write.value.type.shape);
  if (count > most_elements) json["left_out"] = count - most_elements;
  return json;
}

std::string source_line(const Source& source, Span place) {
  const std::string_view text = source.snapshot->text();
  std::string line(text.substr(std::min<std::size_t>(place.begin, text.size()), place.size()));
  line = line.substr(0, line.find('\n'));
  if (line.size() > widest_source) line = line.substr(0, widest_source) + "...";
  return line;
}

}  // namespace

std::string type_text(const sim::Seen& value) {
  std::string text(name_of(value.type.element));
  if (value.type.is_scalar()) return text;
  text = fmt::format("{}<{}>[", value.type.is_run() ? "run" : "tile", text);
  for (std::size_t i = 0; i < value.type.shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(value.type.shape[i]);
  return text + "]";
}

Json step_json(const Source& source, const launch::TraceStep& step, int threads, bool more) {
  Json writes = Json::array();
  for (const launch::TraceWrite& write : step.writes) writes.push_back(write_json(write, step, threads));
  Json json = {{"step", step.number}, {"range", range_json(source, step.range)}, {"block", step.block}, {"active", step.active},
               {"writes", std::move(writes)}};
  if (step.condition) json["condition"] = write_json(*step.condition, step, threads);
  if (!step.event.empty()) json["event"] = step.event;
  if (!step.message.empty()) json["message"] = step.message;
  if (!step.found.empty()) json["found"] = diagnostics_json(source, step.found);
  if (!step.printed.empty()) {
    Json lines = Json::array();
    for (const sim::Printed& line : step.printed) lines.push_back(launch::line_text(line, threads));
    json["printed"] = std::move(lines);
  }
  if (more) json["more"] = true;
  return json;
}

std::string value_text(const launch::TraceWrite& write, int thread, int threads) {
  const std::string value = write.value.text(write.value.lane_of(thread, threads));
  if (write.at.empty()) return value;
  std::string place;
  for (const sim::Seen& index : write.at) place += (place.empty() ? "" : ", ") + index.text(index.lane_of(thread, threads));
  return fmt::format("{} at [{}]", value, place);
}

std::string write_text(const launch::TraceWrite& write, const launch::TraceStep& step, int threads, std::size_t most_values) {
  const std::string name = fmt::format("{}: {} {} = ", write.name, name_of(write.kind), type_text(write.value));
  if (step.active.empty() || launch::told_once(write)) return name + value_text(write, step.active.empty() ? 0 : step.active.front(), threads);
  const bool by_warp = write.kind == Kind::WarpUniform &&
                       std::all_of(write.at.begin(), write.at.end(), [](const sim::Seen& index) { return index.kind != Kind::Varying; });
  std::string values;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < step.active.size(); ++i) {
    if (by_warp && i != 0 && step.active[i] / lanes_of_warp == step.active[i - 1] / lanes_of_warp) continue;
    if (shown++ == most_values) return name + values + " ...";
    values += (shown == 1 ? "" : " ") + value_text(write, step.active[i], threads);
  }
  return name + values + (by_warp ? ", one a warp" : "");
}

std::string step_text(const Source& source, const launch::TraceStep& step, int threads) {
  const std::uint32_t line = source.snapshot->lines().line_of(step.range.begin) + 1;
  const std::string lanes = step.active.empty() ? "another CTA" : launch::lanes_text(step.active, threads);
  std::string text = fmt::format("{:>6}  {}:{}  {}  | {}", step.number, source.name(), line, lanes.empty() ? "all lanes" : lanes,
                                 source_line(source, step.range));
  if (!step.event.empty()) text += fmt::format("  <{}>", step.event);
  text += '\n';
  for (std::string_view rest = step.message; !rest.empty(); rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1))
    text += fmt::format("          {}\n", rest.substr(0, rest.find('\n')));
  if (step.condition) text += fmt::format("          {}\n", write_text(*step.condition, step, threads, most_listed));
  for (const launch::TraceWrite& write : step.writes) text += fmt::format("          {}\n", write_text(write, step, threads, most_listed));
  for (const sim::Printed& printed : step.printed) text += fmt::format("          {}\n", launch::line_text(printed, threads));
  return text;
}

}  // namespace phobos::cli
