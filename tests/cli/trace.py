"""trace.py PHOBOS: the steps of a kernel as JSON lines, as a listing, and on a terminal."""
import json
import signal
import sys

from harness import Cases
from screen import Session

cases = Cases(sys.argv[1])
expect = cases.expect


def same(name, actual, expected):
    cases.check(name, [] if actual == expected else [f"{actual!r}, not {expected!r}"])


def steps(*words, status=0):
    done = expect(f"trace {' '.join(words)}", ["trace", "--json", *words], status)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def source_of(file, step):
    lines = (cases.folder / file).read_text().splitlines()
    start, end = step["range"]["start"], step["range"]["end"]
    return lines[start["line"]][start["character"]:end["character"] if end["line"] == start["line"] else None]


KERNEL = """fn twice(x: f32) -> f32 {
  return 2.0 * x
}

//# run x=iota N=64 O=zeros C=zeros --grid 2
@launch(64)
kernel k(x: tensor<f32>[N], O: tensor<f32>[2, 64], C: tensor<i32>[4]) {
  let i = ctx.thread
  var t: tile<f32>[1, 64] = 0.0
  var n = 0
  if ctx.lane < 3 {
    t[0, i] = twice(x[i])
    n = ctx.lane
  }
  barrier()
  for j in range(0, 2) {
    if j >= n { break }
    n += 1
  }
  atomic_add(C, 1, 5)
  O[ctx.block.x :+ 1, :] = t
  print(n)
}
"""
cases.write("k.ph", KERNEL)
all_steps = steps("k.ph", "--block", "1")

# --- the form of every line ---
EVENTS = {"barrier", "divergence", "return", "break", "print"}
for number, step in enumerate(all_steps):
    faults = []
    if list(step)[:5] != ["step", "range", "block", "active", "writes"] or step["step"] != number or step["block"] != [1, 0, 0]:
        faults.append(f"its head: {step}")
    if step["active"] != sorted(set(step["active"])) or not set(step["active"]) <= set(range(64)) or not step["active"]:
        faults.append(f"its lanes: {step['active']}")
    if not source_of("k.ph", step).strip():
        faults.append(f"its range: {step['range']}")
    if "event" in step and step["event"] not in EVENTS:
        faults.append(f"its event: {step['event']}")
    for write in step["writes"] + ([step["condition"]] if "condition" in step else []):
        if write["kind"] not in ("uniform", "warp-uniform", "varying") or ("value" in write) == ("values" in write) or "type" not in write:
            faults.append(f"a write: {write}")
        if "values" in write and len(write["values"]) != len(step["active"]):
            faults.append(f"{len(write['values'])} values for {len(step['active'])} lanes")
    cases.check(f"step {number}", faults)


def first(text):
    return next(step for step in all_steps if source_of("k.ph", step).startswith(text))


some = sorted([*range(3), *range(32, 35)])
same("a varying value", first("let i")["writes"], [{"name": "i", "kind": "varying", "type": "index", "values": list(range(64))}])
same("a variable is as varying as in its whole life", first("var n")["writes"], [{"name": "n", "kind": "varying", "type": "index", "values": [0] * 64}])
same("a condition", [first("if ctx.lane")[key] for key in ("event", "condition", "writes")],
     ["divergence", {"name": "ctx.lane < 3", "kind": "varying", "type": "bool", "values": [lane % 32 < 3 for lane in range(64)]}, []])
same("in a function", [first("return 2.0")[key] for key in ("active", "event", "writes")],
     [some, "return", [{"name": "return", "kind": "varying", "type": "f32", "values": [2.0 * lane for lane in some]}]])
same("a store of threads", first("t[0, i] =")["writes"],
     [{"name": "t[0, i]", "kind": "varying", "type": "f32", "values": [2.0 * lane for lane in some], "at": [[0, lane] for lane in some]},
      {"name": "t", "kind": "uniform", "type": "tile<f32>[1, 64]", "value": [2.0 * i if i in some else 0.0 for i in range(64)]}])
same("what a function is given", [(source_of("k.ph", step), step["active"], step["writes"]) for step in all_steps if step["range"]["start"]["line"] == 0],
     [("x: f32", some, [{"name": "x", "kind": "varying", "type": "f32", "values": [float(lane) for lane in some]}])])
same("a barrier", [first("barrier()").get(key) for key in ("event", "active", "writes")], ["barrier", list(range(64)), []])
rounds = [step for step in all_steps if source_of("k.ph", step).startswith("for j")]
same("the whole head of a loop", source_of("k.ph", rounds[0]), "for j in range(0, 2)")
same("a loop and its rounds", [(len(step["active"]), [write["value"] for write in step["writes"]], step.get("event")) for step in rounds],
     [(64, [], None), (64, [0], None), (4, [1], "divergence")])
same("an atomic", first("atomic_add")["writes"], [{"name": "C[1]", "kind": "uniform", "type": "i32", "value": 5, "at": [1]}])
stored = first("O[ctx.block.x :+ 1")["writes"][0]
same("a store of the CTA", [stored[key] for key in ("name", "kind", "type", "at", "value")],
     ["O[ctx.block.x :+ 1, :]", "uniform", "tile<f32>[1, 64]", [1, 0], [2.0 * i if i in some else 0.0 for i in range(64)]])
same("a print", [all_steps[-1]["event"], all_steps[-1]["printed"]],
     ["print", ["block (1, 0, 0) warps 0-1 lanes 0, 3-31: n = 0", "block (1, 0, 0) warps 0-1 lane 1: n = 3", "block (1, 0, 0) warps 0-1 lane 2: n = 4"]])

cases.write("given.ph", '''fn scaled(v: f32, by: f32) -> f32 {
  let w = v * by
  return w
}
//# run x=iota y=zeros a=2.0
@launch(32)
kernel k(x: tensor<f32>[32], y: tensor<f32>[32], a: f32) {
  let v = 100.0
  y[ctx.lane] = scaled(x[ctx.lane], a) + v
}
''')
given = steps("given.ph")
same("what a kernel is given", given[0]["writes"], [{"name": "a", "kind": "uniform", "type": "f32", "value": 2.0}])
same("a parameter and a variable of one name", [[(write["name"], write.get("value", write.get("values"))) for write in step["writes"]] for step in given[1:3]],
     [[("v", 100.0)], [("v", [float(i) for i in range(32)]), ("by", 2.0)]])

# --- the same every time, and bounded ---
same("the same every time", [steps("k.ph", "--block", "1") for _ in range(3)], [all_steps] * 3)
same("another CTA", steps("k.ph")[0]["block"], [0, 0, 0])
same("the number of steps", steps("k.ph", "--block", "1,0,0", "--steps", str(len(all_steps))), all_steps)
cut = steps("k.ph", "--block", "1", "--steps", "5")
same("cut off", cut, all_steps[:4] + [{**all_steps[4], "more": True}])
cases.write("endless.ph", "@launch(32)\nkernel k(O: tensor<i32>[1]) {\n  var n = 0\n  while n >= 0 { n = 1 }\n  O[0] = i32(n)\n}\n")
same("a loop without end", len(steps("endless.ph", "O=zeros", "--grid", "1", "--steps", "500")), 500)
cases.write("large.ph", "@launch(32)\nkernel k(X: tensor<f32>[64, 64], O: tensor<f32>[64, 64]) {\n  let t = X[:, :]\n  O[:, :] = t\n}\n")
large = steps("large.ph", "X=iota", "--grid", "1")[0]["writes"][0]
same("a large tile", (large["type"], len(large["value"]), large["left_out"]), ("tile<f32>[64, 64]", 64, 64 * 64 - 64))

# --- what is found ---
cases.write("race.ph", "@launch(64)\nkernel k(O: tensor<i32>[64]) {\n  var t: tile<i32>[1, 64] = 0\n  t[0, 0] = ctx.thread\n  O[ctx.thread + 1] = 1\n}\n"
            .replace("= ctx.thread\n", "= i32(ctx.thread)\n"))
found = steps("race.ph", "O=zeros", "--grid", "1", status=1)
same("events of findings", [step["event"] for step in found if "message" in step], ["race", "oob"])
same("their steps are those of the statements", len([step for step in found if "message" not in step]), 1)
race = next(step for step in found if step.get("event") == "race")
same("with both places", [(one["code"], [other["message"] for other in one["relatedInformation"]]) for one in race["found"]],
     [("PH0607", ["thread 0 wrote it here, in the same statement"])])
cases.write("steps.ph", "@launch(32)\nkernel k(O: tensor<i32>[32]) {\n  for i in range(0, (10), (ctx.lanes / 4)) {\n    O[i] = 1\n  }\n}\n")
same("a loop with a step", source_of("steps.ph", steps("steps.ph", "O=zeros", "--grid", "1")[0]), "for i in range(0, (10), (ctx.lanes / 4))")
cases.write("meet.ph", """@launch(32)
@persistent
kernel k(f: tensor<i32>[1], bar: tensor<i32>[2]) {
  if ctx.block.x == 0 {
    grid_barrier(bar)
    store_release(f, 0, 1)
  } else {
    while load_acquire(f, 0) == 0 { }
    grid_barrier(bar)
  }
}
""")
waits = [step for step in steps("meet.ph", "f=zeros", "bar=zeros", "--grid", "2", status=1) if step.get("event") == "endless_wait"]
same("waits of two blocks", [(step["block"], source_of("meet.ph", step)) for step in waits],
     [([0, 0, 0], "grid_barrier(bar)"), ([1, 0, 0], "load_acquire(f, 0)")])
same("at their place", source_of("race.ph", next(step for step in found if step.get("event") == "race")), "t[0, 0] = i32(ctx.thread)")

cases.write("both.ph", "@launch(64)\nkernel k(O: tensor<i32>[64]) {\n  var t: tile<i32>[1, 64]\n  t[0, 0] = i32(ctx.thread) + t[0, ctx.thread]\n  O[ctx.thread] = 1\n}\n")
both = steps("both.ph", "O=zeros", "--grid", "1", status=1)
same("two findings in a statement are one step", [(step.get("event"), step["message"].count("\n")) for step in both if "message" in step], [("unset", 1)])
cases.write("unset.ph", "@launch(32)\nkernel k(O: tensor<i32>[32]) {\n  var t: tile<i32>[1, 4]\n  t[0, 1] = 5\n  barrier()\n  let u = t + 1\n  O[ctx.thread] = 1\n}\n")
unset = next(step for step in steps("unset.ph", "O=zeros", "--grid", "1") if step["writes"] and step["writes"][0]["name"] == "u")
same("what nothing has written", unset["writes"][0]["value"], [None, 6, None, None])

# --- CTAs that wait for each other, and CTAs that do not ---
cases.write("alone.ph", "@launch(32)\nkernel k(O: tensor<i32>[1]) {\n  var i = 0\n  while i < 2 {\n    O[ctx.block.x] = i32(i)\n    i += 1\n  }\n}\n")
same("the others do not run", len(steps("alone.ph", "O=zeros", "--grid", "2")), 8)
cases.write("waits.ph", "@launch(32)\n@persistent\nkernel k(F: tensor<i32>[1], O: tensor<i32>[2]) {\n  if ctx.block.x == 1 { store_release(F, 0, 7) } else { while load_acquire(F, 0) == 0 { } }\n  O[ctx.block.x] = load_acquire(F, 0)\n}\n")
waited = steps("waits.ph", "F=zeros", "O=zeros", "--grid", "2")
same("what another CTA wrote", waited[-1]["writes"][0]["value"], 7)

cases.write("stuck.ph", "@launch(32)\n@persistent\nkernel k(F: tensor<i32>[1]) {\n  while load_acquire(F, 0) == 0 { }\n}\n")
for block in (0, 1):
    stuck = steps("stuck.ph", "F=zeros", "--grid", "2", "--block", str(block), status=1)[-1]
    same("a wait of the CTA itself", [stuck["event"], stuck["block"], f"(block ({block}, 0, 0))" in stuck["message"]], ["endless_wait", [block, 0, 0], True])
cases.write("gone.ph", "@launch(32)\n@persistent\nkernel k(bar: tensor<i32>[2]) {\n  if ctx.block.x == 0 { return }\n  grid_barrier(bar)\n}\n")
gone = steps("gone.ph", "bar=zeros", "--grid", "3", status=1)[-1]
same("a wait of another CTA", [gone["event"], gone["block"], gone["active"]], ["endless_wait", [1, 0, 0], []])

# --- errors ---
for device in ("gpu", "emulate"):
    done = expect(f"a trace on {device}", ["trace", "--json", "--device", device, "k.ph"], 2, f"a trace is of the simulator: --device {device} has no steps to show")
    same("its document", json.loads(done.stdout)["message"], f"a trace is of the simulator: --device {device} has no steps to show")
cases.write("wrong.ph", "kernel k(O: tensor<i32>[1]) {\n  O[0] = nothing\n}\n")
done = expect("errors of the source as JSON", ["trace", "--json", "wrong.ph", "O=zeros"], 1, "nothing")
same("the diagnostics", [one["range"]["start"]["line"] for one in json.loads(done.stdout)["diagnostics"]], [1])
expect("no such block", ["trace", "--json", "k.ph", "--block", "2"], 2, "there is no block (2, 0, 0): the grid is 2 x 1 x 1")
expect("no block at all", ["trace", "k.ph", "--block", "x"], 2, "--block is X, X,Y or X,Y,Z")
expect("a negative block", ["trace", "k.ph", "--block", "-1"], 2, "")
expect("too many axes", ["trace", "k.ph", "--block", "0,0,0,0"], 2, "--block is")
expect("no steps", ["trace", "k.ph", "--steps", "0"], 2, "--steps")
expect("an unknown argument", ["trace", "k.ph", "zz=1"], 2, "zz")
expect("no such file", ["trace", "missing.ph"], 2, "there is no such file")
cases.write("bad.ph", "kernel k(O: tensor<i32>[1]) {\n  O[0] = nothing\n}\n")
expect("errors of the source", ["trace", "bad.ph", "O=zeros"], 1, "nothing")

# --- the listing ---
done = expect("the listing", ["trace", "k.ph", "--block", "1"], 0, "     0  k.ph:8  all lanes  | let i = ctx.thread\n", where="out")
listing = done.stdout.decode()
for text in ("          i: varying index = 0 1 2 3 4 5 6 7 ...\n", "warps 0-1 lanes 0-2  | t[0, i] = twice(x[i])\n", "<divergence>\n", "| barrier()  <barrier>\n",
             "          t[0, i]: varying f32 = 0 at [0, 0] 2 at [0, 1] 4 at [0, 2] 64 at [0, 32]"):
    cases.check("the listing", [] if text in listing else [f"it lacks {text!r}:\n{listing}"])
expect("the listing, cut off", ["trace", "k.ph", "--steps", "3"], 0, "there are more than 3 steps; --steps asks for more", where="err")

# --- on a terminal ---


def view(name, script, words=("k.ph", "--block", "1"), **more):
    session = Session([cases.program, "trace", *words], cases.folder, **more)
    try:
        script(session)
        cases.check(name, [])
    except (AssertionError, ValueError) as fault:
        cases.check(name, [str(fault)])
    finally:
        session.close()


def holds(condition, session):
    assert condition, "\n".join(session.screen.text())


count = len(all_steps)


def walk(session):
    shown = session.wait_for(f"step 1 of {count}")
    holds(session.screen.other and not session.screen.cursor_shown, session)
    holds("64 of 64 lanes" in shown and "block (1, 0, 0)" in shown and ">    8   let i = ctx.thread" in shown, session)
    holds("> warp  0  ################################" in shown and "  warp  1  ################################" in shown, session)
    holds("i in the lanes of warp 0" in shown and " 0: 0 " in shown and "31: 31" in shown, session)
    holds("* i                varying      index              0" in shown, session)
    session.press("n")
    session.wait_for(f"step 2 of {count}")
    session.press("\x1b[C ")
    session.wait_for(f"step 4 of {count}")
    holds("<divergence>" in "\n".join(session.screen.text()), session)
    session.press("n")
    shown = session.wait_for("6 of 64 lanes")
    holds("* x                varying      f32" in shown, session)
    session.press("n")
    shown = session.wait_for(f"step 6 of {count}")
    holds(" 2: 4 " in shown and " 3 - " in shown, session)
    session.press("V")
    session.wait_for(" 3 (3)")  # of i, which all lanes wrote
    session.press("0")
    holds("> warp  0  ###............................." in shown, session)
    session.press("p\x1b[D")
    session.wait_for(f"step 4 of {count}")
    session.press("b")
    shown = session.wait_for("<barrier>")
    holds(">   15   barrier()" in shown, session)
    session.press("+")
    session.wait_for("lane 1 of warp 0")
    session.press("w-")
    session.wait_for("lane 0 of warp 1")
    holds("> warp  1" in "\n".join(session.screen.text()), session)
    session.press("g21\r")
    session.wait_for(">   21 ")
    session.press("b")
    session.wait_for("there is no barrier behind this step")
    session.press("h")
    session.wait_for("any key: back")
    session.press("x")
    session.wait_for(">   21 ")
    session.press("\x1b[F")
    session.wait_for(f"step {count} of {count}")
    session.press("n")
    session.wait_for("this is the last step")
    session.press("\x1b[H")
    session.wait_for(f"step 1 of {count}")
    drawn = len(session.written)
    session.press("+")
    session.wait_for("lane 1 of warp 1")
    assert "\x1b[2J" not in session.written[drawn:], "it clears the screen to draw a step"
    session.press("q")
    assert session.end() == 0, "its exit status"
    assert not session.screen.other and session.screen.cursor_shown, "the screen is not given back"
    assert session.settings() == session.before, "the terminal's settings are not given back"


view("the view", walk)

SCOPES = """@launch(32)
kernel k(O: tensor<i32>[2, 4]) {
  var outer = 1
  if ctx.blocks.x == 1 {
    let inner = 2
    outer = inner
  }
  for i in range(0, 1) {
    outer += 1
  }
  let t = O[:, 0 :+ 4] + 3
  O[:, 0 :+ 4] = t
}
"""
cases.write("scopes.ph", SCOPES)


def scopes(session):
    session.wait_for("step 1 of")
    session.press("g6\r")
    shown = session.wait_for(">    6 ")
    holds("inner " in shown and "outer " in shown, session)
    session.press("g9\r")
    shown = session.wait_for(">    9 ")
    holds("  i  " in shown and "  inner  " not in shown, session)
    session.press("g11\r")
    shown = session.wait_for(">   11 ")
    holds("  i  " not in shown and "t, tile<i32>[2, 4]: its first elements, by rows" in shown, session)
    holds([line.split() for line in session.screen.text()].count(["3"] * 4) == 2, session)
    session.press("q")


view("names end with their blocks, and tiles have cells of their own", scopes, ("scopes.ph", "O=zeros", "--grid", "1"))


def long_message(session):
    session.wait_for("step 1 of")
    session.press("\x1b[F")
    shown = " ".join(session.wait_for("nothing orders").split())
    holds("nobody is left" in shown or "and nothing orders the two" in shown, session)
    session.press("q")


cases.write("meet.ph", "@launch(32)\nkernel k(Counters: tensor<i32>[1], Results: tensor<i32>[1]) {\n  let n = atomic_add(Counters, 0, 1)\n  Results[0] = i32(ctx.block.x) + n\n}\n")
view("a message longer than a line", long_message, ("meet.ph", "Counters=zeros", "Results=zeros", "--grid", "4"))


def resized(session):
    session.wait_for("lane 0 of warp 0")
    session.resize(24, 60)
    session.wait_for(f"step 1 of {count}")
    assert len([line for line in session.screen.text() if len(line) > 60]) == 0
    session.resize(10, 40)
    session.wait_for("block (1, 0, 0)")
    session.wait_for("let i = ctx.thread")
    session.wait_for("> 0 " + "#" * 32)
    session.wait_for("* i          0")
    session.resize(10, 20)
    session.wait_for("> 0 " + "#" * 16)
    session.press("q")
    assert session.end() == 0


view("another size", resized)
cases.write("cells.ph", "@launch(32)\nkernel k(O: tensor<f32>[32]) {\n  let tiny = (f32(ctx.lane) + 1.0) / 1700.0\n  let many = ctx.thread * 123456789\n  O[many % 32] = tiny\n}\n")


def fitted(session):
    session.wait_for(" 0: 6e-04  1: 0.001")
    session.press("n")
    session.wait_for(" 1: 1234~")
    session.press("q")
    session.end()


view("numbers that are longer than a cell", fitted, ("cells.ph", "O=zeros", "--grid", "1"), columns=80)
cases.write("warps.ph", "@launch(128)\nkernel k(O: tensor<i32>[128]) {\n  let w = ctx.warp * 2\n  O[ctx.thread] = i32(w)\n}\n")
expect("what a warp shares is told once a warp", ["trace", "warps.ph", "O=zeros", "--grid", "1"], 0, "          w: warp-uniform index = 0 2 4 6, one a warp\n", where="out")


def signalled(session, number, status):
    session.wait_for("lane 0 of warp 0")
    session.process.send_signal(number)
    assert session.end() == status, f"its exit status is {session.process.returncode}"
    assert not session.screen.other and session.screen.cursor_shown, "the screen is not given back"
    assert session.settings() == session.before, "the terminal's settings are not given back"


view("SIGINT", lambda session: signalled(session, signal.SIGINT, 130))
view("SIGTERM", lambda session: signalled(session, signal.SIGTERM, 143))
view("SIGHUP", lambda session: signalled(session, signal.SIGHUP, 129))


def control_c(session):
    session.wait_for("lane 0 of warp 0")
    session.press("\x03")
    assert session.end() == 130


view("Ctrl-C at the keyboard", control_c)


def suspended(session):
    def state():  # T: stopped
        with open(f"/proc/{session.process.pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0]

    def reaches(condition):
        for _ in range(200):
            session.read(0.1)
            if condition():
                return True
        return False

    session.wait_for("lane 0 of warp 0")
    session.process.send_signal(signal.SIGTSTP)
    assert reaches(lambda: state() == "T"), "it does not stop"
    assert reaches(lambda: not session.screen.other and session.settings() == session.before), "the terminal is not given back"
    session.process.send_signal(signal.SIGCONT)
    assert reaches(lambda: session.screen.other), "the view does not come back"
    session.wait_for("lane 0 of warp 0")
    session.press("q")
    assert session.end() == 0


view("suspended and back", suspended)


def with_findings(session):
    session.wait_for("step 1 of")
    session.press("\x1b[F")
    session.wait_for("<oob>")
    session.press("q")
    assert session.end() == 1, "its exit status"
    assert "past the end" in session.written.rpartition("\x1b[?1049l")[2], "the findings are not told behind the view"


view("a view with findings", with_findings, words=("race.ph", "O=zeros", "--grid", "1"))

cases.end()
