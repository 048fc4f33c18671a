// What is known of integers before a kernel runs.
#include <doctest/doctest.h>

#include <string>

#include <phobos/ir/text.h>
#include <phobos/passes/facts.h>

using namespace phobos;
using passes::Fact;

namespace {

struct Known {
  ir::Kernel kernel;
  passes::Facts facts;

  explicit Known(const std::string& body) : kernel(read(body)), facts(kernel) {}

  static ir::Kernel read(const std::string& body) {
    auto parsed = ir::parse("kernel k\nthreads 128\ndimension M\ndimension N\nparameter X: buffer<f32>[M, N] read\nparameter n: i64\nparameter m: i32\n"
                            "promise N % 32\npromise N % 48\n{\n" + body + "  return\n}\n");
    REQUIRE_MESSAGE(parsed.ok(), parsed.message());
    return *parsed;
  }
  ir::ValueId named(const std::string& name) const {
    for (std::uint32_t i = 0; i < kernel.values.size(); ++i)
      if (kernel[ir::ValueId(i)].name == name) return ir::ValueId(i);
    FAIL("no value `", name, "`");
    return {};
  }
  const Fact& operator[](const std::string& name) const { return facts.of(named(name)); }
  bool fits(const std::string& name, std::int64_t count, std::int64_t extent) const { return facts.fits(named(name), count, extent); }
};

constexpr std::int64_t rows = ir::dynamic_extent(0), columns = ir::dynamic_extent(1);

}  // namespace

TEST_CASE("a dimension is a multiple of what is promised, and no more than itself") {
  const Known known("");
  CHECK(known["N"].divisor == 96);
  CHECK(known["M"].divisor == 1);
  CHECK(known["N"].least == 0);
  CHECK(known.fits("N", 0, columns));
  CHECK_FALSE(known.fits("N", 1, columns));
  CHECK_FALSE(known.fits("N", 0, rows));
  CHECK(known.facts.extent_divisor(64) == 64);
  CHECK(known["n"].least == Fact::no_least);
  CHECK(known["m"].least == INT32_MIN);
}

TEST_CASE("arithmetic keeps bounds and divisors, and forgets them where it may wrap around") {
  const Known known(
      "%b: index = ctx<block.x>\n%t: index varying = ctx<thread>\n%c8: index = const 8\n%c3: index = const 3\n%far: i64 = const 4611686018427387904\n"
      "%s: index = mul %b, %c8\n%u: index varying = mul %t, %c8\n%v: index varying = add %s, %u\n%w: index varying = sub %v, %c3\n"
      "%q: index varying = div %u, %c8\n%r: index varying = rem %v, %c3\n%a: index varying = and %v, %c3\n%min: index varying = min %v, %N\n"
      "%o: i64 = mul %far, %far\n%p: i64 = add %n, %far\n%big: i32 = const 2147483647\n%wrapped: i32 = add %big, %big\n");
  CHECK(known["s"].divisor == 8);
  CHECK(known["u"].most == 127 * 8);
  CHECK(known["v"].divisor == 8);
  CHECK(known["v"].least == 0);
  CHECK(known["w"].least == -3);
  CHECK(known["w"].divisor == 1);
  CHECK(known["q"].most == 127);
  CHECK(known["r"].most == 2);
  CHECK(known["a"].most == 3);
  CHECK(known.fits("min", 0, columns));
  CHECK(known["o"].least == Fact::no_least);
  CHECK(known["p"].least == Fact::no_least);
  CHECK(known["wrapped"].least == INT32_MIN);
  CHECK(known["wrapped"].most == INT32_MAX);
}

TEST_CASE("a loop's variable stays below its end, by as much as both are multiples of") {
  const Known known(
      "%z: index = const 0\n%c32: index = const 32\n%c5: index = const 5\n%t: index varying = ctx<thread>\n%two: index = const 2\n%t2: index varying = mul %t, %two\n"
      "for %z, %N, %c32 (%k: index) {\n %ahead: index = add %k, %c32\n %more: bool = cmp.lt %ahead, %N\n yield\n}\n"
      "for %z, %M, %c32 (%i: index) {\n yield\n}\n"
      "for %z, %N, %c5 (%j: index) {\n yield\n}\n"
      "for %z, %c32, %c5 (%l: index) {\n yield\n}\n"
      "for %n, %n, %c32 (%x: i64) {\n yield\n}\n");
  CHECK(known["k"].divisor == 32);
  CHECK(known.fits("k", 32, columns));
  CHECK_FALSE(known.fits("k", 33, columns));
  CHECK_FALSE(known.fits("k", 1, rows));
  CHECK(known.fits("i", 1, rows));
  CHECK_FALSE(known.fits("i", 2, rows));
  CHECK(known.fits("j", 1, columns));
  CHECK_FALSE(known.fits("j", 2, columns));
  CHECK(known["l"].most == 31);
  CHECK(known.fits("l", 1, 32));
  CHECK(known["x"].least == Fact::no_least);
  CHECK_FALSE(known.fits("ahead", 32, columns));
  CHECK(known.facts.fits_where(known.named("more"), known.named("ahead"), 32, columns));
  CHECK_FALSE(known.facts.fits_where(known.named("more"), known.named("ahead"), 33, columns));
  CHECK_FALSE(known.facts.fits_where(known.named("more"), known.named("k"), 33, columns));
}
