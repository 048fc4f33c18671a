#include <phobos/server/workspace/change_order.h>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

namespace phobos::server {

namespace {

constexpr std::size_t most_steps = 16;
constexpr std::size_t most_bytes = 1u << 20;

}  // namespace

bool ChangeOrder::Step::whole() const {
  return std::any_of(changes.begin(), changes.end(), [](const TextChange& change) { return !change.where; });
}

std::size_t ChangeOrder::Step::bytes() const {
  std::size_t sum = 0;
  for (const TextChange& change : changes) sum += change.text.size();
  for (const Edit& edit : back) sum += edit.text.size();
  return sum;
}

void ChangeOrder::redo(session::Session& session, Step& step, const Edited& edited) {
  step.back.clear();
  for (const TextChange& change : step.changes) {
    if (!change.where) {
      const auto all = static_cast<std::uint32_t>(session.text().size());
      if (change.text != session.text()) edited({{0, all}, change.text});
      session.replace(change.text);
      continue;
    }
    // One that came too early may name places that are still to come.
    const auto size = static_cast<std::uint32_t>(session.text().size());
    const Span where = change.where(session);
    const Edit edit{{std::min(where.begin, size), std::clamp(where.end, std::min(where.begin, size), size)}, change.text};
    const auto end = static_cast<std::uint32_t>(edit.span.begin + edit.text.size());
    step.back.push_back({{edit.span.begin, end}, session.text().substr(edit.span.begin, edit.span.size())});
    edited(edit);
    session.apply(edit);
  }
}

void ChangeOrder::undo(session::Session& session, Step& step, const Edited& edited) {
  for (const Edit& edit : std::views::reverse(step.back)) {
    edited(edit);
    session.apply(edit);
  }
}

bool ChangeOrder::make(session::Session& session, std::vector<TextChange> changes, std::optional<std::int64_t> before,
                       std::optional<std::int64_t> version, const Edited& edited) {
  const auto late = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return version && step.before < *version && *version < step.version;
  });
  if (late == steps_.end()) {
    Step step{before.value_or(0), version.value_or(0), std::move(changes), {}};
    redo(session, step, edited);
    // What came before a whole text, or in no order, nothing can be put between.
    const bool ordered = before && version && *before < *version;
    if (!ordered || step.whole()) steps_.clear();
    if (step.whole()) step.changes = {{}};  // never to be made again
    if (ordered) steps_.push_back(std::move(step));
    forget_old();
    return false;
  }
  // The whole text that came since has this one's changes, too.
  if (std::any_of(late, steps_.end(), [](const Step& step) { return step.whole(); })) return true;
  for (auto step = steps_.end(); step != late;) undo(session, *--step, edited);
  Step between{late->before, *version, std::move(changes), {}};
  const auto made = steps_.insert(late, std::move(between));
  std::next(made)->before = *version;
  for (auto step = made; step != steps_.end(); ++step) redo(session, *step, edited);
  forget_old();
  return true;
}

void ChangeOrder::forget_old() {
  const auto sum = [](std::size_t bytes, const Step& step) { return bytes + step.bytes(); };
  while (steps_.size() > most_steps || std::accumulate(steps_.begin(), steps_.end(), std::size_t{0}, sum) > most_bytes) steps_.pop_front();
}

}  // namespace phobos::server
