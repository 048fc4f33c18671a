#include "frames.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <unistd.h>

namespace phobos::worker {

namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 30;

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(int descriptor, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(descriptor, into, size);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) into += got, size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::string frame_bytes(Frame frame, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string head(1, static_cast<char>(frame));
  head.append(reinterpret_cast<const char*>(&size), sizeof size);
  head += bytes;
  return head;
}

bool write_frame(int descriptor, Frame frame, std::string_view bytes) {
  return write_all(descriptor, frame_bytes(frame, bytes));
}

bool read_frame(int descriptor, Frame& frame, std::string& bytes) {
  char head[1 + sizeof(std::uint64_t)];
  if (!read_all(descriptor, head, sizeof head)) return false;
  std::uint64_t size = 0;
  std::memcpy(&size, head + 1, sizeof size);
  if (size > largest) return false;
  frame = static_cast<Frame>(head[0]);
  bytes.resize(size);
  return read_all(descriptor, bytes.data(), size);
}

}  // namespace phobos::worker
