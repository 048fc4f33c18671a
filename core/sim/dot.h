// Contractions of packed operands.
#pragma once

#include <cstdint>

namespace phobos::sim {

// Rows of the result that a step makes, and bytes of a row of it.
constexpr std::int64_t dot_rows = 4;
constexpr std::int64_t dot_bytes = 64;

// c[r][j] += Σ_k a[k][r] · b[k][j], each element a chain over k from 0 up, every product and sum rounded (integers wrap).
// a: k × 4, b: k × (64 / sizeof T), c: 4 × (64 / sizeof T). T is float, double, uint32 or uint64. Which instructions are used
// depends on the machine; what comes out does not.
template <class T>
using DotStep = void (*)(const T* a, const T* b, std::int64_t k, T* c);
template <class T>
DotStep<T> dot_step();

}  // namespace phobos::sim
