#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include <phobos/source/line_map.h>

#include "client.h"

using namespace phobos;

namespace {

const std::string uri = "file:///tmp/a%20b.ph";

const std::string varying =
    "kernel k(X: tensor<f32>[N]) {\n"
    "  if ctx.lane == 0 {\n"
    "    barrier()\n"
    "  }\n"
    "  X[ctx.thread] = 1.0\n"
    "}\n";

Json code_of(const Json& diagnostics) {
  Json codes = Json::array();
  for (const Json& diagnostic : diagnostics) codes.push_back(diagnostic["code"]);
  return codes;
}

// What the server's text is can be asked by way of a save: it answers with a line in the log when it had another text.
bool same_text(Client& client, const std::string& text) {
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}, {"text", text}});
  client.request("textDocument/codeLens", document(uri));
  return !client.has("window/logMessage");
}

}  // namespace

TEST_CASE("the error of a varying branch comes, with its chain, and goes") {
  Client client;
  client.initialize();
  client.open(uri, varying, 1);
  const Json found = client.diagnostics(uri, 1);
  REQUIRE(code_of(found) == Json::array({"PH0301"}));
  CHECK(found[0]["severity"] == 1);
  CHECK(found[0]["range"] == range(2, 4, 2, 13));
  REQUIRE(found[0].contains("relatedInformation"));
  CHECK(found[0]["relatedInformation"][0]["location"]["uri"] == uri);
  client.change(uri, 2, {{{"range", range(1, 5, 1, 13)}, {"text", "ctx.block.x"}}});
  CHECK(client.diagnostics(uri, 2).empty());
  client.change(uri, 3, {{{"text", varying}}});
  CHECK(code_of(client.diagnostics(uri, 3)) == Json::array({"PH0301"}));
  client.notify("textDocument/didClose", document(uri));
  CHECK(client.notification("textDocument/publishDiagnostics")["diagnostics"].empty());
}

TEST_CASE("hover says type, kind and reason") {
  Client client;
  client.initialize();
  client.open(uri, "kernel k(X: tensor<f32>[N]) {\n  let e = ctx.lane * 2\n  X[e] = 1.0\n}\n");
  const auto at = [&](unsigned line, unsigned character) {
    return client.request("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position(line, character)}})["result"];
  };
  const Json hover = at(1, 6);
  REQUIRE(hover.is_object());
  CHECK(hover["range"] == range(1, 6, 1, 7));
  CHECK(hover["contents"]["kind"] == "markdown");
  const std::string text = hover["contents"]["value"];
  INFO(text);
  CHECK(text.find("let e: index") != std::string::npos);
  CHECK(text.find("**varying**") != std::string::npos);
  CHECK(text.find("ctx.lane") != std::string::npos);
  CHECK(text.find("([line 2](file:///") != std::string::npos);
  CHECK(text.find("#L2,") != std::string::npos);
  CHECK(at(3, 99).is_null());
  CHECK(at(4294967295u, 4294967295u).is_null());
}

TEST_CASE("columns are of the negotiated encoding") {
  struct Case {
    const char* name;
    unsigned column, error_end;
  };
  for (const auto& [name, column, error_end] : {Case{"utf-8", 9, 16}, Case{"utf-16", 6, 14}, Case{"utf-32", 5, 13}}) {
    Client client;
    client.initialize({{"general", {{"positionEncodings", Json::array({name})}}}});
    client.open(uri, "// é😀\nkernel k() {\n}\n");
    client.change(uri, 2, {{{"range", range(0, column, 0, column)}, {"text", "!"}}});  // right after the emoji
    CHECK(same_text(client, "// é😀!\nkernel k() {\n}\n"));
    client.change(uri, 3, {{{"text", "kernel k() {\n  let a = 1 😀\n}\n"}}});
    unsigned last = 0;  // the end of what is wrong about the emoji
    for (const Json& diagnostic : client.diagnostics(uri, 3)) last = std::max(last, diagnostic["range"]["end"]["character"].get<unsigned>());
    CHECK(last == error_end);
  }
}

TEST_CASE("edits at odd places are clamped and never lose the text") {
  Client client;
  client.initialize();
  client.open(uri, "// 😀\r\nx");
  client.change(uri, 2, {{{"range", range(0, 4, 0, 4)}, {"text", "a"}}});  // inside the pair: before it
  CHECK(same_text(client, "// a😀\r\nx"));
  client.change(uri, 3, {{{"range", range(0, 99, 0, 99)}, {"text", "b"}}});  // past the line's end: before it
  CHECK(same_text(client, "// a😀b\r\nx"));
  client.change(uri, 4, {{{"range", range(2, 0, 2, 0)}, {"text", "c"}}});  // one line past the last
  CHECK(same_text(client, "// a😀b\r\nxc"));
  client.change(uri, 5, {{{"range", range(0, 0, 999999, 999999)}, {"text", "d"}}});
  CHECK(same_text(client, "d"));
  client.change(uri, 6, {{{"range", range(0, 1, 0, 0)}, {"text", "e"}}});  // the end before the start
  CHECK(same_text(client, "de"));
}

TEST_CASE("changes in one message follow each other, versions may have gaps") {
  Client client;
  client.initialize();
  client.open(uri, "ab\ncd");
  client.change(uri, 7, {{{"range", range(0, 0, 0, 0)}, {"text", "1\n"}}, {{"range", range(1, 0, 1, 1)}, {"text", "X"}}, {{"range", range(2, 2, 2, 2)}, {"text", "!"}}});
  CHECK(same_text(client, "1\nXb\ncd!"));
  client.change(uri, 8, Json::array());
  CHECK(same_text(client, "1\nXb\ncd!"));
}

TEST_CASE("changes that came in the wrong order are put in that of their versions") {
  Client client;
  client.initialize();
  client.open(uri, "if lane\n", 0);
  client.change(uri, 1, {{{"range", range(0, 3, 0, 7)}, {"text", ""}}});
  client.change(uri, 2, {{{"range", range(0, 3, 0, 3)}, {"text", "t"}}});
  client.change(uri, 4, {{{"range", range(0, 5, 0, 5)}, {"text", "u"}}});
  client.change(uri, 3, {{{"range", range(0, 4, 0, 4)}, {"text", "r"}}});
  client.change(uri, 5, {{{"range", range(0, 6, 0, 6)}, {"text", "e"}}});
  CHECK(client.notification("window/logMessage")["message"].get<std::string>().find("version 3") != std::string::npos);
  CHECK(same_text(client, "if true\n"));
}

TEST_CASE("a change that makes no sense is logged, and a save brings the texts together") {
  Client client;
  client.initialize();
  client.open(uri, varying);
  client.change(uri, 2, {{{"range", {{"start", {{"line", -1}, {"character", 0}}}, {"end", position(0, 0)}}}, {"text", "x"}}});
  client.notification("window/logMessage");
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}, {"text", "kernel k() {\n}\n"}});
  client.notification("window/logMessage");
  CHECK(client.request("textDocument/codeLens", document(uri))["result"].size() == 1);
  CHECK(same_text(client, "kernel k() {\n}\n"));
}

TEST_CASE("documents that are not open, opened twice, closed twice, or of strange schemes") {
  Client client;
  client.initialize();
  client.change("file:///never.ph", 2, {{{"text", "x"}}});
  client.notify("textDocument/didClose", document("file:///never.ph"));
  client.notify("textDocument/didSave", document("file:///never.ph"));
  for (const char* method : {"textDocument/codeLens", "textDocument/documentSymbol"})
    CHECK(client.request(method, document("file:///never.ph"))["result"] == Json::array());
  client.open(uri, "kernel a() {\n}\n", 1);
  client.open(uri, "kernel b() {\n}\n", 1);
  CHECK(client.request("textDocument/codeLens", document("file:///tmp/a b.ph"))["result"][0]["command"]["title"] == "▶ Run b");
  client.open("git:/a.ph?%7B%7D", "kernel", 1);
  client.open("", "kernel", 1);
  client.open("untitled:Untitled-1", varying, 1);
  CHECK(client.diagnostics("untitled:Untitled-1", 1).size() == 1);
  client.notify("textDocument/didClose", document(uri));
  client.notify("textDocument/didClose", document(uri));
  CHECK(client.request("textDocument/documentSymbol", document(uri))["result"] == Json::array());
}

TEST_CASE("lenses, the outline and quick fixes") {
  Client client;
  client.initialize({{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}});
  client.open(uri, "//# run N=4 X=zeros\nkernel k(X: tensor<f32>[N]) {\n  X[ctx.thred] = 1.0\n}\nfn f(x: f32) -> f32 {\n  return x\n}\n", 5);
  const Json lenses = client.request("textDocument/codeLens", document(uri))["result"];
  REQUIRE(lenses.size() == 2);
  CHECK(lenses[0]["command"]["title"] == "▶ Run k");
  CHECK(lenses[0]["command"]["command"] == "phobos.run");
  CHECK(lenses[0]["command"]["arguments"] == Json::array({{{"uri", uri}, {"kernel", "k"}}}));
  CHECK(lenses[0]["range"] == range(1, 7, 1, 8));
  CHECK(lenses[1]["command"]["arguments"] == Json::array({{{"uri", uri}, {"kernel", "k"}, {"runLine", 0}}}));
  CHECK(lenses[1]["command"]["title"].get<std::string>().find("N=4 X=zeros") != std::string::npos);

  const Json symbols = client.request("textDocument/documentSymbol", document(uri))["result"];
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0]["name"] == "k");
  CHECK(symbols[0]["children"][0]["name"] == "X");
  CHECK(symbols[1]["selectionRange"] == range(4, 3, 4, 4));

  Json asked = document(uri);
  asked["range"] = range(2, 8, 2, 8);
  asked["context"] = {{"diagnostics", Json::array()}};
  const Json actions = client.request("textDocument/codeAction", asked)["result"];
  REQUIRE(actions.size() == 1);
  CHECK(actions[0]["kind"] == "quickfix");
  CHECK(actions[0]["edit"]["documentChanges"][0]["textDocument"] == Json({{"uri", uri}, {"version", 5}}));
  CHECK(actions[0]["edit"]["documentChanges"][0]["edits"][0]["newText"] == "ctx.thread");
  asked["context"]["only"] = {"refactor"};
  CHECK(client.request("textDocument/codeAction", asked)["result"].empty());
  asked["range"] = range(5, 0, 5, 1);
  asked["context"].erase("only");
  CHECK(client.request("textDocument/codeAction", asked)["result"].empty());
}

TEST_CASE("texts that are no text still give valid JSON") {
  Client client;
  client.initialize();
  client.open(uri, std::string("k\0e\0r\0n\0e\0l\0", 12));
  CHECK(code_of(client.diagnostics(uri, 1)) == Json::array({"PH0009"}));
  client.change(uri, 2, {{{"text", "\xef\xbb\xbfkernel k() {\r\n}\r\n"}}});
  CHECK(client.diagnostics(uri, 2).empty());
  client.change(uri, 3, {{{"text", ""}}});
  CHECK(client.diagnostics(uri, 3).empty());
}

TEST_CASE("after a thousand random edits both sides have the same text, and every request was answered") {
  std::mt19937 random(7);
  const std::string pieces[] = {"\n", "\r\n", "\r", "a", "kernel k() {\n}\n", "é", "漢", "😀", "{", "}", "  let x = ctx.lane\n", "\"", "\t"};
  Client client;
  client.initialize();
  std::string text = varying;
  client.open(uri, text);
  for (int version = 2; version <= 1001; ++version) {
    const LineMap lines(text);
    Json changes = Json::array();
    const auto begin = static_cast<std::uint32_t>(random() % (text.size() + 1));
    const auto end = std::min<std::uint32_t>(static_cast<std::uint32_t>(text.size()), begin + random() % 10);
    const Position from = lines.position(text, begin, Encoding::Utf16), to = lines.position(text, end, Encoding::Utf16);
    const std::string piece = random() % 3 == 0 ? "" : pieces[random() % std::size(pieces)];
    const std::uint32_t at = lines.offset(text, from, Encoding::Utf16), until = lines.offset(text, to, Encoding::Utf16);
    client.change(uri, version, {{{"range", range(from.line, from.column, to.line, to.column)}, {"text", piece}}});
    text.replace(at, until - at, piece);
    if (random() % 8 == 0) {
      const Json params = {{"textDocument", {{"uri", uri}}}, {"position", position(random() % 12, random() % 12)}};
      CHECK(client.request("textDocument/hover", params).contains("result"));
    }
  }
  client.diagnostics(uri, 1001);
  CHECK(same_text(client, text));
  CHECK_FALSE(client.has("window/showMessage"));
}
