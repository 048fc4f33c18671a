#include <phobos/diag/diagnostic.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace phobos::diag {

namespace {

constexpr CodeInfo table[] = {
#define PHOBOS_DIAG(code, name, severity, message) {code, #name, Severity::severity, message},
#include <phobos/diag/diagnostics.def>
#undef PHOBOS_DIAG
};
static_assert(std::size(table) == static_cast<std::size_t>(Code::count_));

}  // namespace

const CodeInfo& info(Code code) {
  return table[static_cast<std::size_t>(code)];
}

std::optional<Code> find_code(std::string_view text) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
  };
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (std::equal(text.begin(), text.end(), table[i].code.begin(), table[i].code.end(), same)) return static_cast<Code>(i);
  return std::nullopt;
}

std::size_t calls_of(const Diagnostic& diagnostic) {
  const auto& related = diagnostic.related;
  const auto first = std::find_if_not(related.rbegin(), related.rend(), [](const Related& each) { return each.is_call; });
  return static_cast<std::size_t>(first - related.rbegin());
}

void relate(Diagnostic& diagnostic, Location location, std::string message) {
  auto& related = diagnostic.related;
  related.insert(related.end() - static_cast<std::ptrdiff_t>(calls_of(diagnostic)), {location, std::move(message)});
}

}  // namespace phobos::diag
