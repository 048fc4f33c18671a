#include <cmath>
#include <limits>

#include <phobos/support/float16.h>

#include "sim_test.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

constexpr std::size_t threads = 96;

// O[t] = f(A[t]) in 96 threads; `body` makes %r of %a.
template <class T>
std::vector<T> each(std::string_view type, std::string_view body, std::vector<T> a) {
  const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 96
parameter A: buffer<{0}>[96] read
parameter O: buffer<{0}>[96] written
{{
  %t: index varying = ctx<thread>
  %lane: index varying = ctx<lane>
  %w: index warp = ctx<warp>
  %a: {0} varying = load %A, %t
{1}
  store %O, %r, %t
  return
}}
)", type, body));
  std::vector<T> out(threads);
  run_clean(kernel, launch({tensor(a), tensor(out)}));
  return out;
}

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> a(threads);
  for (std::size_t i = 0; i < threads; ++i) a[i] = static_cast<std::int32_t>((i * 37) % 101) - 50;
  return a;
}

}  // namespace

TEST_CASE("folds over the lanes of a warp and the threads of a CTA") {
  const auto a = numbers();
  const auto sum = each<std::int32_t>("i32", "%r: i32 warp = collective<sum lane> %a", a);
  const auto most = each<std::int32_t>("i32", "%r: i32 warp = collective<max lane> %a", a);
  const auto all = each<std::int32_t>("i32", "%r: i32 = collective<sum thread> %a", a);
  const auto least = each<std::int32_t>("i32", "%r: i32 = collective<min thread> %a", a);
  std::int32_t total = 0;
  for (std::int32_t one : a) total += one;
  for (std::size_t t = 0; t < threads; ++t) {
    std::int32_t warp_sum = 0, warp_max = INT32_MIN;
    for (std::size_t i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      warp_sum += a[i];
      warp_max = std::max(warp_max, a[i]);
    }
    CHECK_EQ(sum[t], warp_sum);
    CHECK_EQ(most[t], warp_max);
    CHECK_EQ(all[t], total);
    CHECK_EQ(least[t], *std::min_element(a.begin(), a.end()));
  }
}

TEST_CASE("float sums go in the order of a butterfly, and from warp to warp") {
  std::vector<float> a(threads);
  for (std::size_t i = 0; i < threads; ++i) a[i] = 1.0f / static_cast<float>(i + 1);
  std::vector<float> b = a;
  float warps[4] = {};
  for (std::size_t warp = 0; warp < 3; ++warp) {
    float* lanes = b.data() + warp * 32;
    for (std::size_t distance = 16; distance > 0; distance /= 2)
      for (std::size_t i = 0; i < distance; ++i) lanes[i] += lanes[i + distance];
    warps[warp] = lanes[0];
  }
  const auto by_lane = each<float>("f32", "%r: f32 warp = collective<sum lane> %a", a);
  const auto by_thread = each<float>("f32", "%r: f32 = collective<sum thread> %a", a);
  for (std::size_t t = 0; t < threads; ++t) {
    CHECK_EQ(by_lane[t], warps[t / 32]);
    CHECK_EQ(by_thread[t], (warps[0] + warps[1]) + warps[2]);
  }
}

TEST_CASE("folds of 16-bit floats are kept in f32 and rounded once; NaN gives way, and zeros go by their signs") {
  std::vector<std::uint16_t> a(threads, float_to_f16(1.0f));
  a[0] = float_to_f16(2048.0f);  // where every single 1 would be rounded away
  const auto sum = each<std::uint16_t>("f16", "%r: f16 = collective<sum thread> %a", a);
  CHECK_EQ(f16_to_float(sum[5]), 2048.0f + 96.0f);  // 2143 is half way between 2142 and 2144, which is even
  std::vector<float> zeros(threads, std::numeric_limits<float>::quiet_NaN());
  zeros[3] = 0.0f, zeros[40] = -0.0f, zeros[70] = 0.0f, zeros[71] = -0.0f;
  const auto least = each<float>("f32", "%r: f32 warp = collective<min lane> %a", zeros);
  const auto most = each<float>("f32", "%r: f32 warp = collective<max lane> %a", zeros);
  const bool negative[] = {false, true, true}, positive[] = {false, true, false};
  for (std::size_t t = 0; t < threads; ++t) {
    CHECK_EQ(least[t], 0.0f);
    CHECK_EQ(std::signbit(least[t]), negative[t / 32]);
    CHECK_EQ(std::signbit(most[t]), positive[t / 32]);
  }
}

TEST_CASE("any and all") {
  std::vector<std::uint8_t> a(threads, 0);
  for (std::size_t i = 64; i < threads; ++i) a[i] = 1;
  a[3] = 1;
  const auto any = each<std::uint8_t>("bool", "%r: bool warp = collective<any lane> %a", a);
  const auto all = each<std::uint8_t>("bool", "%r: bool warp = collective<all lane> %a", a);
  const auto every = each<std::uint8_t>("bool", "%r: bool = collective<all thread> %a", a);
  for (std::size_t t = 0; t < threads; ++t) {
    CHECK_EQ(any[t], t < 32 || t >= 64);
    CHECK_EQ(all[t], t >= 64);
    CHECK_EQ(every[t], 0);
  }
}

TEST_CASE("a lane fold under a warp's own control leaves out the other warps") {
  const auto out = each<std::int32_t>("i32", R"(
  %one: index = const 1
  %zero: i32 = const 0
  %p: bool warp = cmp.eq %w, %one
  %r: i32 warp = if %p {
    %s: i32 warp = collective<sum lane> %a
    yield %s
  } else {
    yield %zero
  })", std::vector<std::int32_t>(threads, 2));
  for (std::size_t t = 0; t < threads; ++t) CHECK_EQ(out[t], t / 32 == 1 ? 64 : 0);
}

TEST_CASE("shuffles") {
  const auto a = numbers();
  const auto shuffled = [&](std::string_view mode, std::int64_t operand) {
    return each<std::int32_t>("i32", fmt::format("%e: index = const {}\n%r: i32 varying = shuffle<{}> %a, %e", operand, mode), a);
  };
  for (std::int64_t e : {0, 1, 5, 31, 32, -1, 40}) {
    const auto by_xor = shuffled("xor", e), up = shuffled("up", e), down = shuffled("down", e), from = shuffled("from", e);
    for (std::size_t t = 0; t < threads; ++t) {
      const std::int64_t lane = static_cast<std::int64_t>(t) % 32, first = static_cast<std::int64_t>(t) - lane;
      const auto at = [&](std::int64_t source) { return a[static_cast<std::size_t>(first + (source < 0 || source > 31 ? lane : source))]; };
      CHECK_EQ(by_xor[t], at(lane ^ e));
      CHECK_EQ(up[t], at(lane - e));
      CHECK_EQ(down[t], at(lane + e));
      CHECK_EQ(from[t], at(e & 31));
    }
  }
}

TEST_CASE("a shuffle whose operand differs between lanes") {
  const auto a = numbers();
  const auto out = each<std::int32_t>("i32", "%c31: index = const 31\n%e: index varying = sub %c31, %lane\n"
                                             "%r: i32 varying = shuffle<from> %a, %e", a);
  for (std::size_t t = 0; t < threads; ++t) CHECK_EQ(out[t], a[t / 32 * 32 + 31 - t % 32]);
}

TEST_CASE("runs: loads, arithmetic, folds and stores of a thread's own elements") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter A: buffer<i32>[3, 40] read
parameter O: buffer<i32>[32, 6] written
parameter S: buffer<i32>[32] written
{
  %t: index varying = ctx<thread>
  %one: index = const 1
  %two: i32 = const 2
  %a: run<i32>[4] varying = run_load<1> %A, %one, %t
  %twice: run<i32>[4] varying = splat %two
  %b: run<i32>[4] varying = mul %a, %twice
  %c: run<i32>[4] varying = elem_load %A, %t
  %d: run<i32>[4] varying = sub %b, %c
  %s: i32 varying = run_fold<sum> %d
  store %S, %s, %t
  %four: index = const 4
  run_store<1> %O, %d, %t, %four
  return
}
)");
  std::vector<std::int32_t> a(120), out(192, -1), sums(32);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int32_t>(i * i % 97);
  a[39] = 1000;
  run_clean(kernel, launch({tensor(a, {3, 40}), tensor(out, {32, 6}), tensor(sums)}));
  for (std::size_t t = 0; t < 32; ++t) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int32_t value = (t + i < 40 ? 2 * a[40 + t + i] : 0) - a[t + i];
      sum += value;
      CHECK_EQ(out[t * 6 + i], -1);
      if (i < 2) CHECK_EQ(out[t * 6 + 4 + i], value);
    }
    CHECK_EQ(sums[t], sum);
  }
}
