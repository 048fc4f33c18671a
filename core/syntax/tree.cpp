// The tree that editors with Tree-sitter see, of the grammar in grammar/tree-sitter-phobos. The compiler reads its own
// (item_parser.h); tests hold the two against each other.
#include <phobos/syntax/parser.h>

#include <cstdlib>

#include <tree_sitter/api.h>
#include <tree_sitter_phobos.h>

namespace phobos::syntax {

std::string dump_tree(std::string_view text) {
  constexpr std::uint64_t longest = 5'000'000;  // microseconds: recovery from errors may take more than linear time
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_phobos());
  ts_parser_set_timeout_micros(parser, longest);
  TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size()));
  std::string result;
  if (tree) {
    char* words = ts_node_string(ts_tree_root_node(tree));
    result = words;
    std::free(words);
    ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
  return result;
}

}  // namespace phobos::syntax
