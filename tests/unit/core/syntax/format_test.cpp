// What the goldens in tests/fmt cannot show: edits, ranges, typing, and size.
#include <chrono>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <phobos/syntax/format.h>

using namespace phobos;
using namespace phobos::syntax;

namespace {

std::string whole(std::string_view text) {
  CAPTURE(text.substr(0, 40));
  const Formatted formatted = format(text);
  CHECK_FALSE(formatted.fault);
  const std::string result = apply(text, formatted.edits);
  CHECK(format(result).edits.empty());
  return result;
}

// The text after `typed` was typed where `|` stands, behind it.
std::string typed(std::string text, char character) {
  const auto cursor = static_cast<std::uint32_t>(text.find('|'));
  text.erase(cursor, 1);
  const Formatted formatted = format_typed(text, cursor, character);
  CHECK_FALSE(formatted.fault);
  return apply(text, formatted.edits);
}

// The text with what stands between two `|` formatted.
std::string ranged(std::string text) {
  const auto begin = static_cast<std::uint32_t>(text.find('|'));
  text.erase(begin, 1);
  const auto end = static_cast<std::uint32_t>(text.find('|'));
  text.erase(end, 1);
  const Formatted formatted = format_range(text, {begin, end});
  CHECK_FALSE(formatted.fault);
  return apply(text, formatted.edits);
}

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("edits change white space alone, and only where it changes") {
  CHECK(format("").edits.empty());
  CHECK(format("kernel k() {\n  barrier()\n}\n").edits.empty());
  const std::string_view text = "kernel k() {\n    barrier()\n  let a=1\n}\n";
  const Formatted formatted = format(text);
  REQUIRE(formatted.edits.size() == 3);
  CHECK(formatted.edits[0].span.size() == 2);  // two of four blanks go
  CHECK(formatted.edits[0].text.empty());
  CHECK(formatted.edits[1].span.empty());
  CHECK(formatted.edits[1].text == " ");
  CHECK(apply(text, formatted.edits) == "kernel k() {\n  barrier()\n  let a = 1\n}\n");
}

TEST_CASE("texts without code") {
  CHECK(whole("") == "");
  CHECK(whole(" \n\n\t\n") == "");
  CHECK(whole("\n// alone") == "// alone\n");
  CHECK(whole("\xef\xbb\xbf\n") == "\xef\xbb\xbf");
  CHECK(whole("words ;\n") == "words ;\n");
  CHECK(whole(";") == ";");
}

TEST_CASE("a column is a character") {
  CHECK(whole("kernel k() {\n  let a = n \u2264 3     // b\n") == "kernel k() {\n  let a = n \u2264 3     // b\n");
}

TEST_CASE("line ends are those of most lines") {
  CHECK(whole("kernel k() {\r\nfoo()\r\n}") == "kernel k() {\r\n  foo()\r\n}\r\n");
  CHECK(whole("// a\r\n// b\n// c\n") == "// a\n// b\n// c\n");
}

TEST_CASE("a range is whole statements") {
  CHECK(ranged("kernel k() {\nlet a=1\nlet |b|=2\nlet c=3\n}\n") == "kernel k() {\nlet a=1\n  let b = 2\nlet c=3\n}\n");
  CHECK(ranged("kernel k() {\nfoo(1,\n|2|)\nlet c=3\n}\n") == "kernel k() {\n  foo(1,\n      2)\nlet c=3\n}\n");
  CHECK(ranged("kernel k( ) {\n}\n|\n|\nkernel l( ) {\n}\n") == "kernel k( ) {\n}\n\n\nkernel l( ) {\n}\n");
  CHECK(ranged("|kernel k( ) {\n\n\n}\nkernel l( ) {\n}|\n") == "kernel k() {\n}\n\nkernel l() {\n}\n");
}

TEST_CASE("a closing brace brings its block into shape") {
  CHECK(typed("kernel k() {\nlet a=1\n    if a>0 {\n  foo( )\n    }|\nlet b=2\n}\n", '}') ==
        "kernel k() {\nlet a=1\n  if a > 0 {\n    foo()\n  }\nlet b=2\n}\n");
  CHECK(typed("kernel k( ) {\nfoo( )\n}|\nkernel l( ) {\n}\n", '}') == "kernel k() {\n  foo()\n}\nkernel l( ) {\n}\n");
  CHECK(typed("kernel k( ) {\nfoo( )\n}}|\n", '}') == "kernel k( ) {\nfoo( )\n}}\n");
  CHECK(typed("a|b", '}') == "ab");
}

TEST_CASE("a new line is indented, and the line before it brought into shape") {
  CHECK(typed("kernel k() {\n  let a=1\n|\n}\n", '\n') == "kernel k() {\n  let a = 1\n  \n}\n");
  CHECK(typed("kernel k() {\n  if n>0 {\n|\n  }\n}\n", '\n') == "kernel k() {\n  if n > 0 {\n    \n  }\n}\n");
  CHECK(typed("kernel k() {\n  foo(1,\n|\n}\n", '\n') == "kernel k() {\n  foo(1,\n  \n}\n");
  CHECK(typed("kernel k() {\n  foo(1,\n|)\n}\n", '\n') == "kernel k() {\n  foo(1,\n)\n}\n");
  CHECK(typed("kernel k() {\n  foo(1,\n|2)\n}\n", '\n') == "kernel k() {\n  foo(1,\n      2)\n}\n");
  CHECK(typed("kernel k() {\n  let a = 1 +\n|2\n}\n", '\n') == "kernel k() {\n  let a = 1 +\n      2\n}\n");
  CHECK(typed("kernel k() {\n  foo()\n  \n|\n  bar()\n}\n", '\n') == "kernel k() {\n  foo()\n  \n  \n  bar()\n}\n");
  CHECK(typed("kernel k() {\n  foo()\n      |}\n", '\n') == "kernel k() {\n  foo()\n}\n");
  CHECK(typed("kernel k(n: i32) {\n  if n > 3 {\n|", '\n') == "kernel k(n: i32) {\n  if n > 3 {\n    ");
  CHECK(typed("kernel k() {\n  let a=1\n|    let b=2\n}\n", '\n') == "kernel k() {\n  let a = 1\n  let b=2\n}\n");
  CHECK(typed("kernel k() {\n}\n|\n", '\n') == "kernel k() {\n}\n\n");
  CHECK(typed("|\n", '\n') == "\n");
}

TEST_CASE("any depth and any length, in time that grows with the length") {
  whole("kernel k() {\n  let a = " + repeated("(", 100000) + "1" + repeated(")", 100000) + "\n}\n");
  whole("kernel k() {\n  let a = " + repeated("(1+", 100000) + "1" + repeated(")", 100000) + "\n}\n");
  whole("kernel k() {\n  let a = 1" + repeated("+foo(a,b)", 100000) + "\n}\n");
  whole("kernel k() {\n  let a = " + repeated("- ", 100000) + "1\n}\n");
  whole("kernel k() {\n  a = " + repeated("a<up ", 50000) + "\n}\n");
  whole("kernel k() {\n" + repeated("if a {\n", 50000) + repeated("}\n", 50000) + "}\n");
  whole("kernel k() {\n" + repeated("if a {\n", 50000));
  whole("kernel k() {\nif a { b() }" + repeated(" else if a { b() }", 50000) + "\n}\n");
  whole("kernel k() {\n" + repeated("a b;", 50000) + "\n}\n");
  whole(repeated("kernel k( ) {}", 20000));
  whole(repeated("(", 200000));
  whole(repeated("}", 200000));
  whole("kernel k() {\n" + repeated("a = 1 // x\n", 50000) + "}\n");
}

TEST_CASE("50,000 lines") {
  const std::string kernel =
      "// Adds.\n@launch(64)\nkernel k(A: tensor<f32>[M, 64],O: tensor<f32>[M, 64]) {\n    let r=ctx.block.x * 4\n"
      "    for i in range(0, 4) {\n        O[r + i, ctx.thread] = A[r + i, ctx.thread] + 1.0   // more\n    }\n}\n\n";
  const std::string text = repeated(kernel, 50000 / 9);
  const auto start = std::chrono::steady_clock::now();
  const Formatted formatted = format(text);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  CHECK_FALSE(formatted.edits.empty());
  MESSAGE(taken.count() << " ms");
  CHECK(taken.count() < 1000);  // far below on a machine that does nothing else
}
