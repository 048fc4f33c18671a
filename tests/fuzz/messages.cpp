// The body of a message, and a URI: whatever they hold, they are read or refused, and what is answered is JSON.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include <phobos/server/lsp/recording.h>
#include <phobos/server/lsp/run.h>
#include <phobos/server/lsp/settings.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

namespace {

using namespace phobos::server::lsp;

template <class Read>
void read(const Json& params, Read reader) {
  try {
    reader(params);
  } catch (const InvalidParams& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
}

void expect_json(const std::string& text) {
  if (!Json::accept(text)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Message message = parse_message(bytes);
  if (message.form == Message::Form::Bad && message.reason.empty()) std::abort();
  expect_json(error_reply(message.id, ErrorCode::InvalidRequest, bytes));
  expect_json(reply(message.id, Json(std::string(bytes))));
  for (const Json& params : {message.params, Json(std::string(bytes))}) {
    read(params, [](const Json& given) { initialize_params(given); });
    read(params, [](const Json& given) { open_params(given); });
    read(params, [](const Json& given) { change_params(given); });
    read(params, [](const Json& given) { position_params(given); });
    read(params, [](const Json& given) { code_action_params(given); });
    read(params, [](const Json& given) { previous_result_ids(given); });
    read(params, [](const Json& given) { folder_change(given); });
    read(params, [](const Json& given) { run_params("run", given); });
    read(params, [](const Json& given) { command_of(given); });
    Settings(params).text("run.device", "");
  }
  // The same document, however often it is read.
  const std::string identity = identity_of(bytes);
  if (identity_of(identity) != identity) std::abort();
  if (const auto path = path_of_uri(bytes); path && path_of_uri(uri_of_path(*path)) != path) std::abort();
  Redactor redactor;
  if (redactor.text(bytes).size() != bytes.size()) std::abort();
  return 0;
}
