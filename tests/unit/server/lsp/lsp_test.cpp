#include <doctest/doctest.h>

#include <phobos/server/lsp/answers.h>
#include <phobos/server/lsp/run.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

using namespace phobos;
using namespace phobos::server::lsp;

namespace {

Json parsed(std::string_view text) {
  return Json::parse(text);
}

}  // namespace

TEST_CASE("messages are told apart, and what is none says why") {
  using Form = Message::Form;
  CHECK(parse_message(R"({"jsonrpc":"2.0","id":1,"method":"a"})").form == Form::Request);
  CHECK(parse_message(R"({"jsonrpc":"2.0","id":"x","method":"a"})").id == "x");
  CHECK(parse_message(R"({"jsonrpc":"2.0","method":"a","params":{}})").form == Form::Notification);
  CHECK(parse_message(R"({"jsonrpc":"2.0","id":1,"result":null})").form == Form::Response);
  CHECK(parse_message(R"({"jsonrpc":"2.0","id":1,"error":{}})").form == Form::Response);
  for (const char* broken : {"", "{", "nul", "{\"a\":}", "\xff", "{\"method\":\"\xc3\x28\"}", "{} {}"}) {
    const Message message = parse_message(broken);
    CHECK(message.form == Form::Bad);
    CHECK(message.error == ErrorCode::ParseError);
    CHECK(message.id.is_null());
  }
  for (const char* strange : {"[]", "1", "null", "{}", R"({"id":{},"method":"a"})", R"({"id":1.5,"method":"a"})", R"({"id":1,"method":2})"}) {
    const Message message = parse_message(strange);
    CHECK(message.form == Form::Bad);
    CHECK(message.error == ErrorCode::InvalidRequest);
  }
  CHECK(parse_message(std::string(200'000, '[')).form == Form::Bad);
  CHECK(parse_message(std::string(200'000, '[') + std::string(200'000, ']')).form == Form::Bad);
}

TEST_CASE("escapes in a text are decoded exactly") {
  const OpenParams open = open_params(parsed(
      R"({"textDocument":{"uri":"file:///a","version":3,"text":"\u006b\u003c\ud83d\ude00\r\n\t\"\\\u0000"}})"));
  CHECK(open.text == std::string("k<😀\r\n\t\"\\") + '\0');
  CHECK(open.version == 3);
}

TEST_CASE("positions are whole numbers from 0, however large") {
  const auto position = [](const char* line, const char* character) {
    return position_params(parsed(std::string(R"({"textDocument":{"uri":"u"},"position":{"line":)") + line + R"(,"character":)" + character + "}}"))
        .position;
  };
  CHECK(position("3", "0") == Position{3, 0});
  CHECK(position("2147483647", "4294967295") == Position{2147483647u, 4294967295u});
  CHECK(position("99999999999999", "18446744073709551615") == Position{4294967295u, 4294967295u});
  for (const char* wrong : {"-1", "1.5", "\"1\"", "null", "true", "{}"}) {
    CHECK_THROWS_AS(position(wrong, "0"), InvalidParams);
    CHECK_THROWS_AS(position("0", wrong), InvalidParams);
  }
  for (const char* wrong : {"{}", "[]", "null", R"({"textDocument":{}})", R"({"textDocument":{"uri":1}})", R"({"textDocument":{"uri":"u"},"position":3})"})
    CHECK_THROWS_AS(position_params(parsed(wrong)), InvalidParams);
}

TEST_CASE("a change without a range is the whole text") {
  const ChangeParams change = change_params(parsed(
      R"({"textDocument":{"uri":"u","version":2},"contentChanges":[{"text":"all"},{"range":{"start":{"line":0,"character":1},"end":{"line":2,"character":3}},"text":"x"}]})"));
  REQUIRE(change.changes.size() == 2);
  CHECK_FALSE(change.changes[0].range.has_value());
  CHECK(change.changes[1].range == Range{{0, 1}, {2, 3}});
  CHECK(change_params(parsed(R"({"textDocument":{"uri":"u","version":null},"contentChanges":[]})")).version == std::nullopt);
  CHECK_THROWS_AS(change_params(parsed(R"({"textDocument":{"uri":"u"},"contentChanges":{}})")), InvalidParams);
}

TEST_CASE("the first encoding of the client's that we know") {
  const auto encoding = [](const char* list) {
    return initialize_params(parsed(std::string(R"({"capabilities":{"general":{"positionEncodings":)") + list + "}}}")).encoding;
  };
  CHECK(encoding(R"(["utf-8","utf-16"])") == Encoding::Utf8);
  CHECK(encoding(R"(["utf-7","utf-32","utf-16"])") == Encoding::Utf32);
  CHECK(encoding(R"(["utf-16"])") == Encoding::Utf16);
  CHECK(encoding("[]") == Encoding::Utf16);
  CHECK(encoding("null") == Encoding::Utf16);
  CHECK(encoding("[1,2]") == Encoding::Utf16);
  CHECK(initialize_params(parsed("null")).encoding == Encoding::Utf16);
  CHECK(initialize_params(parsed(R"({"processId":null,"rootUri":null,"capabilities":{}})")).versioned_edits == false);
}

TEST_CASE("one document has one identity, however its URI is spelt") {
  CHECK(identity_of("file:///a%20b.ph") == identity_of("file:///a b.ph"));
  CHECK(identity_of("file:///%61.ph") == identity_of("FILE:///a.ph"));
  CHECK(identity_of("file:///C:/x.ph") == identity_of("file:///c%3A/x.ph"));
  CHECK(identity_of("file:///%C3%A9.ph") == identity_of("file:///%c3%a9.ph"));
  CHECK(identity_of("file:///a%23b.ph") != identity_of("file:///a#b.ph"));
  CHECK(identity_of("file:///a%3Fb.ph") != identity_of("file:///a?b.ph"));
  CHECK(identity_of("file:///a%2523.ph") != identity_of("file:///a%23.ph"));
  CHECK(identity_of("file:///A.ph") != identity_of("file:///a.ph"));
  CHECK(identity_of("untitled:Untitled-1") == identity_of("untitled:Untitled%2D1"));
  for (const char* odd : {"", ":", "%", "%2", "%zz", "file:", "file://", "a%"}) CHECK_NOTHROW(identity_of(odd));
  CHECK(uri_of_path("/tmp/a b#c%é.ph") == "file:///tmp/a%20b%23c%25%C3%A9.ph");
  CHECK(identity_of(uri_of_path("/tmp/a b.ph")) == identity_of("file:///tmp/a b.ph"));
  CHECK(scheme_of("GIT:/a") == "git");
}

TEST_CASE("a diagnostic as the protocol has it") {
  const std::string text = "😀 x\ny";
  const LineMap lines(text);
  diag::Diagnostic diagnostic = diag::make(diag::Code::Unused, {{5, 6}, 0}, "x");
  diagnostic.related.push_back({{{7, 8}, 0}, "because"});
  diagnostic.fixes.push_back({"do", {{{{5, 6}, 0}, "_x"}}});
  CHECK(to_json(diagnostic, "file:///a", {text, lines, Encoding::Utf16}) == parsed(R"({
    "range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 4}},
    "severity": 4, "code": "PH0114", "source": "phobos", "message": "`x` is never used", "tags": [1],
    "relatedInformation": [{"message": "because", "location": {"uri": "file:///a",
      "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}}}],
    "data": {"fixes": [{"title": "do", "edits": [{"newText": "_x",
      "range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 4}}}]}]}})"));
  const diag::Diagnostic past = diag::make(diag::Code::Unused, {{90, 80}, 0}, "x");
  CHECK(to_json(past, "file:///a", {text, lines, Encoding::Utf16})["range"] ==
        parsed(R"({"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 1}})"));
}

TEST_CASE("capabilities and replies") {
  InitializeParams client;
  client.encoding = Encoding::Utf8;
  const Json capabilities = initialize_result(client, "1.2", {{"hoverProvider", true}})["capabilities"];
  CHECK_FALSE(capabilities.contains("diagnosticProvider"));
  client.pulls_diagnostics = true;
  CHECK(initialize_result(client, "1.2", {{"hoverProvider", true}})["capabilities"].contains("diagnosticProvider"));
  CHECK(capabilities["positionEncoding"] == "utf-8");
  CHECK(capabilities["hoverProvider"] == true);
  CHECK(parsed(reply("x", nullptr)) == parsed(R"({"jsonrpc":"2.0","id":"x","result":null})"));
  CHECK(parsed(error_reply(nullptr, ErrorCode::ParseError, "no"))["error"]["code"] == -32700);
  CHECK_NOTHROW(parsed(notification("n", {{"text", "\xff\xc3"}})));
  const std::string text = "k";
  const LineMap lines(text);
  const Border border(text, lines, Encoding::Utf8);
  const std::vector<ide::Lens> lenses{{ide::Lens::Action::Run, "t", "k", {0, 1}, 2}, {ide::Lens::Action::Tune, "n", "k", {0, 1}, std::nullopt}};
  const auto shown_to = [&](const InitializeParams& to) {
    std::string told;
    append_lenses(told, lenses, "u", to, border);
    return parsed(told);
  };
  const Json shown = shown_to({});
  REQUIRE(shown.size() == 1);  // the other needs a command that not every client has
  CHECK(shown[0]["command"]["arguments"] == parsed(R"([{"uri":"u","kernel":"k","runLine":2}])"));
  InitializeParams able;
  able.commands = {"phobos.tune"};
  CHECK(shown_to(able)[0]["command"]["command"] == "phobos.tune");
}

TEST_CASE("what a run tells, as an answer") {
  const std::string text = "k";
  const LineMap lines(text);
  CHECK(client_json(parsed(R"([{"file": "-", "uri": "stdin:"}, {"file": "x.npy"}])"), text, lines, Encoding::Utf16, "untitled:x") ==
        parsed(R"([{"file": "untitled:x", "uri": "untitled:x"}, {"file": "x.npy"}])"));
  const Json failed = run_result({parsed(R"({"step": 1})"), parsed(R"({"message": "no", "diagnostics": []})")}, {"trace", "u", 3, 1, "", ""});
  CHECK(failed == parsed(R"({"diagnostics": [], "exit": 1, "message": "no", "status": "failed", "steps": [{"step": 1}], "textDocument": {"uri": "u", "version": 3}})"));
  const std::vector<ReportedFinding> spilled = findings_of_report(parsed(R"({"kernel": "k", "resources": {"spill_store_bytes": 8}})"));
  REQUIRE(spilled.size() == 1);
  CHECK_FALSE(spilled[0].range.has_value());  // of the kernel as a whole
}
