#include <phobos/syntax/format.h>

#include <algorithm>
#include <optional>

#include "format_layout.h"

namespace phobos::syntax {

namespace {

// The tokens [first, last] whose gaps are wanted.
struct Wanted {
  std::uint32_t first = 0, last = no_token;
};

class Formatter {
 public:
  explicit Formatter(std::string_view text) : text_(text), notes_(read_notes(text)), gaps_(lay_out(text, notes_)) {}

  Formatted edits(Wanted wanted) const {
    Formatted result;
    for (const Gap& gap : gaps_)
      if (gap.token >= wanted.first && gap.token <= wanted.last) add(result.edits, gap, gap.token == wanted.first && gap.token > 0);
    return checked(std::move(result));
  }

  Formatted checked(Formatted result) const {
    if (result.edits.empty() || same_meaning(text_, apply(text_, result.edits))) return result;
    return {{}, true};
  }

  const std::vector<Token>& tokens() const { return notes_.tokens; }
  const Note& note(std::uint32_t i) const { return notes_.notes[i]; }
  std::uint32_t partner(std::uint32_t i) const { return notes_.partner[i]; }

  // The statements, attributes or heads that a range touches; first > last for none.
  Wanted touched(Span range) const {
    const auto first = std::lower_bound(tokens().begin(), tokens().end(), range.begin, [](const Token& t, std::uint32_t at) { return t.end < at; });
    const auto behind = std::upper_bound(tokens().begin(), tokens().end(), range.end, [](std::uint32_t at, const Token& t) { return at < t.begin; });
    if (first >= behind) return {1, 0};
    Wanted wanted{static_cast<std::uint32_t>(first - tokens().begin()), static_cast<std::uint32_t>(behind - tokens().begin()) - 1};
    wanted.first = start_of(wanted.first);
    while (wanted.last + 1 < tokens().size() && note(wanted.last + 1).place != Place::Start) ++wanted.last;
    return wanted;
  }

  std::uint32_t start_of(std::uint32_t i) const {
    while (i > 0 && note(i).place != Place::Start) --i;
    return i;
  }

  // The token that begins at a byte.
  std::uint32_t token_at(std::uint32_t offset) const {
    const auto found = std::lower_bound(tokens().begin(), tokens().end(), offset, [](const Token& t, std::uint32_t at) { return t.begin < at; });
    return found != tokens().end() && found->begin == offset ? static_cast<std::uint32_t>(found - tokens().begin()) : no_token;
  }

  // The white space before a token, as it will be.
  std::string_view gap_before(std::uint32_t i) const {
    const auto found = std::lower_bound(gaps_.begin(), gaps_.end(), i, [](const Gap& gap, std::uint32_t token) { return gap.token < token; });
    return found != gaps_.end() && found->token == i ? std::string_view(found->text) : text_.substr(begin_of_gap(i), tokens()[i].begin - begin_of_gap(i));
  }

 private:
  std::uint32_t begin_of_gap(std::uint32_t i) const { return i > 0 ? tokens()[i - 1].end : text_.starts_with("\xef\xbb\xbf") ? 3 : 0; }

  // Of the first gap of a range only the indentation is the range's own.
  void add(std::vector<Edit>& edits, const Gap& gap, bool indentation_only) const {
    Span span{begin_of_gap(gap.token), tokens()[gap.token].begin};
    std::string_view old = text_.substr(span.begin, span.size()), now = gap.text;
    std::size_t front = 0, back = 0;
    if (indentation_only && old.find('\n') != std::string_view::npos && now.find('\n') != std::string_view::npos) {
      const std::size_t line = old.rfind('\n') + 1;
      span.begin += static_cast<std::uint32_t>(line);
      old.remove_prefix(line);
      now.remove_prefix(now.rfind('\n') + 1);
    }
    const std::size_t shorter = std::min(old.size(), now.size());
    while (front < shorter && old[front] == now[front]) ++front;
    while (back < shorter - front && old[old.size() - 1 - back] == now[now.size() - 1 - back]) ++back;
    if (front == old.size() && front == now.size()) return;
    edits.push_back({{span.begin + static_cast<std::uint32_t>(front), span.end - static_cast<std::uint32_t>(back)},
                     std::string(now.substr(front, now.size() - front - back))});
  }

  std::string_view text_;
  Notes notes_;
  std::vector<Gap> gaps_;
};

Formatted after_brace(std::string_view text, std::uint32_t offset) {
  const Formatter formatter(text);
  const std::uint32_t close = offset == 0 ? no_token : formatter.token_at(offset - 1);
  if (close == no_token || text[offset - 1] != '}' || formatter.partner(close) == no_token) return {};
  return formatter.edits({formatter.start_of(formatter.partner(close)), close});
}

// Blocks open before a token, by the braces of its item.
std::uint32_t open_blocks(const std::vector<Token>& tokens, std::string_view text, std::uint32_t token) {
  std::uint32_t item = token, depth = 0;
  while (item > 0 && !starts_item(tokens[item], text)) --item;
  for (; item < token; ++item) {
    const std::string_view word = tokens[item].text(text);
    if (word == "{") ++depth;
    if (word == "}" && depth > 0) --depth;
  }
  return depth;
}

// Where the token belongs that begins a line; nothing where that cannot be told. Where an item's braces do not pair, as while it
// is typed, those before the line decide.
std::optional<std::uint32_t> indentation(const Formatter& formatter, std::string_view text, std::uint32_t token) {
  const Note& note = formatter.note(token);
  if (note.verbatim) return std::nullopt;
  const std::uint32_t depth = open_blocks(formatter.tokens(), text, token);
  const bool behind_all = formatter.tokens()[token].kind == TokenKind::Comment && note.place == Place::Start && note.level == 0;
  if (note.kept || (behind_all && depth > 0)) {
    const std::uint32_t own = formatter.tokens()[token].text(text) == "}" ? 1 : 0;
    return 2 * std::min(depth - std::min(depth, own), 50u);
  }
  const std::string_view gap = formatter.gap_before(token);
  const std::size_t line = gap.rfind('\n');
  if (line == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(gap.size() - line - 1);
}

// A blank line has no token to ask about, so a comment stands in for one.
Formatted after_line_end(std::string_view text, std::uint32_t offset) {
  const std::size_t end = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  if (end == std::string_view::npos) return {};
  const auto line = static_cast<std::uint32_t>(end) + 1;
  const auto first = static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \t", line), text.size()));
  const bool empty = first == text.size() || text[first] == '\n' || text[first] == '\r';
  std::string probe(text);
  if (empty) probe.insert(first, "//");
  const Formatter with_line(probe);
  const std::size_t before = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  const auto line_before = static_cast<std::uint32_t>(before == std::string_view::npos ? 0 : before + 1);
  Formatted result = with_line.edits(with_line.touched({line_before, line - 1}));
  std::erase_if(result.edits, [&](const Edit& edit) { return edit.span.end >= line; });
  const std::uint32_t token = with_line.token_at(first);
  if (const auto column = token == no_token ? std::nullopt : indentation(with_line, probe, token)) {
    std::string spaces(*column, ' ');
    if (spaces != text.substr(line, first - line)) result.edits.push_back({{line, first}, std::move(spaces)});
  }
  if (result.edits.empty() || same_meaning(text, apply(text, result.edits))) return result;
  return {{}, true};
}

}  // namespace

Formatted format(std::string_view text) { return Formatter(text).edits({}); }

Formatted format_range(std::string_view text, Span range) {
  const Formatter formatter(text);
  return formatter.edits(formatter.touched(range));
}

Formatted format_typed(std::string_view text, std::uint32_t offset, char typed) {
  if (offset > text.size()) return {};
  if (typed == '}') return after_brace(text, offset);
  if (typed == '\n') return after_line_end(text, offset);
  return {};
}

std::string apply(std::string_view text, const std::vector<Edit>& edits) {
  std::string result;
  result.reserve(text.size());
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result += text.substr(at, edit.span.begin - at);
    result += edit.text;
    at = edit.span.end;
  }
  return result += text.substr(at);
}

}  // namespace phobos::syntax
