#include "text_check.h"

#include <phobos/session/session.h>
#include <phobos/source/utf8.h>

namespace phobos::session {

namespace {

constexpr std::size_t most_invalid = 100;

// UTF-16 text without its mark: mostly ASCII, so that every other byte is NUL.
bool looks_like_utf16(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  std::size_t nuls[2] = {0, 0};
  for (std::size_t i = 0; i < head.size(); ++i)
    if (head[i] == '\0') ++nuls[i % 2];
  const std::size_t pairs = head.size() / 2;
  return (nuls[0] > pairs / 2 && nuls[1] < pairs / 8 + 1) || (nuls[1] > pairs / 2 && nuls[0] < pairs / 8 + 1);
}

}  // namespace

std::optional<diag::Diagnostic> unfit(std::string_view text) {
  using diag::Code;
  if (text.size() > largest_text) return diag::make(Code::FileTooLarge, {}, text.size());
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return diag::make(Code::NotUtf8Text, {{0, 2}, 0}, "UTF-16 text");
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return std::nullopt;
  const auto at = static_cast<std::uint32_t>(nul);
  return diag::make(Code::NotUtf8Text, {{at, at + 1}, 0}, looks_like_utf16(text) ? "UTF-16 text" : "not text: it has a NUL byte");
}

std::vector<diag::Diagnostic> invalid_utf8(std::string_view text) {
  std::vector<diag::Diagnostic> found;
  for (std::size_t at = 0; at < text.size() && found.size() < most_invalid;) {
    if (ascii_block(text, at)) {
      at += 8;
      continue;
    }
    const Character character = decode(text, at);
    const auto begin = static_cast<std::uint32_t>(at);
    at += character.size;
    if (character.valid) continue;
    if (!found.empty() && found.back().location.span.end == begin) ++found.back().location.span.end;
    else found.push_back(diag::make(diag::Code::InvalidUtf8, {{begin, begin + 1}, 0}));
  }
  return found;
}

// What was valid before the edit can only have been broken where the edit cut a character in two.
bool stays_clean(std::string_view text, Span inserted) {
  const auto continues = [&](std::size_t at) { return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u; };
  std::size_t at = inserted.begin;
  if (at > 0) --at;
  while (at > 0 && continues(at)) --at;
  while (at < inserted.end || continues(at)) {
    const Character character = decode(text, at);
    if (!character.valid || character.code == 0) return false;
    at += character.size;
  }
  return true;
}

std::vector<diag::Diagnostic> faults_of_text(std::string_view text) {
  if (std::optional<diag::Diagnostic> why = unfit(text)) return {std::move(*why)};
  return invalid_utf8(text);
}

}  // namespace phobos::session
