#include <phobos/session/session.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "analyse.h"
#include "items.h"
#include "snapshot_names.h"
#include "text_check.h"

namespace phobos::session {

namespace {

// Whether nobody else holds it, and what others did to it while they held it is done.
template <class T>
bool is_ours(const std::shared_ptr<T>& pointer) {
  if (pointer.use_count() != 1) return false;
  [[maybe_unused]] const std::shared_ptr<T> again = pointer;  // acquires by the count itself: ThreadSanitizer knows no fences
  return true;
}

syntax::Unchanged common_ends(std::string_view a, std::string_view b) {
  constexpr std::size_t block = 1024;
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front + block <= shorter && std::memcmp(a.data() + front, b.data() + front, block) == 0) front += block;
  while (front < shorter && a[front] == b[front]) ++front;
  const std::size_t rest = shorter - front;
  const char *a_end = a.data() + a.size(), *b_end = b.data() + b.size();
  while (back + block <= rest && std::memcmp(a_end - back - block, b_end - back - block, block) == 0) back += block;
  while (back < rest && a_end[-1 - static_cast<std::ptrdiff_t>(back)] == b_end[-1 - static_cast<std::ptrdiff_t>(back)]) ++back;
  return {front, back};
}

}  // namespace

struct Session::State {
  std::shared_ptr<std::string> text;
  std::shared_ptr<LineMap> lines;
  bool clean = false;  // known to be valid UTF-8 text
  std::uint64_t revision = 1;
  std::unique_ptr<Items> items = std::make_unique<Items>();
  syntax::Unchanged same;    // as in the text that `items` have
  bool up_to_date = false;   // `items` have this text
  std::shared_ptr<Snapshot> latest;  // of `revision`, when it was asked for; it has the items' views

  bool fit = true;                      // the text has items; else `faults` say why not
  std::vector<diag::Diagnostic> faults;  // of the text as such

  // Brings `items` up to the text. False where it is no source text.
  bool split() {
    if (up_to_date) return fit;
    faults.clear();
    up_to_date = true;
    if (!clean || text->size() > largest_text) {
      if (auto reason = unfit(*text)) {
        faults.push_back(std::move(*reason));
        items = std::make_unique<Items>();
        same = {};
        return fit = false;
      }
      faults = invalid_utf8(*text);
      clean = faults.empty();
    }
    items->update(*text, same);
    same = {text->size(), text->size()};
    return fit = true;
  }

  // Before a change: readers keep what they have.
  void begin_change() {
    if (latest) items->give_views(is_ours(latest) ? std::move(latest->items_) : latest->items_);
    latest.reset();
    ++revision;
    up_to_date = false;
  }
};

Session::Session(std::string text) : state_(std::make_unique<State>()) {
  state_->text = std::make_shared<std::string>(std::move(text));
  state_->lines = std::make_shared<LineMap>(*state_->text);
}

Session::~Session() = default;

const std::string& Session::text() const {
  return *state_->text;
}

const LineMap& Session::lines() const {
  return *state_->lines;
}

void Session::apply(const Edit& edit) {
  State& state = *state_;
  const auto size = static_cast<std::uint32_t>(state.text->size());
  Edit clamped = edit;
  clamped.span.begin = std::min(edit.span.begin, size);
  clamped.span.end = std::clamp(edit.span.end, clamped.span.begin, size);
  state.begin_change();
  if (!is_ours(state.text)) state.text = std::make_shared<std::string>(*state.text);
  if (!is_ours(state.lines)) state.lines = std::make_shared<LineMap>(*state.lines);
  state.same.front = std::min<std::size_t>(state.same.front, clamped.span.begin);
  state.same.back = std::min<std::size_t>(state.same.back, size - clamped.span.end);
  state.text->replace(clamped.span.begin, clamped.span.size(), clamped.text);
  state.lines->apply(*state.text, clamped);
  const auto inserted = static_cast<std::uint32_t>(clamped.span.begin + clamped.text.size());
  if (state.clean) state.clean = stays_clean(*state.text, {clamped.span.begin, inserted});
}

void Session::replace(std::string text) {
  State& state = *state_;
  state.begin_change();
  const syntax::Unchanged same = common_ends(*state.text, text);
  state.same = {std::min(state.same.front, same.front), std::min(state.same.back, same.back)};
  state.text = std::make_shared<std::string>(std::move(text));
  state.lines = std::make_shared<LineMap>(*state.text);
  state.clean = false;
}

std::size_t Session::due() {
  State& state = *state_;
  return state.latest || !state.split() ? 0 : state.items->due_bytes();
}

std::shared_ptr<const Snapshot> Session::snapshot(std::stop_token stop) {
  State& state = *state_;
  if (state.latest) return state.latest;
  auto fresh = std::make_shared<Snapshot>();
  fresh->revision_ = state.revision;
  fresh->text_ = state.text;
  fresh->lines_ = state.lines;
  if (!state.split()) {
    fresh->file_diagnostics_ = state.faults;
    return state.latest = std::move(fresh);
  }
  fresh->file_diagnostics_ = state.faults;
  if (!state.items->analyse(stop)) return nullptr;
  std::vector<diag::Diagnostic> found = state.items->diagnostics();
  std::move(found.begin(), found.end(), std::back_inserter(fresh->file_diagnostics_));
  fresh->declared_ = state.items->declared();
  fresh->names_ = state.items->names();
  fresh->analysed_ = state.items->analysed();
  fresh->items_ = state.items->take_views();
  return state.latest = std::move(fresh);
}

const ItemView* Snapshot::item_at(std::uint32_t offset) const {
  return file().item_at(offset);
}

std::vector<RunLine> Snapshot::run_lines(const ItemView& kernel) const {
  const auto at = std::lower_bound(items_.begin(), items_.end(), kernel.offset, [](const ItemView& view, std::uint32_t offset) { return view.offset < offset; });
  if (at == items_.end() || at->offset != kernel.offset) return {};
  std::vector<RunLine> result;
  for (const ItemView& view : file().items_with_run_lines_of(*at))
    for (const syntax::RunLine& line : view.item().run_lines) result.push_back({line.text, view.absolute({line.span, 0})});
  return result;
}

const ItemView* Snapshot::kernel_named(std::string_view name) const {
  for (const ItemView& view : items_)
    if (view.item().form == syntax::Item::Form::Kernel && view.item().name.text == name) return &view;
  return nullptr;
}

SnapshotNames::SnapshotNames(const Snapshot& snapshot) {
  for (const ItemView& view : snapshot.items()) names_.try_emplace(view.item().name.text, &view);
}

ItemPointer SnapshotNames::meaning(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second->analysis->checked.item;
}

FunctionNames SnapshotNames::functions() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : names_)
    if (view->item().form == syntax::Item::Form::Function) names.emplace_back(name);
  return function_names(std::move(names));
}

std::optional<ItemView> analyse_kernel(const Snapshot& snapshot, std::string_view kernel,
                                       const std::map<std::string, std::int64_t>& constants) {
  const ItemView* view = snapshot.kernel_named(kernel);
  if (view == nullptr) return std::nullopt;
  if (constants.empty()) return *view;
  const SnapshotNames names(snapshot);
  return view_of(analyse(view->analysis->checked.item, names, {constants, {}})->analysis, view->span,
                 [&](const syntax::Item& item) { return names.offset_of(item); });
}

}  // namespace phobos::session
