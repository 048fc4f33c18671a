// Chains of two contractions by bulk copies, on the emulator against the simulator; and that it sees each part of their protocol that is
// not kept.
#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include <phobos/support/random.h>

#include "programs.h"

namespace {

using namespace phobos;

struct Shape {
  int groups, keys, width;  // columns of scores, of a row of Q, K, V
  bool causal = false, scaled = true;
  std::string element = "f16";
};

std::string attention(const Shape& shape, const char* masked = "-1.0e30") {
  const int rows = 64 * shape.groups;
  std::string text = fmt::format(
      "@launch({0})\nkernel k(Q: tensor<{1}>[N, HD], K: tensor<{1}>[M, HD], V: tensor<{1}>[M, HD], O: tensor<{1}>[N, HD], scale: f32) {{\n"
      "  let row = ctx.block.x * {2}\n  let head = ctx.block.y * {3}\n  let q = Q[row :+ {2}, head :+ {3}]\n  let query = row + iota({2}, 1, 0)\n"
      "  var acc: tile<f32>[{2}, {3}] = 0.0\n  var top: tile<f32>[{2}, 1] = -1.0e30\n  var total: tile<f32>[{2}, 1] = 0.0\n"
      "  for at in range(0, {4}, {5}) {{\n    let seen = {6}\n    let score = where(seen, dot_t(q, K[at :+ {5}, head :+ {3}]){7}, -1.0e30)\n"
      "    let higher = tmax(top, rowmax(score))\n    let weight = exp(score - higher)\n    let keep = exp(top - higher)\n"
      "    total = total * keep + rowsum(weight)\n    acc = acc * keep\n    acc += dot({1}(weight), V[at :+ {5}, head :+ {3}])\n    top = higher\n  }}\n"
      "  O[row :+ {2}, head :+ {3}] = acc / total\n}}\n",
      128 * shape.groups, shape.element, rows, shape.width, shape.causal ? fmt::format("row + {}", rows) : "M", shape.keys,
      shape.causal ? fmt::format("at + iota(1, {}, 1) <= query", shape.keys) : fmt::format("at + iota(1, {}, 1) < M", shape.keys), shape.scaled ? " * scale" : "");
  for (std::size_t at = 0; (at = text.find("-1.0e30", at)) != std::string::npos; at += 1) text.replace(at, 7, masked);
  return text;
}

}  // namespace

TEST_CASE("attention of all shapes that it is recognised in, at every edge") {
  SplitMix64 random(5);
  const auto pick = [&](std::initializer_list<int> of) { return of.begin()[random.below(of.size())]; };
  for (int round = 0; round < 12; ++round) {
    const Shape shape{pick({1, 2, 3}), pick({64, 128, 64, 48}), pick({64, 128, 64}), random.below(2) == 0, random.below(3) != 0, random.below(3) == 0 ? "bf16" : "f16"};
    const std::string text = attention(shape);
    CAPTURE(text);
    const int rows = 64 * shape.groups * pick({1, 2}) + pick({0, 5, 64});
    const int keys = shape.causal ? rows : shape.keys * pick({1, 2, 4}) + pick({0, 1, 24});
    const Program program = compile_both(text, fmt::format("N={} M={} HD={} scale=0.2 Q=randn:1 K=randn:2 V=randn:3 O=zeros", rows, keys, shape.width * pick({1, 2})));
    std::string reasons;
    for (const ir::Decision& decision : program.module.decisions)
      if (decision.kind == ir::Decision::Kind::Loop) reasons += decision.reason + "; ";
    REQUIRE_MESSAGE(program.module.bulk, reasons);
    CHECK(program.module.bulk->threads == 128 * shape.groups + 128);
    CHECK(program.module.bulk->maps.size() == 4);
    expect_agreement(program, static_cast<std::uint64_t>(round), shape.element == "f16" ? 1e-3 : 1e-2);  // rounded weights may fall to either side
  }
}

TEST_CASE("scores of thousands, and rows whose first keys are all masked, keep their weights") {
  for (const bool causal : {false, true}) {
    const Program program = compile_both(attention({2, 64, 64, causal}), "N=256 M=256 HD=64 scale=300.0 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
    REQUIRE(program.module.bulk);
    expect_agreement(program, 9, 2e-3);
  }
}

TEST_CASE("where scores are thousands, what a kernel adds to is not added to twice") {
  std::string adds = attention({1, 64, 64});
  adds.replace(adds.find("= acc / total"), 13, "= O[row :+ 64, head :+ 64] + acc / total");
  for (const char* scale : {"0.2", "3000.0"}) {
    const Program program = compile_both(adds, fmt::format("N=64 M=128 HD=64 scale={} Q=randn:1 K=randn:2 V=randn:3 O=randn:4", scale));
    REQUIRE(program.module.bulk);
    expect_agreement(program, 14, 2e-3);
  }
}

TEST_CASE("a mask that ends where a carried number says, counted down or up") {
  for (const char* next : {"lim = lim + step", "lim = lim - 64"})
    for (const char* bound : {"iota(1, 64, 1) < lim", "at + iota(1, 64, 1) < lim + at", "iota(1, 64, 1) < tmin(lim, M)"}) {
      std::string text = attention({1, 64, 64});
      const std::string mask = "at + iota(1, 64, 1) < M";
      text.replace(text.find(mask), mask.size(), bound);
      text.replace(text.find("scale: f32"), 10, "scale: f32, lim0: i64, step: i64");
      text.replace(text.find("  for at"), 0, "  var lim = lim0\n");
      text.replace(text.find("    top = higher\n"), 0, std::string("    ") + next + "\n");
      CAPTURE(text);
      for (const char* numbers : {"lim0=64 step=-20", "lim0=200 step=-100", "lim0=20 step=30"}) {
        CAPTURE(numbers);
        const Program program = compile_both(text, fmt::format("N=64 M=300 HD=64 scale=0.125 {} Q=randn:1 K=randn:2 V=randn:3 O=zeros", numbers));
        REQUIRE(program.module.bulk);
        expect_agreement(program, 15, 2e-3);
      }
    }
}

TEST_CASE("factors of scores that leave f32 with the logarithm in them") {
  std::string plain = attention({1, 64, 64});
  const std::size_t from = plain.find("    let higher"), to = plain.find("    acc = acc * keep");
  plain.replace(from, to - from, "    let weight = exp(score)\n    total = total + rowsum(weight)\n");
  plain.erase(plain.find("    acc = acc * keep\n"), 21);
  plain.erase(plain.find("    top = higher\n"), 17);
  for (const char* scale : {"3e38", "-3e38", "0.25"}) {
    CAPTURE(scale);
    const Program program = compile_both(plain, fmt::format("N=64 M=128 HD=64 scale={} Q=zeros K=ones V=randn:3 O=zeros", scale));
    REQUIRE(program.module.bulk);
    expect_agreement(program, 16, 2e-3);
  }
}

TEST_CASE("scores of any size, and masks as low as f32 goes, give the weights of the simulator") {
  for (const char* scale : {"1e5", "1e7", "1e20", "1e30", "-1e7", "0.0", "1e-30"}) {
    CAPTURE(scale);
    const Program program = compile_both(attention({1, 64, 64, false}, "-3.0e38"), fmt::format("N=64 M=192 HD=64 scale={} Q=randn:1 K=randn:2 V=randn:3 O=zeros", scale));
    REQUIRE(program.module.bulk);
    expect_agreement(program, 10, 2e-3);
  }
  const Program zeros = compile_both(attention({1, 64, 64, false}, "-3.0e38"), "N=64 M=192 HD=64 scale=3e38 Q=zeros K=randn:2 V=randn:3 O=zeros");
  expect_agreement(zeros, 11, 2e-3);
  // A window: the first keys are masked for all of the later rows.
  std::string window = attention({1, 64, 64, false}, "-3.0e38");
  const std::string mask = "at + iota(1, 64, 1) < M";
  window.replace(window.find(mask), mask.size(), "query - (at + iota(1, 64, 1)) < 20 && at + iota(1, 64, 1) <= query");
  const Program program = compile_both(window, "N=256 M=256 HD=64 scale=0.2 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
  REQUIRE(program.module.bulk);
  expect_agreement(program, 12, 2e-3);
}

TEST_CASE("a chain is any computation in registers between two contractions, with whatever else the loop carries") {
  // The scores squared, no row statistics; the sums halved in each turn; a count of turns beside them.
  const Program program = compile_both("@launch(128)\nkernel k(Q: tensor<f16>[N, 64], K: tensor<f16>[64, M], V: tensor<f16>[M, 128], O: tensor<f32>[N, 128], first: i64, last: i64) {\n"
                                       "  let row = ctx.block.x * 64\n  let q = Q[row :+ 64, 0 :+ 64]\n  var acc: tile<f32>[64, 128] = 3.0\n  var turns: f32 = 0.0\n"
                                       "  for at in range(first, last, 64) {\n    let score = dot(q, K[0 :+ 64, at :+ 64])\n    acc = acc * 0.5\n"
                                       "    acc += dot(f16(score * score * 0.001), V[at :+ 64, 0 :+ 128])\n    turns = turns + 1.0\n  }\n"
                                       "  O[row :+ 64, 0 :+ 128] = acc + turns\n}\n",
                                       "N=200 M=240 first=32 last=240 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
  REQUIRE(program.module.bulk);
  expect_agreement(program, 4);
}

TEST_CASE("grouped heads, of which two look at the same rows, with a mask and a place where the keys end") {
  const Program program = compile_both("@launch(256)\nkernel k(Q: tensor<f16>[N, HQ], K: tensor<f16>[M, HK], V: tensor<f16>[M, HK], O: tensor<f16>[N, HQ], window: i64) {\n"
                                       "  let row = ctx.block.x * 128\n  let head = ctx.block.y * 64\n  let shared_head = ctx.block.y / 2 * 64\n  let q = Q[row :+ 128, head :+ 64]\n"
                                       "  let query = row + iota(128, 1, 0)\n  var acc: tile<f32>[128, 64] = 0.0\n  var top: tile<f32>[128, 1] = -1.0e30\n  var total: tile<f32>[128, 1] = 0.0\n"
                                       "  for at in range(0, M, 64) {\n    let key = at + iota(1, 64, 1)\n    let seen = key <= query && query - key < window && key < M\n"
                                       "    let score = where(seen, dot_t(q, K[at :+ 64, shared_head :+ 64]) * 0.2, -1.0e30)\n    let higher = tmax(top, rowmax(score))\n"
                                       "    let weight = exp(score - higher)\n    let keep = exp(top - higher)\n    total = total * keep + rowsum(weight)\n    acc = acc * keep\n"
                                       "    acc += dot(f16(weight), V[at :+ 64, shared_head :+ 64])\n    top = higher\n  }\n  O[row :+ 128, head :+ 64] = acc / total\n}\n",
                                       "N=256 M=250 HQ=256 HK=128 window=100 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
  REQUIRE(program.module.bulk);
  expect_agreement(program, 8, 1e-3);
}

TEST_CASE("a chain of no turns, of one, and of turns that differ from block to block") {
  const Program program = compile_both("@launch(256)\nkernel k(Q: tensor<f16>[N, 64], K: tensor<f16>[M, 64], V: tensor<f16>[M, 64], O: tensor<f32>[N, 64]) {\n"
                                       "  let row = ctx.block.x * 128\n  let q = Q[row :+ 128, 0 :+ 64]\n  var acc: tile<f32>[128, 64] = 2.0\n"
                                       "  for at in range(0, ctx.block.x % 4 * 64, 64) {\n    acc += dot(f16(dot_t(q, K[at :+ 64, 0 :+ 64])), V[at :+ 64, 0 :+ 64])\n  }\n"
                                       "  O[row :+ 128, 0 :+ 64] = acc\n}\n",
                                       "N=1408 M=192 Q=randint:-2:3:1 K=randint:-2:3:2 V=randint:-2:3:3 O=zeros");
  REQUIRE(program.module.bulk);
  expect_agreement(program, 6);
}

TEST_CASE("what is no chain keeps the plain entry, and says why") {
  const auto reason = [](const std::string& loop) {
    const std::string text = "@launch(128)\nkernel k(Q: tensor<f16>[N, 64], K: tensor<f16>[M, 64], V: tensor<f16>[M, 64], O: tensor<f32>[N, 64]) {\n"
                             "  let row = ctx.block.x * 64\n  let q = Q[row :+ 64, 0 :+ 64]\n  var acc: tile<f32>[64, 64] = 2.0\n"
                             "  for at in range(0, M, 64) {\n" + loop + "  }\n  O[row :+ 64, 0 :+ 64] = acc\n}\n";
    Program program = compile(text, "k", "N=64 M=64 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
    passes::run_pipeline(program.kernel, passes::chip_named("sm_90a"), "remove_dead");
    return passes::plan_bulk_copies(program.kernel, passes::chip_named("sm_90a")).why_not;
  };
  CHECK(reason("    acc += dot(f16(dot_t(q, K[at :+ 64, 0 :+ 64])), V[at :+ 64, 0 :+ 64])\n") == "");
  CHECK(reason("    let s = dot_t(q, K[at :+ 64, 0 :+ 64]) * acc\n    acc += dot(f16(s), V[at :+ 64, 0 :+ 64])\n") == "the second of its contractions does not add to what the loop carries");
  CHECK(reason("    let k = K[at :+ 64, 0 :+ 64]\n    acc += dot(f16(dot_t(q, k)), V[at :+ 64, 0 :+ 64] + k)\n").find("no slice that is loaded in the loop") != std::string::npos);
  CHECK(reason("    let k = K[at :+ 64, 0 :+ 64]\n    acc += dot_t(q, k)\n    acc += dot(q, V[at :+ 64, 0 :+ 64])\n") != "");
}

TEST_CASE("a loop whose tiles change threads between its contractions has the plain entry") {
  for (const char* between : {"cumsum(dot_t(q, K[at :+ 64, 0 :+ 64]))", "transpose(dot_t(q, K[at :+ 64, 0 :+ 64]))"}) {
    const Program program = compile_both(fmt::format("@launch(128)\nkernel k(Q: tensor<f16>[N, 64], K: tensor<f16>[M, 64], V: tensor<f16>[M, 64], O: tensor<f32>[N, 64]) {{\n"
                                                     "  let row = ctx.block.x * 64\n  let q = Q[row :+ 64, 0 :+ 64]\n  var acc: tile<f32>[64, 64] = 2.0\n"
                                                     "  for at in range(0, M, 64) {{\n    acc += dot(f16({}), V[at :+ 64, 0 :+ 64])\n  }}\n  O[row :+ 64, 0 :+ 64] = acc\n}}\n", between),
                                         "N=64 M=128 Q=randint:-1:2:1 K=randint:-1:2:2 V=randint:-1:2:3 O=zeros");
    CHECK_FALSE(program.module.bulk);
    expect_agreement(program, 13);
  }
}

TEST_CASE("each part of the protocol of a chain that is taken away is missed") {
  // In one row of each block scores are in thousands: all groups do it once more, because one warp of one group asks for that.
  Program program = compile_both(attention({2, 16, 64}), "N=256 M=96 HD=128 scale=0.2 Q=randn:1 K=randn:2 V=randn:3 O=zeros");
  auto& queries = std::get<launch::HostTensor>(program.bound.arguments[0]);
  for (std::size_t row = 100; row < 256; row += 128)
    for (std::size_t column = 0; column < 128; ++column) {
      const std::uint16_t large = 0x7000;  // 8,192
      std::memcpy(queries.data.data() + (row * 128 + column) * 2, &large, 2);
    }
  REQUIRE(program.module.bulk);
  launch::Bound expected = program.bound;
  launch::run_on_simulator(program.kernel, expected, program.grid, {});
  for (const Removed& removed : remove_each_call(program, expected, {"@phobos.barrier()", "@phobos.barrier.of.", "@phobos.barrier.arrive.", "@phobos.phases.make(", "@phobos.phases.expect(",
                                                                   "@phobos.phases.arrive(", "@phobos.phases.wait(", "@phobos.box.load(", "@phobos.box.store(", "@phobos.groups.wait.",
                                                                   "@phobos.registers.fewer."})) {
    CHECK_MESSAGE(removed.kept == 0, removed.text);
    CHECK_MESSAGE(removed.calls > 0, removed.call);
  }
}
