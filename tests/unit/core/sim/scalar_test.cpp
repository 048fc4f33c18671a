#include <cmath>
#include <limits>

#include <phobos/support/float16.h>

#include "sim_test.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::test;

namespace {

// One thread-wise operation: O[t] = op A[t], B[t], in 32 threads.
template <class Out, class In>
std::vector<Out> apply(std::string_view op, std::string_view out_type, std::string_view in_type, std::vector<In> a, std::vector<In> b) {
  const std::size_t used = a.size();
  a.resize(32);
  b.resize(32, In(1));
  const bool unary = op.find("unary ") == 0;
  const std::string text = fmt::format(R"(kernel k
threads 32
parameter A: buffer<{1}>[32] read
parameter B: buffer<{1}>[32] read
parameter O: buffer<{0}>[32] written
{{
  %t: index varying = ctx<thread>
  %a: {1} varying = load %A, %t
  %b: {1} varying = load %B, %t
  %r: {0} varying = {2} %a{3}
  store %O, %r, %t
  return
}}
)", out_type, in_type, unary ? op.substr(6) : op, unary ? "" : ", %b");
  const ir::Kernel kernel = valid(text);
  std::vector<Out> out(32);
  run_clean(kernel, launch({tensor(a), tensor(b), tensor(out)}));
  out.resize(used);
  return out;
}

template <class T>
void check_same(const std::vector<T>& found, const std::vector<T>& expected) {
  REQUIRE_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK_MESSAGE((found[i] == expected[i] || (found[i] != found[i] && expected[i] != expected[i])), i, ": ", found[i], " for ", expected[i]);
    if constexpr (std::is_floating_point_v<T>) CHECK_EQ(std::signbit(found[i]), std::signbit(expected[i]));
  }
}

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
using I8 = std::vector<std::int8_t>;
using U8 = std::vector<std::uint8_t>;
using I32 = std::vector<std::int32_t>;
using I64 = std::vector<std::int64_t>;
using F32 = std::vector<float>;
using F64 = std::vector<double>;
using Bits = std::vector<std::uint16_t>;

}  // namespace

TEST_CASE("integers wrap at their width") {
  check_same(apply<std::int32_t>("add", "i32", "i32", I32{INT32_MAX, -1}, I32{1, 1}), I32{INT32_MIN, 0});
  check_same(apply<std::int64_t>("mul", "i64", "i64", I64{INT64_MAX, 3}, I64{2, -5}), I64{-2, -15});
  check_same(apply<std::int8_t>("add", "i8", "i8", I8{127, -128}, I8{1, -1}), I8{-128, 127});
  check_same(apply<std::uint8_t>("sub", "u8", "u8", U8{0, 9}, U8{1, 10}), U8{255, 255});
  check_same(apply<std::int8_t>("unary neg", "i8", "i8", I8{-128, 5}, {}), I8{-128, -5});
  check_same(apply<std::int32_t>("unary abs", "i32", "i32", I32{INT32_MIN, -5}, {}), I32{INT32_MIN, 5});
  check_same(apply<std::uint8_t>("unary not", "u8", "u8", U8{0, 0xf0}, {}), U8{255, 0x0f});
}

TEST_CASE("division truncates, and the least integer wraps") {
  check_same(apply<std::int32_t>("div", "i32", "i32", I32{-7, 7, INT32_MIN}, I32{2, -2, -1}), I32{-3, -3, INT32_MIN});
  check_same(apply<std::int32_t>("rem", "i32", "i32", I32{-7, 7, INT32_MIN}, I32{2, -2, -1}), I32{-1, 1, 0});
  check_same(apply<std::int64_t>("div", "i64", "i64", I64{INT64_MIN, 9}, I64{-1, 2}), I64{INT64_MIN, 4});
  check_same(apply<std::int8_t>("div", "i8", "i8", I8{-128}, I8{-1}), I8{-128});
}

TEST_CASE("shifts take their count modulo the width") {
  check_same(apply<std::int32_t>("shl", "i32", "i32", I32{1, 1, 1}, I32{33, -1, 4}), I32{2, INT32_MIN, 16});
  check_same(apply<std::int32_t>("shr", "i32", "i32", I32{-8, 8}, I32{1, 35}), I32{-4, 1});
  check_same(apply<std::int8_t>("shl", "i8", "i8", I8{1, 64}, I8{9, 1}), I8{2, -128});
  check_same(apply<std::uint8_t>("shr", "u8", "u8", U8{255, 128}, U8{1, 15}), U8{127, 1});
  check_same(apply<std::int64_t>("shl", "i64", "i64", I64{1}, I64{65}), I64{2});
}

TEST_CASE("floats: NaN, infinities and signed zeros") {
  check_same(apply<float>("min", "f32", "f32", F32{NaN, 1, NaN, 2}, F32{1, NaN, NaN, 3}), F32{1, 1, NaN, 2});
  check_same(apply<float>("max", "f32", "f32", F32{NaN, 1, -inf, 2}, F32{1, NaN, 0, 3}), F32{1, 1, 0, 3});
  check_same(apply<float>("div", "f32", "f32", F32{1, -1, 0}, F32{0, 0, 0}), F32{inf, -inf, std::copysign(NaN, -1.0f)});
  check_same(apply<float>("unary neg", "f32", "f32", F32{0, -0.0f, 1}, {}), F32{-0.0f, 0, -1});
  check_same(apply<float>("unary abs", "f32", "f32", F32{-0.0f, -inf}, {}), F32{0, inf});
  check_same(apply<float>("unary round", "f32", "f32", F32{0.5f, 1.5f, 2.5f, -0.5f, -2.5f}, {}), F32{0, 2, 2, -0.0f, -2});
  check_same(apply<float>("rem", "f32", "f32", F32{-7, 7.5f}, F32{2, 2}), F32{-1, 1.5f});
  check_same(apply<std::uint8_t>("cmp.lt", "bool", "f32", F32{1, NaN, 2}, F32{2, 1, 2}), U8{1, 0, 0});
  check_same(apply<std::uint8_t>("cmp.ne", "bool", "f32", F32{NaN, 1}, F32{NaN, 1}), U8{1, 0});
}

TEST_CASE("functions are rounded once from double") {
  const F32 x{0.1f, 1.7f, 3.0f, 10.0f};
  const auto each = [&](auto f) {
    F32 out;
    for (float one : x) out.push_back(static_cast<float>(f(static_cast<double>(one))));
    return out;
  };
  check_same(apply<float>("unary exp", "f32", "f32", x, {}), each([](double v) { return std::exp(v); }));
  check_same(apply<float>("unary log", "f32", "f32", x, {}), each([](double v) { return std::log(v); }));
  check_same(apply<float>("unary sqrt", "f32", "f32", x, {}), each([](double v) { return std::sqrt(v); }));
  check_same(apply<float>("unary rsqrt", "f32", "f32", x, {}), each([](double v) { return 1 / std::sqrt(v); }));
  check_same(apply<float>("unary tanh", "f32", "f32", x, {}), each([](double v) { return std::tanh(v); }));
  check_same(apply<float>("unary sin", "f32", "f32", x, {}), each([](double v) { return std::sin(v); }));
  check_same(apply<float>("unary cos", "f32", "f32", x, {}), each([](double v) { return std::cos(v); }));
  check_same(apply<double>("pow", "f64", "f64", F64{2, 9}, F64{10, 0.5}), F64{1024, 3});
  check_same(apply<double>("unary floor", "f64", "f64", F64{-1.5, 1.5}, {}), F64{-2, 1});
  check_same(apply<double>("unary ceil", "f64", "f64", F64{-1.5, 1.5}, {}), F64{-1, 2});
}

TEST_CASE("e^x is within a half and a bit of the last place, over all floats that matter") {
  std::vector<float> x;
  for (float value = -104.5f; value < 89.5f; value += 0.00431f) x.push_back(value);
  for (float value : {0.0f, -0.0f, inf, -inf, NaN, 88.72283f, 88.72284f, -87.33655f, -103.97208f, -103.9721f, 1e-30f, -200.0f, 1e30f}) x.push_back(value);
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<float> out(x.size());
  const ir::Kernel kernel = valid(R"(kernel k
threads 256
dimension N
parameter A: buffer<f32>[N] read
parameter O: buffer<f32>[N] written
{
  %t: index varying = ctx<thread>
  %b: index = ctx<block.x>
  %n: index = const 256
  %first: index = mul %b, %n
  %i: index varying = add %first, %t
  %in: bool varying = cmp.lt %i, %N
  if %in {
    %a: f32 varying = load %A, %i
    %r: f32 varying = exp %a
    store %O, %r, %i
    yield
  } else {
    yield
  }
  return
}
)");
  run_clean(kernel, launch({tensor(x), tensor(out)}, {(n + 255) / 256, 1, 1}, {n}));
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(x[i]));
    const float rounded = static_cast<float>(exact);
    if (std::isnan(x[i])) wrong += !std::isnan(out[i]);
    else if (std::isinf(rounded) || rounded == 0) wrong += out[i] != rounded;
    else wrong += std::abs(out[i] - exact) > 0.501 * (std::nextafter(rounded, inf) - rounded);
  }
  CHECK_EQ(wrong, 0);
}

TEST_CASE("16-bit floats are rounded after each operation") {
  const auto h = [](float value) { return float_to_f16(value); };
  const auto b = [](float value) { return float_to_bf16(value); };
  // 2049 lies between two values of f16 and goes to the even one; 65504 + 32 is past the largest.
  check_same(apply<std::uint16_t>("add", "f16", "f16", Bits{h(2048), h(65504), h(1)}, Bits{h(1), h(32), h(0x1p-12f)}),
             Bits{h(2048), h(inf), h(1)});
  check_same(apply<std::uint16_t>("mul", "f16", "f16", Bits{h(0x1p-14f), h(0x1p-24f)}, Bits{h(0x1.8p-10f), h(0.5f)}),
             Bits{h(0x1p-23f), h(0)});
  check_same(apply<std::uint16_t>("add", "bf16", "bf16", Bits{b(256), b(1)}, Bits{b(1), b(0x1p-9f)}), Bits{b(256), b(1)});
}

TEST_CASE("every f16 and bf16 comes through memory and rounding as it is") {
  for (std::string_view type : {"f16", "bf16"}) {
    const ir::Kernel kernel = valid(fmt::format(R"(kernel k
parameter A: buffer<{0}>[65536] read
parameter O: buffer<{0}>[65536] written
{{
  %t: index varying = ctx<thread>
  %b: index = ctx<block.x>
  %n: index = const 256
  %first: index = mul %b, %n
  %i: index varying = add %first, %t
  %a: {0} varying = load %A, %i
  %zero: {0} = const -0
  %r: {0} varying = add %a, %zero
  store %O, %r, %i
  return
}}
)", type));
    std::vector<std::uint16_t> in(65536), out(65536);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i);
    run_clean(kernel, launch({tensor(in), tensor(out)}, {256, 1, 1}));
    int wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const float value = type == "f16" ? f16_to_float(in[i]) : bf16_to_float(in[i]);
      const float result = type == "f16" ? f16_to_float(out[i]) : bf16_to_float(out[i]);
      wrong += std::isnan(value) ? !std::isnan(result) : in[i] != out[i];
    }
    CHECK_EQ(wrong, 0);
  }
}

TEST_CASE("conversions truncate, saturate, and make 0 of NaN") {
  check_same(apply<std::int32_t>("unary convert", "i32", "f32", F32{-1.9f, 1.9f, 3e9f, -3e9f, NaN, inf}, {}),
             I32{-1, 1, INT32_MAX, INT32_MIN, 0, INT32_MAX});
  check_same(apply<std::int64_t>("unary convert", "i64", "f32", F32{0x1p63f, -0x1p63f, 0x1p62f, NaN, -inf}, {}),
             I64{INT64_MAX, INT64_MIN, std::int64_t(1) << 62, 0, INT64_MIN});
  check_same(apply<std::int8_t>("unary convert", "i8", "f32", F32{200, -200, 127.9f, NaN}, {}), I8{127, -128, 127, 0});
  check_same(apply<std::uint8_t>("unary convert", "u8", "f64", F64{300, -1, 254.9, -0.5}, {}), U8{255, 0, 254, 0});
  check_same(apply<std::int8_t>("unary convert", "i8", "i32", I32{300, -129}, {}), I8{44, 127});
  check_same(apply<std::uint8_t>("unary convert", "u8", "i64", I64{-1, 257}, {}), U8{255, 1});
  check_same(apply<std::int64_t>("unary convert", "i64", "u8", U8{255}, {}), I64{255});
  check_same(apply<float>("unary convert", "f32", "i64", I64{16777217, INT64_MAX}, {}), F32{16777216, 0x1p63f});
  check_same(apply<float>("unary convert", "f32", "f64", F64{1e300, 0.1, 1e-50}, {}), F32{inf, 0.1f, 0});
  check_same(apply<float>("unary convert", "f32", "bool", U8{0, 1}, {}), F32{0, 1});
  check_same(apply<std::uint8_t>("unary convert", "bool", "i32", I32{0, 256, -1}, {}), U8{0, 1, 1});
}

TEST_CASE("conversion to 16 bits rounds once") {
  // Just above the middle of two values; rounding to f32 first would put it in the middle, and then down.
  const double above = 1 + 0x1p-11 + 0x1p-40;
  check_same(apply<std::uint16_t>("unary convert", "f16", "f64", F64{above, 1 + 0x1p-11, 65519.99999}, {}),
             Bits{float_to_f16(1 + 0x1p-10f), float_to_f16(1), float_to_f16(65504)});
  const std::int64_t big = (std::int64_t(1) << 60) + (std::int64_t(1) << 52) + 1;  // bf16 keeps 8 bits
  check_same(apply<std::uint16_t>("unary convert", "bf16", "i64", I64{big, big - 1}, {}),
             Bits{float_to_bf16(0x1p60f + 0x1p53f), float_to_bf16(0x1p60f)});
  check_same(apply<std::uint16_t>("unary convert", "bf16", "i32", I32{(1 << 30) + (1 << 22) + 1}, {}), Bits{float_to_bf16(0x1p30f + 0x1p23f)});
  check_same(apply<std::uint16_t>("unary convert", "bf16", "f32", F32{1 + 0x1p-8f + 0x1p-20f, 1 + 0x1p-8f}, {}),
             Bits{float_to_bf16(1 + 0x1p-7f), float_to_bf16(1)});
}

TEST_CASE("select and logic") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter A: buffer<bool>[32] read
parameter O: buffer<i32>[32] written
{
  %t: index varying = ctx<thread>
  %a: bool varying = load %A, %t
  %n: bool varying = not %a
  %yes: bool = const true
  %x: bool varying = xor %n, %yes
  %y: bool varying = and %x, %a
  %z: bool varying = or %y, %n
  %one: i32 = const 1
  %two: i32 = const 2
  %s: i32 varying = select %y, %one, %two
  %zi: i32 varying = convert %z
  %r: i32 varying = sub %s, %zi
  store %O, %r, %t
  return
}
)");
  std::vector<std::uint8_t> a(32);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = i % 3 == 0 ? 7 : 0;  // any byte but 0 is true
  std::vector<std::int32_t> out(32);
  run_clean(kernel, launch({tensor(a), tensor(out)}));
  for (std::size_t i = 0; i < out.size(); ++i) CHECK_EQ(out[i], i % 3 == 0 ? 0 : 1);
}

TEST_CASE("scalar parameters, dimensions, extents and the place in the grid") {
  const ir::Kernel kernel = valid(R"(kernel k
threads 64
dimension M
dimension N
parameter A: buffer<f32>[M, N] read
parameter x: f16
parameter n: i8
parameter p: bool
parameter O: buffer<f64>[2, 3, 2, 8] written
{
  %bx: index = ctx<block.x>
  %by: index = ctx<block.y>
  %bz: index = ctx<block.z>
  %gx: index = ctx<blocks.x>
  %gz: index = ctx<blocks.z>
  %e0: index = extent<0> %A
  %e1: index = extent<1> %A
  %thousand: index = const 1000
  %m: index = mul %M, %thousand
  %mn: index = add %m, %N
  %e: index = mul %e0, %e1
  %g: index = mul %gx, %gz
  %c0: index = const 0
  %c1: index = const 1
  %c2: index = const 2
  %c3: index = const 3
  %c4: index = const 4
  %c5: index = const 5
  %0: f64 = convert %mn
  %1: f64 = convert %e
  %2: f64 = convert %g
  %3: f64 = convert %x
  %4: f64 = convert %n
  %5: f64 = convert %p
  store %O, %0, %bz, %by, %bx, %c0
  store %O, %1, %bz, %by, %bx, %c1
  store %O, %2, %bz, %by, %bx, %c2
  store %O, %3, %bz, %by, %bx, %c3
  store %O, %4, %bz, %by, %bx, %c4
  store %O, %5, %bz, %by, %bx, %c5
  return
}
)");
  std::vector<float> a(35);
  std::vector<double> out(2 * 3 * 2 * 8, -1);
  run_clean(kernel, launch({tensor(a, {5, 7}), 0.1, std::int64_t(-3), std::int64_t(1), tensor(out, {2, 3, 2, 8})}, {2, 3, 2}, {5, 7}));
  const double expected[] = {5007, 35, 4, static_cast<double>(f16_to_float(float_to_f16(0.1f))), -3, 1, -1, -1};
  for (std::size_t i = 0; i < out.size(); ++i) CHECK_EQ(out[i], expected[i % 8]);
}
