// The functions of analysis. For floats they are taken in double and rounded once.
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
  return element == ScalarType::F64 ? function<double>(code) : function<float>(code);
}

}  // namespace phobos::sim
