#!/usr/bin/env python3
"""Makes the inputs and the expected results in data/, from plain Python alone."""
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples"))
from npy import Random, rounded, save, transposed  # noqa: E402

made = Random(2)


def write(name, kind, values):
    save(os.path.join(HERE, "data", name + ".npy"), kind, values)


def f32(x):
    return rounded("f4", x)


def wrap(x, bits=32):
    return ((x + (1 << bits - 1)) & (1 << bits) - 1) - (1 << bits - 1)


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - b * quotient(a, b)


def divergence():
    x = made.integers(0, 100, 2, 64)
    a, b, c, d = ([[0] * 64 for _ in range(2)] for _ in range(4))
    for r in range(2):
        for t in range(64):
            v = x[r][t]
            a[r][t] = (2 if v % 2 == 0 else 1) if v < 20 else v if v < 60 else 2 * v
            total = 0
            for i in range(6):
                if (v + i) % 3 != 0:
                    total = total * 2 + min(v % 7, 4)
            b[r][t] = total
            c[r][t] = 100 + (t >= 32) + (t % 32 if t >= 48 else 0)
            n = v
            while True:
                n += 7
                if n > 150:
                    break
                if n % 5 == 0:
                    n = -n
                    break
            d[r][t] = n if n < 0 else n * 10
    write("divergence.X", "i4", x)
    for name, values in zip("ABCD", (a, b, c, d)):
        write("divergence." + name, "i4", values)


def short_circuit():
    x = made.integers(0, 60, 100)
    out = []
    for i in range(128):
        inside = i < len(x)
        v = x[i] if inside else 0
        y = (inside and 10 < v < 50) + 2 * (not inside or v % 2 == 0)
        out.append(y + 4 * ((inside and v % 2 == 1) or (not inside and i % 2 == 0)))
    write("short_circuit.X", "i4", x)
    write("short_circuit.Y", "i4", [out[:64], out[64:]])


def functions():
    x = made.normal(4, 64)
    y = [[max(-1.0, min(1.0, 2.0 * v)) + 0.5 for v in row] for row in x]

    def search(n):
        return next((c for c in range(n, n + 10) if c % 2 == 1 and c % 3 == 0), -1)

    centred = [[2.0 * (v - sum(row) / 64) for v in row] for row in x]
    p = [[0.0] * 64 for _ in range(4)]
    for i in range(4):
        for j in range(64):
            p[i][j] = max(0.0, (centred[0][j] + centred[3][j]) * i)
    write("functions.X", "f4", x)
    write("functions.Y", "f4", y)
    write("functions.S", "i4", [search(t) * 100 + search(7) for t in range(64)])
    write("functions.T", "f4", [[v + 1.0 for v in row] for row in centred])
    write("functions.P", "f4", p)


def lanes():
    x = made.integers(0, 40, 96)
    x[70] = 50
    y = [[0] * 96 for _ in range(9)]
    for w in range(3):
        warp = x[32 * w:32 * w + 32]
        for l in range(32):
            t = 32 * w + l
            y[0][t] = sum(warp)
            y[1][t] = min(warp) + max(x)
            y[2][t] = sum(x)
            y[3][t] = (50 in warp) + 2
            y[4][t] = sum(warp[:l + 1])
            y[5][t] = warp[(l + 3) % 32]
            y[6][t] = max(warp) if w >= 1 else -1
            y[7][t] = warp[l + 5 if l + 5 < 32 else l] + warp[l ^ 9]
            y[8][t] = warp[x[w] % 32]
    write("lanes.X", "i4", x)
    write("lanes.Y", "i4", y)


def tiles():
    x = made.normal(8, 16)
    t = [row[:] for row in x]
    t[0:4] = [[f32(v * 10.0) for v in row] for row in t[4:8]]
    t[7] = [f32(v + 100.0) for v in t[7]]
    for i in range(64):
        t[i // 16][i % 16] = f32(t[i // 16][i % 16] * 2.0)
    write("tiles.X", "f4", x)
    write("tiles.A", "f4", t)
    u = [row[:] for row in t]
    for _ in range(3):
        for row in u:
            row[:8] = [f32(row[c] + row[(c + 1) % 8]) for c in range(8)]
    write("tiles.B", "f4", u)
    write("tiles.C", "f4", transposed(u))
    flat = sum(u, [])
    write("tiles.D", "f4", [flat[:64] + [f32(flat[e] + 1.0) for e in range(64)]])


def compound():
    x = made.integers(-5000, 5000, 10, 64)
    f, s = made.normal(4, 64), made.normal(3, 70)
    write("compound.X", "i4", x)
    write("compound.F", "f4", f)
    write("compound.S", "f4", s)
    ops = [lambda a, k: a + k, lambda a, k: a - k, lambda a, k: a * k, quotient, remainder, lambda a, k: a & k,
           lambda a, k: a | k, lambda a, k: a ^ k, lambda a, k: a << 3, lambda a, k: a >> 2]
    write("compound.X1", "i4", [[wrap(op(v, t + 1)) for t, v in enumerate(row)] for op, row in zip(ops, x)])
    parts = [lambda v, k: v + 1.5, lambda v, k: v - k, lambda v, k: v * v, lambda v, k: v / 4.0]
    write("compound.F1", "f4", [[f32(op(v, t + 1)) for t, v in enumerate(row)] for op, row in zip(parts, f)])
    s[0][:64] = [f32(a + b) for a, b in zip(s[0][:64], s[1])]
    for row in s[1:]:
        row[60:] = [2.0 * v for v in row[60:]]
    write("compound.S1", "f4", s)


def narrow():
    x = [f32(v) for v in (0.0, -0.0, 0.1, -2.7, 127.9, 128.0, -128.9, -300.0, 1e6, -1e6, 63.75, 64.0, 2.5, 1000.0)]
    x += made.normal(64 - len(x), scale=20.0)
    f16, bf = (lambda v: rounded("f2", v)), (lambda v: rounded("bf", v))

    def half(v):
        try:
            return f16(v)
        except OverflowError:
            return math.copysign(math.inf, v)

    h, b = [half(v) for v in x], [bf(v) for v in x]
    write("narrow.X", "f4", x)
    write("narrow.H", "f2", [[half(f32(v + half(f32(v * v)))) for v in h], [half(v) for v in b]])
    write("narrow.B", "f4", [[bf(f32(v - 1.5)) for v in b], [bf(f32(v * v)) for v in b]])
    low = lambda v, a, z: max(a, min(z, math.trunc(v)))  # noqa: E731
    write("narrow.I", "i1", [[low(v, -128, 127) for v in x], [wrap(math.trunc(v) * 3, 8) for v in x]])
    write("narrow.U", "u1", [[low(f32(v * 4.0), 0, 255) for v in x], [math.trunc(v) & 255 for v in x]])
    a, w = made.integers(-128, 128, 32, 64), made.integers(-128, 128, 32, 64)
    write("narrow.A", "i1", a)
    write("narrow.W", "i1", w)
    product = [[sum(p * q for p, q in zip(row, column)) for column in w] for row in a]
    write("narrow.C", "i4", [[v + 1 for v in row] for row in product])
    write("narrow.R", "i4", [product[i][i] for i in range(32)])


def loops():
    x, n = made.normal(6, 40), 7
    y = [[0.0] * 40 for _ in range(6)]
    y[0], y[1] = x[1][:], x[2][:]
    y[2] = [x[0][36 + j] if j < 4 else 0.0 if j < 8 else 3.0 for j in range(40)]
    for i in range(3):
        for j in range(16):
            at = j - 6  # column -4 + e of Y has column -10 + e of X
            y[3 + i][j] = f32((x[i][at] if at >= 0 else 0.0) + 1.0)
    y[5][16:] = x[2][16:]
    for row in y[3:5]:
        row[16:] = [0.5] * 24
    write("loops.X", "f4", x)
    write("loops.Y", "f4", y)
    z = [[0] * 32 for _ in range(5)]
    for lane in range(32):
        a = 0
        for i in range(4):
            a = a * 3 + i + lane
        c = 5
        for i in range(lane, 40, 9):
            c = c * 2 + i
        d = sum(10 * i + j for i in range(n) for j in range(i, min(n, 5), 2))
        e, f = 1, 1
        while e + f < 100 * n:
            e, f = f, e + f
        for row, value in enumerate((a, sum(i * i for i in range(1, n)), c, d, f)):
            z[row][lane] = value
    write("loops.Z", "i4", z)


def integers():
    x = [0, 1, -1, 7, -7, 2**31 - 1, -2**31, 255, -256, 65536] + made.integers(-2**31, 2**31, 54)
    y = [[0] * 64 for _ in range(10)]
    big = [[0] * 64 for _ in range(3)]

    def byte(v, i):
        return wrap(v >> 8 * i & 255, 8)

    for t, v in enumerate(x):
        flipped = v ^ 0x01020304
        y[0][t] = wrap(v * 65537)
        y[1][t] = quotient(v, 7) + remainder(v, 7)
        y[2][t] = quotient(v, -3)
        y[3][t] = wrap(v << t % 32) ^ (v >> t % 32)
        y[4][t] = ~v & 0xff | t << 8
        y[5][t] = wrap(wrap(abs(v)) + min(v, t) - max(v, 3))
        y[6][t] = wrap(-v)
        y[7][t] = v if v > 0 and t > 8 else t
        y[8][t] = bin(v & 0xffffffff).count("1")
        y[9][t] = wrap(t + sum(byte(v, i) * byte(flipped, i) for i in range(4)))
        big[0][t] = wrap(v * 3000000007, 64)
        big[1][t] = wrap(v << 33, 64)
        big[2][t] = t - v
    write("integers.X", "i4", x)
    write("integers.Y", "i4", y)
    write("integers.L", "i8", big)

    def picked(low, high, selector):
        eight = (low & 0xffffffff) | (high & 0xffffffff) << 32
        return wrap(sum((eight >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i for i in range(4)))

    w = made.integers(0, 256, 4, 64)
    words = [wrap(sum(w[t // 16][4 * (t % 16) + i] << 8 * i for i in range(4))) for t in range(64)]
    counts = [bin(w[0][t]).count("1") + bin(v & (1 << 64) - 1).count("1") for t, v in enumerate(x)]
    write("integers.W", "u1", w)
    write("integers.B", "i4", [[picked(v, t * 0x01010101, 0x5140) for t, v in enumerate(x)], words, counts,
                               [picked(v, v, t * 273) for t, v in enumerate(x)]])
    halves = [struct.unpack("<e", struct.pack("<H", (v ^ t << 10) & 0xffff))[0] for t, v in enumerate(x)]
    write("integers.H", "f2", halves)


def scans():
    x = made.normal(16, 16)
    x[3][5] = x[3][9] = 9.0  # the lower index wins
    write("scans.X", "f4", x)
    sums = [row[:] for row in x]
    for i in range(1, 16):
        sums[i] = [a + b for a, b in zip(sums[i - 1], x[i])]
    write("scans.S", "f4", sums)
    write("scans.T", "f4", [[x[j][i] if j <= i else 0.0 for j in range(16)] for i in range(16)])
    write("scans.R", "f4", [[sum(row), max(row), min(row)] for row in x])
    write("scans.G", "i4", [[row.index(max(row))] for row in x])
    write("scans.I", "i4", [[2 * (j if 0.0 < v <= 1.0 else -i) for j, v in enumerate(row)] for i, row in enumerate(x)])
    m = []
    for v in x[1]:
        p = abs(v) + 0.25
        m.append([math.exp(v), math.log(p), math.sqrt(p), 1 / math.sqrt(p), math.floor(v * 3), math.ceil(v * 3),
                  round(f32(v * 4.0)) + 2.0, p**1.5, max(v, 0.0), min(v, p), 1.0 if v > 0.5 else v,
                  float(math.trunc(f32(v * 10.0))), -v, float(v > 0.0)])
    write("scans.M", "f4", transposed(m))


def order():
    x = made.normal(40, 32)
    write("order.X", "f4", x)
    write("order.Y0", "f4", [[v * 2.0 for v in row] for row in x])
    write("order.Y1", "f4", [[f32(f32(v + 1.0) - f32(max(row) + 1.0)) for v in row] for row in x])
    write("order.Y2", "f4", [[-v for v in row] for row in x])


def generate():
    x = made.normal(12, 24)
    scale, n = 0.75, 3
    write("generate.X", "f4", x)

    def plane(i, j, scale, shift):
        y = f32(f32(f32(i * scale) - j / 4.0) + shift)
        return y if i == j or j > 12 else f32(max(y, 0.5) * scale)

    def distance(i, j, most):
        return min(i - j, most) if i > j else -min((j - i + 1) // 2, 6)

    def gathered(t, n):
        return [[t[i % len(t)][j % len(t[0])] + sum(x[(i + k) % 12][j] for k in range(n)) for j in range(24)] for i in range(8)]

    write("generate.P", "f4", [[plane(i, j, scale, 1.0) + 0.5 * plane(i, j, scale, 0.0) for j in range(16)] for i in range(16)])
    write("generate.A", "f4", [[plane(i, j, 2.0, 0.25) + 1.0 for j in range(16)] for i in range(4)])
    write("generate.B", "i8", [[(i - j) ** 2 % 7 for j in range(8)] for i in range(8)])
    write("generate.D", "i4", [[distance(i, j, 4) for j in range(12)] for i in range(12)])
    g = gathered([row[:5] for row in x[:3]], n)
    total = g
    for step in range(3):
        g = gathered(g, step)
        total = [[a + b for a, b in zip(p, q)] for p, q in zip(total, g)]
    write("generate.G", "f4", total)
    write("generate.H", "f2", [0.25 * i for i in range(40)])
    write("generate.C", "i4", [[[[1 if (i + j) % 2 == 0 and k != j else -1 for k in range(4)] for j in range(3)] for i in range(2)]])


def ordered():
    write("ordered.out", "i4", [i + 1 for i in range(32)])
    total = []
    for b in range(6):
        total.append([i + sum(row[i] for row in total) for i in range(32)])
    write("ordered.chain", "i4", total)
    write("ordered.ring", "i4", [[(b + 3) % 4 * 100 + i for i in range(32)] for b in range(4)])
    write("ordered.bar", "i4", [0, 0])
    write("ordered.edge", "i4", [[29] * 40])
    x = [i * i % 23 - 7 for i in range(64)]
    write("ordered.agree", "f4", [1.5] * 8)
    write("ordered.X", "i4", [x])
    write("ordered.same", "i4", [[2] + [0] * 63, [2, 3] + [0] * 62, [2 * v for v in x], x[::-1], [2 * (v + 1) + 5 for v in x]])


def rounding():
    a, b = made.integers(-8, 8, 44, 44), made.integers(-8, 8, 44, 52)
    write("rounding.A", "f4", a)
    write("rounding.B", "f4", b)
    write("rounding.T", "f4", transposed(b))
    write("rounding.C", "f4", [[sum(x * row[j] for x, row in zip(line, b)) for j in range(52)] for line in a])


def bands():
    write("bands.seen", "i4", [[y * 100 + x for x in range(5)] for y in range(7)])
    write("bands.count", "i4", [35])


def angles():
    single = lambda v: struct.unpack("f", struct.pack("f", v))[0]
    of = lambda f, v: f(v) if math.isfinite(v) else math.nan
    base = [0.0, 0.5, -3.0, 710.0, 65535.5, 65537.0, -1e6, 2.0**30, 2.0**30 + 64, 1e9, -1e16, 3e17, 1e20, -7.25e27, 3.4e38, math.inf]
    narrow, wide = [single(v) for v in base], base + [1e22, 2.0**53 + 2, -2.0**700, 6381956970095103 * 2.0**797, 1.7e308, 1e18, -math.inf, math.nan]
    for name, code, values in (("x", "f4", narrow), ("X", "f8", wide)):
        write(f"angles.{name}", code, values)
        write(f"angles.sin_{name}", code, [of(math.sin, v) for v in values])
        write(f"angles.cos_{name}", code, [of(math.cos, v) for v in values])


def powers():
    pairs = [(1e300, 1.0), (1e100, 3.0), (10.0, 300.0), (3.0, 600.0), (0.5, -1000.0), (1e-310, 0.5), (5e-324, -0.9), (2.0, 1023.9),
             (1.0000000001, 7e12), (0.9999999, 5e9), (-3.0, 601.0), (-2.0, 60.0), (7.25, -321.0), (1.5, 1750.0), (1e-200, 1.5), (0.7, 1999.0),
             (0.0, 2.0), (-0.0, -3.0), (math.inf, -1.0), (-math.inf, 3.0), (math.nan, 0.0), (1.0, math.inf), (2.0, -math.inf), (0.5, -math.inf)]
    of = lambda x, y: -math.inf if (x, y) == (0.0, -3.0) else math.pow(x, y)
    write("powers.x", "f8", [x for x, _ in pairs])
    write("powers.y", "f8", [y for _, y in pairs])
    write("powers.p", "f8", [of(x, y) for x, y in pairs])
    write("powers.minus", "f4", [-math.inf] * 32)


def odd_rows():
    write("odd_rows.Y", "i4", [[320 * r + c + 1 for c in range(320)] for r in range(3)])
    write("odd_rows.Z", "i4", [[16 * r + c + 1 for c in range(16)] for r in range(60)])


def raster():
    write("raster.seen", "i4", [1] * 370)


def steps():
    write("steps.four", "i4", [4] * 32)
    write("steps.none", "i4", [0] * 32)


for make in (divergence, short_circuit, functions, lanes, tiles, compound, narrow, loops, integers, scans, order, generate, ordered, rounding, bands, angles, powers, odd_rows, raster, steps):
    make()
