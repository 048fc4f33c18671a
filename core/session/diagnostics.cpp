// The diagnostics of a file out of those of its items. A function is checked on its own and again wherever it is inlined, so the
// same fault can be found many times; it is told once, as the function itself knows it if it does, else as the first caller
// found it.
#include <algorithm>
#include <set>
#include <tuple>

#include <phobos/session/session.h>

namespace phobos::session {

namespace {

using diag::Diagnostic;

void move_to_file(Diagnostic& diagnostic, const ItemView& view) {
  const auto absolute = [&](Location& location) { location = {view.absolute(location), 0}; };
  absolute(diagnostic.location);
  for (diag::Related& related : diagnostic.related) absolute(related.location);
  for (diag::Fix& fix : diagnostic.fixes)
    for (diag::TextEdit& edit : fix.edits) absolute(edit.location);
}

// The message is not part of it: the same fault names other buffers under another call.
using Key = std::tuple<std::uint32_t, std::uint32_t, int>;

Key key_of(const Diagnostic& diagnostic) {
  const Span span = diagnostic.location.span;
  return {span.begin, span.end, static_cast<int>(diagnostic.code)};
}

// In source order, and in the same order every time.
bool before(const Diagnostic& a, const Diagnostic& b) {
  const Span x = a.location.span, y = b.location.span;
  return std::tie(x.begin, x.end, a.code, a.message) < std::tie(y.begin, y.end, b.code, b.message);
}

// What the parser says of a byte that is not UTF-8 adds nothing.
void drop_echoes(std::vector<Diagnostic>& all) {
  std::vector<Span> invalid;
  for (const Diagnostic& diagnostic : all)
    if (diagnostic.code == diag::Code::InvalidUtf8) invalid.push_back(diagnostic.location.span);
  if (invalid.empty()) return;
  std::erase_if(all, [&](const Diagnostic& diagnostic) {
    if (diagnostic.code != diag::Code::SyntaxUnexpected) return false;
    const Span span = diagnostic.location.span;
    return std::any_of(invalid.begin(), invalid.end(), [&](Span bad) { return span.begin < bad.end && bad.begin < span.end; });
  });
}

// The names of the constants that these lines declare as other languages do: `const int T = 32`, `#define T 32`, `T: i32 = 32`.
void take_constants(std::string_view text, std::set<std::string_view>& into) {
  const auto is_part = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    constexpr std::string_view define = "#define ";
    const std::size_t stop = line.starts_with(define) ? line.find_first_not_of(' ', define.size()) : std::min(line.find_first_of(":="), line.size());
    for (std::size_t in = line.find(" in ["); in != std::string_view::npos; in = line.find(" in [", in + 1)) {  // `autotune(T in [16, 32])`
      std::size_t first = in;
      while (first > 0 && is_part(line[first - 1])) --first;
      if (first < in) into.insert(line.substr(first, in - first));
    }
    if (stop >= line.size()) continue;
    std::size_t last = stop;
    if (line[0] == '#') while (last < line.size() && is_part(line[last])) ++last;
    while (last > 0 && line[last - 1] == ' ') --last;
    std::size_t first = last;
    while (first > 0 && is_part(line[first - 1])) --first;
    if (first < last) into.insert(line.substr(first, last - first));
  }
}

}  // namespace

// What a constant outside of all items is used for says nothing that its own error does not say.
void Snapshot::drop_uses_of_constants(std::vector<Diagnostic>& all) const {
  std::set<std::string_view> names;
  for (const Diagnostic& diagnostic : all) {
    if (diagnostic.message.find("a constant is declared") == std::string::npos && diagnostic.message.find("`@` before an attribute") == std::string::npos) continue;
    const std::uint32_t begin = diagnostic.location.span.begin;
    const auto after = std::upper_bound(items_.begin(), items_.end(), begin, [](std::uint32_t at, const ItemView& item) { return at < item.span.begin; });
    std::uint32_t end = after == items_.end() ? static_cast<std::uint32_t>(text_->size()) : after->span.begin;
    if (after != items_.begin() && begin < std::prev(after)->span.end) end = std::prev(after)->span.end;
    take_constants(std::string_view(*text_).substr(begin, end - begin), names);
  }
  if (names.empty()) return;
  std::erase_if(all, [&](const Diagnostic& diagnostic) {
    const Span span = diagnostic.location.span;
    return diagnostic.code == diag::Code::UnknownName && names.contains(std::string_view(*text_).substr(span.begin, span.size()));
  });
}

std::vector<Diagnostic> Snapshot::diagnostics() const {
  std::vector<Diagnostic> all = file_diagnostics_;
  std::vector<Diagnostic> inherited;
  for (const ItemView& view : items_) {
    if (view.clean) continue;
    const auto take = [&](const std::vector<Diagnostic>& found) {
      for (const Diagnostic& diagnostic : found) {
        auto& into = diagnostic.location.origin == 0 ? all : inherited;
        move_to_file(into.emplace_back(diagnostic), view);
      }
    };
    take(view.item().diagnostics);
    take(view.analysis->checked.diagnostics);
    take(view.analysis->kinds.diagnostics);
  }
  if (!inherited.empty()) {
    std::set<Key> told;
    for (const Diagnostic& diagnostic : all) told.insert(key_of(diagnostic));
    for (Diagnostic& diagnostic : inherited)
      if (told.insert(key_of(diagnostic)).second) all.push_back(std::move(diagnostic));
  }
  drop_echoes(all);
  drop_uses_of_constants(all);
  std::sort(all.begin(), all.end(), before);
  if (all.size() > most_diagnostics) {  // errors before warnings, warnings before hints
    std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; });
    all.erase(all.begin() + most_diagnostics, all.end());
    std::sort(all.begin(), all.end(), before);
  }
  return all;
}

}  // namespace phobos::session
