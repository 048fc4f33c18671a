#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

#include <algorithm>

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

bool flag_at(const Json& value, std::initializer_list<const char*> path) {
  const Json* found = find_path(value, path);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

std::vector<std::string> uris_of(const Json* folders) {
  std::vector<std::string> uris;
  if (folders != nullptr && folders->is_array())
    for (const Json& folder : *folders)
      if (const Json* uri = find(folder, "uri"); uri != nullptr && uri->is_string()) uris.push_back(uri->get<std::string>());
  return uris;
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
  const Json* formats = find_path(params, {"capabilities", "textDocument", "hover", "contentFormat"});
  result.versioned_edits = flag_at(params, {"capabilities", "workspace", "workspaceEdit", "documentChanges"});
  result.resolves_edits = contains(find_path(params, {"capabilities", "textDocument", "codeAction", "resolveSupport", "properties"}), "edit");
  const Json* by = find_path(params, {"initializationOptions", "runCommands"});
  result.runs_by_server = by != nullptr && *by == "server";
  if (result.runs_by_server) result.commands = {"phobos.run", "phobos.simulate", "phobos.compare", "phobos.report"};
  if (const Json* commands = find_path(params, {"capabilities", "experimental", "commands"}); commands && commands->is_array()) {
    result.commands.clear();
    for (const Json& command : *commands)
      if (command.is_string()) result.commands.push_back(command.get<std::string>());
  }
  const Json* augments = find_path(params, {"capabilities", "textDocument", "semanticTokens", "augmentsSyntaxTokens"});
  result.lexical_tokens = augments != nullptr && augments->is_boolean() && !augments->get<bool>();
  result.replaces = flag_at(params, {"capabilities", "textDocument", "completion", "completionItem", "insertReplaceSupport"});
  result.links = flag_at(params, {"capabilities", "textDocument", "definition", "linkSupport"});
  result.snippets = flag_at(params, {"capabilities", "textDocument", "completion", "completionItem", "snippetSupport"});
  result.markdown_hover = formats == nullptr || contains(formats, "markdown");
  result.pulls_diagnostics = find_path(params, {"capabilities", "textDocument", "diagnostic"}) != nullptr;
  result.versioned_diagnostics = flag_at(params, {"capabilities", "textDocument", "publishDiagnostics", "versionSupport"});
  result.takes_progress = flag_at(params, {"capabilities", "window", "workDoneProgress"});
  const auto workspace = [&](const char* feature, const char* flag) { return flag_at(params, {"capabilities", "workspace", feature, flag}); };
  result.answers_configuration = flag_at(params, {"capabilities", "workspace", "configuration"});
  result.registers_configuration = workspace("didChangeConfiguration", "dynamicRegistration");
  result.registers_files = workspace("didChangeWatchedFiles", "dynamicRegistration");
  result.refreshes_diagnostics = workspace("diagnostics", "refreshSupport");
  result.refreshes_hints = workspace("inlayHint", "refreshSupport");
  result.refreshes_lenses = workspace("codeLens", "refreshSupport");
  result.refreshes_tokens = workspace("semanticTokens", "refreshSupport");
  result.folders = uris_of(find(params, "workspaceFolders"));
  if (const Json* root = find(params, "rootUri"); result.folders.empty() && root != nullptr && root->is_string())
    result.folders.push_back(root->get<std::string>());
  if (const Json* options = find(params, "initializationOptions")) result.settings = *options;
  return result;
}

FolderChange folder_change(const Json& params) {
  return {uris_of(find_path(params, {"event", "added"})), uris_of(find_path(params, {"event", "removed"}))};
}

bool InitializeParams::has_command(std::string_view command) const {
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

InitializeParams able_client() {
  InitializeParams client;
  client.commands = {"phobos.run", "phobos.simulate", "phobos.compare", "phobos.step", "phobos.tune", "phobos.report"};
  client.links = true;
  client.snippets = true;
  return client;
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

Range range_params(const Json& params) {
  return range_of(member(params, "range"));
}

std::string trigger_of(const Json& params) {
  const Json* typed = find_path(params, {"context", "triggerCharacter"});
  return typed != nullptr && typed->is_string() ? typed->get<std::string>() : std::string();
}

char typed_character(const Json& params) {
  const std::string typed = string_at(params, "ch");
  return typed.size() == 1 ? typed[0] : '\0';
}

CodeActionParams code_action_params(const Json& params) {
  CodeActionParams result{string_at(document_of(params), "uri"), range_of(member(params, "range")), {}};
  if (const Json* only = find_path(params, {"context", "only"}); only && only->is_array())
    for (const Json& kind : *only)
      if (kind.is_string()) result.only.push_back(kind.get<std::string>());
  return result;
}

std::optional<std::string> previous_result_id(const Json& params) {
  const Json* id = find(params, "previousResultId");
  if (id == nullptr || !id->is_string()) return std::nullopt;
  return id->get<std::string>();
}

std::map<std::string, std::string> previous_result_ids(const Json& params) {
  std::map<std::string, std::string> ids;
  if (const Json* list = find(params, "previousResultIds"); list != nullptr && list->is_array())
    for (const Json& each : *list) ids[identity_of(string_at(each, "uri"))] = string_at(each, "value");
  return ids;
}

std::vector<std::string> watched_uris(const Json& params) {
  return uris_of(find(params, "changes"));
}

bool CodeActionParams::wants(std::string_view kind) const {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& each) {
    return each.empty() || kind == each || (kind.starts_with(each) && kind[each.size()] == '.');
  });
}

std::optional<WantedAction> code_action_of(const Json& action) {
  const Json* data = find(action, "data");
  if (data == nullptr || find(*data, "range") == nullptr) return std::nullopt;
  WantedAction wanted{{string_at(*data, "uri"), range_of(member(*data, "range")), {string_at(action, "kind")}}, string_at(action, "title"), std::nullopt};
  const Json* diagnostics = find(action, "diagnostics");
  if (diagnostics && diagnostics->is_array() && !diagnostics->empty()) wanted.place = range_of(member((*diagnostics)[0], "range"));
  return wanted;
}

std::optional<std::string> uri_of_params(const Json& params) {
  for (const char* owner : {"textDocument", "item", "data"})
    if (const Json* uri = find_path(params, {owner, "uri"}); uri && uri->is_string()) return uri->get<std::string>();
  return std::nullopt;
}

}  // namespace phobos::server::lsp
