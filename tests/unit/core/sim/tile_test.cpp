#include <cmath>

#include <phobos/support/float16.h>

#include "sim_test.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

std::vector<float> ramp(std::size_t n) {
  std::vector<float> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>((i * 7919) % 1009) / 64 - 7;
  return a;
}

// O = f(A): `body` makes %r of %a, which is all of A.
std::vector<float> on_tile(std::string_view in_shape, std::string_view out_shape, std::string_view body, std::vector<float> a,
                           std::size_t results) {
  const bool matrix = in_shape.find(',') != std::string_view::npos;
  const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 32
parameter A: buffer<f32>[{0}] read
parameter O: buffer<f32>[{1}] written
{{
  %z: index = const 0
  %a: tile<f32>[{0}] = tile_load %A, %z{3}
{2}
  tile_store %O, %r, %z, %z
  return
}}
)", in_shape, out_shape, body, matrix ? ", %z" : ""));
  std::vector<float> out(results, -99);
  std::vector<std::int64_t> in_extents, out_extents;
  for (std::int64_t extent : kernel.parameters[0].type.shape) in_extents.push_back(extent);
  for (std::int64_t extent : kernel.parameters[1].type.shape) out_extents.push_back(extent);
  run_clean(kernel, launch({tensor(a, in_extents), tensor(out, out_extents)}));
  return out;
}

}  // namespace

TEST_CASE("slices are masked on every side") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
dimension M
dimension N
parameter A: buffer<f32>[M, N] read
parameter O: buffer<f32>[8, 8] written
parameter P: buffer<f32>[M, N] written
parameter i: index
parameter j: index
{
  %z: index = const 0
  %t: tile<f32>[8, 8] = tile_load %A, %i, %j
  tile_store %O, %t, %z, %z
  %two: f32 = const 2
  %s: tile<f32>[8, 8] = splat %two
  tile_store %P, %s, %i, %j
  return
}
)");
  const std::int64_t big = INT64_MAX, rows = 5, columns = 11;
  std::vector<float> a = ramp(55);
  for (std::int64_t i : {std::int64_t(0), std::int64_t(-3), std::int64_t(4), std::int64_t(5), std::int64_t(-8), big, -big - 1})
    for (std::int64_t j : {std::int64_t(0), std::int64_t(-5), std::int64_t(7), std::int64_t(11), big, -big - 1}) {
      std::vector<float> out(64, -1), stored(55, -1);
      run_clean(kernel, launch({tensor(a, {rows, columns}), tensor(out, {8, 8}), tensor(stored, {rows, columns}), i, j}, {1, 1, 1},
                               {rows, columns}));
      const auto inside = [](std::int64_t start, std::int64_t at, std::int64_t extent) {  // start + at in [0, extent), in wide numbers
        const __int128 place = static_cast<__int128>(start) + at;
        return place >= 0 && place < extent;
      };
      std::vector<float> expected(55, -1);
      for (std::int64_t r = 0; r < 8; ++r)
        for (std::int64_t c = 0; c < 8; ++c) {
          const bool in = inside(i, r, rows) && inside(j, c, columns);
          const auto at = in ? static_cast<std::size_t>((i + r) * columns + j + c) : 0;
          CHECK_EQ(out[static_cast<std::size_t>(r * 8 + c)], in ? a[at] : 0);
          if (in) expected[at] = 2;
        }
      CHECK(stored == expected);
    }
}

TEST_CASE("tiles of rank 1, 3 and 4") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter A: buffer<i8>[2, 3, 4, 5] read
parameter O: buffer<i8>[2, 3, 4, 5] written
parameter V: buffer<i8>[7] written
parameter C: buffer<i8>[3, 4, 5] written
{
  %z: index = const 0
  %one: index = const 1
  %a: tile<i8>[1, 2, 3, 8] = tile_load %A, %one, %one, %one, %z
  tile_store %O, %a, %one, %one, %one, %z
  %n: i8 = const -7
  %v: tile<i8>[4] = splat %n
  %five: index = const 5
  tile_store %V, %v, %five
  %c: tile<i8>[2, 2, 2] = splat %n
  tile_store %C, %c, %one, %one, %one
  return
}
)");
  std::vector<std::int8_t> a(120), out(120, -1), v(7, 0), c(60, 0);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int8_t>(i);
  run_clean(kernel, launch({tensor(a, {2, 3, 4, 5}), tensor(out, {2, 3, 4, 5}), tensor(v), tensor(c, {3, 4, 5})}));
  for (std::size_t i = 0; i < 120; ++i) {
    const bool in = i / 60 >= 1 && i / 20 % 3 >= 1 && i / 5 % 4 >= 1;
    CHECK_EQ(out[i], in ? a[i] : -1);
  }
  CHECK(v == std::vector<std::int8_t>{0, 0, 0, 0, 0, -7, -7});
  for (std::size_t i = 0; i < 60; ++i) {
    const std::size_t x = i / 20, y = i / 5 % 4, z = i % 5;
    CHECK_EQ(c[i], x >= 1 && y >= 1 && y < 3 && z >= 1 && z < 3 ? -7 : 0);
  }
}

TEST_CASE("shapes: broadcast, reshape, transpose, tril, iota") {
  const auto a = ramp(15);
  const auto at = [&](std::size_t i, std::size_t j) { return a[i * 5 + j]; };
  const auto transposed = on_tile("3, 5", "5, 3", "%r: tile<f32>[5, 3] = transpose %a", a, 15);
  const auto reshaped = on_tile("3, 5", "1, 15", "%r: tile<f32>[1, 15] = reshape %a", a, 15);
  const auto lower = on_tile("3, 5", "3, 5", "%r: tile<f32>[3, 5] = tril %a", a, 15);
  const auto index = on_tile("3, 5", "3, 5", "%n: tile<i32>[3, 5] = iota<0>\n%m: tile<f32>[3, 5] = convert %n\n%r: tile<f32>[3, 5] = mul %m, %a", a, 15);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK_EQ(transposed[j * 3 + i], at(i, j));
      CHECK_EQ(reshaped[i * 5 + j], at(i, j));
      CHECK_EQ(lower[i * 5 + j], j <= i ? at(i, j) : 0);
      CHECK_EQ(index[i * 5 + j], static_cast<float>(i) * at(i, j));
    }
  const auto rows = on_tile("3, 1", "3, 5", "%r: tile<f32>[3, 5] = broadcast %a", {1, 2, 3}, 15);
  const auto columns = on_tile("1, 5", "3, 5", "%r: tile<f32>[3, 5] = broadcast %a", {1, 2, 3, 4, 5}, 15);
  for (std::size_t i = 0; i < 15; ++i) {
    CHECK_EQ(rows[i], static_cast<float>(i / 5 + 1));
    CHECK_EQ(columns[i], static_cast<float>(i % 5 + 1));
  }
}

TEST_CASE("folds of rows, argmax and running sums") {
  const auto a = ramp(4 * 33);
  const auto sums = on_tile("4, 33", "4, 1", "%r: tile<f32>[4, 1] = row_fold<sum> %a", a, 4);
  const auto most = on_tile("4, 33", "4, 1", "%r: tile<f32>[4, 1] = row_fold<max> %a", a, 4);
  const auto least = on_tile("4, 33", "4, 1", "%r: tile<f32>[4, 1] = row_fold<min> %a", a, 4);
  const auto arg = on_tile("4, 33", "4, 1", "%n: tile<i32>[4, 1] = row_argmax %a\n%r: tile<f32>[4, 1] = convert %n", a, 4);
  const auto running = on_tile("4, 33", "4, 33", "%r: tile<f32>[4, 33] = cumsum %a", a, 4 * 33);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto row = a.begin() + static_cast<std::ptrdiff_t>(i * 33);
    double sum = 0;
    for (std::size_t j = 0; j < 33; ++j) {
      sum += row[static_cast<std::ptrdiff_t>(j)];
      double down = 0;
      for (std::size_t k = 0; k <= i; ++k) down += a[k * 33 + j];
      CHECK_EQ(running[i * 33 + j], static_cast<float>(down));
    }
    CHECK_EQ(sums[i], static_cast<float>(sum));
    CHECK_EQ(most[i], *std::max_element(row, row + 33));
    CHECK_EQ(least[i], *std::min_element(row, row + 33));
    CHECK_EQ(arg[i], static_cast<float>(std::max_element(row, row + 33) - row));
  }
  const float nan = std::nanf("");
  CHECK_EQ(on_tile("1, 3", "1, 1", "%r: tile<f32>[1, 1] = row_fold<max> %a", {nan, 2, 1}, 1)[0], 2);
}

namespace {

template <class T>
double value_of(T one) { return static_cast<double>(one); }
struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};
double value_of(Half one) { return f16_to_float(one.bits); }
double value_of(Brain one) { return bf16_to_float(one.bits); }
template <class T>
T make(int seed) {
  if constexpr (std::is_same_v<T, Half>) return {float_to_f16(static_cast<float>(seed) / 16)};
  else if constexpr (std::is_same_v<T, Brain>) return {float_to_bf16(static_cast<float>(seed) / 16)};
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(seed) / 16;
  else return static_cast<T>(seed);
}

// The values are such that every sum is exact, so the order of summation does not show.
template <class In, class Out>
void check_dot(std::string_view in, std::string_view out, std::int64_t m, std::int64_t n, std::int64_t k, bool transposed, bool added) {
  const std::string right = transposed ? fmt::format("{}, {}", n, k) : fmt::format("{}, {}", k, n);
  const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 32
parameter A: buffer<{0}>[{2}, {4}] read
parameter B: buffer<{0}>[{5}] read
parameter O: buffer<{1}>[{2}, {3}] written
{{
  %z: index = const 0
  %a: tile<{0}>[{2}, {4}] = tile_load %A, %z, %z
  %b: tile<{0}>[{5}] = tile_load %B, %z, %z
  %three: {1} = const 3
  %c: tile<{1}>[{2}, {3}] = splat %three
  %r: tile<{1}>[{2}, {3}] = dot{6} %a, %b{7}
  tile_store %O, %r, %z, %z
  return
}}
)", in, out, m, n, k, right, transposed ? "<transposed>" : "", added ? ", %c" : ""));
  std::vector<In> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = make<In>(static_cast<int>(i * 31 % 17) - (std::is_same_v<In, std::uint8_t> ? 0 : 8));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = make<In>(static_cast<int>(i * 13 % 19) - (std::is_same_v<In, std::uint8_t> ? 0 : 9));
  std::vector<Out> result(static_cast<std::size_t>(m * n));
  run_clean(kernel, launch({tensor(a, {m, k}), tensor(b, transposed ? std::vector{n, k} : std::vector{k, n}), tensor(result, {m, n})}));
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = added ? 3 : 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += value_of(a[static_cast<std::size_t>(i * k + p)]) * value_of(b[static_cast<std::size_t>(transposed ? j * k + p : p * n + j)]);
      wrong += static_cast<double>(result[static_cast<std::size_t>(i * n + j)]) != sum;
    }
  CHECK_MESSAGE(wrong == 0, in, " ", m, "x", n, "x", k);
}

}  // namespace

TEST_CASE("contractions of every type and of shapes that fill no block") {
  const std::int64_t shapes[][3] = {{1, 1, 1}, {4, 8, 16}, {5, 7, 3}, {64, 64, 64}, {3, 33, 65}, {17, 1, 9}};
  for (const auto& [m, n, k] : shapes)
    for (bool transposed : {false, true})
      for (bool added : {false, true}) {
        check_dot<float, float>("f32", "f32", m, n, k, transposed, added);
        check_dot<double, double>("f64", "f64", m, n, k, transposed, added);
        check_dot<Half, float>("f16", "f32", m, n, k, transposed, added);
        check_dot<Brain, float>("bf16", "f32", m, n, k, transposed, added);
        check_dot<std::int8_t, std::int32_t>("i8", "i32", m, n, k, transposed, added);
        check_dot<std::uint8_t, std::int32_t>("u8", "i32", m, n, k, transposed, added);
        check_dot<std::int32_t, std::int32_t>("i32", "i32", m, n, k, transposed, added);
        check_dot<std::int64_t, std::int64_t>("i64", "i64", m, n, k, transposed, added);
      }
}

TEST_CASE("an f32 contraction is no less accurate than a chain of fused multiply-adds") {
  const std::size_t n = 16, k = 512;
  std::vector<float> a(n * k), b(k * n), out(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<float>(i * 3));
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter A: buffer<f32>[16, 512] read
parameter B: buffer<f32>[512, 16] read
parameter O: buffer<f32>[16, 16] written
{
  %z: index = const 0
  %step: index = const 64
  %end: index = const 512
  %zero: f32 = const 0
  %init: tile<f32>[16, 16] = splat %zero
  %r: tile<f32>[16, 16] = for %z, %end, %step, %init (%k: index, %acc: tile<f32>[16, 16]) {
    %a: tile<f32>[16, 64] = tile_load %A, %z, %k
    %b: tile<f32>[64, 16] = tile_load %B, %k, %z
    %next: tile<f32>[16, 16] = dot %a, %b, %acc
    yield %next
  }
  tile_store %O, %r, %z, %z
  return
}
)");
  run_clean(kernel, launch({tensor(a, {16, 512}), tensor(b, {512, 16}), tensor(out, {16, 16})}));
  double ours = 0, chain = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      long double exact = 0;
      float fused = 0;
      for (std::size_t p = 0; p < k; ++p) {
        exact += static_cast<long double>(a[i * k + p]) * b[p * n + j];
        fused = std::fma(a[i * k + p], b[p * n + j], fused);
      }
      ours += std::pow(static_cast<double>(out[i * n + j] - exact), 2);
      chain += std::pow(static_cast<double>(fused - exact), 2);
    }
  CHECK_LE(ours, chain);
}
