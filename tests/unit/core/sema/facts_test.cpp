#include <phobos/sema/facts.h>

#include <doctest/doctest.h>

#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

using namespace phobos;
using namespace phobos::sema;

namespace {

// What is known of the `x` that a kernel's body declares: "lower .. upper | divisor | affine form", `?` for what is not known.
std::string known(const std::string& body) {
  const std::string text =
      "fn twice(v: i32) -> i32 {\n  return v * 2\n}\n"
      "@launch(128) @autotune(T in [32, 64]) @aligned(K = 48, N = 8)\n"
      "kernel k(A: tensor<f32>[M, K], U: tensor<u8>[N], I: tensor<i32>[8], n: i32) {\n" + body + "\n}\n";
  const syntax::ParsedFile file = syntax::Parser().parse(text);
  const auto named = [&](std::string_view name) {
    for (const auto& each : file.items)
      if (each.item->name.text == name) return each.item;
    return std::shared_ptr<const syntax::Item>();
  };
  const CheckedItem item = check(named("k"), Environment{named});
  REQUIRE(item.ok());
  for (std::size_t i = 0; i < item.locals.size(); ++i) {
    if (item[LocalId(i)].name != "x") continue;
    const Facts facts = facts_of(item, LocalId(i));
    const auto shown = [](const std::optional<Bound>& bound) { return bound ? to_string(*bound) : "?"; };
    return shown(facts.lower) + " .. " + shown(facts.upper) + " | " + std::to_string(facts.divisor) + (facts.affine.empty() ? "" : " | " + facts.affine);
  }
  return "no x";
}

std::string known_of(const std::string& expr) { return known("  let x = " + expr); }

}  // namespace

TEST_CASE("constants, dimensions and ctx fields") {
  CHECK(known_of("12") == "12 .. 12 | 12");
  CHECK(known_of("-4") == "-4 .. -4 | 4");
  CHECK(known_of("0") == "0 .. 0 | 0");
  CHECK(known_of("T * 2") == "64 .. 64 | 64");
  CHECK(known_of("M") == "M .. M | 1");
  CHECK(known_of("K") == "K .. K | 48");
  CHECK(known_of("ctx.thread") == "0 .. 127 | 1");
  CHECK(known_of("ctx.warp") == "0 .. 3 | 1");
  CHECK(known_of("ctx.lane") == "0 .. 31 | 1");
  CHECK(known_of("ctx.block.y") == "0 .. ? | 1");
  CHECK(known_of("ctx.blocks.x") == "1 .. ? | 1");
  CHECK(known_of("n") == "? .. ? | 1");
  CHECK(known_of("i64(U[0])") == "0 .. 255 | 1");
}

TEST_CASE("sums and products") {
  CHECK(known_of("ctx.thread * 4 + 3") == "3 .. 511 | 1 | 4*ctx.thread + 3");
  CHECK(known_of("ctx.block.x * T + ctx.lane") == "0 .. ? | 1 | 32*ctx.block.x + ctx.lane");
  CHECK(known_of("2 * K - 16") == "2*K - 16 .. 2*K - 16 | 16 | 2*K - 16");
  CHECK(known_of("M - 1 - ctx.lane") == "M - 32 .. M - 1 | 1 | M - ctx.lane - 1");
  CHECK(known_of("-(ctx.lane * 8)") == "-248 .. 0 | 8 | -8*ctx.lane");
  CHECK(known_of("K * M") == "0 .. ? | 48");
  CHECK(known_of("K - K + 3") == "3 .. 3 | 3");
  CHECK(known_of("n * 16") == "? .. ? | 16 | 16*n");
  CHECK(known_of("ctx.lane * ctx.warp") == "0 .. 93 | 1");
}

TEST_CASE("quotients, remainders, shifts and masks") {
  CHECK(known_of("ctx.thread / 4") == "0 .. 31 | 1");
  CHECK(known_of("K / 16") == "0 .. K | 3");
  CHECK(known_of("(4 * M + 8) / 4") == "M + 2 .. M + 2 | 1");
  CHECK(known_of("ctx.thread % 4") == "0 .. 3 | 1");
  CHECK(known_of("ctx.lane % 64") == "0 .. 31 | 1");
  CHECK(known_of("i64(n) % 10") == "-9 .. 9 | 1");
  CHECK(known_of("(ctx.thread * 12) % 32") == "0 .. 31 | 4");
  CHECK(known_of("ctx.block.x % M") == "0 .. M - 1 | 1");
  CHECK(known_of("ctx.lane << 3") == "0 .. 248 | 8");
  CHECK(known_of("ctx.thread >> 5") == "0 .. 3 | 1");
  CHECK(known_of("ctx.thread & 12") == "0 .. 12 | 4");
  CHECK(known_of("i64(n) & -8") == "? .. ? | 8");
}

TEST_CASE("choices and calls") {
  CHECK(known_of("tmin(ctx.thread, 20)") == "0 .. 20 | 1");
  CHECK(known_of("tmax(ctx.thread, 20)") == "20 .. 127 | 1");
  CHECK(known_of("tmin(i64(n), 8)") == "? .. 8 | 1");
  CHECK(known_of("where(n > 0, ctx.lane * 4, 16)") == "0 .. 124 | 4");
  CHECK(known_of("shfl<xor 1>(ctx.lane * 2)") == "0 .. 62 | 2");
  CHECK(known_of("popcount(n)") == "0 .. 32 | 1");
  CHECK(known_of("twice(i32(ctx.lane))") == "? .. ? | 1");
}

TEST_CASE("names are what they are bound to") {
  CHECK(known("  let row = ctx.block.x * 64\n  let x = row + ctx.lane") == "0 .. ? | 1 | 64*ctx.block.x + ctx.lane");
  CHECK(known("  for x in range(0, 64, 4) { }") == "0 .. 60 | 4");
  CHECK(known("  for x in range(0, K, 16) { }") == "0 .. K - 1 | 16");
  CHECK(known("  for x in range(ctx.thread, M, ctx.threads) { }") == "0 .. M - 1 | 1");
  CHECK(known("  for i in range(0, 10) {\n    let x = i * 8 + 4\n  }") == "4 .. 76 | 4 | 8*i + 4");
  CHECK(known("  for i in range(1, 4) {\n    let x = 5 * i\n  }") == "5 .. 15 | 5 | 5*i");
  CHECK(known("  var x = 3\n  x = 5") == "? .. ? | 1");
}

// Narrow integers wrap; what could is not claimed.
TEST_CASE("arithmetic that may wrap") {
  CHECK(known_of("i32(ctx.thread) * 4") == "0 .. 508 | 4");
  CHECK(known_of("n + 1") == "? .. ? | 1 | n + 1");
  CHECK(known_of("i32(ctx.block.x) * 24") == "? .. ? | 8");
  CHECK(known_of("i8(ctx.thread) * i8(2)") == "-128 .. 127 | 2");
  CHECK(known_of("U[0] + U[1]") == "0 .. 255 | 1");
}
