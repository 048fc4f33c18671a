#include <phobos/diag/render.h>

#include <random>
#include <set>

#include <doctest/doctest.h>

using namespace phobos;
using namespace phobos::diag;

namespace {

Location range_of(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(text.find(part));
  return {{begin, begin + static_cast<std::uint32_t>(part.size())}, 0};
}

Diagnostic unknown(Location location) {
  return make(Code::UnknownName, location, "x");
}

}  // namespace

TEST_CASE("the table of codes is in order and free of doubles") {
  std::set<std::string_view> seen;
  std::string_view last;
  for (int i = 0; i < static_cast<int>(Code::count_); ++i) {
    const CodeInfo& row = info(static_cast<Code>(i));
    CHECK(row.code.size() == 6);
    CHECK(row.code.substr(0, 2) == "PH");
    CHECK(row.code > last);
    CHECK(seen.insert(row.name).second);
    CHECK_FALSE(row.format.empty());
    CHECK(find_code(row.code) == static_cast<Code>(i));
    last = row.code;
  }
  CHECK(find_code("ph0102") == Code::UnknownFunction);
  CHECK_FALSE(find_code("PH010").has_value());
  CHECK_FALSE(find_code("").has_value());
}

TEST_CASE("a diagnostic with its chain and its repair") {
  const std::string text =
      "kernel k(t: tensor<f32>[N]) {\n"
      "  if ctx.lane == 0 {\n"
      "    barrier()\n"
      "  }\n"
      "}\n";
  Diagnostic diagnostic = make(Code::NeedsUniformControl, range_of(text, "barrier()"), "`barrier`", "control differs between lanes");
  diagnostic.related.push_back({range_of(text, "ctx.lane == 0"), "this condition differs between lanes"});
  diagnostic.related.push_back({range_of(text, "ctx.lane"), "`ctx.lane` differs between lanes"});
  diagnostic.fixes.push_back({"move `barrier()` out of the `if`", {}});
  CHECK(render(diagnostic, "a.ph", text) ==
        "a.ph:3:5: error: `barrier` runs once per CTA, so every thread must reach it: control differs between lanes [PH0301]\n"
        " 3 |     barrier()\n"
        "   |     ^^^^^^^^^\n"
        "a.ph:2:6: note: this condition differs between lanes\n"
        " 2 |   if ctx.lane == 0 {\n"
        "   |      ~~~~~~~~~~~~~\n"
        "a.ph:2:6: note: `ctx.lane` differs between lanes\n"
        " 2 |   if ctx.lane == 0 {\n"
        "   |      ~~~~~~~~\n"
        "fix: move `barrier()` out of the `if`\n");
}

TEST_CASE("tabs, wide characters and invalid bytes keep the mark under what it marks") {
  CHECK(render(unknown({{5, 6}, 0}), "a", "a\tb\tc x") ==
        "a:1:6: error: there is no `x` here [PH0101]\n"
        " 1 | a   b   c x\n"
        "   |          ^\n");
  const std::string wide = "漢😀é = x";
  CHECK(render(unknown(range_of(wide, "x")), "a", wide) ==
        "a:1:7: error: there is no `x` here [PH0101]\n"
        " 1 | 漢😀é = x\n"
        "   |         ^\n");
  const std::string emoji = "a 😀 b";
  CHECK(render(unknown(range_of(emoji, "😀")), "a", emoji) ==
        "a:1:3: error: there is no `x` here [PH0101]\n"
        " 1 | a 😀 b\n"
        "   |   ^^\n");
  const std::string invalid = std::string("a\xff\x1b[31m") + std::string(1, '\0') + " x";
  CHECK(render(unknown({{1, 2}, 0}), "a", invalid) ==
        "a:1:2: error: there is no `x` here [PH0101]\n"
        " 1 | a�␛[31m␀ x\n"
        "   |  ^\n");
}

TEST_CASE("empty ranges, ranges at the end and ranges over a line's end") {
  CHECK(render(unknown({{0, 0}, 0}), "a", "") ==
        "a:1:1: error: there is no `x` here [PH0101]\n"
        " 1 |\n"
        "   | ^\n");
  CHECK(render(unknown({{2, 2}, 0}), "a", "ab\n") ==
        "a:1:3: error: there is no `x` here [PH0101]\n"
        " 1 | ab\n"
        "   |   ^\n");
  CHECK(render(unknown({{2, 4}, 0}), "a", "ab\r\ncd") ==
        "a:1:3: error: there is no `x` here [PH0101]\n"
        " 1 | ab\n"
        "   |   ^\n");
  CHECK(render(unknown({{90, 99}, 0}), "a", "ab\n") ==
        "a:2:1: error: there is no `x` here [PH0101]\n"
        " 2 |\n"
        "   | ^\n");
}

TEST_CASE("a range over several lines") {
  const std::string text = "let a = f(\n  one,\n  two\n)\nrest\n";
  CHECK(render(unknown(range_of(text, "f(\n  one,\n  two\n)")), "a", text) ==
        "a:1:9: error: there is no `x` here [PH0101]\n"
        " 1 | let a = f(\n"
        "   |         ^^\n"
        " 2 |   one,\n"
        "   |   ^^^^\n"
        " 3 |   two\n"
        "   |   ^^^\n"
        " 4 | )\n"
        "   | ^\n");
  const std::string many = "{\n  a\n\n  b\n  c\n  d\n  e\n  f\n  g\n  h\n}\n";
  CHECK(render(unknown(range_of(many, many.substr(0, many.size() - 1))), "a", many) ==
        "a:1:1: error: there is no `x` here [PH0101]\n"
        "  1 | {\n"
        "    | ^\n"
        "  2 |   a\n"
        "    |   ^\n"
        "... |\n"
        " 11 | }\n"
        "    | ^\n");
}

TEST_CASE("a line of megabytes is cut down around the range") {
  std::string text(5'000'000, 'a');
  text.replace(2'000'000, 3, " x ");
  const std::string out = render(unknown({{2'000'001, 2'000'002}, 0}), "a", text);
  CHECK(out.size() < 500);
  CHECK(out.find("…" + std::string(39, 'a') + " x aaaa") != std::string::npos);
  CHECK(out.find("\n   |" + std::string(42, ' ') + "^\n") != std::string::npos);
  const std::string whole = render(unknown({{0, 5'000'000}, 0}), "a", text);
  CHECK(whole.size() < 500);
  CHECK(whole.find("\n   | " + std::string(120, '^') + "\n") != std::string::npos);
}

TEST_CASE("colour is only decoration") {
  const std::string text = "let a = x\n";
  std::string colored = render(unknown(range_of(text, "x")), "a.ph", text, {.color = true});
  CHECK(colored.find("\x1b[1;31merror:\x1b[0m") != std::string::npos);
  for (std::size_t at; (at = colored.find('\x1b')) != std::string::npos;) colored.erase(at, colored.find('m', at) - at + 1);
  CHECK(colored == render(unknown(range_of(text, "x")), "a.ph", text));
}

TEST_CASE("any range in any text is rendered") {
  std::mt19937 random(3);
  const std::string pieces[] = {"a", "\n", "\r\n", "\r", "\t", "é", "漢", "😀", "\xff", "\xf0\x9f", " ", std::string(60, 'q')};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = random() % 12; i > 0; --i) text += pieces[random() % std::size(pieces)];
    const auto begin = static_cast<std::uint32_t>(random() % (text.size() + 3));
    const auto end = static_cast<std::uint32_t>(begin + random() % 40);
    const std::string out = render(unknown({{begin, end}, 0}), "a", text);
    CHECK(out.back() == '\n');
    CHECK(out.find('^') != std::string::npos);
  }
}
