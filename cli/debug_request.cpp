#include "debug_request.h"

#include <algorithm>

#include <fmt/format.h>

#include <phobos/server/lsp/uri.h>
#include <phobos/support/number.h>

namespace phobos::cli {
namespace {

constexpr std::int64_t most_steps = 1'000'000;

const Json* field(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? &*found : nullptr;
}

std::string path_of(const std::string& name) { return server::lsp::path_of_uri(name).value_or(name); }

}  // namespace

std::string text_in(const Json& object, const char* key) {
  const Json* found = field(object, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t integer_in(const Json& object, const char* key, std::int64_t otherwise) {
  const Json* found = field(object, key);
  return found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

bool flag_in(const Json& object, const char* key, bool otherwise) {
  const Json* found = field(object, key);
  return found != nullptr && found->is_boolean() ? found->get<bool>() : otherwise;
}

Json object_in(const Json& object, const char* key) {
  const Json* found = field(object, key);
  return found != nullptr && found->is_object() ? *found : Json::object();
}

Json list_in(const Json& object, const char* key) {
  const Json* found = field(object, key);
  return found != nullptr && found->is_array() ? *found : Json::array();
}

Result<DebugRequest> debug_request(const Json& arguments) {
  DebugRequest request;
  request.program = text_in(arguments, "program");
  if (request.program.empty()) return Error{"`program` is missing: the .ph file whose kernel is stepped through"};
  if (field(arguments, "text") != nullptr) request.text = text_in(arguments, "text");
  request.folder = text_in(arguments, "cwd");
  request.recording.kernel = text_in(arguments, "kernel");
  request.recording.grid = text_in(arguments, "grid");
  request.recording.block = text_in(arguments, "block");
  request.recording.run_line = static_cast<std::size_t>(std::max<std::int64_t>(0, integer_in(arguments, "runLine", 0)));
  request.recording.steps = std::clamp<std::int64_t>(integer_in(arguments, "steps", 10'000), 1, most_steps);
  for (const Json& word : list_in(arguments, "arguments")) {
    if (!word.is_string() || word.get_ref<const std::string&>().starts_with('-')) return Error{"`arguments` has texts as `N=4`"};
    request.recording.words.push_back(word.get<std::string>());
  }
  request.stop_on_entry = flag_in(arguments, "stopOnEntry", true);
  if (const std::int64_t thread = integer_in(arguments, "thread", -1); thread >= 0) request.thread = static_cast<int>(std::min<std::int64_t>(thread, 1 << 20));
  return request;
}

Result<Source> open(const DebugRequest& request) {
  std::error_code fault;
  if (!request.folder.empty()) std::filesystem::current_path(request.folder, fault);
  if (fault) return Error{fmt::format("{}: {}", request.folder, fault.message())};
  const std::string path = path_of(request.program);
  if (!request.text) return open_source(path);
  return Source{path, session::Session(*request.text).snapshot()};
}

bool same_file(const std::string& one, const std::string& other) {
  const std::string a = path_of(one), b = path_of(other);
  std::error_code fault;
  return a == b || std::filesystem::equivalent(a, b, fault);
}

std::optional<HitCondition> hit_condition(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return std::nullopt;
  HitCondition condition;
  std::string_view rest = std::string_view(text).substr(begin);
  for (const char* sign : {">=", "<=", "==", ">", "<", "%"})
    if (rest.starts_with(sign)) {
      condition.sign = sign;
      rest.remove_prefix(condition.sign.size());
      break;
    }
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  const std::optional<std::int64_t> number = parse_integer(rest);
  if (!number || *number < 0 || (condition.sign == "%" && *number == 0)) return std::nullopt;
  condition.number = *number;
  return condition;
}

bool holds(const HitCondition& condition, std::int64_t hit) {
  if (condition.sign == ">=" || condition.sign.empty()) return condition.sign.empty() ? hit == condition.number : hit >= condition.number;
  if (condition.sign == "<=") return hit <= condition.number;
  if (condition.sign == "==") return hit == condition.number;
  if (condition.sign == ">") return hit > condition.number;
  if (condition.sign == "<") return hit < condition.number;
  return hit % condition.number == 0;
}

}  // namespace phobos::cli
