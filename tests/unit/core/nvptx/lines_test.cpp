#include <doctest/doctest.h>

#include <phobos/nvptx/nvptx.h>

#include "../../../../core/nvptx/lines.h"

using namespace phobos;
using nvptx::SourcePlaces;

TEST_CASE("places come back with columns and calls") {
  SourcePlaces places;
  const std::uint32_t outer = places.add_call({"f", {10, 3, 0}});
  const std::uint32_t inner = places.add_call({"g", {20, 5, outer}});
  const std::uint32_t plain = places.number_of({4, 700, 0});
  CHECK(places.number_of({4, 700, 0}) == plain);
  const std::uint32_t called = places.number_of({30, 7, inner});
  const std::string ptx = "{\n\t.loc\t1 4 " + std::to_string(plain) + "\n\tadd;\n$L__tmp3:\n\t.loc\t1 30 " + std::to_string(called) +
                          "\n\tmul;\n\t.loc\t1 4 " + std::to_string(plain) + "\n\tsub;\n}\n";
  CHECK(places.rewrite(ptx) ==
        "{\n\t.loc\t1 4 700\n\tadd;\n"
        "\t.loc\t1 10 3\n"
        "\t.loc\t1 20 5, function_name $L__phobos_name0, inlined_at 1 10 3\n"
        "\t.loc\t1 30 7, function_name $L__phobos_name1, inlined_at 1 20 5\n\tmul;\n"
        "\t.loc\t1 4 700\n\tsub;\n}\n"
        "\t.section\t.debug_str {\n$L__phobos_name0:\n\t.b8 102, 0\n$L__phobos_name1:\n\t.b8 103, 0\n\t}\n");
}

TEST_CASE("what has lost its line gets that of what follows in its block, else that of what is before") {
  const SourcePlaces places;
  CHECK(places.rewrite("\t.loc\t1 5 0\n\ta;\n\t.loc\t1 0 0\n\tb;\n\t.loc\t1 7 0\n\tc;\n\t.loc\t1 0 0\n\td;\n$L__BB0_1:\n\t.loc\t1 9 0\n\te;\n") ==
        "\t.loc\t1 5 0\n\ta;\n\t.loc\t1 7 0\n\tb;\n\tc;\n\td;\n$L__BB0_1:\n\t.loc\t1 9 0\n\te;\n");
  CHECK(places.rewrite("") == "");
}

TEST_CASE("places without a number keep their line") {
  SourcePlaces places;
  for (std::uint32_t i = 1; i <= 65535; ++i) CHECK_EQ(places.number_of({i, 1, 0}), i);
  CHECK(places.number_of({70000, 1, 0}) == 0);
  CHECK(places.rewrite("\t.loc\t1 70000 0\n") == "\t.loc\t1 70000 0\n");
}

TEST_CASE("the source stands above what it became, once for each stretch") {
  CHECK(nvptx::with_source("\t.loc\t1 2 1\n\ta;\n\t.loc\t1 2 5\n\tb;\n\t.loc\t1 1 1\n\tc;\n\t.loc\t1 9 1\n", "k.ph", "one\r\n  two  \n") ==
        "\t// k.ph:2:   two\n\t.loc\t1 2 1\n\ta;\n\t.loc\t1 2 5\n\tb;\n\t// k.ph:1: one\n\t.loc\t1 1 1\n\tc;\n\t.loc\t1 9 1\n");
}
