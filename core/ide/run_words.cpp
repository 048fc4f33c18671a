#include "run_words.h"

#include <algorithm>

#include <phobos/support/run_line.h>

namespace phobos::ide {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<RunWord> run_words(std::string_view text, Span line) {
  std::vector<RunWord> words;
  const std::size_t end = std::min<std::size_t>(line.end, text.size());
  for (std::size_t at = line.begin + run_line::mark.size(); at < end;) {
    while (at < end && is_blank(text[at])) ++at;
    if (at >= end || text.substr(at, 2) == "//") break;
    const std::size_t begin = at;
    bool quoted = false;
    for (; at < end && (quoted || !is_blank(text[at])); ++at) {
      if (text[at] == '"') quoted = !quoted;
      else if (quoted && text[at] == '\\' && at + 1 < end) ++at;
    }
    at = std::min(at, end);
    words.push_back({text.substr(begin, at - begin), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)}});
  }
  return words;
}

std::vector<RunName> run_names(const syntax::Item& item) {
  std::vector<RunName> names;
  for (const syntax::RunLine& line : item.run_lines) {
    bool expected = false;
    const std::vector<RunWord> words = run_words(item.text, line.span);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const RunWord& word = words[i];
      if (word.text == "expect") expected = true;
      if (is_one_of(run_line::expectations, word.text)) {
        if (word.text != "expect") ++i;  // its text
        continue;
      }
      const std::size_t equals = word.text.find('=');
      if (word.text.starts_with("--")) {
        if (equals == std::string_view::npos) ++i;  // its value
        continue;
      }
      if (equals == std::string_view::npos || equals == 0) continue;
      const auto behind = word.span.begin + static_cast<std::uint32_t>(equals);
      if (expected && is_one_of(run_line::tolerances, word.text.substr(0, equals))) continue;
      names.push_back({{word.span.begin, behind}, {behind + 1, word.span.end}, expected});
    }
  }
  return names;
}

}  // namespace phobos::ide
