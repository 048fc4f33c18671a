// Never in the way: who waits for whom, and what is dropped. Nothing here measures time by the clock; where a long analysis is needed
// it is one of a text that takes a core some hundred milliseconds, and what must come before its end was sent together with it.
#include <doctest/doctest.h>

#include "client.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

namespace {

const std::string big = "file:///big.ph", small = "file:///small.ph";

// One kernel that cannot be analysed in parts.
std::string long_kernel(int statements) {
  std::string text = "kernel k(X: tensor<f32>[N]) {\n  var x = 1.0\n";
  for (int i = 0; i < statements; ++i) text += "  x = x * 2.0 + 1.0\n";
  return text + "  if ctx.lane == 0 {\n    barrier()\n  }\n  X[ctx.thread] = x\n}\n";
}

std::string many_kernels(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "// Doubles.\n//# run N=64 X=iota\n@launch(64)\nkernel k" + std::to_string(i) +
            "(X: tensor<f32>[N], s: f32) {\n  let i = ctx.block.x * 64 + ctx.thread\n  var sum = 0.0\n  for j in range(0, 4) {\n"
            "    sum = sum + s * 2.0\n  }\n  if i < N {\n    let lane = ctx.lane\n    X[i] = X[i] * 2.0 + sum + f32(lane)\n  }\n}\n\n";
  return text;
}

Json hover_params(const std::string& uri, unsigned line, unsigned character) {
  return {{"textDocument", {{"uri", uri}}}, {"position", position(line, character)}};
}

std::string framed_message(Json message) {
  message["jsonrpc"] = "2.0";
  return phobos::server::framed(message.dump());
}

std::string open_message(const std::string& uri, const std::string& text) {
  return framed_message({{"method", "textDocument/didOpen"},
                         {"params", {{"textDocument", {{"uri", uri}, {"languageId", "phobos"}, {"version", 1}, {"text", text}}}}}});
}

std::string request_message(const Json& id, const std::string& method, const Json& params) {
  return framed_message({{"id", id}, {"method", method}, {"params", params}});
}

std::string insert_message(const std::string& uri, int version, const std::string& text) {
  return framed_message({{"method", "textDocument/didChange"},
                         {"params", {{"textDocument", {{"uri", uri}, {"version", version}}},
                                     {"contentChanges", {{{"range", range(0, 0, 0, 0)}, {"text", text}}}}}}});
}

}  // namespace

TEST_CASE("a cancellation is answered while what it cancels waits for a long analysis") {
  Client client;
  client.initialize();
  client.send_raw(open_message(big, long_kernel(40000)) + request_message("h", "textDocument/hover", hover_params(big, 1, 6)) +
                  request_message("s", "textDocument/documentSymbol", document(big)) +
                  framed_message({{"method", "$/cancelRequest"}, {"params", {{"id", "h"}}}}));
  CHECK(client.reply_to("h")["error"]["code"] == -32800);
  CHECK(client.count("textDocument/publishDiagnostics") == 0);
  CHECK(client.reply_to("s").contains("result"));  // the others are answered
  CHECK(client.diagnostics(big, 1).size() == 1);
  CHECK(client.count("window/logMessage") == 0);
}

TEST_CASE("an edit ends the analysis of a text that nobody has any more, and what was asked about it") {
  Client client;
  client.initialize();
  client.send_raw(open_message(big, long_kernel(40000)) + request_message(1000, "textDocument/hover", hover_params(big, 1, 6)) +
                  request_message(1001, "textDocument/codeLens", document(big)) + insert_message(big, 2, "// a\n") +
                  request_message(1002, "textDocument/hover", hover_params(big, 2, 6)));
  CHECK(client.reply_to(1000)["error"]["code"] == -32801);
  CHECK(client.reply_to(1001)["error"]["code"] == -32801);
  CHECK(client.reply_to(1002)["result"]["range"] == range(2, 6, 2, 7));
  CHECK(client.diagnostics(big, 2).size() == 1);
  CHECK(client.count("textDocument/publishDiagnostics") == 0);  // of version 1
}

TEST_CASE("a burst of edits is one analysis and one list of diagnostics") {
  Client client;
  client.initialize();
  std::string burst = open_message(big, long_kernel(40000));
  for (int version = 2; version <= 100; ++version) burst += insert_message(big, version, "// a\n");
  client.send_raw(burst);
  const Json found = client.diagnostics(big, 100);
  REQUIRE(found.size() == 1);
  CHECK(found[0]["range"]["start"]["line"] == 40002 + 1 + 99);
  CHECK(client.count("textDocument/publishDiagnostics") == 0);
}

TEST_CASE("other documents do not wait for a long analysis") {
  Client client;
  client.initialize();
  client.send_raw(open_message(big, long_kernel(40000)) + open_message(small, "kernel k() {\n  let a = 1\n}\n") +
                  request_message(1000, "textDocument/hover", hover_params(small, 1, 6)));
  CHECK(client.reply_to(1000)["result"]["range"] == range(1, 6, 1, 7));
  CHECK(client.diagnostics(small, 1).is_array());
  CHECK(client.count("textDocument/publishDiagnostics") == 0);
  CHECK(client.diagnostics(big, 1).size() == 1);
}

TEST_CASE("a document is closed, and opened again, while it is analysed") {
  Client client;
  client.initialize();
  client.send_raw(open_message(big, long_kernel(40000)) + request_message(1000, "textDocument/hover", hover_params(big, 1, 6)) +
                  framed_message({{"method", "textDocument/didClose"}, {"params", document(big)}}) +
                  request_message(1001, "textDocument/hover", hover_params(big, 1, 6)) + open_message(big, "kernel k() {\n  let a = 1\n}\n") +
                  request_message(1002, "textDocument/hover", hover_params(big, 1, 6)));
  CHECK(client.reply_to(1000)["error"]["code"] == -32801);
  CHECK(client.reply_to(1001)["result"].is_null());
  CHECK(client.reply_to(1002)["result"]["range"] == range(1, 6, 1, 7));
}

TEST_CASE("requests of all documents wait for all, and are cancelled") {
  Client client;
  client.initialize({{"textDocument", {{"diagnostic", Json::object()}}}});
  const Json all = {{"previousResultIds", Json::array()}};
  client.send_raw(open_message(big, long_kernel(40000)) + open_message(small, "kernel k() {\n}\n") +
                  request_message(1000, "workspace/diagnostic", all) + request_message(1001, "workspace/diagnostic", all) +
                  framed_message({{"method", "$/cancelRequest"}, {"params", {{"id", 1000}}}}));
  CHECK(client.reply_to(1000)["error"]["code"] == -32800);
  const Json items = client.reply_to(1001)["result"]["items"];
  REQUIRE(items.size() == 2);
  CHECK(items[0]["items"].size() == 1);
}

TEST_CASE("an id that is still to be answered is not another request's") {
  Client client;
  client.initialize();
  client.send_raw(open_message(big, long_kernel(40000)) + request_message(1000, "textDocument/hover", hover_params(big, 1, 6)) +
                  request_message(1000, "textDocument/codeLens", document(big)));
  CHECK(client.reply_to(1000)["error"]["code"] == -32600);
  CHECK(client.reply_to(1000).contains("result"));
}

TEST_CASE("no turn of the handling thread takes long, whatever is asked of 50,000 lines") {
  Client client;
  client.initialize({{"textDocument", {{"diagnostic", Json::object()}}}});
  const std::string text = many_kernels(3300);
  client.open(big, text);
  client.request("textDocument/hover", hover_params(big, 6, 7));
  int version = 1;
  Json tokens = "";
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 10; ++i) {
      const auto line = static_cast<unsigned>(6 + 15 * (round * 200 + i * 20));
      client.change(big, ++version, {{{"range", range(line, 9, line, 9)}, {"text", "x"}}});
      client.request("textDocument/hover", hover_params(big, line, 7));
    }
    Json whole = document(big);
    whole["range"] = range(0, 0, 50000, 0);
    whole["position"] = position(static_cast<unsigned>(6 + 15 * (round * 200 + 10)), 6);  // of a kernel that is as it was
    whole["options"] = {{"tabSize", 2}, {"insertSpaces", true}};
    whole["previousResultId"] = tokens;
    whole["newName"] = "other";
    whole["context"] = {{"includeDeclaration", true}};
    for (const char* method : {"documentSymbol", "codeLens", "diagnostic", "foldingRange", "inlayHint", "semanticTokens/full/delta", "semanticTokens/full", "documentLink",
                               "formatting", "completion", "signatureHelp", "definition", "references", "rename"}) {
      const Json reply = client.request("textDocument/" + std::string(method), whole);
      INFO(std::string(method));
      CHECK(reply.contains("result"));
      if (std::string_view(method) == "semanticTokens/full") tokens = reply["result"]["resultId"];
    }
  }
  client.change(big, ++version, {{{"text", text + "\n"}}});  // the whole text again
  client.request("textDocument/hover", hover_params(big, 6, 7));
  client.request("workspace/diagnostic", {{"previousResultIds", Json::array()}});
  // Let go of whole, of one that is analysed, and of one that is opened again.
  client.notify("textDocument/didClose", document(big));
  client.open(big, text);
  client.request("textDocument/hover", hover_params(big, 6, 7));
  client.open(big, text + "// again\n");
  client.send_raw(request_message(5000, "textDocument/hover", hover_params(big, 6, 7)) + framed_message({{"method", "textDocument/didClose"}, {"params", document(big)}}));
  client.reply_to(5000);
  const Json status = client.request("phobos/status", nullptr)["result"];
  INFO(status.dump());
  CHECK(status["turns"] > 200);
  if (!sanitized) CHECK(status["longestTurnMs"] < 20);
}
