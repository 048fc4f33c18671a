// Contractions of f32 by wgmma: of all of it in three products, and rounded to tf32.
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
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
  bool along_k = false, rounded = false;
};

std::string contraction(const Shape& shape, int rows, int columns, const char* first = "0.0") {
  const auto& [threads, m, n, k, along_k, rounded] = shape;
  return fmt::format(
      "@launch({0})\n{10}kernel k(A: tensor<f32>[{1}, {2}], B: tensor<f32>[{3}], C: tensor<f32>[{1}, {4}]) {{\n"
      "  let r = ctx.block.y * {5}\n  let c = ctx.block.x * {6}\n  var acc: tile<f32>[{5}, {6}] = {9}\n"
      "  for i in range(0, {2}, {7}) {{\n    acc += {8}\n  }}\n  C[r :+ {5}, c :+ {6}] = acc\n}}\n",
      threads, rows, "K", along_k ? fmt::format("{}, K", columns) : fmt::format("K, {}", columns), columns, m, n, k,
      along_k ? fmt::format("dot_t(A[r :+ {}, i :+ {}], B[c :+ {}, i :+ {}])", m, k, n, k) : fmt::format("dot(A[r :+ {}, i :+ {}], B[i :+ {}, c :+ {}])", m, k, k, n), first,
      rounded ? "@tensorcore(tf32)\n" : "");
}

launch::HostTensor& tensor(launch::Bound& bound, std::size_t i) { return std::get<launch::HostTensor>(bound.arguments[i]); }

// Of C to what f64 gives, and of that itself.
struct Norms {
  double error = 0, exact = 0;
  double relative() const { return std::sqrt(error / exact); }
};
Norms norms_of(launch::Bound& bound, const Shape& shape) {
  const launch::HostTensor &a = tensor(bound, 0), &b = tensor(bound, 1), &c = tensor(bound, 2);
  const std::int64_t inner = a.shape[1], columns = c.shape[1];
  Norms norms;
  for (std::int64_t i = 0; i < c.count(); ++i) {
    double exact = 0;
    for (std::int64_t k = 0; k < inner; ++k)
      exact += a.real_at(i / columns * inner + k) * b.real_at(shape.along_k ? i % columns * inner + k : k * columns + i % columns);
    norms.error += (c.real_at(i) - exact) * (c.real_at(i) - exact);
    norms.exact += exact * exact;
  }
  return norms;
}

// C as one multiply-add after the other has it.
void add_up(launch::Bound& bound, const Shape& shape) {
  const launch::HostTensor &a = tensor(bound, 0), &b = tensor(bound, 1);
  launch::HostTensor& c = tensor(bound, 2);
  const std::int64_t inner = a.shape[1], columns = c.shape[1];
  for (std::int64_t i = 0; i < c.count(); ++i) {
    float sum = 0;
    for (std::int64_t k = 0; k < inner; ++k)
      sum = std::fma(static_cast<float>(a.real_at(i / columns * inner + k)),
                     static_cast<float>(b.real_at(shape.along_k ? i % columns * inner + k : k * columns + i % columns)), sum);
    c.set_real(i, sum);
  }
}

}  // namespace

TEST_CASE("groups multiply f32 in all shapes that they are used for, at every edge") {
  SplitMix64 random(5);
  const auto pick = [&](std::initializer_list<int> of) { return of.begin()[random.below(of.size())]; };
  int of_all = 0, rounded = 0, in_turns = 0;
  for (int round = 0; round < 20; ++round) {
    Shape shape{pick({128, 256}), 0, 0, pick({8, 16, 32, 64})};
    shape.along_k = random.below(2) == 0;
    shape.rounded = random.below(2) == 0;
    const bool swapped = !shape.rounded || !shape.along_k;
    const int grouped = shape.threads / 2 * pick({1, 1, 2}), other = pick({64, 72, 128});
    shape.m = swapped ? other : grouped;
    shape.n = swapped ? grouped : other;
    const int rows = shape.m * pick({1, 2}) + pick({0, 5, 64}), columns = shape.n * pick({1, 2}) + pick({0, 4, 24}), inner = shape.k * pick({1, 3, 5}) + pick({0, 4});
    const std::string text = contraction(shape, rows, columns, "1.0");
    CAPTURE(text);
    const Program program = compile_both(text, fmt::format("K={} A=randint:-3:4:1 B=randint:-3:4:2 C=zeros", inner));
    if (program.module.bulk) {
      ++(shape.rounded ? rounded : of_all);
      in_turns += program.module.bulk->threads == shape.threads * 2 + 128;
      CHECK(program.module.bulk->maps[0].rounds == shape.rounded);
    }
    expect_agreement(program, static_cast<std::uint64_t>(round));
  }
  CHECK(of_all > 5);
  CHECK(rounded > 5);
  CHECK(in_turns > 2);
}

TEST_CASE("three products of tf32 are as exact as multiply-adds, and one has the eleven bits that it was asked for") {
  for (const bool along_k : {false, true})
    for (const bool rounded : {false, true}) {
      const Shape shape{128, 64, 64, 32, along_k, rounded};
      const Program program = compile_both(contraction(shape, 64, 64), "K=512 A=randn:1 B=randn:2 C=zeros");
      REQUIRE(program.module.bulk);
      launch::Bound chain = program.bound, bound = program.bound;
      add_up(chain, shape);
      CHECK(run_emulated(program, bound, program.module, 1).findings.empty());
      const double error = norms_of(bound, shape).relative(), of_chain = norms_of(chain, shape).relative();
      CAPTURE(error);
      CAPTURE(of_chain);
      if (!rounded) CHECK(error <= of_chain);
      else CHECK((error > 1e-5 && error < 5e-4));
    }
}

TEST_CASE("infinities, numbers that are none, and the largest and the least come out as multiply-adds have them") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {0.0, -0.0, 1.0, -1.0, 1.5, -3.0000002384185791, infinity, -infinity, nan, 3.4028234663852886e38, -3.4028234663852886e38, 0x1p127,
                                      0x1p-64, -0x1.fffffep-60, 0x1p-100, -0x1p-110, 0x1p-126, -0x1.8p-130, 1e-38, 1e-30, 0x1.fffffep-1, 12345.678};
  const auto count = static_cast<int>(values.size());
  for (const bool along_k : {false, true}) {
    const Shape shape{128, 64, 64, 32, along_k};
    Program program = compile_both(contraction(shape, 64, 64), "K=32 A=zeros B=zeros C=zeros");
    REQUIRE(program.module.bulk);
    launch::HostTensor &a = tensor(program.bound, 0), &b = tensor(program.bound, 1);
    for (int i = 0; i < count; ++i) {  // C[i, j] is the product of two of them
      a.set_real(i * 32 + 5, values[static_cast<std::size_t>(i)]);
      b.set_real(along_k ? i * 32 + 5 : 5 * 64 + i, values[static_cast<std::size_t>(i)]);
    }
    launch::Bound bound = program.bound;
    CHECK(run_emulated(program, bound, program.module, 1).findings.empty());
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        const auto x = static_cast<float>(values[static_cast<std::size_t>(i)]), y = static_cast<float>(values[static_cast<std::size_t>(j)]);
        const double wanted = x * y, got = tensor(bound, 2).real_at(i * 64 + j);
        CAPTURE(x);
        CAPTURE(y);
        if (std::isnan(wanted)) CHECK(std::isnan(got));
        else if (std::isinf(wanted)) CHECK(got == wanted);
        // Below 2^-112 an operand loses bits at its end: what is less than 2^-136 no tensor core sees.
        else CHECK(std::abs(got - wanted) <= std::abs(wanted) * 0x1p-20 + (std::abs(x) + std::abs(y)) * 0x1p-135);
      }
  }
}

TEST_CASE("each part of the protocol of the third role that is taken away is missed") {
  const Shape shape{256, 64, 128, 32};
  const Program program = compile_both(contraction(shape, 192, 256), "K=320 A=randn:1 B=randn:2 C=zeros");
  REQUIRE(program.module.bulk);
  launch::Bound expected = program.bound;
  launch::run_on_simulator(program.kernel, expected, program.grid, {});
  const auto close = [&](const launch::Bound& bound) {
    const auto &c = std::get<launch::HostTensor>(bound.arguments[2]), &e = std::get<launch::HostTensor>(expected.arguments[2]);
    return launch::compare(c, e, launch::tolerance_for(c, e, {}, {})).same;
  };
  launch::Bound whole = program.bound;
  REQUIRE(run_emulated(program, whole, program.module, 0).finished);
  CHECK(close(whole));  // so that stale low parts, which change 12 bits, are seen
  const std::size_t entry = program.module.text.find("@" + program.module.bulk->entry + "(");
  for (const char* call : {"@phobos.barrier()", "@phobos.phases.make(", "@phobos.phases.expect(", "@phobos.phases.arrive(", "@phobos.phases.wait(", "@phobos.box.load(",
                           "@phobos.groups.publish(", "@phobos.groups.wait.", "@phobos.registers.fewer."}) {
    int found = 0;
    for (std::size_t at = program.module.text.find(std::string("call void ") + call, entry); at != std::string::npos;
         at = program.module.text.find(std::string("call void ") + call, at + 1)) {
      ++found;
      nvptx::Compiled broken = program.module;
      const std::size_t begin = broken.text.rfind('\n', at) + 1;
      broken.text.erase(begin, broken.text.find('\n', begin) - begin);
      bool missed = false;
      for (std::uint64_t seed = 0; seed < 20 && !missed; ++seed) {
        launch::Bound bound = program.bound;
        missed = !run_emulated(program, bound, broken, seed).finished || !close(bound);
      }
      CHECK_MESSAGE(missed, fmt::format("{} number {} is not missed", call, found));
    }
    CHECK_MESSAGE(found > 0, call);
  }
}

TEST_CASE("short sums of f32, and those of `@precise`, are by multiply-adds") {
  const std::string text = contraction({128, 64, 64, 32}, 64, 64);
  const auto bulk = [](const std::string& source, const char* arguments) { return compile_both(source, arguments).module.bulk.has_value(); };
  CHECK(bulk(text, "K=64 A=randn:1 B=randn:2 C=zeros"));
  CHECK_FALSE(bulk("@precise\n" + text, "K=64 A=randn:1 B=randn:2 C=zeros"));
  for (const auto& [inner, wanted] : {std::pair("127", false), std::pair("128", true)}) {
    std::string fixed = text;
    for (std::size_t at = 0; (at = fixed.find('K', at)) != std::string::npos; at += 2) fixed.replace(at, 1, inner);
    CHECK(bulk(fixed, "A=randn:1 B=randn:2 C=zeros") == wanted);
  }
}

TEST_CASE("the plain entry multiplies f32 where rows are no multiple of 16 bytes") {
  const Shape shape{128, 64, 64, 32};
  for (const auto& [columns, inner, bulk] : std::vector<std::tuple<int, int, bool>>{{64, 64, true}, {68, 36, true}, {66, 64, false}, {64, 33, false}}) {
    Program program = compile_both(contraction(shape, 64, columns), fmt::format("K={} A=randint:-3:4:1 B=randint:-3:4:2 C=zeros", inner));
    REQUIRE(program.module.bulk);
    const std::string name = "@" + (bulk ? program.module.entry : program.module.bulk->entry) + "(";
    REQUIRE(program.module.text.find(name) != std::string::npos);
    program.module.text.replace(program.module.text.find(name), name.size(), "@another(");
    expect_agreement(program, 1);
  }
}
