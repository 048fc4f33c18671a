// Where Tree-sitter recovered, in words. An ERROR node is reported at its first token, a MISSING one behind the token before it:
// that is where a reader would mend the text.
#include <array>

#include "builder.h"
#include "split.h"

namespace phobos::syntax {

namespace {

struct Bracket {
  std::string_view open, close, what;
};

constexpr std::array operators = {"<<=", ">>=", ":+", "->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>",
                                  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^="};

}  // namespace

// The end of the last token before `at`: blank space and comments are skipped backwards.
std::uint32_t Builder::previous_token_end(std::uint32_t at) const {
  constexpr std::size_t farthest_back = 4096;  // a line of megabytes is not searched from its start for every error on it
  std::size_t end = std::min<std::size_t>(at, text_.size());
  for (;;) {
    while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '\t' || text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    if (end == 0) return 0;
    const std::size_t from = end - std::min(end, farthest_back);
    const std::size_t line = text_.substr(from, end - from).rfind('\n');
    const std::size_t begin = line == std::string_view::npos ? from : from + line + 1;
    const std::size_t comment = text_.substr(begin, end - begin).find("//");
    if (comment == std::string_view::npos) return static_cast<std::uint32_t>(end);
    end = begin + comment;
  }
}

std::string Builder::token_at(std::uint32_t at, std::uint32_t& end) const {
  if (at >= text_.size()) {
    end = static_cast<std::uint32_t>(text_.size());
    return "the end of the text";
  }
  const char c = text_[at];
  if (c == '\n' || c == '\r') {
    end = at + 1;
    return "the end of the line";
  }
  std::size_t stop = at + 1;
  if (is_word_part(c)) {
    while (stop < text_.size() && is_word_part(text_[stop])) ++stop;
  } else if (static_cast<unsigned char>(c) >= 0x80) {
    stop = at + std::max<std::size_t>(1, utf8_length(text_, at));
  } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
    end = at + 1;
    return fmt::format("the control character U+{:04X}", static_cast<unsigned>(c));
  } else {
    for (const std::string_view op : operators)
      if (text_.substr(at, op.size()) == op) {
        stop = at + op.size();
        break;
      }
  }
  end = static_cast<std::uint32_t>(stop);
  std::string_view word = text_.substr(at, std::min<std::size_t>(stop - at, 40));
  return fmt::format("`{}`", word);
}

void Builder::expected(std::uint32_t at, std::string_view what) {
  const std::uint32_t begin = at > 0 ? at - 1 : 0;  // the last byte before, so that the range is not empty
  report(diag::Code::SyntaxExpected, Span{begin, std::max(at, begin)}, what);
}

void Builder::errors_in(TSNode node) {
  if (!ts_node_has_error(node) && !ts_node_is_missing(node)) return;
  std::vector<TSNode> open{node};
  while (!open.empty()) {
    const TSNode next = open.back();
    open.pop_back();
    if (ts_node_is_missing(next)) {
      missing(next);
      continue;
    }
    if (!ts_node_has_error(next)) continue;
    if (kind(next) == NodeKind::Error) unexpected(next);
    std::vector<TSNode> children;
    each_child(next, [&](TSNode part, TSFieldId) { children.push_back(part); });
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

void Builder::unexpected(TSNode error) {
  std::uint32_t at = ts_node_start_byte(error);
  // A bracket that nothing closes is the cause more often than the token at which the parser gave up.
  constexpr std::array<Bracket, 3> brackets{{{"(", ")", "parenthesis"}, {"[", "]", "subscript"}, {"{", "}", "block"}}};
  std::vector<std::pair<TSNode, const Bracket*>> unclosed;
  each_child(error, [&](TSNode part, TSFieldId) {
    for (const Bracket& b : brackets) {
      if (text(part) == b.open) unclosed.emplace_back(part, &b);
      if (text(part) == b.close && !unclosed.empty() && unclosed.back().second == &b) unclosed.pop_back();
    }
  });
  if (!unclosed.empty()) {
    const auto& [opener, bracket] = unclosed.back();
    const std::uint32_t end = previous_token_end(ts_node_end_byte(error));
    report(diag::Code::SyntaxUnclosed, Span{end > 0 ? end - 1 : 0, end}, bracket->close, bracket->what);
    item_.diagnostics.back().related.push_back({{span(opener), 0}, fmt::format("the {} is opened here", bracket->what)});
    return;
  }
  while (at < ts_node_end_byte(error) && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  std::uint32_t end = at;
  const std::string token = token_at(at, end);
  if (!item_.diagnostics.empty()) {  // two ERROR nodes side by side are one mistake
    const Span last = item_.diagnostics.back().location.span;
    if (last.end == at || last.begin == at) return;
  }
  const std::size_t next = text_.find_first_not_of(" \t", end);
  const bool last_on_line = next == std::string_view::npos || text_[next] == '\n' || text_[next] == '\r' || text_[next] == '}' || text_.substr(next, 2) == "//";
  if (last_on_line && std::string_view("+-*/%&|^<>=!~,").find(text_[at]) != std::string_view::npos) {
    report(diag::Code::SyntaxExpected, Span{at, end}, fmt::format("a value behind {}", token));
    return;
  }
  report(diag::Code::SyntaxUnexpected, Span{at, end}, token);
}

void Builder::missing(TSNode node) {
  const std::string_view what = ts_node_type(node);
  const std::uint32_t end = previous_token_end(ts_node_start_byte(node));
  constexpr std::array<Bracket, 3> brackets{{{"(", ")", "parenthesis"}, {"[", "]", "subscript"}, {"{", "}", "block"}}};
  for (const Bracket& b : brackets) {
    if (what != b.close) continue;
    TSNode opener{};
    for (TSNode sibling = ts_node_prev_sibling(node); !ts_node_is_null(sibling); sibling = ts_node_prev_sibling(sibling))
      if (text(sibling) == b.open) {
        opener = sibling;
        break;
      }
    const std::string_view parent = ts_node_is_null(ts_node_parent(node)) ? "" : ts_node_type(ts_node_parent(node));
    const std::string_view name = parent == "arguments" ? "arguments" : parent == "parameters" ? "parameters" : parent == "tensor_type" || parent == "tile_type" ? "shape" : b.what;
    report(diag::Code::SyntaxUnclosed, Span{end > 0 ? end - 1 : 0, end}, b.close, name);
    if (!ts_node_is_null(opener)) item_.diagnostics.back().related.push_back({{span(opener), 0}, "opened here"});
    item_.diagnostics.back().fixes.push_back({fmt::format("Insert `{}`", b.close), {{{{end, end}, 0}, std::string(b.close)}}});
    return;
  }
  std::string words = kind(node) == NodeKind::Other ? fmt::format("`{}`", what) : std::string(what);
  if (what == "identifier") words = "a name or a value";
  else if (what == "integer_literal") words = "a number";
  else if (what == "scalar_type") words = "a type";
  else if (what == "\n") words = "the end of the line";
  else if (kind(node) != NodeKind::Other)
    for (char& c : words)
      if (c == '_') c = ' ';
  expected(end, words);
}

}  // namespace phobos::syntax
