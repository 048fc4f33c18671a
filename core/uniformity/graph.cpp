#include "graph.h"

#include <utility>

namespace phobos::uniformity {

void Graph::solve(const std::stop_token& stop) {
  kinds_.assign(size_, Kind::Uniform);
  reached_by_.assign(size_, {});
  if (sources_[0].empty() && sources_[1].empty()) return;
  first_.assign(size_ + 1, 0);
  for (const Influence& influence : influences_) ++first_[influence.from + 1];
  for (std::size_t i = 0; i < size_; ++i) first_[i + 1] += first_[i];
  order_.resize(influences_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < influences_.size(); ++i) order_[next[influences_[i].from]++] = i;
  spread(sources_[0], Kind::Varying, stop);
  spread(sources_[1], Kind::WarpUniform, stop);
}

// Breadth first by the number of steps worth naming: an unnamed one stays in the round, a named one waits for the next.
void Graph::spread(const std::vector<Influence>& sources, Kind kind, const std::stop_token& stop) {
  std::vector<Influence> round = sources, later;
  while (!round.empty()) {
    for (std::size_t i = 0; i < round.size(); ++i) {
      const Influence step = round[i];
      if (kinds_[step.to] != Kind::Uniform) continue;
      if ((reached_.size() & 0x3ff) == 0x3ff && stop.stop_requested()) return;
      kinds_[step.to] = kind;
      reached_by_[step.to] = step;
      reached_.push_back(step.to);
      for (std::uint32_t at = first_[step.to]; at < first_[step.to + 1]; ++at) {
        const Influence& onward = influences_[order_[at]];
        if (kinds_[onward.to] != Kind::Uniform) continue;
        (onward.why == Why::Plain ? round : later).push_back(onward);
      }
    }
    round.clear();
    std::swap(round, later);
  }
}

}  // namespace phobos::uniformity
