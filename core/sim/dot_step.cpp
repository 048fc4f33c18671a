#include "dot.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PHOBOS_X86 1
#endif

namespace phobos::sim {
namespace {

// With vectors of `width` bytes, the accumulators in registers over the whole chain. Operands are read as vectors in place: copied
// by memcpy() they went over the stack in halves, and each load had to wait for both.
template <class T, int width>
[[gnu::always_inline]] inline void step(const T* a, const T* b, std::int64_t k, T* c) {
  typedef T Vector __attribute__((vector_size(width), aligned(width)));
  typedef T Operand __attribute__((vector_size(width), aligned(alignof(T)), may_alias));
  constexpr int columns = dot_bytes / width;
  constexpr int each = width / static_cast<int>(sizeof(T));
  Vector sum[dot_rows][columns];
  for (int r = 0; r < dot_rows; ++r)
    for (int j = 0; j < columns; ++j) sum[r][j] = *reinterpret_cast<const Operand*>(c + (r * columns + j) * each);
  for (std::int64_t i = 0; i < k; ++i, a += dot_rows, b += columns * each) {
    Vector right[columns];
    for (int j = 0; j < columns; ++j) right[j] = *reinterpret_cast<const Operand*>(b + j * each);
#pragma GCC unroll 4
    for (int r = 0; r < dot_rows; ++r) {
#pragma GCC unroll 4
      for (int j = 0; j < columns; ++j) sum[r][j] += a[r] * right[j];
    }
  }
  for (int r = 0; r < dot_rows; ++r)
    for (int j = 0; j < columns; ++j) *reinterpret_cast<Operand*>(c + (r * columns + j) * each) = sum[r][j];
}

template <class T>
void plain(const T* a, const T* b, std::int64_t k, T* c) {
  step<T, 16>(a, b, k, c);
}
#if PHOBOS_X86
template <class T>
[[gnu::target("avx2")]] void with_avx2(const T* a, const T* b, std::int64_t k, T* c) {
  step<T, 32>(a, b, k, c);
}
template <class T>
[[gnu::target("avx512f,avx512dq,avx512vl")]] void with_avx512(const T* a, const T* b, std::int64_t k, T* c) {
  step<T, 64>(a, b, k, c);
}
#endif

}  // namespace

template <class T>
DotStep<T> dot_step() {
#if PHOBOS_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return with_avx512<T>;
  if (__builtin_cpu_supports("avx2")) return with_avx2<T>;
#endif
  return plain<T>;
}

template DotStep<float> dot_step<float>();
template DotStep<double> dot_step<double>();
template DotStep<std::uint32_t> dot_step<std::uint32_t>();
template DotStep<std::uint64_t> dot_step<std::uint64_t>();

}  // namespace phobos::sim
