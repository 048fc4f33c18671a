#include "invariants.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <phobos/ir/text.h>
#include <phobos/lower/lower.h>
#include <phobos/sema/checked.h>

namespace phobos::fuzz {

namespace {

using diag::Diagnostic;

[[noreturn]] void fail(const std::string& reason) {
  std::fputs(("invariant broken: " + reason + "\n").c_str(), stderr);
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
    for (std::size_t i = 1; i < spans.size(); ++i) expect(spans[i - 1].end <= spans[i].begin, "the edits of a fix overlap");
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

template <class Vector>
bool same(const Vector& a, const Vector& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void expect_well_formed(const session::Snapshot& snapshot) {
  const std::size_t size = snapshot.text().size();
  for (const Diagnostic& diagnostic : snapshot.diagnostics()) check_diagnostic(diagnostic, size);
  std::uint32_t end = 0;
  for (const session::ItemView& view : snapshot.items()) {
    check_item(view, size);
    expect(view.span.begin >= end, "items that overlap");
    end = view.span.end;
  }
}

void expect_same(const session::Snapshot& incremental, const session::Snapshot& fresh) {
  expect(incremental.text() == fresh.text(), "the edited text is another one");
  if (const auto a = describe(incremental.diagnostics()), b = describe(fresh.diagnostics()); a != b)
    fail(fmt::format("after edits:\n{}\nafresh:\n{}\nof the text:\n{}", a, b, fresh.text()));
  expect(incremental.items().size() == fresh.items().size(), "the edited text has other items");
  for (std::size_t i = 0; i < fresh.items().size(); ++i) {
    const session::ItemView &a = incremental.items()[i], &b = fresh.items()[i];
    expect(a.span == b.span && a.origins == b.origins, "an item is at another place after edits");
    const uniformity::Result &x = a.analysis->kinds, &y = b.analysis->kinds;
    expect(same(x.expr_kinds, y.expr_kinds) && same(x.local_kinds, y.local_kinds) && same(x.control, y.control),
           "an item has other kinds after edits");
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
