// The loops that anybody would write in C, for bench/peers.cpp; compiled with -O2.
#include <math.h>
#include <stdint.h>

void plain_saxpy(const float* x, float* y, float a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void plain_mandelbrot(int32_t* out, int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < size; ++j) {
      const float cx = -2.0f + 3.0f * (float)j / (float)size, cy = -1.5f + 3.0f * (float)i / (float)size;
      float x = 0, y = 0;
      int32_t n = 0;
      while (n < 256 && x * x + y * y < 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++n;
      }
      out[i * size + j] = n;
    }
}

void plain_columns(const float* x, float* out, int64_t size) {
  for (int64_t i = 0; i < size; ++i) {
    float total = 0;
    for (int64_t r = 0; r < size; ++r) total += x[r * size + i];
    out[i] = total;
  }
}

void plain_outer(const float* x, float* out, int64_t size) {
  for (int64_t r = 0; r < size; ++r)
    for (int64_t i = 0; i < size; ++i) out[r * size + i] = x[i] * x[r];
}

void plain_gemm(const float* a, const float* b, float* c, int64_t size) {
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) c[i * size + j] = 0;
    for (int64_t k = 0; k < size; ++k)
      for (int64_t j = 0; j < size; ++j) c[i * size + j] += a[i * size + k] * b[k * size + j];
  }
}

void plain_softmax(const float* x, float* out, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i, x += columns, out += columns) {
    float most = x[0], sum = 0;
    for (int64_t j = 1; j < columns; ++j) most = x[j] > most ? x[j] : most;
    for (int64_t j = 0; j < columns; ++j) sum += out[j] = expf(x[j] - most);
    for (int64_t j = 0; j < columns; ++j) out[j] /= sum;
  }
}
