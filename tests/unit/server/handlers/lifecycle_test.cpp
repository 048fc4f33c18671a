#include <doctest/doctest.h>

#include "client.h"

namespace {

int code_of(const Json& reply) {
  return reply.is_object() && reply.contains("error") ? reply["error"]["code"].get<int>() : 0;
}

}  // namespace

TEST_CASE("initialize, shutdown, exit") {
  Client client;
  const Json reply = client.request("initialize", {{"capabilities", Json::object()}, {"rootUri", nullptr}});
  CHECK(reply["result"]["capabilities"]["positionEncoding"] == "utf-16");
  CHECK(reply["result"]["capabilities"]["hoverProvider"] == true);
  CHECK(reply["result"]["capabilities"]["textDocumentSync"]["change"] == 2);
  CHECK(reply["result"]["serverInfo"]["name"] == "phobos");
  client.notify("initialized", Json::object());
  const Json bye = client.request("shutdown", nullptr);
  CHECK(bye.contains("result"));
  CHECK(bye["result"].is_null());
  CHECK(code_of(client.request("textDocument/hover", Json::object())) == -32600);
  client.send({{"jsonrpc", "2.0"}, {"method", "exit"}});
  CHECK(client.exit_status() == 0);
}

TEST_CASE("shutdown without params, before initialized") {
  Client client;
  client.request("initialize", {{"capabilities", Json::object()}});
  client.send({{"jsonrpc", "2.0"}, {"id", "bye"}, {"method", "shutdown"}});
  CHECK(client.reply_to("bye")["result"].is_null());
  client.notify("exit", nullptr);
  CHECK(client.exit_status() == 0);
}

TEST_CASE("before initialize requests are refused and notifications dropped") {
  Client client;
  client.open("file:///a.ph", "kernel");
  CHECK(code_of(client.request("textDocument/hover", Json::object())) == -32002);
  CHECK(code_of(client.request("shutdown", nullptr)) == -32002);
  client.initialize();
  CHECK(code_of(client.request("initialize", {{"capabilities", Json::object()}})) == -32600);
  CHECK_FALSE(client.has("textDocument/publishDiagnostics"));
  client.notify("exit", nullptr);
  CHECK(client.exit_status() == 1);
}

TEST_CASE("exit before anything else") {
  Client client;
  client.notify("exit", nullptr);
  CHECK(client.exit_status() == 1);
}

TEST_CASE("the end of the stream ends the server, a message cut off is not handled") {
  Client client;
  client.initialize();
  client.send_raw("Content-Length: 500\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"shutdown\"}");
  client.hang_up();
  CHECK(client.exit_status() == 1);
}

TEST_CASE("what is no message gets an answer, and the next one is handled") {
  Client client;
  client.initialize();
  client.send_raw(phobos::server::framed("{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"));
  CHECK(code_of(client.reply_to(nullptr)) == -32700);
  client.send_raw(phobos::server::framed("[1,2]"));
  CHECK(code_of(client.reply_to(nullptr)) == -32600);
  client.send_raw("Content-Length: -5\r\n\r\n");
  CHECK(code_of(client.reply_to(nullptr)) == -32700);
  CHECK(code_of(client.request("no/such/method", Json::object())) == -32601);
  CHECK(code_of(client.request("$/no/such/method", Json::object())) == -32601);
  client.notify("no/such/notification", 3);
  client.notify("$/setTrace", {{"value", "verbose"}});
  client.send({{"jsonrpc", "2.0"}, {"id", 77}, {"error", {{"code", -1}, {"message", "no"}}}});
  CHECK(client.request("textDocument/hover", {{"textDocument", {{"uri", "file:///none.ph"}}}, {"position", position(0, 0)}})["result"].is_null());
}

TEST_CASE("wrong parameters are refused with words") {
  Client client;
  client.initialize();
  client.open("file:///a.ph", "kernel a() {\n}\n");
  const Json wrong_params[] = {nullptr,
                               Json::array(),
                               document("file:///a.ph"),
                               {{"textDocument", {{"uri", 3}}}, {"position", position(0, 0)}},
                               {{"textDocument", {{"uri", "file:///a.ph"}}}, {"position", {{"line", -1}, {"character", 0}}}},
                               {{"textDocument", {{"uri", "file:///a.ph"}}}, {"position", {{"line", 0}, {"character", 0.5}}}}};
  for (const Json& params : wrong_params) {
    const Json reply = client.request("textDocument/hover", params);
    CHECK(code_of(reply) == -32602);
    CHECK_FALSE(reply["error"]["message"].get<std::string>().empty());
  }
  for (const char* method : {"textDocument/codeAction", "textDocument/codeLens", "textDocument/documentSymbol"})
    CHECK(code_of(client.request(method, Json::array())) == -32602);
  CHECK_FALSE(client.has("window/showMessage"));
}

TEST_CASE("cancelling: unknown ids, finished ones and strings are all fine") {
  Client client;
  client.initialize();
  client.notify("$/cancelRequest", {{"id", 12345}});
  client.notify("$/cancelRequest", {{"id", "never"}});
  client.notify("$/cancelRequest", Json::object());
  client.notify("$/cancelRequest", nullptr);
  // Request and cancellation in one piece: the answer is one of the two, and there is exactly one.
  const Json request = {{"jsonrpc", "2.0"}, {"id", "mine"}, {"method", "textDocument/codeLens"}, {"params", document("file:///a.ph")}};
  const Json cancel = {{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", "mine"}}}};
  client.send_raw(phobos::server::framed(request.dump()) + phobos::server::framed(cancel.dump()));
  const Json reply = client.reply_to("mine");
  CHECK((reply.contains("result") || code_of(reply) == -32800));
  client.notify("$/cancelRequest", {{"id", "mine"}});
  CHECK(client.request("textDocument/codeLens", document("file:///a.ph")).contains("result"));
}
