#include <phobos/server/lsp/recording.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include <phobos/builtins/builtins.h>
#include <phobos/server/lsp/uri.h>

namespace phobos::server::lsp {

namespace {

constexpr std::string_view words[] = {
    "kernel", "fn", "let", "var", "if", "else", "for", "in", "while", "return", "break", "continue", "and", "or", "not", "true", "false",
    "tensor", "tile", "run", "index", "bool", "ctx", "lane", "warp", "thread", "block", "grid", "warps", "lanes", "threads", "launch",
    "autotune", "tensorcore", "align", "assume", "expect", "error", "warning", "print", "zeros", "ones", "iota", "randn", "uniform", "full"};

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_of_the_language(std::string_view word) {
  if (std::find(std::begin(words), std::end(words), word) != std::end(words)) return true;
  if (word.size() > 1 && (word[0] == 'f' || word[0] == 'i' || word[0] == 'u') && std::all_of(word.begin() + 1, word.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
    return true;
  return word == "bf16" || builtins::find(word).has_value();
}

std::string other_word(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string other;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(word[i])) != 0 && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    other += digit ? word[i] : static_cast<char>('a' + hash % 26);
    hash = hash / 26 + 0x9e3779b97f4a7c15u * (i + 1);
  }
  return other;
}

}  // namespace

std::string Redactor::text(std::string_view source) {
  std::string result;
  for (std::size_t i = 0; i < source.size();) {
    std::size_t end = i;
    while (end < source.size() && is_word_letter(source[end])) ++end;
    if (end == i) {
      // What is no ASCII keeps its length in every encoding: the letters of its lead and continuation bytes become those of another.
      const auto byte = static_cast<unsigned char>(source[i]);
      result += byte >= 0x80 && byte < 0xc0 ? static_cast<char>(0x80 | (byte & 0x30)) : source[i];
      ++i;
      continue;
    }
    const std::string_view word = source.substr(i, end - i);
    result += word.size() < 3 || is_of_the_language(word) ? std::string(word) : other_word(word);
    i = end;
  }
  return result;
}

std::string Redactor::uri(const std::string& given) {
  const auto [at, fresh] = uris_.try_emplace(identity_of(given));
  if (fresh) at->second = fmt::format("{}:///redacted/{}.ph", scheme_of(given).empty() ? "file" : scheme_of(given), uris_.size());
  return at->second;
}

Json Redactor::walk(const std::string& key, const Json& value) {
  if (value.is_string()) {
    const std::string& given = value.get_ref<const std::string&>();
    if (key == "uri" || key == "rootUri" || key == "scopeUri" || key == "targetUri") return uri(given);
    for (const char* kept : {"jsonrpc", "method", "languageId", "id", "kind", "only", "value", "triggerCharacter", "positionEncodings", "token", "command"})
      if (key == kept) return value;
    return text(given);
  }
  if (key == "processId") return nullptr;
  if (key == "capabilities" || !value.is_structured()) return value;
  Json result = value.is_array() ? Json::array() : Json::object();
  if (value.is_array())
    for (const Json& each : value) result.push_back(walk(key, each));
  else
    for (const auto& [name, each] : value.items()) result[name] = walk(name, each);
  return result;
}

Json Redactor::redacted(const Json& message) { return walk("", message); }

Json recorded_message(std::string_view line) {
  Json message = Json::parse(line, nullptr, false, false);
  return message.is_object() ? message : Json(nullptr);
}

std::string recorded_line(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace phobos::server::lsp
