#include "debug_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <phobos/launch/printed.h>

#include "trace_text.h"

namespace phobos::cli {
namespace {

constexpr int lanes_of_warp = 32;
constexpr int first_lanes = 8;           // that one line tells
constexpr std::int64_t heat_side = 64;   // cells of a heat map along an axis
constexpr std::size_t most_marked = 4096;  // elements of a tensor that one step wrote

std::string badge(Kind kind) { return fmt::format(" · {}", name_of(kind)); }

std::string tensor_type(const launch::HostTensor& tensor) { return fmt::format("{}{}", name_of(tensor.element), launch::shape_text(tensor.shape)); }

}  // namespace

std::string Values::text_in(const Held& held, int thread) const {
  const launch::TraceWrite* write = held.of(thread);
  return write == nullptr ? "-" : write->value.text(write->value.lane_of(thread, recording().threads()));
}

// Rows of the first axis, each of which unfolds by the next one.
Shown Values::elements(Shown of, std::vector<std::int64_t> shape, std::size_t axis, std::int64_t first, std::function<std::string(std::int64_t)> text) const {
  if (axis == shape.size()) return of;
  of.count = shape[axis];
  std::int64_t stride = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
  of.unfold = [this_copy = *this, shape, axis, first, stride, text, expression = of.expression](std::int64_t start, std::int64_t count) {
    std::vector<Shown> made;
    for (std::int64_t i = start; i < std::min(start + count, shape[axis]); ++i) {
      const std::int64_t at = first + i * stride;
      Shown one{fmt::format("[{}]", i), "", "", "", 0, {}};
      const bool last = axis + 1 == shape.size();
      for (std::int64_t j = 0; j < (last ? 1 : std::min<std::int64_t>(stride, first_lanes)); ++j) one.value += (j == 0 ? "" : " ") + text(at + j);
      if (!last && stride > first_lanes) one.value += " …";
      made.push_back(this_copy.elements(std::move(one), shape, axis + 1, at, text));
    }
    return made;
  };
  return of;
}

std::vector<Shown> Values::by_warp(Kind kind, std::function<std::string(int)> text) const {
  std::vector<Shown> made;
  const int threads = recording().threads();
  const auto lanes = [text](int first) {
    std::vector<Shown> made;
    for (int lane = 0; lane < lanes_of_warp; ++lane) made.push_back({fmt::format("lane {}", lane), text(first + lane), "", "", 0, {}});
    return made;
  };
  if (kind == Kind::Varying && threads == lanes_of_warp) return lanes(0);
  for (int first = 0; first < threads; first += lanes_of_warp) {
    Shown warp{fmt::format("warp {}", first / lanes_of_warp), "", "", "", 0, {}};
    if (kind == Kind::WarpUniform) {
      warp.value = text(first);
      for (int lane = 1; warp.value == "-" && lane < lanes_of_warp; ++lane) warp.value = text(first + lane);
    } else {
      for (int lane = 0; lane < first_lanes; ++lane) warp.value += (lane == 0 ? "" : " ") + text(first + lane);
      warp.value += " …";
      warp.unfold = [lanes, first](std::int64_t, std::int64_t) { return lanes(first); };
    }
    made.push_back(std::move(warp));
  }
  return made;
}

Shown Values::shown(const std::string& name, const Held& held) const {
  const sim::Seen& last = held.last->value;
  Shown made{name, text_in(held, thread_), fmt::format("{} {}", name_of(held.last->kind), type_text(last)), name, 0, {}};
  if (last.type.is_tile()) {
    made.type = type_text(last);
    return elements(std::move(made), last.type.shape, 0, 0, [&last](std::int64_t row) { return row < last.rows ? last.element(0, row) : "…"; });
  }
  made.value += badge(held.last->kind);
  if (held.last->kind != Kind::Uniform)
    made.unfold = [values = *this, held](std::int64_t, std::int64_t) {
      return values.by_warp(held.last->kind, [values, held](int thread) { return values.text_in(held, thread); });
    };
  else if (last.type.is_run())
    return elements(std::move(made), last.type.shape, 0, 0, [&last](std::int64_t row) { return last.element(0, row); });
  return made;
}

Shown Values::shown(const std::string& name, const PerThread& value) const {
  Shown made{name, value.text(static_cast<std::size_t>(thread_)) + badge(value.kind), fmt::format("{} {}", name_of(value.kind), name_of(value.type)), name, 0, {}};
  if (value.kind != Kind::Uniform)
    made.unfold = [values = *this, value](std::int64_t, std::int64_t) {
      return values.by_warp(value.kind, [value](int thread) { return value.text(static_cast<std::size_t>(thread)); });
    };
  return made;
}

std::vector<Shown> Values::names() const {
  std::vector<Shown> made;
  for (const std::string& name : recording().names(moment_.step, moment_.call)) made.push_back(shown(name, *recording().held(moment_.step, moment_.call, name)));
  return made;
}

std::vector<Shown> Values::tensors() const {
  std::vector<Shown> made;
  const ir::Kernel& kernel = recording().kernel();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::optional<Matrix> found = kernel.parameters[i].type.is_buffer() ? matrix(kernel.parameters[i].name) : std::nullopt;
    if (!found) continue;
    Shown one{kernel.parameters[i].name, found->type, found->type, kernel.parameters[i].name, 0, {}};
    made.push_back(elements(std::move(one), found->shape, 0, 0, found->text));
  }
  return made;
}

std::vector<Shown> Values::ctx() const {
  const int threads = recording().threads(), warp = thread_ / lanes_of_warp;
  std::vector<Shown> made;
  const auto add = [&](std::string field, std::int64_t value, const std::string& how, Kind kind) {
    made.push_back({field, fmt::format("{}{}{}", value, how.empty() ? "" : " = " + how, badge(kind)), std::string(name_of(kind)), field, 0, {}});
  };
  for (std::size_t axis = 0; axis < 3; ++axis) add(fmt::format("ctx.block.{}", "xyz"[axis]), recording().block()[axis], "", Kind::Uniform);
  for (std::size_t axis = 0; axis < 3; ++axis) add(fmt::format("ctx.blocks.{}", "xyz"[axis]), recording().grid()[axis], "", Kind::Uniform);
  add("ctx.threads", threads, "", Kind::Uniform);
  add("ctx.lanes", lanes_of_warp, "", Kind::Uniform);
  add("ctx.warps", threads / lanes_of_warp, fmt::format("{} / {}", threads, lanes_of_warp), Kind::Uniform);
  add("ctx.thread", thread_, "", Kind::Varying);
  add("ctx.warp", warp, fmt::format("{} / {}", thread_, lanes_of_warp), Kind::WarpUniform);
  add("ctx.lane", thread_ % lanes_of_warp, fmt::format("{} - {} * {}", thread_, warp, lanes_of_warp), Kind::Varying);
  return made;
}

std::vector<Shown> Values::arguments() const {
  std::vector<Shown> made;
  const ir::Kernel& kernel = recording().kernel();
  const auto add = [&](const std::string& name, std::string value, std::string type) { made.push_back({name, value + badge(Kind::Uniform), std::move(type), name, 0, {}}); };
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const launch::Argument& given = recording().before().arguments[i];
    if (const auto* real = std::get_if<double>(&given)) add(kernel.parameters[i].name, fmt::format("{}", *real), std::string(name_of(kernel.parameters[i].type.element)));
    if (const auto* integer = std::get_if<std::int64_t>(&given)) add(kernel.parameters[i].name, fmt::format("{}", *integer), std::string(name_of(kernel.parameters[i].type.element)));
  }
  for (std::size_t i = 0; i < kernel.dimensions.size(); ++i) add(kernel.dimensions[i], fmt::format("{}", recording().before().dimensions[i]), "dimension");
  for (const auto& [name, value] : kernel.constants) add(name, fmt::format("{}", value), "constant");
  return made;
}

Result<Shown> Values::watch(const std::string& expression) const {
  if (const std::optional<Held> held = recording().held(moment_.step, moment_.call, expression)) return shown(expression, *held);
  if (const std::optional<Matrix> found = matrix(expression))
    return elements({expression, found->type, found->type, expression, 0, {}}, found->shape, 0, 0, found->text);
  const Result<PerThread> value = evaluate(expression, moment_);
  if (!value) return value.error();
  return shown(expression, *value);
}

std::vector<std::int64_t> Values::stored_to(int parameter, const std::string& name, const std::vector<std::int64_t>& extents) const {
  std::vector<std::int64_t> found;
  for (const launch::TraceWrite& write : step().writes)
    if (write.parameter == parameter && (parameter >= 0 || write.name.starts_with(name + "[")))
      recording().visit_stored(step(), write, extents, [&](std::int64_t element, int, std::int64_t, std::int64_t) { found.push_back(element); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<Values::Matrix> Values::matrix(const std::string& name) const {
  if (const std::optional<Held> held = recording().held(moment_.step, moment_.call, name)) {
    if (!held->last->value.type.is_tile()) return std::nullopt;
    const sim::Seen& last = held->last->value;
    Matrix made{last.type.shape, type_text(last), {}, {}, {}};
    made.number = [&last](std::int64_t i) {
      if (i >= last.rows || last.is_unset(0, i)) return std::numeric_limits<double>::quiet_NaN();
      return is_float(last.type.element) ? last.reals[static_cast<std::size_t>(i)] : static_cast<double>(last.integers[static_cast<std::size_t>(i)]);
    };
    made.text = [&last](std::int64_t i) { return i < last.rows ? last.element(0, i) : std::string("…"); };
    if (held->step != moment_.step) return made;
    // What threads stored to it; else all of it is new.
    made.written = stored_to(-1, name, last.type.shape);
    if (made.written.empty())
      for (std::int64_t i = 0; i < last.rows; ++i) made.written.push_back(i);
    return made;
  }
  const int parameter = recording().parameter(name);
  if (recording().given(parameter) == nullptr) return std::nullopt;
  const launch::HostTensor& tensor = recording().tensor(moment_.step, parameter);
  Matrix made{tensor.shape, tensor_type(tensor), {}, {}, stored_to(parameter, name, tensor.shape)};
  made.number = [&tensor](std::int64_t i) { return is_float(tensor.element) ? tensor.real_at(i) : static_cast<double>(tensor.integer_at(i)); };
  made.text = [&tensor](std::int64_t i) { return launch::element_text(tensor, i); };
  return made;
}

Json Values::name_json(const std::string& name, const Held& held) const {
  const sim::Seen& last = held.last->value;
  Json json = {{"name", name}, {"kind", name_of(held.last->kind)}, {"type", type_text(last)}, {"written", held.step == moment_.step}};
  if (last.type.is_tile()) {
    json["shape"] = last.type.shape;
    return json;
  }
  Json lanes = Json::array();
  for (int thread = 0; thread < recording().threads(); ++thread) lanes.push_back(held.of(thread) == nullptr ? Json(nullptr) : Json(text_in(held, thread)));
  json["lanes"] = std::move(lanes);
  return json;
}

// What each thread stored, by the place as it is written.
Json Values::stores() const {
  Json list = Json::array();
  for (const launch::TraceWrite& write : step().writes) {
    if (write.at.empty() || write.value.type.is_tile()) continue;
    Json lanes = Json::array();
    for (int thread = 0; thread < recording().threads(); ++thread) {
      const bool here = std::binary_search(step().active.begin(), step().active.end(), thread);
      lanes.push_back(here ? Json(write.value.text(write.value.lane_of(thread, recording().threads()))) : Json(nullptr));
    }
    list.push_back({{"name", write.name}, {"kind", name_of(write.kind)}, {"type", type_text(write.value)}, {"written", true}, {"lanes", std::move(lanes)}});
  }
  return list;
}

Json Values::state() const {
  const int threads = recording().threads();
  Json json = {{"step", moment_.step},       {"steps", recording().steps().size()}, {"cut", recording().cut()}, {"kernel", recording().kernel().name},
               {"block", recording().block()}, {"grid", recording().grid()},          {"threads", threads},       {"thread", thread_},
               {"line", recording().line_of(moment_.step)}, {"active", step().active}, {"event", step().event},   {"message", step().message}};
  const std::string_view text = recording().source().snapshot->text();
  json["text"] = std::string(text.substr(step().range.begin, std::min<std::size_t>(step().range.size(), 200)));
  Json found = Json::array(), printed = Json::array(), names = stores(), tensors = Json::array();
  if (!step().found.empty()) found = diagnostics_json(recording().source(), step().found);
  for (const sim::Printed& line : step().printed) printed.push_back(launch::line_text(line, threads));
  for (const std::string& name : recording().names(moment_.step, moment_.call)) names.push_back(name_json(name, *recording().held(moment_.step, moment_.call, name)));
  if (step().condition) {
    Json lanes = Json::array();
    for (int thread = 0; thread < threads; ++thread) {
      const bool here = std::binary_search(step().active.begin(), step().active.end(), thread);
      lanes.push_back(here ? Json(value_text(*step().condition, thread, threads)) : Json(nullptr));
    }
    json["condition"] = {{"name", step().condition->name}, {"kind", name_of(step().condition->kind)}, {"type", "bool"}, {"lanes", std::move(lanes)}};
  }
  const ir::Kernel& kernel = recording().kernel();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const launch::HostTensor* tensor = recording().given(static_cast<int>(i));
    if (tensor == nullptr) continue;
    std::vector<std::int64_t> written = stored_to(static_cast<int>(i), "", tensor->shape);
    const std::size_t count = written.size();
    written.resize(std::min(count, most_marked));
    tensors.push_back({{"name", kernel.parameters[i].name}, {"type", tensor_type(*tensor)}, {"shape", tensor->shape}, {"stored", count}, {"written", std::move(written)}});
  }
  json["found"] = std::move(found);
  json["printed"] = std::move(printed);
  json["names"] = std::move(names);
  json["tensors"] = std::move(tensors);
  return json;
}

Result<Json> Values::table(const std::string& name, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) const {
  const std::optional<Matrix> found = matrix(name);
  if (!found) return Error{fmt::format("there is no tile or tensor `{}` here so far", name)};
  const std::int64_t across = found->shape.empty() ? 1 : found->shape.back();
  std::int64_t down = 1;
  for (std::size_t i = 0; i + 1 < found->shape.size(); ++i) down *= found->shape[i];
  row = std::clamp<std::int64_t>(row, 0, std::max<std::int64_t>(0, down - rows));
  column = std::clamp<std::int64_t>(column, 0, std::max<std::int64_t>(0, across - columns));
  Json cells = Json::array(), marks = Json::array();
  const auto is_written = [&](std::int64_t i) { return std::binary_search(found->written.begin(), found->written.end(), i); };
  for (std::int64_t r = row; r < std::min(row + rows, down); ++r) {
    Json line = Json::array(), mark = Json::array();
    for (std::int64_t c = column; c < std::min(column + columns, across); ++c) {
      line.push_back(found->text(r * across + c));
      mark.push_back(is_written(r * across + c));
    }
    cells.push_back(std::move(line));
    marks.push_back(std::move(mark));
  }
  const std::int64_t tall = std::max<std::int64_t>(1, (down + heat_side - 1) / heat_side), wide = std::max<std::int64_t>(1, (across + heat_side - 1) / heat_side);
  const std::int64_t heat_rows = (down + tall - 1) / tall, heat_columns = (across + wide - 1) / wide;
  std::vector<double> sums(static_cast<std::size_t>(heat_rows * heat_columns)), counts(sums.size());
  std::vector<std::uint8_t> new_cells(sums.size());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto cell_of = [&](std::int64_t i) { return static_cast<std::size_t>(i / across / tall * heat_columns + i % across / wide); };
  for (std::int64_t i = 0; i < down * across; ++i) {
    const double number = found->number(i);
    if (!std::isfinite(number)) continue;
    low = std::min(low, number);
    high = std::max(high, number);
    sums[cell_of(i)] += number;
    counts[cell_of(i)] += 1;
  }
  for (const std::int64_t i : found->written) new_cells[cell_of(i)] = 1;
  Json means = Json::array();
  for (std::size_t i = 0; i < sums.size(); ++i) means.push_back(counts[i] == 0 ? Json(nullptr) : Json(sums[i] / counts[i]));
  return Json{{"name", name},   {"type", found->type}, {"shape", found->shape}, {"rows", down},       {"columns", across},
              {"row", row},     {"column", column},    {"cells", cells},        {"written", marks},   {"stored", found->written.size()},
              {"low", std::isfinite(low) ? Json(low) : Json(nullptr)},          {"high", std::isfinite(high) ? Json(high) : Json(nullptr)},
              {"heat", {{"rows", heat_rows}, {"columns", heat_columns}, {"means", means}, {"written", new_cells}}}};
}

Json Values::inline_values() const {
  Json list = Json::array();
  for (const std::string& name : recording().names(moment_.step, moment_.call)) {
    const Held held = *recording().held(moment_.step, moment_.call, name);
    std::string value = text_in(held, thread_);
    if (held.last->kind != Kind::Uniform && !held.last->value.type.is_tile()) value += fmt::format(" ({}, lane {})", name_of(held.last->kind), thread_ % lanes_of_warp);
    list.push_back({{"range", range_json(recording().source(), recording().steps()[held.step].range)}, {"text", fmt::format("{} = {}", name, value)}});
  }
  return list;
}

}  // namespace phobos::cli
