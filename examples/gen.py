#!/usr/bin/env python3
"""Makes the inputs and the expected results in data/, from plain Python alone."""
import math
import os
import sys

sys.dont_write_bytecode = True
from npy import Random, matmul, save, transposed  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
made = Random(1)


def write(name, kind, values):
    save(os.path.join(HERE, "data", name + ".npy"), kind, values)


def softmax(row):
    top = max(row)
    parts = [math.exp(x - top) for x in row]
    total = sum(parts)
    return [part / total for part in parts]


def saxpy():
    x, y = made.normal(3001), made.normal(3001)
    write("saxpy.x", "f4", x)
    write("saxpy.y", "f4", y)
    write("saxpy.out", "f4", [2.0 * a + b for a, b in zip(x, y)])


def softmaxes():
    x = made.normal(22, 300, scale=3.0)
    write("softmax.X", "f4", x)
    write("softmax.Y", "f4", [softmax(row) for row in x])


def rmsnorm():
    x, g = made.normal(19, 130, kind="f2"), made.normal(130)
    write("rmsnorm.X", "f2", x)
    write("rmsnorm.g", "f4", g)
    out = []
    for row in x:
        scale = 1.0 / math.sqrt(sum(v * v for v in row) / len(row) + 1e-5)
        out.append([v * scale * w for v, w in zip(row, g)])
    write("rmsnorm.Y", "f2", out)


def gemm():
    a, b, bias = made.normal(90, 70, scale=0.3, kind="f2"), made.normal(70, 100, scale=0.3, kind="f2"), made.normal(1, 100)
    write("gemm.A", "f2", a)
    write("gemm.B", "f2", b)
    write("gemm.bias", "f4", bias)
    write("gemm.C", "f2", [[max(v + w, 0.0) for v, w in zip(row, bias[0])] for row in matmul(a, b)])


def attention():
    rows, heads, depth = 100, 2, 64
    q, k, v = (made.normal(rows, heads * depth, kind="f2") for _ in range(3))
    for name, values in (("Q", q), ("K", k), ("V", v)):
        write("attention." + name, "f2", values)
    out = [[0.0] * (heads * depth) for _ in range(rows)]
    for head in range(heads):
        part = slice(head * depth, (head + 1) * depth)
        for i in range(rows):
            scores = [0.125 * sum(a * b for a, b in zip(q[i][part], k[j][part])) for j in range(i + 1)]
            weights = softmax(scores)
            out[i][part] = [sum(w * v[j][head * depth + d] for j, w in enumerate(weights)) for d in range(depth)]
    write("attention.O", "f2", out)


def matvec():
    w, x = made.normal(45, 520, kind="f2"), made.normal(1, 520)
    write("matvec.W", "f2", w)
    write("matvec.x", "f4", x)
    write("matvec.y", "f4", transposed(matmul(w, transposed(x))))


def transpose():
    x = made.integers(-1000, 1000, 50, 70)
    write("transpose.X", "i4", x)
    write("transpose.Y", "i4", transposed(x))


def atomic():
    x = made.integers(0, 16, 1000)
    write("atomic.X", "i4", x)
    write("atomic.H", "i4", [x.count(b) for b in range(16)])


def collatz():
    steps, peaks = [], []
    for start in range(1, 501):
        n, count, peak = start, 0, start
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count, peak = count + 1, max(peak, n)
        steps.append(count)
        peaks.append(peak)
    write("collatz.steps", "i4", steps)
    write("collatz.peaks", "i8", peaks)


for make in (saxpy, softmaxes, rmsnorm, gemm, attention, matvec, transpose, atomic, collatz):
    make()
