// The attributes as a person reads of them (language.md, 13).
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace phobos::ide {

struct AttributeRow {
  std::string_view name, form, documentation;
  std::string_view choices;    // what it takes, and what holds without it
  std::string_view snippet;    // what completion puts in, placeholders as `${1:…}`
};
std::span<const AttributeRow> attributes();
std::optional<AttributeRow> attribute_named(std::string_view name);

// The types that are written in source (language.md, 3).
struct TypeRow {
  std::string_view name, form, documentation;
};
std::optional<TypeRow> type_named(std::string_view name);

}  // namespace phobos::ide
