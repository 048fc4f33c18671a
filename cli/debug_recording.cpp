#include "debug_recording.h"

#include <algorithm>

namespace phobos::cli {
namespace {

constexpr std::int64_t most_elements = 128 * 128;         // of a tile
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of all that is kept


}  // namespace

OrStop<Recording> Recording::make(Source source, const RecordingRequest& request, std::stop_token stop) {
  Recording made;
  made.source_ = std::move(source);
  const OrStop<const session::ItemView*> chosen = choose_kernel(made.source_, request.kernel);
  if (const Stop* why = std::get_if<Stop>(&chosen)) return *why;
  const session::ItemView& view = *std::get<const session::ItemView*>(chosen);
  std::filesystem::path folder;
  const Result<launch::Request> asked = request_of(request.words, request.run_line, request.grid, made.source_, view, folder);
  if (!asked) return Stop{exit_usage, asked.message(), {}};
  const LaunchCheck check = [](const ir::Kernel& kernel, const launch::Grid& grid, double bytes) { return check_simulated(kernel, grid, bytes, {}); };
  OrStop<Prepared> prepared = prepare(made.source_, view, *asked, folder, {}, check, lower::Purpose::Trace);
  if (Stop* why = std::get_if<Stop>(&prepared)) return std::move(*why);
  Prepared& ready = std::get<Prepared>(prepared);
  const Result<std::int64_t> cta = launch::cta_of(request.block, ready.grid);
  if (!cta) return Stop{exit_usage, cta.message(), {}};
  made.kernel_ = std::move(ready.kernel);
  made.grid_ = ready.grid;
  made.block_ = {*cta % ready.grid[0], *cta / ready.grid[0] % ready.grid[1], *cta / ready.grid[0] / ready.grid[1]};
  made.before_ = ready.bound;
  sim::Options options;
  options.stop = stop;
  options.step_budget = launch::trace_budget;
  made.trace_ = launch::trace(made.kernel_, ready.bound, made.grid_, *cta, {request.steps, most_elements, most_bytes}, options,
                              [&](launch::TraceStep step) { made.steps_.push_back(std::move(step)); });
  made.index();
  return made;
}

void Recording::index() {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    for (std::size_t j = 0; j < steps_[i].writes.size(); ++j)
      if (const launch::TraceWrite& write = steps_[i].writes[j]; write.at.empty() && !write.name.empty())
        written_[{steps_[i].call, write.name}].push_back({i, j});
}

int Recording::depth_of(std::size_t step) const {
  int depth = 0;
  for (std::uint32_t call = steps_[step].call; call != 0; call = kernel_.calls[call - 1].caller) ++depth;
  return depth;
}

std::vector<std::string> Recording::names(std::size_t step, std::uint32_t call) const {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (auto at = written_.lower_bound({call, ""}); at != written_.end() && at->first.first == call; ++at) {
    const auto after = std::partition_point(at->second.begin(), at->second.end(), [&](const Place& place) { return place.step <= step; });
    if (after != at->second.begin()) found.emplace_back(std::prev(after)->step, at->first.second);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [when, name] : found) names.push_back(std::move(name));
  return names;
}

std::optional<Held> Recording::held(std::size_t step, std::uint32_t call, const std::string& name) const {
  const auto found = written_.find({call, name});
  if (found == written_.end()) return std::nullopt;
  const std::vector<Place>& places = found->second;
  auto at = std::partition_point(places.begin(), places.end(), [&](const Place& place) { return place.step <= step; });
  if (at == places.begin()) return std::nullopt;
  Held held;
  held.step = std::prev(at)->step;
  held.last = &steps_[held.step].writes[std::prev(at)->write];
  if (held.last->value.type.is_tile()) {
    held.by_thread = {held.last};
    return held;
  }
  held.by_thread.resize(static_cast<std::size_t>(threads()));
  std::size_t left = held.by_thread.size();
  while (at != places.begin() && left > 0) {
    --at;
    const launch::TraceStep& there = steps_[at->step];
    const launch::TraceWrite& write = there.writes[at->write];
    for (const int thread : there.active)
      if (const launch::TraceWrite*& mine = held.by_thread[static_cast<std::size_t>(thread)]; mine == nullptr) mine = &write, --left;
  }
  return held;
}

const launch::HostTensor* Recording::given(int parameter) const {
  return parameter < 0 ? nullptr : std::get_if<launch::HostTensor>(&before_.arguments[static_cast<std::size_t>(parameter)]);
}

int Recording::parameter(const std::string& name) const {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
    if (kernel_.parameters[i].name == name) return static_cast<int>(i);
  return -1;
}

// A start stands for each axis, or one row-major index for all; what lies outside was masked, or found to be an error.
void Recording::visit_stored(const launch::TraceStep& step, const launch::TraceWrite& write, const std::vector<std::int64_t>& extents, const Visit& visit) const {
  if (write.at.empty()) return;
  const std::int64_t count = ir::element_count(extents);
  const bool by_axis = write.at.size() == extents.size();
  const ir::Shape& shape = write.value.type.shape;
  for (const int thread : step.active) {
    const std::int64_t lane = write.value.lane_of(thread, threads());
    const auto start = [&](std::size_t axis) { return write.at[axis].integers[static_cast<std::size_t>(write.at[axis].lane_of(thread, threads()))]; };
    for (std::int64_t row = 0; row < write.value.rows; ++row) {
      std::int64_t element = by_axis ? 0 : start(0) + row;
      bool inside = by_axis || element < count;
      if (by_axis) {
        std::int64_t stride = 1, rest = row;
        for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
          const std::size_t behind = extents.size() - axis;
          const std::int64_t own = behind <= shape.size() ? shape[shape.size() - behind] : 1, at = start(axis) + rest % own;
          rest /= own;
          inside = inside && at >= 0 && at < extents[axis];
          element += at * stride;
        }
      }
      if (inside && element >= 0) visit(element, thread, lane, row);
    }
    if (launch::told_once(write)) break;
  }
}

void Recording::store(std::size_t step, int parameter, launch::HostTensor& into) const {
  for (const launch::TraceWrite& write : steps_[step].writes) {
    if (write.parameter != parameter) continue;
    visit_stored(steps_[step], write, into.shape, [&](std::int64_t element, int, std::int64_t lane, std::int64_t row) {
      const auto at = static_cast<std::size_t>(row * write.value.lanes + lane);
      if (is_float(write.value.type.element)) into.set_real(element, write.value.reals[at]);
      else into.set_integer(element, write.value.integers[at]);
    });
  }
}

const launch::HostTensor& Recording::tensor(std::size_t step, int parameter) const {
  auto found = now_.find(parameter);
  std::size_t from = 0;
  if (found == now_.end() || found->second.first > step) {
    found = now_.insert_or_assign(parameter, std::pair(std::size_t{0}, *given(parameter))).first;
  } else {
    from = found->second.first + 1;
  }
  for (std::size_t i = from; i <= step && i < steps_.size(); ++i) store(i, parameter, found->second.second);
  found->second.first = step;
  return found->second.second;
}

}  // namespace phobos::cli
