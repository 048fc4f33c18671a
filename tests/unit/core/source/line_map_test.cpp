#include <phobos/source/line_map.h>
#include <phobos/source/positions.h>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phobos/source/utf8.h>

using namespace phobos;

namespace {

// One character at a time from the front, with nothing clever: what line, and what column in each encoding, every offset has.
struct Reference {
  struct At {
    Position utf8, utf16, utf32;
  };
  std::vector<At> at;  // by offset, the end included

  explicit Reference(std::string_view text) {
    At here;
    std::size_t offset = 0;
    while (offset < text.size()) {
      const Character character = decode(text, offset);
      const bool cr = text[offset] == '\r';
      const bool crlf = cr && offset + 1 < text.size() && text[offset + 1] == '\n';
      const std::size_t size = crlf ? 2 : character.size;
      for (std::size_t i = 0; i < size; ++i) at.push_back(here);
      if (cr || text[offset] == '\n') {
        const std::uint32_t next = here.utf8.line + 1;
        here = {{next, 0}, {next, 0}, {next, 0}};
      } else {
        here.utf8.column += character.size;
        here.utf16.column += character.code >= 0x10000 ? 2 : 1;
        here.utf32.column += 1;
      }
      offset += size;
    }
    at.push_back(here);
  }
};

std::string random_text(std::mt19937& random, int pieces) {
  static const std::string alphabet[] = {"a", "b ", "\n", "\r\n", "\r", "\t", "é", "漢", "😀", "\xff", "\xe2\x82", "\xf0\x9f", "\x80",
                                         std::string(1, '\0'), "\xed\xa0\x80"};
  std::string text;
  for (int i = 0; i < pieces; ++i) text += alphabet[random() % std::size(alphabet)];
  return text;
}

void check_against_reference(const LineMap& map, const std::string& text) {
  const Reference reference(text);
  REQUIRE(map.line_count() == reference.at.back().utf8.line + 1);
  for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
    const Reference::At& expected = reference.at[offset];
    CHECK(map.position(text, offset, Encoding::Utf8) == expected.utf8);
    CHECK(map.position(text, offset, Encoding::Utf16) == expected.utf16);
    CHECK(map.position(text, offset, Encoding::Utf32) == expected.utf32);
    for (const auto& [encoding, position] :
         {std::pair(Encoding::Utf8, expected.utf8), {Encoding::Utf16, expected.utf16}, {Encoding::Utf32, expected.utf32}}) {
      const std::uint32_t back = map.offset(text, position, encoding);
      CHECK(back <= offset);
      CHECK(map.position(text, back, encoding) == position);
    }
  }
}

}  // namespace

TEST_CASE("decode takes exactly the valid characters") {
  CHECK(decode("é", 0).code == U'é');
  CHECK(decode("😀", 0).code == U'😀');
  CHECK(decode("😀", 0).size == 4);
  for (const std::string bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    CHECK_FALSE(decode(bad, 0).valid);
    CHECK(decode(bad, 0).size == 1);
  }
  CHECK(decode("\xf4\x8f\xbf\xbf", 0).valid);
  CHECK(decode("\xed\x9f\xbf", 0).valid);
}

TEST_CASE("character_start goes back to the first byte of a valid character only") {
  const std::string text = "a😀\x80" "é";
  CHECK(character_start(text, 0) == 0);
  for (std::uint32_t offset = 1; offset < 5; ++offset) CHECK(character_start(text, offset) == 1);
  CHECK(character_start(text, 5) == 5);
  CHECK(character_start(text, 7) == 6);
  CHECK(character_start(text, 1000) == text.size());
}

TEST_CASE("positions agree with a naive count on random text") {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_text(random, round);
    check_against_reference(LineMap(text), text);
  }
}

TEST_CASE("a map that followed random edits equals a fresh one") {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    std::string text = random_text(random, 20);
    LineMap map(text);
    for (int step = 0; step < 60; ++step) {
      const auto begin = static_cast<std::uint32_t>(random() % (text.size() + 1));
      const auto end = begin + static_cast<std::uint32_t>(random() % (std::min<std::size_t>(text.size() - begin, 8) + 1));
      const Edit edit{{begin, end}, random_text(random, static_cast<int>(random() % 4))};
      text.replace(begin, end - begin, edit.text);
      map.apply(text, edit);
      const LineMap fresh(text);
      REQUIRE(map.line_count() == fresh.line_count());
      for (std::uint32_t line = 0; line <= map.line_count(); ++line) REQUIRE(map.line_span(text, line) == fresh.line_span(text, line));
    }
    check_against_reference(map, text);
  }
}

TEST_CASE("what lies outside the text is clamped") {
  const std::string text = "ab\r\nc😀d\n";
  const LineMap map(text);
  const auto offset = [&](std::uint32_t line, std::uint32_t column) { return map.offset(text, {line, column}, Encoding::Utf16); };
  CHECK(map.line_count() == 3);
  CHECK(offset(0, 99) == 2);  // before the line's end, CR included
  CHECK(offset(1, 1) == 5);
  CHECK(offset(1, 2) == 5);  // inside the surrogate pair
  CHECK(offset(1, 3) == 9);
  CHECK(offset(2, 0) == text.size());
  CHECK(offset(3, 0) == text.size());
  CHECK(offset(0xffffffffu, 0xffffffffu) == text.size());
  CHECK(offset(0, 0xffffffffu) == 2);
  CHECK(map.position(text, 0xffffffffu, Encoding::Utf16) == Position{2, 0});
  CHECK(map.position(text, 7, Encoding::Utf16) == Position{1, 1});  // inside the emoji
  CHECK(map.position(text, 3, Encoding::Utf8) == Position{0, 2});   // between CR and LF
  CHECK(LineMap("").position("", 5, Encoding::Utf8) == Position{0, 0});
}

TEST_CASE("positions that are asked for one after the other are those that are asked for alone") {
  std::mt19937 random(11);
  const std::string pieces[] = {"a", "é", "漢", "😀", "\n", "\r\n", "\r", "abcdefghijklmnop", "\xff", "\t"};
  for (int round = 0; round < 60; ++round) {
    std::string text;
    for (int i = 0; i < 80; ++i) text += pieces[random() % std::size(pieces)];
    const LineMap lines(text);
    for (const Encoding encoding : {Encoding::Utf8, Encoding::Utf16, Encoding::Utf32}) {
      Positions positions(text, lines, encoding);
      std::uint32_t at = 0;
      for (int i = 0; i < 200; ++i) {
        at = random() % 4 == 0 ? static_cast<std::uint32_t>(random() % (text.size() + 3)) : at + random() % 3;
        CHECK(positions.of(at) == lines.position(text, at, encoding));
      }
    }
  }
}
