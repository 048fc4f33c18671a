#include "run_line_check.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include <phobos/builtins/builtins.h>
#include <phobos/support/number.h>
#include <phobos/support/run_line.h>
#include <phobos/support/scalar_type.h>

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

  Diagnostic& refuse(Span at, std::string message) { return values_.emplace_back(diag::make(Code::RunLine, {at, 0}, std::move(message))); }

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

  // What is wrong with the values of a line that expects an error is what it expects.
  void words(std::size_t at, std::size_t end) {
    before_line_ = found_.size();
    given_.clear();
    values_.clear();
    expects_error_ = file_given_ = false;
    const Span mark = place(at - run_line::mark.size(), at).span;
    if (!read_words(at, end)) return;
    if (!expects_error_)
      for (Diagnostic& each : values_) found_.push_back(std::move(each));
    if (found_.size() == before_line_ && !expects_error_ && is_kernel()) nothing_missing(mark);
  }

  // Split as the runner splits them: at blanks outside of double quotes, up to a comment.
  bool read_words(std::size_t at, std::size_t end) {
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
        return false;
      }
      all.push_back({text_.substr(begin, at - begin), place(begin, at).span});
    }
    bool expecting = false;
    std::optional<Span> bare;  // an `expect` with nothing behind it
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Word& word = all[i];
      if (word.text == "expect") {
        expecting = true;
        bare = word.span;
      } else if (word.text == "expect-error" || word.text == "expect-warning" || word.text == "expect-print") {
        expects_error_ = expects_error_ || word.text == "expect-error";
        if (++i == all.size()) tell(word.span, fmt::format("`{}` is followed by the text that is expected, in double quotes", word.text));
      } else if (word.text.starts_with("--")) {
        i += option(word, i + 1 < all.size() ? &all[i + 1] : nullptr);
      } else {
        given(word, expecting);
        const std::string_view name = word.text.substr(0, word.text.find('='));
        if (std::find(run_line::tolerances.begin(), run_line::tolerances.end(), name) == run_line::tolerances.end()) bare.reset();
      }
    }
    if (bare) tell(*bare, "`expect` is followed by NAME=FILE");
    return true;
  }

  // How many words its value takes.
  std::size_t option(const Word& word, const Word* next) {
    const std::size_t equals = word.text.find('=');
    const std::string_view name = word.text.substr(0, equals);
    const Span at{word.span.begin, word.span.begin + static_cast<std::uint32_t>(name.size())};
    const bool known = std::find(run_line::options.begin(), run_line::options.end(), name) != run_line::options.end();
    if (!known) suggest(tell(at, fmt::format("a run line has no option `{}`", name)), name, run_line::options, at);
    else if (equals == std::string_view::npos && next == nullptr) tell(at, fmt::format("`{}` needs a value", name));
    else if (equals == std::string_view::npos) option_value(name, next->text, next->span);
    else option_value(name, word.text.substr(equals + 1), {at.end + 1, word.span.end});
    return equals == std::string_view::npos && next != nullptr ? 1 : 0;
  }

  void option_value(std::string_view name, std::string_view value, Span at) {
    if (name == "--device") {
      if (std::find(run_line::devices.begin(), run_line::devices.end(), value) == run_line::devices.end())
        suggest(refuse(at, fmt::format("`{}` is no device; auto, gpu, sim and emulate are", value)), value, run_line::devices, at);
    } else if (name == "--max-steps") {
      const auto steps = parse_integer(value);
      if (!steps || *steps < 0) refuse(at, fmt::format("`--max-steps` is a number that is not negative, not `{}`", value));
    } else if (name == "--grid") {
      std::size_t axes = 0;
      for (std::string_view rest = value;; ++axes) {
        const std::size_t comma = rest.find(',');
        const auto extent = parse_integer(rest.substr(0, comma));
        if (!extent || axes == 3) {
          refuse(at, fmt::format("a grid is X, X,Y or X,Y,Z, not `{}`", value));
          return;
        }
        if (*extent < 1) {
          refuse(at, fmt::format("a grid has at least 1 CTA along each axis, not {}", *extent));
          return;
        }
        if (comma == std::string_view::npos) return;
        rest.remove_prefix(comma + 1);
      }
    } else {
      tolerance(name, value, at);
    }
  }

  void tolerance(std::string_view name, std::string_view value, Span at) {
    const auto number = parse_real(value);
    if (!number || !(*number >= 0)) refuse(at, fmt::format("`{}` is a number that is not negative, not `{}`", name, value));
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
    if (!is_kernel()) return;  // above a function: it is the next kernel's
    std::vector<std::string_view> names = kernel_names();
    if (expecting) names.insert(names.end(), run_line::tolerances.begin(), run_line::tolerances.end());
    const Span at{word.span.begin, word.span.begin + static_cast<std::uint32_t>(equals)}, value_at{at.end + 1, word.span.end};
    const std::string_view value = word.text.substr(equals + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      suggest(tell(at, fmt::format("`{}` is no parameter, dimension or constant of `{}`", name, item_.name.text)), name, names, at);
    } else if (expecting && (name == "rtol" || name == "atol") && !parameter(name)) {
      tolerance(name, value, value_at);
    } else if (expecting) {
      const syntax::Parameter* tensor = parameter(name);
      if (!tensor || tensor->type.form != syntax::TypeSyntax::Form::Tensor) refuse(at, fmt::format("`{}` is no tensor: what a kernel writes to one is expected", name));
      else if (is_generator(value)) refuse(value_at, fmt::format("what is expected is read from a .npy file, not made by `{}`", value));
    } else {
      if (!given_.insert(name).second && found_.size() == before_line_) refuse(at, fmt::format("`{}` is given twice", name));  // else an `expect` may be misspelt
      argument(name, value, value_at);
    }
  }

  void argument(std::string_view name, std::string_view value, Span at) {
    const syntax::Parameter* known = parameter(name);
    if (known && known->type.form == syntax::TypeSyntax::Form::Tensor) {
      tensor(name, value, at);
    } else if (known) {
      if (const auto type = scalar_named(known->type.element.text)) scalar(name, *type, value, at);
    } else if (is_dimension(name)) {
      const auto extent = parse_integer(value);
      if (!extent || *extent < 0) refuse(at, fmt::format("the dimension `{}` is a number that is not negative, not `{}`", name, value));
    } else if (const auto choice = parse_integer(value); !choice || *choice < 1) {
      refuse(at, fmt::format("the constant `{}` is a positive number, not `{}`", name, value));
    }
  }

  void scalar(std::string_view name, ScalarType type, std::string_view value, Span at) {
    const auto wrong = [&](std::string_view why) { refuse(at, fmt::format("`{}` is a scalar of type {}: {}", name, name_of(type), why)); };
    if (type == ScalarType::Bool) {
      if (value != "true" && value != "false" && value != "0" && value != "1") wrong(fmt::format("`{}` is neither true nor false", value));
    } else if (is_float(type)) {
      if (!parse_real(value)) wrong(fmt::format("`{}` is not a number", value));
    } else {
      const auto number = parse_integer(value);
      const auto largest = std::numeric_limits<std::int64_t>::max();
      const std::int64_t most = largest >> std::max(0, 64 - static_cast<int>(bits_of(type)) - (is_signed(type) ? 0 : 1)), least = is_signed(type) ? ~most : 0;
      if (!number) wrong(fmt::format("`{}` is not an integer", value));
      else if (*number < least || *number > most) wrong(fmt::format("{} does not fit", value));
    }
  }

  static bool is_generator(std::string_view value) {
    return std::find(run_line::generators.begin(), run_line::generators.end(), value.substr(0, value.find(':'))) != run_line::generators.end();
  }

  void tensor(std::string_view name, std::string_view value, Span at) {
    if (!is_generator(value)) {
      if (value.find_first_of("./\\") != std::string_view::npos && !parse_real(value)) {
        file_given_ = true;
        return;
      }
      const std::size_t colon = std::min(value.find(':'), value.size());
      const Span word{at.begin, at.begin + static_cast<std::uint32_t>(colon)};
      suggest(refuse(at, fmt::format("`{}` is a tensor: `{}` is neither a .npy file nor a generator (zeros, ones, iota, full:3, randn, uniform, randint:0:9)", name, value)),
              value.substr(0, colon), run_line::generators, word);
      return;
    }
    std::vector<std::string_view> parts;
    for (std::string_view rest = value;;) {
      const std::size_t colon = rest.find(':');
      parts.push_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
    const std::string_view word = parts[0];
    const auto whole = [&](std::size_t i) { return parse_integer(parts[i]).has_value(); };
    const auto should_be = [&](std::string_view form) { refuse(at, fmt::format("`{}` should be `{}`", value, form)); };
    if (word == "full") {
      if (parts.size() != 2 || !(parse_real(parts[1]) || whole(1))) should_be("full:VALUE");
    } else if (word == "randn" || word == "uniform") {
      if (parts.size() > 2 || (parts.size() == 2 && !whole(1))) should_be(fmt::format("{}[:SEED]", word));
    } else if (word == "randint") {
      if (parts.size() < 3 || parts.size() > 4 || !whole(1) || !whole(2) || (parts.size() == 4 && !whole(3))) should_be("randint:LOW:HIGH[:SEED]");
      else if (*parse_integer(parts[1]) >= *parse_integer(parts[2])) refuse(at, fmt::format("`{}` is empty: the high end is not among the values", value));
    } else if (parts.size() != 1) {
      should_be(word);
    }
  }

  // Scalars are always needed; dimensions where no file tells them.
  void nothing_missing(Span mark) {
    std::vector<std::string_view> missing;
    for (const syntax::Parameter& each : item_.parameters)
      if (each.type.form == syntax::TypeSyntax::Form::Scalar && !given_.contains(each.name.text)) missing.push_back(each.name.text);
    for (const syntax::Parameter& each : item_.parameters)
      for (const syntax::DimSyntax& dim : each.type.dims)
        if (const auto* name = std::get_if<std::string>(&dim.value); name && !file_given_ && !given_.contains(*name) && !is_constant(*name) && std::find(missing.begin(), missing.end(), *name) == missing.end()) missing.push_back(*name);
    if (missing.empty()) return;
    std::string names;
    for (const std::string_view each : missing) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", each);
    tell(mark, fmt::format("{} {} no value", names, missing.size() == 1 ? "has" : "have"));
  }

  bool is_kernel() const { return item_.form == syntax::Item::Form::Kernel && item_.diagnostics.empty(); }

  const syntax::Parameter* parameter(std::string_view name) const {
    const auto found = std::find_if(item_.parameters.begin(), item_.parameters.end(), [&](const syntax::Parameter& each) { return each.name.text == name; });
    return found == item_.parameters.end() ? nullptr : &*found;
  }

  bool is_constant(std::string_view name) const {
    for (const syntax::Attribute& attribute : item_.attributes)
      for (const syntax::AttributeArgument& argument : attribute.arguments)
        if (argument.form == syntax::AttributeArgument::Form::Choices && argument.name.text == name) return true;
    return false;
  }

  bool is_dimension(std::string_view name) const {
    const auto has = [&](const syntax::Parameter& each) {
      return std::any_of(each.type.dims.begin(), each.type.dims.end(), [&](const syntax::DimSyntax& dim) {
        const auto* named = std::get_if<std::string>(&dim.value);
        return named && *named == name;
      });
    };
    return !is_constant(name) && std::any_of(item_.parameters.begin(), item_.parameters.end(), has);
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
  std::vector<Diagnostic> found_, values_;  // of the line at hand: of its values
  std::set<std::string_view> given_;
  std::size_t before_line_ = 0;  // of `found_`
  bool expects_error_ = false, file_given_ = false;
};

}  // namespace

std::vector<Diagnostic> check_run_lines(const syntax::Item& item) {
  if (item.text.find("//#") == std::string::npos) return {};
  return RunLines(item).check();
}

}  // namespace phobos::session
