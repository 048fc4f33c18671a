// The loops that elementwise operations are.
#pragma once

#include <cstdint>

// Each element depends on no other, even where the result lies on an operand.
#if defined(__clang__)
#define PHOBOS_EACH _Pragma("clang loop vectorize(assume_safety)")
#else
#define PHOBOS_EACH _Pragma("GCC ivdep")
#endif

namespace phobos::sim {

template <class From, class To, auto f>
void loop1(void* out, const void* a, const void*, const void*, std::int64_t n) {
  auto* to = static_cast<To*>(out);
  const auto* x = static_cast<const From*>(a);
  PHOBOS_EACH
  for (std::int64_t i = 0; i < n; ++i) to[i] = f(x[i]);
}

template <class From, class To, auto f>
void loop2(void* out, const void* a, const void* b, const void*, std::int64_t n) {
  auto* to = static_cast<To*>(out);
  const auto *x = static_cast<const From*>(a), *y = static_cast<const From*>(b);
  PHOBOS_EACH
  for (std::int64_t i = 0; i < n; ++i) to[i] = f(x[i], y[i]);
}

template <class T>
void loop_select(void* out, const void* c, const void* a, const void* b, std::int64_t n) {
  auto* to = static_cast<T*>(out);
  const auto* which = static_cast<const std::uint8_t*>(c);
  const auto *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
  PHOBOS_EACH
  for (std::int64_t i = 0; i < n; ++i) to[i] = which[i] ? x[i] : y[i];
}

}  // namespace phobos::sim
