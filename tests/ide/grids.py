#!/usr/bin/env python3
"""grids.py PHOBOS: the grid that an editor is told of a run line is the one that it runs on."""
import json
import pathlib
import re
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(__file__).resolve().parents[2]
FILES = [*sorted((root / "examples").glob("*.ph")), *(root / "tests/run" / name for name in ("tiles.ph", "lanes.ph", "edges.ph", "raster.ph", "functions.ph"))]
faults, compared = [], 0


def ask(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=300, cwd=root)
    return json.loads(done.stdout) if done.stdout.strip() else None


for path in FILES:
    lines = path.read_text().splitlines()
    waiting = []
    for number, line in enumerate(lines):
        if line.startswith("//# run"):
            waiting.append(line)
        kernel = re.match(r"(?:@.* )?kernel (\w+)", line)
        if not kernel:
            continue
        for index, run in enumerate(waiting):
            if "expect-error" in run:
                continue
            told = ask("ide", "phobos/hierarchy", path, "--at", f"{number + 1}:{line.index('kernel') + 8}", "--params", json.dumps({"runLine": index}))
            if told["grid"] is None or any(each["assumed"] for each in told["dimensions"]):
                continue
            ran = ask("run", path, "--kernel", kernel[1], "--run-line", index, "--device", "sim", "--json")
            if ran is None or not ran.get("grid"):
                continue
            compared += 1
            if ran["grid"] != told["grid"]:
                faults.append(f"{path.name}: {kernel[1]}, {run!r}: an editor is told {told['grid']}, and it runs on {ran['grid']}")
        waiting = []
for fault in faults:
    print(fault)
print(f"{compared} compared")
sys.exit(1 if faults or compared < 10 else 0)
