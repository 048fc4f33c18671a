#include "names.h"

#include <algorithm>

#include <fmt/format.h>

namespace phobos::ir {
namespace {

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_word(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  return out + '"';
}

std::string quote_unless_word(std::string_view text) { return is_word(text) ? std::string(text) : quote(text); }

std::string Namer::next(std::string_view name) {
  if (name.empty()) return fmt::format("%{}", unnamed_++);
  const int count = seen_[std::string(name)]++;
  return count == 0 ? fmt::format("%{}", quote_unless_word(name)) : fmt::format("%{}.{}", quote_unless_word(name), count);
}

}  // namespace phobos::ir
