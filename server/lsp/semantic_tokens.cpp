#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

void append_numbers(std::string& out, const std::vector<std::uint32_t>& data) {
  out.reserve(out.size() + data.size() * 3);
  out += '[';
  const std::size_t begin = out.size();
  for (const std::uint32_t number : data) {
    append_comma(out, begin);
    append_number(out, number);
  }
  out += ']';
}

}  // namespace

void append_tokens(std::string& out, const std::vector<std::uint32_t>& data, const std::string& name) {
  out += "{\"data\":";
  append_numbers(out, data);
  if (!name.empty()) {
    out += ",\"resultId\":";
    append_string(out, name);
  }
  out += '}';
}

void append_token_edit(std::string& out, std::size_t begin, std::size_t removed, const std::vector<std::uint32_t>& data, const std::string& name) {
  out += "{\"edits\":[";
  if (removed != 0 || !data.empty()) {
    out += "{\"start\":";
    append_number(out, begin);
    out += ",\"deleteCount\":";
    append_number(out, removed);
    out += ",\"data\":";
    append_numbers(out, data);
    out += '}';
  }
  out += "],\"resultId\":";
  append_string(out, name);
  out += '}';
}

}  // namespace phobos::server::lsp
