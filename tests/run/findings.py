#!/usr/bin/env python3
"""findings.py PHOBOS: what the simulator finds does not depend on how many CTAs run at a time, nor on whether values are computed
once or in each thread (--check-kinds; a build without NDEBUG does so anyway), and correct kernels give it nothing to
find: those of examples/ and tests/run/ no error and, but for the ones that show what is lost in a conversion or a shift, no warning.
The kernels of tests/run/bugs/ each have one bug; `phobos test` holds what is said of it, here it is only compared."""
import json, pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYS = (("--workers", "1"), ("--workers", "2"), ("--workers", "5"), ("--check-kinds", "--workers", "4"))
# Their results are what a shift past the width and a conversion out of range give.
SURPRISING = {"integers.ph", "narrow.ph"}


def run(program, path, kernel, line, way):
    done = subprocess.run([program, "run", "--device", "sim", "--json", *way, "--kernel", kernel,
                           "--run-line", str(line), path], capture_output=True, text=True, timeout=300)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return {"fault": f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[:300]}"}
    return {"status": report["status"], "diagnostics": report["diagnostics"], "outputs": report["outputs"]}


def kernels_of(path):
    """The kernels, and how many run lines stand above each."""
    lines = 0
    for text in path.read_text().splitlines():
        lines += text.startswith("//# run")
        if text.startswith("kernel "):
            yield text.split("(")[0].split()[1], lines
            lines = 0


def main(program):
    faults, runs, found = [], 0, 0
    for folder in ("examples", "tests/run", "tests/run/bugs"):
        for path in sorted((ROOT / folder).glob("*.ph")):
            for kernel, lines in kernels_of(path):
                for line in range(lines):
                    results = [run(program, path, kernel, line, way) for way in WAYS]
                    runs += 1
                    where = f"{path.relative_to(ROOT)}: {kernel}, run line {line}"
                    faults += [f"{where}: differs with {' '.join(way)}: {result}, not {results[0]}" for way, result in zip(WAYS, results)
                               if result != results[0]]
                    if "fault" in results[0]:
                        faults.append(f"{where}: {results[0]['fault']}")
                        continue
                    said = [d for d in results[0]["diagnostics"] if d["code"].startswith("PH06")]
                    found += bool(said)
                    if folder == "tests/run/bugs" and not said:
                        faults.append(f"{where}: nothing was found")
                    if folder != "tests/run/bugs":
                        said = [d for d in said if d["severity"] == 1 or path.name not in SURPRISING]
                        faults += [f"{where}: {d['code']} {d['message']}" for d in said]
    print("\n".join(faults + [f"{runs} runs, {found} with findings, {len(faults)} faults"]))
    return 1 if faults or not runs else 0


sys.exit(main(sys.argv[1]))
