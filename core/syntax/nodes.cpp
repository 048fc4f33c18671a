#include "nodes.h"

#include <tree_sitter_phobos.h>

namespace phobos::syntax {

Nodes::Nodes(const TSLanguage* language) {
  constexpr std::string_view names[] = {
      "",
#define PHOBOS_NODE(id, name) name,
#include "nodes.def"
#undef PHOBOS_NODE
  };
  constexpr std::string_view field_names[] = {
#define PHOBOS_FIELD(id, name) name,
#include "fields.def"
#undef PHOBOS_FIELD
  };
  const std::uint32_t count = ts_language_symbol_count(language);
  kinds_.assign(count, NodeKind::Other);
  for (std::uint32_t symbol = 0; symbol < count; ++symbol) {
    if (ts_language_symbol_type(language, static_cast<TSSymbol>(symbol)) != TSSymbolTypeRegular) continue;
    const std::string_view name = ts_language_symbol_name(language, static_cast<TSSymbol>(symbol));
    for (std::size_t i = 1; i < std::size(names); ++i)
      if (names[i] == name) kinds_[symbol] = static_cast<NodeKind>(i);
  }
  for (std::size_t i = 0; i < std::size(field_names); ++i)
    fields_[i] = ts_language_field_id_for_name(language, field_names[i].data(), static_cast<std::uint32_t>(field_names[i].size()));
}

const Nodes& nodes() {
  static const Nodes instance(tree_sitter_phobos());
  return instance;
}

}  // namespace phobos::syntax
