// The functions of analysis. For floats they are taken in double and rounded once.
#include <algorithm>
#include <bit>
#include <cmath>

#include "handlers.h"
#include "loops.h"

namespace phobos::sim {
namespace {

using ir::Opcode;

double reciprocal_root(double x) { return 1 / std::sqrt(x); }
double exponential(double x) { return std::exp(x); }
double logarithm(double x) { return std::log(x); }
double root(double x) { return std::sqrt(x); }
double hyperbolic_tangent(double x) { return std::tanh(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double down(double x) { return std::floor(x); }
double up(double x) { return std::ceil(x); }
double to_even(double x) { return std::nearbyint(x); }  // in the default rounding mode

// e^x near enough for floats, without branches or calls, so that the loop over it vectorises: 2^n · e^r with |r| ≤ ln 2 / 2, the
// second factor a polynomial whose error is far below what a float shows. NaN comes out as some NaN.
double near_exponential(double x) {
  double inside = x < -150 ? -150.0 : x;  // beyond, the float is 0 or infinite anyway
  inside = inside > 130 ? 130.0 : inside;
  const double shifted = inside * 0x1.71547652b82fep0 + 0x1.8p52;  // n stands in its last bits
  const double n = shifted - 0x1.8p52;
  const double r = (inside - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  double p = 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

void float_exponentials(void* out, const void* a, const void*, const void*, std::int64_t n) {
  constexpr std::int64_t block = 64;
  double wide[block];
  auto* to = static_cast<float*>(out);
  const auto* x = static_cast<const float*>(a);
  for (std::int64_t i = 0; i < n; i += block, to += block, x += block) {
    const std::int64_t size = std::min(block, n - i);
    for (std::int64_t j = 0; j < size; ++j) wide[j] = x[j];
    for (std::int64_t j = 0; j < size; ++j) wide[j] = near_exponential(wide[j]);
    for (std::int64_t j = 0; j < size; ++j) to[j] = x[j] != x[j] ? x[j] : static_cast<float>(wide[j]);
  }
}

double power(double x, double y) { return std::pow(x, y); }
double remainder(double x, double y) { return std::fmod(x, y); }

template <class T, auto f>
T by_double(T x) { return static_cast<T>(f(x)); }
template <class T, auto f>
T by_double2(T x, T y) { return static_cast<T>(f(x, y)); }

template <class T, auto f>
constexpr ElementFunction one = loop1<T, T, by_double<T, f>>;
template <class T, auto f>
constexpr ElementFunction two = loop2<T, T, by_double2<T, f>>;

template <class T>
ElementFunction function(Opcode code) {
  switch (code) {
    case Opcode::Exp: return one<T, exponential>;
    case Opcode::Log: return one<T, logarithm>;
    case Opcode::Sqrt: return one<T, root>;
    case Opcode::Rsqrt: return one<T, reciprocal_root>;
    case Opcode::Tanh: return one<T, hyperbolic_tangent>;
    case Opcode::Sin: return one<T, sine>;
    case Opcode::Cos: return one<T, cosine>;
    case Opcode::Floor: return one<T, down>;
    case Opcode::Ceil: return one<T, up>;
    case Opcode::Round: return one<T, to_even>;
    case Opcode::Pow: return two<T, power>;
    case Opcode::Rem: return two<T, remainder>;
    default: return nullptr;
  }
}

}  // namespace

ElementFunction math_function(Opcode code, ScalarType element) {
  if (!is_float(element)) return nullptr;
  if (element == ScalarType::F64) return function<double>(code);
  return code == Opcode::Exp ? float_exponentials : function<float>(code);
}

}  // namespace phobos::sim
