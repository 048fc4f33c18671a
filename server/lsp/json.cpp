#include <phobos/server/lsp/json.h>

#include <algorithm>
#include <limits>

namespace phobos::server::lsp {

namespace {

Message bad(ErrorCode error, std::string reason, Json id = nullptr) {
  return {Message::Form::Bad, std::move(id), {}, {}, false, error, std::move(reason)};
}

}  // namespace

// Text of ours can hold bytes of a file that are no UTF-8; a reply may not.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Message parse_message(std::string_view body) {
  Json document;
  try {
    document = Json::parse(body);
  } catch (const Json::exception& error) {
    return bad(ErrorCode::ParseError, "the message is not valid JSON");
  }
  if (!document.is_object()) return bad(ErrorCode::InvalidRequest, "a message is an object");
  Message message;
  const auto id = document.find("id");
  const bool has_id = id != document.end();
  if (has_id) {
    const bool fit = id->is_string() || id->is_number_integer() || id->is_null();
    if (!fit) return bad(ErrorCode::InvalidRequest, "an id is a number or a string");
    message.id = std::move(*id);
  }
  const auto method = document.find("method");
  if (method == document.end()) {
    if (!has_id) return bad(ErrorCode::InvalidRequest, "a message has a method or an id");
    message.form = Message::Form::Response;
    if (const auto error = document.find("error"); error != document.end()) message.failed = true, message.params = std::move(*error);
    else if (const auto result = document.find("result"); result != document.end()) message.params = std::move(*result);
    return message;
  }
  if (!method->is_string()) return bad(ErrorCode::InvalidRequest, "a method is a string", message.id);
  message.method = method->get<std::string>();
  message.form = has_id ? Message::Form::Request : Message::Form::Notification;
  if (const auto params = document.find("params"); params != document.end()) message.params = std::move(*params);
  return message;
}

std::string begin_reply(const Json& id) { return R"({"jsonrpc":"2.0","id":)" + text_of(id) + R"(,"result":)"; }

void end_reply(std::string& reply) { reply += '}'; }

std::string reply(const Json& id, Json result) {
  std::string text = begin_reply(id) + text_of(result);
  end_reply(text);
  return text;
}

std::string error_reply(const Json& id, ErrorCode code, std::string_view message) {
  return text_of({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}});
}

std::string notification(std::string_view method, Json params) {
  return text_of({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string request(const Json& id, std::string_view method, Json params) {
  return text_of({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

std::string error_text(const Json& error) {
  const Json* message = find(error, "message");
  return message != nullptr && message->is_string() ? message->get<std::string>() : text_of(error);
}

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& member(const Json& object, const char* key) {
  const Json* found = find(object, key);
  if (found == nullptr) throw InvalidParams(std::string("`") + key + "` is missing");
  return *found;
}

std::string string_at(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw InvalidParams(std::string("`") + key + "` is not a string");
  return value.get<std::string>();
}

std::uint32_t uint_at(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number_unsigned()) throw InvalidParams(std::string("`") + key + "` is not a whole number from 0");
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value.get<std::uint64_t>(), std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace phobos::server::lsp
