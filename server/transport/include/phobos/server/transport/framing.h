// The base protocol: messages as `Content-Length: n`, an empty line and n bytes. Bytes go in as they come, messages come out;
// this knows nothing of where the bytes are from.
//
// What cannot be a message is reported once, and reading goes on at the next header that can be recognised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace phobos::server {

struct Body {
  std::string text;
};
struct Malformed {
  std::string reason;
};
using Frame = std::variant<Body, Malformed>;

class FrameReader {
 public:
  static constexpr std::size_t largest_header = 8u << 10;
  static constexpr std::size_t largest_body = 64u << 20;

  void feed(std::string_view bytes);
  // The next whole frame of what was fed; none when more bytes are needed.
  std::optional<Frame> next();

 private:
  std::string_view rest() const { return std::string_view(buffer_).substr(position_); }
  void drop(std::size_t bytes);
  bool find_next_header();
  std::optional<Frame> read_header();
  Frame lost(std::size_t bytes, std::string reason);

  std::string buffer_;
  std::size_t position_ = 0;           // of the first byte that was not used
  std::optional<std::size_t> length_;  // of the body that comes next, once its header was read
  std::uint64_t skipped_ = 0;          // bytes still to be thrown away, of a body that is too large
  bool lost_ = false;                  // looking for a header
};

// What goes before a message's body of so many bytes, and the message as it goes out.
std::string frame_head(std::size_t size);
std::string framed(std::string_view body);

}  // namespace phobos::server
