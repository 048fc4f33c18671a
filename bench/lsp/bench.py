#!/usr/bin/env python3
"""bench.py PHOBOS [--edits N] [--growth N] [--json] [LINES ...]: the built server over pipes, as an editor drives it.

Files of kernels, edited one character at a time at random places. Each row is the time from the first byte of a message to the last of
its answer: an edit until the diagnostics of that version, and what an editor asks for behind it. Then start-up, and memory before and
after many edits. Times are by the clock of this machine, whatever else it does; the first line says how busy it is.
"""
import argparse
import json
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "server"))
from client import Server, document, place  # noqa: E402

URI = "untitled:bench"
KERNEL = """// Scales rows, number {0}.
//# run N=4096 x=iota out=zeros factor=2.0
@launch(128)
kernel scale{0}(x: tensor<f32>[N], out: tensor<f32>[N], factor: f32) {{
  let base = ctx.block.x * 128
  let at = base + ctx.thread
  let warp = ctx.warp
  var sum = 0.0
  for i in 0 .. 4 {{
    let weight = f32(i) * 0.5 + 1.0
    sum = sum + weight * factor
  }}
  if at < N {{
    var value = x[at] * factor
    if warp == 0 {{
      value = value + 1.0
    }}
    out[at] = value + sum
  }}
  let row: tile<f32>[128] = x[base :+ 128]
  let largest = max(row)
  out[base :+ 128] = row * factor + largest
}}

"""
PLACE = 9  # of a kernel's lines: `let weight = …`


def text_of(lines):
    per_kernel = KERNEL.count("\n")
    return "".join(KERNEL.format(i) for i in range(max(1, lines // per_kernel))), per_kernel


def share(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0


class Bench:
    def __init__(self, settings):
        self.settings = settings

    def row(self, table, name, values):
        figures = {"p50": share(values, 0.5), "p99": share(values, 0.99), "max": max(values, default=0.0)}
        if self.settings.json:
            print(json.dumps({"table": table, "row": name, "count": len(values), **{key: round(value, 4) for key, value in figures.items()}}), flush=True)
        else:
            print(f"{table:<14}{name:<44}" + "".join(f"{figures[key]:>10.3f}" for key in figures) + f"{len(values):>8}", flush=True)

    def timed(self, action):
        start = time.perf_counter()
        result = action()
        return (time.perf_counter() - start) * 1e3, result

    def start_up(self):
        times, first = [], []
        text, _ = text_of(1000)
        for _ in range(20):
            start = time.perf_counter()
            server = Server(self.settings.program)
            server.initialize()
            times.append((time.perf_counter() - start) * 1e3)
            server.open(URI, text)
            server.diagnostics(URI, 1)
            first.append((time.perf_counter() - start) * 1e3)
            server.kill()
        self.row("start", "process begun -> initialize answered", times)
        self.row("start", "process begun -> diagnostics of 1,000 lines", first)

    def file(self, lines):
        text, per_kernel = text_of(lines)
        server = Server(self.settings.program)
        offered = server.initialize({"textDocument": {"publishDiagnostics": {"versionSupport": True}}})["capabilities"]
        took, _ = self.timed(lambda: (server.open(URI, text), server.diagnostics(URI, 1)))
        table = f"{lines:,} lines"
        self.row(table, "open -> diagnostics", [took])
        random.seed(1)
        version, kernels = 1, text.count("kernel ")
        times, tokens = {}, None

        def note(name, action):
            took, result = self.timed(action)
            times.setdefault(name, []).append(took)
            return result

        def edit(line, begin, end, new):
            nonlocal version
            version += 1
            server.change(URI, version, {"range": {"start": place(line, begin), "end": place(line, end)}, "text": new})
            return server.diagnostics(URI, version)

        typed = "  let t = abs(2.5)"
        for count in range(self.settings.edits):
            step = count % (2 * len(typed))
            if step == 0:
                line = random.randrange(kernels) * per_kernel + PLACE
                column = 4
            at = step if step < len(typed) else 2 * len(typed) - 1 - step
            note("edit -> diagnostics of that version", lambda: edit(line, column + at, column + at + (step >= len(typed)), typed[at] if step < len(typed) else ""))
            if count % 5:
                continue
            where = {**document(URI), "position": place(line + 1, 6)}
            note("hover", lambda: server.request("textDocument/hover", where))
            if "completionProvider" in offered:
                note("completion", lambda: server.request("textDocument/completion", where))
            if "signatureHelpProvider" in offered:
                note("signature help", lambda: server.request("textDocument/signatureHelp", where))
            if "definitionProvider" in offered:
                note("definition", lambda: server.request("textDocument/definition", where))
            if count % 25:
                continue
            if "semanticTokensProvider" in offered:
                if tokens is not None:
                    tokens = note("semantic tokens, what changed", lambda: server.request("textDocument/semanticTokens/full/delta", {**document(URI), "previousResultId": tokens})).get("resultId")
                if tokens is None or count % 100 == 0:
                    tokens = note("semantic tokens, all", lambda: server.request("textDocument/semanticTokens/full", document(URI))).get("resultId")
            if count % 100 == 0:
                note("document symbols", lambda: server.request("textDocument/documentSymbol", document(URI)))
                note("code lenses", lambda: server.request("textDocument/codeLens", document(URI)))
        for name, values in times.items():
            self.row(table, name, values)
        turns = server.request("phobos/status", None)
        self.row(table, f"longest turn, of a core ({turns['longestTurn']})", [turns["longestTurnMs"]])
        if self.settings.growth:
            before = self.resident(server)
            for count in range(self.settings.growth):
                version += 1
                server.change(URI, version, {"range": {"start": place(PLACE, 4), "end": place(PLACE, 4 + count % 2)}, "text": "" if count % 2 else "x"})
                if count % 1000 == 999:
                    server.diagnostics(URI, version)
                    server.kept.clear()
            self.row(table, "memory, MB", [before])
            self.row(table, f"memory, MB, {self.settings.growth:,} edits on", [self.resident(server)])
        server.end()

    @staticmethod
    def resident(server):
        pages = int(pathlib.Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--growth", type=int, default=20000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("lines", nargs="*", type=int, default=[1000, 50000])
    settings = parser.parse_args()
    settings.program = str(pathlib.Path(settings.program).resolve())
    if not settings.json:
        print(f"milliseconds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n{'':<58}{'p50':>10}{'p99':>10}{'max':>10}{'count':>8}")
    bench = Bench(settings)
    bench.start_up()
    for lines in settings.lines:
        bench.file(lines)


if __name__ == "__main__":
    main()
