// The names of Tree-sitter's nodes and fields as enumerators, so that the builder switches instead of comparing strings.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

namespace phobos::syntax {

enum class NodeKind : unsigned char {
  Other,  // punctuation and keywords
#define PHOBOS_NODE(id, name) id,
#include "nodes.def"
#undef PHOBOS_NODE
};

enum class Field : unsigned char {
#define PHOBOS_FIELD(id, name) id,
#include "fields.def"
#undef PHOBOS_FIELD
  count_
};

class Nodes {
 public:
  explicit Nodes(const TSLanguage* language);
  NodeKind kind(TSNode node) const {
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol == static_cast<TSSymbol>(-1)) return NodeKind::Error;
    return symbol < kinds_.size() ? kinds_[symbol] : NodeKind::Other;
  }
  // Null where the node has no such child.
  TSNode child(TSNode node, Field field) const {
    return ts_node_child_by_field_id(node, fields_[static_cast<std::size_t>(field)]);
  }
  TSFieldId id(Field field) const { return fields_[static_cast<std::size_t>(field)]; }

 private:
  std::vector<NodeKind> kinds_;
  std::array<TSFieldId, static_cast<std::size_t>(Field::count_)> fields_{};
};

// Of the one grammar there is.
const Nodes& nodes();

}  // namespace phobos::syntax
