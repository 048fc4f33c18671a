"""Writes .npy files with the standard library alone, and rounds as the machine does."""
import itertools
import random
import struct

CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "u1": "B", "i4": "i", "i8": "q", "b1": "?"}


def save(path, kind, values):
    """`values`: nested lists, or a flat one; `kind`: "f4", "i4" and so on."""
    shape, flat, outer = [], values, 1
    while isinstance(flat, list) and flat and isinstance(flat[0], list):
        shape.append(len(flat) // outer)
        outer = len(flat)
        flat = list(itertools.chain.from_iterable(flat))
    shape.append(len(flat) // outer)
    order = "|" if kind[1] == "1" else "<"
    dims = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    head = "{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }" % (order, kind, dims)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack("<%d%s" % (len(flat), CODES[kind]), *flat))


def rounded(kind, value):
    """The nearest value of a float type; "bf" is bfloat16."""
    if kind != "bf":
        return struct.unpack("<" + CODES[kind], struct.pack("<" + CODES[kind], value))[0]
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000
    return struct.unpack("<f", struct.pack("<I", bits))[0]


class Random:
    """Reproducible data."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def normal(self, *shape, scale=1.0, kind="f4"):
        return self._fill(shape, lambda: rounded(kind, scale * self.source.gauss(0.0, 1.0)))

    def integers(self, low, high, *shape):
        """From `low` up to but not including `high`."""
        return self._fill(shape, lambda: self.source.randrange(low, high))

    def _fill(self, shape, make):
        if len(shape) == 1:
            return [make() for _ in range(shape[0])]
        return [self._fill(shape[1:], make) for _ in range(shape[0])]


def matmul(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]
