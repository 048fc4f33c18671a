#include <phobos/server/lsp/types.h>

#include <array>

namespace phobos::server::lsp {

namespace {

constexpr int tag_unnecessary = 1;

Json to_json(Position position) {
  return {{"line", position.line}, {"character", position.column}};
}

std::string_view name_of(Encoding encoding) {
  constexpr std::array<std::string_view, 3> names = {"utf-8", "utf-16", "utf-32"};
  return names[static_cast<std::size_t>(encoding)];
}

std::vector<Edit> edits_of(const diag::Fix& fix) {
  std::vector<Edit> edits;
  for (const diag::TextEdit& edit : fix.edits) edits.push_back({edit.location.span, edit.text});
  return edits;
}

template <class T>
Json optional_to_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

// An editor with an extension of its own has commands of these names already; who has none asks for them.
Json commands(const InitializeParams& client) {
  Json names = Json::array();
  for (const char* name : {"run", "simulate", "compare", "trace", "build", "report", "tune"}) {
    names.push_back(std::string("phobos.server.") + name);
    if (client.runs_by_server) names.push_back(std::string("phobos.") + name);
  }
  return names;
}

Json initialize_result(const InitializeParams& client, std::string_view version, Json features) {
  features["positionEncoding"] = name_of(client.encoding);
  features["textDocumentSync"] = {{"openClose", true}, {"change", 2}, {"save", {{"includeText", true}}}};
  features["workspaceSymbolProvider"] = true;
  features["workspace"] = {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}};
  features["executeCommandProvider"] = {{"commands", commands(client)}, {"workDoneProgress", true}};
  if (client.pulls_diagnostics)
    features["diagnosticProvider"] = {{"identifier", "phobos"}, {"interFileDependencies", false}, {"workspaceDiagnostics", true}, {"workDoneProgress", true}};
  return {{"capabilities", std::move(features)}, {"serverInfo", {{"name", "phobos"}, {"version", version}}}};
}

Json to_json(const Range& range) {
  return {{"start", to_json(range.start)}, {"end", to_json(range.end)}};
}

Json to_json(const Hover& hover) {
  return {{"contents", {{"kind", hover.markdown ? "markdown" : "plaintext"}, {"value", hover.text}}}, {"range", to_json(hover.range)}};
}

Json to_json(const diag::Diagnostic& diagnostic, const std::string& uri, const Border& border) {
  Json result = {{"range", to_json(border.range(diagnostic.location.span))},
                 {"severity", static_cast<int>(diagnostic.severity)},
                 {"code", diag::info(diagnostic.code).code},
                 {"source", "phobos"},
                 {"message", diagnostic.message}};
  if (diagnostic.code == diag::Code::Unused || diagnostic.code == diag::Code::Unreachable) result["tags"] = Json::array({tag_unnecessary});
  if (!diagnostic.related.empty()) {
    Json related = Json::array();
    for (const diag::Related& item : diagnostic.related)
      related.push_back({{"location", {{"uri", uri}, {"range", to_json(border.range(item.location.span))}}}, {"message", item.message}});
    result["relatedInformation"] = std::move(related);
  }
  if (!diagnostic.fixes.empty()) {
    Json fixes = Json::array();
    for (const diag::Fix& fix : diagnostic.fixes) fixes.push_back({{"title", fix.title}, {"edits", to_json(edits_of(fix), border)}});
    result["data"] = {{"fixes", std::move(fixes)}};
  }
  return result;
}

Json to_json(const std::vector<Edit>& edits, const Border& border) {
  Json result = Json::array();
  for (const Edit& edit : edits) result.push_back({{"range", to_json(border.range(edit.span))}, {"newText", edit.text}});
  return result;
}

Json workspace_edit(const std::vector<Edit>& edits, const DocumentName& document, bool versioned_edits, const Border& border) {
  Json result;
  if (versioned_edits) {
    Json change = {{"textDocument", {{"uri", document.uri}, {"version", optional_to_json(document.version)}}}, {"edits", to_json(edits, border)}};
    result["documentChanges"] = Json::array({std::move(change)});
  } else {
    result["changes"][document.uri] = to_json(edits, border);
  }
  return result;
}

Json to_json(const Action& action, const DocumentName& document, const Border& border) {
  Json result = {{"title", action.title}, {"kind", action.kind}};
  if (action.is_preferred) result["isPreferred"] = true;
  if (action.diagnostic) result["diagnostics"] = Json::array({to_json(*action.diagnostic, document.uri, border)});
  return result;
}

Json resolve_data(const DocumentName& document, const Range& range) {
  return {{"uri", document.uri}, {"range", to_json(range)}};
}

Json live_diagnostics(const std::string& uri, const std::vector<diag::Diagnostic>& diagnostics, const Border& border) {
  Json list = Json::array();
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    Json& each = list.emplace_back(to_json(diagnostic, uri, border));
    each.erase("data");  // fixes are tried when they are asked for, not while somebody types
  }
  return list;
}

Json publish_params(const DocumentName& document, Json diagnostics) {
  Json params = {{"uri", document.uri}, {"diagnostics", std::move(diagnostics)}};
  if (document.version) params["version"] = *document.version;
  return params;
}

Json log_params(std::string_view message) {
  return {{"type", 4}, {"message", message}};
}

}  // namespace phobos::server::lsp
