"""printing.py PHOBOS: `print` in kernels, on the simulator and on the emulator."""
import json
import sys

from harness import Cases

cases = Cases(sys.argv[1])
expect = cases.expect


def same(name, actual, expected):
    cases.check(name, [] if actual == expected else [f"{actual!r}, not {expected!r}"])


def printed(words, device="sim"):
    """The lines that the kernel prints."""
    done = cases.execute("run", "--device", device, *words)
    return [line for line in done.stdout.decode().splitlines() if ": block (" in line]


cases.write("print.ph", """@launch(64)
kernel k(x: tensor<f32>[64], O: tensor<f32>[N, 64]) {
  let v = x[ctx.thread]
  print(v > 31.0)
  if ctx.lane < 2 { print(ctx.lane, ctx.warp) }
  print(ctx.block.x)
  O[ctx.block.x, ctx.thread] = v
}
""")
lines = ["print.ph:4: block (0, 0, 0) warp 0: v > 31.0 = false", "print.ph:4: block (0, 0, 0) warp 1: v > 31.0 = true",
         "print.ph:5: block (0, 0, 0) warp 0 lane 0: ctx.lane = 0, ctx.warp = 0", "print.ph:5: block (0, 0, 0) warp 0 lane 1: ctx.lane = 1, ctx.warp = 0",
         "print.ph:5: block (0, 0, 0) warp 1 lane 0: ctx.lane = 0, ctx.warp = 1", "print.ph:5: block (0, 0, 0) warp 1 lane 1: ctx.lane = 1, ctx.warp = 1",
         "print.ph:6: block (0, 0, 0): ctx.block.x = 0"]
lines += [line.replace("(0, 0, 0)", "(1, 0, 0)") for line in lines]
lines[6], lines[13] = "print.ph:6: block (0, 0, 0): ctx.block.x = 0", "print.ph:6: block (1, 0, 0): ctx.block.x = 1"
call = ["print.ph", "x=iota", "N=2", "--grid", "2"]
same("the lines", printed(call), lines)
same("with any number of workers", [printed([*call, "--workers", n]) for n in (1, 2, 7)], [lines] * 3)
same("every value in each thread", printed([*call, "--check-kinds"]), lines)
same("on the emulator", sorted(printed(call, "emulate")), sorted(lines))
same("quiet", printed([*call, "-q"]), lines)

run = json.loads(cases.execute("run", "--device", "sim", "--json", *call).stdout)
same("JSON, how many", len(run["prints"]), 14)
same("JSON, one", run["prints"][2], {"file": "print.ph", "line": 5, "range": {"start": {"line": 4, "character": 20}, "end": {"line": 4, "character": 45}},
                                     "block": [0, 0, 0], "lanes": [0], "text": "ctx.lane = 0, ctx.warp = 0"})
same("JSON, all lanes", run["prints"][6]["lanes"], list(range(64)))
same("JSON, nothing cut", run["prints_left_out"], 0)

# --- the bound ---
cases.write("many.ph", """@launch(32)
kernel k(O: tensor<i32>[N, 32]) {
  for i in range(0, 100) { print(i, ctx.lane) }
  O[ctx.block.x, ctx.lane] = 1
}
""")
many = ["many.ph", "N=8", "--grid", "8"]
done = expect("a bound", ["run", "--device", "sim", *many, "--max-prints", "50"], 0, "50 lines are shown, and 799 more `print`s were left out")
same("the first of all", printed([*many, "--max-prints", "50", "--workers", "3"])[49], "many.ph:3: block (0, 0, 0) lane 17: i = 1, ctx.lane = 17")
same("it goes on with the next CTA", printed([*many, "--max-prints", "3201", "--workers", "3"])[3200],
     "many.ph:3: block (1, 0, 0) lane 0: i = 0, ctx.lane = 0")
same("none", printed([*many, "--max-prints", "0"]), [])
same("the bound of itself", len(printed(many)), 1000)
run = json.loads(cases.execute("run", "--device", "sim", "--json", *many).stdout)
same("JSON, what was cut", (len(run["prints"]), run["prints_left_out"]), (1000, 800 - 31))
expect("a bound on the emulator", ["run", "--device", "emulate", *many, "--max-prints", "50"], 0, "50 lines are shown")
expect("no bound", ["run", *many, "--max-prints", "-1"], 2, "--max-prints")

# --- tiles, runs, memory ---
cases.write("tiles.ph", """@launch(32)
kernel k(X: tensor<f32>[64, 64], O: tensor<f32>[64, 64]) {
  let small = X[0 :+ 2, 0 :+ 3]
  print(small)
  print(X[:, :])
  print(iota(12))
  var t: tile<i32>[1, 4] = 7
  t[0, 1] = 8
  if ctx.lane == 5 { print(t) }
  O[0 :+ 2, 0 :+ 3] = small
}
""")
tiles = printed(["tiles.ph", "X=iota"])
same("tiles", tiles[:1] + tiles[2:], ["tiles.ph:4: block (0, 0, 0): small = [[0, 1, 2], [64, 65, 66]]",
                                      "tiles.ph:6: block (0, 0, 0): iota(12) = [0, 1, 2, 3, 4, 5, 6, 7, ...]",
                                      "tiles.ph:9: block (0, 0, 0) lane 5: t = [[7, 8, 7, 7]]"])
same("the corner of a large tile", tiles[1].split(": ")[2],
     "X[:, :] = [" + ", ".join("[" + ", ".join(str(64 * i + j) for j in range(8)) + ", ...]" for i in range(8)) + ", ...]")
emulated = printed(["tiles.ph", "X=iota"], "emulate")
same("on the emulator by elements", sorted(line.split(": ")[2] for line in emulated if line.startswith("tiles.ph:4:")),
     [f"small[{i}, {j}] = {64 * i + j}" for i in range(2) for j in range(3)])
same("memory of one thread", [line for line in emulated if line.startswith("tiles.ph:9:")],
     [f"tiles.ph:9: block (0, 0, 0) lane 5: t[0, {j}] = {8 if j == 1 else 7}" for j in range(4)])
same("no more than the corner", len([line for line in emulated if line.startswith("tiles.ph:5:")]), 64)

# --- what goes wrong later ---
cases.write("wrong.ph", """@launch(32)
kernel k(x: tensor<f32>[32], O: tensor<f32>[32]) {
  print(ctx.block.x)
  if ctx.block.x == 1 { O[ctx.lane + 1] = 1.0 }
  print(ctx.block.x + 1)
}
""")
done = expect("an error behind a print", ["run", "--device", "sim", "wrong.ph", "x=iota", "--grid", "3"], 1, "past the end")
same("what was printed until then", [line for line in done.stdout.decode().splitlines() if ": block" in line],
     ["wrong.ph:3: block (0, 0, 0): ctx.block.x = 0", "wrong.ph:5: block (0, 0, 0): ctx.block.x + 1 = 1", "wrong.ph:3: block (1, 0, 0): ctx.block.x = 1"])

# --- in nobody's way: a read that only a print asks for is no access, any other is one ---
RACE = """@launch(64)
kernel k(O: tensor<f32>[64]) {
  var t: tile<f32>[1, 64] = 1.0
  %s
  t[0, ctx.thread] = 2.0
  barrier()
  O[ctx.thread] = t[0, ctx.thread]%s
}
"""
for name, line, more, status in (("alone", "print(t[0, 63 - ctx.thread] * 2.0)", "", 0), ("named", "print(t)", "", 0),
                                 ("used as well", "let v = t[0, 63 - ctx.thread]\n  print(v)", " + v", 1)):
    cases.write("way.ph", RACE % (line, more))
    expect(f"a read for a print, {name}", ["run", "--device", "sim", "way.ph", "O=zeros", "--grid", "1"], status, "block (0, 0, 0)")

# --- expectations ---
cases.write("expected.ph", "//# run n=3 O=zeros expect-print \"n = 3\"\n//# run n=3 O=zeros expect-print \"n = 4\"\n"
                           "@launch(32)\nkernel k(n: i32, O: tensor<i32>[1]) {\n  print(n)\n  O[0] = n\n}\n")
expect("expect-print", ["test", "--device", "sim", "expected.ph"], 1, "1 passed, 1 failed")
expect("expect-print, what there was", ["test", "--device", "sim", "expected.ph"], 1,
       'expected a printed line saying "n = 4"; got 1 line, the first: block (0, 0, 0): n = 3')

checked = json.loads(cases.execute("check", "--json", "expected.ph").stdout)
same("a run line may have it", [d["message"] for d in checked["diagnostics"]], [])

cases.end()
