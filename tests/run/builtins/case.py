"""A kernel of the matrix: what it computes, and what should come out."""
import math

from reference import WIDTHS, fit

THREADS = 128
EXACT = {"sim": (0, 0), "emulate": (0, 0)}


class Case:
    def __init__(self, builtin, name, inputs, outputs, body, tolerance=None, grid=1, functions="", attributes="", threads=THREADS):
        self.builtins, self.inputs, self.outputs, self.body = builtin.split(), inputs, outputs, body
        self.name = "%s_%s" % (self.builtins[0] if len(self.builtins) < 9 else "convert", name)
        self.tolerance, self.grid, self.functions, self.attributes, self.threads = tolerance or EXACT, grid, functions, attributes, threads

    def text(self):
        """An input and an output of one name are one parameter."""
        parameters = {}
        for name, kind, shape, _ in self.inputs + self.outputs:
            parameters[name] = "%s: tensor<%s>[%s]" % (name, kind, ", ".join(map(str, shape))) if shape else "%s: %s" % (name, kind)
        return "%s@launch(%d)\n%skernel %s(%s) {\n%s\n}\n" % (
            self.functions, self.threads, self.attributes, self.name, ", ".join(parameters.values()), self.body)


def shaped(values, shape):
    if len(shape) == 1:
        return list(values)
    each = len(values) // shape[0]
    return [shaped(values[i * each:(i + 1) * each], shape[1:]) for i in range(shape[0])]


def loose(kind, relative, absolute=None, sim=None):
    """Tolerances of a float type, of f32 as given; 16 bits may be off by one in their last place."""
    relative = {"f16": max(relative, 2.0 ** -10), "bf16": max(relative, 2.0 ** -7), "f32": relative, "f64": max(relative * 1e-6, 1e-14)}[kind]
    absolute = {"f16": 2.0 ** -23, "bf16": 1e-37, "f32": 1e-37, "f64": 1e-300}[kind] if absolute is None else absolute
    return {"sim": sim or (0, 0), "emulate": (relative, absolute)}


# A value's sign is lost in a comparison of zeros; one over it keeps it.
SIGN = "    {0}[{1}] = where({2} < 0.0 || 1.0 / {2} < 0.0, i32(1), i32(0))"


def sign_of(x):
    return int(x < 0 or (x == 0 and math.copysign(1, x) < 0) if x == x else 0)


def refusal(builtin, kind, body, more="", result=None, shape=(THREADS,)):
    return Case(builtin, "%s_refused" % (more or kind),
                [("A", kind, shape, None), ("B", kind, shape, None)], [("O", result or kind, shape, None)], body)


def reduced(f, row):
    best = row[0]
    for x in row[1:]:
        best = f(best, x)
    return best


def total_of(kind, values):
    if kind in WIDTHS:
        return fit(kind, sum(values))
    total = 0.0
    for x in values:
        total += x
    return fit(kind, total)
