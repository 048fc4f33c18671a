#include "every_feature.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>

#include <fmt/format.h>

#include <phobos/server/handlers/features.h>
#include <phobos/syntax/lexer.h>

namespace phobos::cli {

namespace {

using Json = server::lsp::Json;
using server::Feature;
using Of = Feature::Of;

constexpr std::size_t most_faults = 20;
constexpr std::size_t most_of_whole = 500;  // places at which a feature is asked that goes through the whole text each time
constexpr std::size_t most_resolved = 3;  // of one answer, the first of them

// Each token of the text once, and the ends of it.
std::vector<Span> places_of(const std::string& text) {
  std::vector<diag::Diagnostic> told;
  std::vector<Span> places{{0, 0}};
  for (const syntax::Lexeme& token : syntax::lex(text, told)) places.push_back(token.span());
  for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at + 2)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    places.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    for (std::size_t word = text.find_first_of(" =", at); word < end; word = text.find_first_of(" =", word + 1))
      places.push_back({static_cast<std::uint32_t>(word + 1), static_cast<std::uint32_t>(word + 1)});
    at = end;
  }
  return places;
}

class Asker {
 public:
  explicit Asker(const Source& source) : snapshot_(*source.snapshot), client_(server::lsp::able_client()), name_(source.name()) {}

  EveryFeature run() {
    const std::vector<Span> places = places_of(snapshot_.text());
    for (const Feature& feature : server::features()) {
      if (feature.of == Of::Item) continue;
      if (feature.of == Of::Document) {
        ask(feature, {0, 0});
        continue;
      }
      const std::size_t step = feature.lane == server::Lane::Whole ? places.size() / most_of_whole + 1 : 1;
      for (std::size_t i = 0; i < places.size(); i += step) ask(feature, feature.of == Of::Range ? places[i] : Span{places[i].begin, places[i].begin});
      if (feature.of == Of::Range) ask(feature, {0, static_cast<std::uint32_t>(snapshot_.text().size())});
    }
    return std::move(result_);
  }

 private:
  FeatureReport& report_of(std::string_view method) {
    for (FeatureReport& each : result_.features)
      if (each.method == method) return each;
    FeatureReport& fresh = result_.features.emplace_back();
    fresh.method = method;
    return fresh;
  }

  std::string shown(Span place) const {
    const Position at = snapshot_.lines().position(snapshot_.text(), place.begin, Encoding::Utf32);
    return fmt::format("{}:{}", at.line + 1, at.column + 1);
  }

  void fault(std::string_view method, Span place, std::string_view what) {
    if (result_.faults.size() < most_faults) result_.faults.push_back(fmt::format("{}:{}: {}: {}", name_, shown(place), method, what));
  }

  void ask(const Feature& feature, Span place) {
    const server::Asked asked{snapshot_, {"file:///every.ph", std::nullopt}, client_, {}};
    Json params = server::params_of(feature, asked, place);
    params["context"] = {{"includeDeclaration", true}, {"diagnostics", Json::array()}};
    params["newName"] = "renamed_here";
    for (const char* typed : {"\n", "}"}) {
      if (typed[0] == '}' && feature.method != "textDocument/onTypeFormatting") break;
      params["ch"] = typed;
      if (const auto answer = answer_of(feature, params, place)) resolve(feature, *answer, place);
    }
  }

  std::optional<Json> answer_of(const Feature& feature, const Json& params, Span place) {
    using Clock = std::chrono::steady_clock;
    const server::Asked asked{snapshot_, {"file:///every.ph", std::nullopt}, client_, {}};
    FeatureReport& report = report_of(feature.method);
    ++report.asked;
    const Clock::time_point start = Clock::now();
    std::optional<Json> answer;
    try {
      answer = feature.answer(asked, params);
    } catch (const server::lsp::RequestFailed&) {  // a refusal in words is an answer
    } catch (const std::exception& error) {
      fault(feature.method, place, error.what());
    }
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    report.total_ms += ms;
    if (ms > report.slowest_ms) {
      report.slowest_ms = ms;
      report.slowest_at = shown(place);
    }
    if (!answer) return std::nullopt;
    report.answered += !answer->is_null() && !(answer->is_array() && answer->empty());
    if (const std::string wrong = wrong_place(*answer); !wrong.empty()) fault(feature.method, place, wrong);
    return answer;
  }

  // The answers that are asked about again.
  void resolve(const Feature& feature, const Json& answer, Span place) {
    const auto again = [&](std::string_view method, const Json& items, bool in_params) {
      const Feature* next = server::find_feature(method);
      if (next == nullptr || !items.is_array()) return;
      for (std::size_t i = 0; i < std::min(items.size(), most_resolved); ++i) answer_of(*next, in_params ? Json{{"item", items[i]}} : items[i], place);
    };
    if (feature.method == "textDocument/completion") again("completionItem/resolve", answer["items"], false);
    if (feature.method == "textDocument/inlayHint") again("inlayHint/resolve", answer, false);
    if (feature.method == "textDocument/codeAction") again("codeAction/resolve", answer, false);
    if (feature.method == "textDocument/prepareCallHierarchy")
      for (const char* method : {"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"}) again(method, answer, true);
  }

  // A place outside of the text, anywhere in an answer.
  std::string wrong_place(const Json& value) const {
    if (value.is_object() && value.contains("line") && value.contains("character")) {
      const Position at{value["line"].get<std::uint32_t>(), value["character"].get<std::uint32_t>()};
      const std::uint32_t offset = snapshot_.lines().offset(snapshot_.text(), at, client_.encoding);
      if (snapshot_.lines().position(snapshot_.text(), offset, client_.encoding) != at) return fmt::format("{}:{} is no place of the text", at.line, at.column);
    }
    if (value.is_object() && value.contains("start") && value.contains("end")) {
      const auto place = [&](const char* end) { return std::pair(value[end]["line"].get<std::uint32_t>(), value[end]["character"].get<std::uint32_t>()); };
      if (value["start"].is_object() && place("end") < place("start")) return "a range ends before it begins";
    }
    if (!value.is_structured()) return {};
    for (const Json& each : value)
      if (std::string wrong = wrong_place(each); !wrong.empty()) return wrong;
    return {};
  }

  const session::Snapshot& snapshot_;
  const server::lsp::InitializeParams client_;
  std::string name_;
  EveryFeature result_;
};

}  // namespace

EveryFeature ask_every_feature(const Source& source) {
  return Asker(source).run();
}

}  // namespace phobos::cli
