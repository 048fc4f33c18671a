#!/usr/bin/env python3
"""Makes docs/language/builtins.md of the table of built-ins:  builtins_page.py [--check PHOBOS]

With --check nothing is written: the page has to be what would be made, and the example of each row has to compile in a kernel that
declares the names it uses (WRAPPERS). Exit status 1 if not.
"""
import pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "core/builtins/include/phobos/builtins/builtins.def"
PAGE = ROOT / "docs/language/builtins.md"
STRING = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(rf"PHOBOS_BUILTIN\((\w+),\s*({STRING}),\s*(\w+),\s*(\w+),\s*(\w+),\s*({STRING}),\s*((?:{STRING}\s*)+),\s*((?:{STRING}\s*)+)\)")

HEAD = """# Built-ins

Every operation, in the order of the compiler's own table, from which this page is made. Editors show the same on hover.

How an operation runs decides where it may stand ([rules](rules.md)):

| it runs | control around it | scalar operands |
| --- | --- | --- |
| in each thread | any | any |
| in each thread; on tiles once per CTA | on tiles: uniform | on tiles: uniform |
| once per CTA | uniform | uniform |
| by its `<…>` | over lanes and for shuffles: the same across a warp; over threads: uniform | any |

In a signature `float` is any float type. Operands are brought to one type, and shapes broadcast ([expressions](expressions.md)).
"""
RUNS = {"Anything": "In each thread.", "CtaIfTile": "In each thread; on tiles once per CTA.", "Cta": "Once per CTA.", "ByFold": "By its `<…>`."}
# By Form where the table's word does not say it.
RESULT = {"Uniform": "Its result is uniform.", "ByFold": "Over lanes its result is warp-uniform, over threads uniform.",
          "JoinOfOperands": "Its result is as varying as its operands."}
SECTIONS = {
    "elementwise": "A chain of these is one sweep over the elements; what lies between is not stored. On the GPU `exp`, `log`, `sqrt`, "
                   "`rsqrt`, `tanh`, `sin` and `cos` may be the hardware's approximations, which cost a few instructions; `@precise` asks "
                   "for the exact forms, which cost dozens.",
    "tiles": "A product reads each element of its operands many times and is what tiles are for. Folds and scans combine the elements "
             "that threads hold, within warps by shuffles and then through shared memory. `iota` and `generate` store nothing.",
    "collectives, shuffles, runs": "A fold over lanes is five shuffles; one over threads is that, and a meeting of the warps in shared "
                                   "memory with two barriers. A run lives in a thread's registers and is loaded with wide accesses where "
                                   "the alignment is known.",
    "synchronisation and memory order": "An atomic is done by one thread for all, and the others wait for what it gives. See "
                                        "[memory order](rules.md#memory-order).",
}
# What the example of a row needs around it: more parameters, statements before it. Without an entry: DEFAULT.
DEFAULT = ("", "let x = X[0, ctx.lane]")
SCORES = ("", "let s = X[0 :+ 8, 0 :+ 32]")
RUN_WORDS = ("", "let a = C[0]\nlet b = C[1]\nvar acc = C[2]\nlet mask = C[3]\nlet w = C[4]")
WRAPPERS = {
    "exp": SCORES, "rowmax": SCORES, "rowmin": SCORES, "log": ("", "let v = X[0, ctx.lane]"), "sqrt": ("", "let total = X[0, 0]"),
    "rsqrt": (", eps: f32", "let total = X[0, 0]"), "tanh": ("", "let x = X[0, 0]\nlet u = x + 0.1 * x"), "sin": (", angle: f32", ""),
    "cos": (", angle: f32", ""), "tmax": ("", SCORES[1] + "\nvar m: tile<f32>[8, 1] = 0.0"), "where": ("", "let W = 32\nvar x = X[0 :+ 8, 0 :+ W]"),
    "f16": ("", "var acc: tile<f32>[8, 8] = 0.0"), "bf16": ("", "var acc: tile<f32>[8, 8] = 0.0"), "f32": (", n: i32", ""), "bool": (", n: i32", ""),
    "i8": (", s: f32", DEFAULT[1]), "i32": (", O: tensor<i32>[1, 1]", ""), "i64": (", W: tensor<f32>[R, K]", "let row = ctx.thread"),
    "dot": ("", "let a = X[0 :+ 16, 0 :+ 16]\nlet b = X[16 :+ 16, 0 :+ 16]\nvar acc: tile<f32>[16, 16] = 0.0"),
    "dot_t": (", K: tensor<f32>[R, 64]", "let BC = 32\nlet kt = 0\nlet q = K[0 :+ 16, :]"), "rowsum": ("", "let p = X[0 :+ 8, 0 :+ 32]"),
    "rowargmax": ("", "let scores = X[0 :+ 8, 0 :+ 32]"), "cumsum": ("", "let g = X[0 :+ 8, 0 :+ 32]"),
    "tril": ("", "let q = X[0 :+ 16, 0 :+ 16]\nlet k = X[16 :+ 16, 0 :+ 16]"), "transpose": ("", "let k = X[0 :+ 16, 0 :+ 8]"),
    "flat": ("", "var t: tile<f32>[8, 8] = 1.0"), "iota": ("", "let W = 32"), "sum": ("", "let acc = X[0, ctx.lane]"),
    "max": ("", "let v = X[0, ctx.lane]"), "min": ("", "let v = X[0, ctx.lane]"), "any": ("", "let hit = X[0, ctx.lane] > 0.0"),
    "all": ("", "let ready = X[0, ctx.lane] > 0.0"), "shfl": ("", "var s = X[0, ctx.lane]"), "elem": ("", "var t: tile<f32>[8, 128] = 1.0"),
    "store": ("", "var t: tile<f32>[8, 128] = 1.0\nlet v = X[0, ctx.lane]"), "grid_barrier": (", bar: tensor<i32>[2]", ""),
    "atomic_max": (", n: i32", ""), "atomic_min": (", n: i32", ""), "load_acquire": (", F: tensor<i32>[1]", ""), "store_release": (", F: tensor<i32>[1]", ""),
    "qdot_t": (", A: tensor<i8>[1, 64], SA: tensor<f32>[1, 2], W: tensor<i8>[R, 64], SW: tensor<f32>[R, 2]", "let n = ctx.block.x * 16"),
    "qmma_t": (", A: tensor<i8>[16, 64], SA: tensor<f32>[16, 2], W: tensor<i8>[16, 64], SW: tensor<f32>[2, 16]",
               "let a = A[:, :]\nlet sa = SA[:, :]\nlet w = W[:, :]\nlet sw = SW[:, :]"),
    "word": (", W: tensor<i8>[R, K]", "let row = ctx.warp\nlet k = ctx.lane"), "byteperm": RUN_WORDS, "popcount": RUN_WORDS, "dp4a": RUN_WORDS,
    "f16bits": RUN_WORDS, "extent": (", A: tensor<f32>[R, K]", ""), "generate": (", alpha: f32", ""),
}
FUNCTIONS = {"generate": "fn weight(i: i32, j: i32, alpha: f32) -> f32 {\n  return alpha * f32(i + j)\n}\n"}
ATTRIBUTES = {"grid_barrier": "@persistent\n"}


def unquoted(strings):
    return "".join(re.sub(r"\\(.)", r"\1", s[1:-1]) for s in re.findall(STRING, strings))


def sections():
    """[(title, remark, rows)]; a row is (name, form, needs, gives, signature, documentation, example)."""
    found = []
    for part in re.split(r"^// --- ", TABLE.read_text(), flags=re.M)[1:]:
        title, _, rest = part.partition(" ---")
        title, _, remark = title.partition(": ")
        rows = [(unquoted(name), form, needs, gives, unquoted(signature), unquoted(text), unquoted(example))
                for _, name, form, needs, gives, signature, text, example in ROW.findall(rest)]
        if len(rows) != rest.count("PHOBOS_BUILTIN("):
            sys.exit(f"{TABLE}: some row of `{title}` is of another form than this tool reads")
        found.append((title, remark, rows))
    return found


def row_text(name, form, needs, gives, signature, text, example):
    overloads = re.split(r", (?=\w+\(|\w+<)", signature)
    result = "As varying as its operands." if form == "Shuffle" else "" if "->" not in signature else RESULT[gives]
    if form == "Fold":
        result += " Without `<…>` it runs in each thread, and is as varying as its run."
    lines = [f"### `{name}`", "", "```text", *overloads, "```", "", text, "", f"{RUNS[needs]} {result}".strip(), "", "```text", example, "```", ""]
    return "\n".join(lines)


def contents():
    """A line for each section, with its operations."""
    lines = []
    for title, _, rows in sections():
        names = ", ".join(f"[`{row[0]}`](#{row[0]})" for row in rows)
        lines.append(f"- {title[0].upper()}{title[1:]}: {names}\n")
    return "".join(lines)


def page():
    parts = [HEAD, contents()]
    for title, remark, rows in sections():
        parts.append(f"## {title[0].upper()}{title[1:]}\n")
        if title in SECTIONS:
            parts.append(SECTIONS[title] + "\n")
        elif remark:
            parts.append(remark[0].upper() + remark[1:] + ".\n")
        parts += [row_text(*row) for row in rows]
    return "\n".join(parts).rstrip() + "\n"


def wrapped(name, example):
    parameters, before = WRAPPERS.get(name, DEFAULT)
    body = "".join(f"  {line}\n" for line in [*before.split("\n"), example] if line)
    return f"{FUNCTIONS.get(name, '')}{ATTRIBUTES.get(name, '')}kernel wrapper(X: tensor<f32>[M, N], C: tensor<i32>[8]{parameters}) {{\n{body}}}\n"


def errors_in(program, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "wrapper.ph"
        path.write_text(text)
        done = subprocess.run([program, "check", "-q", path], capture_output=True, text=True, timeout=60)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def main(*words):
    if not words:
        PAGE.write_text(page())
        return 0
    faults = [] if PAGE.exists() and PAGE.read_text() == page() else [f"{PAGE.relative_to(ROOT)} is not what tools/builtins_page.py makes"]
    count = 0
    for _, _, rows in sections():
        for name, *_, example in rows:
            count += 1
            errors = errors_in(words[1], wrapped(name, example))
            faults += [f"the example of `{name}` does not compile:\n{wrapped(name, example)}{errors}"] if errors else []
            # A wrapper that does not need its example would check nothing.
            faults += [] if errors_in(words[1], wrapped(name, "no_such_name + 1")) else [f"the wrapper of `{name}` takes anything"]
    print("\n".join(faults + [f"{count} built-ins, {len(faults)} faults"]))
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
