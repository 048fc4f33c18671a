#!/usr/bin/env python3
"""bench.py PHOBOS [--edits N] [--growth N] [--peer-edits N] [--peer-lines N] [--peers NAME,…] [--json] [LINES ...]: language servers over pipes, as an editor drives them.

Files of functions of some 25 lines. A statement is typed, one character at a time, in functions chosen at random, and deleted again;
meanwhile the editor asks what editors ask. `clock` is the time from a message's first byte to its answer's last, whatever else this
machine does; `work` is what the server's threads had of a core for it. An edit's answer is the diagnostics of that version (of a server that
does not name versions: the next ones). In the end, memory before and after a day's worth of edits that lead back to the text.

The same is asked of clangd and typescript-language-server (with a TypeScript that has a `tsserver`, up to 5), where they are installed, in C++
and TypeScript of as many lines, with fewer edits (`--peer-edits`), and of no more than `--peer-lines`. One that fails is a line, and the others go
on. In the end a table has all of them side by side, with the bars.
"""
import argparse
import json
import os
import pathlib
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 120  # seconds

# Milliseconds (memory: MB), p50 and p99 of the clock; None: no bar.
QUICK, SMALL, LARGE = (None, 1), (0.5, 2), (2, 5)
BARS = {("start", "begun -> initialize answered"): (None, 30), ("start", "begun -> diagnostics of 1,000 lines"): (None, 50),
        ("1,000 lines", "edit -> diagnostics"): SMALL, ("10,000 lines", "edit -> diagnostics"): LARGE, ("50,000 lines", "edit -> diagnostics"): LARGE,
        **{(f"{lines} lines", row): QUICK for lines in ("1,000", "10,000", "50,000") for row in ("hover", "completion", "signature help")},
        ("50,000 lines", "memory, MB"): (None, 150)}

KERNELS = ["""// Scales rows, number {0}.
//# run N=4096 x=iota out=zeros factor=2.0
@launch(128)
kernel scale{0}(x: tensor<f32>[N], out: tensor<f32>[N], factor: f32) {{
  let base = ctx.block.x * 128
  let at = base + ctx.thread
  let warp = ctx.warp
  var total = 0.0
  for i in range(0, 4) {{
    let weight = f32(i) * 0.5 + 1.0
    total = total + weight * factor
  }}

  if at < N {{
    var value = x[at] * factor
    if warp == 0 {{
      value = value + 1.0
    }}
    out[at] = value + total
  }}
}}

""", """// The weight of a sample in group {0}: it falls off with the distance.
fn group{0}(x: f32, center: f32) -> f32 {{
  let distance = abs(x - center)
  if distance > 4.0 {{
    return 0.0
  }}
  return 1.0 - distance / 4.0
}}

// One tile of C = A B, made along K in strips that fit into shared memory.
//# run M=128 N=128 K=64 A=randn B=randn factor=2.0 C=zeros
@launch(128)
@autotune(TM in [64, 32], TN in [64, 32, 128], TK in [32, 16])
kernel multiply{0}(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N], factor: f32) {{
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  let weight = group{0}(factor, 1.0)

  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {{
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }}
  C[row :+ TM, col :+ TN] = tmax(acc * weight, 0.0)
}}

"""]
FUNCTION = """// Scales rows, number {0}.
struct Scale{0} {{
  float factor = 1.0f;
  int count = {0};
}};

float scale{0}(const float* x, float* out, int n, float factor) {{
  float total = 0.0f;
  for (int i = 0; i < 4; ++i) {{
    const float weight = float(i) * 0.5f + 1.0f;
    total = total + weight * factor;
  }}

  const Scale{0} scale;
  for (int at = 0; at < n; ++at) {{
    float value = x[at] * scale.factor;
    if (at % 32 == 0) {{
      value = value + 1.0f;
    }}
    out[at] = value + total;
  }}
  return total * factor;
}}

"""
SCRIPT = """// Scales rows, number {0}.
interface Scale{0} {{
  factor: number;
  count: number;
}}

export function scale{0}(x: Float32Array, out: Float32Array, factor: number): number {{
  let total = 0.0;
  for (let i = 0; i < 4; ++i) {{
    const weight = i * 0.5 + 1.0;
    total = total + weight * factor;
  }}

  const scale: Scale{0} = {{ factor, count: {0} }};
  for (let at = 0; at < x.length; ++at) {{
    let value = x[at] * scale.factor;
    if (at % 32 == 0) {{
      value = value + 1.0;
    }}
    out[at] = value + total;
  }}
  return total * scale.factor;
}}

"""
C_HEAD = "inline float absolute(float value) { return value < 0 ? -value : value; }\n"
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "formats": ["relative"],
                           "tokenTypes": ["function", "parameter", "variable", "type"], "tokenModifiers": ["declaration"]},
    },
    "experimental": {"commands": ["phobos.run", "phobos.simulate", "phobos.compare", "phobos.tune", "phobos.report"]},
}


class Peer:
    """A server, and text that it reads: `parts` in turns, and the statement that is typed into the empty line of each."""

    def __init__(self, name, command, language, suffix, parts, typed, head=""):
        self.name, self.command, self.language, self.suffix, self.typed = name, command, language, suffix, typed
        self.parts, self.head = parts, head

    def text(self, lines):
        """The text, and the lines that are empty for the statement."""
        text, places, at, number = [self.head], [], self.head.count("\n"), 0
        while at < lines:
            part = self.parts[number % len(self.parts)].format(number)
            # The empty line that has code around it.
            rows = part.split("\n")
            places.append(at + next(i for i, row in enumerate(rows) if not row and i > 8))
            text.append(part)
            at += len(rows) - 1
            number += 1
        return "".join(text), places


def peers(settings):
    known = {
        "phobos": Peer("phobos", [settings.program, "lsp"], "phobos", ".ph", KERNELS, "  let t = abs(factor)"),
        "clangd": Peer("clangd", ["clangd", "--background-index=0"], "cpp", ".cpp", [FUNCTION], "  float t = absolute(factor);", C_HEAD),
        "typescript-language-server": Peer("typescript", ["typescript-language-server", "--stdio"], "typescript", ".ts", [SCRIPT], "  const t = Math.abs(factor);"),
    }
    return [known[name] for name in settings.peers.split(",") if name == "phobos" or shutil.which(name)]


def place(line, character):
    return {"line": line, "character": character}


class Server:
    """One thread, which sends and then reads: nothing of this client is waited for but the pipe. Time is taken before JSON is read."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        self.pipe, self.bytes, self.next_id, self.arrived = self.process.stdout.fileno(), bytearray(), 0, 0.0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.begun = time.perf_counter()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read(self):
        def fill(size):
            while len(self.bytes) < size:
                if not select.select([self.pipe], [], [], PATIENCE)[0]:
                    raise AssertionError("the server does not answer")
                more = os.read(self.pipe, 1 << 20)
                if not more:
                    raise AssertionError("the server ended")
                self.bytes += more

        while (end := self.bytes.find(b"\r\n\r\n")) < 0:
            fill(len(self.bytes) + 1)
        head = bytes(self.bytes[:end]).decode().lower().split("content-length:")[1]
        size = end + 4 + int(head.split("\r\n")[0])
        fill(size)
        self.arrived = time.perf_counter()
        body = bytes(self.bytes[end + 4:size])
        del self.bytes[:size]
        message = json.loads(body)
        if "method" in message and "id" in message:  # a question of the server's
            asked = message["params"].get("items", []) if isinstance(message.get("params"), dict) else []
            self.send_quietly({"id": message["id"], "result": [None] * len(asked) if message["method"] == "workspace/configuration" else None})
        return message

    def send_quietly(self, message):
        begun = getattr(self, "begun", 0.0)
        self.send(message)
        self.begun = begun

    def until(self, wanted):
        while True:
            message = self.read()
            if wanted(message):
                return message

    def request(self, method, params):
        self.next_id += 1
        number = self.next_id
        self.send({"id": number, "method": method, "params": params})
        message = self.until(lambda each: each.get("id") == number and "method" not in each)
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']}")
        return message["result"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def diagnostics(self, version):
        self.until(lambda each: each.get("method") == "textDocument/publishDiagnostics" and each["params"].get("version", version) == version)

    def initialize(self, folder):
        uri = folder.as_uri()
        result = self.request("initialize", {"processId": os.getpid(), "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "bench"}], "capabilities": CAPABILITIES})
        self.notify("initialized", {})
        return result["capabilities"]

    def worked(self):
        """Milliseconds that all threads of the process and its children had of a core, as far as it tells."""
        total, left = 0, [self.process.pid]
        while left:
            for task in pathlib.Path(f"/proc/{left.pop()}/task").glob("*"):
                try:
                    total += int((task / "schedstat").read_text().split()[0])
                    left += map(int, (task / "children").read_text().split())
                except (OSError, ValueError, IndexError):
                    pass
        return total / 1e6

    def resident(self):
        """Of the process and its children, in MB."""
        total, left = 0, [self.process.pid]
        while left:
            folder = pathlib.Path(f"/proc/{left.pop()}")
            total += int((folder / "statm").read_text().split()[1])
            for task in folder.glob("task/*/children"):
                left += map(int, task.read_text().split())
        return total * os.sysconf("SC_PAGE_SIZE") / 2**20

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def share(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def edits_of(settings, peer):
    return settings.edits if peer.name == "phobos" else min(settings.edits, settings.peer_edits)


class Bench:
    def __init__(self, settings, peer, folder, results):
        self.settings, self.peer, self.folder, self.results = settings, peer, folder, results
        self.edits = edits_of(settings, peer)
        self.clock, self.work = {}, {}

    def row(self, table, name, values, work=()):
        figures = {"p50": share(values, 0.5), "p99": share(values, 0.99), "max": max(values, default=0.0), "work50": share(work, 0.5), "work99": share(work, 0.99)}
        self.results.setdefault((table, name), {})[self.peer.name] = figures
        if self.settings.json:
            print(json.dumps({"server": self.peer.name, "table": table, "row": name, "count": len(values), **{key: round(value, 4) for key, value in figures.items()}}), flush=True)
        else:
            print(f"{self.peer.name:<12}{table:<14}{name:<36}" + "".join(f"{figures[key]:>10.3f}" for key in figures) + f"{len(values):>8}", flush=True)

    def start_up(self):
        answered, first = [], []
        text, _ = self.peer.text(1000)
        for number in range(20 if self.peer.name == "phobos" else 3):
            start = time.perf_counter()
            server = Server(self.peer.command)
            server.initialize(self.folder)
            answered.append((server.arrived - start) * 1e3)
            server.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri(f"start{number}"), "languageId": self.peer.language, "version": 1, "text": text}})
            server.diagnostics(1)
            first.append((server.arrived - start) * 1e3)
            server.kill()
        self.row("start", "begun -> initialize answered", answered)
        self.row("start", "begun -> diagnostics of 1,000 lines", first)

    def uri(self, name):
        path = self.folder / f"{name}{self.peer.suffix}"
        path.touch()
        return path.as_uri()

    def timed(self, server, name, action):
        before = server.worked()
        result = action()
        self.clock.setdefault(name, []).append((server.arrived - server.begun) * 1e3)
        self.work.setdefault(name, []).append(server.worked() - before)
        return result

    def file(self, lines):
        text, places = self.peer.text(lines)
        table = f"{lines:,} lines"
        self.clock, self.work = {}, {}
        server = Server(self.peer.command)
        try:
            self.asked_of(server, lines, table, text, places)
        finally:
            server.kill()

    def asked_of(self, server, lines, table, text, places):
        offered = server.initialize(self.folder)
        uri = self.uri(f"lines{lines}")
        document = {"textDocument": {"uri": uri}}
        self.timed(server, "open -> diagnostics", lambda: (server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": self.peer.language, "version": 1, "text": text}}), server.diagnostics(1)))
        chance = random.Random(1)
        typed, version, tokens = self.peer.typed, 1, None

        def change(line, begin, end, new):
            nonlocal version
            version += 1
            server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": {"start": place(line, begin), "end": place(line, end)}, "text": new}]})

        def edit(*what):
            change(*what)
            server.diagnostics(version)

        def steps(count):
            """Each a line and an edit in it: a statement is typed, and deleted from its end."""
            for number in range(count):
                step = number % (2 * len(typed))
                if step == 0:
                    line = chance.choice(places)
                if step < len(typed):
                    yield line, step, step, typed[step]
                else:
                    at = 2 * len(typed) - 1 - step
                    yield line, at, at + 1, ""

        def ask(name, provider, method, **params):
            if provider in offered:
                return self.timed(server, name, lambda: server.request("textDocument/" + method, {**document, **params}))
            return None

        # How often what is asked: of the whole text as editors do, when typing pauses.
        rare = max(1, self.edits // 40)
        for number, (line, begin, end, new) in enumerate(steps(self.edits)):
            self.timed(server, "edit -> diagnostics", lambda: edit(line, begin, end, new))
            cursor = place(line, begin + len(new))
            if new.isalpha():
                ask("completion", "completionProvider", "completion", position=cursor, context={"triggerKind": 1})
            if new and "(" in typed[:begin + 1] and ")" not in typed[:begin + 1]:
                ask("signature help", "signatureHelpProvider", "signatureHelp", position=cursor)
            if number % 5 == 0:
                ask("hover", "hoverProvider", "hover", position=place(line - 2, 6))
                ask("definition", "definitionProvider", "definition", position=place(line - 2, 6))
            if number % 5 == 1 and tokens is not None:
                answer = ask("semantic tokens, delta", "semanticTokensProvider", "semanticTokens/full/delta", previousResultId=tokens)
                tokens = answer.get("resultId")
            if number % rare == 0:
                answer = ask("semantic tokens, full", "semanticTokensProvider", "semanticTokens/full")
                tokens = answer.get("resultId") if answer else None
                ask("document symbols", "documentSymbolProvider", "documentSymbol")
                ask("code lenses", "codeLensProvider", "codeLens")
                ask("folding ranges", "foldingRangeProvider", "foldingRange")
                ask("inlay hints, 60 lines", "inlayHintProvider", "inlayHint", range={"start": place(max(0, line - 30), 0), "end": place(line + 30, 0)})
                ask("inlay hints, all", "inlayHintProvider", "inlayHint", range={"start": place(0, 0), "end": place(lines, 0)})
        for name, values in self.clock.items():
            self.row(table, name, values, self.work[name])
        if self.peer.name == "phobos":
            turns = server.request("phobos/status", None)
            self.row(table, f"longest turn ({turns['longestTurn']})", [turns["longestTurnMs"]])
        if self.settings.growth and self.peer.name == "phobos":
            self.growth(server, table, steps, change, lambda: server.diagnostics(version), document, len(typed))

    def growth(self, server, table, steps, change, settle, document, length):
        whole = 2 * length

        def day(edits):
            for number, (line, begin, end, new) in enumerate(steps(edits // whole * whole)):
                change(line, begin, end, new)
                if number % whole == whole - 1:  # before a request, whose wait would pass over these diagnostics
                    settle()
                if number % 50 == 49:
                    server.request("textDocument/hover", {**document, "position": place(line - 2, 6)})
                    server.request("textDocument/completion", {**document, "position": place(line, begin + len(new))})

        day(max(whole, self.settings.growth // 20))
        before = server.resident()
        day(self.settings.growth)
        self.row(table, "memory, MB", [before])
        self.row(table, f"memory, MB, {self.settings.growth:,} edits on", [server.resident()])


def side_by_side(results, names):
    """All rows, p50 and p99 by the clock of each server, and the bar."""
    print(f"\n{'p50 / p99 by the clock, ms':<52}{'bar':>14}" + "".join(f"{name:>22}" for name in names))
    for key, row in results.items():
        bar = BARS.get(key)
        wanted = " / ".join("-" if each is None else f"{each:g}" for each in bar) if bar else ""
        line = f"{key[0] + ': ' + key[1]:<52}{wanted:>14}"
        for name in names:
            line += f"{row[name]['p50']:>13.2f} / {row[name]['p99']:<6.2f}" if name in row else f"{'':>22}"
        mine = row.get("phobos")
        if bar and mine:
            line += "  holds" if all(each is None or mine[part] <= each for part, each in zip(("p50", "p99"), bar)) else "  MISSED"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--growth", type=int, default=100000)
    parser.add_argument("--peer-edits", type=int, default=200)
    parser.add_argument("--peer-lines", type=int, default=10000)
    parser.add_argument("--peers", default="phobos,clangd,typescript-language-server")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("lines", nargs="*", type=int, default=[1000, 10000, 50000])
    settings = parser.parse_intermixed_args()
    settings.program = str(pathlib.Path(settings.program).resolve())
    if not settings.json:
        print(f"milliseconds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n{'':<62}{'clock p50':>10}{'p99':>10}{'max':>10}{'work p50':>10}{'p99':>10}{'count':>8}")
    results, names, failed = {}, [], False
    with tempfile.TemporaryDirectory() as folder:
        for peer in peers(settings):
            bench = Bench(settings, peer, pathlib.Path(folder).resolve(), results)
            names.append(peer.name)
            try:
                bench.start_up()
                for lines in settings.lines:
                    if peer.name == "phobos" or lines <= settings.peer_lines:
                        bench.file(lines)
            except (AssertionError, OSError) as fault:
                print(f"{peer.name}: {fault}", flush=True)
                failed = failed or peer.name == "phobos"
    if not settings.json:
        side_by_side(results, names)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
