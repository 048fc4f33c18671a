"""Built-ins that are elementwise, and conversions."""
import math

from case import SIGN, THREADS, Case, loose, refusal, sign_of
from reference import FLOATS, INF, INTEGERS, NAN, NUMBERS, TYPES, converted, fit, greater, in_steps, lesser, pairs

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
    # Just above half way between two values; an f32 on the way would be half way. Literals, arguments, and constants that are folded.
    for kind, literal, expected in (("f16", "1.000488281250001", 1 + 2.0 ** -10), ("bf16", "1.003906250000001", 1 + 2.0 ** -7)):
        body = "  O[0] = {1}\n  O[1] = s\n  let d: f64 = {1}\n  O[2] = {0}(d)\n  let h: {0} = {1}\n  O[3] = h * 1.0\n  O[4 :+ 2] = where(iota(2) < 9, h, 0.0)".format(kind, literal)
        yield Case(kind, "literals", [("s", kind, [], literal)], [("O", kind, [6], [expected] * 6)], body)


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
