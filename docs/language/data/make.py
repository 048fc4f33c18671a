#!/usr/bin/env python3
"""Makes what the tutorial reads and expects, from plain Python alone: matrices whose elements f16 holds, and their product."""
import pathlib, sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parents[2] / "examples"))
from npy import Random, matmul, save, transposed  # noqa: E402

made = Random(7)
a, b = made.normal(70, 50, kind="f2"), made.normal(50, 60, kind="f2")
for name, kind, values in [("A", "f4", a), ("B", "f4", b), ("A16", "f2", a), ("B16", "f2", b), ("At", "f4", transposed(a)),
                           ("AB", "f4", matmul(a, b)), ("rows", "f4", [[sum(row)] for row in a])]:
    save(str(HERE / f"{name}.npy"), kind, values)
