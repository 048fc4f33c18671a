// Entries with roles and bulk copies, on the emulator against the simulator; and that it sees each part of their protocol that is not kept.
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <phobos/support/random.h>

#include "programs.h"

namespace {

using namespace phobos;

struct Shape {
  int threads, m, n, k;
  bool along_k = false;
  std::string element = "f16", result = "f32";
  bool of_bytes() const { return element.ends_with('8'); }
};

std::string contraction(const Shape& shape, int rows, int columns, int inner) {
  const auto& [threads, m, n, k, along_k, element, result] = shape;
  return fmt::format(
      "@launch({0})\nkernel k(A: tensor<{1}>[{2}, {3}], B: tensor<{1}>[{4}], C: tensor<{10}>[{2}, {5}]) {{\n"
      "  let r = ctx.block.y * {6}\n  let c = ctx.block.x * {7}\n  var acc: tile<{11}>[{6}, {7}] = {12}\n"
      "  for i in range(0, {3}, {8}) {{\n    acc += {9}\n  }}\n  C[r :+ {6}, c :+ {7}] = acc\n}}\n",
      threads, element, rows, inner, along_k ? fmt::format("{}, {}", columns, inner) : fmt::format("{}, {}", inner, columns), columns, m, n, k,
      along_k ? fmt::format("dot_t(A[r :+ {}, i :+ {}], B[c :+ {}, i :+ {}])", m, k, n, k) : fmt::format("dot(A[r :+ {}, i :+ {}], B[i :+ {}, c :+ {}])", m, k, k, n), result,
      shape.of_bytes() ? "i32" : "f32", shape.of_bytes() ? "1" : "1.0");
}

constexpr const char* small_integers = "A=randint:-3:4:1 B=randint:-3:4:2 C=zeros";

}  // namespace

TEST_CASE("bulk copies bring and take tiles of all shapes that they are used for, at every edge") {
  SplitMix64 random(11);
  const auto pick = [&](std::initializer_list<int> of) { return of.begin()[random.below(of.size())]; };
  int by_bulk = 0, in_turns = 0, stored = 0, of_bytes = 0;
  for (int round = 0; round < 20; ++round) {
    Shape shape{pick({128, 256}), 0, 0, pick({16, 32, 64, 128})};
    shape.along_k = random.below(2) == 0;
    shape.m = shape.threads / 2 * pick({1, 1, 2});
    shape.n = shape.along_k ? pick({64, 112, 128}) : pick({64, 128});
    shape.element = random.below(2) == 0 ? "f16" : "bf16";
    shape.result = random.below(2) == 0 ? shape.element : "f32";
    if (shape.along_k && shape.k >= 32 && random.below(2) == 0) {
      shape.element = random.below(2) == 0 ? "i8" : "u8";
      shape.result = "i32";
    }
    const int rows = shape.m * pick({1, 2}) + pick({0, 5, 64}), columns = shape.n * pick({1, 2}) + pick({0, 8, 24}), inner = shape.k * pick({1, 3, 5}) + pick({0, 16});
    const std::string text = contraction(shape, rows, columns, inner);
    CAPTURE(text);
    const Program program = compile_both(text, shape.element == "u8" ? "A=randint:0:7:1 B=randint:0:7:2 C=zeros" : small_integers);
    of_bytes += shape.of_bytes() && program.module.bulk;
    by_bulk += program.module.bulk.has_value();
    in_turns += program.module.bulk && program.module.bulk->threads == shape.threads * 2 + 128;
    stored += program.module.bulk && program.module.bulk->maps.size() == 3;
    expect_agreement(program, static_cast<std::uint64_t>(round));
  }
  CHECK(by_bulk > 16);
  CHECK(of_bytes > 2);
  CHECK(in_turns > 2);
  CHECK(stored > 3);
}

TEST_CASE("the plain entry is taken where rows are no multiple of 16 bytes, or an extent is 0") {
  const Shape shape{128, 64, 64, 32};
  for (const auto& [rows, columns, inner, bulk] : std::vector<std::tuple<int, int, int, bool>>{{64, 64, 64, true}, {64, 72, 40, true}, {64, 68, 64, false}, {64, 64, 36, false}}) {
    Program program = compile_both(contraction(shape, rows, columns, inner), small_integers);
    REQUIRE(program.module.bulk);
    // An entry that is not there cannot be run.
    const std::string name = "@" + (bulk ? program.module.entry : program.module.bulk->entry) + "(";
    REQUIRE(program.module.text.find(name) != std::string::npos);
    program.module.text.replace(program.module.text.find(name), name.size(), "@another(");
    expect_agreement(program, 1);
  }
}

TEST_CASE("each part of the protocol of bulk copies that is taken away is missed") {
  struct Case {
    Shape shape;
    int rows, columns, inner;
  };
  for (const Case& one : {Case{{256, 128, 128, 16, false, "f16", "f16"}, 512, 128, 160}, Case{{128, 64, 128, 16, false, "f16", "f16"}, 512, 128, 160}}) {
    const Program program = compile_both(contraction(one.shape, one.rows, one.columns, one.inner), "A=randn:1 B=randn:2 C=zeros");
    REQUIRE(program.module.bulk);
    launch::Bound expected = program.bound;
    launch::run_on_simulator(program.kernel, expected, program.grid, {});
    for (const Removed& removed : remove_each_call(program, expected, {"@phobos.barrier()", "@phobos.barrier.of.", "@phobos.barrier.arrive.", "@phobos.phases.make(", "@phobos.phases.expect(",
                                                                     "@phobos.phases.arrive(", "@phobos.phases.wait(", "@phobos.box.load(", "@phobos.box.store(", "@phobos.box.commit(",
                                                                     "@phobos.box.read.", "@phobos.box.wait.", "@phobos.groups.publish(", "@phobos.groups.wait.", "@phobos.registers.fewer."})) {
      CHECK_MESSAGE(removed.kept == 0, fmt::format("{} of {} threads", removed.text, one.shape.threads));
      if (one.shape.threads == 128 || removed.call != "@phobos.barrier.arrive.") CHECK_MESSAGE(removed.calls > 0, removed.call);
    }
  }
}

TEST_CASE("each block of the grid is done once, whatever its extents") {
  for (const char* threads : {"128", "256"})
    for (const char* grid : {"5,7,2", "1,37,1", "37,1,1", "3,20,1"}) {
      const std::string text = fmt::format(
          "@launch({0})\nkernel k(A: tensor<f16>[128, K], B: tensor<f16>[K, 64], C: tensor<f32>[9472, 64]) {{\n"
          "  let number = (ctx.block.z * ctx.blocks.y + ctx.block.y) * ctx.blocks.x + ctx.block.x\n  var acc: tile<f32>[{1}, 64] = f32(number)\n"
          "  for i in range(0, K, 32) {{\n    acc += dot(A[0 :+ {1}, i :+ 32], B[i :+ 32, 0 :+ 64])\n  }}\n  C[number * {1} :+ {1}, 0 :+ 64] = acc\n}}\n",
          threads, std::string(threads) == "128" ? 64 : 128);
      CAPTURE(text);
      const Program program = compile_both(text, fmt::format("K=64 A=randint:-3:4:1 B=randint:-3:4:2 C=zeros --grid {}", grid));
      REQUIRE(program.module.bulk);
      expect_agreement(program, 2);
    }
}

TEST_CASE("a loop of no turns adds nothing, and the next block's turns are its own") {
  const Program program = compile_both("@launch(128)\nkernel k(A: tensor<f16>[64, 64], B: tensor<f16>[64, 64], C: tensor<f32>[M, 64]) {\n"
                                       "  var acc: tile<f32>[64, 64] = 2.0\n  for i in range(0, ctx.block.x % 3 * 32, 32) {\n"
                                       "    acc += dot(A[:, i :+ 32], B[i :+ 32, :])\n  }\n  C[ctx.block.x * 64 :+ 64, 0 :+ 64] = acc\n}\n",
                                       "M=640 A=randint:-3:4:1 B=randint:-3:4:2 C=zeros");
  REQUIRE(program.module.bulk);
  CHECK(program.module.bulk->threads == 256);  // no two teams: neither would know how many turns the other's block has
  expect_agreement(program, 3);
}
