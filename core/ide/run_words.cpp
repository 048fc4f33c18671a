#include "run_words.h"

#include <algorithm>
#include <iterator>

#include <phobos/support/run_line.h>

namespace phobos::ide {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr RunLineWord all_words[] = {
    {run_line::mark, "//# run NAME=VALUE … [--OPTION VALUE …] [expect TENSOR=FILE.npy …]", "How the kernel below is run: values of its parameters, dimensions and constants, options, and what the run is held to."},
    {"--grid", "--grid X[,Y[,Z]]", "The CTAs of the launch, where the grid does not follow from the stores."},
    {"--device", "--device auto|gpu|sim|emulate", "Where the run takes place."},
    {"--rtol", "--rtol NUMBER", "How far elements may be apart, relative to their size, for all tensors of the line."},
    {"--atol", "--atol NUMBER", "How far elements may be apart, for all tensors of the line."},
    {"--max-steps", "--max-steps N", "Operations that one CTA may take on the simulator; 100 million without it, 0 for no limit."},
    {"expect", "expect TENSOR=FILE.npy [rtol=NUMBER] [atol=NUMBER]", "Compares a tensor after the run with a file."},
    {"expect-error", "expect-error \"text\"", "Wants the run to fail with an error that says the text."},
    {"expect-warning", "expect-warning \"text\"", "Wants a warning of the simulator that says the text, and the run to go on to its end."},
    {"expect-print", "expect-print \"text\"", "Wants a line that the kernel prints to say the text."},
    {"rtol", "rtol=NUMBER", "How far elements may be apart, relative to their size. Elements near zero are allowed a hundredth of that of the root mean square."},
    {"atol", "atol=NUMBER", "How far elements may be apart."},
    {"zeros", "zeros", "All elements are zero."},
    {"ones", "ones", "All elements are one."},
    {"iota", "iota", "0, 1, 2, … in row-major order."},
    {"full", "full:VALUE", "All elements are that number."},
    {"randn", "randn[:SEED]", "Normally distributed, the same for the same seed."},
    {"uniform", "uniform[:SEED]", "From 0 to 1, the same for the same seed."},
    {"randint", "randint:LOW:HIGH[:SEED]", "Whole numbers from `LOW` up to, not including, `HIGH`, the same for the same seed."},
    {"auto", "auto", "On the GPU where there is one, else on the simulator."},
    {"gpu", "gpu", "On the GPU."},
    {"sim", "sim", "On the simulator, which finds races and accesses outside."},
    {"emulate", "emulate", "The code that a GPU would get, on the CPU."},
};

}  // namespace

const RunLineWord* run_line_word(std::string_view name) {
  const auto row = std::find_if(std::begin(all_words), std::end(all_words), [&](const RunLineWord& each) { return each.name == name; });
  return row == std::end(all_words) ? nullptr : row;
}

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
