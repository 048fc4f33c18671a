#include "invariants.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <phobos/ide/hover.h>
#include <phobos/ir/text.h>
#include <phobos/lower/lower.h>
#include <phobos/sema/checked.h>

#include "dump.h"

namespace phobos::fuzz {

namespace {

using diag::Diagnostic;

// The text that is looked at, for the message when something is wrong with it.
class Looking {
 public:
  explicit Looking(const std::string& text) { text_ = &text; }
  ~Looking() { text_ = nullptr; }
  static const std::string* text() { return text_; }

 private:
  static inline thread_local const std::string* text_ = nullptr;
};

[[noreturn]] void fail(const std::string& reason) {
  std::fputs(("invariant broken: " + reason + "\n").c_str(), stderr);
  if (Looking::text() != nullptr) std::fputs(("of the text:\n" + *Looking::text() + "\n").c_str(), stderr);
  std::abort();
}

void expect(bool holds, std::string_view what) {
  if (!holds) fail(std::string(what));
}

void expect_inside(Location location, std::size_t size, std::string_view what) {
  if (location.origin != 0) fail(fmt::format("{} is not of the file but of origin {}", what, location.origin));
  if (location.span.begin > location.span.end || location.span.end > size)
    fail(fmt::format("{} at {}..{} of a text of {} bytes", what, location.span.begin, location.span.end, size));
}

void check_diagnostic(const Diagnostic& diagnostic, std::size_t size) {
  expect(diagnostic.code < diag::Code::count_, "a diagnostic of no code");
  expect(!diagnostic.message.empty(), "a diagnostic without a message");
  expect_inside(diagnostic.location, size, diagnostic.message);
  for (const diag::Related& related : diagnostic.related) {
    expect(!related.message.empty(), "a related location without a message");
    expect_inside(related.location, size, related.message);
  }
  for (const diag::Fix& fix : diagnostic.fixes) {
    expect(!fix.title.empty(), "a fix without a title");
    expect(!fix.edits.empty(), "a fix that does nothing");
    std::vector<Span> spans;
    for (const diag::TextEdit& edit : fix.edits) {
      expect_inside(edit.location, size, fix.title);
      spans.push_back(edit.location.span);
    }
    std::sort(spans.begin(), spans.end(), [](Span a, Span b) { return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end); });
    for (std::size_t i = 1; i < spans.size(); ++i)
      if (spans[i - 1].end > spans[i].begin)
        fail(fmt::format("the edits of the fix `{}` of {} overlap at {}", fix.title, diag::info(diagnostic.code).code, spans[i].begin));
  }
}

// Each cause leads to a cause nearer to the source; more steps than causes would be a circle.
void check_causes(const uniformity::Result& kinds) {
  for (std::size_t i = 0; i < kinds.causes.size(); ++i) {
    std::size_t steps = 0;
    for (auto at = uniformity::CauseId(i); at.valid(); at = kinds.causes[at].next) {
      expect(kinds.causes.contains(at), "a reason that leads nowhere");
      expect(!kinds.causes[at].step.message.empty(), "a step of a reason without words");
      expect(++steps <= kinds.causes.size(), "a reason that goes round in a circle");
    }
  }
}

template <class Id>
void check_kinds(const IdVector<Id, Kind>& kinds, const IdVector<Id, uniformity::CauseId>& causes, std::size_t count,
                 std::string_view what) {
  if (kinds.size() != count || causes.size() != count)
    fail(fmt::format("{} {} have {} kinds and {} reasons", count, what, kinds.size(), causes.size()));
  for (std::size_t i = 0; i < count; ++i) {
    if (kinds[Id(i)] != Kind::Uniform && !causes[Id(i)].valid()) fail(fmt::format("{} {} is not uniform and has no reason", what, i));
  }
}

void check_item(const session::ItemView& view, std::size_t size) {
  expect(view.analysis != nullptr, "an item that was not analysed");
  expect(view.span.begin <= view.span.end && view.span.end <= size, "an item that ends outside of the text");
  expect(view.offset == view.span.begin, "an item whose offset is not its beginning");
  const sema::CheckedItem& checked = view.analysis->checked;
  const uniformity::Result& kinds = view.analysis->kinds;
  check_kinds(kinds.expr_kinds, kinds.expr_causes, checked.exprs.size(), "expressions");
  check_kinds(kinds.local_kinds, kinds.local_causes, checked.locals.size(), "locals");
  check_kinds(kinds.control, kinds.control_causes, checked.stmts.size(), "statements");
  check_causes(kinds);
}

std::string describe(const Diagnostic& diagnostic) {
  std::string text = fmt::format("{} {} at {}..{}: {}", diag::info(diagnostic.code).code, static_cast<int>(diagnostic.severity),
                                 diagnostic.location.span.begin, diagnostic.location.span.end, diagnostic.message);
  for (const diag::Related& related : diagnostic.related)
    text += fmt::format("\n  see {}..{}: {}", related.location.span.begin, related.location.span.end, related.message);
  for (const diag::Fix& fix : diagnostic.fixes) {
    text += "\n  fix: " + fix.title;
    for (const diag::TextEdit& edit : fix.edits)
      text += fmt::format("\n    {}..{}: {}", edit.location.span.begin, edit.location.span.end, edit.text);
  }
  return text;
}

std::string describe(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += describe(diagnostic) + "\n";
  return text;
}

void expect_equal(const std::string& edited, const std::string& fresh, std::string_view what, const session::Snapshot& snapshot) {
  if (edited != fresh) fail(fmt::format("{} differ\nafter edits:\n{}\nafresh:\n{}\nof the text:\n{}", what, edited, fresh, snapshot.text()));
}

// In words, so that what an editor would show is compared.
std::string hover_at(const session::Snapshot& snapshot, std::uint32_t offset) {
  const session::ItemView* view = snapshot.item_at(offset);
  if (view == nullptr) return "no item";
  const auto facts = ide::hover(view->analysis->checked, view->analysis->kinds, offset - view->offset);
  if (!facts) return "nothing";
  const auto place_of = [&](Location location) { return ide::ReaderPlace{snapshot.lines().line_of(view->absolute(location).begin) + 1, {}}; };
  const Span range = view->absolute({facts->range, 0});
  return fmt::format("{}-{} {}", range.begin, range.end, ide::wording(*facts, place_of));
}

std::string run_lines_of(const session::Snapshot& snapshot, const session::ItemView& kernel) {
  std::string text;
  for (const session::RunLine& line : snapshot.run_lines(kernel)) text += fmt::format("{}-{} {}\n", line.span.begin, line.span.end, line.text);
  return text;
}

}  // namespace

void expect_well_formed(const session::Snapshot& snapshot) {
  const Looking looking(snapshot.text());
  const std::size_t size = snapshot.text().size();
  for (const Diagnostic& diagnostic : snapshot.diagnostics()) check_diagnostic(diagnostic, size);
  std::uint32_t end = 0;
  for (const session::ItemView& view : snapshot.items()) {
    check_item(view, size);
    expect(view.span.begin >= end, "items that overlap");
    end = view.span.end;
  }
}

void expect_same(const session::Snapshot& incremental, const session::Snapshot& fresh, std::uint32_t seed) {
  expect(incremental.text() == fresh.text(), "the edited text is another one");
  expect(incremental.lines().line_count() == fresh.lines().line_count(), "the edited text has other lines");
  expect_equal(describe(incremental.diagnostics()), describe(fresh.diagnostics()), "diagnostics", fresh);
  expect(incremental.items().size() == fresh.items().size(), "the edited text has other items");
  for (std::size_t i = 0; i < fresh.items().size(); ++i) {
    const session::ItemView &a = incremental.items()[i], &b = fresh.items()[i];
    expect(a.span == b.span && a.offset == b.offset && a.origins == b.origins && a.clean == b.clean, "an item is at another place after edits");
    expect(a.item().text == fresh.text().substr(b.span.begin, b.span.size()), "an item has not the text that is at its place");
    if (a.analysis == b.analysis) continue;
    expect_equal(dump(a.item()), dump(b.item()), "trees", fresh);
    expect_equal(dump(a), dump(b), "items", fresh);
    if (b.item().form == syntax::Item::Form::Kernel) expect_equal(run_lines_of(incremental, a), run_lines_of(fresh, b), "run lines", fresh);
  }
  std::minstd_rand random(seed + 1);
  for (int i = 0; i < 8; ++i) {
    const auto offset = static_cast<std::uint32_t>(random() % (fresh.text().size() + 1));
    expect_equal(hover_at(incremental, offset), hover_at(fresh, offset), "hovers", fresh);
  }
}

void expect_same_text(const std::string& edited, const std::string& fresh, std::string_view of) {
  if (edited != fresh) fail(fmt::format("after edits:\n{}\nafresh:\n{}\nof the text:\n{}", edited, fresh, of));
}

void expect_well_formed(const std::vector<syntax::ParsedItem>& items, std::string_view text) {
  std::uint32_t end = 0;
  for (const syntax::ParsedItem& parsed : items) {
    const syntax::Item& item = *parsed.item;
    expect(parsed.span.begin >= end && parsed.span.begin <= parsed.span.end && parsed.span.end <= text.size(), "items that overlap");
    expect(item.text == text.substr(parsed.span.begin, parsed.span.size()), "an item has not the text that is at its place");
    end = parsed.span.end;
    const auto inside = [&](Span span, std::string_view what) { expect_inside({span, 0}, item.text.size(), what); };
    inside(item.name.span, "a name");
    inside(item.body_span, "a body");
    for (const syntax::Expr& expr : item.exprs) inside(expr.span, "an expression");
    for (const syntax::Stmt& stmt : item.stmts) inside(stmt.span, "a statement");
    for (const syntax::Parameter& parameter : item.parameters) inside(parameter.span, "a parameter");
    for (const diag::Diagnostic& diagnostic : item.diagnostics) check_diagnostic(diagnostic, item.text.size());
    for (std::size_t i = 1; i < item.body.size(); ++i)
      if (item[item.body[i - 1]].span.begin > item[item.body[i]].span.begin)
        fail(fmt::format("statements in another order than in the text, at {} of:\n{}", item[item.body[i]].span.begin, item.text));
  }
}

void expect_lowers(const session::Snapshot& snapshot) {
  for (const session::ItemView& view : snapshot.items()) {
    const session::Analysis& analysis = *view.analysis;
    if (view.item().form != syntax::Item::Form::Kernel || !analysis.checked.ok()) continue;
    const auto is_error = [](const Diagnostic& diagnostic) { return diagnostic.severity == diag::Severity::Error; };
    if (std::any_of(analysis.kinds.diagnostics.begin(), analysis.kinds.diagnostics.end(), is_error)) continue;
    const Result<ir::Kernel> kernel = lower::lower(analysis.checked, analysis.kinds, {view.origins});
    if (!kernel.ok()) {
      expect(!kernel.message().empty(), "lowering refused a kernel without a word");
      continue;
    }
    const std::string text = ir::print(*kernel);
    if (const auto faults = ir::verify(*kernel); !faults.empty()) fail(fmt::format("invalid IR: {}\n{}", faults.front(), text));
    const Result<ir::Kernel> again = ir::parse(text);
    if (!again.ok()) fail(fmt::format("IR that does not read back: {}\n{}", again.message(), text));
    expect(ir::print(*again) == text, "IR that reads back as another text:\n" + text);
  }
}

}  // namespace phobos::fuzz
