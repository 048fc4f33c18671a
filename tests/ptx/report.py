#!/usr/bin/env python3
"""The report of every example, for two chips: report.py PHOBOS

Its form, that each decision lies in the source where it says, and what ptxas counted where it is found. Without ptxas on the path the
report has to say so."""
import json, os, pathlib, re, subprocess, sys

from run import PTXAS, ROOT

KINDS = {"contraction", "copy", "exchange", "fold", "loop", "grid", "chip"}
FIELDS = {"file", "kernel", "chip", "threads", "constants", "chosen_by", "resources", "resources_missing", "shared_bytes", "dynamic_shared_bytes", "occupancy", "bulk", "decisions"}
OPERATIONS = {"contraction": r"dot|qmma", "copy": r"\w\[|:\+|:\s*\]|=|elem|store", "loop": r"for|while"}


def text_of(source, span):
    lines = source.splitlines()
    begin, end = span["start"], span["end"]
    if begin["line"] == end["line"]:
        return lines[begin["line"]][begin["character"]:end["character"]]
    return "\n".join([lines[begin["line"]][begin["character"]:], *lines[begin["line"] + 1:end["line"]], lines[end["line"]][:end["character"]]])


def check(phobos, path, chip, env, has_ptxas):
    done = subprocess.run([phobos, "build", "--emit", "report", "--json", "--chip", chip, path], capture_output=True, text=True, timeout=120, env=env)
    where = f"{path} for {chip}"
    if done.returncode:
        return [f"{where}: {done.stderr}"], {}
    report, faults = json.loads(done.stdout), []
    if set(report) != FIELDS:
        faults.append(f"{where}: fields {set(report) ^ FIELDS}")
    if has_ptxas != bool(report["resources"]) or has_ptxas == bool(report["resources_missing"]):
        faults.append(f"{where}: resources {report['resources']}, {report['resources_missing']!r}")
    if has_ptxas and not 8 <= report["resources"]["registers"] <= 255:
        faults.append(f"{where}: {report['resources']}")
    occupancy = report["occupancy"]
    if not 0 < occupancy["share"] <= 1 or occupancy["warps"] != occupancy["ctas"] * report["threads"] // 32 or occupancy["limit"] not in (
            "threads", "ctas", "registers", "shared") or occupancy["registers_known"] != has_ptxas:
        faults.append(f"{where}: {occupancy}")
    if bulk := report["bulk"]:
        if set(bulk) != {"entry", "threads", "dynamic_shared_bytes", "resources"} or has_ptxas != bool(bulk["resources"]) or bulk["threads"] <= report["threads"]:
            faults.append(f"{where}: {bulk}")
        if has_ptxas and (bulk["resources"]["spill_store_bytes"] or bulk["resources"]["stack_bytes"]):
            faults.append(f"{where}: the entry for bulk copies spills: {bulk}")
    source = path.read_text()
    for decision in report["decisions"]:
        what = f"{where}: {decision}"
        if decision["kind"] not in KINDS or not decision["what"] or not decision["path"] or decision["fast"] != (not decision["reason"]) :
            faults.append(what)
        if decision["range"] is None:
            if decision["kind"] not in ("grid", "chip"):
                faults.append(what)
        elif not re.search(OPERATIONS.get(decision["kind"], ""), text_of(source, decision["range"])):
            faults.append(f"{what}: {text_of(source, decision['range'])!r}")
    return faults, report


# Of a loop over contractions of i8 by what: whether it is pipelined, and why not.
LOOPS = [
    ("@launch(128)", "i8", "pipelined, 4 stages: "),
    ("@launch(128)", "u8", "not pipelined: A[64, 64] of i8: it is made i32 before it is multiplied, so it goes through registers"),
    ("@launch(128)", "if", "not pipelined: its contractions stand under an `if`"),
    ("@launch(128, 16)", "i8", "bytes of shared memory, and 0 are left to each of 16 CTAs on a multiprocessor"),
]


def main(phobos):
    phobos = os.path.abspath(phobos)
    os.chdir(ROOT)
    faults, count = [], 0
    bare = {"PATH": "/nonexistent", "PHOBOS_PTXAS": "none"}
    tools = {**os.environ, **({"PATH": os.path.dirname(PTXAS) + ":" + os.environ["PATH"]} if PTXAS else {})}
    for path in sorted(pathlib.Path("examples").glob("*.ph")):
        for chip in ("sm_75", "sm_90a"):
            found, report = check(phobos, path, chip, tools, bool(PTXAS))
            faults += found
            count += 1
            kinds = {decision["kind"] for decision in report.get("decisions", [])}
            text = path.read_text()
            if ("dot" in re.sub(r"//.*", "", text)) != ("contraction" in kinds) or (":+" in re.sub(r"//.*", "", text)) != ("copy" in kinds):
                faults.append(f"{path} for {chip}: only {kinds}")
        faults += check(phobos, path, "sm_80", bare, False)[0]
    old = check(phobos, pathlib.Path("examples/atomic.ph"), "sm_75", tools, bool(PTXAS))[1]
    new = check(phobos, pathlib.Path("examples/atomic.ph"), "sm_80", tools, bool(PTXAS))[1]
    folds = [[d["path"] for d in r["decisions"] if d["kind"] == "fold"] for r in (old, new)]
    if folds != [["five shuffles"], ["redux.sync"]]:
        faults.append(f"examples/atomic.ph: folds are {folds}")
    for head, b, wanted in LOOPS:
        added = "sum += dot_t(A[0 :+ 64, k :+ 64], B[0 :+ 64, k :+ 64])"
        if b == "if":
            b, added = "i8", f"if k > 64 {{ {added} }}"
        source = f"""{head}
kernel k(A: tensor<i8>[M, K], B: tensor<{b}>[N, K], C: tensor<i32>[M, N]) {{
  var sum: tile<i32>[64, 64] = 0
  for k in range(0, K, 64) {{
    {added}
  }}
  C[0 :+ 64, 0 :+ 64] = sum
}}
"""
        run = subprocess.run([phobos, "build", "--emit", "report", "--json", "-"], input=source, capture_output=True, text=True, env=bare)
        loops = [f"{d['path']}: {d['reason']}" for d in json.loads(run.stdout)["decisions"] if d["kind"] == "loop" and "bulk copies" not in d["path"]]
        if len(loops) != 1 or wanted not in loops[0]:
            faults.append(f"{head}, {b}: the loop is {loops}, not {wanted!r}")
    text = subprocess.run([phobos, "build", "--emit", "report", "examples/gemm.ph"], capture_output=True, text=True, env=bare).stdout
    for wanted in ("gemm for sm_90a\n", "not known: ptxas, of the CUDA toolkit, is not installed", "CTAs a multiprocessor", "examples/gemm.ph:17:"):
        if wanted not in text:
            faults.append(f"the text does not say {wanted!r}: {text}")
    print("\n".join(faults))
    print(f"{count} reports, {'with' if PTXAS else 'without'} ptxas, {len(faults)} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
