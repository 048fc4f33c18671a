// The diagnostics of a file out of those of its items. A function is checked on its own and again wherever it is inlined, so the
// same fault can be found many times. What the function itself is wrong in is told there and nowhere else; what it is wrong in
// under some calls is told of each item that has such calls, with all of them.
#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

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

// In source order, and in the same order every time.
bool before(const Diagnostic& a, const Diagnostic& b) {
  const Span x = a.location.span, y = b.location.span;
  const auto calls = [](const Diagnostic& d) { return std::span(d.related).last(diag::calls_of(d)); };
  const auto order = std::tie(x.begin, x.end, a.code, a.message) <=> std::tie(y.begin, y.end, b.code, b.message);
  if (order != 0) return order < 0;
  const auto earlier = [](const diag::Related& s, const diag::Related& t) { return s.location.span.begin < t.location.span.begin; };
  return std::lexicographical_compare(calls(a).begin(), calls(a).end(), calls(b).begin(), calls(b).end(), earlier);
}

// What items found in functions that they inline.
class Inherited {
 public:
  explicit Inherited(const std::vector<Diagnostic>& own) {
    for (const Diagnostic& diagnostic : own) own_.insert(key_of(diagnostic));
  }
  // `offset`: of the item. The places are those of the file.
  void add(Diagnostic diagnostic, std::uint32_t offset) {
    if (own_.contains(key_of(diagnostic))) return;
    const std::size_t calls = diag::calls_of(diagnostic);
    found_.push_back({std::move(diagnostic), offset, calls});
  }
  void tell(std::vector<Diagnostic>& all);

 private:
  // Not the message: the same fault names other buffers under another call.
  using Key = std::tuple<std::uint32_t, std::uint32_t, int>;
  using Calls = std::vector<std::uint32_t>;  // where they begin
  struct Found {
    Diagnostic diagnostic;
    std::uint32_t offset;
    std::size_t calls;
  };

  static Key key_of(const Diagnostic& diagnostic) {
    const Span span = diagnostic.location.span;
    return {span.begin, span.end, static_cast<int>(diagnostic.code)};
  }

  std::set<Key> own_;
  std::vector<Found> found_;
};

// Those of the fewest calls first: what a function is wrong in by calls of its own is no mistake of those who call it.
void Inherited::tell(std::vector<Diagnostic>& all) {
  constexpr std::size_t most_related = 24;
  std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.calls < b.calls; });
  std::set<std::pair<Key, Calls>> told;
  std::map<std::tuple<Key, std::string, std::uint32_t>, std::size_t> of_item;  // in `all`
  for (Found& each : found_) {
    Diagnostic& diagnostic = each.diagnostic;
    const Key key = key_of(diagnostic);
    const auto calls = std::span(diagnostic.related).last(each.calls);
    Calls so_far;
    bool known = each.calls == 0 && !told.emplace(key, so_far).second;
    for (const diag::Related& call : calls) {
      so_far.push_back(call.location.span.begin);
      known = known || told.contains({key, so_far});
    }
    if (known) continue;
    told.emplace(key, so_far);
    const auto [first, fresh] = of_item.try_emplace({key, diagnostic.message, each.offset}, all.size());
    if (fresh) {
      all.push_back(std::move(diagnostic));
      continue;
    }
    auto& related = all[first->second].related;
    for (diag::Related& call : calls)
      if (related.size() < most_related) related.push_back({call.location, "and " + std::move(call.message)});
  }
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
  std::vector<std::pair<Diagnostic, std::uint32_t>> inherited;
  for (const ItemView& view : items_) {
    if (view.clean) continue;
    const auto take = [&](const std::vector<Diagnostic>& found) {
      for (const Diagnostic& diagnostic : found) {
        const bool own = diagnostic.location.origin == 0;
        move_to_file(own ? all.emplace_back(diagnostic) : inherited.emplace_back(diagnostic, view.offset).first, view);
      }
    };
    take(view.item().diagnostics);
    take(view.analysis->checked.diagnostics);
    take(view.analysis->kinds.diagnostics);
  }
  if (!inherited.empty()) {
    Inherited of_functions(all);
    for (auto& [diagnostic, offset] : inherited) of_functions.add(std::move(diagnostic), offset);
    of_functions.tell(all);
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
