#include <phobos/server/lsp/writer.h>

#include <array>
#include <charconv>

#include <phobos/source/utf8.h>

namespace phobos::server::lsp {

namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '\\'; }

void append_escaped(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

}  // namespace

void append_number(std::string& out, std::uint64_t number) {
  if (number < 10) {  // most numbers of tokens
    out += static_cast<char>('0' + number);
    return;
  }
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_escaped(out, text[at++]);
      continue;
    }
    const Character character = decode(text, at);
    if (character.valid) out.append(text, at, character.size);
    else out += "\xef\xbf\xbd";
    at += character.size;
  }
  out += '"';
}

void append_position(std::string& out, Position position) {
  out += "{\"line\":";
  append_number(out, position.line);
  out += ",\"character\":";
  append_number(out, position.column);
  out += '}';
}

void append_range(std::string& out, const Range& range) {
  out += "{\"start\":";
  append_position(out, range.start);
  out += ",\"end\":";
  append_position(out, range.end);
  out += '}';
}

void ItemText::append_position(Position position, Position start) {
  const std::uint32_t line = position.line - start.line;
  text += "{\"line\":";
  holes_.push_back({static_cast<std::uint32_t>(text.size()), line, true});
  text += ",\"character\":";
  if (line == 0) holes_.push_back({static_cast<std::uint32_t>(text.size()), position.column - start.column, false});
  else append_number(text, position.column);
  text += '}';
}

void ItemText::append_range(const Range& range, Position start) {
  text += "{\"start\":";
  append_position(range.start, start);
  text += ",\"end\":";
  append_position(range.end, start);
  text += '}';
}

void ItemText::append_to(std::string& out, Position start) const {
  std::size_t from = 0;
  for (const Hole& hole : holes_) {
    out.append(text, from, hole.at - from);
    from = hole.at;
    append_number(out, (hole.is_line ? start.line : start.column) + hole.value);
  }
  out.append(text, from);
}

}  // namespace phobos::server::lsp
