// JSON-RPC messages, and reading values out of what a client sent. All that the server knows of JSON is in this folder: the
// handlers see typed parameters and results, and pass `Json` on without looking into it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace phobos::server::lsp {

using Json = nlohmann::json;

enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ContentModified = -32801,
  RequestCancelled = -32800,
};

// Thrown while parameters are read, and by handlers that find them wrong.
struct InvalidParams : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Thrown by handlers: the request was right and cannot be met; the words are for the user.
struct RequestFailed : std::runtime_error {
  explicit RequestFailed(const std::string& message) : RequestFailed(ErrorCode::RequestFailed, message) {}
  RequestFailed(ErrorCode code_, const std::string& message) : std::runtime_error(message), code(code_) {}
  ErrorCode code;
};

struct Message {
  enum class Form { Request, Notification, Response, Bad };
  Form form = Form::Bad;
  Json id;             // of a request or response; of a bad one as far as it could be read
  std::string method;  // of a request or notification
  Json params;                                  // of a response: its result, or its error
  bool failed = false;                          // a response that is an error
  ErrorCode error = ErrorCode::InvalidRequest;  // of a bad one
  std::string reason;
};
// Never throws; what is no message is Bad.
Message parse_message(std::string_view body);

std::string reply(const Json& id, Json result);
// A reply whose result is appended as text, and then closed by `end_reply`.
std::string begin_reply(const Json& id);
void end_reply(std::string& reply);
std::string text_of(const Json& json);
std::string error_reply(const Json& id, ErrorCode code, std::string_view message);
std::string notification(std::string_view method, Json params);
std::string request(const Json& id, std::string_view method, Json params);

// What an error of the client's says.
std::string error_text(const Json& error);

// Readers that throw InvalidParams and say what is missing.
const Json& member(const Json& object, const char* key);
const Json* find(const Json& object, const char* key);  // null where there is none, or no object
std::string string_at(const Json& object, const char* key);
std::uint32_t uint_at(const Json& object, const char* key);  // a whole number from 0; clamped to 32 bits

}  // namespace phobos::server::lsp
