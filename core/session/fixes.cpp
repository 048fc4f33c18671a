#include <phobos/session/fixes.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <phobos/syntax/parser.h>

#include "snapshot_names.h"

namespace phobos::session {

namespace {

using diag::Diagnostic;

// How often each thing is said, by its words, since places move with an edit; and how often an error of each code, since the words
// may show what is edited.
struct Said {
  std::map<std::string, int, std::less<>> all;
  std::map<diag::Code, int> errors;
  bool wants_types = false;
  std::map<std::string, std::string> types;  // of what each item declares, and of what it stores

  void add(const Diagnostic& diagnostic) {
    ++all[diagnostic.message];
    if (diagnostic.severity == diag::Severity::Error) ++errors[diagnostic.code];
  }
  void add(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& each : diagnostics) add(each);
  }
  void add(const Analysis& analysis) {
    add(analysis.checked.item->diagnostics);
    add(analysis.checked.diagnostics);
    add(analysis.kinds.diagnostics);
    if (wants_types) add_types(analysis.checked);
  }
  void add_types(const sema::CheckedItem& item) {
    const auto type_of = [&](sema::ExprId id) { return id.valid() ? sema::to_string(item[id].type) : std::string("none"); };
    for (const sema::Local& local : item.locals)
      if (local.declared.origin == 0) types[item.item->name.text + " " + local.name] += sema::to_string(local.type) + (local.constant ? sema::to_string(*local.constant) : "") + ";";
    std::string& stores = types[item.item->name.text];
    for (const sema::Stmt& stmt : item.stmts) {
      if (const auto* assign = std::get_if<sema::Assign>(&stmt.node)) stores += type_of(assign->value) + ";";
      if (const auto* store = std::get_if<sema::PointStore>(&stmt.node)) stores += type_of(store->value) + std::string(name_of(store->compute)) + ";";
      if (const auto* store = std::get_if<sema::SliceStore>(&stmt.node)) stores += type_of(store->value) + std::string(name_of(store->compute)) + ";";
    }
  }
  int of(std::string_view message) const {
    const auto found = all.find(message);
    return found == all.end() ? 0 : found->second;
  }
};

using ItemSet = std::set<const syntax::Item*>;

ItemPointer elsewhere(const SnapshotNames& file, const ItemSet& gone, std::string_view name) {
  ItemPointer item = file.meaning(name);
  return item && gone.contains(item.get()) ? nullptr : item;
}

// The file with some of its items replaced.
class Edited final : public Surroundings {
 public:
  Edited(const SnapshotNames& file, const ItemSet& gone, const std::vector<syntax::ParsedItem>& fresh) : file_(file), gone_(gone), fresh_(fresh) {}

  ItemPointer meaning(std::string_view name) const override {
    for (const syntax::ParsedItem& each : fresh_)
      if (each.item->name.text == name) return each.item;
    return elsewhere(file_, gone_, name);
  }
  FunctionNames functions() const override {
    std::vector<std::string> names = *file_.functions();
    for (const syntax::Item* item : gone_) std::erase(names, item->name.text);
    for (const syntax::ParsedItem& each : fresh_)
      if (each.item->form == syntax::Item::Form::Function) names.push_back(each.item->name.text);
    return function_names(std::move(names));
  }

 private:
  const SnapshotNames& file_;
  const ItemSet& gone_;
  const std::vector<syntax::ParsedItem>& fresh_;
};

// The items that an edit touches, which follow one another, with the text around them.
struct Region {
  std::size_t first = 0, behind = 0;  // items
  Span span;
  ItemSet items;
  std::vector<const ItemView*> callers;  // of other items: those that inline one of these
  Said said;
};

class Trial {
 public:
  explicit Trial(const Snapshot& snapshot, bool wants_types = false) : snapshot_(snapshot), names_(snapshot), wants_types_(wants_types) {}

  bool holds(const Diagnostic& diagnostic, const diag::Fix& fix) {
    Span touched = diagnostic.location.span;
    for (const diag::TextEdit& edit : fix.edits) touched = cover(touched, edit.location.span);
    const Region& region = region_of(touched);
    const std::optional<Said> after = said_with(region, fix);
    if (!after) return false;
    const auto is_new = [&](const auto& entry) {
      const auto before = region.said.errors.find(entry.first);
      const int mended = entry.first == diagnostic.code && diagnostic.severity == diag::Severity::Error ? 1 : 0;
      return before == region.said.errors.end() || entry.second > before->second - mended;
    };
    return after->of(diagnostic.message) < region.said.of(diagnostic.message) && std::none_of(after->errors.begin(), after->errors.end(), is_new);
  }

  // Whether all that was declared before and still is has the type that it had, and no error came.
  bool keeps(const std::vector<Edit>& edits) {
    if (edits.empty()) return false;
    diag::Fix fix;
    Span touched = edits.front().span;
    for (const Edit& edit : edits) {
      touched = cover(touched, edit.span);
      fix.edits.push_back({{edit.span, 0}, edit.text});
    }
    const Region& region = region_of(touched);
    const std::optional<Said> after = said_with(region, fix);
    if (!after) return false;
    const auto is_new = [&](const auto& entry) {
      const auto before = region.said.errors.find(entry.first);
      return before == region.said.errors.end() || entry.second > before->second;
    };
    const auto is_other = [&](const auto& entry) {
      const auto before = region.said.types.find(entry.first);
      return before != region.said.types.end() && before->second != entry.second;
    };
    return std::none_of(after->errors.begin(), after->errors.end(), is_new) && std::none_of(after->types.begin(), after->types.end(), is_other);
  }

 private:
  // None where it cannot be tried.
  std::optional<Said> said_with(const Region& region, const diag::Fix& fix) {
    if (++tried_ > most_tried_fixes) return std::nullopt;
    const std::optional<std::string> text = edited(region, fix);
    if (!text) return std::nullopt;
    bytes_ += text->size();
    for (const ItemView* caller : region.callers) bytes_ += caller->span.size();
    if (bytes_ > most_tried_bytes) return std::nullopt;
    return said_of(region, *text);
  }

  const Region& region_of(Span touched) {
    const std::vector<ItemView>& views = snapshot_.items();
    const auto up_to = [&](std::uint32_t at) {
      const auto behind = std::upper_bound(views.begin(), views.end(), at, [](std::uint32_t offset, const ItemView& view) { return offset < view.span.begin; });
      return static_cast<std::size_t>(behind - views.begin());
    };
    const std::size_t before = up_to(touched.begin);
    std::size_t behind = std::max(up_to(touched.end), before);
    // What stands before an item, or behind the body of one, may belong to the next.
    const bool outside = behind == 0 || views[behind - 1].offset + views[behind - 1].item().body_span.end <= touched.end;
    if (outside && behind < views.size()) ++behind;
    const auto [place, is_new] = regions_.try_emplace({before, behind});
    Region& region = place->second;
    if (!is_new) return region;
    region.said.wants_types = wants_types_;
    region.first = before > 0 ? before - 1 : 0;
    region.behind = behind;
    region.span.begin = before > 0 ? views[before - 1].span.begin : 0;
    region.span.end = behind < views.size() ? views[behind].span.begin : static_cast<std::uint32_t>(snapshot_.text().size());
    for (std::size_t i = region.first; i < behind; ++i) region.items.insert(&views[i].item());
    for (std::size_t i = 0; i < views.size(); ++i) {
      if (i >= region.first && i < behind) continue;
      const auto& inlined = views[i].analysis->checked.functions;
      if (std::any_of(inlined.begin(), inlined.end(), [&](const ItemPointer& each) { return region.items.contains(each.get()); })) region.callers.push_back(&views[i]);
    }
    for (std::size_t i = region.first; i < behind; ++i) region.said.add(*views[i].analysis);
    for (const ItemView* caller : region.callers) region.said.add(*caller->analysis);
    const std::string text = snapshot_.text().substr(region.span.begin, region.span.size());
    add_of_file(region, syntax::Parser().parse(text), region.said);
    return region;
  }

  // None where the edits overlap.
  std::optional<std::string> edited(const Region& region, const diag::Fix& fix) const {
    std::string text = snapshot_.text().substr(region.span.begin, region.span.size());
    std::vector<const diag::TextEdit*> edits;
    for (const diag::TextEdit& edit : fix.edits) edits.push_back(&edit);
    std::stable_sort(edits.begin(), edits.end(), [](const auto* a, const auto* b) { return a->location.span.begin < b->location.span.begin; });
    for (std::size_t i = edits.size(); i-- > 0;) {
      const Span span = edits[i]->location.span;
      if (i > 0 && edits[i - 1]->location.span.end > span.begin) return std::nullopt;
      text.replace(span.begin - region.span.begin, span.size(), edits[i]->text);
    }
    return text;
  }

  // What is said of no item: of text between them, and of names that are defined twice.
  void add_of_file(const Region& region, const syntax::ParsedFile& file, Said& into) const {
    into.add(file.diagnostics);
    std::set<std::string_view> defined;
    for (const syntax::ParsedItem& each : file.items) {
      const std::string& name = each.item->name.text;
      if (!defined.insert(name).second || elsewhere(names_, region.items, name)) into.add(diag::make(diag::Code::DuplicateItem, {}, name));
    }
  }

  Said said_of(const Region& region, const std::string& text) {
    Said said;
    said.wants_types = wants_types_;
    syntax::Parser parser;
    const syntax::ParsedFile file = parser.parse(text);
    add_of_file(region, file, said);
    const Edited surroundings(names_, region.items, file.items);
    const auto look_at = [&](const ItemPointer& item) {
      const auto memo = session::analyse(item, surroundings, {});
      said.add(*memo->analysis);
      bytes_ += work_beyond_text(*memo->analysis);
    };
    for (const syntax::ParsedItem& each : file.items) look_at(each.item);
    for (const ItemView* caller : region.callers) look_at(caller->analysis->checked.item);
    return said;
  }

  // What mistakes cost, in bytes of text without any: each error of the parser comes with repairs, and for each of the rules the
  // item is searched for one.
  static std::size_t work_beyond_text(const Analysis& analysis) {
    constexpr std::size_t of_an_error = 200, steps_a_byte = 16, most = 1u << 19;
    const sema::CheckedItem& checked = analysis.checked;
    const std::size_t searched = analysis.kinds.diagnostics.size() * (checked.exprs.size() + checked.stmts.size()) / steps_a_byte;
    return of_an_error * checked.item->diagnostics.size() + std::min(searched, most);
  }

  const Snapshot& snapshot_;
  SnapshotNames names_;
  std::map<std::pair<std::size_t, std::size_t>, Region> regions_;
  std::size_t tried_ = 0, bytes_ = 0;
  bool wants_types_;
};

}  // namespace

void drop_fixes_that_fail(const Snapshot& snapshot, std::vector<Diagnostic>& found) {
  if (std::all_of(found.begin(), found.end(), [](const Diagnostic& each) { return each.fixes.empty(); })) return;
  Trial trial(snapshot);
  for (Diagnostic& diagnostic : found) std::erase_if(diagnostic.fixes, [&](const diag::Fix& fix) { return !trial.holds(diagnostic, fix); });
}

namespace {

// All that is said of a file.
Said said_of_file(const Snapshot& snapshot) {
  Said said;
  said.add(snapshot.diagnostics());
  return said;
}

std::string edited_text(const std::string& text, const std::vector<Edit>& edits) {
  std::string out;
  std::uint32_t at = 0;
  for (const Edit& edit : edits) {
    out.append(text, at, edit.span.begin - at).append(edit.text);
    at = edit.span.end;
  }
  return out.append(text, at);
}

bool holds_together(const Snapshot& snapshot, const Said& before, const std::vector<Edit>& edits) {
  Session session(edited_text(snapshot.text(), edits));
  const Said after = said_of_file(*session.snapshot());
  int left = 0, were = 0;
  for (const auto& [code, count] : after.errors) {
    const auto known = before.errors.find(code);
    if (known == before.errors.end() || count > known->second) return false;
  }
  for (const auto& entry : after.all) left += entry.second;
  for (const auto& entry : before.all) were += entry.second;
  return left < were;
}

// With the edits of a fix among them, in order; none where they overlap.
std::optional<std::vector<Edit>> with(const std::vector<Edit>& edits, const diag::Fix& fix) {
  std::vector<Edit> all = edits;
  for (const diag::TextEdit& edit : fix.edits) all.push_back({edit.location.span, edit.text});
  std::stable_sort(all.begin(), all.end(), [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].span.end > all[i].span.begin || (all[i - 1].span == all[i].span && all[i].span.empty())) return std::nullopt;
  return all;
}

}  // namespace

std::vector<Edit> fixes_together(const Snapshot& snapshot, std::vector<Diagnostic> found) {
  std::erase_if(found, [](const Diagnostic& each) { return each.fixes.size() != 1; });
  drop_fixes_that_fail(snapshot, found);
  std::erase_if(found, [](const Diagnostic& each) { return each.fixes.empty(); });
  std::vector<Edit> all;
  for (const Diagnostic& each : found)
    if (auto more = with(all, each.fixes.front())) all = std::move(*more);
  if (all.empty()) return {};
  const Said before = said_of_file(snapshot);
  if (holds_together(snapshot, before, all)) return all;
  // Some two are in each other's way though their places are not: one after the other, as far as that may cost.
  std::vector<Edit> kept;
  std::size_t bytes = 0;
  for (const Diagnostic& each : found) {
    if ((bytes += snapshot.text().size()) > most_tried_bytes) break;
    if (auto more = with(kept, each.fixes.front()); more && holds_together(snapshot, before, *more)) kept = std::move(*more);
  }
  return kept;
}

void drop_refactorings_that_change(const Snapshot& snapshot, std::vector<ide::Refactoring>& found) {
  if (found.empty()) return;
  Trial trial(snapshot, true);
  std::erase_if(found, [&](const ide::Refactoring& each) { return !trial.keeps(each.edits); });
}

}  // namespace phobos::session
