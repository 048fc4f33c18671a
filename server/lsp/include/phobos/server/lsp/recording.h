// A session on paper: what a client sent, a message a line, for whoever wants to see again what went wrong. Unless asked otherwise it
// holds none of the user's words: names, texts and paths are replaced by others of the same length, each always by the same.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <phobos/server/lsp/json.h>

namespace phobos::server::lsp {

class Redactor {
 public:
  Json redacted(const Json& message);
  // Words of the language stay, and so do one and two letters; so the text keeps its shape, and most of its meaning.
  std::string text(std::string_view source);

 private:
  Json walk(const std::string& key, const Json& value);
  std::string uri(const std::string& given);
  std::map<std::string, std::string> uris_;
};

// One line of a recording; null where it is none.
Json recorded_message(std::string_view line);
std::string recorded_line(const Json& message);

}  // namespace phobos::server::lsp
