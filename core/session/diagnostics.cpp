// The diagnostics of a file out of those of its items. A function is checked on its own and again wherever it is inlined, so the
// same fault can be found many times; it is told once, as the function itself knows it if it does, else as the first caller
// found it.
#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include <phobos/session/session.h>
#include <phobos/source/utf8.h>

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

// A name of a megabyte is recognised by its beginning.
void shorten_words(std::string& message) {
  constexpr std::size_t longest = 100, shown = 60;
  if (message.size() <= longest) return;
  std::string result;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find_first_of(" `", at), message.size() - 1) + 1;
    std::string_view word(message.data() + at, end - at);
    if (word.size() > longest) result.append(word.substr(0, character_start(word, shown))).append("…").append(word.substr(word.size() - 1));
    else result += word;
    at = end;
  }
  message = std::move(result);
}

void shorten_words(Diagnostic& diagnostic) {
  shorten_words(diagnostic.message);
  for (diag::Related& related : diagnostic.related) shorten_words(related.message);
  for (diag::Fix& fix : diagnostic.fixes) shorten_words(fix.title);
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

}  // namespace

// What the text outside of all items declares says, where it is used, nothing that its own error does not say.
void Snapshot::drop_uses_of_declared(std::vector<Diagnostic>& all) const {
  std::unordered_set<std::string_view> names(declared_.begin(), declared_.end());
  for (const ItemView& view : items_)
    if (!view.clean) names.insert(view.item().outside.begin(), view.item().outside.end());
  if (names.empty()) return;
  std::erase_if(all, [&](const Diagnostic& diagnostic) {
    const bool unknown = diagnostic.code == diag::Code::UnknownName || diagnostic.code == diag::Code::UnknownType || diagnostic.code == diag::Code::UnknownFunction;
    const Span span = diagnostic.location.span;
    return unknown && names.contains(std::string_view(*text_).substr(span.begin, span.size()));
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
  drop_uses_of_declared(all);
  for (Diagnostic& each : all) shorten_words(each);
  std::sort(all.begin(), all.end(), before);
  if (all.size() > most_diagnostics) {  // errors before warnings, warnings before hints
    std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; });
    all.erase(all.begin() + most_diagnostics, all.end());
    std::sort(all.begin(), all.end(), before);
  }
  return all;
}

}  // namespace phobos::session
