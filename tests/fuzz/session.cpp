// A client's whole session with the server, in one process: texts are opened, edited by ranges and whole, saved and closed; requests of
// every kind are sent, cancelled, answered. Either the client waits after each step or it sends all at once. After each step the server's
// text is the one that a plain model has, each request is answered once, and whatever is answered is what a fresh look at the
// text gives, in the end for all texts and all that is told of them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/server/handlers/features.h>
#include <phobos/server/lsp/uri.h>

#include "../unit/server/handlers/client.h"
#include "reference_text.h"
#include "typing.h"

namespace {

using namespace phobos;
using namespace phobos::server;
using fuzz::ReferenceText;

constexpr std::array<const char*, 3> uris = {"file:///a%20b.ph", "untitled:b", "file:///C%3A/c.ph"};
constexpr std::array<const char*, 3> encodings = {"utf-8", "utf-16", "utf-32"};
constexpr std::size_t large_text = 52u << 10;  // more than what is looked through between two messages
constexpr int content_modified = -32801, request_cancelled = -32800;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}
void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}
void expect_same(const Json& told, const Json& fresh, const std::string& of) {
  if (told == fresh) return;
  const auto text = [](const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); };
  fail(of + ": told\n" + text(told) + "\nfresh\n" + text(fresh));
}

struct Text {
  ReferenceText model;
  int version;
  Json tokens;            // as the client has them
  std::string tokens_name;
  std::shared_ptr<const session::Snapshot> looked_at;  // of some text that it had
};

class Session {
 public:
  explicit Session(fuzz::Tail tail) : tail_(tail) {}

  void run() {
    std::uint32_t steps = 1 + tail_.take(1) % 24;
    const std::uint32_t how = tail_.take(1);
    waits_ = how % 3 != 0;
    begin(how / 3);
    open(uris[0], fuzz::as_utf8(tail_.rest()));
    for (std::uint32_t i = 0; i < steps; ++i) {
      step();
      if (was_large_) steps = std::min(steps, i + 3);
      if (tail_.take(1) % 4 != 0) save();
      if (waits_) settle();
    }
    settle();
    for (auto& [uri, text] : texts_) check_all(uri, text);
    settle();
    expect(client_.request("shutdown", nullptr).contains("result"), "no answer to shutdown");
    client_.notify("exit", nullptr);
    expect(client_.exit_status() == 0, "an orderly end has another status");
  }

 private:
  // --- what the client says

  void begin(std::uint32_t how) {
    const std::uint32_t encoding = how % 3;
    encoding_ = static_cast<Encoding>(encoding);
    const bool able = how / 3 % 2 == 1;
    pulls_ = how / 6 % 2 == 1;
    Json capabilities = {{"general", {{"positionEncodings", {encodings[encoding]}}}}};
    if (able) {
      capabilities["workspace"]["workspaceEdit"]["documentChanges"] = true;
      capabilities["textDocument"]["completion"]["completionItem"]["snippetSupport"] = true;
      capabilities["textDocument"]["codeAction"]["resolveSupport"]["properties"] = {"edit"};
      capabilities["textDocument"]["definition"]["linkSupport"] = true;
      capabilities["experimental"]["commands"] = {"phobos.run", "phobos.simulate", "phobos.compare", "phobos.tune", "phobos.report"};
    }
    if (pulls_) capabilities["textDocument"]["diagnostic"] = Json::object();
    able_ = lsp::initialize_params({{"capabilities", capabilities}});
    capabilities["textDocument"]["publishDiagnostics"]["versionSupport"] = true;
    client_.initialize(std::move(capabilities));
  }

  const char* some_uri() { return uris[tail_.take(1) % uris.size()]; }

  void open(const std::string& uri, std::string text) {
    client_.open(uri, text, ++version_);
    texts_.insert_or_assign(uri, Text{{std::move(text), encoding_}, version_, nullptr, {}, {}});
  }

  void step() {
    const std::uint32_t what = tail_.take(1);
    const std::string uri = what < 128 ? uris[0] : some_uri();
    const auto found = texts_.find(uri);
    if (found == texts_.end()) return what % 2 == 0 ? open(uri, other_text()) : request(uri, nullptr);
    switch (what % 16) {
      case 0:
        client_.notify("textDocument/didClose", document(uri));
        texts_.erase(found);
        return;
      case 1: return open(uri, other_text());
      case 2: return change_whole(uri, found->second);
      case 3: case 4: case 5: case 6: case 7: return change(uri, found->second);
      case 8: return large(uri, found->second);
      default: return request(uri, &found->second);
    }
  }

  std::string other_text() {
    const std::string& text = texts_.empty() ? empty_ : texts_.begin()->second.model.text();
    const std::size_t from = tail_.take(2) % (text.size() + 1);
    return fuzz::as_utf8(std::string_view(text).substr(from, tail_.take(2)));
  }

  Position near(const ReferenceText& model, std::size_t offset) {
    Position at = model.position_of(offset);
    switch (tail_.take(1)) {
      case 1: at.column += 1; break;  // inside of a character, or of the line's end
      case 2: at.column += 1000; break;
      case 3: at.line += 1000; break;
      case 4: at = {0xffffffffu, 0xffffffffu}; break;
      case 5: at.column = 0x7fffffffu; break;
      default: break;
    }
    return at;
  }

  static Json json_of(Position at) { return {{"line", at.line}, {"character", at.column}}; }

  void change(const std::string& uri, Text& text) {
    Json changes = Json::array();
    for (std::uint32_t left = 1 + tail_.take(1) % 3; left > 0; --left) {
      const Edit edit = fuzz::next_edit(tail_, text.model.text());
      Position start = near(text.model, edit.span.begin), end = near(text.model, edit.span.end);
      if (tail_.take(1) == 7) std::swap(start, end);
      std::string by = fuzz::as_utf8(edit.text);
      text.model.replace(start, end, by);
      changes.push_back({{"range", {{"start", json_of(start)}, {"end", json_of(end)}}}, {"text", std::move(by)}});
    }
    send_changes(uri, text, std::move(changes));
  }

  void change_whole(const std::string& uri, Text& text) {
    std::string by = other_text();
    text.model.replace(by);
    send_changes(uri, text, Json::array({Json{{"text", std::move(by)}}}));
  }

  // So much text that it is analysed beside the messages; once a session, since it takes time.
  void large(const std::string& uri, Text& text) {
    const std::string& one = text.model.text();
    if (was_large_ || one.size() < 16) return change(uri, text);
    was_large_ = true;
    std::string many;
    while (many.size() <= large_text) many += one;
    text.model.replace(many);
    send_changes(uri, text, Json::array({Json{{"text", std::move(many)}}}));
  }

  void send_changes(const std::string& uri, Text& text, Json changes) {
    text.version = ++version_;
    client_.change(uri, text.version, std::move(changes));
  }

  void save() {
    for (const auto& [uri, text] : texts_) client_.notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}, {"text", text.model.text()}});
  }

  Json params_at(const std::string& uri, const Text* text) {
    Position start{tail_.take(1), tail_.take(1)}, end{};
    if (text != nullptr) {
      const std::size_t size = text->model.text().size() + 1, from = tail_.take(2) % size;
      start = near(text->model, from);
      end = near(text->model, std::min(size - 1, from + tail_.take(1)));
    }
    return {{"textDocument", {{"uri", uri}}}, {"position", json_of(start)}, {"positions", {json_of(start), json_of(end)}},
            {"range", {{"start", json_of(start)}, {"end", json_of(end)}}}, {"context", {{"includeDeclaration", true}, {"diagnostics", Json::array()}}},
            {"newName", "renamed"}, {"ch", "\n"}, {"options", {{"tabSize", 2}, {"insertSpaces", true}}}, {"query", "k"},
            {"previousResultId", text == nullptr ? std::string() : text->tokens_name}};
  }

  void request(const std::string& uri, Text* text) {
    const std::uint32_t which = tail_.take(1) % (features().size() + 3);
    if (which >= features().size()) {
      constexpr std::array<const char*, 3> others = {"workspace/symbol", "phobos/explain", "textDocument/diagnostic"};
      return ask(others[which - features().size()], params_at(uri, text), nullptr, text);
    }
    const Feature& feature = features()[which];
    if (feature.of == Feature::Of::Item) return;  // asked of what the others give
    ask(std::string(feature.method), params_at(uri, text), &feature, text);
  }

  // --- what it is told

  struct Asked {
    int id;
    std::string method;
    bool cancelled;
  };

  void ask(const std::string& method, Json params, const Feature* feature, Text* text) {
    const int id = next_id_++;
    const bool cancels = tail_.take(1) % 8 == 1;
    client_.send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
    if (cancels) client_.notify("$/cancelRequest", {{"id", id}});
    if (!waits_ || cancels) {
      asked_.push_back({id, method, cancels});
      return;
    }
    const Json reply = client_.reply_to(id);
    check_reply(reply, {id, method, false});
    if (feature != nullptr && text != nullptr) compare(*feature, params, reply, *text);
  }

  void check_reply(const Json& reply, const Asked& asked) {
    expect(!reply.is_null(), asked.method + " was not answered");
    if (reply.contains("result")) return;
    const int code = reply["error"]["code"];
    const bool refused = code == static_cast<int>(lsp::ErrorCode::RequestFailed);
    expect(refused || (code == content_modified && !waits_) || (code == request_cancelled && asked.cancelled), asked.method + ": " + reply.dump());
  }

  // A look at the text that knows nothing of what was before it.
  static const session::Snapshot& look_at(Text& text) {
    if (!text.looked_at || text.looked_at->text() != text.model.text()) text.looked_at = session::Session(text.model.text()).snapshot();
    return *text.looked_at;
  }

  Json fresh(const Feature& feature, const Json& params, const std::string& uri, Text& text) {
    const server::Asked asked{look_at(text), {uri, text.version}, able_, {}};
    try {
      return {{"result", feature.answer(asked, params)}};
    } catch (const lsp::RequestFailed& error) {
      return {{"error", {{"code", static_cast<int>(error.code)}, {"message", error.what()}}}};
    } catch (const lsp::InvalidParams& error) {
      return {{"error", {{"code", static_cast<int>(lsp::ErrorCode::InvalidParams)}, {"message", error.what()}}}};
    }
  }

  void compare(const Feature& feature, const Json& params, Json reply, Text& text) {
    const std::string uri = params["textDocument"]["uri"];
    const std::string method(feature.method);
    if (method.starts_with("textDocument/semanticTokens/full")) {
      const Feature& all = *find_feature("textDocument/semanticTokens/full");
      take_tokens(reply["result"], text);
      if (!remembers(method, text)) expect_same(text.tokens, fresh(all, params, uri, text)["result"]["data"], method);
      if (method == all.method) return;
      // What changed leads to what all is.
      const Json whole = client_.request(std::string(all.method), params);
      expect(whole.contains("result"), "no tokens: " + whole.dump());
      expect_same(text.tokens, whole["result"]["data"], method);
      return take_tokens(whole["result"], text);
    }
    if (!remembers(method, text)) {
      reply.erase("id");
      reply.erase("jsonrpc");
      expect_same(reply, fresh(feature, params, uri, text), method);
    }
    if (reply.contains("result")) resolve(method, reply["result"], uri, text);
  }

  // Of what is broken some features tell what was known before that, which a fresh look cannot know.
  static bool remembers(std::string_view method, Text& text) {
    constexpr std::array<std::string_view, 4> some = {"textDocument/hover", "textDocument/inlayHint", "inlayHint/resolve", "textDocument/codeLens"};
    if (!method.starts_with("textDocument/semanticTokens/") && std::find(some.begin(), some.end(), method) == some.end()) return false;
    const std::vector<session::ItemView>& items = look_at(text).items();
    return std::any_of(items.begin(), items.end(), [](const session::ItemView& each) { return !each.checked().ok(); });
  }

  static void take_tokens(const Json& result, Text& text) {
    if (result.contains("edits")) {
      for (const Json& edit : result["edits"]) {
        const std::size_t start = edit["start"], removed = edit["deleteCount"];
        expect(start + removed <= text.tokens.size(), "an edit of tokens that are not there");
        const auto at = text.tokens.begin() + static_cast<std::ptrdiff_t>(start);
        Json tokens(text.tokens.begin(), at);
        if (tokens.is_null()) tokens = Json::array();
        tokens.insert(tokens.end(), edit["data"].begin(), edit["data"].end());
        tokens.insert(tokens.end(), at + static_cast<std::ptrdiff_t>(removed), text.tokens.end());
        text.tokens = std::move(tokens);
      }
    } else {
      text.tokens = result["data"];
    }
    text.tokens_name = result.value("resultId", "");
  }

  // What was offered comes back for the rest.
  void resolve(const std::string& method, const Json& result, const std::string& uri, Text& text) {
    const Json& items = result.is_object() && result.contains("items") ? result["items"] : result;
    if (!items.is_array() || items.empty()) return;
    const Json& item = items[tail_.take(1) % items.size()];
    if (method == "textDocument/codeAction" && !item.contains("data")) return;  // it is whole
    const auto then = [&](const char* next, const Json& params) {
      const int id = next_id_++;
      client_.send({{"jsonrpc", "2.0"}, {"id", id}, {"method", next}, {"params", params}});
      Json reply = client_.reply_to(id);
      expect(!reply.is_null(), std::string(next) + " was not answered");
      if (remembers(next, text)) return;
      reply.erase("id");
      reply.erase("jsonrpc");
      expect_same(reply, fresh(*find_feature(next), params, uri, text), next);
    };
    if (method == "textDocument/completion") then("completionItem/resolve", item);
    if (method == "textDocument/inlayHint") then("inlayHint/resolve", item);
    if (method == "textDocument/codeAction") then("codeAction/resolve", item);
    if (method == "textDocument/prepareCallHierarchy") {
      then("callHierarchy/incomingCalls", {{"item", item}});
      then("callHierarchy/outgoingCalls", {{"item", item}});
    }
  }

  // Until all that was sent is done; then nothing of what was said before is wrong.
  void settle() {
    for (const Asked& each : asked_) check_reply(client_.reply_to(each.id), each);
    asked_.clear();
    expect(client_.request("phobos/status", nullptr).contains("result"), "no answer to a question of the status");
    for (const Json& message : client_.kept()) {
      const std::string method = message.value("method", "");
      expect(!message.contains("id") || !method.empty(), "answered twice: " + message.dump());
      expect(method != "window/showMessage", "a message in the way: " + message.dump());
      if (method == "window/logMessage") {
        const std::string said = message["params"]["message"];
        expect(said.find("come apart") == std::string::npos, "the texts came apart");
        expect(said.find("failed") == std::string::npos, said);
      }
    }
  }

  void check_all(const std::string& uri, Text& text) {
    send_changes(uri, text, Json::array());
    client_.notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}, {"text", text.model.text()}});
    const session::Snapshot& snapshot = look_at(text);
    const lsp::Border border(snapshot.text(), snapshot.lines(), encoding_);
    const Json known = lsp::live_diagnostics(uri, snapshot.diagnostics(), border);
    if (pulls_) {
      const Json reply = client_.request("textDocument/diagnostic", document(uri));
      expect_same(reply["result"]["items"], known, "pulled diagnostics");
    } else {
      expect_same(client_.diagnostics(uri, text.version), known, "diagnostics");
    }
    const Json params = params_at(uri, &text);
    // Some, since all would take too long; of a large text fewer.
    const std::size_t step = text.model.text().size() > large_text ? 7 : 3;
    for (std::size_t i = tail_.take(1) % step; i < features().size(); i += step) {
      const Feature& feature = features()[i];
      if (feature.of == Feature::Of::Item) continue;
      const Json reply = client_.request(std::string(feature.method), params);
      check_reply(reply, {0, std::string(feature.method), false});
      compare(feature, params, reply, text);
    }
  }

  fuzz::Tail tail_;
  const std::string empty_;
  bool waits_ = true, pulls_ = false, was_large_ = false;
  Encoding encoding_ = Encoding::Utf16;
  lsp::InitializeParams able_;
  std::map<std::string, Text> texts_;
  std::vector<Asked> asked_;
  int version_ = 0, next_id_ = 100000;
  Client client_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 6000) return 0;
  Session(phobos::fuzz::Tail(std::string_view(reinterpret_cast<const char*>(data), size))).run();
  return 0;
}
