#include "warnings.h"

#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "cta.h"
#include "element.h"
#include "handlers.h"

namespace phobos::sim {

void Warnings::add(diag::Code code, Span place, Warning warning) {
  const auto [found, fresh] = by_place_.emplace(Key{place.begin, place.end, code}, warning);
  if (fresh) return;
  Warning& known = found->second;
  known.count += warning.count;
  if (warning.cta >= known.cta) return;
  warning.count = known.count;
  known = std::move(warning);
}

void Warnings::merge(const Warnings& other) {
  for (const auto& [key, warning] : other.by_place_) add(std::get<2>(key), {std::get<0>(key), std::get<1>(key)}, warning);
}

namespace {

struct Range {
  double low, high;  // what lies between, not including, becomes a number of the type
};

Range range_of(ScalarType type) {
  switch (type) {
    case ScalarType::I8: return {-129.0, 128.0};
    case ScalarType::U8: return {-1.0, 256.0};
    case ScalarType::I32: return {-2147483649.0, 2147483648.0};
    case ScalarType::F16: return {-65520.0, 65520.0};
    case ScalarType::BF16: return {-0x1.ffp127, 0x1.ffp127};
    case ScalarType::F32: return {-0x1.ffffffp127, 0x1.ffffffp127};
    default: return {-0x1.0000000000001p63, 0x1p63};
  }
}

template <class T>
bool fits(T value, ScalarType type, const Range& range) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool inside = value > range.low && value < range.high;
    return inside || (is_float(type) && (value != value || value - value != 0));  // NaN and infinities stay what they are
  } else {
    switch (type) {
      case ScalarType::I8: return value >= -128 && value <= 127;
      case ScalarType::U8: return value >= 0 && value <= 255;
      case ScalarType::I32: return value >= INT32_MIN && value <= INT32_MAX;
      case ScalarType::F16: return value > -65520 && value < 65520;
      default: return true;
    }
  }
}

// The elements of an operand for which `odd` holds and that some thread computes: how many, the first, its thread.
struct Odd {
  std::int64_t count = 0, first = 0, thread = 0;
};

template <class T, class F>
Odd find_odd(Cta& cta, const Instr& in, const Mask& mask, const T* values, F&& odd) {
  const std::int64_t n = in.out.count();
  std::int64_t any = 0;
  for (std::int64_t i = 0; i < n; ++i) any += odd(values[i]);
  Odd found;
  if (any == 0) return found;
  for (std::int64_t i = 0; i < n; ++i) {
    if (!odd(values[i])) continue;
    const std::int64_t lane = i % in.out.lanes, thread = cta.runner(mask, in.out.lanes, lane);
    if (thread < 0) continue;
    if (found.count == 0) found.first = i, found.thread = thread;
    // A value that threads share counts once for each of them.
    found.count += cta.kernel().type(in.op->results[0]).is_tile() ? 1 : cta.runners(mask, in.out.lanes, lane);
  }
  return found;
}

template <class T>
void watch_shift(Cta& cta, const Instr& in, const Mask& mask) {
  const int width = size_of(in.out.element) * 8;
  const T* counts = static_cast<const T*>(spread(cta, in.in[1], in.out.lanes, 1));
  const Odd odd = find_odd(cta, in, mask, counts, [&](T count) { return count < 0 || count >= width; });
  if (odd.count == 0) return;
  cta.warn(diag::Code::ShiftCount, in.op->span,
           {odd.count, cta.index(), odd.thread, std::to_string(counts[odd.first]), std::to_string(width)});
}

template <class T>
void convert_watched(Cta& cta, const Instr& in, Mask& mask, Handler handler) {
  const Range range = range_of(in.out.element);
  const T* values = static_cast<const T*>(spread(cta, in.in[0], in.out.lanes, 0));
  const Odd odd = find_odd(cta, in, mask, values, [&](T value) { return !fits(value, in.out.element, range); });
  const std::string value = odd.count == 0 ? "" : fmt::format("{}", values[odd.first]);
  handler(cta, in, mask);
  if (odd.count == 0) return;
  const std::string result = is_float(in.out.element) ? (value[0] == '-' ? "-inf" : "inf") : std::to_string(cta.integer(in.out, odd.first));
  cta.warn(diag::Code::LossyConversion, in.op->span,
           {odd.count, cta.index(), odd.thread, value, fmt::format("{} and becomes {}", name_of(in.out.element), result)});
}

}  // namespace

void run_watched_shift(Cta& cta, const Instr& in, Mask& mask) {
  if (in.out.store == Store::I32) watch_shift<std::int32_t>(cta, in, mask);
  else watch_shift<std::int64_t>(cta, in, mask);
  run_elementwise2(cta, in, mask);
}

void run_watched_conversion(Cta& cta, const Instr& in, Mask& mask) {
  with_store(in.in[0].store, [&]<class T>(T*) { convert_watched<T>(cta, in, mask, run_elementwise1); });
}

bool may_lose(ScalarType from, ScalarType to) {
  if (from == ScalarType::Bool || from == to) return false;
  if (to == ScalarType::F16) return from != ScalarType::I8 && from != ScalarType::U8;  // 65504 is the most
  if (is_float(to)) return from == ScalarType::F64;
  if (!is_integer(to)) return false;
  if (is_float(from)) return true;
  const int lost = size_of(from) - size_of(to);
  return lost > 0 || (lost == 0 && is_signed(from) != is_signed(to));
}

}  // namespace phobos::sim
