#include <phobos/server/lsp/types.h>

namespace phobos::server::lsp {

namespace {

Position position_of(const Json& value) {
  return {uint_at(value, "line"), uint_at(value, "character")};
}

Range range_of(const Json& value) {
  return {position_of(member(value, "start")), position_of(member(value, "end"))};
}

const Json& document_of(const Json& params) {
  return member(params, "textDocument");
}

std::optional<std::int64_t> version_of(const Json& document) {
  const Json* version = find(document, "version");
  if (version == nullptr || !version->is_number_integer()) return std::nullopt;
  return version->get<std::int64_t>();
}

const Json* find_path(const Json& value, std::initializer_list<const char*> path) {
  const Json* at = &value;
  for (const char* key : path)
    if ((at = find(*at, key)) == nullptr) return nullptr;
  return at;
}

bool contains(const Json* array, std::string_view text) {
  if (array == nullptr || !array->is_array()) return false;
  for (const Json& item : *array)
    if (item.is_string() && item.get_ref<const std::string&>() == text) return true;
  return false;
}

Encoding encoding_of(const Json* offered) {
  if (offered == nullptr || !offered->is_array()) return Encoding::Utf16;
  for (const Json& name : *offered) {
    if (name == "utf-8") return Encoding::Utf8;
    if (name == "utf-16") return Encoding::Utf16;
    if (name == "utf-32") return Encoding::Utf32;
  }
  return Encoding::Utf16;
}

}  // namespace

InitializeParams initialize_params(const Json& params) {
  InitializeParams result;
  result.encoding = encoding_of(find_path(params, {"capabilities", "general", "positionEncodings"}));
  const Json* versioned = find_path(params, {"capabilities", "workspace", "workspaceEdit", "documentChanges"});
  result.versioned_edits = versioned != nullptr && versioned->is_boolean() && versioned->get<bool>();
  const Json* formats = find_path(params, {"capabilities", "textDocument", "hover", "contentFormat"});
  result.markdown_hover = formats == nullptr || contains(formats, "markdown");
  return result;
}

OpenParams open_params(const Json& params) {
  const Json& document = document_of(params);
  return {string_at(document, "uri"), string_at(document, "text"), version_of(document)};
}

ChangeParams change_params(const Json& params) {
  const Json& document = document_of(params);
  ChangeParams result{string_at(document, "uri"), version_of(document), {}};
  const Json& changes = member(params, "contentChanges");
  if (!changes.is_array()) throw InvalidParams("`contentChanges` is not an array");
  for (const Json& change : changes) {
    std::optional<Range> range;
    if (const Json* value = find(change, "range")) range = range_of(*value);
    result.changes.push_back({range, string_at(change, "text")});
  }
  return result;
}

SaveParams save_params(const Json& params) {
  SaveParams result{string_at(document_of(params), "uri"), std::nullopt};
  if (find(params, "text") != nullptr) result.text = string_at(params, "text");
  return result;
}

DocumentParams document_params(const Json& params) {
  return {string_at(document_of(params), "uri")};
}

PositionParams position_params(const Json& params) {
  return {string_at(document_of(params), "uri"), position_of(member(params, "position"))};
}

CodeActionParams code_action_params(const Json& params) {
  CodeActionParams result{string_at(document_of(params), "uri"), range_of(member(params, "range")), true};
  if (const Json* only = find_path(params, {"context", "only"}))
    result.wants_quick_fixes = contains(only, "quickfix") || contains(only, "");
  return result;
}

std::optional<std::string> uri_of_params(const Json& params) {
  const Json* uri = find_path(params, {"textDocument", "uri"});
  if (uri == nullptr || !uri->is_string()) return std::nullopt;
  return uri->get<std::string>();
}

}  // namespace phobos::server::lsp
