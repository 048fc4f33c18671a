// What depends on the client and on what was answered before; what each feature finds is tested by the marked files of tests/ide.
#include <doctest/doctest.h>

#include "client.h"

namespace {

const std::string uri = "file:///tmp/features.ph";
const std::string text =
    "fn half(v: f32) -> f32 {\n"
    "  return v * 0.5\n"
    "}\n"
    "\n"
    "@launch(64)\n"
    "kernel work(X: tensor<f32>[N]) {\n"
    "  let at = ctx.lane\n"
    "  let row = X[0 :+ 64]\n"
    "  X[at] = half(1.0)\n"
    "}\n";

Json of_range(unsigned line, unsigned from, unsigned to) {
  Json params = document(uri);
  params["range"] = range(line, from, line, to);
  params["context"] = {{"diagnostics", Json::array()}};
  return params;
}
Json at(unsigned line, unsigned character) {
  Json params = document(uri);
  params["position"] = position(line, character);
  return params;
}
Json labels(const Json& hints) {
  Json all = Json::array();
  for (const Json& hint : hints) all.push_back(hint["label"]);
  return all;
}

}  // namespace

TEST_CASE("an action's edit comes with it, or later to who can wait for it") {
  for (const bool waits : {false, true}) {
    Client client;
    Json capabilities = {{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}};
    if (waits) capabilities["textDocument"]["codeAction"]["resolveSupport"]["properties"] = {"edit"};
    client.initialize(capabilities);
    client.open(uri, text, 3);
    Json params = of_range(1, 9, 16);
    params["context"]["only"] = {"refactor"};
    const Json actions = client.request("textDocument/codeAction", params)["result"];
    REQUIRE(actions.size() == 1);
    CHECK(actions[0]["title"] == "Extract to `let`");
    CHECK(actions[0]["kind"] == "refactor.extract");
    CHECK(actions[0].contains("edit") != waits);
    const Json action = waits ? client.request("codeAction/resolve", actions[0])["result"] : actions[0];
    const Json& change = action["edit"]["documentChanges"][0];
    CHECK(change["textDocument"] == Json{{"uri", uri}, {"version", 3}});
    CHECK(change["edits"][0]["newText"] == "let value = v * 0.5\n  ");
    CHECK(change["edits"][1] == Json{{"range", range(1, 9, 1, 16)}, {"newText", "value"}});
    params["context"]["only"] = {"quickfix"};
    CHECK(client.request("textDocument/codeAction", params)["result"].empty());
  }
}

TEST_CASE("an action whose text is gone resolves to no edit") {
  Client client;
  client.initialize({{"textDocument", {{"codeAction", {{"resolveSupport", {{"properties", {"edit"}}}}}}}}});
  client.open(uri, text, 1);
  const Json actions = client.request("textDocument/codeAction", of_range(1, 9, 16))["result"];
  REQUIRE_FALSE(actions.empty());
  client.change(uri, 2, {{{"text", "kernel k() {\n}\n"}}});
  CHECK_FALSE(client.request("codeAction/resolve", actions[0])["result"].contains("edit"));
}

TEST_CASE("snippets are for clients that know them") {
  for (const bool knows : {false, true}) {
    Client client;
    client.initialize({{"textDocument", {{"completion", {{"completionItem", {{"snippetSupport", knows}}}}}}}});
    client.open(uri, text);
    const Json items = client.request("textDocument/completion", at(8, 12))["result"]["items"];
    const auto half = std::find_if(items.begin(), items.end(), [](const Json& each) { return each["label"] == "half"; });
    REQUIRE(half != items.end());
    CHECK((*half)["textEdit"]["newText"] == "half");  // a bracket stands behind it already
    const Json line = client.request("textDocument/completion", at(9, 0))["result"]["items"];
    const auto loop = std::find_if(line.begin(), line.end(), [](const Json& each) { return each["label"] == "for"; });
    REQUIRE(loop != line.end());
    CHECK(loop->contains("insertTextFormat") == knows);
    CHECK((*loop)["textEdit"]["newText"] == (knows ? "for ${1:i} in range(${2:0}, ${3:N}) {\n  $0\n}" : "for i in range(0, N) {\n  \n}"));
  }
}

TEST_CASE("colours: all, then what changed, and all again for a name that is not known") {
  Client client;
  client.initialize();
  client.open(uri, text);
  const Json first = client.request("textDocument/semanticTokens/full", document(uri))["result"];
  REQUIRE(first["data"].size() % 5 == 0);
  client.change(uri, 2, {{{"range", range(6, 2, 6, 2)}, {"text", "let b = 1\n  "}}});
  Json params = document(uri);
  params["previousResultId"] = first["resultId"];
  const Json second = client.request("textDocument/semanticTokens/full/delta", params)["result"];
  REQUIRE(second["edits"].size() == 1);
  const Json& edit = second["edits"][0];
  CHECK(edit["data"].size() <= 10);
  std::vector<std::uint32_t> told = first["data"].get<std::vector<std::uint32_t>>();
  const auto begin = told.begin() + edit["start"].get<std::ptrdiff_t>();
  const std::vector<std::uint32_t> data = edit["data"].get<std::vector<std::uint32_t>>();
  told.insert(told.erase(begin, begin + edit["deleteCount"].get<std::ptrdiff_t>()), data.begin(), data.end());
  CHECK(Json(told) == client.request("textDocument/semanticTokens/full", document(uri))["result"]["data"]);
  CHECK(client.request("textDocument/semanticTokens/full/delta", params)["result"].contains("data"));
}

TEST_CASE("each sort of hints has a setting, which is taken while the server runs") {
  Client client;
  client.initialize();
  client.open(uri, text);
  Json whole = document(uri);
  whole["range"] = range(0, 0, 99, 0);
  CHECK(labels(client.request("textDocument/inlayHint", whole)["result"]) == Json::array({": varying", ": tile<f32>[64]", "v:"}));
  client.notify("workspace/didChangeConfiguration", {{"settings", {{"phobos", {{"inlayHints", {{"kinds", false}, {"parameterNames", false}}}}}}}});
  CHECK(labels(client.request("textDocument/inlayHint", whole)["result"]) == Json::array({": tile<f32>[64]"}));
}

TEST_CASE("kernels and functions of all open texts are found by their letters") {
  Client client;
  client.initialize();
  client.open(uri, text);
  client.open("file:///tmp/other.ph", "kernel walk() {\n}\n");
  const Json found = client.request("workspace/symbol", {{"query", "WK"}})["result"];
  REQUIRE(found.size() == 2);
  CHECK(found[0]["name"] == "work");
  CHECK(found[0]["location"] == Json{{"uri", uri}, {"range", range(5, 7, 5, 11)}});
  CHECK(found[1]["name"] == "walk");
  CHECK(client.request("workspace/symbol", {{"query", ""}})["result"].size() == 3);
}

TEST_CASE("what a request refuses is said in words, and no message is shown") {
  Client client;
  client.initialize();
  client.open(uri, text);
  Json params = at(0, 4);
  params["newName"] = "exp";
  const Json reply = client.request("textDocument/rename", params);
  CHECK(reply["error"]["code"] == -32803);
  CHECK(reply["error"]["message"] == "`exp` is a built-in");
  CHECK_FALSE(client.has("window/showMessage"));
}
