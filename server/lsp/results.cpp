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

Json edits_of(const diag::Fix& fix, const Border& border) {
  Json edits = Json::array();
  for (const diag::TextEdit& edit : fix.edits)
    edits.push_back({{"range", to_json(border.range(edit.location.span))}, {"newText", edit.text}});
  return edits;
}

template <class T>
Json optional_to_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json initialize_result(const InitializeParams& client, std::string_view version) {
  Json result = {{"capabilities",
           {{"positionEncoding", name_of(client.encoding)},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", true}}}}},
            {"hoverProvider", true},
            {"codeActionProvider", {{"codeActionKinds", Json::array({"quickfix"})}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
            {"documentSymbolProvider", true}}},
          {"serverInfo", {{"name", "phobos"}, {"version", version}}}};
  if (client.pulls_diagnostics)
    result["capabilities"]["diagnosticProvider"] = {
        {"identifier", "phobos"}, {"interFileDependencies", false}, {"workspaceDiagnostics", true}, {"workDoneProgress", false}};
  return result;
}

Json to_json(const Range& range) {
  return {{"start", to_json(range.start)}, {"end", to_json(range.end)}};
}

Json to_json(const Hover& hover) {
  return {{"contents", {{"kind", hover.markdown ? "markdown" : "plaintext"}, {"value", hover.text}}}, {"range", to_json(hover.range)}};
}

Json to_json(const Lens& lens) {
  Json target = {{"uri", lens.uri}, {"kernel", lens.kernel}};
  if (lens.run_line) target["runLine"] = *lens.run_line;
  return {{"range", to_json(lens.range)},
          {"command", {{"title", lens.title}, {"command", "phobos.run"}, {"arguments", Json::array({std::move(target)})}}}};
}

Json to_json(const Symbol& symbol) {
  Json result = {{"name", symbol.name},
                 {"kind", static_cast<int>(symbol.kind)},
                 {"range", to_json(symbol.range)},
                 {"selectionRange", to_json(symbol.selection)}};
  if (!symbol.detail.empty()) result["detail"] = symbol.detail;
  if (!symbol.children.empty()) result["children"] = array_of(symbol.children);
  return result;
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
    for (const diag::Fix& fix : diagnostic.fixes) fixes.push_back({{"title", fix.title}, {"edits", edits_of(fix, border)}});
    result["data"] = {{"fixes", std::move(fixes)}};
  }
  return result;
}

Json to_json(const QuickFix& fix, const DocumentName& document, bool versioned_edits, const Border& border) {
  Json edit;
  if (versioned_edits) {
    Json change = {{"textDocument", {{"uri", document.uri}, {"version", optional_to_json(document.version)}}},
                   {"edits", edits_of(*fix.fix, border)}};
    edit["documentChanges"] = Json::array({std::move(change)});
  } else {
    edit["changes"][document.uri] = edits_of(*fix.fix, border);
  }
  return {{"title", fix.fix->title},
          {"kind", "quickfix"},
          {"diagnostics", Json::array({to_json(*fix.diagnostic, document.uri, border)})},
          {"isPreferred", fix.diagnostic->fixes.size() == 1},
          {"edit", std::move(edit)}};
}

Json live_diagnostics(const std::string& uri, const std::vector<diag::Diagnostic>& diagnostics, const Border& border) {
  Json list = Json::array();
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    Json& each = list.emplace_back(to_json(diagnostic, uri, border));
    each.erase("data");  // fixes are tried when they are asked for, not while somebody types
  }
  return list;
}

Json publish_params(const DocumentName& document, const std::vector<diag::Diagnostic>& diagnostics, const Border& border) {
  Json params = {{"uri", document.uri}, {"diagnostics", live_diagnostics(document.uri, diagnostics, border)}};
  if (document.version) params["version"] = *document.version;
  return params;
}

Json log_params(std::string_view message) {
  return {{"type", 4}, {"message", message}};
}

}  // namespace phobos::server::lsp
