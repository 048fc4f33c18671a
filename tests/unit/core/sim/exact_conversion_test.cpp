// Every conversion between element types: all values of the 16-bit floats, and of the others those where something happens.
#include <set>

#include "exact.h"

using namespace phobos;
using namespace phobos::sim;
using namespace phobos::sim::exact;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Toward zero, then to the nearest number of the type; NaN is 0.
template <class To>
Wide truncated(double x) {
  if (x != x) return 0;
  if (x <= static_cast<double>(Type<To>::least)) return Type<To>::least;
  if (x >= 0x1p100) return Type<To>::most;
  return std::min(static_cast<Wide>(x), Type<To>::most);
}

template <class To, class From>
void check_real_to_whole(const std::vector<From>& values) {
  const auto results = map<To>("convert", values);
  Comparison all(fmt::format("{} to {}", Type<From>::name, Type<To>::name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = real_of(values[i]);
    all.add(results[i] == truncated<To>(x), [&] { return text(x) + " gives " + text(Wide(results[i])); });
  }
}

template <class To, class From>
void check_real_to_real(const std::vector<From>& values) {
  const auto results = map<To>("convert", values);
  Comparison all(fmt::format("{} to {}", Type<From>::name, Type<To>::name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    double expected = real_of(values[i]);
    if constexpr (!std::is_same_v<To, double>) expected = nearest(*Type<To>::format, expected);
    all.add(same(real_of(results[i]), expected), [&] { return text(real_of(values[i])) + " gives " + text(real_of(results[i])); });
  }
}

template <class From>
void check_to_bool(const std::vector<From>& values) {
  const auto results = map<std::uint8_t>("convert", values, "bool");
  Comparison all(fmt::format("{} to bool", Type<From>::name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool expected = true;
    if constexpr (Type<From>::real) expected = !(real_of(values[i]) == 0);  // NaN is true
    else expected = values[i] != 0;
    all.add(results[i] == expected, [&] { return fmt::format("the value at {}", i); });
  }
}

template <class From>
void check_real(const std::vector<From>& values) {
  check_real_to_whole<std::int8_t>(values);
  check_real_to_whole<std::uint8_t>(values);
  check_real_to_whole<std::int32_t>(values);
  check_real_to_whole<std::int64_t>(values);
  check_to_bool(values);
  check_real_to_real<float>(values);
  check_real_to_real<double>(values);
  if constexpr (!std::is_same_v<From, Half>) check_real_to_real<Half>(values);
  if constexpr (!std::is_same_v<From, Brain>) check_real_to_real<Brain>(values);
}

// From one type to another and back, which must give what went in.
template <class By, class From>
void check_round_trip(const std::vector<From>& values) {
  const auto back = map<From>("convert", map<By>("convert", values));
  Comparison all(fmt::format("{} to {} and back", Type<From>::name, Type<By>::name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = real_of(values[i]);
    all.add(x != x ? real_of(back[i]) != real_of(back[i]) : back[i].bits == values[i].bits, [&] { return text(x); });
  }
}

// Numbers of a 16-bit type, the middles between neighbours, the nearest numbers of `From` on either side, and past the largest.
template <class From, class To>
std::vector<From> around_middles() {
  std::vector<From> found;
  const auto add = [&](double x) {
    for (const double signed_x : {x, -x}) {
      const auto here = static_cast<From>(signed_x);
      found.push_back(here);
      found.push_back(std::nextafter(here, static_cast<From>(infinity)));
      found.push_back(std::nextafter(here, static_cast<From>(-infinity)));
    }
  };
  const double past = 2 * Type<To>::format->largest - real_of(To{static_cast<std::uint16_t>(std::is_same_v<To, Half> ? 0x7bfe : 0x7f7e)});
  for (std::uint16_t bits = 0;; ++bits) {
    const double low = real_of(To{bits}), next = real_of(To{static_cast<std::uint16_t>(bits + 1)});
    const double high = std::isinf(next) ? past : next;
    add(low);
    add(low + (high - low) / 2);
    if (std::isinf(next)) break;
  }
  add(past);
  add(infinity);
  return found;
}

template <class T, class Bits>
std::vector<T> random_bits(int count) {
  std::mt19937_64 source(11);
  std::vector<T> found;
  for (int i = 0; i < count; ++i) found.push_back(std::bit_cast<T>(static_cast<Bits>(source())));
  for (int i = 0; i < count; ++i)  // of the size of integers
    found.push_back(static_cast<T>(std::ldexp(static_cast<double>(source() >> 11), -53 + static_cast<int>(source() % 70)) *
                                   (source() % 2 ? 1 : -1)));
  return found;
}

// Whole numbers and halves about powers of two, where truncation and saturation begin.
template <class T>
std::vector<T> reals_at_edges() {
  std::vector<T> found{T(0), T(-0.0), std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::signaling_NaN(), T(infinity), T(-infinity), std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  for (int exponent = -2; exponent < 70; ++exponent)
    for (double by : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5})
      for (double sign : {-1.0, 1.0}) {
        const T x = static_cast<T>(sign * (std::ldexp(1.0, exponent) + by));
        found.insert(found.end(), {x, std::nextafter(x, T(infinity)), std::nextafter(x, T(-infinity))});
      }
  return found;
}

template <class To, class From>
void check_whole_to_real(const std::vector<From>& values) {
  const auto results = map<To>("convert", values);
  Comparison all(fmt::format("{} to {}", Type<From>::name, Type<To>::name));
  constexpr Format f64_format{53, -1074, std::numeric_limits<double>::max()};
  const Format* format = &f64_format;
  if constexpr (!std::is_same_v<To, double>) format = Type<To>::format;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.add(same(real_of(results[i]), nearest(*format, Wide(values[i]))),
            [&] { return text(Wide(values[i])) + " gives " + text(real_of(results[i])); });
}
template <class To, class From>
void check_whole_to_whole(const std::vector<From>& values) {
  const auto results = map<To>("convert", values);
  Comparison all(fmt::format("{} to {}", Type<From>::name, Type<To>::name));
  for (std::size_t i = 0; i < values.size(); ++i)
    all.add(Wide(results[i]) == Type<To>::wrapped(values[i]), [&] { return text(Wide(values[i])) + " gives " + text(Wide(results[i])); });
}

// Integers that lie in the middle between two numbers of the float types, and beside it.
template <class T>
std::vector<T> integers() {
  std::set<T> found;
  for (T x : edges<T>(3000)) found.insert(x);
  for (int kept : {8, 11, 24, 53})
    for (int shift = 0; kept + shift < Type<T>::width; ++shift)
      for (Wide top : {Wide(0), Wide(1), Wide(2), Wide(3), (Wide(1) << (kept - 1)) - 1})
        for (Wide half : {Wide(0), shift > 0 ? Wide(1) << (shift - 1) : Wide(0)})
          for (int by = -2; by <= 2; ++by)
            for (int sign : {-1, 1}) {
              const Wide x = sign * ((((Wide(1) << (kept - 1)) + top) << shift) + half + by);
              if (x >= Type<T>::least && x <= Type<T>::most) found.insert(static_cast<T>(x));
            }
  for (Wide x : {Wide(65504), Wide(65519), Wide(65520), Wide(65521), Wide(65535), Wide(65536)})
    if (x <= Type<T>::most) found.insert({static_cast<T>(x), static_cast<T>(-x)});
  return {found.begin(), found.end()};
}

template <class T>
void check_whole(const std::vector<T>& values) {
  check_whole_to_real<Half>(values);
  check_whole_to_real<Brain>(values);
  check_whole_to_real<float>(values);
  check_whole_to_real<double>(values);
  if constexpr (!std::is_same_v<T, std::int8_t>) check_whole_to_whole<std::int8_t>(values);
  if constexpr (!std::is_same_v<T, std::uint8_t>) check_whole_to_whole<std::uint8_t>(values);
  if constexpr (!std::is_same_v<T, std::int32_t>) check_whole_to_whole<std::int32_t>(values);
  if constexpr (!std::is_same_v<T, std::int64_t>) check_whole_to_whole<std::int64_t>(values);
  check_to_bool(values);
}

template <class To>
void check_from_bool() {
  const std::vector<std::uint8_t> values{0, 1};
  const auto results = map<To>("convert", values, Type<To>::name, "bool");
  for (std::size_t i = 0; i < 2; ++i) {
    if constexpr (Type<To>::real) CHECK(same(real_of(results[i]), static_cast<double>(i)));
    else CHECK_EQ(static_cast<std::size_t>(results[i]), i);
  }
}

}  // namespace

TEST_CASE("every f16 and bf16 becomes every other type") {
  check_real(all_sixteen_bits<Half>());
  check_real(all_sixteen_bits<Brain>());
}

TEST_CASE("every f16 and bf16 comes back from the types that hold it") {
  check_round_trip<float>(all_sixteen_bits<Half>());
  check_round_trip<double>(all_sixteen_bits<Half>());
  check_round_trip<float>(all_sixteen_bits<Brain>());
  check_round_trip<double>(all_sixteen_bits<Brain>());
}

TEST_CASE("a value that is only moved keeps its bits, those of a NaN too") {
  const auto check = [](auto values) {
    using T = typename decltype(values)::value_type;
    std::vector<T> out(values.size());
    const ir::Kernel kernel = valid(fmt::format(R"(kernel k
threads 256
parameter A: buffer<{0}>[65536] read
parameter O: buffer<{0}>[65536] written
{{
  %t: index varying = ctx<thread>
  %b: index = ctx<block.x>
  %n: index = const 256
  %first: index = mul %b, %n
  %i: index varying = add %first, %t
  %a: {0} varying = load %A, %i
  %half: index = const 128
  %low: bool varying = cmp.lt %t, %half
  %zero: {0} = const 0
  %x: {0} varying = select %low, %a, %zero
  %y: {0} varying = select %low, %x, %a
  store %O, %y, %i
  return
}}
)", Type<T>::name));
    run_clean(kernel, launch({tensor(values), tensor(out)}, {256, 1, 1}));
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += out[i].bits != values[i].bits;
    CHECK_EQ(wrong, 0);
  };
  check(all_sixteen_bits<Half>());
  check(all_sixteen_bits<Brain>());
}

TEST_CASE("f32 and f64 round to 16 bits once, to the nearest, ties to even") {
  check_real_to_real<Half>(around_middles<float, Half>());
  check_real_to_real<Brain>(around_middles<float, Brain>());
  check_real_to_real<Half>(around_middles<double, Half>());
  check_real_to_real<Brain>(around_middles<double, Brain>());
}

TEST_CASE("f32 and f64 become every other type") {
  auto single = random_bits<float, std::uint32_t>(20000);
  auto wide = random_bits<double, std::uint64_t>(20000);
  const auto single_edges = reals_at_edges<float>();
  const auto wide_edges = reals_at_edges<double>();
  single.insert(single.end(), single_edges.begin(), single_edges.end());
  wide.insert(wide.end(), wide_edges.begin(), wide_edges.end());
  for (float x : single_edges) {  // the middles between neighbouring floats
    const double next = std::nextafter(x, std::numeric_limits<float>::infinity());
    const double middle = x + (next - x) / 2;
    if (std::isfinite(middle)) wide.insert(wide.end(), {middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity)});
  }
  check_real(single);
  check_real(wide);
}

TEST_CASE("integers become every other type") {
  check_whole(integers<std::int8_t>());
  check_whole(integers<std::uint8_t>());
  check_whole(integers<std::int32_t>());
  check_whole(integers<std::int64_t>());
  check_from_bool<Half>();
  check_from_bool<Brain>();
  check_from_bool<float>();
  check_from_bool<double>();
  check_from_bool<std::int8_t>();
  check_from_bool<std::uint8_t>();
  check_from_bool<std::int32_t>();
  check_from_bool<std::int64_t>();
}
