#include <doctest/doctest.h>

#include <cmath>

#include <phobos/launch/compare.h>
#include <phobos/launch/summary.h>
#include <phobos/launch/timing.h>

using namespace phobos;
using namespace phobos::launch;

namespace {

HostTensor tensor(ScalarType element, std::vector<std::int64_t> shape, std::vector<double> values) {
  Result<HostTensor> made = make_tensor(element, std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) made->set_real(static_cast<std::int64_t>(i), values[i]);
  return *made;
}

}  // namespace

TEST_CASE("the worst element is named") {
  const HostTensor actual = tensor(ScalarType::F32, {2, 2}, {1, 2, 3.5, 4.25}), expected = tensor(ScalarType::F32, {2, 2}, {1, 2, 3, 4});
  const Comparison comparison = compare(actual, expected, {1e-3, 0});
  CHECK_FALSE(comparison.same);
  CHECK(comparison.differing == 2);
  CHECK(comparison.worst == 2);
  CHECK(comparison.message.find("2 of 4 elements differ; worst at [1, 0]: 3.5, expected 3") == 0);
  CHECK(compare(actual, expected, {0, 0.5}).same);
  CHECK(compare(actual, expected, {0.2, 0}).same);
}

TEST_CASE("NaN, infinities and zeros") {
  const double nan = std::nan(""), inf = HUGE_VAL;
  const auto same = [](double a, double b) {
    return compare(tensor(ScalarType::F64, {1}, {a}), tensor(ScalarType::F64, {1}, {b}), {1, 1}).same;
  };
  CHECK(same(nan, nan));
  CHECK(same(inf, inf));
  CHECK_FALSE(same(inf, -inf));
  CHECK_FALSE(same(inf, 1e300));
  CHECK_FALSE(same(1.0, nan));
  CHECK_FALSE(same(nan, 1.0));
  CHECK(compare(tensor(ScalarType::F32, {1}, {-0.0}), tensor(ScalarType::F32, {1}, {0.0}), {0, 0}).same);
}

TEST_CASE("integers are compared as integers") {
  HostTensor a = tensor(ScalarType::I64, {1}, {0}), b = a;
  a.set_integer(0, 9007199254740993);
  b.set_integer(0, 9007199254740992);
  CHECK_FALSE(compare(a, b, {0, 0}).same);
  CHECK(compare(a, b, {0, 1}).same);
  CHECK_FALSE(compare(a, tensor(ScalarType::I64, {2}, {0, 0}), {0, 0}).same);
}

TEST_CASE("tolerances where not all is said") {
  const HostTensor integers = tensor(ScalarType::I32, {2}, {3, 4}), reals = tensor(ScalarType::F32, {2}, {3, 4});
  CHECK(tolerance_for(integers, integers, {}, {}).relative == 0);
  CHECK(tolerance_for(integers, integers, 0.1, {}).absolute == 0);
  CHECK(tolerance_for(reals, reals, {}, {}).relative == 1e-5);
  CHECK(tolerance_for(reals, reals, {}, {}).absolute == doctest::Approx(1e-5 * std::sqrt(12.5)));
  CHECK(tolerance_for(reals, reals, {}, 0.5).relative == 0);
  CHECK(tolerance_for(reals, reals, 0.0, {}).absolute == 0);
  CHECK(tolerance_for(reals, reals, 1e-4, {}).absolute == doctest::Approx(1e-6 * std::sqrt(12.5)));
  const HostTensor small = tensor(ScalarType::F32, {2}, {3e-6, 4e-6}), zeros = tensor(ScalarType::F32, {2}, {0, 0});
  CHECK_FALSE(compare(zeros, small, tolerance_for(zeros, small, 1e-4, {})).same);
}

TEST_CASE("summaries and timings") {
  const Summary summary = summarise(tensor(ScalarType::F32, {4}, {1, std::nan(""), -3, 5}));
  CHECK(summary.min == -3);
  CHECK(summary.max == 5);
  CHECK(summary.mean == 1);
  CHECK(summary.nan == 1);
  CHECK(summarise(tensor(ScalarType::F32, {0}, {})).counted == 0);
  const Timing timing = timing_of({5, 1, 3, 2, 4});
  CHECK(timing.median == 3);
  CHECK(timing.low == 2);
  CHECK(timing.high == 4);
  CHECK(position_text({2, 3, 4}, 23) == "[1, 2, 3]");
}
