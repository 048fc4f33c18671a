#include "run_line_check.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include <phobos/builtins/builtins.h>
#include <phobos/support/run_line.h>

namespace phobos::session {

namespace {

using diag::Code;
using diag::Diagnostic;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_name(std::string_view text) {
  return !text.empty() && (is_letter(text[0]) || text[0] == '_') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

struct Word {
  std::string_view text;
  Span span;
};

class RunLines {
 public:
  explicit RunLines(const syntax::Item& item) : item_(item), text_(item.text) {}

  std::vector<Diagnostic> check() {
    bool above = true;  // the definition
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::size_t first = std::min(text_.find_first_not_of(" \t\r", at), end);
      above = above && text_.substr(first, 2) == "//";
      const std::size_t mark = above ? first : text_.substr(0, end).find("//#", at);
      if (mark < end && text_.substr(mark, 3) == "//#") comment(mark, end, above);
      if (!above) {  // the rest has one such comment in a thousand texts
        const std::size_t next = text_.find("//#", end);
        if (next == std::string_view::npos) break;
        at = text_.rfind('\n', next) + 1;
      } else {
        at = end + 1;
      }
    }
    return std::move(found_);
  }

 private:
  Location place(std::size_t begin, std::size_t end) const { return {{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, 0}; }
  Diagnostic& tell(Span at, std::string message) { return found_.emplace_back(diag::make(Code::RunLine, {at, 0}, std::move(message))); }

  template <class Names>
  void suggest(Diagnostic& d, std::string_view wrong, const Names& names, Span at) {
    const auto near = builtins::nearest(wrong, names);
    if (!near) return;
    d.message += fmt::format("; did you mean `{}`?", *near);
    d.fixes.push_back({fmt::format("Change to `{}`", *near), {{{at, 0}, std::string(*near)}}});
  }

  // One `//#` comment: `//# run` with its words, or what was meant to be one. A row of `#` is neither.
  void comment(std::size_t begin, std::size_t end, bool above) {
    std::size_t word = begin + 3;
    while (word < end && is_blank(text_[word])) ++word;
    std::size_t behind = word;
    while (behind < end && (is_letter(text_[behind]) || text_[behind] == '-' || text_[behind] == '_')) ++behind;
    if (word == behind || !is_letter(text_[word])) return;
    const std::string_view directive = text_.substr(word, behind - word);
    const Span head = place(begin, behind).span;
    const bool exact = text_.substr(begin, run_line::mark.size()) == run_line::mark && directive == "run" && (behind == end || is_blank(text_[behind]));
    if (!exact) {
      constexpr std::string_view run[] = {"run"};
      Diagnostic& d = tell(head, fmt::format("`{}` is no run line and is passed over; one begins with `{}`", text_.substr(begin, behind - begin), run_line::mark));
      if (directive == "run" || builtins::nearest(directive, run)) d.fixes.push_back({fmt::format("Change to `{}`", run_line::mark), {{{head, 0}, std::string(run_line::mark)}}});
    } else if (!above) {
      tell(head, "this run line is passed over: one stands directly above its kernel");
    } else {
      words(behind, end);
    }
  }

  // Split as the runner splits them: at blanks outside of double quotes, up to a comment.
  void words(std::size_t at, std::size_t end) {
    std::vector<Word> all;
    for (;;) {
      while (at < end && is_blank(text_[at])) ++at;
      if (at == end || text_.substr(at, 2) == "//") break;
      const std::size_t begin = at;
      bool quoted = false;
      for (; at < end && (quoted || !is_blank(text_[at])); ++at) {
        if (text_[at] == '"') quoted = !quoted;
        else if (quoted && text_[at] == '\\' && at + 1 < end && (text_[at + 1] == '"' || text_[at + 1] == '\\')) ++at;
      }
      if (quoted) {
        tell(place(begin, at).span, "a double quote is not closed");
        return;
      }
      all.push_back({text_.substr(begin, at - begin), place(begin, at).span});
    }
    bool expecting = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Word& word = all[i];
      if (word.text == "expect") expecting = true;
      else if (word.text == "expect-error" || word.text == "expect-warning") ++i;
      else if (word.text.starts_with("--")) i += option(word, i + 1 < all.size());
      else given(word, expecting);
    }
  }

  // How many words its value takes.
  std::size_t option(const Word& word, bool has_next) {
    const std::size_t equals = word.text.find('=');
    const std::string_view name = word.text.substr(0, equals);
    const Span at{word.span.begin, word.span.begin + static_cast<std::uint32_t>(name.size())};
    if (std::find(run_line::options.begin(), run_line::options.end(), name) == run_line::options.end())
      suggest(tell(at, fmt::format("a run line has no option `{}`", name)), name, run_line::options, at);
    else if (equals == std::string_view::npos && !has_next) tell(at, fmt::format("`{}` needs a value", name));
    return equals == std::string_view::npos && has_next ? 1 : 0;
  }

  void given(const Word& word, bool expecting) {
    const std::size_t equals = word.text.find('=');
    const std::string_view name = word.text.substr(0, equals);
    if (equals == std::string_view::npos || !is_name(name)) {
      suggest(tell(word.span, fmt::format("`{}` is neither NAME=VALUE nor a word of run lines", word.text)), word.text, run_line::expectations, word.span);
      return;
    }
    if (equals + 1 == word.text.size()) {
      tell(word.span, fmt::format("`{}` has no value", word.text));
      return;
    }
    if (item_.form != syntax::Item::Form::Kernel || !item_.diagnostics.empty()) return;  // above a function: it is the next kernel's
    std::vector<std::string_view> names = kernel_names();
    if (expecting) names.insert(names.end(), run_line::tolerances.begin(), run_line::tolerances.end());
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const Span at{word.span.begin, word.span.begin + static_cast<std::uint32_t>(equals)};
    suggest(tell(at, fmt::format("`{}` is no parameter, dimension or constant of `{}`", name, item_.name.text)), name, names, at);
  }

  std::vector<std::string_view> kernel_names() const {
    std::vector<std::string_view> names;
    for (const syntax::Parameter& parameter : item_.parameters) {
      names.push_back(parameter.name.text);
      for (const syntax::DimSyntax& dim : parameter.type.dims)
        if (const auto* name = std::get_if<std::string>(&dim.value)) names.push_back(*name);
    }
    for (const syntax::Attribute& attribute : item_.attributes)
      if (attribute.name.text == "autotune" || attribute.name.text == "cluster")
        for (const syntax::AttributeArgument& argument : attribute.arguments) names.push_back(argument.name.text);
    return names;
  }

  const syntax::Item& item_;
  std::string_view text_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_run_lines(const syntax::Item& item) {
  if (item.text.find("//#") == std::string::npos) return {};
  return RunLines(item).check();
}

}  // namespace phobos::session
