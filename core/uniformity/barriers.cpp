#include "barriers.h"

#include <algorithm>
#include <set>
#include <utility>

namespace phobos::uniformity {

StoreCause per_thread(const CheckedItem& item, const Facts& facts, const ThreadStore& store) {
  const Graph& graph = facts.graph;
  auto differs = [&](ExprId id) { return id.valid() && graph.kind(facts.node(id)) != Kind::Uniform; };
  if (store.call.valid()) {  // store(t, e, v)
    const auto& arguments = std::get<sema::BuiltinCall>(item[store.call].node).arguments;
    for (std::size_t i = arguments.size(); i-- > 1;)
      if (differs(arguments[i]))
        return {i > 1 ? StoreCause::Form::Value : StoreCause::Form::Index, facts.node(arguments[i])};
  } else {
    const auto& point = std::get<sema::PointStore>(item[store.stmt].node);
    for (ExprId index : point.indices)
      if (differs(index)) return {StoreCause::Form::Index, facts.node(index)};
    if (differs(point.value)) return {StoreCause::Form::Value, facts.node(point.value)};
  }
  if (graph.kind(store.control) != Kind::Uniform) return {StoreCause::Form::Control, store.control};
  return {};
}

namespace {

class Search {
 public:
  Search(const Facts& facts, StmtId mended) : facts_(facts), mended_(mended), store_at_(facts.events.size(), nothing) {}

  void from(std::vector<std::uint32_t> starts, LocalId buffer, std::vector<EarlyRead>& found) {
    buffer_ = buffer;
    for (std::uint32_t at : queue_) store_at_[at] = nothing;
    queue_.clear();
    for (std::uint32_t at : starts) follow(at, facts_.events[at].subject);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::uint32_t at = queue_[i];
      const Event& event = facts_.events[at];
      if (ends(event)) continue;
      if (event.form == Event::Form::Read && facts_.reads[event.subject].buffer == buffer)
        found.push_back({event.subject, store_at_[at]});
      follow(at, store_at_[at]);
    }
  }

 private:
  bool ends(const Event& event) const {
    switch (event.form) {
      case Event::Form::Barrier: return true;
      case Event::Form::Fresh: return LocalId(event.subject) == buffer_;
      case Event::Form::Enter: return StmtId(event.subject) == mended_;
      default: return false;
    }
  }
  void follow(std::uint32_t at, std::uint32_t store) {
    const Event& event = facts_.events[at];
    if (event.form != Event::Form::Jump) reach(at + 1, store);
    if (event.form == Event::Form::Jump || event.form == Event::Form::Branch) reach(event.target, store);
  }
  void reach(std::uint32_t at, std::uint32_t store) {
    if (at >= store_at_.size() || store_at_[at] != nothing) return;
    store_at_[at] = store;
    queue_.push_back(at);
  }

  const Facts& facts_;
  StmtId mended_;
  LocalId buffer_;
  std::vector<std::uint32_t> store_at_;  // the store that the search came from
  std::vector<std::uint32_t> queue_;
};

}  // namespace

std::vector<EarlyRead> early_reads(const CheckedItem& item, const Facts& facts, const std::stop_token& stop, StmtId mended) {
  std::vector<EarlyRead> found;
  std::vector<bool> is_read(item.locals.size(), false);
  for (const Read& read : facts.reads) is_read[read.buffer.value] = true;
  std::vector<LocalId> buffers;
  std::vector<std::vector<std::uint32_t>> starts(item.locals.size());  // events, by buffer
  for (std::uint32_t at = 0; at < facts.events.size(); ++at) {
    if (facts.events[at].form != Event::Form::Store) continue;
    const ThreadStore& store = facts.stores[facts.events[at].subject];
    if (per_thread(item, facts, store).node == no_node) continue;
    if (!is_read[store.buffer.value]) continue;
    if (starts[store.buffer.value].empty()) buffers.push_back(store.buffer);
    starts[store.buffer.value].push_back(at);
  }
  if (buffers.empty()) return found;
  Search search(facts, mended);
  for (LocalId buffer : buffers) {
    if (stop.stop_requested()) return {};
    search.from(std::move(starts[buffer.value]), buffer, found);
  }
  std::sort(found.begin(), found.end(), [](const EarlyRead& a, const EarlyRead& b) { return a.read < b.read; });
  std::vector<EarlyRead> once;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told;
  for (const EarlyRead& early : found) {
    const Read& read = facts.reads[early.read];
    if (told.emplace(read.stmt.value, read.buffer.value).second) once.push_back(early);
  }
  return once;
}

}  // namespace phobos::uniformity
