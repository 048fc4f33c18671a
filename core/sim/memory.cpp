// A thread's own accesses: points, elements and runs. The indices of all lanes are checked first; where none is outside, the
// access itself is a plain loop. An index outside is reported, its access left out.
#include <algorithm>
#include <cstring>

#include "cta.h"
#include "element.h"
#include "handlers.h"
#include "observe.h"
#include "turns.h"

namespace phobos::sim {
namespace {

// Where the lanes of a point access fall in their buffer.
struct Places {
  std::int64_t lanes = 1;
  std::int64_t* offset = nullptr;  // in elements; -1 outside
  bool outside = false;            // some lane's is, running or not
};

std::string_view name_of_buffer(Cta& cta, const Instr& in) {
  const std::string& name = cta.kernel()[in.op->operands[0]].name;
  return name.empty() ? "a buffer" : std::string_view(name);
}

// Adds one axis to the offsets.
template <class T>
void add_axis(Places& places, const T* index, std::int64_t extent, std::uint8_t* outside) {
  for (std::int64_t i = 0; i < places.lanes; ++i) {
    const auto at = static_cast<std::uint64_t>(static_cast<std::int64_t>(index[i]));
    outside[i] |= static_cast<std::uint8_t>(at >= static_cast<std::uint64_t>(extent));
    places.offset[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(places.offset[i]) * static_cast<std::uint64_t>(extent) + at);
  }
}

Places places_of(Cta& cta, const Instr& in, std::size_t first, std::int64_t lanes, const std::int64_t* extents) {
  Places places;
  places.lanes = lanes;
  places.offset = reinterpret_cast<std::int64_t*>(cta.scratch(0));
  auto* outside = reinterpret_cast<std::uint8_t*>(cta.scratch(3));
  std::fill_n(places.offset, lanes, 0);
  std::fill_n(outside, lanes, 0);
  for (std::size_t i = first; i < in.in.size(); ++i) {
    const void* index = spread(cta, in.in[i], lanes, 1);
    if (in.in[i].store == Store::I32) add_axis(places, static_cast<const std::int32_t*>(index), extents[i - first], outside);
    else add_axis(places, static_cast<const std::int64_t*>(index), extents[i - first], outside);
  }
  places.outside = std::memchr(outside, 1, static_cast<std::size_t>(lanes)) != nullptr;
  if (places.outside)
    for (std::int64_t i = 0; i < lanes; ++i)
      if (outside[i]) places.offset[i] = -1;
  return places;
}

// Reports the first running lane that is outside, and stops the CTA.
void judge(Cta& cta, const Instr& in, const Places& places, std::size_t first, const std::int64_t* extents, const Mask& mask) {
  if (!places.outside) return;
  for (std::int64_t lane = 0; lane < places.lanes; ++lane) {
    const std::int64_t thread = places.offset[lane] < 0 ? cta.runner(mask, places.lanes, lane) : -1;
    if (thread < 0) continue;
    for (std::size_t i = first; i < in.in.size(); ++i) {
      const Slot& slot = in.in[i];
      const std::int64_t own = slot.lanes == 1 ? 0 : slot.lanes == cta.threads() ? thread : thread / warp_size;
      const std::int64_t index = cta.integer(slot, own), extent = extents[i - first];
      if (index >= 0 && index < extent) continue;
      cta.report(diag::make(diag::Code::OutOfBounds, {in.op->span}, name_of_buffer(cta, in), outside_by(index), index, i - first, extent,
                            cta.block_text(), thread));
      throw Halt{};
    }
  }
}

void load_points(Cta& cta, const Instr& in, const Places& places, const std::byte* data) {
  with_element(in.out.element, [&](auto element) {
    using E = decltype(element);
    const auto* from = reinterpret_cast<const typename E::Raw*>(data);
    auto* to = cta.at<typename E::Held>(in.out);
    if (!places.outside)
      for (std::int64_t i = 0; i < places.lanes; ++i) to[i] = E::load(from[places.offset[i]]);
    else
      for (std::int64_t i = 0; i < places.lanes; ++i) to[i] = places.offset[i] < 0 ? typename E::Held() : E::load(from[places.offset[i]]);
  });
}

void observe_points(Cta& cta, const Instr& in, const Places& places, const Mask& mask) {
  Observer observer(cta, in, mask, places.lanes);
  observer.expect(places.offset, places.lanes);
  for (std::int64_t i = 0; i < places.lanes; ++i)
    if (places.offset[i] >= 0 && observer.runs(i)) observer.read(places.offset[i]);
  observer.end();
}

void watch_points(Cta& cta, const Instr& in, const Places& places, const Mask& mask) {
  if (!in.told) return observe_points(cta, in, places, mask);
  std::uint8_t* unset = cta.begin_told_unset(in.out);
  for (std::int64_t i = 0; i < places.lanes; ++i) unset[i] = places.offset[i] >= 0 && !cta.written(in.buffer)[places.offset[i]];
}

template <class E>
void store_observed(Cta& cta, const Instr& in, const Places& places, typename E::Raw* to, const typename E::Held* from, const Mask& mask) {
  Observer observer(cta, in, mask, places.lanes);
  observer.expect(places.offset, places.lanes);
  for (std::int64_t i = 0; i < places.lanes; ++i)
    if (places.offset[i] >= 0 && observer.runs(i)) observer.write(places.offset[i], E::store(from[i]), to);
  observer.end();
}

void note_write(Cta& cta, const Instr& in) {
  if (cta.turns() && cta.kernel().type(in.op->operands[0]).space == ir::Type::Space::Global) cta.turns()->wrote();
}

void store_points(Cta& cta, const Instr& in, const Places& places, std::byte* data, const Mask& mask) {
  note_write(cta, in);
  const void* values = spread(cta, in.in[1], places.lanes, 2);
  with_element(in.in[1].element, [&](auto element) {
    using E = decltype(element);
    auto* to = reinterpret_cast<typename E::Raw*>(data);
    const auto* from = static_cast<const typename E::Held*>(values);
    if (in.watch) return store_observed<E>(cta, in, places, to, from, mask);
    if (!places.outside && cta.is_full(mask)) {
      for (std::int64_t i = 0; i < places.lanes; ++i) to[places.offset[i]] = E::store(from[i]);
      return;
    }
    for (std::int64_t i = 0; i < places.lanes; ++i)
      if (places.offset[i] >= 0 && cta.runner(mask, places.lanes, i) >= 0) to[places.offset[i]] = E::store(from[i]);
  });
}

std::int64_t widest(const Instr& in, std::size_t first) {
  std::int64_t lanes = 1;
  for (std::size_t i = first; i < in.in.size(); ++i) lanes = std::max(lanes, in.in[i].lanes);
  return lanes;
}

// Visits the elements of runs: f(row × lanes + lane, offset), with -1 for what lies outside. Runs are masked like slices.
template <class F>
void each_of_run(Cta& cta, const Instr& in, std::size_t first, std::int64_t rows, std::int64_t lanes, const std::int64_t* extents,
                 std::size_t axis, F&& f) {
  const std::size_t rank = in.in.size() - first;
  const auto inside = [](std::int64_t index, std::int64_t extent) { return index >= 0 && index < extent; };
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    std::array<std::int64_t, 4> start{};
    std::int64_t before = 0, stride = 1;  // of the start in the axes up to the run's and after it; of the run's axis
    bool fits = true;
    for (std::size_t i = 0; i < rank; ++i) {
      const Slot& slot = in.in[first + i];
      start[i] = cta.integer(slot, slot.lanes == 1 ? 0 : slot.lanes == lanes ? lane : lane / (lanes / slot.lanes));
      if (i != axis) fits = fits && inside(start[i], extents[i]);
      if (i > axis) stride *= extents[i];
    }
    for (std::size_t i = 0; fits && i < rank; ++i) before = before * extents[i] + (i == axis ? 0 : start[i]);
    for (std::int64_t row = 0; row < rows; ++row) {
      const bool there = fits && start[axis] <= INT64_MAX - row && inside(start[axis] + row, extents[axis]);
      f(row * lanes + lane, there ? before + (start[axis] + row) * stride : -1, lane);
    }
  }
}

void load_run(Cta& cta, const Instr& in, const std::int64_t* extents, std::size_t axis, const Mask& mask) {
  const std::byte* data = cta.buffer(in.in[0]).data;
  if (in.watch && in.told) {
    std::uint8_t* unset = cta.begin_told_unset(in.out);
    each_of_run(cta, in, 1, in.out.rows, in.out.lanes, extents, axis, [&](std::int64_t i, std::int64_t offset, std::int64_t) {
      unset[i] = offset >= 0 && !cta.written(in.buffer)[offset];
    });
  } else if (in.watch) {
    Observer observer(cta, in, mask, in.out.lanes);
    each_of_run(cta, in, 1, in.out.rows, in.out.lanes, extents, axis, [&](std::int64_t, std::int64_t offset, std::int64_t lane) {
      if (offset >= 0 && observer.runs(lane)) observer.read(offset);
    });
    observer.end();
  }
  with_element(in.out.element, [&](auto element) {
    using E = decltype(element);
    const auto* from = reinterpret_cast<const typename E::Raw*>(data);
    auto* to = cta.at<typename E::Held>(in.out);
    each_of_run(cta, in, 1, in.out.rows, in.out.lanes, extents, axis, [&](std::int64_t i, std::int64_t offset, std::int64_t) {
      to[i] = offset < 0 ? typename E::Held() : E::load(from[offset]);
    });
  });
}

void store_run(Cta& cta, const Instr& in, const std::int64_t* extents, std::size_t axis, const Mask& mask) {
  note_write(cta, in);
  const std::int64_t lanes = widest(in, 1);
  const void* values = spread(cta, in.in[1], lanes, 2);
  std::byte* data = cta.buffer(in.in[0]).data;
  with_element(in.in[1].element, [&](auto element) {
    using E = decltype(element);
    auto* to = reinterpret_cast<typename E::Raw*>(data);
    const auto* from = static_cast<const typename E::Held*>(values);
    if (in.watch) {
      Observer observer(cta, in, mask, lanes);
      each_of_run(cta, in, 2, in.in[1].rows, lanes, extents, axis, [&](std::int64_t i, std::int64_t offset, std::int64_t lane) {
        if (offset >= 0 && observer.runs(lane)) observer.write(offset, E::store(from[i]), to);
      });
      return observer.end();
    }
    each_of_run(cta, in, 2, in.in[1].rows, lanes, extents, axis, [&](std::int64_t i, std::int64_t offset, std::int64_t lane) {
      if (offset >= 0 && cta.runner(mask, lanes, lane) >= 0) to[offset] = E::store(from[i]);
    });
  });
}

bool is_run(Cta& cta, ir::ValueId value) { return cta.kernel().type(value).is_run(); }

}  // namespace

void run_alloc(Cta& cta, const Instr& in, Mask&) {
  const ir::Type& type = cta.kernel().type(in.op->results[0]);
  BufferRef buffer{cta.shared() + in.place, {1, 1, 1, 1}, ir::element_count(type.shape)};
  std::copy(type.shape.begin(), type.shape.end(), buffer.extents.begin());
  // What was never written should not look like anything.
  std::memset(buffer.data, 0xff, static_cast<std::size_t>(buffer.count) * static_cast<std::size_t>(phobos::size_of(type.element)));
  *cta.at<BufferRef>(in.out) = buffer;
  if (!(in.watch & watch_unset)) return;
  std::fill_n(cta.written(in.buffer), buffer.count, std::uint8_t{0});
  if (cta.find_stored_holes(in.buffer)) cta.stored_holes(in.buffer) = {};
}

void run_load(Cta& cta, const Instr& in, Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  const Places places = places_of(cta, in, 1, in.out.lanes, buffer.extents.data());
  if (in.watch) watch_points(cta, in, places, mask);
  load_points(cta, in, places, buffer.data);
  judge(cta, in, places, 1, buffer.extents.data(), mask);
}

void run_store(Cta& cta, const Instr& in, Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  const Places places = places_of(cta, in, 2, widest(in, 1), buffer.extents.data());
  store_points(cta, in, places, buffer.data, mask);
  judge(cta, in, places, 2, buffer.extents.data(), mask);
}

void run_run_load(Cta& cta, const Instr& in, Mask& mask) {
  load_run(cta, in, cta.buffer(in.in[0]).extents.data(), static_cast<std::size_t>(in.op->immediate), mask);
}

void run_run_store(Cta& cta, const Instr& in, Mask& mask) {
  store_run(cta, in, cta.buffer(in.in[0]).extents.data(), static_cast<std::size_t>(in.op->immediate), mask);
}

void run_elem_load(Cta& cta, const Instr& in, Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  if (is_run(cta, in.op->results[0])) return load_run(cta, in, &buffer.count, 0, mask);
  const Places places = places_of(cta, in, 1, in.out.lanes, &buffer.count);
  if (in.watch) watch_points(cta, in, places, mask);
  load_points(cta, in, places, buffer.data);
  judge(cta, in, places, 1, &buffer.count, mask);
}

void run_elem_store(Cta& cta, const Instr& in, Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  if (is_run(cta, in.op->operands[1])) return store_run(cta, in, &buffer.count, 0, mask);
  const Places places = places_of(cta, in, 2, widest(in, 1), &buffer.count);
  store_points(cta, in, places, buffer.data, mask);
  judge(cta, in, places, 2, &buffer.count, mask);
}

}  // namespace phobos::sim
