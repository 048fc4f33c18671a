// What a client that pulls diagnostics has already.
#pragma once

#include <map>
#include <string>

#include <phobos/server/lsp/json.h>

namespace phobos::server::lsp {

// By identity, how the client spells the documents of which it has a result.
std::map<std::string, std::string> previous_uris(const Json& params);

}  // namespace phobos::server::lsp
