// What the exactness tests share: kernels that apply one operation to many elements, and the reference that they are held against.
// The reference is arithmetic on exact numbers (doubles that hold the value, 128-bit integers) with the rounding written out, and
// 16-bit floats are read by ldexp. A number that a float type has is told from all others by its value and its sign, so results
// are compared by those; NaN is compared as NaN, whatever its bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "sim_test.h"

namespace phobos::sim::exact {

using Wide = __int128;
using namespace phobos::sim::test;

// --- numbers ---

struct Format {
  int precision;       // bits of the significand
  int least_exponent;  // of two, for the smallest denormal
  double largest;
};
constexpr Format f16_format{11, -24, 65504.0}, bf16_format{8, -133, 0x1.fep127}, f32_format{24, -149, 0x1.fffffep127};

inline double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

// To the nearest number of the format, of two equally near to the even one.
inline double nearest(const Format& format, double x) {
  if (x != x || x == 0 || std::isinf(x)) return x;
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
  const int unit = std::max(exponent - format.precision + 1, format.least_exponent);
  const double size = std::abs(x) * power_of_two(-unit);
  auto whole = static_cast<std::int64_t>(size);
  const double rest = size - static_cast<double>(whole);
  if (rest > 0.5 || (rest == 0.5 && whole % 2 != 0)) ++whole;
  double result = static_cast<double>(whole) * power_of_two(unit);
  if (result > format.largest) result = std::numeric_limits<double>::infinity();
  return std::signbit(x) ? -result : result;
}

inline double nearest(const Format& format, Wide x) {
  const bool negative = x < 0;
  const Wide size = negative ? -x : x;
  int unit = 0;
  while ((size >> unit) >= (Wide(1) << format.precision)) ++unit;
  Wide whole = size >> unit;
  const Wide twice = (size - (whole << unit)) * 2, one = Wide(1) << unit;
  if (twice > one || (twice == one && whole % 2 != 0)) ++whole;
  double result = std::ldexp(static_cast<double>(whole), unit);
  if (result > format.largest) result = std::numeric_limits<double>::infinity();
  return negative ? -result : result;
}

inline double read_sixteen(std::uint16_t bits, int fraction_bits) {
  const int most = (1 << (15 - fraction_bits)) - 1, bias = most / 2;
  const int exponent = bits >> fraction_bits & most, fraction = bits & ((1 << fraction_bits) - 1);
  double size = 0;
  if (exponent == most) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0) size = std::ldexp(fraction, 1 - bias - fraction_bits);
  else size = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return bits >> 15 ? -size : size;
}

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

// --- element types: their names, ranges and values ---

template <class T>
struct Type;
template <class T, bool sign>
struct WholeType {
  static constexpr bool real = false;
  static constexpr int width = 8 * sizeof(T);
  static constexpr Wide least = sign ? -(Wide(1) << (width - 1)) : Wide(0);
  static constexpr Wide most = (Wide(1) << (sign ? width - 1 : width)) - 1;
  // The number of the type that is equal modulo 2^width.
  static Wide wrapped(Wide x) {
    const Wide size = Wide(1) << width;
    Wide rest = x % size;
    if (rest < least) rest += size;
    if (rest > most) rest -= size;
    return rest;
  }
};
template <>
struct Type<std::int8_t> : WholeType<std::int8_t, true> {
  static constexpr std::string_view name = "i8";
};
template <>
struct Type<std::uint8_t> : WholeType<std::uint8_t, false> {
  static constexpr std::string_view name = "u8";
};
template <>
struct Type<std::int32_t> : WholeType<std::int32_t, true> {
  static constexpr std::string_view name = "i32";
};
template <>
struct Type<std::int64_t> : WholeType<std::int64_t, true> {
  static constexpr std::string_view name = "i64";
};
template <>
struct Type<Half> {
  static constexpr bool real = true;
  static constexpr std::string_view name = "f16";
  static constexpr const Format* format = &f16_format;
};
template <>
struct Type<Brain> {
  static constexpr bool real = true;
  static constexpr std::string_view name = "bf16";
  static constexpr const Format* format = &bf16_format;
};
template <>
struct Type<float> {
  static constexpr bool real = true;
  static constexpr std::string_view name = "f32";
  static constexpr const Format* format = &f32_format;
};
template <>
struct Type<double> {
  static constexpr bool real = true;
  static constexpr std::string_view name = "f64";
};

inline const std::vector<double>& sixteen_bit_values(int fraction_bits) {
  static const auto table = [](int fraction) {
    std::vector<double> values(65536);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = read_sixteen(static_cast<std::uint16_t>(i), fraction);
    return values;
  };
  static const std::vector<double> half = table(10), brain = table(7);
  return fraction_bits == 10 ? half : brain;
}
inline double real_of(Half x) { return sixteen_bit_values(10)[x.bits]; }
inline double real_of(Brain x) { return sixteen_bit_values(7)[x.bits]; }
inline double real_of(float x) { return x; }
inline double real_of(double x) { return x; }

inline bool same(double a, double b) { return a != a ? b != b : a == b && std::signbit(a) == std::signbit(b); }

template <class T>
std::vector<T> all_sixteen_bits() {
  std::vector<T> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].bits = static_cast<std::uint16_t>(i);
  return all;
}

// Powers of two and what is next to them, of both signs; then some at random of every size.
template <class T>
std::vector<T> edges(int random = 40) {
  std::vector<T> found;
  for (int bit = 0; bit < Type<T>::width; ++bit)
    for (int by = -1; by <= 1; ++by)
      for (int sign : {-1, 1}) found.push_back(static_cast<T>(Type<T>::wrapped(sign * (Wide(1) << bit) + by)));
  std::mt19937_64 source(7);
  for (int i = 0; i < random; ++i) found.push_back(static_cast<T>(Type<T>::wrapped(static_cast<std::int64_t>(source()) >> source() % 64)));
  return found;
}

// --- kernels ---

template <class In>
std::vector<In> padded(std::vector<In> values) {
  values.resize((values.size() + 255) / 256 * 256, values.back());
  return values;
}

// `op %a` of each; `Out` as `out` names it, where the type alone does not tell.
template <class Out, class In>
std::vector<Out> map(std::string_view op, const std::vector<In>& values, std::string_view out, std::string_view in = Type<In>::name) {
  std::vector<In> a = padded(values);
  const auto n = static_cast<std::int64_t>(a.size());
  const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 256
parameter A: buffer<{0}>[{3}] read
parameter O: buffer<{1}>[{3}] written
{{
  %t: index varying = ctx<thread>
  %b: index = ctx<block.x>
  %n: index = const 256
  %first: index = mul %b, %n
  %i: index varying = add %first, %t
  %a: {0} varying = load %A, %i
  %r: {1} varying = {2} %a
  store %O, %r, %i
  return
}}
)", in, out, op, n));
  std::vector<Out> results(a.size());
  run_clean(kernel, launch({tensor(a), tensor(results)}, {n / 256, 1, 1}), false);
  results.resize(values.size());
  return results;
}
template <class Out, class In>
std::vector<Out> map(std::string_view op, const std::vector<In>& values) {
  return map<Out>(op, values, Type<Out>::name);
}

// `op %a, %b` of each of `left` with each of `right`; the result for i and j is at j * left + i.
template <class Out, class In>
std::vector<Out> cross(std::string_view op, const std::vector<In>& left, std::vector<In> right, std::string_view out) {
  std::vector<In> a = padded(left);
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(right.size());
  const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 256
parameter A: buffer<{0}>[{3}] read
parameter B: buffer<{0}>[{4}] read
parameter O: buffer<{1}>[{4}, {3}] written
{{
  %t: index varying = ctx<thread>
  %x: index = ctx<block.x>
  %y: index = ctx<block.y>
  %n: index = const 256
  %first: index = mul %x, %n
  %i: index varying = add %first, %t
  %a: {0} varying = load %A, %i
  %b: {0} = load %B, %y
  %r: {1} varying = {2} %a, %b
  store %O, %r, %y, %i
  return
}}
)", Type<In>::name, out, op, n, m));
  std::vector<Out> results(a.size() * right.size());
  Options options;
  options.checks = false;
  const Outcome outcome = run(kernel, launch({tensor(a), tensor(right), tensor(results, {m, n})}, {n / 256, m, 1}), options);
  CHECK(outcome.finished);
  if (a.size() == left.size()) return results;
  std::vector<Out> used;
  used.reserve(left.size() * right.size());
  for (std::size_t j = 0; j < right.size(); ++j) {
    const auto row = results.begin() + static_cast<std::ptrdiff_t>(j * a.size());
    used.insert(used.end(), row, row + static_cast<std::ptrdiff_t>(left.size()));
  }
  return used;
}

// Counts what is wrong and tells of the first.
class Comparison {
 public:
  explicit Comparison(std::string what) : what_(std::move(what)) {}
  ~Comparison() { CHECK_MESSAGE(wrong_ == 0, what_, ": ", wrong_, " of ", count_, " are wrong, first ", first_); }

  template <class Say>
  void add(bool right, Say&& say) {
    ++count_;
    if (right) return;
    if (wrong_++ == 0) first_ = say();
  }

 private:
  std::string what_, first_;
  std::int64_t wrong_ = 0, count_ = 0;
};

inline std::string text(Wide x) { return fmt::format("{}", static_cast<std::int64_t>(x)); }
inline std::string text(double x) { return fmt::format("{:a}", x); }

}  // namespace phobos::sim::exact
