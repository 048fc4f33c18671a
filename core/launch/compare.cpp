#include <phobos/launch/compare.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace phobos::launch {
namespace {

// How far past the tolerance: at most 0 when within it; infinity where no tolerance would help.
double excess(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(actual) || std::isnan(expected))
    return std::isnan(actual) && std::isnan(expected) ? 0 : std::numeric_limits<double>::infinity();
  if (actual == expected) return 0;
  if (std::isinf(actual) || std::isinf(expected)) return std::numeric_limits<double>::infinity();
  return std::fabs(actual - expected) - (tolerance.absolute + tolerance.relative * std::fabs(expected));
}

double root_mean_square(const HostTensor& tensor) {
  double sum = 0, counted = 0;
  for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) {
    const double value = tensor.real_at(i);
    if (!std::isfinite(value)) continue;
    sum += value * value;
    ++counted;
  }
  return counted == 0 ? 0 : std::sqrt(sum / counted);
}

std::string difference_text(const HostTensor& actual, const HostTensor& expected, const Comparison& comparison,
                            const Tolerance& tolerance) {
  const double a = actual.real_at(comparison.worst), e = expected.real_at(comparison.worst);
  std::string text = fmt::format("{} of {} elements differ; worst at {}: {}, expected {}", comparison.differing, actual.count(),
                                 position_text(actual.shape, comparison.worst), element_text(actual, comparison.worst),
                                 element_text(expected, comparison.worst));
  if (std::isfinite(a) && std::isfinite(e)) {
    text += fmt::format(", off by {:.3g}", std::fabs(a - e));
    if (e != 0) text += fmt::format(" ({:.3g} of it)", std::fabs(a - e) / std::fabs(e));
  }
  return text + fmt::format("; allowed: rtol {:.3g}, atol {:.3g}", tolerance.relative, tolerance.absolute);
}

}  // namespace

Tolerance tolerance_for(const HostTensor& actual, const HostTensor& expected, std::optional<double> relative,
                        std::optional<double> absolute) {
  const ScalarType element = actual.element;
  if (absolute) return {relative.value_or(0), *absolute};
  if (relative) return {*relative, is_float(element) && *relative > 0 ? *relative * 0.01 * root_mean_square(expected) : 0};
  const auto of_size = [&](double relative, double least) { return Tolerance{relative, std::max(least, relative * root_mean_square(expected))}; };
  switch (element) {
    case ScalarType::F16: return of_size(2e-3, 1e-5);
    case ScalarType::BF16: return of_size(1.6e-2, 1e-5);
    case ScalarType::F32: return of_size(1e-5, 1e-7);
    case ScalarType::F64: return of_size(1e-12, 1e-14);
    default: return {0, 0};
  }
}

Comparison compare(const HostTensor& actual, const HostTensor& expected, const Tolerance& tolerance) {
  Comparison comparison;
  if (actual.shape != expected.shape) {
    comparison.same = false;
    comparison.message = fmt::format("the shape is {}, expected {}", shape_text(actual.shape), shape_text(expected.shape));
    return comparison;
  }
  const bool exact = tolerance.relative == 0 && tolerance.absolute == 0 && !is_float(actual.element) && !is_float(expected.element);
  double worst = -1;
  for (std::int64_t i = 0, count = actual.count(); i < count; ++i) {
    double past = 0;
    if (exact) {
      if (actual.integer_at(i) != expected.integer_at(i))
        past = std::max(1.0, std::fabs(actual.real_at(i) - expected.real_at(i)));
    } else {
      past = excess(actual.real_at(i), expected.real_at(i), tolerance);
    }
    if (past <= 0) continue;
    ++comparison.differing;
    if (past <= worst) continue;
    worst = past;
    comparison.worst = i;
  }
  comparison.same = comparison.differing == 0;
  if (!comparison.same) comparison.message = difference_text(actual, expected, comparison, tolerance);
  return comparison;
}

}  // namespace phobos::launch
