#include <phobos/ide/lenses.h>

#include <algorithm>

#include <fmt/format.h>

namespace phobos::ide {

namespace {

constexpr std::size_t longest_title = 60;  // bytes of a run line that are shown

std::string shortened(std::string_view text) {
  if (text.size() <= longest_title) return std::string(text);
  std::size_t end = longest_title;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool is_tuned(const syntax::Item& kernel) {
  return std::any_of(kernel.attributes.begin(), kernel.attributes.end(), [](const syntax::Attribute& each) { return each.name.text == "autotune"; });
}

}  // namespace

std::vector<Lens> lenses(const File& file) {
  std::vector<Lens> all;
  for (const ItemView& view : file.items) {
    // Where the head is broken, the kernel is what it was.
    const bool headless = view.item().name.missing;
    const syntax::Item& kernel = headless && view.good ? *view.good->analysis().checked.item : view.item();
    if (kernel.form != syntax::Item::Form::Kernel || kernel.name.missing) continue;
    const Span place = view.absolute(headless ? Span{view.item().name.span.begin, view.item().name.span.begin} : kernel.name.span);
    const auto& errors = view.item().diagnostics;
    const bool broken = std::any_of(errors.begin(), errors.end(), [](const diag::Diagnostic& each) { return each.severity == diag::Severity::Error; });
    const std::string_view run = broken ? "▷" : "▶";  // as wide
    const auto add = [&](Lens::Action action, std::string title, std::optional<std::size_t> run_line = std::nullopt) {
      all.push_back({action, std::move(title), kernel.name.text, place, run_line});
    };
    add(Lens::Action::Run, fmt::format("{} Run {}", run, kernel.name.text));
    std::size_t count = 0;
    for (const ItemView& item : file.items_with_run_lines_of(view))
      for (const syntax::RunLine& line : item.item().run_lines) add(Lens::Action::Run, fmt::format("{} {}", run, shortened(line.text)), count++);
    add(Lens::Action::Simulate, "Simulate");
    add(Lens::Action::Compare, "Compare");
    add(Lens::Action::Step, "Step");
    if (is_tuned(kernel)) add(Lens::Action::Tune, "Tune");
    add(Lens::Action::Report, "Report");
  }
  return all;
}

}  // namespace phobos::ide
