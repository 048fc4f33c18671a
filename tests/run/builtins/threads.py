"""Built-ins of threads, warps, CTAs and bytes: collectives, shuffles, runs, memory order."""
import struct

from case import EXACT, THREADS, Case, loose, reduced, refusal, sign_of, total_of
from reference import (FLOATS, INF, INTEGERS, NAN, NUMBERS, TYPES, WIDTHS, fit, greater, lesser, pairs, plain, small, special, working)

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


# --- print: what is computed stays as it is ---

def print_cases():
    for kind in TYPES:
        values = small(kind, THREADS, 21)
        body = ("  let t = A[:, :]\n  print(t, A[0, 0], A[ctx.thread / 16, ctx.thread % 16])\n  var u = t\n"
                "  if ctx.lane < 3 {\n    print()\n    print(u, flat(u), A[ctx.lane, 1 :+ 3], elem(u, 4 * ctx.lane :+ 4))\n  }\n"
                "  u[ctx.thread / 16, ctx.thread % 16] = A[7 - ctx.thread / 16, 15 - ctx.thread % 16]\n  print(u)\n  barrier()\n  O[:, :] = u")
        yield Case("print", kind, [("A", kind, [8, 16], values)], [("O", kind, [8, 16], values[::-1])], body)


def print_refused():
    for kind in TYPES:
        yield refusal("print", kind, "  print(A)")
