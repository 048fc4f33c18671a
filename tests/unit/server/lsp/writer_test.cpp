// What is written as text is what a tree of values would be written as.
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <phobos/server/lsp/item_texts.h>
#include <phobos/server/lsp/json.h>
#include <phobos/server/lsp/writer.h>

using namespace phobos;
using namespace phobos::server::lsp;

// How many U+FFFD stand for bytes that are no text is not agreed on.
static std::string once(std::string text) {
  const std::string_view replacement = "\xef\xbf\xbd", two = "\xef\xbf\xbd\xef\xbf\xbd";
  for (std::size_t at = text.find(two); at != std::string::npos; at = text.find(two, at)) text.erase(at, replacement.size());
  return text;
}

TEST_CASE("strings are written as the library writes them, whatever bytes they have") {
  std::mt19937 random(3);
  const std::string_view pieces[] = {"a", "\"", "\\", "\n", "\r\n", "\t", "\b", "\f", "\x01", "\x1f", "\x7f", "é", "漢", "🚀", "\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f", std::string_view("\0", 1)};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint32_t left = random() % 12; left > 0; --left) text += pieces[random() % std::size(pieces)];
    std::string written;
    append_string(written, text);
    REQUIRE(once(Json::parse(written)) == once(Json::parse(text_of(Json(text)))));
  }
}

TEST_CASE("numbers and ranges") {
  for (const std::uint64_t number : {0ull, 9ull, 10ull, 99ull, 100ull, 4294967295ull, 18446744073709551615ull}) {
    std::string written;
    append_number(written, number);
    CHECK(written == std::to_string(number));
  }
  std::string written;
  append_range(written, {{1, 2}, {30, 4}});
  CHECK(Json::parse(written) == Json::parse(R"({"start": {"line": 1, "character": 2}, "end": {"line": 30, "character": 4}})"));
}

TEST_CASE("an item's text moves with its item, by lines and along its first line") {
  ItemText item;
  item.text = "[";
  item.append_range({{7, 9}, {7, 12}}, {7, 4});
  item.text += ",";
  item.append_range({{7, 30}, {9, 2}}, {7, 4});
  item.text += "]";
  std::string there;
  item.append_to(there, {7, 4});
  std::string here = "[";
  append_range(here, {{7, 9}, {7, 12}});
  here += ",";
  append_range(here, {{7, 30}, {9, 2}});
  CHECK(there == here + "]");
  std::string moved;
  item.append_to(moved, {2, 0});
  CHECK(Json::parse(moved) == Json::parse(R"([{"start": {"line": 2, "character": 5}, "end": {"line": 2, "character": 8}},
                                              {"start": {"line": 2, "character": 26}, "end": {"line": 4, "character": 2}}])"));
}

TEST_CASE("only the items that changed are told anew") {
  session::Session session("fn a() {\n}\nfn b() {\n} fn c() {\n}\n");
  ItemTexts texts;
  int made = 0;
  const auto told = [&] {
    std::string out;
    const auto snapshot = session.snapshot();
    const Border border(snapshot->text(), snapshot->lines(), Encoding::Utf16);
    texts.append_array(out, *snapshot, Encoding::Utf16, [&](const session::ItemView& item, Position start) {
      ++made;
      ItemText text;
      text.append_range(border.range(item.absolute(item.item().name.span)), start);
      return text;
    });
    return Json::parse(out);
  };
  const auto range = [](unsigned line, unsigned begin) { return Json{{"start", {{"line", line}, {"character", begin}}}, {"end", {{"line", line}, {"character", begin + 1}}}}; };
  CHECK(told() == Json::array({range(0, 3), range(2, 3), range(3, 5)}));
  CHECK(made == 3);
  session.apply({{0, 0}, "// c\n\n"});  // moves all; the comment belongs to none
  CHECK(told() == Json::array({range(2, 3), range(4, 3), range(5, 5)}));
  session.apply({{27, 27}, "  "});  // moves `c` along its line
  CHECK(told() == Json::array({range(2, 3), range(4, 3), range(5, 7)}));
  CHECK(made == 3);
  session.apply({{9, 10}, "renamed"});
  CHECK(told()[0]["end"]["character"] == 10);
  CHECK(made == 4);
  const std::weak_ptr<const session::Analysis> before = session.snapshot()->items()[1].analysis;
  session.apply({{26, 26}, " "});
  session.snapshot();
  CHECK(before.expired());  // what was told of it keeps nothing of it
  session.replace("");
  CHECK(told() == Json::array());
}
