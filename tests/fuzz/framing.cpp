// Bytes of a stream, in pieces: messages come out the same however they are cut, and reading goes on behind what is no message.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/server/transport/framing.h>

namespace {

using namespace phobos::server;

std::vector<std::string> frames_of(std::string_view bytes, std::size_t piece) {
  FrameReader reader;
  std::vector<std::string> frames;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece));
    while (const auto frame = reader.next()) {
      if (const auto* body = std::get_if<Body>(&*frame)) frames.push_back("body " + body->text);
      else if (std::get<Malformed>(*frame).reason.empty()) std::abort();
    }
  }
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 20000));
  const std::vector<std::string> whole = frames_of(bytes, std::max<std::size_t>(1, bytes.size()));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}})
    if (frames_of(bytes, piece) != whole) std::abort();
  // Whatever came before, a message behind it that does not lie in another's body is found; one that is whole surely is.
  const std::vector<std::string> alone = frames_of(framed(bytes), 3);
  if (alone.size() != 1 || alone[0] != "body " + std::string(bytes)) std::abort();
  return 0;
}
