#include <phobos/launch/run_line.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <phobos/support/number.h>
#include <phobos/support/run_line.h>

namespace phobos::launch {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  return true;
}

Result<double> tolerance(std::string_view name, std::string_view text) {
  const std::optional<double> value = parse_real(text);
  if (!value || std::isnan(*value) || *value < 0)
    return Error{fmt::format("`{}` is a number that is not negative, not `{}`", name, text)};
  return *value;
}

// Reads the words of one request; `at_` is the next one.
class WordReader {
 public:
  WordReader(const std::vector<std::string>& words, Request& request) : words_(words), request_(request) {}

  Result<void> read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      Result<void> step = word == "expect"         ? start_expecting()
                          : word == "expect-error" ? quoted(word, request_.expect_error)
                          : word == "expect-warning" ? quoted(word, request_.expect_warning)
                          : word == "expect-print" ? quoted(word, request_.expect_print)
                          : word.starts_with("--") ? option(word)
                          : expecting_             ? expectation(word)
                                                   : argument(word);
      if (!step) return step;
    }
    if (expecting_ && request_.expects.empty()) return Error{"`expect` is followed by NAME=FILE"};
    return {};
  }

 private:
  Result<void> start_expecting() {
    expecting_ = true;
    return {};
  }

  Result<void> quoted(const std::string& word, std::optional<std::string>& text) {
    if (at_ == words_.size())
      return Error{fmt::format("`{}` is followed by the text that the message contains, in double quotes", word)};
    text = words_[at_++];
    return {};
  }

  Result<void> argument(const std::string& word) {
    Result<Given> given = parse_given(word);
    if (!given) return given.error();
    request_.arguments.push_back(std::move(*given));
    return {};
  }

  Result<void> expectation(const std::string& word) {
    Result<Given> given = parse_given(word);
    if (!given) return given.error();
    if (given->name == "rtol" || given->name == "atol") return set_tolerance(given->name, given->value);
    request_.expects.push_back(std::move(*given));
    return {};
  }

  Result<void> set_tolerance(std::string_view name, std::string_view text) {
    const Result<double> value = tolerance(name, text);
    if (!value) return value.error();
    (name == "rtol" ? request_.rtol : request_.atol) = *value;
    return {};
  }

  // `--name VALUE` or `--name=VALUE`.
  Result<void> option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (std::find(run_line::options.begin(), run_line::options.end(), name) == run_line::options.end())
      return Error{fmt::format("`{}` does not stand on a run line; --grid, --device, --rtol, --atol and --max-steps do", name)};
    if (equals == std::string::npos && at_ == words_.size()) return Error{fmt::format("`{}` needs a value", name)};
    const std::string value = equals == std::string::npos ? words_[at_++] : word.substr(equals + 1);
    if (name == "--device") {
      request_.device = value;
      return {};
    }
    if (name == "--max-steps") {
      const std::optional<std::int64_t> steps = parse_integer(value);
      if (!steps || *steps < 0) return Error{fmt::format("`--max-steps` is a number that is not negative, not `{}`", value)};
      request_.max_steps = *steps;
      return {};
    }
    if (name != "--grid") return set_tolerance(std::string_view(name).substr(2), value);
    const Result<Grid> grid = parse_grid(value);
    if (!grid) return grid.error();
    request_.grid = *grid;
    return {};
  }

  const std::vector<std::string>& words_;
  Request& request_;
  std::size_t at_ = 0;
  bool expecting_ = false;
};

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size() || line.substr(at, 2) == "//") return words;
    std::string word;
    bool quoted = false;
    for (; at < line.size() && (quoted || !is_space(line[at])); ++at) {
      if (line[at] == '"') quoted = !quoted;
      else if (quoted && line[at] == '\\' && at + 1 < line.size() && (line[at + 1] == '"' || line[at + 1] == '\\')) word += line[++at];
      else word += line[at];
    }
    if (quoted) return Error{"a double quote is not closed"};
    words.push_back(std::move(word));
  }
}

Result<Given> parse_given(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || !is_name(word.substr(0, equals)))
    return Error{fmt::format("`{}` is not NAME=VALUE", word)};
  if (equals + 1 == word.size()) return Error{fmt::format("`{}` has no value", word)};
  return Given{std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
}

Result<Grid> parse_grid(std::string_view text) {
  Grid grid{1, 1, 1};
  std::string_view rest = text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t comma = rest.find(',');
    const std::optional<std::int64_t> extent = parse_integer(rest.substr(0, comma));
    if (!extent && is_decimal(rest.substr(0, comma)))
      return Error{fmt::format("a grid of {} CTAs along {} is too large", rest.substr(0, comma), "xyz"[axis])};
    if (!extent) break;
    if (*extent < 1) return Error{fmt::format("a grid has at least 1 CTA along each axis, not {}", *extent)};
    grid[axis] = *extent;
    if (comma == std::string_view::npos) return grid;
    rest.remove_prefix(comma + 1);
  }
  return Error{fmt::format("a grid is X, X,Y or X,Y,Z, not `{}`", text)};
}

Result<void> parse_words(const std::vector<std::string>& words, Request& request) { return WordReader(words, request).read(); }

Result<Request> parse_run_line(std::string_view text) {
  const Result<std::vector<std::string>> words = split_words(text);
  if (!words) return words.error();
  Request request;
  if (const Result<void> read = parse_words(*words, request); !read) return read.error();
  return request;
}

}  // namespace phobos::launch
