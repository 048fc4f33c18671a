#include <phobos/server/transport/framing.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace phobos::server {

namespace {

constexpr std::string_view length_field = "content-length";
constexpr std::uint64_t largest_skip = 1u << 30;  // a length beyond this is a lie, not a body

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool same(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(), [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool is_field_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  const std::size_t skipped = static_cast<std::size_t>(std::min<std::uint64_t>(skipped_, bytes.size()));
  skipped_ -= skipped;
  buffer_ += bytes.substr(skipped);
}

void FrameReader::drop(std::size_t bytes) {
  position_ += bytes;
  if (position_ == buffer_.size()) buffer_.clear(), position_ = 0;
  else if (position_ > buffer_.size() / 2) buffer_.erase(0, position_), position_ = 0;
}

Frame FrameReader::lost(std::size_t bytes, std::string reason) {
  drop(bytes);
  lost_ = true;
  return Malformed{std::move(reason)};
}

bool FrameReader::find_next_header() {
  const std::string_view bytes = rest();
  const auto found = std::search(bytes.begin(), bytes.end(), length_field.begin(), length_field.end(),
                                 [](char a, char b) { return lower(a) == b; });
  if (found == bytes.end()) {  // the field's beginning may be there already
    drop(bytes.size() - std::min(bytes.size(), length_field.size() - 1));
    return false;
  }
  drop(static_cast<std::size_t>(found - bytes.begin()));
  lost_ = false;
  return true;
}

std::optional<Frame> FrameReader::next() {
  if (lost_ && !find_next_header()) return std::nullopt;
  if (!length_) {
    if (auto problem = read_header()) return problem;
    if (!length_) return std::nullopt;
  }
  if (rest().size() < *length_) return std::nullopt;
  Body body{std::string(rest().substr(0, *length_))};
  drop(*length_);
  length_.reset();
  return body;
}

// Sets the length once the whole header is there. Other fields are of no interest, in whatever order they come.
std::optional<Frame> FrameReader::read_header() {
  const std::string_view bytes = rest();
  std::optional<std::uint64_t> length;
  bool any_field = false;
  for (std::size_t at = 0;;) {
    const std::size_t end = bytes.find('\n', at);
    if (std::min(end, bytes.size()) > largest_header) return lost(largest_header, "the header is too long");
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = bytes.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at = end + 1;
    if (line.empty() && !any_field) continue;  // stray empty lines between messages
    if (line.empty()) {
      if (!length) return lost(at, "the header has no Content-Length");
      drop(at);
      break;
    }
    any_field = true;
    const std::size_t colon = line.find(':');
    const std::string_view name = trimmed(line.substr(0, colon));
    if (colon == std::string_view::npos || !is_field_name(name)) return lost(at, "a line of the header is no field");
    if (!same(name, length_field)) continue;
    length = number(trimmed(line.substr(colon + 1)));
    if (!length || *length > largest_skip) return lost(at, "the Content-Length is no length");
  }
  if (*length > largest_body) {
    const std::size_t here = std::min<std::size_t>(rest().size(), *length);
    skipped_ = *length - here;
    drop(here);
    return Malformed{"the message is too large"};
  }
  length_ = static_cast<std::size_t>(*length);
  return std::nullopt;
}

std::string frame_head(std::size_t size) { return "Content-Length: " + std::to_string(size) + "\r\n\r\n"; }

std::string framed(std::string_view body) { return frame_head(body.size()).append(body); }

}  // namespace phobos::server
