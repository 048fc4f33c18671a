"""dap.py PHOBOS: the debug adapter, as a client that counts lines from 1 speaks to it."""
import json
import os
import subprocess
import sys
import tempfile

from harness import Cases

cases = Cases(sys.argv[1])
PATIENCE = 120


def same(name, actual, expected):
    cases.check(name, [] if actual == expected else [f"{actual!r}, not {expected!r}"])


class Client:
    def __init__(self):
        self.process = subprocess.Popen([cases.program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cases.folder)
        self.sent, self.events = 0, []

    def send(self, command, **arguments):
        self.sent += 1
        body = json.dumps({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.sent

    def read(self):
        length = None
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length)) if length is not None else None

    def answer(self, number):
        while message := self.read():
            if message["type"] == "response" and message["request_seq"] == number:
                return message
            self.events.append(message)
        return None

    def ask(self, command, **arguments):
        answer = self.answer(self.send(command, **arguments))
        assert answer["success"], (command, answer)
        return answer["body"]

    def refused(self, command, **arguments):
        answer = self.answer(self.send(command, **arguments))
        return "" if answer["success"] else answer["message"]

    def event(self, name):
        while True:
            for message in self.events:
                if message["event"] == name:
                    self.events.remove(message)
                    return message["body"]
            message = self.read()
            assert message is not None, f"no event {name} came"
            self.events.append(message)

    def launch(self, breakpoints=(), filters=("finding",), **arguments):
        self.ask("initialize", adapterID="phobos", linesStartAt1=True, columnsStartAt1=True)
        started = self.send("launch", **arguments)
        answer = self.answer(started)
        assert answer["success"], answer
        self.event("initialized")
        self.placed = self.ask("setBreakpoints", source={"path": arguments["program"]}, breakpoints=list(breakpoints))["breakpoints"]
        self.ask("setExceptionBreakpoints", filters=list(filters))
        self.ask("configurationDone")
        return self.event("stopped")

    def go(self, command, **arguments):
        self.ask(command, threadId=1, **arguments)
        return self.event("stopped")

    def line(self):
        return self.ask("stackTrace", threadId=1)["stackFrames"][0]["line"]

    def variables(self, scope, frame=0):
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        reference = next(each["variablesReference"] for each in scopes if each["name"].startswith(scope))
        return {each["name"]: each for each in self.unfold(reference)}

    def unfold(self, reference, **window):
        return self.ask("variables", variablesReference=reference, **window)["variables"]

    def watch(self, expression):
        answer = self.answer(self.send("evaluate", expression=expression, frameId=0, context="watch"))
        return answer["body"]["result"] if answer["success"] else answer["message"]

    def end(self):
        self.ask("disconnect")
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


KERNEL = """fn twice(x: f32) -> f32 {
  let y = 2.0 * x
  return y
}

//# run x=iota N=64 O=zeros --grid 2
@launch(64)
kernel k(x: tensor<f32>[N], O: tensor<f32>[2, 64]) {
  let i = ctx.thread
  let w = ctx.warp
  var t: tile<f32>[1, 64] = 0.0
  var n = 0
  if ctx.lane < 3 {
    t[0, i] = twice(x[i])
    n = 7
  }
  barrier()
  for j in range(0, 3) {
    n += 1
  }
  O[ctx.block.x :+ 1, :] = t
}
"""
path = str(cases.write("k.ph", KERNEL))

# --- the first stop, values with their kinds, every lane ---
client = Client()
stopped = client.launch(program=path, kernel="k", block="1")
same("it stops where it begins", (stopped["reason"], client.line()), ("entry", 9))
same("the thread is the CTA", client.ask("threads")["threads"][0]["name"], "CTA (1, 0, 0)")
i = client.variables("Lane 0 of warp 0")["i"]
same("a varying value", (i["value"], i["type"]), ("0 · varying", "varying index"))
warps = client.unfold(i["variablesReference"])
same("its warps", [(each["name"], each["value"]) for each in warps], [("warp 0", "0 1 2 3 4 5 6 7 …"), ("warp 1", "32 33 34 35 36 37 38 39 …")])
lanes = client.unfold(warps[1]["variablesReference"])
same("its lanes", (len(lanes), lanes[5]["name"], lanes[5]["value"]), (32, "lane 5", "37"))
client.go("stepIn")
warp = client.variables("Lane 0")["w"]
same("a warp-uniform value", (warp["value"], [each["value"] for each in client.unfold(warp["variablesReference"])]), ("0 · warp-uniform", ["0", "1"]))
same("ctx, and how it comes about", client.variables("ctx")["ctx.warps"]["value"], "2 = 64 / 32 · uniform")
same("a dimension", client.variables("Arguments")["N"]["value"], "64 · uniform")

# --- into a call, over it, out of it and back ---
client.go("stepIn")
client.go("stepIn")
client.go("stepIn")
same("a condition", client.line(), 13)
state = client.ask("phobos/state")
same("lanes part", (state["event"], len(state["active"]), state["condition"]["lanes"][2:4]), ("divergence", 64, ["true", "false"]))
client.go("stepIn")
frames = client.ask("stackTrace", threadId=1)["stackFrames"]
same("inside of a call", [(each["name"].split()[0], each["line"]) for each in frames], [("twice", 1), ("k", 14)])
same("what it was given", client.variables("Lane")["x"]["value"], "0 · varying")
same("its caller's values", client.variables("Lane", 1)["n"]["value"], "0 · varying")
client.go("stepBack")
same("back before the call", client.line(), 13)
client.go("next")
same("over the call", client.line(), 14)
stored = client.ask("phobos/state")["names"][0]
same("what each lane stored", (stored["name"], stored["lanes"][:4], stored["lanes"][33]), ("t[0, i]", ["0", "2", "4", None], "66"))
table = client.ask("phobos/table", name="t", rows=1, columns=4)
same("and where", (table["stored"], table["written"]), (6, [[True, True, True, False]]))
tile = client.variables("Lane")["t"]
rows = client.unfold(tile["variablesReference"])
same("a tile by rows", (tile["type"], tile["indexedVariables"], rows[0]["name"], rows[0]["value"]), ("tile<f32>[1, 64]", 1, "[0]", "0 2 4 0 0 0 0 0 …"))
same("a window of a row", [each["value"] for each in client.unfold(rows[0]["variablesReference"], start=33, count=2)], ["66", "68"])

# --- watches ---
for expression, value in [("i * 2 + 1", "1 · varying"), ("t[0, 2]", "4 · uniform"), ("x[i + 1]", "1 · varying"), ("ctx.lane == 0 && i < N", "true · varying"),
                          ("sum<over ctx.thread>(i)", "2016 · uniform"), ("max<over ctx.lane>(i)", "31 · warp-uniform"), ("f32(i) / 4.0", "0 · varying"),
                          ("zz", "there is no `zz` here"), ("x[1, 2]", None), ("1 +", None), ("i / 0", None), ("i / (i - i)", "- · varying"), ("twice(x[i + 2])", "4 · varying"), ("x + 1.0", None), ("dot(t, t)", None),
                          ("O[1, 5]", "0 · uniform"), ("O", "f32[2, 64]"), ("abs(-3)", "3 · uniform"), ("tmax(i, 5)", "5 · varying"), ("ctx.block.x", "1 · uniform")]:
    told = client.watch(expression)
    cases.check(f"watch {expression}", [] if told == value or (value is None and told) else [f"{told!r}, not {value!r}"])

told = client.answer(client.send("evaluate", expression="kernel", frameId=0, context="hover"))
same("no popup for a word that the mouse rests on", (told["success"], told["body"]["error"]["showUser"]), (False, False))

# --- watches are computed as the language computes: in the type of the operands ---
for expression, value in [("i32(2147483647) + i32(ctx.thread + 1)", "-2147483648 · varying"), ("i8(100) + i8(ctx.lane + 100)", "-56 · varying"), ("u8(ctx.lane) - u8(1)", "255 · varying"),
                          ("i32(ctx.lane + 1) << i32(w + 33)", "2 · varying"), ("i8(300.0 + f32(i))", "127 · varying"), ("-i8(ctx.lane - 128)", "-128 · varying"),
                          ("f32(i + 16777217)", "16777216 · varying"), ("0.1 * f32(i + 1)", "0.1 · varying"), ("f16(x[i]) + f16(0.1)", "0.099975586 · varying"),
                          ("sum<over ctx.thread>(u8(i))", "224 · uniform"), ("i8(i + 200) == u8(i + 200)", "false · varying"), ("x[ctx.lane == 0]", None)]:
    told = client.watch(expression)
    cases.check(f"watch {expression}", [] if told == value or (value is None and told and "·" not in told) else [f"{told!r}, not {value!r}"])

# --- a lane that is picked filters the steps ---
client.ask("phobos/pick", thread=37)
client.event("invalidated")
same("its values", client.variables("Lane 5 of warp 1")["i"]["value"], "37 · varying")
client.go("stepIn")
same("steps without it are left out", client.line(), 17)
client.ask("phobos/pick")

# --- barriers, the end, and back again ---
client.go("reverseContinue")
same("back at the beginning", client.line(), 9)
same("to a barrier", (client.go("phobos/goTo", event="barrier")["reason"], client.line()), ("barrier", 17))
same("no other barrier", client.refused("phobos/goTo", event="barrier"), "there is no barrier behind this step")
stopped = client.go("continue")
same("at the end", (stopped["description"], client.line()), ("At the end of the CTA", 21))
table = client.ask("phobos/table", name="O", rows=2, columns=4)
same("the store is drawn", (table["shape"], table["stored"], table["cells"], table["written"]),
     ([2, 64], 64, [["0", "0", "0", "0"], ["0", "2", "4", "0"]], [[False] * 4, [True] * 4]))
same("and its heat map", (table["low"], table["high"], table["heat"]["rows"], sum(table["heat"]["written"])), (0, 68, 2, 64))
inline = {each["text"].split(" = ")[0]: each for each in client.ask("phobos/inlineValues")["values"]}
same("inline values", (inline["n"]["text"], inline["n"]["range"]["start"]["line"]), ("n = 10 (varying, lane 0)", 18))
client.go("stepBack")
same("before the store", client.ask("phobos/table", name="O", rows=2, columns=2)["cells"][1], ["0", "0"])
client.go("continue")
client.ask("continue", threadId=1)
client.event("terminated")
same("it ends", client.end(), 0)

# --- breakpoints: on a line, under a condition, by hits, as a log ---
client = Client()
lines = [{"line": 10}, {"line": 16, "condition": "n == 7 && ctx.warp == 1"}, {"line": 19, "hitCondition": "2"}, {"line": 15, "condition": "zz > 1"},
         {"line": 40}, {"line": 14, "logMessage": "i is {i}"}]
stopped = client.launch(lines, program=path, kernel="k", stopOnEntry=False)
same("where they are", [(each["verified"], each.get("line")) for each in client.placed],
     [(True, 10), (True, 17), (True, 19), (False, 15), (False, None), (True, 14)])
cases.check("why not", [] if "`zz`" in client.placed[3]["message"] and "no step" in client.placed[4]["message"] else [str(client.placed)])
same("the first", (stopped["reason"], stopped["hitBreakpointIds"], client.line()), ("breakpoint", [1], 10))
stopped = client.go("continue")
same("a condition that holds in some lane", (stopped["hitBreakpointIds"], client.line()), ([2], 17))
cases.check("a log", [] if client.event("output")["output"] == "i is 0 · varying\n" else ["it says something else"])
client.go("continue")
same("the second round", (client.line(), client.watch("n")), (19, "9 · varying"))
client.end()

# --- a race stops it, with both sides ---
RACE = """//# run O=zeros
@launch(64)
kernel race(O: tensor<f32>[64]) {
  var t: tile<f32>[64] = 0.0
  let i = ctx.thread
  t[i] = 1.0
  t[(i + 1) % 64] = f32(i)
  barrier()
  O[0 :+ 64] = t
}
"""
client = Client()
stopped = client.launch(program="untitled:Untitled-1", text=RACE, stopOnEntry=False)
same("a race stops it", (stopped["reason"], client.line()), ("exception", 7))
info = client.ask("exceptionInfo", threadId=1)
cases.check("with its explanation", [] if info["exceptionId"] == "PH0607" and "line 6" in info["description"] and "thread" in info["description"] else [str(info)])
same("where it is", client.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]["path"], "untitled:Untitled-1")
client.end()
client = Client()
stopped = client.launch(filters=(), program="untitled:Untitled-1", text=RACE, stopOnEntry=False)
same("unless it is not wanted", stopped["description"], "At the end of the CTA")
client.end()

# --- what cannot be run is refused with a reason, and requests before are, too ---
for name, arguments, reason in [("no file", {"program": "nowhere.ph"}, "no such file"), ("no kernel", {"program": path, "kernel": "zz"}, "zz"),
                                ("no block", {"program": path, "block": "9"}, "there is no block"), ("no program", {}, "`program` is missing"),
                                ("errors", {"program": "a.ph", "text": "kernel k() { zz() }"}, "zz"), ("a thread", {"program": path, "thread": 64}, "64 threads"),
                                ("words", {"program": path, "arguments": ["--device=gpu"]}, "`arguments`")]:
    client = Client()
    client.ask("initialize")
    said = client.refused("launch", **arguments)
    cases.check(f"launch of {name}", [] if reason in said else [f"says {said!r}"])
    quiet = client.answer(client.send("launch", clientTellsRefusal=True, **arguments))
    same(f"launch of {name}, told by the client", quiet["body"]["error"]["showUser"], False)
    same("no steps", client.refused("scopes", frameId=0), "there are no steps yet")
    same("unknown", client.refused("fly"), "there are no steps yet")
    same("it ends", client.end(), 0)

# --- a kernel that hangs is ended at once ---
client = Client()
client.ask("initialize")
client.send("launch", program="a.ph", text="//# run O=zeros\n@launch(1024)\nkernel h(O: tensor<i64>[4]) {\n  var n: i64 = 0\n  for i in range(0, 1000000000) {\n    for j in range(0, 1000000) { n = n ^ i64(j) }\n  }\n  O[0] = n\n}\n", steps=1000000)
same("while it runs", client.end(), 0)
cases.end()
