#include "completion_run_line.h"

#include <algorithm>

#include <fmt/format.h>

#include <phobos/support/run_line.h>

#include "completion_items.h"

namespace phobos::ide {

namespace {

using Sort = CompletionItem::Sort;

class RunLineCompleter {
 public:
  RunLineCompleter(const File& file, const Cursor& cursor) : file_(file), cursor_(cursor), line_(cursor.line) {}

  Completions run() {
    if (!line_.starts_with(run_line::mark) || line_.size() == run_line::mark.size()) return mark();
    split();
    if (quoted_) return {{cursor_.place(), cursor_.place()}, {}, false};
    kernel_ = cursor_.item ? file_.kernel_of_run_lines(*cursor_.item) : nullptr;
    const std::size_t equals = word_.find('=');
    if (!words_.empty() && words_.back() == "--device") return of_list(word_, run_line::devices, "a device");
    if (!words_.empty() && (words_.back().starts_with("--") && words_.back().find('=') == std::string_view::npos)) return none();
    if (word_.starts_with("--device=")) return of_list(word_.substr(9), run_line::devices, "a device");
    if (equals == std::string_view::npos) return names();
    return values(word_.substr(0, equals), word_.substr(equals + 1));
  }

 private:
  Completions none() const { return {{cursor_.place(), cursor_.place()}, {}, false}; }
  Span typed(std::string_view text) const { return {cursor_.place() - static_cast<std::uint32_t>(text.size()), cursor_.place()}; }

  Completions mark() {
    Offers offers(file_, line_, false);
    offers.word('a', run_line::mark, "how the kernel below is run", "//# run $0", Sort::Keyword);
    return {typed(line_), offers.take(), false};
  }

  void split() {
    std::size_t begin = run_line::mark.size();
    for (std::size_t at = begin; at < line_.size(); ++at) {
      if (line_[at] == '"') quoted_ = !quoted_;
      if (quoted_ || (line_[at] != ' ' && line_[at] != '\t')) continue;
      if (at > begin) words_.push_back(line_.substr(begin, at - begin));
      begin = at + 1;
    }
    word_ = line_.substr(begin);
  }

  bool expecting() const { return std::find(words_.begin(), words_.end(), "expect") != words_.end(); }
  bool given(std::string_view name) const {
    const auto from = expecting() ? std::find(words_.begin(), words_.end(), "expect") : words_.begin();
    return std::any_of(from, words_.end(), [&](std::string_view each) { return each.substr(0, each.find('=')) == name; });
  }

  Completions names() {
    Offers offers(file_, word_, false);
    if (kernel_ != nullptr)
      for (const Symbol& symbol : kernel_->index().symbols)
        if (symbol.form <= Symbol::Form::Constant && !given(symbol.name)) name(symbol, offers);
    if (expecting()) {
      for (const std::string_view each : run_line::tolerances) offers.word('b', each, "how much may differ", fmt::format("{}=${{1:1e-5}}", each));
    } else {
      for (const std::string_view each : run_line::options) offers.word('c', each, "an option of the run", fmt::format("{} $0", each));
      for (const std::string_view each : run_line::expectations)
        offers.word('b', each, "what the run is held to", each == "expect" ? "expect $0" : fmt::format("{} \"$0\"", each), Sort::Keyword);
    }
    return {typed(word_), offers.take(), false};
  }

  void name(const Symbol& symbol, Offers& offers) const {
    const sema::Local* local = symbol.local ? &kernel_->checked()[symbol.local] : nullptr;
    const bool tensor = local != nullptr && local->type.is_tensor();
    if (expecting() && !tensor) return;
    const Sort sort = symbol.form == Symbol::Form::Parameter ? Sort::Parameter : symbol.form == Symbol::Form::Dimension ? Sort::Dimension : Sort::Constant;
    offers.word('a', symbol.name, local && !local->type.is_error() ? sema::to_string(local->type) : std::string(), symbol.name + "=$0", sort);
  }

  template <class List>
  Completions of_list(std::string_view text, const List& list, std::string_view what) const {
    Offers offers(file_, text, false);
    for (const std::string_view each : list) offers.word('a', each, what);
    return {typed(text), offers.take(), false};
  }

  Completions values(std::string_view name, std::string_view text) const {
    if (kernel_ == nullptr || expecting()) return none();
    const SymbolId id = kernel_->index().declared_by_head(name);
    if (!id) return none();
    const Symbol& symbol = kernel_->index()[id];
    Offers offers(file_, text, false);
    if (symbol.form == Symbol::Form::Constant)
      for (const sema::AutotuneConstant& constant : kernel_->checked().attributes.autotune)
        if (constant.name == name)
          for (const std::int64_t choice : constant.choices) offers.word('a', std::to_string(choice), "a choice of `@autotune`");
    if (symbol.local && kernel_->checked()[symbol.local].type.is_tensor())
      for (const std::string_view each : run_line::generators) offers.word('a', each, about(each), snippet(each));
    return {typed(text), offers.take(), false};
  }

  static std::string_view about(std::string_view generator) {
    if (generator == "zeros") return "all zero";
    if (generator == "ones") return "all one";
    if (generator == "iota") return "0, 1, 2, …";
    if (generator == "full") return "all the same number";
    if (generator == "randn") return "normally distributed, by a seed";
    if (generator == "uniform") return "from 0 to 1, by a seed";
    return "whole numbers between two, by a seed";
  }
  static std::string snippet(std::string_view generator) {
    if (generator == "full") return "full:${1:1}";
    if (generator == "randint") return "randint:${1:0}:${2:10}";
    return {};
  }

  const File& file_;
  const Cursor& cursor_;
  std::string_view line_, word_;
  std::vector<std::string_view> words_;
  bool quoted_ = false;
  const ItemView* kernel_ = nullptr;
};

}  // namespace

Completions run_line_completions(const File& file, const Cursor& cursor) {
  return RunLineCompleter(file, cursor).run();
}

}  // namespace phobos::ide
