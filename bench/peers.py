"""The kernels of bench/peers.cpp in NumPy: a line for each, its name and milliseconds of the fastest of some runs."""
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)


def fastest(name, f, times=5):
    best = 1e9
    for _ in range(times):
        start = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - start)
    print(name, 1e3 * best, flush=True)


random = np.random.default_rng(1)
x, y = (random.standard_normal(1 << 22, dtype=np.float32) for _ in range(2))
fastest("saxpy", lambda: np.add(np.float32(2) * x, y))


def mandelbrot(size=512):
    at = np.arange(size, dtype=np.float32)
    c = (-2 + 3 * at / size)[None, :] + 1j * (-1.5 + 3 * at / size)[:, None]
    c = c.astype(np.complex64)
    z, count = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(256):
        inside = z.real * z.real + z.imag * z.imag < 4
        z[inside] = z[inside] * z[inside] + c[inside]
        count += inside
    return count


fastest("mandelbrot", mandelbrot, 1)
table = random.standard_normal((2048, 2048), dtype=np.float32)
row = table[0].copy()
fastest("columns", lambda: table.sum(axis=0))
fastest("outer", lambda: np.outer(row, row))
a, b = (random.standard_normal((1024, 1024), dtype=np.float32) for _ in range(2))
fastest("gemm", lambda: a @ b)
rows = random.standard_normal((4096, 1024), dtype=np.float32)


def softmax():
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


fastest("softmax", softmax)
