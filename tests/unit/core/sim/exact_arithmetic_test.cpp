// Arithmetic of every type: bytes with all pairs, wider integers about the powers of two, 16-bit floats all with a sample of all.
#include <bit>

#include "exact.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::exact;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// --- integers ---

Wide quotient(Wide a, Wide b) {  // from magnitudes, so toward zero
  const Wide size = (a < 0 ? -a : a) / (b < 0 ? -b : b);
  return (a < 0) == (b < 0) ? size : -size;
}
int count_of(Wide b, int width) { return static_cast<int>(((b % width) + width) % width); }
Wide halved(Wide a, int times) {  // down, as a shift that keeps the sign does
  for (; times > 0; --times) a = (a - (((a % 2) + 2) % 2)) / 2;
  return a;
}
// Bit by bit, of the numbers modulo 2^width.
template <class T, class F>
Wide bitwise(Wide a, Wide b, F&& f) {
  const Wide size = Wide(1) << Type<T>::width;
  Wide left = ((a % size) + size) % size, right = ((b % size) + size) % size, result = 0;
  for (Wide bit = 1; bit < size; bit *= 2, left /= 2, right /= 2)
    if (f(left % 2 != 0, right % 2 != 0)) result += bit;
  return result;
}

template <class T, class F>
void check_pairs(std::string_view op, const std::vector<T>& left, const std::vector<T>& right, F&& expected) {
  const auto results = cross<T>(op, left, right, Type<T>::name);
  Comparison all(fmt::format("{} of {}", op, Type<T>::name));
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Wide a = left[i], b = right[j], found = results[j * left.size() + i];
      all.add(found == Type<T>::wrapped(expected(a, b)), [&] { return text(a) + ", " + text(b) + " gives " + text(found); });
    }
}
template <class T, class F>
void check_order(std::string_view op, const std::vector<T>& left, const std::vector<T>& right, F&& expected) {
  const auto results = cross<std::uint8_t>(op, left, right, "bool");
  Comparison all(fmt::format("{} of {}", op, Type<T>::name));
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = 0; i < left.size(); ++i)
      all.add(results[j * left.size() + i] == expected(left[i], right[j]), [&] { return fmt::format("{} and {}", +left[i], +right[j]); });
}

template <class T>
void check_integers(const std::vector<T>& left, const std::vector<T>& right) {
  constexpr int width = Type<T>::width;
  check_pairs("add", left, right, [](Wide a, Wide b) { return a + b; });
  check_pairs("sub", left, right, [](Wide a, Wide b) { return a - b; });
  check_pairs("mul", left, right, [](Wide a, Wide b) { return a * b; });
  check_pairs("min", left, right, [](Wide a, Wide b) { return a < b ? a : b; });
  check_pairs("max", left, right, [](Wide a, Wide b) { return a < b ? b : a; });
  check_pairs("shl", left, right, [](Wide a, Wide b) { return Type<T>::wrapped(a) * (Wide(1) << count_of(b, width)); });
  check_pairs("shr", left, right, [](Wide a, Wide b) { return halved(a, count_of(b, width)); });
  check_pairs("and", left, right, [](Wide a, Wide b) { return bitwise<T>(a, b, [](bool x, bool y) { return x && y; }); });
  check_pairs("or", left, right, [](Wide a, Wide b) { return bitwise<T>(a, b, [](bool x, bool y) { return x || y; }); });
  check_pairs("xor", left, right, [](Wide a, Wide b) { return bitwise<T>(a, b, [](bool x, bool y) { return x != y; }); });
  std::vector<T> divisors;
  for (T b : right)
    if (b != 0) divisors.push_back(b);
  check_pairs("div", left, divisors, quotient);
  check_pairs("rem", left, divisors, [](Wide a, Wide b) { return a - quotient(a, b) * b; });
  check_order("cmp.eq", left, right, [](Wide a, Wide b) { return a == b; });
  check_order("cmp.ne", left, right, [](Wide a, Wide b) { return a != b; });
  check_order("cmp.lt", left, right, [](Wide a, Wide b) { return a < b; });
  check_order("cmp.le", left, right, [](Wide a, Wide b) { return a <= b; });
  check_order("cmp.gt", left, right, [](Wide a, Wide b) { return a > b; });
  check_order("cmp.ge", left, right, [](Wide a, Wide b) { return a >= b; });

  const auto negated = map<T>("neg", left), inverted = map<T>("not", left), size = map<T>("abs", left);
  Comparison all(fmt::format("neg, not and abs of {}", Type<T>::name));
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Wide a = left[i];
    all.add(negated[i] == Type<T>::wrapped(-a) && inverted[i] == Type<T>::wrapped(-a - 1) && size[i] == Type<T>::wrapped(a < 0 ? -a : a),
            [&] { return text(a); });
  }
}

template <class T>
std::vector<T> all_bytes() {
  std::vector<T> all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<T>(i));
  return all;
}

// --- floats ---

// Of a NaN and a number the number, and -0 lies below 0.
double least(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double most(double a, double b) { return -least(-a, -b); }

// The result in f32, from the exact one or one that a double holds so nearly that rounding it again does no harm.
double single(double x) { return nearest(f32_format, x); }

template <class T, class F>
void check_reals(std::string_view op, const std::vector<T>& left, const std::vector<T>& right, F&& expected) {
  const auto results = cross<T>(op, left, right, Type<T>::name);
  Comparison all(fmt::format("{} of {}", op, Type<T>::name));
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double a = real_of(left[i]), b = real_of(right[j]), found = real_of(results[j * left.size() + i]);
      const double wanted = nearest(*Type<T>::format, single(expected(a, b)));
      all.add(same(found, wanted), [&] { return text(a) + ", " + text(b) + " gives " + text(found) + " for " + text(wanted); });
    }
}
template <class T, class F>
void check_real_order(std::string_view op, const std::vector<T>& left, const std::vector<T>& right, F&& expected) {
  const auto results = cross<std::uint8_t>(op, left, right, "bool");
  Comparison all(fmt::format("{} of {}", op, Type<T>::name));
  for (std::size_t j = 0; j < right.size(); ++j)
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double a = real_of(left[i]), b = real_of(right[j]);
      // A NaN is unequal to all and in no order with any.
      const bool wanted = a != a || b != b ? op == "cmp.ne" : expected(a, b);
      all.add((results[j * left.size() + i] != 0) == wanted, [&] { return text(a) + ", " + text(b); });
    }
}

// With as many of `right` as time allows for, the first of them being the odd ones.
template <class T>
void check_floats(const std::vector<T>& left, const std::vector<T>& right, std::size_t few) {
  const std::vector<T> some(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(std::min(few, right.size())));
  check_reals("add", left, right, [](double a, double b) { return a + b; });
  check_reals("sub", left, some, [](double a, double b) { return a - b; });
  check_reals("mul", left, right, [](double a, double b) { return a * b; });
  check_reals("div", left, right, [](double a, double b) { return a / b; });
  check_reals("min", left, some, least);
  check_reals("max", left, some, most);
  check_real_order("cmp.eq", left, some, [](double a, double b) { return a == b; });
  check_real_order("cmp.ne", left, some, [](double a, double b) { return a != b; });
  check_real_order("cmp.lt", left, some, [](double a, double b) { return a < b; });
  check_real_order("cmp.le", left, some, [](double a, double b) { return a <= b; });
  check_real_order("cmp.gt", left, some, [](double a, double b) { return a > b; });
  check_real_order("cmp.ge", left, some, [](double a, double b) { return a >= b; });
}

// Zeros, denormals, the smallest and the largest, infinities, NaN; then some of every size.
template <class T>
std::vector<T> sample(int random) {
  const bool half = std::is_same_v<T, Half>;
  const int infinite = half ? 0x7c00 : 0x7f80, one = half ? 0x3c00 : 0x3f80, step = half ? 0x0400 : 0x0080;
  std::vector<T> found;
  for (int sign : {0, 0x8000})
    for (int bits : {0, infinite, infinite + 1, 0x7fff, 1, 2, step - 1, step, step + 1, one - 1, one, one + 1, one + step, one + step / 2,
                     one - step, infinite - 1, infinite - step, infinite - 2})
      found.push_back({static_cast<std::uint16_t>(sign | bits)});
  std::mt19937_64 source(3);
  for (int i = 0; i < random; ++i) found.push_back({static_cast<std::uint16_t>(source())});
  return found;
}

// To a whole number by comparing with those about it, without the rounding functions.
enum class Way { Down, Up, Even };
double whole(double x, Way way) {
  if (x != x || std::abs(x) >= 0x1p53) return x;
  const double toward_zero = static_cast<double>(static_cast<std::int64_t>(x));
  const double below = toward_zero > x ? toward_zero - 1 : toward_zero, above = below == x ? x : below + 1;
  double result = way == Way::Down ? below : above;
  if (way == Way::Even && x - below != above - x) result = x - below < above - x ? below : above;
  else if (way == Way::Even && static_cast<std::int64_t>(below) % 2 == 0) result = below;
  return std::copysign(result, x);
}

template <class T, class F>
void check_each(std::string_view op, const std::vector<T>& values, F&& expected) {
  const auto results = map<T>(op, values);
  Comparison all(fmt::format("{} of {}", op, Type<T>::name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    double wanted = expected(real_of(values[i]));
    if constexpr (!std::is_same_v<T, double>) wanted = nearest(*Type<T>::format, single(wanted));
    all.add(same(real_of(results[i]), wanted), [&] { return text(real_of(values[i])) + " gives " + text(real_of(results[i])); });
  }
}
template <class T>
void check_roundings(const std::vector<T>& values) {
  check_each("floor", values, [](double x) { return whole(x, Way::Down); });
  check_each("ceil", values, [](double x) { return whole(x, Way::Up); });
  check_each("round", values, [](double x) { return whole(x, Way::Even); });
  check_each("abs", values, [](double x) { return x != x ? x : std::signbit(x) ? -x : x; });
  check_each("neg", values, [](double x) { return -x; });
  if constexpr (!std::is_same_v<T, double>) check_each("sqrt", values, [](double x) { return std::sqrt(x); });
}

template <class T>
std::vector<T> reals() {
  std::vector<T> found{T(0), T(-0.0), T(infinity), T(-infinity), T(not_a_number), std::numeric_limits<T>::denorm_min(),
                       -std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::lowest()};
  for (int i = 0; i < 40; ++i)
    for (T by : {T(-0.5), T(0.5), T(0.25), T(0)}) found.insert(found.end(), {static_cast<T>(i) + by, -static_cast<T>(i) - by});
  for (int bits = 20; bits < 54; ++bits)
    for (double by : {-0.5, 0.0, 0.5, 1.0}) found.push_back(static_cast<T>(std::ldexp(1.0, bits) + by));
  const std::size_t whole_numbers = found.size();
  for (std::size_t i = 0; i < whole_numbers; ++i)
    found.insert(found.end(), {std::nextafter(found[i], T(infinity)), std::nextafter(found[i], T(-infinity))});
  return found;
}

}  // namespace

TEST_CASE("bytes: every operation on all pairs") {
  check_integers(all_bytes<std::int8_t>(), all_bytes<std::int8_t>());
  check_integers(all_bytes<std::uint8_t>(), all_bytes<std::uint8_t>());
}

TEST_CASE("i32 and i64: every operation about the powers of two") {
  check_integers(edges<std::int32_t>(), edges<std::int32_t>(10));
  check_integers(edges<std::int64_t>(), edges<std::int64_t>(10));
}

TEST_CASE("f16: all values with a sample, in f32 and rounded once") {
  check_floats(all_sixteen_bits<Half>(), sample<Half>(140), 48);
}
TEST_CASE("bf16: all values with a sample, in f32 and rounded once") {
  check_floats(all_sixteen_bits<Brain>(), sample<Brain>(140), 48);
}
TEST_CASE("f32: values of every kind with each other") { check_floats(reals<float>(), reals<float>(), 2000); }

TEST_CASE("f64: least and greatest, order and division by zero") {
  const auto values = reals<double>();
  const std::vector<double> some(values.begin(), values.begin() + 10);
  const auto check = [&](std::string_view op, double (*expected)(double, double)) {
    const auto results = cross<double>(op, values, some, "f64");
    Comparison all(fmt::format("{} of f64", op));
    for (std::size_t j = 0; j < some.size(); ++j)
      for (std::size_t i = 0; i < values.size(); ++i)
        all.add(same(results[j * values.size() + i], expected(values[i], some[j])), [&] { return text(values[i]) + ", " + text(some[j]); });
  };
  check("min", least);
  check("max", most);
  check("div", [](double a, double b) { return a / b; });
  check_real_order("cmp.lt", values, some, [](double a, double b) { return a < b; });
  check_real_order("cmp.ne", values, some, [](double a, double b) { return a != b; });
}

TEST_CASE("roundings to whole numbers, magnitudes, and roots") {
  check_roundings(all_sixteen_bits<Half>());
  check_roundings(all_sixteen_bits<Brain>());
  check_roundings(reals<float>());
  check_roundings(reals<double>());
}

TEST_CASE("a choice takes the value as it is, NaN or not") {
  constexpr auto none = static_cast<float>(not_a_number), endless = static_cast<float>(infinity);
  const std::vector<float> a{none, -0.0f, 1, -endless}, b{2, 0, none, 3};
  const ir::Kernel kernel = valid(R"(kernel k
threads 32
parameter A: buffer<f32>[32] read
parameter B: buffer<f32>[32] read
parameter O: buffer<f32>[32] written
{
  %t: index varying = ctx<thread>
  %a: f32 varying = load %A, %t
  %b: f32 varying = load %B, %t
  %c: bool varying = cmp.lt %a, %b
  %r: f32 varying = select %c, %a, %b
  store %O, %r, %t
  return
}
)");
  std::vector<float> left(32), right(32), out(32);
  std::copy(a.begin(), a.end(), left.begin());
  std::copy(b.begin(), b.end(), right.begin());
  run_clean(kernel, launch({tensor(left), tensor(right), tensor(out)}));
  const float expected[] = {2, 0, none, -endless};
  for (std::size_t i = 0; i < 4; ++i) CHECK(same(out[i], expected[i]));
}
