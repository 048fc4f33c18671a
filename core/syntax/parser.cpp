#include <phobos/syntax/parser.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include <tree_sitter/api.h>
#include <tree_sitter_phobos.h>

#include "builder.h"
#include "split.h"

namespace phobos::syntax {

namespace {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

// The text as Tree-sitter gets it: as long as the original, without what would only make it stumble.
struct Prepared {
  std::string text;
  std::vector<std::uint32_t> misplaced_else;  // `else` words that were moved onto the line of their `}`
};

// An `else` on its own line would end the `if` before it and, with it, the shape of all that follows. Blanking the line ends
// between `}` and `else` keeps the shape; the mistake is reported all the same.
void join_else(Prepared& prepared) {
  std::string& text = prepared.text;
  std::size_t brace = std::string::npos;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
    } else if (is_word_start(c)) {
      std::size_t end = at + 1;
      while (end < text.size() && is_word_part(text[end])) ++end;
      if (brace != std::string::npos && std::string_view(text).substr(at, end - at) == "else" &&
          text.find('\n', brace) < at) {
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(brace) + 1, text.begin() + static_cast<std::ptrdiff_t>(at), ' ');
        prepared.misplaced_else.push_back(static_cast<std::uint32_t>(at));
      }
      brace = std::string::npos;
      at = end;
    } else {
      brace = c == '}' ? at : std::string::npos;
      ++at;
    }
  }
}

Prepared prepare(std::string_view text) {
  Prepared prepared{std::string(text), {}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || text[at] == '\0') prepared.text[at] = ' ';  // reported once for the file, by whoever decodes it
    at += std::max<std::size_t>(length, 1);
  }
  join_else(prepared);
  return prepared;
}

TSPoint point_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = before.rfind('\n');
  return {static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
          static_cast<std::uint32_t>(line == std::string_view::npos ? offset : offset - line - 1)};
}

// The one edit that turns `before` into `after`.
TSInputEdit difference(std::string_view before, std::string_view after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t prefix = 0, suffix = 0;
  while (prefix < shorter && before[prefix] == after[prefix]) ++prefix;
  while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix]) ++suffix;
  const std::size_t old_end = before.size() - suffix, new_end = after.size() - suffix;
  return {static_cast<std::uint32_t>(prefix), static_cast<std::uint32_t>(old_end), static_cast<std::uint32_t>(new_end),
          point_at(before, prefix), point_at(before, old_end), point_at(after, new_end)};
}

}  // namespace

namespace {

struct KnownItem {
  std::shared_ptr<const Item> item;
  Span span;  // absolute
  std::string prepared;
  Tree tree;  // none where the text was not parsed (nested too deeply)
};

class ItemParser {
 public:
  ItemParser() : parser_(ts_parser_new()) { ts_parser_set_language(parser_, tree_sitter_phobos()); }
  ~ItemParser() { ts_parser_delete(parser_); }
  ItemParser(const ItemParser&) = delete;
  ItemParser& operator=(const ItemParser&) = delete;

  KnownItem parse(std::string_view text, int depth, const KnownItem* before) {
    auto item = std::make_shared<Item>();
    item->text = std::string(text);
    if (depth > nesting_limit) {
      item->name.missing = true;
      item->diagnostics.push_back(diag::make(diag::Code::NestingTooDeep, {{0, static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 1))}, 0}, nesting_limit));
      return {item, {}, {}, nullptr};
    }
    Prepared prepared = prepare(text);
    Tree tree = syntax_tree(prepared.text, before);
    if (tree) {
      Builder(item->text, *item).build(ts_tree_root_node(tree.get()));
      for (std::uint32_t at : prepared.misplaced_else)
        item->diagnostics.push_back(diag::make(diag::Code::ElseOnItsOwnLine, {{at, at + 4}, 0}));
      std::stable_sort(item->diagnostics.begin(), item->diagnostics.end(),
                       [](const auto& a, const auto& b) { return a.location.span.begin < b.location.span.begin; });
    }
    return {item, {}, std::move(prepared.text), std::move(tree)};
  }

  Tree syntax_tree(const std::string& text, const KnownItem* before) {
    const auto length = static_cast<std::uint32_t>(text.size());
    if (before && before->tree && !ts_node_has_error(ts_tree_root_node(before->tree.get()))) {
      Tree old(ts_tree_copy(before->tree.get()));
      const TSInputEdit edit = difference(before->prepared, text);
      ts_tree_edit(old.get(), &edit);
      Tree tree(ts_parser_parse_string(parser_, old.get(), text.data(), length));
      if (tree && !ts_node_has_error(ts_tree_root_node(tree.get()))) return tree;
    }
    return Tree(ts_parser_parse_string(parser_, nullptr, text.data(), length));
  }

 private:
  TSParser* parser_;
};

}  // namespace

namespace {

// The lengths of the common beginning and end of two texts.
std::pair<std::size_t, std::size_t> common_ends(std::string_view a, std::string_view b) {
  constexpr std::size_t block = 1024;
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t prefix = 0, suffix = 0;
  while (prefix + block <= shorter && std::memcmp(a.data() + prefix, b.data() + prefix, block) == 0) prefix += block;
  while (prefix < shorter && a[prefix] == b[prefix]) ++prefix;
  const std::size_t rest = shorter - prefix;
  const char *a_end = a.data() + a.size(), *b_end = b.data() + b.size();
  while (suffix + block <= rest && std::memcmp(a_end - suffix - block, b_end - suffix - block, block) == 0) suffix += block;
  while (suffix < rest && a_end[-1 - static_cast<std::ptrdiff_t>(suffix)] == b_end[-1 - static_cast<std::ptrdiff_t>(suffix)]) ++suffix;
  return {prefix, suffix};
}

}  // namespace

// After an edit the items before it and those behind it are kept as they are; only what lies between is split again, from the
// item before the edit to the first item that starts where an old one did, behind the edit.
struct Parser::State {
  ItemParser parser;
  std::string text;
  Span preamble;
  std::vector<KnownItem> known;

  void update(std::string_view new_text);
  void match(std::string_view new_text, const FileShape& shape, std::size_t kept_front, std::size_t kept_back);
  int parsed = 0;
};

void Parser::State::update(std::string_view new_text) {
  const auto [prefix, suffix] = common_ends(text, new_text);
  std::size_t front = 0;  // items that end before the edit, but for the last of them, whose end it may move
  while (front < known.size() && known[front].span.end < prefix) ++front;
  if (front > 0) --front;
  const std::size_t from = front == 0 ? 0 : known[front].span.begin;
  const std::int64_t shift = static_cast<std::int64_t>(new_text.size()) - static_cast<std::int64_t>(text.size());
  const std::size_t same_from = new_text.size() - suffix;
  std::size_t next = front, back = known.size();
  const FileShape shape = split(new_text, from, [&](std::size_t start) {
    if (start < same_from) return false;
    const auto before = static_cast<std::int64_t>(start) - shift;
    while (next < known.size() && known[next].span.begin < before) ++next;
    if (next == known.size() || known[next].span.begin != before || start == from) return false;
    back = next;
    return true;
  });
  if (from == 0) preamble = shape.preamble;
  const std::size_t kept_back = known.size() - back;
  for (std::size_t i = back; i < known.size(); ++i) known[i].span = known[i].span.shifted(shift);
  match(new_text, shape, front, kept_back);
  text = new_text;
}

// Puts the items of `shape` between the kept ones: those whose text was there before are the same objects as before.
void Parser::State::match(std::string_view new_text, const FileShape& shape, std::size_t kept_front, std::size_t kept_back) {
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(kept_front);
  std::vector<KnownItem> old(std::make_move_iterator(middle), std::make_move_iterator(known.end() - static_cast<std::ptrdiff_t>(kept_back)));
  std::unordered_multimap<std::string_view, std::size_t> by_text;
  for (std::size_t i = 0; i < old.size(); ++i) by_text.emplace(old[i].item->text, i);
  std::vector<KnownItem> items(shape.items.size());
  std::vector<bool> taken(old.size(), false);
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < shape.items.size(); ++i) {
    const std::string_view words = new_text.substr(shape.items[i].span.begin, shape.items[i].span.size());
    auto [first, last] = by_text.equal_range(words);
    while (first != last && taken[first->second]) ++first;
    if (first == last) {
      fresh.push_back(i);
    } else {
      taken[first->second] = true;
      items[i] = std::move(old[first->second]);
    }
  }
  // The edited items, in order, continue the trees of those that are gone, in order.
  std::vector<const KnownItem*> gone;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (!taken[i]) gone.push_back(&old[i]);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    const ItemShape& item = shape.items[fresh[k]];
    const KnownItem* before = fresh.size() == gone.size() ? gone[k] : nullptr;
    items[fresh[k]] = parser.parse(new_text.substr(item.span.begin, item.span.size()), item.depth, before);
  }
  for (std::size_t i = 0; i < items.size(); ++i) items[i].span = shape.items[i].span;
  parsed = static_cast<int>(fresh.size());
  std::vector<KnownItem> all(std::make_move_iterator(known.begin()), std::make_move_iterator(middle));
  all.insert(all.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  all.insert(all.end(), std::make_move_iterator(known.end() - static_cast<std::ptrdiff_t>(kept_back)), std::make_move_iterator(known.end()));
  known = std::move(all);
}

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;

ParsedFile Parser::parse(std::string_view text) {
  state_->update(text);
  ParsedFile result;
  if (const Span preamble = state_->preamble; !preamble.empty()) {
    const std::uint32_t line_end = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_of("\r\n", preamble.begin), preamble.end));
    result.diagnostics.push_back(diag::make(diag::Code::SyntaxExpected, {{preamble.begin, std::max(line_end, preamble.begin + 1)}, 0},
                                            "`kernel` or `fn`: a file is a list of kernels and functions"));
  }
  result.items.reserve(state_->known.size());
  for (const KnownItem& each : state_->known) result.items.push_back({each.span, each.item});
  result.parsed = state_->parsed;
  return result;
}

std::shared_ptr<const Item> parse_item(std::string_view text) {
  const FileShape shape = split(text);
  int depth = 0;
  for (const ItemShape& item : shape.items) depth = std::max(depth, item.depth);
  return ItemParser().parse(text, depth, nullptr).item;
}

std::string dump_tree(std::string_view text) {
  ItemParser parser;
  const Tree tree = parser.syntax_tree(prepare(text).text, nullptr);
  if (!tree) return {};
  char* words = ts_node_string(ts_tree_root_node(tree.get()));
  std::string result(words);
  std::free(words);
  return result;
}

}  // namespace phobos::syntax
