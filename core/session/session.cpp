#include <phobos/session/session.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <phobos/syntax/parser.h>

#include "analyse.h"
#include "text_check.h"

namespace phobos::session {

// What is known of an item, and the names that this depends on with what they meant then.
struct Session::State {
  std::shared_ptr<std::string> text;
  std::shared_ptr<LineMap> lines;
  syntax::Parser parser;
  std::unordered_map<const syntax::Item*, std::shared_ptr<const Memo>> memo;
  std::uint64_t revision = 1;
  std::shared_ptr<const Snapshot> latest;  // of `revision`, when it was asked for

  // Before a change: readers keep the text that they have.
  void unshare() {
    latest.reset();
    ++revision;
    if (text.use_count() > 1) text = std::make_shared<std::string>(*text);
    if (lines.use_count() > 1) lines = std::make_shared<LineMap>(*lines);
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
  const auto size = static_cast<std::uint32_t>(state_->text->size());
  Edit clamped = edit;
  clamped.span.begin = std::min(edit.span.begin, size);
  clamped.span.end = std::clamp(edit.span.end, clamped.span.begin, size);
  state_->unshare();
  state_->text->replace(clamped.span.begin, clamped.span.size(), clamped.text);
  state_->lines->apply(*state_->text, clamped);
}

void Session::replace(std::string text) {
  state_->latest.reset();
  ++state_->revision;
  state_->text = std::make_shared<std::string>(std::move(text));
  state_->lines = std::make_shared<LineMap>(*state_->text);
}

namespace {

// A name means its first definition; each later one is reported.
Names names_of(const std::vector<syntax::ParsedItem>& items, std::vector<diag::Diagnostic>& diagnostics) {
  Names names;
  names.reserve(items.size());
  for (const syntax::ParsedItem& parsed : items) {
    const syntax::Name& name = parsed.item->name;
    if (name.missing || name.text.empty()) continue;
    const auto [first, fresh] = names.try_emplace(name.text, Named{parsed.item, parsed.span.begin});
    if (fresh) continue;
    diag::Diagnostic twice = diag::make(diag::Code::DuplicateItem, {name.span.shifted(parsed.span.begin), 0}, name.text);
    twice.related.push_back({{first->second.item->name.span.shifted(first->second.offset), 0}, "it is first defined here"});
    diagnostics.push_back(std::move(twice));
  }
  return names;
}

}  // namespace

std::shared_ptr<const Snapshot> Session::snapshot(std::stop_token stop) {
  State& state = *state_;
  if (state.latest) return state.latest;
  auto fresh = std::make_shared<Snapshot>();
  fresh->revision_ = state.revision;
  fresh->text_ = state.text;
  fresh->lines_ = state.lines;
  if (auto reason = unfit(*state.text)) {
    fresh->file_diagnostics_.push_back(std::move(*reason));
    state.memo.clear();
    return state.latest = std::move(fresh);
  }
  fresh->file_diagnostics_ = invalid_utf8(*state.text);

  syntax::ParsedFile file = state.parser.parse(*state.text);
  std::move(file.diagnostics.begin(), file.diagnostics.end(), std::back_inserter(fresh->file_diagnostics_));
  const Names names = names_of(file.items, fresh->file_diagnostics_);

  std::unordered_map<const syntax::Item*, std::shared_ptr<const Memo>> kept;
  kept.reserve(file.items.size());
  fresh->items_.reserve(file.items.size());
  for (const syntax::ParsedItem& parsed : file.items) {
    std::shared_ptr<const Memo>& memo = state.memo[parsed.item.get()];
    if (!memo || !still_holds(*memo, names)) {
      if (stop.stop_requested()) return nullptr;
      auto analysed = analyse(parsed.item, names, {{}, stop});
      if (stop.stop_requested()) return nullptr;
      memo = std::move(analysed);
      ++fresh->analysed_;
    }
    fresh->items_.push_back(view_of(memo->analysis, parsed.span, names));
    kept.try_emplace(parsed.item.get(), memo);
  }
  state.memo = std::move(kept);
  return state.latest = std::move(fresh);
}

const ItemView* Snapshot::item_at(std::uint32_t offset) const {
  const auto after =
      std::upper_bound(items_.begin(), items_.end(), offset, [](std::uint32_t at, const ItemView& item) { return at < item.span.begin; });
  if (after == items_.begin()) return nullptr;
  const ItemView& item = *std::prev(after);
  return item.span.touches(offset) ? &item : nullptr;
}

std::vector<RunLine> Snapshot::run_lines(const ItemView& kernel) const {
  std::vector<RunLine> result;
  for (const ItemView& view : items_) {
    for (const syntax::RunLine& line : view.item().run_lines) result.push_back({line.text, view.absolute({line.span, 0})});
    if (&view == &kernel) return result;
    if (view.item().form == syntax::Item::Form::Kernel) result.clear();
  }
  return {};
}

const ItemView* Snapshot::kernel_named(std::string_view name) const {
  for (const ItemView& view : items_)
    if (view.item().form == syntax::Item::Form::Kernel && view.item().name.text == name) return &view;
  return nullptr;
}

std::optional<ItemView> analyse_kernel(const Snapshot& snapshot, std::string_view kernel,
                                       const std::map<std::string, std::int64_t>& constants) {
  const ItemView* view = snapshot.kernel_named(kernel);
  if (view == nullptr) return std::nullopt;
  if (constants.empty()) return *view;
  Names names;
  for (const ItemView& other : snapshot.items()) names.try_emplace(other.item().name.text, Named{other.analysis->checked.item, other.offset});
  return view_of(analyse(view->analysis->checked.item, names, {constants, {}})->analysis, view->span, names);
}

}  // namespace phobos::session
