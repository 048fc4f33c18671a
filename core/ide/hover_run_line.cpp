#include "hover_run_line.h"

#include <algorithm>

#include <phobos/support/run_line.h>

#include "run_words.h"

namespace phobos::ide {

namespace {

bool is_expectation(std::string_view word) {
  return std::find(run_line::expectations.begin(), run_line::expectations.end(), word) != run_line::expectations.end();
}

class Finder {
 public:
  Finder(const File& file, const ItemView& item, std::uint32_t offset) : file_(file), item_(item), offset_(offset) {}

  std::optional<Hovered> run() const {
    const auto& lines = item_.item().run_lines;
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const syntax::RunLine& each) { return each.span.touches(offset_); });
    if (line == lines.end()) return std::nullopt;
    const Span mark{line->span.begin, line->span.begin + static_cast<std::uint32_t>(run_line::mark.size())};
    if (mark.touches(offset_)) return word(mark, run_line::mark);
    const std::vector<RunWord> words = run_words(item_.item().text, line->span);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i].span.touches(offset_)) return of_word(words, i);
    return std::nullopt;
  }

 private:
  std::optional<Hovered> word(Span span, std::string_view name) const {
    const RunLineWord* row = run_line_word(name);
    if (row == nullptr) return std::nullopt;
    return Hovered{{item_.absolute(span), WordFacts{row->form, row->documentation, {}}}, &item_};
  }

  std::optional<Hovered> of_word(const std::vector<RunWord>& words, std::size_t at) const {
    const RunWord& there = words[at];
    if (is_expectation(there.text) || there.text.starts_with("--")) {
      const std::size_t equals = std::min(there.text.find('='), there.text.size());
      return word({there.span.begin, there.span.begin + static_cast<std::uint32_t>(equals)}, there.text.substr(0, equals));
    }
    if (at > 0 && words[at - 1].text == "--device") return word(there.span, there.text);
    const std::size_t equals = there.text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::uint32_t behind = there.span.begin + static_cast<std::uint32_t>(equals);
    const std::string_view name = there.text.substr(0, equals), value = there.text.substr(equals + 1);
    if (offset_ <= behind) return of_name({there.span.begin, behind}, name);
    return word({behind + 1, there.span.end}, value.substr(0, value.find(':')));
  }

  // What the kernel declares by that name; else a word of run lines.
  std::optional<Hovered> of_name(Span span, std::string_view name) const {
    const ItemView* kernel = file_.kernel_of_run_lines(item_);
    const SymbolId symbol = kernel != nullptr ? kernel->index().declared_by_head(name) : SymbolId();
    if (!symbol) return word(span, name);
    auto facts = hover(kernel->checked(), kernel->analysis->kinds, kernel->index()[symbol].declared.begin);
    if (!facts) return std::nullopt;
    facts->range = item_.absolute(span);
    return Hovered{std::move(*facts), kernel};
  }

  const File& file_;
  const ItemView& item_;
  std::uint32_t offset_;
};

}  // namespace

std::optional<Hovered> hover_run_line(const File& file, const ItemView& item, std::uint32_t offset) {
  return Finder(file, item, offset).run();
}

}  // namespace phobos::ide
