"""The types of the language as plain Python computes them: values worth trying, rounding, wrapping, conversions."""
import math
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples"))
from npy import save  # noqa: E402

FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGERS = ["i8", "u8", "i32", "i64"]
NUMBERS = FLOATS + INTEGERS
TYPES = NUMBERS + ["bool"]
FILE_KINDS = {"f16": "f2", "bf16": "f4", "f32": "f4", "f64": "f8", "i8": "i1", "u8": "u1", "i32": "i4", "i64": "i8", "bool": "b1"}
WIDTHS = {"i8": 8, "u8": 8, "i32": 32, "i64": 64}
INF, NAN = math.inf, math.nan


def packed(code, x):
    try:
        return struct.unpack("<" + code, struct.pack("<" + code, x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def to_bf16(x):
    """From the exact value of a double: the f32 below in size decides, with a bit for what it leaves out."""
    if x != x or math.isinf(x) or x == 0:
        return x
    mantissa, exponent = math.frexp(abs(x))
    last = max(exponent - 8, -133)  # the exponent of the last place
    if exponent > 128:
        return math.copysign(INF, x)
    scaled = math.ldexp(abs(x), -last)
    whole = math.floor(scaled)
    rest = scaled - whole
    whole += rest > 0.5 or (rest == 0.5 and whole % 2 == 1)
    result = math.ldexp(whole, last)
    return math.copysign(INF if result >= 2.0 ** 128 else result, x)


def fit(kind, x):
    """A number as a value of the type: floats rounded to nearest even, integers wrapped."""
    if kind == "bool":
        return bool(x)
    if kind in WIDTHS:
        width = WIDTHS[kind]
        x &= (1 << width) - 1
        return x - (1 << width) if kind != "u8" and x >> (width - 1) else x
    if kind == "f64":
        return float(x)
    if kind == "bf16":
        return to_bf16(x)
    return packed("f" if kind == "f32" else "e", x)


def working(kind):
    """What arithmetic of the type is done in."""
    return "f32" if kind in ("f16", "bf16") else kind


def in_steps(kind, x):
    return fit(kind, fit(working(kind), x))


def converted(source, target, x):
    if target == "bool":
        return x != 0
    if source in FLOATS and target in INTEGERS:
        if x != x:
            return 0
        least = 0 if target == "u8" else -(1 << (WIDTHS[target] - 1))
        most = 255 if target == "u8" else (1 << (WIDTHS[target] - 1)) - 1
        return least if x <= least else most if x >= most else int(x)
    if source == "bool":
        x = int(x)
    if target in FLOATS and source not in FLOATS:
        return nearest(target, x)
    return fit(target, x)


def nearest(kind, n):
    """An integer as a float, rounded once."""
    bits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[kind]
    size = abs(n)
    past = max(0, size.bit_length() - bits)
    kept, lost, half = size >> past, size & ((1 << past) - 1), (1 << past) >> 1
    kept += past > 0 and (lost > half or (lost == half and kept % 2 == 1))
    size = kept << past
    if kind == "f16" and size >= 65536:
        return math.copysign(INF, n)
    return -float(size) if n < 0 else float(size)


def greater(a, b):
    if a != a or b != b:
        return b if a != a else a
    if a == b == 0:
        return b if math.copysign(1, a) < 0 else a
    return max(a, b)


def lesser(a, b):
    if a != a or b != b:
        return b if a != a else a
    if a == b == 0:
        return a if math.copysign(1, a) < 0 else b
    return min(a, b)


LARGEST = {"f16": 65504.0, "bf16": math.ldexp(255, 120), "f32": math.ldexp((1 << 24) - 1, 104), "f64": sys.float_info.max}
SMALLEST = {"f16": 2.0 ** -24, "bf16": 2.0 ** -133, "f32": 2.0 ** -149, "f64": 5e-324}


def special(kind):
    if kind == "bool":
        return [False, True]
    if kind in INTEGERS:
        top = (1 << WIDTHS[kind]) - 1 if kind == "u8" else (1 << (WIDTHS[kind] - 1)) - 1
        low = 0 if kind == "u8" else -top - 1
        return [0, 1, 2, 3, top, top - 1, low, low + 1, fit(kind, -1), fit(kind, -7), 100]
    return [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, INF, -INF, NAN, LARGEST[kind], SMALLEST[kind]]


def pairs(kind, count, seed=1):
    """Two lists: every special value with every one, and numbers at random."""
    values, source = special(kind), random.Random(seed)
    made = [(a, b) for a in values for b in values]
    while len(made) < count:
        made.append((some(kind, source), some(kind, source)))
    source.shuffle(made)
    return [a for a, _ in made[:count]], [b for _, b in made[:count]]


def some(kind, source):
    if kind == "bool":
        return source.random() < 0.5
    if kind in INTEGERS:
        return fit(kind, source.getrandbits(64) >> source.randrange(64))
    return fit(kind, source.gauss(0, 1) * 2.0 ** source.randrange(-6, 7))


def small(kind, count, seed):
    """Numbers whose sums and products stay exact: integers and quarters."""
    source = random.Random(seed)
    if kind == "bool":
        return [source.random() < 0.5 for _ in range(count)]
    if kind == "u8":
        return [source.randrange(0, 12) for _ in range(count)]
    if kind in INTEGERS:
        return [source.randrange(-9, 10) for _ in range(count)]
    return [source.randrange(-16, 17) / 4 for _ in range(count)]


def plain(kind, count, seed):
    """Numbers of about unit size."""
    source = random.Random(seed)
    if kind in FLOATS:
        return [fit(kind, source.gauss(0, 1)) for _ in range(count)]
    return [some(kind, source) for _ in range(count)]


def write(path, kind, values):
    save(path, FILE_KINDS[kind], values)
