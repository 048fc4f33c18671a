"""good_input.py PHOBOS: the fixed forms of what the commands print."""
import json
import struct
import sys

from harness import Cases

cases = Cases(sys.argv[1])
expect = cases.expect
SIM = ["--device", "sim"]


def document(name, words, status=0, **more):
    done = expect(name, words, status, **more)
    try:
        return json.loads(done.stdout)
    except (ValueError, AttributeError) as fault:
        cases.check(name, [f"no JSON document: {fault}"])
        return {}


def same(name, actual, expected):
    cases.check(name, [] if actual == expected else [f"{actual!r}, not {expected!r}"])


# --- run ---
run = document("run, JSON", ["run", *SIM, "--json", "add.ph", "x=x.npy", "y=ones"])
same("kernel", run.get("kernel"), "add")
same("device", run.get("device"), "simulator")
same("grid", run.get("grid"), [2, 1, 1])
same("status", run.get("status"), "ok")
output = run.get("outputs", [{}])[0]
same("output", {key: output.get(key) for key in ("name", "type", "shape", "min", "max", "mean", "nan")},
     {"name": "out", "type": "f32", "shape": [100], "min": 1, "max": 100, "mean": 50.5, "nan": 0})
same("first elements", output.get("first"), [1, 2, 3, 4, 5, 6, 7, 8])
same("a constant changes the grid", document("run, constant", ["run", *SIM, "--json", "add.ph", "x=x.npy", "y=ones", "BLOCK=32"]).get("grid"),
     [4, 1, 1])
expect("run, text", ["run", *SIM, "add.ph", "x=x.npy", "y=ones"], 0, "on simulator", where="out")
expect("run, its first run line", ["run", *SIM, "add.ph"], 0, "ok: as expected", where="out")
expect("run, quiet", ["run", *SIM, "-q", "add.ph"], 0)
expect("run, standard input", ["run", *SIM, "-"], 0, "ok: as expected", stdin=(cases.folder / "add.ph").read_bytes())
expect("run, a generator", ["run", *SIM, "add.ph", "x=randn:3", "y=uniform", "N=1000"], 0, "out: f32[1000]")
expect("run, nothing to do", ["run", *SIM, "add.ph", "x=iota", "y=ones", "N=0"], 0, "out: f32[0]")
expect("run, benchmark", ["run", *SIM, "add.ph", "x=x.npy", "y=ones", "--bench", "--reps", "3"], 0, "GB/s")
expect("run, --out", ["run", *SIM, "add.ph", "x=x.npy", "y=ones", "--out", "out=o.npy"], 0, writes=True)
(cases.folder / "outs").mkdir()
expect("run, --out-dir", ["run", "--device", "emulate", "--compare", "sim", "add.ph", "x=x.npy", "y=ones", "--out-dir", "outs"], 0, writes=True)
same("what --out-dir wrote", [(cases.folder / "outs" / name).read_bytes() == (cases.folder / "o.npy").read_bytes()
                              for name in ("out.npy", "out.sim.npy")], [True, True])
expect("run, --out-dir that is not there", ["run", *SIM, "add.ph", "x=x.npy", "y=ones", "--out-dir", "nowhere"], 1, "nowhere")
expect("run, --out before an argument", ["run", *SIM, "add.ph", "--out", "out=p.npy", "x=x.npy", "y=ones"], 0, writes=True)
same("what --out wrote then", (cases.folder / "p.npy").read_bytes(), (cases.folder / "o.npy").read_bytes())
written = (cases.folder / "o.npy").read_bytes()
same("what --out wrote", struct.unpack("<100f", written[-400:]), tuple(float(i + 1) for i in range(100)))
expect("run, what was written", ["run", *SIM, "add.ph", "x=o.npy", "y=ones", "expect", "out=sum.npy", "atol=1"], 0, "as expected")

# --- tune ---
tuned = document("tune, JSON", ["tune", *SIM, "--json", "add.ph", "x=x.npy", "y=ones"])
same("what was tuned", {key: tuned.get(key) for key in ("kernel", "device", "chip", "shape", "space", "estimated", "status", "kept", "resumed")},
     {"kernel": "add", "device": "simulator", "chip": "sm_90a", "shape": {"N": 100}, "space": 2, "estimated": True, "status": "ok", "kept": False, "resumed": 0})
same("its variants", [(v["constants"], v["status"], v["ms"] == v["estimate_ms"]) for v in tuned.get("variants", [])],
     [({"BLOCK": 64}, "timed", True), ({"BLOCK": 128}, "timed", True)])
same("the best of them", tuned.get("best", {}).get("ms"), min(v["ms"] for v in tuned.get("variants", [{"ms": 0}])))
same("the same again", [v["ms"] for v in document("tune, again", ["tune", *SIM, "--json", "add.ph", "x=x.npy", "y=ones"])["variants"]], [v["ms"] for v in tuned["variants"]])
same("what a run line chooses is looked at, with the others", document("tune, a run line", ["tune", *SIM, "--json", "add.ph"]).get("space"), 2)
expect("tune, text", ["tune", *SIM, "add.ph"], 0, "add on simulator, by an estimate for sm_90a: 2 variants, N=100", where="out")
expect("tune, each variant", ["tune", *SIM, "-v", "add.ph"], 0, "  BLOCK=128: ", where="out")
expect("tune, another chip", ["tune", *SIM, "--chip", "sm_80", "add.ph"], 0, "by an estimate for sm_80", where="out")
expect("tune, quiet", ["tune", *SIM, "-q", "add.ph"], 0, "best BLOCK=", where="out")
expect("tune, a budget", ["tune", *SIM, "--budget", "1", "add.ph"], 0, "1 estimated", where="out")
cases.write("outside.ph", """//# run N=64 --grid 1
@autotune(FROM in [32, 16, 64])
@launch(32)
kernel outside(out: tensor<i32>[N]) {
  out[ctx.thread + FROM] = 1
}
""")
expect("tune, a variant that stores outside", ["tune", *SIM, "outside.ph"], 0, "FROM=64 is wrong: `out`")
expect("tune, variants that give something else", ["tune", *SIM, "outside.ph"], 0, "FROM=16 is wrong: `out` against the variant before it")

cases.write("rows.ph", """@autotune(C in [64, 128], ROWS in [4, 8])
kernel rows(x: tensor<f32>[M, C], out: tensor<f32>[M, C]) {
  let at = ctx.block.x * ROWS
  out[at :+ ROWS, :] = x[at :+ ROWS, :] * 2.0
}
""")
same("an extent of a tensor is not searched", [v["constants"] for v in document("tune, an extent", ["tune", *SIM, "--json", "rows.ph", "M=16", "x=randn"])["variants"]],
     [{"ROWS": 4}, {"ROWS": 8}])
same("nor where it is given", document("tune, an extent given", ["tune", *SIM, "--json", "rows.ph", "M=16", "x=randn", "C=128"])["space"], 2)

# --- test ---
tests = document("test, JSON", ["test", *SIM, "--json", "add.ph"]).get("tests", [])
same("tests", [(t["name"], t["line"], t["status"]) for t in tests], [("add", 2, "ok")])
expect("test, text", ["test", *SIM, "add.ph"], 0, "1 passed, 0 failed", where="out")
expect("test, checking kinds", ["test", *SIM, "--check-kinds", "add.ph"], 0, "1 passed")
cases.write("error.ph", '//# run x=iota N=3 expect-error "past the end"\n//# run x=iota N=3\n'
                        "kernel k(x: tensor<f32>[N]) { x[N + 1] = 1.0 }\n")
cases.write("lines.ph", '//# run x=iota N=3 expect-error "past the end"\n//# run x=iota N=4 expect-error "another"\n'
                        "kernel k(x: tensor<f32>[N]) { x[N + 1] = 1.0 }\n")
expect("test, one run line", ["test", *SIM, "--run-line", "0", "lines.ph"], 0, "1 passed, 0 failed")
expect("test, another run line", ["test", *SIM, "--run-line", "1", "lines.ph"], 1, "0 passed, 1 failed")
expect("an expected error", ["test", *SIM, "error.ph"], 0, "1 passed, 0 failed")

cases.write("function.ph", "//# run x=iota N=3 expect-error \"past the end\"\nfn two() -> i32 { return 2 }\n"
                           "kernel k(x: tensor<f32>[N]) { x[N + two()] = 1.0 }\nkernel l(x: tensor<f32>[N]) { x[0] = 1.0 }\n")
expect("a run line above a function", ["test", *SIM, "function.ph"], 0, "1 passed, 0 failed")

# --- check, kinds ---
same("check, JSON", document("check", ["check", "--json", "add.ph"]), {"diagnostics": []})
cases.write("unknown.ph", "kernel k(x: tensor<f32>[N]) {\n  x[0] = x[1] + qq // 𝛼𝛼\n}\n")
found = document("check, an error", ["check", "--json", "unknown.ph"], 1).get("diagnostics", [{}])[0]
same("its place", found.get("range"), {"start": {"line": 1, "character": 16}, "end": {"line": 1, "character": 18}})
same("its code", (found.get("file"), found.get("code"), found.get("severity")), ("unknown.ph", "PH0101", 1))
expect("check, text", ["check", "unknown.ph"], 1, "unknown.ph:2:17", where="out")
expect("check, coloured", ["check", "--color", "always", "unknown.ph"], 1, "\x1b[", where="out")
values = document("kinds", ["kinds", "--json", "add.ph"]).get("values", [])
same("kinds", [(v["name"], v["what"], v["kind"]) for v in values if v["name"] in ("x", "at", "N")],
     [("x", "param", "uniform"), ("N", "dim", "uniform"), ("at", "let", "uniform")])
cases.write("lane.ph", "kernel k(x: tensor<f32>[N]) {\n  let l = ctx.lane\n  x[l] = 1.0\n}\n")
lane = next((v for v in document("kinds, varying", ["kinds", "--json", "lane.ph"]).get("values", []) if v["name"] == "l"), {})
same("a varying value", lane.get("kind"), "varying")
same("has a reason", any("ctx.lane" in step["message"] for step in lane.get("reason", [])), True)
everything = document("kinds --all", ["kinds", "--json", "--all", "lane.ph"]).get("values", [])
same("kinds --all", {"expr", "control"} <= {v["what"] for v in everything}, True)

places = [(v["what"], v["range"]["start"]["line"], v["range"]["start"]["character"], v["range"]["end"]["line"], v["range"]["end"]["character"])
          for v in everything if v["what"] in ("expr", "control")]
same("each place once", [place for place in set(places) if places.count(place) > 1], [])
cases.write("slices.ph", "kernel k(A: tensor<f32>[4, 8], O: tensor<f64>[4, 8], n: i32) {\n  let t = A[0 :+ 2] * 2.0\n  O[0 :+ 2, :] = t\n  O[0, 0] = f64(n) + A[1, 1]\n}\n")
written = document("kinds --all, what is written", ["kinds", "--json", "--all", "slices.ph"]).get("values", [])
same("expressions as they are written", sorted(v["name"] for v in written if v["what"] == "expr"),
     sorted(["A[0 :+ 2] * 2.0", "A[0 :+ 2]", "A", "0", "2", "2.0", "O", "0", "2", "t", "O", "0", "0", "f64(n) + A[1, 1]", "f64(n)", "n", "A[1, 1]", "A",
             "1", "1"]))

# --- run lines that are passed over ---
cases.write("lines.ph", "//# runn x=iota N=4\n//#run x=iota\n//# tune BLOCK=3\n//########\n//# run x=iota --gird 1 N=4 y=3 expct x=x.npy\n//# run x=\"iota\n"
                        "kernel k(x: tensor<f32>[N]) {\n  //# run x=ones\n  x[0] = 1.0\n}\n")
said = [(d["code"], d["severity"], d["range"]["start"]["line"], d["message"].split(";")[-1].strip())
        for d in document("check, run lines", ["check", "--json", "lines.ph"], 0).get("diagnostics", [])]
same("misspelt run lines", said, [
    ("PH0501", 2, 0, "one begins with `//# run`"), ("PH0501", 2, 1, "one begins with `//# run`"), ("PH0501", 2, 2, "one begins with `//# run`"),
    ("PH0501", 2, 4, "did you mean `--grid`?"), ("PH0501", 2, 4, "`y` is no parameter, dimension or constant of `k`"), ("PH0501", 2, 4, "did you mean `expect`?"),
    ("PH0501", 2, 5, "a double quote is not closed"), ("PH0501", 2, 7, "this run line is passed over: one stands directly above its kernel")])

# --- build ---
made = document("build, JSON", ["build", "--json", "--chip", "sm_90a", "add.ph"])
same("what was made", (made.get("emit"), made.get("status"), ".target sm_90a" in (made.get("text") or "")), ("ptx", "ok", True))
same("what was not", document("build, JSON, an error", ["build", "--json", "unknown.ph"], 1).get("diagnostics", [{}])[0].get("code"), "PH0101")
expect("build, PTX", ["build", "--chip", "sm_90a", "add.ph"], 0, ".target sm_90a", where="out")
expect("build, LLVM", ["build", "--emit", "llvm", "add.ph"], 0, "define", where="out")
expect("build, tile IR", ["build", "--emit", "tir", "add.ph"], 0, "tile_load", where="out")
expect("build, syntax", ["build", "--emit", "ast", "add.ph"], 0, "kernel add", where="out")
contract = document("build, contract", ["build", "--emit", "contract", "add.ph", "BLOCK=128"])
same("contract", [contract.get(key) for key in ("kernel", "dimensions", "constants")], ["add", ["N"], {"BLOCK": 128}])
same("its PTX parameters", [p["name"] for p in contract.get("ptx_parameters", [])], ["x", "y", "out", "N"])
expect("build, into a file", ["build", "add.ph", "-o", "add.ptx"], 0, writes=True)
same("the file", ".entry add" in (cases.folder / "add.ptx").read_text(), True)

expect("build, PTX with its source", ["build", "--with-source", "add.ph"], 0, "\t// add.ph:6:   out[at :+ BLOCK] = x[at :+ BLOCK] + y[at :+ BLOCK]\n", where="out")
expect("build, a contract beside", ["build", "add.ph", "-o", "beside.ptx", "--contract", "beside.json"], 0, writes=True)
same("the contract", json.loads((cases.folder / "beside.json").read_text())["entry"], "add")
expect("build, report", ["build", "--emit", "report", "--chip", "sm_80", "add.ph"], 0, "add for sm_80\n", where="out")
report = document("build, report, JSON", ["build", "--emit", "report", "--json", "--chip", "sm_80", "add.ph"])
same("what it reports on", [(d["kind"], d["what"], d["range"]["start"]["line"]) for d in report.get("decisions", [])],
     [("copy", "store to out[64] of f32", 5), ("copy", "load of x[64] of f32", 5), ("copy", "load of y[64] of f32", 5)])
expect("run, checked", ["run", "--device", "emulate", "--checked", "add.ph"], 0, "as expected")

# --- the rest ---
expect("version", ["--version"], 0, "phobos ", where="out")
expect("help", ["--help"], 0, "check", where="out")
expect("help of a command", ["run", "--help"], 0, "--grid", where="out")
hover = document("ide", ["ide", "hover", "add.ph", "--at", "4:8"])
same("what is hovered", hover.get("range"), {"start": {"line": 3, "character": 7}, "end": {"line": 3, "character": 10}})
expect("ide, from standard input", ["ide", "textDocument/documentSymbol", "-"], 0, '"name": "k"', where="out", stdin=b"kernel k() {\n}\n")
every = document("every feature", ["check", "--every-feature", "--json", "add.ph"])
same("no faults", [each["faults"] for each in every.get("files", [])], [[]])
asked = {each["method"]: each["answered"] for each in every.get("files", [{}])[0].get("features", [])}
same("each feature has something to say of it", [method for method, answered in asked.items() if not answered and method not in
     ("textDocument/inlayHint", "textDocument/formatting", "textDocument/rangeFormatting", "textDocument/onTypeFormatting", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls")], [])
expect("explain", ["explain", "ph0301"], 0, "every thread must reach it", where="out")
expect("explain, a number", ["explain", "301"], 0, "PH0301: an operation of the whole CTA", where="out")
expect("explain, in brackets", ["explain", "[PH0301]"], 0, "PH0301: an operation of the whole CTA", where="out")
expect("explain, a piece of a message", ["explain", "error[ph0301]:"], 0, "PH0301: an operation of the whole CTA", where="out")
expect("explain, four digits", ["explain", "0301"], 0, "PH0301: an operation of the whole CTA", where="out")
expect("explain, a group", ["explain", "PH03"], 0, "PH0305  … needs every thread of the CTA", where="out")
same("codes of a group, JSON", [row["code"] for row in document("explain, a group, JSON", ["explain", "--json", "ph03"]).get("codes", [])],
     ["PH0301", "PH0302", "PH0303", "PH0304", "PH0305", "PH0306"])
same("no message is bare", [row["code"] for row in document("explain, all, JSON, messages", ["explain", "--json"]).get("codes", []) if row["message"] == "…"], [])
expect("explain, a name", ["explain", "needsbarrier"], 0, "PH0303: ", where="out")
expect("explain, code is indented", ["explain", "PH0301"], 0, "\n    @launch(256)\n    kernel k(", where="out")
expect("explain, a table", ["explain", "PH0012"], 0, "\n    `and`, `or`, `not`                                `&&`, `||`, `!`\n", where="out")
expect("explain, in colour", ["explain", "--color", "always", "PH0302"], 0, "\x1b[31m// error: takes", where="out")
expect("explain, all", ["explain"], 0, "\nUniformity\n  PH0301  … runs once per CTA", where="out")
page = document("explain, JSON", ["explain", "--json", "PH0215"])
same("its fields", [page.get(key) for key in ("code", "name", "severity", "message")],
     ["PH0215", "BadStep", "error", "the step of `range` must be positive, not …"])
same("its page", page.get("page", "").startswith("# PH0215: ") and "```phobos\n" in page["page"], True)
same("codes, JSON", {"PH0001", "PH0601"} <= {row["code"] for row in document("explain, all, JSON", ["explain", "--json"]).get("codes", [])}, True)
explained = expect("explain, rendered", ["explain", "PH0303"], 0)
same("no marks of the markup", [mark for mark in ("```", "](", "# ") if mark in explained.stdout.decode()], [])
same("doctor", "version" in document("doctor", ["doctor", "--json"]), True)


# --- the options that all commands take ---
ALL = ["--color", "never", "-q", "-v", "--chip", "sm_80", "--device", "sim"]
for words in [["check", "add.ph"], ["kinds", "add.ph"], ["run", "add.ph"], ["test", "add.ph"], ["build", "add.ph"], ["fmt", "--check", "add.ph"],
              ["explain", "PH0301"], ["doctor"]]:
    expect(f"{words[0]}: common options", [*words, *ALL], 0)
    document(f"{words[0]}: one document", [*words, *ALL, "--json"])
same("lsp: common options", cases.execute("lsp", *ALL, "--json").returncode in (0, 1), True)
unknown = cases.execute("check", "--color", "auto", "unknown.ph", env={"NO_COLOR": "1"}).stdout
same("NO_COLOR", b"\x1b" in unknown, False)

cases.end()
