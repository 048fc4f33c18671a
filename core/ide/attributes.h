// The attributes as a person reads of them (language.md, 13).
#pragma once

#include <optional>
#include <string_view>

namespace phobos::ide {

struct AttributeRow {
  std::string_view name, form, documentation;
};
std::optional<AttributeRow> attribute_named(std::string_view name);

}  // namespace phobos::ide
