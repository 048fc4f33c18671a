#include "graph.h"

#include <utility>

namespace phobos::uniformity {

void Graph::solve(const std::stop_token& stop) {
  kinds_.assign(size_, Kind::Uniform);
  ways_.last.assign(size_, {});
  if (sources_[0].empty() && sources_[1].empty()) return;
  order();
  for (const Kind kind : {Kind::Varying, Kind::WarpUniform})
    spread(sources_[kind == Kind::Varying ? 0 : 1], ways_, stop, [&](Node node) {
      kinds_[node] = kind;
      reached_.push_back(node);
    });
}

Ways Graph::ways_from(const std::vector<Influence>& sources, const std::stop_token& stop) {
  Ways ways{std::vector<Influence>(size_)};
  if (first_.empty()) order();
  spread(sources, ways, stop, [](Node) {});
  return ways;
}

void Graph::order() {
  first_.assign(size_ + 1, 0);
  for (const Influence& influence : influences_) ++first_[influence.from + 1];
  for (std::size_t i = 0; i < size_; ++i) first_[i + 1] += first_[i];
  order_.resize(influences_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < influences_.size(); ++i) order_[next[influences_[i].from]++] = i;
}

// Breadth first by the number of steps worth naming: an unnamed one stays in the round, a named one waits for the next.
template <class Reach>
void Graph::spread(const std::vector<Influence>& sources, Ways& ways, const std::stop_token& stop, Reach reach) const {
  std::vector<Influence> round = sources, later;
  std::size_t reached = 0;
  while (!round.empty()) {
    for (std::size_t i = 0; i < round.size(); ++i) {
      const Influence step = round[i];
      if (ways.reach(step.to)) continue;
      if ((++reached & 0x3ff) == 0 && stop.stop_requested()) return;
      ways.last[step.to] = step;
      reach(step.to);
      for (std::uint32_t at = first_[step.to]; at < first_[step.to + 1]; ++at) {
        const Influence& onward = influences_[order_[at]];
        if (!ways.reach(onward.to)) (onward.why == Why::Plain ? round : later).push_back(onward);
      }
    }
    round.clear();
    std::swap(round, later);
  }
}

}  // namespace phobos::uniformity
