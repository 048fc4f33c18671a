// Every prefix of a file, and every file without one of its tokens. What is wrong has an error, what is not has none, and no error
// stands in an item whose text is as before. Whether a damaged item is still a program is decided by Tree-sitter's grammar, which
// shares nothing with the parser, and by the list of what that grammar takes beyond the language (its README).
//
// A sample of them is tried; PHOBOS_DAMAGE=all in the environment tries all.
#include <phobos/syntax/parser.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <doctest/doctest.h>
#include <tree_sitter/api.h>
#include <tree_sitter_phobos.h>

using namespace phobos;

namespace {

struct Oracle {
  Oracle() : parser(ts_parser_new()) { ts_parser_set_language(parser, tree_sitter_phobos()); }
  ~Oracle() { ts_parser_delete(parser); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  bool accepts(const std::string& source) {
    text = source;
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size()));
    const TSNode root = ts_tree_root_node(tree);
    definitions = 0;
    const bool good = !ts_node_has_error(root) && language(root) && definitions == 1;
    ts_tree_delete(tree);
    return good;
  }

  // Spans of the words of a text without errors.
  std::vector<Span> tokens(const std::string& source) {
    text = source;
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size()));
    std::vector<Span> found;
    leaves(ts_tree_root_node(tree), found);
    ts_tree_delete(tree);
    return found;
  }

 private:
  std::string_view words(TSNode node) const { return std::string_view(text).substr(ts_node_start_byte(node), ts_node_end_byte(node) - ts_node_start_byte(node)); }
  static std::string_view type(TSNode node) { return ts_node_is_null(node) ? "" : ts_node_type(node); }
  static TSNode field(TSNode node, std::string_view name) { return ts_node_child_by_field_name(node, name.data(), static_cast<std::uint32_t>(name.size())); }
  static bool has(TSNode node, std::string_view name) { return !ts_node_is_null(field(node, name)); }

  void leaves(TSNode node, std::vector<Span>& into) const {
    const std::uint32_t count = ts_node_child_count(node);
    if (count == 0 && type(node) != "comment" && type(node) != "\n" && ts_node_start_byte(node) < ts_node_end_byte(node))
      into.push_back({ts_node_start_byte(node), ts_node_end_byte(node)});
    for (std::uint32_t i = 0; i < count; ++i) leaves(ts_node_child(node, i), into);
  }

  bool compares(TSNode node) const {
    constexpr std::array operators = {"==", "!=", "<", "<=", ">", ">="};
    return type(node) == "binary_expression" && std::find(operators.begin(), operators.end(), words(field(node, "operator"))) != operators.end();
  }

  static bool is_statement(std::string_view name) { return name.ends_with("_statement") || name == "misplaced_else"; }

  // Two statements on a line need something between them, two parameters a comma, a block its brace.
  bool separated(TSNode node, std::string_view what) const {
    bool after = false;
    const std::uint32_t count = ts_node_child_count(node);
    for (std::uint32_t i = 0; i < count; ++i) {
      const TSNode part = ts_node_child(node, i);
      if (type(part) == "comment") continue;
      const bool is_one = what == "parameters" ? type(part) == "parameter" : is_statement(type(part));
      if (is_one && after) return false;
      after = is_one;
    }
    return what == "parameters" || (count > 0 && type(ts_node_child(node, count - 1)) == "}");
  }

  bool language(TSNode node) {
    static const std::set<std::string_view> keywords = {"kernel", "fn", "let", "var", "if", "else", "for", "in", "while", "break", "continue", "return", "true", "false", "ctx"};
    const std::string_view name = type(node);
    const TSNode left = field(node, "left"), right = field(node, "right");
    bool good = !name.starts_with("misplaced_") && name != "open_range_subscript";
    if (name == "source_file")
      for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) good = good && !is_statement(type(ts_node_child(node, i)));
    if (name == "kernel_definition" || name == "function_definition") {
      ++definitions;
      good = good && has(node, "name") && has(node, "parameters") && has(node, "body");
    }
    if (name == "parameters" || name == "block") good = good && separated(node, name);
    if (name == "for_statement") good = good && has(node, "body") && has(node, "start");
    if (name == "unroll_clause" && has(node, "factor")) {
      const std::string_view factor = words(field(node, "factor"));
      good = good && factor != "0" && factor.size() <= 4 && std::atoi(std::string(factor).c_str()) <= 1024;
    }
    if (name == "while_statement") good = good && has(node, "body");
    if (name == "if_statement") good = good && has(node, "consequence");
    if (name == "let_statement") good = good && has(node, "value");
    if (name == "var_statement") good = good && (has(node, "value") || has(node, "type"));
    if (name == "binary_expression") good = good && words(field(node, "operator")) != "@" && !(compares(node) && (compares(left) || compares(right)));
    if (name == "assignment_statement") good = good && (type(left) == "identifier" || type(left) == "ctx" || (type(left) == "subscript_expression" && type(field(left, "object")) == "identifier"));
    if (name == "over_fold") good = good && (words(field(node, "field")) == "lane" || words(field(node, "field")) == "thread");
    if (name == "identifier" || name == "scalar_type") good = good && !keywords.contains(words(node));
    for (std::uint32_t i = 0; good && i < ts_node_child_count(node); ++i) good = language(ts_node_child(node, i));
    return good;
  }

  TSParser* parser;
  std::string text;
  int definitions = 0;
};

std::vector<diag::Diagnostic> errors_of(const syntax::ParsedFile& file) {
  std::vector<diag::Diagnostic> result = file.diagnostics;
  for (const syntax::ParsedItem& each : file.items)
    for (diag::Diagnostic d : each.item->diagnostics) {
      if (d.severity != diag::Severity::Error) continue;
      d.location.span = d.location.span.shifted(each.span.begin);
      result.push_back(std::move(d));
    }
  return result;
}

struct Corpus {
  struct File {
    std::string path, text;
  };
  std::vector<File> files;
  Corpus() {
    for (const char* folder : {"examples", "tests/run", "tests/lang"})
      for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(PHOBOS_SOURCE_DIR) / folder)) {
        if (entry.path().extension() != ".ph") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        files.push_back({entry.path().string(), {std::istreambuf_iterator<char>(in), {}}});
      }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  }
};

// One damaged text: `cut` of the original went. Items that it does not touch are as clean as they were.
void expect_errors_only_in(Span item, Span cut, const syntax::ParsedFile& before, const std::vector<diag::Diagnostic>& after, const std::string& what) {
  for (const diag::Diagnostic& each : after) {
    std::uint32_t at = each.location.span.begin;
    if (at > cut.begin) at += cut.size();
    for (const syntax::ParsedItem& other : before.items)
      if (!(other.span == item) && other.item->diagnostics.empty() && other.span.begin <= at && at + 1 < other.span.end)
        FAIL_CHECK(what, ": an error in `", other.item->name.text, "`, which was not touched: ", each.message);
  }
}

}  // namespace

TEST_CASE("each damaged program has an error, where the damage is") {
  const char* mode = std::getenv("PHOBOS_DAMAGE");
  const bool all = mode && std::string_view(mode) == "all";
  Oracle oracle;
  std::size_t counter = 0, tried = 0;
  for (const Corpus::File& file : Corpus().files) {
    const syntax::ParsedFile before = syntax::Parser().parse(file.text);
    syntax::Parser parser;
    const std::size_t stride = all ? 1 : 23;
    for (const syntax::ParsedItem& item : before.items) {
      if (!item.item->diagnostics.empty()) continue;
      const std::string& text = item.item->text;
      for (const Span token : oracle.tokens(text)) {
        if (counter++ % stride != 0) continue;
        ++tried;
        const std::string name = file.path + ": `" + item.item->name.text + "` without `" + text.substr(token.begin, token.size()) + "` at " + std::to_string(item.span.begin + token.begin);
        // Without the token.
        std::string damaged = text.substr(0, token.begin) + " " + text.substr(token.end);
        const bool good = oracle.accepts(damaged);
        const Span cut{item.span.begin + token.begin, item.span.begin + token.end - 1};
        auto found = errors_of(parser.parse(file.text.substr(0, item.span.begin) + damaged + file.text.substr(item.span.end)));
        std::erase_if(found, [](const diag::Diagnostic& d) { return d.code == diag::Code::LiteralTooLarge; });  // a number of any size is one to the grammar
        const bool all_was_well = std::all_of(before.items.begin(), before.items.end(), [](const auto& each) { return each.item->diagnostics.empty(); });
        if (all_was_well) CHECK_MESSAGE(found.empty() == good, name);
        expect_errors_only_in(item.span, cut, before, found, name);
        // Cut off before it.
        const std::string prefix = file.text.substr(0, item.span.begin + token.begin);
        const auto missing = errors_of(parser.parse(prefix));
        if (all_was_well) CHECK_MESSAGE((token.begin == 0 || text.substr(0, token.begin).find_first_not_of(" \t\r\n") == std::string::npos || text.starts_with("//") || !missing.empty()), name, ": cut off before it");
        expect_errors_only_in(item.span, {static_cast<std::uint32_t>(prefix.size()), static_cast<std::uint32_t>(file.text.size())}, before, missing, name + ": cut off before it");
      }
    }
  }
  CHECK(tried > (all ? 10000u : 400u));
}

TEST_CASE("the parser takes what the grammar takes") {
  Oracle oracle;
  std::size_t items = 0;
  for (const Corpus::File& file : Corpus().files)
    for (const syntax::ParsedItem& item : syntax::Parser().parse(file.text).items) {
      ++items;
      const bool beyond = std::all_of(item.item->diagnostics.begin(), item.item->diagnostics.end(), [&](const diag::Diagnostic& d) {
        const Span at = d.location.span;
        return d.code == diag::Code::UnknownType || d.code == diag::Code::LiteralTooLarge || d.code == diag::Code::NestingTooDeep ||
               item.item->text.substr(at.begin, at.size()) == "void";  // which is a name like any other to the grammar
      });
      if (beyond && !item.item->diagnostics.empty()) continue;
      const bool good = std::none_of(item.item->diagnostics.begin(), item.item->diagnostics.end(), [](const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; });
      CHECK_MESSAGE(good == oracle.accepts(item.item->text), file.path, ": ", item.item->name.text);
    }
  CHECK(items > 50);
}
