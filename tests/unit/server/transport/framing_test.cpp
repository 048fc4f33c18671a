#include <phobos/server/transport/framing.h>

#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace phobos::server;

namespace {

// Bodies as they are, what is malformed as "!".
std::vector<std::string> read_all(FrameReader& reader) {
  std::vector<std::string> frames;
  while (auto frame = reader.next()) frames.push_back(std::holds_alternative<Body>(*frame) ? std::get<Body>(*frame).text : "!");
  return frames;
}

std::vector<std::string> read_all(std::string_view bytes) {
  FrameReader reader;
  reader.feed(bytes);
  return read_all(reader);
}

using Frames = std::vector<std::string>;

}  // namespace

TEST_CASE("a message is its length in bytes and its body") {
  CHECK(framed("é") == "Content-Length: 2\r\n\r\né");
  CHECK(read_all(framed("é") + framed("") + framed("{}")) == Frames{"é", "", "{}"});
}

TEST_CASE("header fields in any case and any order") {
  CHECK(read_all("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:3\r\n\r\nabc") == Frames{"abc"});
  CHECK(read_all("CONTENT-LENGTH:   3  \r\nContent-Type: x\r\nOther: y\r\n\r\nabc") == Frames{"abc"});
  CHECK(read_all("Content-Length: 3\n\nabc") == Frames{"abc"});
  CHECK(read_all("\r\n\r\nContent-Length: 3\r\n\r\nabc") == Frames{"abc"});
}

TEST_CASE("a message that is cut off is never delivered") {
  CHECK(read_all("Content-Length: 4\r\n\r\nabc").empty());
  CHECK(read_all("Content-Length: 4\r\n").empty());
  CHECK(read_all("").empty());
}

TEST_CASE("what is malformed is reported once and the next message is read") {
  const std::string next = framed("next");
  CHECK(read_all("Content-Length: x\r\n\r\n" + next) == Frames{"!", "next"});
  CHECK(read_all("Content-Length: -1\r\n\r\n" + next) == Frames{"!", "next"});
  CHECK(read_all("Content-Length: 99999999999999999999999\r\n\r\n" + next) == Frames{"!", "next"});
  CHECK(read_all("Content-Type: x\r\n\r\n{}" + next) == Frames{"!", "next"});
  CHECK(read_all("{\"jsonrpc\":\"2.0\"}\n" + next) == Frames{"!", "next"});
  CHECK(read_all(std::string(3 * FrameReader::largest_header, 'x') + next) == Frames{"!", "next"});
  CHECK(read_all(std::string(3 * FrameReader::largest_header, 'x') + "\r\n" + next) == Frames{"!", "next"});
  CHECK(read_all("Content-Length: 1\r\nX: " + std::string(2 * FrameReader::largest_header, 'x') + "\r\n\r\n{}" + next) ==
        Frames{"!", "next"});
}

TEST_CASE("a body that is too large is skipped, not kept") {
  const std::size_t size = FrameReader::largest_body + 10;
  FrameReader reader;
  reader.feed("Content-Length: " + std::to_string(size) + "\r\n\r\nxx");
  CHECK(read_all(reader) == Frames{"!"});
  const std::string piece(1u << 20, 'x');
  for (std::size_t sent = 2; sent < size;) {
    const std::size_t now = std::min(piece.size(), size - sent);
    reader.feed(std::string_view(piece).substr(0, now));
    sent += now;
    CHECK(read_all(reader).empty());
  }
  reader.feed(framed("next"));
  CHECK(read_all(reader) == Frames{"next"});
}

TEST_CASE("it does not matter in what pieces the bytes come") {
  std::mt19937 random(4);
  const std::string good = framed("{\"a\":1}") + "Content-Type: x\r\nContent-Length: 2\r\n\r\nok" + framed("") + framed(std::string(70'000, 'b'));
  const std::string all = good + "junk without a header\r\n\r\n" + good + "Content-Length: 1e3\r\n\r\n" + good;
  const Frames whole = read_all(all);
  CHECK(whole.size() == 14);
  for (int round = 0; round < 50; ++round) {
    FrameReader reader;
    Frames frames;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t size = std::min<std::size_t>(all.size() - at, 1 + random() % (round % 2 ? 7u : 5000u));
      reader.feed(std::string_view(all).substr(at, size));
      at += size;
      for (std::string& frame : read_all(reader)) frames.push_back(std::move(frame));
    }
    CHECK(frames == whole);
  }
}

TEST_CASE("random bytes end in nothing worse than malformed messages") {
  std::mt19937 random(5);
  const std::string pieces[] = {"Content-Length: ", "content-length:", "\r\n", "\n", "\r", "5", "0", ":", "{}", " ", "\xff", std::string(1, '\0')};
  for (int round = 0; round < 3000; ++round) {
    FrameReader reader;
    for (unsigned i = random() % 30; i > 0; --i) {
      reader.feed(pieces[random() % std::size(pieces)]);
      read_all(reader);
    }
    reader.feed("\r\n\r\n" + std::string(60, '\n'));
    read_all(reader);
  }
}
