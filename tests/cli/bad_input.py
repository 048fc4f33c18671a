"""bad_input.py PHOBOS: every kind of wrong input is a clear message and the right exit status; nothing is written, nothing crashes."""
import os
import random
import sys

from harness import ADD, Cases, npy

cases = Cases(sys.argv[1])
expect, write = cases.expect, cases.write

# --- the command line ---
expect("no command", [], 2, "--help")
expect("unknown command", ["chekc", "add.ph"], 2, "did you mean `check`?")
expect("a file for a command", ["add.ph"], 2, "phobos check add.ph")
expect("unknown flag", ["check", "--frobnicate", "add.ph"], 2, "frobnicate")
expect("no file", ["check"], 2, "FILE")
expect("unknown device", ["run", "--device", "tpu", "add.ph"], 2, "device")
expect("unknown colour", ["check", "--color", "pink", "add.ph"], 2, "color")
expect("unknown emit", ["build", "--emit", "wasm", "add.ph"], 2, "emit")
for command in ["check", "kinds", "run", "test", "tune", "build", "fmt", "explain", "doctor", "lsp"]:
    expect(f"{command}: unknown chip", [command, "--chip", "sm_1"], 2, "sm_1")
    expect(f"{command}: unknown device", [command, "--device", "tpu"], 2, "device")
    expect(f"{command}: unknown colour", [command, "--color", "pink"], 2, "color")
    expect(f"{command}: unknown option", [command, "--frobnicate", "add.ph"], 2, "frobnicate")
expect("unknown chip on the simulator", ["run", "--device", "sim", "--chip", "sm_1", "add.ph"], 2, "`sm_1` is no chip")
expect("an empty command", [""], 2, "a command comes first")
expect("an option in front of the command", ["--json", "check", "add.ph"], 2, "`--json` stands behind it")
expect("--version with more", ["--version", "extra"], 2, "without `extra`")
for command in ["check", "kinds", "run", "test", "tune", "build", "fmt"]:
    expect(f"{command}: no name of a file", [command, ""], 2, "FILE: it is empty")
expect("kinds: two files", ["kinds", "add.ph", "add.ph"], 2, "not expected")
expect("doctor: an argument", ["doctor", "gpu"], 2, "not expected")
expect("lsp: a bad port", ["lsp", "--listen", "99999"], 2, "99999")
expect("build: no name of an output", ["build", "add.ph", "-o", ""], 2, "empty")
expect("a value that is left out", ["run", "add.ph", "--grid"], 2, "grid")
expect("a device twice", ["run", "--device", "sim", "--device", "gpu", "add.ph"], 2, "device")
expect("no name of a kernel", ["run", "add.ph", "--kernel", ""], 2, "empty")
expect("a run line that is not there", ["run", "add.ph", "--run-line", "7"], 2, "1 run line")
write("plain.ph", "kernel plain(out: tensor<f32>[64]) {\n  out[:] = 0.0\n}\n")
expect("nothing to tune", ["tune", "--device", "sim", "plain.ph"], 2, "`plain` has no `@autotune` constants")
expect("nothing left to tune", ["tune", "--device", "sim", "add.ph", "x=x.npy", "y=ones", "BLOCK=64"], 2, "all constants of `add` are given, or are extents")
expect("tuned on the emulator", ["tune", "--device", "emulate", "add.ph"], 2, "there is nothing to tune on it")
write("bad_choice.ph", "@autotune(B in [64, 0, 32])\nkernel k(out: tensor<f32>[64]) {\n  out[0 :+ B] = 0.0\n}\n")
expect("tuned with an error in it", ["tune", "--device", "sim", "bad_choice.ph"], 1, "PH0404")
expect("a budget of nothing", ["tune", "--budget", "0", "add.ph"], 2, "budget")
expect("tuned with what is not there", ["tune", "--device", "sim", "add.ph", "x=nosuch.npy", "y=ones"], 1, "nosuch.npy")
expect("a tolerance that is no number", ["run", "add.ph", "--rtol", "nan"], 2, "not negative, not `nan`")
expect("a limit that is negative", ["run", "add.ph", "--max-steps", "-1"], 2, "not negative, not `-1`")
expect("ide: unknown option", ["ide", "hover", "add.ph", "--frobnicate"], 2, "frobnicate")
expect("ide: a feature that is not there", ["ide", "hovre", "add.ph"], 2, "there is no feature `hovre`; there are hover,")
expect("ide: a file that is not there", ["ide", "hover", "no.ph"], 2, "no.ph")
expect("ide: a place that is none", ["ide", "hover", "add.ph", "--at", "0:1"], 2, "LINE:COLUMN, both from 1, not `0:1`")
expect("ide: a range whose end is none", ["ide", "hover", "add.ph", "--at", "1:1", "--to", "x"], 2, "not `x`")
expect("ide: parameters that are no object", ["ide", "hover", "add.ph", "--params", "[1]"], 2, "a JSON object")
expect("ide: a parameter that is missing", ["ide", "rename", "add.ph", "--at", "4:8"], 2, "`newName` is missing")
expect("ide: what is refused", ["ide", "prepareRename", "add.ph", "--at", "4:1"], 1, "`kernel` is a keyword")
expect("every feature of a file that is not there", ["check", "--every-feature", "no.ph"], 2, "no.ph")
expect("expect without a name", ["run", "add.ph", "expect"], 2, "NAME=FILE")
expect("explain: no code", ["explain", ""], 2, "there is no diagnostic ``")
expect("explain: two codes", ["explain", "PH0301", "PH0302"], 2, "not expected")
expect("explain: a code that is too long", ["explain", "PH03011"], 2, "the nearest is `PH0301`")
expect("source beside no PTX", ["build", "--emit", "tir", "--with-source", "add.ph"], 2, "--with-source goes with --emit ptx")
expect("a contract beside no code", ["build", "--emit", "llvm", "--contract", "c.json", "add.ph"], 2, "--contract goes with")
expect("a time before now", ["run", "--timeout", "-1", "add.ph"], 2, "timeout")
expect("unknown pass", ["build", "--emit", "tir", "--after", "magic", "add.ph"], 2, "magic")
expect("bad grid", ["run", "add.ph", "x=iota", "y=ones", "N=4", "--grid", "0"], 2, "grid")
expect("worse grid", ["run", "add.ph", "x=iota", "y=ones", "N=4", "--grid", "1,2,3,4"], 2, "grid")
expect("not NAME=VALUE", ["run", "add.ph", "hello"], 2, "NAME=VALUE")
expect("no value", ["run", "add.ph", "x="], 2, "no value")
expect("bad repetitions", ["run", "add.ph", "--bench", "--reps", "0"], 2, "reps")
expect("bad tolerance", ["run", "add.ph", "--rtol", "-1"], 2, "rtol")
expect("unknown code", ["explain", "PH9999"], 2, "PH9999")
expect("a code next to one", ["explain", "PH0399"], 2, "the nearest is `PH0401`")
expect("a misspelt name", ["explain", "NeedsBarier"], 2, "the nearest is `NeedsBarrier`")

# --- files ---
(cases.folder / "folder.ph").mkdir()
write("empty.ph", "")
write("comment.ph", "// nothing\n")
write("garbage.ph", random.Random(1).randbytes(100_000))
write("utf16.ph", ADD.encode("utf-16"))
write("line.ph", "kernel k(x: tensor<f32>[N]) { let a = " + "1 + " * 2_600_000 + "1 }\n")
write("word.ph", "a" * 10_000_000)
write("nested.ph", "kernel k(x: tensor<f32>[N]) { let a = " + "(" * 100_000 + "1" + ")" * 100_000 + " }\n")
write("blocks.ph", "kernel k(x: tensor<f32>[N]) {" + "if true {" * 50_000 + "}" * 50_000 + "}\n")
write("unfinished.ph", ADD[: len(ADD) // 2])
for command in ["check", "kinds", "run", "test", "build"]:
    expect(f"{command}: missing file", [command, "none.ph"], 2, "none.ph: there is no such file")
    expect(f"{command}: a directory", [command, "folder.ph"], 2, "folder.ph: it is a directory")
    for json in ([], ["--json"]) if command != "build" else ([],):
        expect(f"{command} {json}: garbage", [command, *json, "garbage.ph"], 1)
        expect(f"{command} {json}: UTF-16", [command, *json, "utf16.ph"], 1, "UTF-16")
        expect(f"{command} {json}: unfinished", [command, *json, "unfinished.ph"], 1)
for command in ["run", "test", "build"]:
    expect(f"{command}: empty file", [command, "empty.ph"], 2, "kernel")
    expect(f"{command}: only a comment", [command, "comment.ph"], 2, "kernel")
write("many.ph", "kernel k(x: tensor<f32>[N]) {\n" + "".join(f"  let a{i} = 1.0\n" for i in range(1200)) + "  x[0] = zz\n}\n")
expect("check: an error behind a thousand hints", ["check", "many.ph"], 1, "zz")
write("silent.ph", "kernel k(x: tensor<f32>[N]) {\n  x[0] = zz\n}\n")
expect("test: an error that no run line meets", ["test", "silent.ph"], 1, "zz")
for name in ["garbage.ph", "utf16.ph"]:
    before = (cases.folder / name).read_bytes()
    expect(f"fmt: {name}", ["fmt", name], 1, name)
    cases.check(f"fmt leaves {name}", [] if (cases.folder / name).read_bytes() == before else ["it is another file now"])
expect("check: empty file", ["check", "empty.ph"], 0)
expect("kinds: empty file", ["kinds", "empty.ph"], 0)
expect("check: one bad file of two", ["check", "add.ph", "none.ph"], 2, "none.ph")
for name in ["line.ph", "word.ph", "nested.ph", "blocks.ph"]:
    expect(f"check: {name}", ["check", name], (0, 1))
    expect(f"run: {name}", ["run", name, "x=iota", "N=3"], (1, 2))
expect("garbage on standard input", ["check", "-"], 1, stdin=b"\xff\xfe\x00kernel")

# --- arguments ---
RUN = ["run", "--device", "sim", "add.ph"]
good = npy([0.0] * 100, [100])
write("short.npy", good[:-5])
write("head.npy", good[:20])
write("long.npy", good + b"abc")
write("half.npy", npy(b"\0" * 200, [100], descr="<f2"))
write("big.npy", npy(b"\0" * 400, [100], descr=">f4"))
write("complex.npy", npy(b"\0" * 800, [100], descr="<c8"))
write("huge.npy", npy(b"", [2**40, 2**40]))
write("flat2.npy", npy([0.0] * 100, [10, 10]))
write("other.npy", npy([0.0] * 99, [99]))
write("text.npy", "x = 3\n")
write("nothing.npy", b"")
(cases.folder / "folder.npy").mkdir()
for name, text in {"none.npy": "no such file", "folder.npy": "directory", "short.npy": "cut off", "head.npy": "cut off",
                   "long.npy": "too long", "half.npy": "f16", "big.npy": "big-endian", "complex.npy": "c8", "huge.npy": "memory",
                   "flat2.npy": "rank 2", "text.npy": "not a NumPy file", "nothing.npy": "empty"}.items():
    expect(f"argument {name}", [*RUN, f"x={name}", "y=ones"], 1, text)
    expect(f"argument {name}, JSON", [*RUN, "--json", f"x={name}", "y=ones"], 1, '"status":"failed"', where="out")
expect("shapes disagree", [*RUN, "x=x.npy", "y=other.npy"], 1, "`N` is 100 by axis 0 of `x` (x.npy) and 99 by axis 0 of `y` (other.npy)")
expect("a dimension disagrees", [*RUN, "x=x.npy", "y=ones", "N=7"], 1, "`N` is 7")
expect("a dimension unbound", [*RUN, "x=iota", "y=ones"], 1, "N=NUMBER")
expect("a tensor missing", [*RUN, "x=x.npy"], 1, "`y`")
expect("a negative dimension", [*RUN, "x=iota", "y=ones", "N=-3"], 2, "`N` is a number that is not negative, not `-3`")
expect("a dimension that is none", [*RUN, "x=iota", "y=ones", "N=x"], 2, "`N` is a number that is not negative, not `x`")
write("scale.ph", "kernel scale(x: tensor<f32>[N], n: i32, by: f32, on: bool) {\n  if on { x[n] = by }\n}\n")
SCALE = ["run", "--device", "sim", "scale.ph", "x=ones", "N=4", "--grid", "1"]
expect("a scalar that is none", [*SCALE, "n=many", "by=2", "on=true"], 2, "`many` is not an integer")
expect("a scalar that does not fit", [*SCALE, "n=4294967296", "by=2", "on=true"], 2, "does not fit")
expect("a float that is none", [*SCALE, "n=1", "by=x", "on=true"], 2, "`x` is not a number")
expect("a bool that is none", [*SCALE, "n=1", "by=2", "on=2"], 2, "neither true nor false")
expect("too much memory", [*RUN, "x=iota", "y=ones", "N=90000000000000"], 1, "memory")
memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
expect("too much memory in sum", [*RUN, "x=iota", "y=ones", f"N={memory * 45 // 400}"], 1, "in sum")
expect("a grid that cannot be counted", [*RUN, "x=x.npy", "y=ones", "--grid", "4294967296,4294967296,4294967296"], 1, "too large")
expect("a grid that is no number any more", [*RUN, "x=x.npy", "y=ones", "--grid", "99999999999999999999"], 2, "a grid of 99999999999999999999 CTAs along x is too large")
expect("a grid that no GPU takes", [*RUN, "x=x.npy", "y=ones", "--grid", "1,70000,1"], 1, "a grid has at most 65535 CTAs along y, not 70000")
expect("a grid that is too large", [*RUN, "x=x.npy", "y=ones", "--grid", "65536,65536"], 1, "at most 2147483647")
expect("a grid that the emulator cannot run", ["run", "--device", "emulate", "add.ph", "x=x.npy", "y=ones", "--grid", "65536,65536"], 1, "at most 2147483647")
expect("no parameter of that name", [*RUN, "x=x.npy", "y=ones", "z=ones"], 2, "`z`")
expect("a name nearly right", [*RUN, "x=x.npy", "y=ones", "BLOCKS=64"], 2, "did you mean `BLOCK`?")
expect("given twice", [*RUN, "x=x.npy", "x=x.npy", "y=ones"], 2, "twice")
expect("a constant that is none", [*RUN, "x=x.npy", "y=ones", "BLOCK=many"], 2, "BLOCK")
expect("a constant of 0", [*RUN, "x=x.npy", "y=ones", "BLOCK=0"], 2, "BLOCK")
expect("a word for a tensor", [*RUN, "x=rand", "y=ones", "N=3"], 2, "generator")
expect("a bad generator", [*RUN, "x=randint:5", "y=ones", "N=3"], 2, "randint:LOW:HIGH")
expect("a generator without its value", [*RUN, "x=full", "y=ones", "N=3"], 2, "full:VALUE")
expect("no kernel of that name", [*RUN, "--kernel", "sub", "x=x.npy"], 2, "`sub`")
expect("--out of an input", [*RUN, "x=x.npy", "y=ones", "--out", "x=o.npy"], 2, "`x`")
expect("--out into nowhere", [*RUN, "x=x.npy", "y=ones", "--out", "out=no/where.npy"], 1, "no/where.npy")
expect("--out into a directory", [*RUN, "x=x.npy", "y=ones", "--out", "out=folder.npy"], 1, "directory")
expect("build into nowhere", ["build", "add.ph", "-o", "no/where.ptx"], 1, "no/where.ptx")
expect("build for a name that is none", ["build", "add.ph", "TILE=3"], 2, "TILE")

# --- what the simulator finds ---
write("endless.ph", "kernel endless(x: tensor<f32>[N]) {\n  while x[0] > 0.0 {\n  }\n}\n")
expect("a loop without end", ["run", "--device", "sim", "endless.ph", "x=ones", "N=1", "--grid", "1", "--max-steps", "1000"], 1,
       "took more than 1000 steps")
write("race.ph", "@launch(32)\nkernel race(x: tensor<i32>[1]) {\n  x[0] = i32(ctx.thread)\n}\n")
RACE = ["run", "--device", "sim", "race.ph", "--grid", "1"]
expect("a race", RACE, 1, "race.ph:3:3: note: thread 0 wrote it here", where="err")
expect("a race, JSON", [*RACE, "--json"], 1, '"relatedInformation":[{"location"', where="out")
expect("a race that nobody looks for", [*RACE, "--no-checks"], 0)
write("lossy.ph", "@launch(32)\nkernel lossy(x: tensor<i8>[1]) {\n  x[0] = i8(ctx.threads * ctx.blocks.x)\n}\n")
LOSSY = ["run", "--device", "sim", "lossy.ph", "--grid", "9"]
expect("a warning", LOSSY, 0, "warning: 288 does not fit i8 and becomes 32", where="err")
expect("a warning, JSON", [*LOSSY, "--json"], 0, '"severity":2', where="out")
write("hopes.ph", "//# run --grid 1 expect-warning \"does not fit\"\n" + (cases.folder / "lossy.ph").read_text())
expect("a warning that does not come", ["test", "--device", "sim", "hopes.ph"], 1, "expected a warning saying")

# --- run lines and what they expect ---
write("lines.ph", ADD.replace("//# run x=x.npy y=ones BLOCK=64 expect out=sum.npy",
                              '//# run x=x.npy y=zeros expect out=sum.npy\n//# run x=x.npy y="ones expect out=sum.npy\n'
                              '//# run x=x.npy y=ones expect out=none.npy\n//# run x=x.npy y=ones expect-error "past"\n'
                              '//# run x=x.npy y=ones expect out=other.npy'))
expect("failing run lines", ["test", "--device", "sim", "lines.ph"], 1, "worst at")
expect("failing run lines, counted", ["test", "--device", "sim", "lines.ph"], 1, "0 passed, 5 failed")
write("two.ph", ADD + ADD.replace("kernel add", "kernel add2"))
expect("several kernels", ["run", "two.ph"], 2, "--kernel")
write("wrong.ph", ADD.replace("+ y[", "+ q["))
for command in [["check"], ["run"], ["test"], ["build"]]:
    expect(f"{command}: an error in the source", [*command, "wrong.ph"], 1, "`q`")
if cases.execute("doctor", "--json").stdout.find(b'"gpu":null') >= 0:
    expect("no GPU", ["run", "--device", "gpu", "add.ph"], 3, "GPU")

cases.end()
