#include "completion_run_line.h"

#include <algorithm>

#include <fmt/format.h>

#include <phobos/support/run_line.h>

#include "completion_items.h"
#include "run_words.h"

namespace phobos::ide {

namespace {

using Sort = CompletionItem::Sort;

class RunLineCompleter {
 public:
  RunLineCompleter(const File& file, const Cursor& cursor, const ListFolder& list) : file_(file), cursor_(cursor), list_(list), line_(cursor.line) {}

  Completions run() {
    if (!line_.starts_with(run_line::mark) || line_.size() == run_line::mark.size()) return mark();
    split();
    kernel_ = cursor_.item ? file_.kernel_of_run_lines(*cursor_.item) : nullptr;
    const std::size_t equals = word_.find('=');
    if (quoted_ && (equals == std::string_view::npos || word_.compare(equals + 1, 1, "\"") != 0)) return none();
    if (!words_.empty() && words_.back() == "--device") return of_list(word_, run_line::devices, "a device");
    if (!words_.empty() && (words_.back().starts_with("--") && words_.back().find('=') == std::string_view::npos)) return none();
    if (word_.starts_with("--device=")) return of_list(word_.substr(9), run_line::devices, "a device");
    if (equals == std::string_view::npos) return names();
    return values(word_.substr(0, equals), word_.substr(equals + 1));
  }

 private:
  Completions none() const { return {{cursor_.place(), cursor_.place()}, cursor_.place(), {}, false}; }
  Completions of(std::string_view text, Offers& offers) const {
    return {{cursor_.place() - static_cast<std::uint32_t>(text.size()), cursor_.place()}, cursor_.word_end, offers.take(), false};
  }

  Completions mark() {
    Offers offers(file_, line_, false);
    offers.word('a', run_line::mark, "how the kernel below is run", "//# run $0", Sort::Keyword);
    return of(line_, offers);
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
      for (const std::string_view each : run_line::tolerances) offers.word('b', each, about(each), fmt::format("{}=${{1:1e-5}}", each));
    } else {
      for (const std::string_view each : run_line::options) offers.word('c', each, about(each), fmt::format("{} $0", each));
      for (const std::string_view each : run_line::expectations)
        offers.word('b', each, about(each), each == "expect" ? "expect $0" : fmt::format("{} \"$0\"", each), Sort::Keyword);
    }
    return of(word_, offers);
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
    for (const std::string_view each : list) offers.word('a', each, run_line_word(each) ? about(each) : what);
    return of(text, offers);
  }

  Completions values(std::string_view name, std::string_view text) const {
    const SymbolId id = kernel_ != nullptr ? kernel_->index().declared_by_head(name) : SymbolId();
    if (!id) return none();
    const Symbol& symbol = kernel_->index()[id];
    const bool is_tensor = symbol.local && kernel_->checked()[symbol.local].type.is_tensor();
    if (is_tensor && (text.starts_with('"') || text.find('/') != std::string_view::npos)) return files(text);
    Offers offers(file_, text, false);
    if (symbol.form == Symbol::Form::Constant && !expecting())
      for (const sema::AutotuneConstant& constant : kernel_->checked().attributes.autotune)
        if (constant.name == name)
          for (const std::int64_t choice : constant.choices) offers.word('a', std::to_string(choice), "a choice of `@autotune`");
    if (is_tensor && !expecting())
      for (const std::string_view each : run_line::generators) offers.word('a', each, about(each), snippet(each));
    if (is_tensor) add_files({}, {}, offers);
    return of(text, offers);
  }

  // A path as far as it is typed: what its folder has of that name. A name with blanks has to be quoted.
  Completions files(std::string_view text) const {
    const std::string_view path = text.substr(text.starts_with('"') ? 1 : 0);
    const std::size_t slash = path.rfind('/');
    const std::string_view folder = path.substr(0, slash == std::string_view::npos ? 0 : slash + 1), name = path.substr(folder.size());
    Offers offers(file_, name, false);
    add_files(folder, text.starts_with('"') ? "\"" : "", offers);
    return of(name, offers);
  }

  void add_files(std::string_view folder, std::string_view quote, Offers& offers) const {
    if (!list_) return;
    for (const std::string& each : list_(folder)) {
      const bool is_folder = each.ends_with('/'), quoted = !quote.empty(), must_quote = each.find_first_of(" \t") != std::string::npos;
      if (must_quote && !quoted && !folder.empty()) continue;  // the quote would stand before what is typed already
      if (!is_folder && !each.ends_with(".npy")) continue;
      offers.word('b', each, is_folder ? "a folder" : "a file", must_quote && !quoted ? "\"" + escaped(each) + (is_folder ? "" : "\"") : escaped(each), Sort::File);
    }
  }

  // As a snippet.
  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '$' || c == '}' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  }

  static std::string_view about(std::string_view word) {
    const RunLineWord* row = run_line_word(word);
    return row != nullptr ? row->documentation : std::string_view();
  }
  static std::string snippet(std::string_view generator) {
    if (generator == "full") return "full:${1:1}";
    if (generator == "randint") return "randint:${1:0}:${2:10}";
    return {};
  }

  const File& file_;
  const Cursor& cursor_;
  const ListFolder& list_;
  std::string_view line_, word_;
  std::vector<std::string_view> words_;
  bool quoted_ = false;
  const ItemView* kernel_ = nullptr;
};

}  // namespace

Completions run_line_completions(const File& file, const Cursor& cursor, const ListFolder& list) {
  return RunLineCompleter(file, cursor, list).run();
}

}  // namespace phobos::ide
