"""The kernels of the matrix: what each computes, and what should come out."""
import math

from reference import (FLOATS, INF, INTEGERS, NAN, NUMBERS, TYPES, WIDTHS, converted, fit, greater, in_steps, lesser, pairs, plain,
                       small, special, working)

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


# --- elementwise ---

FORMS = {
    "scalar": "  let t = ctx.thread\n  let r = {call}\n  O[t] = r",
    "tile": "  let r = {call}\n  O[0 :+ 128] = r",
    "run": "  if ctx.thread < 32 {{\n    store(O, 4 * ctx.thread :+ 4, {call})\n  }}",
}
READS = {"scalar": "{}[t]", "tile": "{}[0 :+ 128]", "run": "elem({}, 4 * ctx.thread :+ 4)"}


def elementwise(builtin, kinds, result, f, label="", tolerance=None, signs=False, columns=None):
    """One kernel a form: O = builtin(A, B, …) of operands of those types."""
    names = "ABC"[:len(kinds)]
    if columns:
        pass
    elif len(kinds) == 3:
        condition = [i % 3 == 0 for i in range(THREADS)]
        columns = [condition, *pairs(kinds[1], THREADS)]
    else:
        columns = list(pairs(kinds[0], THREADS)[:len(kinds)])
    out = [f(*row) for row in zip(*columns)]
    for form, body in FORMS.items():
        text = ("%s(%s)" % (builtin, ", ".join("{%s}" % n for n in names))).format(**{n: READS[form].format(n) for n in names})
        inputs = [(n, kind, [THREADS], column) for n, kind, column in zip(names, kinds, columns)]
        outputs = [("O", result, [THREADS], out)]
        body = body.format(call=text)
        if signs and form == "scalar":
            body += "\n" + SIGN.format("S", "t", "r")
            outputs.append(("S", "i32", [THREADS], [sign_of(x) for x in out]))
        elif signs and form == "tile":
            body += "\n  S[0 :+ 128] = where(r < 0.0 || 1.0 / r < 0.0, i32(1), i32(0))"
            outputs.append(("S", "i32", [THREADS], [sign_of(x) for x in out]))
        yield Case(builtin, "%s_%s" % (label or kinds[-1], form), inputs, outputs, body, tolerance)


def refusal(builtin, kind, body, more="", result=None, shape=(THREADS,)):
    return Case(builtin, "%s_refused" % (more or kind),
                [("A", kind, shape, None), ("B", kind, shape, None)], [("O", result or kind, shape, None)], body)


def guarded(f):
    """As the C library has it where Python raises."""
    def safe(*x):
        try:
            return f(*x)
        except OverflowError:
            return INF
        except ValueError:
            return NAN
        except ZeroDivisionError:
            return INF
    return safe


def logarithm(x):
    return -INF if x == 0 else math.log(x)


def inverse_root(x):
    return math.copysign(INF, x) if x == 0 else 1 / math.sqrt(x)


def power(x, y):
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0 and y % 2 == 1 else INF
    except ValueError:
        if x == 0:
            return math.copysign(INF, x) if y % 2 == 1 else INF
        return NAN


def whole(f):
    return lambda x: x if x != x or math.isinf(x) else math.copysign(f(x), x)


ANALYSIS = {"exp": (guarded(math.exp), 5e-7, None), "log": (guarded(logarithm), 5e-7, 1e-7), "sqrt": (guarded(math.sqrt), 2e-7, None),
            "rsqrt": (guarded(inverse_root), 5e-7, None), "tanh": (math.tanh, 1e-3, 1e-30), "sin": (guarded(math.sin), 1e-3, 1e-6),
            "cos": (guarded(math.cos), 1e-3, 1e-6)}
# The simulator's: one off in the last place.
ROUNDED = {"f16": (1e-3, 0), "bf16": (8e-3, 0), "f32": (1.2e-7, 2e-45), "f64": (4e-16, 0)}
ROUNDINGS = {"floor": whole(math.floor), "ceil": whole(math.ceil), "round": whole(round)}


def elementwise_cases():
    for kind in FLOATS:
        for name, (f, relative, absolute) in ANALYSIS.items():
            # Far out the emulated circular functions lose the quadrant, and may.
            values = [1.25 if name in ("sin", "cos") and 1e4 < abs(x) < INF else x for x in pairs(kind, THREADS)[0]]
            yield from elementwise(name, [kind], kind, lambda x: in_steps(kind, f(x)), tolerance=loose(kind, relative, absolute, ROUNDED[kind]), columns=[values])
        for name, f in ROUNDINGS.items():
            yield from elementwise(name, [kind], kind, f, signs=True)
        yield from elementwise("pow", [kind, kind], kind, lambda x, y: in_steps(kind, power(x, y)), tolerance=loose(kind, 1e-6, None, ROUNDED[kind]))
    for kind in NUMBERS:
        real = kind in FLOATS
        yield from elementwise("abs", [kind], kind, lambda x: abs(x) if real else fit(kind, abs(x)), signs=real)
        yield from elementwise("tmax", [kind, kind], kind, greater if real else max, signs=real)
        yield from elementwise("tmin", [kind, kind], kind, lesser if real else min, signs=real)
    for kind in TYPES:
        yield from elementwise("where", ["bool", kind, kind], kind, lambda c, a, b: a if c else b, signs=kind in FLOATS)
        yield from conversions(kind)


def conversions(kind):
    """From a type to every one."""
    values = pairs(kind, THREADS)[0]
    for form, body in FORMS.items():
        lines, outputs = ["  let t = ctx.thread"] if form != "tile" else [], []
        for target in TYPES:
            out, call = [converted(kind, target, x) for x in values], "%s(%s)" % (target, READS[form].format("A"))
            if form == "run":
                lines.append("  if t < 32 {{\n    store(O{0}, 4 * t :+ 4, {1})\n  }}".format(target, call))
            else:
                lines.append("  let r{0} = {1}\n  O{0}[{2}] = r{0}".format(target, call, "t" if form == "scalar" else "0 :+ 128"))
            outputs.append(("O" + target, target, [THREADS], out))
            if kind in FLOATS and target in FLOATS and form != "run":
                lines.append("  S{0}[{1}] = where(r{0} < 0.0 || 1.0 / r{0} < 0.0, i32(1), i32(0))".format(target, "t" if form == "scalar" else "0 :+ 128"))
                outputs.append(("S" + target, "i32", [THREADS], [sign_of(x) for x in out]))
        yield Case(" ".join(TYPES), "from_%s_%s" % (kind, form), [("A", kind, [THREADS], values)], outputs, "\n".join(lines))


def elementwise_refused():
    body = "  O[ctx.thread] = %s"
    for kind in INTEGERS + ["bool"]:
        for name in list(ANALYSIS) + list(ROUNDINGS):
            yield refusal(name, kind, body % ("%s(A[ctx.thread])" % name))
        yield refusal("pow", kind, body % "pow(A[ctx.thread], B[ctx.thread])")
    for name in ("tmax", "tmin"):
        yield refusal(name, "bool", body % ("%s(A[ctx.thread], B[ctx.thread])" % name))
    yield refusal("abs", "bool", body % "abs(A[ctx.thread])")
    for kind in NUMBERS:
        yield refusal("where", kind, body % "where(A[ctx.thread], A[ctx.thread], B[ctx.thread])")


# --- tiles ---

ACCUMULATOR = {"f16": "f32", "bf16": "f32", "i8": "i32", "u8": "i32"}
# Rows and columns: less than a warp, more than one, more than a CTA, and such as leave lanes without an element.
SHAPES = [(4, 24), (3, 40), (2, 200), (16, 1), (1, 7), (33, 5)]


def contraction(kind, a, b, start=None):
    """Σ over k from 0 up: f16 and bf16 in f32, f32 in double and rounded once."""
    sum_kind = ACCUMULATOR.get(kind, kind)
    total = start or 0
    for x, y in zip(a, b):
        total = total + x * y
        if sum_kind in WIDTHS:
            total = fit(sum_kind, total)
        elif kind in ("f16", "bf16"):
            total = fit("f32", total)
    return fit(sum_kind, total) if sum_kind in FLOATS else total


def contraction_cases():
    for kind in NUMBERS:
        out = ACCUMULATOR.get(kind, kind)
        for m, n, k, data in ((8, 16, 32, small), (5, 7, 9, small), (16, 8, 64, plain)):
            a, b = data(kind, m * k, 3), data(kind, k * n, 4)
            if data is plain and kind in FLOATS:
                a[k + 1], b[2], a[3 * k] = INF, -INF, NAN
            rows = shaped(a, [m, k])
            columns = [b[j::n] for j in range(n)]
            start = small(out, m * n, 5)
            fused = {"f32": (1e-4, 1e-4), "f64": (1e-12, 1e-12)}.get(kind, (0, 0)) if data is plain else (0, 0)
            tolerance = {"sim": (0, 0), "emulate": fused}
            label = "%s_%dx%dx%d" % (kind, m, n, k)
            product = [contraction(kind, row, column) for row in rows for column in columns]
            added = [contraction(kind, rows[i // n], columns[i % n], start[i]) for i in range(m * n)]
            inputs = [("A", kind, [m, k], a), ("S", out, [m, n], start)]
            outputs = [("O", out, [m, n], product), ("P", out, [m, n], added)]
            body = "  O[:, :] = {0}(A[:, :], B[:, :])\n  var acc = S[:, :]\n  acc += {0}(A[:, :], B[:, :])\n  P[:, :] = acc"
            yield Case("dot", label, inputs + [("B", kind, [k, n], b)], outputs, body.format("dot"), tolerance)
            turned = [x for column in columns for x in column]
            yield Case("dot_t", label, inputs + [("B", kind, [n, k], turned)], outputs, body.format("dot_t"), tolerance)


def with_special_rows(kind, rows, columns, seed):
    """All NaN, NaN but for one, -0 and 0, the infinities; ties."""
    values = shaped(small(kind, rows * columns, seed), [rows, columns])
    if kind in FLOATS:
        odd = [[NAN] * columns, [NAN] * (columns - 1) + [-INF], [0.0, -0.0] * columns, [-INF] * columns, [-0.0] * columns]
        for i, row in enumerate(odd[:rows - 1] if rows > 2 else odd[:1]):
            values[i] = row[:columns]
    else:
        values[0] = [values[0][0]] * columns
    return values


def reduced(f, row):
    best = row[0]
    for x in row[1:]:
        best = f(best, x)
    return best


def argmax(row):
    best = 0
    for i, x in enumerate(row):
        if x > row[best] or (row[best] != row[best] and x == x):
            best = i
    return best


def total_of(kind, values):
    if kind in WIDTHS:
        return fit(kind, sum(values))
    total = 0.0
    for x in values:
        total += x
    return fit(kind, total)


def row_cases():
    for kind in NUMBERS:
        real = kind in FLOATS
        most, least = (greater, lesser) if real else (max, min)
        for rows, columns in SHAPES:
            label = "%s_%dx%d" % (kind, rows, columns)
            values = with_special_rows(kind, rows, columns, 6)
            flat = [x for row in values for x in row]
            lines, outputs = ["  O4[:, :] = rowargmax(A[:, :])"], [("O4", "i32", [rows, 1], [argmax(row) for row in values])]
            for name, f in (("rowmax", most), ("rowmin", least)):
                out = [reduced(f, row) for row in values]
                lines.append("  let {0}_ = {0}(A[:, :])\n  O_{0}[:, :] = {0}_".format(name))
                outputs.append(("O_" + name, kind, [rows, 1], out))
                if real:
                    lines.append("  S_{0}[:, :] = where({0}_ < 0.0 || 1.0 / {0}_ < 0.0, i32(1), i32(0))".format(name))
                    outputs.append(("S_" + name, "i32", [rows, 1], [sign_of(x) for x in out]))
            yield Case("rowmax rowmin rowargmax", label, [("A", kind, [rows, columns], flat)], outputs, "\n".join(lines))
            for data, more in ((small, ""), (plain, "_plain")):
                numbers = data(kind, rows * columns, 7)
                table = shaped(numbers, [rows, columns])
                tolerance = EXACT
                if data is plain and real:
                    tolerance = {"sim": (0, 0), "emulate": ({"f16": 2.0 ** -10, "bf16": 2.0 ** -7}.get(kind, 1e-5), 1e-3)}
                sums = [[total_of(kind, [table[i][j] for i in range(r + 1)]) for j in range(columns)] for r in range(rows)]
                outputs = [("O", kind, [rows, 1], [total_of(kind, row) for row in table]), ("P", kind, [rows, columns], [x for row in sums for x in row])]
                yield Case("rowsum cumsum", label + more, [("A", kind, [rows, columns], numbers)], outputs,
                           "  O[:, :] = rowsum(A[:, :])\n  P[:, :] = cumsum(A[:, :])", tolerance)


def moving_cases():
    for kind in TYPES:
        for rows, columns in ((4, 24), (16, 16), (33, 5), (1, 7)):
            label = "%s_%dx%d" % (kind, rows, columns)
            values = plain(kind, rows * columns, 8)
            table = shaped(values, [rows, columns])
            inputs = [("A", kind, [rows, columns], values)]
            yield Case("transpose", label, inputs, [("O", kind, [columns, rows], [table[i][j] for j in range(columns) for i in range(rows)])],
                       "  O[:, :] = transpose(A[:, :])")
            yield Case("flat", label, inputs, [("O", kind, [1, rows * columns], values)], "  let t = A[:, :]\n  O[:, :] = flat(t)")
            if kind != "bool":
                kept = [table[i][j] if j <= i else 0 for i in range(rows) for j in range(columns)]
                yield Case("tril", label, inputs, [("O", kind, [rows, columns], kept)], "  O[:, :] = tril(A[:, :])")
            weight = "fn weight(i: i32, j: i32, a: {0}) -> {0} {{\n  return where(i < j, a, {1})\n}}\n\n".format(
                kind, {"bool": "false"}.get(kind, "0.0" if kind in FLOATS else "%s(0)" % kind))
            first = [(values[0] if i < j else 0) for i in range(rows) for j in range(columns)]
            yield Case("generate", label, inputs, [("O", kind, [rows, columns], first)],
                       "  let w: tile<%s>[%d, %d] = generate(weight, A[0, 0])\n  O[:, :] = w" % (kind, rows, columns), functions=weight)
            # extent: of a tensor and of a tile
            yield Case("extent", label, inputs, [("O", "i64", [4], [rows, columns, rows, columns])],
                       "  let t = A[:, :]\n  O[0] = i64(extent(A, 0))\n  O[1] = i64(extent(A, 1))\n  O[2] = i64(extent(t, 0))\n  O[3] = i64(extent(t, 1))")
    for axis in range(3):
        shape = [3, 5, 8]
        at = [(i, j, k) for i in range(3) for j in range(5) for k in range(8)]
        yield Case("iota", "of_3_axes_%d" % axis, [], [("O", "i32", shape, [p[axis] for p in at])], "  O[:, :, :] = iota(3, 5, 8, %d)" % axis)
    yield Case("iota", "of_one_axis", [], [("O", "i32", [40], list(range(40)))], "  O[:] = iota(40)")


def tile_refused():
    for name in ("rowsum", "rowmax", "rowmin", "rowargmax", "cumsum", "tril"):
        yield refusal(name, "bool", "  O[0 :+ 4, 0 :+ 4] = %s(A[0 :+ 4, 0 :+ 4])" % name, shape=(16, 16))
    for name in ("dot", "dot_t"):
        yield refusal(name, "bool", "  O[0 :+ 4, 0 :+ 4] = %s(A[0 :+ 4, 0 :+ 4], B[0 :+ 4, 0 :+ 4])" % name, shape=(16, 16))


# --- collectives, shuffles, runs ---

def butterfly(f, lanes):
    lanes = list(lanes)
    distance = 16
    while distance:
        lanes = [f(lanes[i], lanes[i + distance]) for i in range(distance)]
        distance //= 2
    return lanes[0]


def folds(kind):
    real = kind in FLOATS
    return {"sum": (lambda a, b: fit(working(kind), a + b)), "max": greater if real else max, "min": lesser if real else min}


def collective_cases():
    for kind in TYPES:
        values = plain(kind, THREADS, 9)
        if kind in FLOATS:
            values[32:64] = [NAN] * 31 + [-0.0]
            values[64:96] = [0.0, -0.0] * 16
        warps = [values[w * 32:w * 32 + 32] for w in range(4)]
        chosen = {"any": lambda a, b: a or b, "all": lambda a, b: a and b} if kind == "bool" else folds(kind)
        for name, f in chosen.items():
            if name == "sum" and kind in FLOATS:
                values = plain(kind, THREADS, 9)
                warps = [values[w * 32:w * 32 + 32] for w in range(4)]
            by_warp = [butterfly(f, lanes) for lanes in warps]
            whole_cta = reduced(f, by_warp)
            out = [fit(kind, by_warp[t // 32]) for t in range(THREADS)] + [fit(kind, whole_cta)] * THREADS
            yield Case(name, kind + "_over", [("A", kind, [THREADS], values)], [("O", kind, [2, THREADS], out)],
                       "  let v = A[ctx.thread]\n  O[0, ctx.thread] = {0}<over ctx.lane>(v)\n  O[1, ctx.thread] = {0}<over ctx.thread>(v)".format(name))
        values = plain(kind, THREADS, 10)
        ways = [("xor 1", lambda l: l ^ 1), ("xor 31", lambda l: l ^ 31), ("xor 40", lambda l: l), ("up 3", lambda l: l - 3 if l >= 3 else l),
                ("down 5", lambda l: l + 5 if l < 27 else l), ("up 32", lambda l: l), ("down 40", lambda l: l), ("from 7", lambda l: 7),
                ("from 39", lambda l: 7), ("from 31 - ctx.lane", lambda l: 31 - l), ("up ctx.lane", lambda l: 0)]
        out = [values[t // 32 * 32 + way(t % 32)] for _, way in ways for t in range(THREADS)]
        body = "  let v = A[ctx.thread]\n" + "\n".join("  O[%d, ctx.thread] = shfl<%s>(v)" % (i, how) for i, (how, _) in enumerate(ways))
        yield Case("shfl", kind, [("A", kind, [THREADS], values)], [("O", kind, [len(ways), THREADS], out)], body)


def collective_refused():
    for name in ("sum", "max", "min"):
        yield refusal(name, "bool", "  O[ctx.thread] = %s<over ctx.lane>(A[ctx.thread])" % name)
        yield refusal(name, "bool", "  O[ctx.thread] = %s(elem(A, ctx.thread :+ 4))" % name, "bool_run")
    for name in ("any", "all"):
        for kind in NUMBERS:
            yield refusal(name, kind, "  O[ctx.thread] = %s<over ctx.lane>(A[ctx.thread])" % name, result="bool")


def run_cases():
    """Runs of every length, from any element on, past both ends too, in tensors and in tiles."""
    for kind in TYPES:
        values = plain(kind, THREADS, 11)
        if kind in FLOATS:
            values[20:40] = [NAN, -0.0, 0.0, INF, -INF] * 4
        read = lambda at: values[at] if 0 <= at < THREADS else 0
        tile = "  var t: tile<{0}>[8, 16] = A[:, :]\n".format(kind)
        for length in (1, 3, 4, 16):
            runs = [[read(t - 2 + i) for i in range(length)] for t in range(THREADS)]
            for place, head, shape in (("tensor", "", [THREADS]), ("tile", tile, [8, 16])):
                label = "%s_%d_of_%s" % (kind, length, place)
                inputs = [("A", kind, shape, values)]
                source = "A" if place == "tensor" else "t"
                run = "elem(%s, ctx.thread - 2 :+ %d)" % (source, length)
                if kind != "bool":
                    chosen, sum_kind = folds(kind), {"i8": "i32", "u8": "i32"}.get(kind, kind)
                    outputs = [("O" + name, kind, [THREADS], [reduced(chosen[name], row) for row in runs]) for name in ("max", "min")]
                    outputs.append(("Osum", sum_kind, [THREADS], [total_of(sum_kind, row) for row in runs]))
                    body = "\n".join("  O{0}[ctx.thread] = {0}({1})".format(name, run) for name in chosen)
                    yield Case("sum max min", "of_run_" + label, inputs, outputs, head + body, loose(kind, 1e-5, 1e-3) if kind in FLOATS else EXACT)
                # Each thread stores the run that begins at its place times the length, from one place on.
                count = THREADS // length
                out = list(small(kind, THREADS, 12))
                start = list(out)
                for t in range(count):
                    for i in range(length):
                        if t * length + i + 1 < THREADS:
                            out[t * length + i + 1] = read(t * length + i)
                if place == "tensor":
                    body = "  if ctx.thread < {1} {{\n    store(O, {0} * ctx.thread + 1 :+ {0}, elem(A, {0} * ctx.thread :+ {0}))\n  }}".format(length, count)
                    yield Case("store", label, inputs + [("O", kind, shape, start)], [("O", kind, shape, out)], body)
                else:
                    body = ("  var u: tile<{2}>[8, 16] = O[:, :]\n" + head +
                            "  if ctx.thread < {1} {{\n    store(u, {0} * ctx.thread + 1 :+ {0}, elem(t, {0} * ctx.thread :+ {0}))\n  }}\n  barrier()\n  O[:, :] = u").format(length, count, kind)
                    yield Case("store", label, inputs + [("O", kind, shape, start)], [("O", kind, shape, out)], body)
        for place, head, shape in (("tensor", "", [THREADS]), ("tile", tile, [8, 16])):
            source = "A" if place == "tensor" else "t"
            yield Case("elem", "%s_of_%s" % (kind, place), [("A", kind, shape, values)], [("O", kind, [THREADS], values[::-1])],
                       head + "  store(O, ctx.thread, elem(%s, 127 - ctx.thread))" % source)


# --- synchronisation and memory order ---

def atomic_cases():
    for kind in ("i32", "i64", "f32"):
        big = {"i32": 2 ** 31 - 2, "i64": 2 ** 63 - 2, "f32": 0.5}[kind]
        start = [big, 3, 10]
        one = "%s(%%s)" % kind if kind != "f32" else "f32(%s)"
        # One CTA, so that the old values are known: each operation twice.
        operations = {"atomic_add": (lambda old, v: fit(kind, old + v), [5, 7])}
        if kind != "f32":
            operations.update({"atomic_max": (max, [5, -7]), "atomic_min": (min, [5, -7]), "atomic_exch": (lambda old, v: v, [-5, 7])})
        for name, (f, values) in operations.items():
            now, olds = list(start), []
            body = []
            for i in range(3):
                for v in values:
                    olds.append(now[i])
                    now[i] = f(now[i], v)
                    body.append("  P[%d] = %s(C, %d, %s)" % (len(olds) - 1, name, i, one % v))
            yield Case(name, kind, [("C", kind, [3], start)], [("C", kind, [3], now), ("P", kind, [6], olds)], "\n".join(body))
        if kind != "f32":
            body = "  P[0] = atomic_cas(C, 1, %s, %s)\n  P[1] = atomic_cas(C, 1, %s, %s)\n  P[2] = atomic_cas(C, 2, %s, %s)" % tuple(one % v for v in (3, 4, 3, 5, 10, -1))
            yield Case("atomic_cas", kind, [("C", kind, [3], start)], [("C", kind, [3], [big, 4, -1]), ("P", kind, [3], [3, 4, 10])], body)
        # Many CTAs: what is the same in any order. The last to come sums the old values that the others handed on.
        if kind == "f32":
            yield Case("atomic_add", "f32_of_9_CTAs", [("C", "f32", [1], "zeros")], [("C", "f32", [1], [36.0])], "  atomic_add(C, 0, f32(ctx.block.x))", grid=9)
            continue
        head = "  let b = {0}(ctx.block.x)\n".format(kind)
        for name, start, end in (("atomic_add", 5, 41), ("atomic_max", 5, 8), ("atomic_min", 5, 0)):
            yield Case(name, kind + "_of_9_CTAs", [("C", kind, [1], [start])], [("C", kind, [1], [end])], head + "  %s(C, 0, b)" % name, grid=9)
        last = "  if atomic_add(N, 0, i32(1)) == 8 {\n    O[0] = atomic_add(T, 0, %s) + atomic_add(C, 0, %s)\n  }" % (one % 0, one % 0)
        more = [("C", kind, [1], "zeros"), ("T", kind, [1], "zeros"), ("N", "i32", [1], "zeros")]
        yield Case("atomic_exch", kind + "_of_9_CTAs", more, [("O", kind, [1], [45])],
                   head + "  let old = atomic_exch(C, 0, b + %s)\n  atomic_add(T, 0, old)\n" % (one % 1) + last, grid=9)
        # A counter by compare and swap, which has to try again.
        yield Case("atomic_cas", kind + "_of_9_CTAs", more[:1], [("C", kind, [1], [36])],
                   head + "  var seen = %s\n  var going = true\n  while going {\n    let old = atomic_cas(C, 0, seen, seen + b)\n    going = old != seen\n    seen = old\n  }" % (one % 0), grid=9)
        # A wait by an atomic, for what another CTA does later.
        yield Case("atomic_add", kind + "_waits", more[:1], [("C", kind, [1], [7])],
                   "  if ctx.block.x == 0 {{\n    while atomic_add(C, 0, {0}) < {1} {{\n    }}\n  }} else {{\n    atomic_add(C, 0, {1})\n  }}".format(one % 0, one % 7), grid=2)


def order_cases():
    """Data handed from CTA to CTA behind a flag of each type, forward and back."""
    for kind in TYPES:
        on = {"bool": "true"}.get(kind, "%s(1)" % kind)
        off = {"bool": "false"}.get(kind, "%s(0)" % kind)
        data = plain(kind, THREADS, 13)
        body = ("  if ctx.block.x == 0 {{\n    D[ctx.thread] = A[ctx.thread]\n    store_release(F, 0, {0})\n"
                "    while load_acquire(F, 1) == {1} {{\n    }}\n    O[0, ctx.thread] = E[127 - ctx.thread]\n"
                "  }} else {{\n    while load_acquire(F, 0) == {1} {{\n    }}\n    E[ctx.thread] = D[127 - ctx.thread]\n    store_release(F, 1, {0})\n"
                "    O[1, ctx.thread] = D[ctx.thread]\n  }}").format(on, off)
        inputs = [("A", kind, [THREADS], data), ("F", kind, [2], "zeros"), ("D", kind, [THREADS], "zeros"), ("E", kind, [THREADS], "zeros")]
        yield Case("load_acquire store_release", kind, inputs, [("O", kind, [2, THREADS], data + data)], body, grid=2)
        values = special(kind)[:8] if kind != "bool" else [True, False]
        count = len(values)
        body = "\n".join("  store_release(F, %d, A[%d])\n  O[%d] = load_acquire(F, %d)" % (i, i, i, i) for i in range(count))
        yield Case("store_release", kind + "_values", [("A", kind, [count], values), ("F", kind, [count], "zeros")], [("O", kind, [count], values)], body)
        ring = ("  let b = ctx.block.x\n  D[b, ctx.thread] = A[b, ctx.thread]\n  grid_barrier(G)\n  let next = D[(b + 1) % 4, ctx.thread]\n"
                "  grid_barrier(G)\n  D[b, ctx.thread] = next\n  grid_barrier(G)\n  O[b, ctx.thread] = D[(b + 2) % 4, ctx.thread]")
        table = plain(kind, 4 * THREADS, 14)
        yield Case("grid_barrier", kind, [("A", kind, [4, THREADS], table), ("D", kind, [4, THREADS], "zeros"), ("G", "i32", [2], "zeros")],
                   [("O", kind, [4, THREADS], table[3 * THREADS:] + table[:3 * THREADS])], ring, grid=4, attributes="@persistent\n")
        swap = ("  var t: tile<%s>[8, 16] = A[:, :]\n  let v = t[ctx.thread / 16, ctx.thread %% 16]\n  barrier()\n"
                "  t[7 - ctx.thread / 16, 15 - ctx.thread %% 16] = v\n  barrier()\n  D[ctx.thread] = t[ctx.thread / 16, ctx.thread %% 16]\n"
                "  barrier()\n  O[ctx.thread] = D[(ctx.thread + 50) %% 128]") % kind
        back = data[::-1]
        yield Case("barrier", kind, [("A", kind, [8, 16], data), ("D", kind, [THREADS], "zeros")],
                   [("O", kind, [THREADS], [back[(t + 50) % 128] for t in range(THREADS)])], swap)


def order_refused():
    for kind in TYPES:
        for name, count in (("atomic_add", 1), ("atomic_max", 1), ("atomic_min", 1), ("atomic_exch", 1), ("atomic_cas", 2)):
            if kind in ("i32", "i64") or (kind == "f32" and name == "atomic_add"):
                continue
            yield refusal(name, kind, "  %s(A, 0%s)" % (name, ", B[0]" * count))
        for name in ("atomic_add", "store_release", "load_acquire"):
            value = "" if name == "load_acquire" else ", t[0]"
            yield refusal(name, kind, "  var t = A[0 :+ 8]\n  %s(t, 0%s)" % (name, value), kind + "_tile")
    for kind in TYPES:
        if kind != "i32":
            yield refusal("grid_barrier", kind, "  grid_barrier(A)", shape=(2,))


# --- bytes ---

def byte_cases():
    words = pairs("i32", THREADS, 15)
    selectors = [(t * 0x9e3779b1) & 0x7fffffff for t in range(THREADS)]
    inputs = [("A", "i32", [THREADS], words[0]), ("B", "i32", [THREADS], words[1]), ("C", "i32", [THREADS], selectors)]

    def unsigned(x):
        return x & 0xffffffff

    def permuted(a, b, selector):
        of = [(unsigned(a) >> 8 * i) & 255 for i in range(4)] + [(unsigned(b) >> 8 * i) & 255 for i in range(4)]
        return fit("i32", sum(of[(unsigned(selector) >> 4 * i) & 7] << 8 * i for i in range(4)))

    def summed(a, b, acc):
        return fit("i32", acc + sum(fit("i8", unsigned(a) >> 8 * i) * fit("i8", unsigned(b) >> 8 * i) for i in range(4)))

    rows = list(zip(words[0], words[1], selectors))
    for name, f in (("byteperm", permuted), ("dp4a", summed)):
        yield Case(name, "i32", inputs, [("O", "i32", [THREADS], [f(*row) for row in rows])],
                   "  let t = ctx.thread\n  O[t] = %s(A[t], B[t], C[t])" % name)
    for kind in INTEGERS:
        values = pairs(kind, THREADS)[0]
        yield Case("popcount", kind, [("A", kind, [THREADS], values)],
                   [("O", "i32", [THREADS], [bin(x & ((1 << WIDTHS[kind]) - 1)).count("1") for x in values])], "  O[ctx.thread] = popcount(A[ctx.thread])")
    import struct
    every = list(range(65536))
    halves = [struct.unpack("<e", struct.pack("<H", n))[0] for n in every]
    yield Case("f16bits", "every", [], [("O", "f16", [65536], halves), ("S", "i32", [65536], [sign_of(x) for x in halves])],
               "  for i in range(ctx.thread, 65536, ctx.threads) {\n    let h = f16bits(i32(i) | 0x7fff0000)\n    O[i] = h\n    S[i] = where(h < 0.0 || 1.0 / h < 0.0, i32(1), i32(0))\n  }")
    for kind in ("i8", "u8"):
        values = pairs(kind, THREADS + 3)[0]
        out = [fit("i32", sum((values[t + i] & 255) << 8 * i for i in range(4))) for t in range(THREADS)]
        yield Case("word", kind + "_of_tensor", [("A", kind, [THREADS + 3], values)], [("O", "i32", [THREADS], out)], "  O[ctx.thread] = word(A, ctx.thread)")
        table = values[:THREADS]
        out = [fit("i32", sum((table[t // 8 * 16 + t % 8 + i] & 255) << 8 * i for i in range(4))) for t in range(64)]
        yield Case("word", kind + "_of_tile", [("A", kind, [8, 16], table)], [("O", "i32", [64], out)],
                   "  var t = A[:, :]\n  if ctx.thread < 64 {\n    O[ctx.thread] = word(t, ctx.thread / 8, ctx.thread % 8)\n  }")


def byte_refused():
    for kind in TYPES:
        if kind != "i32":
            yield refusal("byteperm", kind, "  let x = byteperm(A[0], B[0], A[1])")
            yield refusal("dp4a", kind, "  let x = dp4a(A[0], B[0], A[1])")
            yield refusal("f16bits", kind, "  let x = f16bits(A[0])")
        if kind not in INTEGERS:
            yield refusal("popcount", kind, "  let x = popcount(A[0])")
        if kind not in ("i8", "u8"):
            yield refusal("word", kind, "  let x = word(A, ctx.thread)")


def quantised_cases():
    m, n, blocks = 8, 16, 3
    k = 32 * blocks
    a, w = plain("i8", m * k, 16), plain("i8", n * k, 17)
    a[0:32], w[0:32] = [-128] * 32, [-128] * 32
    scale_a, scale_w = [x / 4 for x in small("f32", m * blocks, 18)], [x / 4 for x in small("f32", n * blocks, 19)]
    out = []
    for i in range(m):
        for j in range(n):
            total = 0.0
            for b in range(blocks):
                inner = sum(a[i * k + x] * w[j * k + x] for x in range(32 * b, 32 * b + 32))
                total += inner * scale_a[i * blocks + b] * scale_w[j * blocks + b]
            out.append(total)
    turned = [scale_w[j * blocks + b] for b in range(blocks) for j in range(n)]
    rounded = {"sim": (1e-6, 1e-4), "emulate": (1e-6, 1e-4)}
    for name, scales, shape in (("qdot_t", scale_w, [n, blocks]), ("qmma_t", turned, [blocks, n])):
        inputs = [("A", "i8", [m, k], a), ("SA", "f32", [m, blocks], scale_a), ("W", "i8", [n, k], w), ("SW", "f32", shape, scales)]
        yield Case(name, "i8", inputs, [("O", "f32", [m, n], out)], "  O[:, :] = %s(A[:, :], SA[:, :], W[:, :], SW[:, :])" % name, rounded)


def quantised_refused():
    for name in ("qdot_t", "qmma_t"):
        for kind in TYPES:
            if kind != "i8":
                yield refusal(name, kind, "  let t = %s(A[:, :], B[:, :], A[:, :], B[:, :])" % name, shape=(32, 32))


def all_cases():
    taken = [elementwise_cases, contraction_cases, row_cases, moving_cases, collective_cases, run_cases, atomic_cases, order_cases, byte_cases, quantised_cases]
    refused = [elementwise_refused, tile_refused, collective_refused, order_refused, byte_refused, quantised_refused]
    return [case for family in taken for case in family()], [case for family in refused for case in family()]
