// `print` and the steps of a trace. Values are read where they lie; memory is read past the shadows, so that telling of it is no
// access.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "cta.h"
#include "element.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

constexpr std::int64_t shown_extent = 8, shown_outer = 2;

std::int64_t shown(const ir::Shape& shape, std::size_t axis) {
  const bool outer = axis + 2 < shape.size();
  return std::min(shape[axis], outer ? shown_outer : shown_extent);
}

// Elements up to the last one that Seen::text() tells.
std::int64_t told_rows(const ir::Shape& shape) {
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) last = last * shape[axis] + shown(shape, axis) - 1;
  return last + 1;
}

template <class T>
void add(Seen& seen, T value) {
  if (is_float(seen.type.element)) seen.reals.push_back(static_cast<double>(value));
  else seen.integers.push_back(static_cast<std::int64_t>(value));
}

// The bytes of a tile in memory that say what of it has been written; null where that is not kept.
const std::uint8_t* written_of(Cta& cta, ir::ValueId id) {
  const std::vector<Watched>& watched = cta.machine().plan.watched;
  for (std::size_t i = 0; i < watched.size(); ++i)
    if (watched[i].value == id && (watched[i].watch & watch_unset)) return cta.written(static_cast<int>(i));
  return nullptr;
}

Seen see_memory(Cta& cta, const Slot& slot, ir::ValueId id, std::int64_t most) {
  const ir::Type& type = cta.kernel().type(id);
  const BufferRef& buffer = cta.buffer(slot);
  Seen seen;
  seen.type = ir::Type::tile(type.element, ir::Shape(buffer.extents.begin(), buffer.extents.begin() + type.rank()));
  seen.rows = std::min({buffer.count, most, most == INT64_MAX ? told_rows(seen.type.shape) : most});
  with_element(type.element, [&](auto element) {
    using E = decltype(element);
    const auto* raw = reinterpret_cast<const typename E::Raw*>(buffer.data);
    for (std::int64_t i = 0; i < seen.rows; ++i) add(seen, E::load(raw[i]));
  });
  if (const std::uint8_t* written = written_of(cta, id))
    for (std::int64_t i = 0; i < seen.rows; ++i) seen.unset.push_back(written[i] == 0);
  return seen;
}

// Of a value: what was read from where nothing has written.
std::vector<std::uint8_t> unset_of(Cta& cta, const Slot& slot, const ir::Value& value, std::int64_t rows) {
  std::vector<std::uint8_t> unset;
  if (const Holes* holes = cta.holes().find(slot); holes && value.type.is_tile() && !holes->divided)
    for (std::int64_t i = 0; i < rows; ++i) unset.push_back(holes->at[static_cast<std::size_t>(i)] != 0);
  const bool read = value.op.valid() && (cta.kernel()[value.op].code == ir::Opcode::Load || cta.kernel()[value.op].code == ir::Opcode::ElemLoad ||
                                         cta.kernel()[value.op].code == ir::Opcode::RunLoad);
  if (const auto* told = read ? cta.told_unset(slot) : nullptr) unset.assign(told->begin(), told->begin() + rows * slot.lanes);
  return unset;
}

// `most`: elements to keep; INT64_MAX: those that the text needs.
Seen see(Cta& cta, const Slot& slot, ir::ValueId id, std::int64_t most) {
  const ir::Value& value = cta.kernel()[id];
  if (value.type.is_buffer()) return see_memory(cta, slot, id, most);
  Seen seen;
  seen.type = value.type;
  seen.kind = value.kind;
  seen.lanes = slot.lanes;
  seen.rows = std::min({slot.rows, most, most == INT64_MAX && value.type.is_tile() ? told_rows(value.type.shape) : most});
  const std::int64_t count = seen.rows * seen.lanes;
  with_store(slot.store, [&]<class T>(T*) {
    const T* from = cta.at<T>(slot);
    for (std::int64_t i = 0; i < count; ++i) add(seen, from[i]);
  });
  seen.unset = unset_of(cta, slot, value, seen.rows);
  return seen;
}

std::vector<int> running(const Mask& mask, int threads) {
  std::vector<int> found;
  found.reserve(static_cast<std::size_t>(mask.count));
  for (int i = 0; i < threads; ++i)
    if (mask.lanes[i]) found.push_back(i);
  return found;
}

std::string line_of(const std::vector<Seen>& values, const ir::Note& note, int thread, int threads) {
  if (values.empty()) return "reached";
  std::string line;
  for (std::size_t i = 0; i < values.size(); ++i)
    line += fmt::format("{}{} = {}", i == 0 ? "" : ", ", note.labels[i], values[i].text(values[i].lane_of(thread, threads)));
  return line;
}

}  // namespace

std::string Seen::element(std::int64_t lane, std::int64_t row) const {
  const auto at = static_cast<std::size_t>(row * lanes + lane);
  if (is_unset(lane, row)) return "unset";
  if (is_float(type.element) && std::isnan(reals[at])) return "nan";
  if (type.element == ScalarType::F64) return fmt::format("{}", reals[at]);
  if (is_float(type.element)) return fmt::format("{}", static_cast<float>(reals[at]));
  if (type.element == ScalarType::Bool) return integers[at] != 0 ? "true" : "false";
  return fmt::format("{}", integers[at]);
}

std::string Seen::text(std::int64_t lane) const {
  if (type.is_scalar()) return element(lane, 0);
  const ir::Shape& shape = type.shape;
  const auto axis = [&](auto&& self, std::size_t at, std::int64_t first) -> std::string {
    std::int64_t stride = 1;
    for (std::size_t i = at + 1; i < shape.size(); ++i) stride *= shape[i];
    const std::int64_t some = type.is_run() ? shape[at] : shown(shape, at);
    std::string text = "[";
    for (std::int64_t i = 0; i < some; ++i) {
      const std::int64_t row = first + i * stride;
      if (i != 0) text += ", ";
      text += at + 1 < shape.size() ? self(self, at + 1, row) : row < rows ? element(lane, row) : "...";
    }
    return text + (some < shape[at] ? ", ...]" : "]");
  };
  return axis(axis, 0, 0);
}

void run_print(Cta& cta, const Instr& in, Mask& mask) {
  if (!cta.may_print()) return;
  const ir::Note& note = cta.kernel().notes[static_cast<std::size_t>(in.op->immediate)];
  std::vector<Seen> values;
  std::int64_t lanes = 1;
  for (std::size_t i = 0; i < in.in.size(); ++i) {
    values.push_back(see(cta, in.in[i], in.op->operands[i], INT64_MAX));
    lanes = std::max(lanes, values.back().lanes);
  }
  const int threads = cta.threads();
  const std::vector<int> here = running(mask, threads);
  Printed line{{cta.block(0), cta.block(1), cta.block(2)}, in.op->span, {}, {}};
  std::map<std::string, std::size_t> groups;
  std::vector<Printed> lines;
  const int step = threads / static_cast<int>(lanes);  // threads that share all values
  for (std::size_t i = 0; i < here.size();) {
    const int end = (here[i] / step + 1) * step;
    line.text = line_of(values, note, here[i], threads);
    const auto [found, fresh] = groups.emplace(line.text, lines.size());
    if (fresh) lines.push_back(line);
    for (; i < here.size() && here[i] < end; ++i) lines[found->second].threads.push_back(here[i]);
  }
  for (Printed& one : lines)
    if (one.threads.size() == static_cast<std::size_t>(threads)) one.threads.clear();
  if (cta.watcher()) cta.watcher()->printed(lines);
  cta.print(std::move(lines));
}

void run_mark(Cta& cta, const Instr& in, Mask& mask) {
  Watcher* watcher = cta.watcher();
  if (!watcher) return;
  const ir::Note& note = cta.kernel().notes[static_cast<std::size_t>(in.op->immediate)];
  std::vector<Seen> values;
  for (std::size_t i = 0; i < in.in.size(); ++i) {
    const ir::Type& type = cta.kernel().type(in.op->operands[0]);
    const bool tensor = note.form != ir::Note::Form::Values && i == 0 && type.is_buffer() && type.space == ir::Type::Space::Global;
    values.push_back(see(cta, in.in[i], in.op->operands[i], tensor ? 0 : watcher->most_elements()));  // of a tensor that is stored to, the name alone
  }
  if (note.form == ir::Note::Form::Changed) {  // the element as it is now
    const BufferRef& buffer = cta.buffer(in.in[0]);
    const ir::Type& type = cta.kernel().type(in.op->operands[0]);
    Seen now;
    now.type = ir::Type::scalar(type.element);
    now.rows = 1;
    const std::int64_t at = cta.whole(in.in[1], mask);
    with_element(type.element, [&](auto element) {
      using E = decltype(element);
      add(now, E::load(reinterpret_cast<const typename E::Raw*>(buffer.data)[at]));
    });
    values.push_back(std::move(now));
  }
  const Reached step{*in.op, note, {cta.block(0), cta.block(1), cta.block(2)}, running(mask, cta.threads()), cta.threads(), values};
  if (watcher->reached(step)) return;
  cta.machine().stop();
  throw Halt{};
}

}  // namespace phobos::sim
