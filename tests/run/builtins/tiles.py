"""Built-ins of tiles."""
from case import EXACT, Case, reduced, refusal, shaped, sign_of, total_of
from reference import FLOATS, INF, NAN, NUMBERS, TYPES, WIDTHS, fit, greater, lesser, plain, small

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


def argmax(row):
    best = 0
    for i, x in enumerate(row):
        if x > row[best] or (row[best] != row[best] and x == x):
            best = i
    return best


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
