#!/usr/bin/env python3
"""Random programs for every chip, assembled by ptxas: programs.py PHOBOS PROGRAMS [COUNT [SEED]]

PROGRAMS is the tool of tests/fuzz/programs.cpp. Without ptxas there is nothing to hold the PTX against: the test is skipped."""
import concurrent.futures, os, pathlib, subprocess, sys, tempfile

from run import CHIPS, PTXAS, compile_kernel


def main(phobos, programs, count="14", seed="7000"):
    if not PTXAS:
        print("skipped: there is no ptxas (of the CUDA toolkit) to assemble the PTX")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([programs, seed, count, "--emit", folder], capture_output=True, text=True, timeout=300)
        if made.returncode:
            print(made.stdout + made.stderr)
            return 1
        jobs = [(path, chip) for path in sorted(pathlib.Path(folder).glob("*.ph")) for chip in CHIPS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda job: compile_kernel(phobos, job[0], "k", job[1])[1], jobs))
    faults = [fault for found in results for fault in found]
    print("\n".join(faults))
    print(f"{len(jobs)} compilations for {', '.join(CHIPS)}, assembled by {PTXAS}, {len(faults)} faults")
    return 1 if faults or not jobs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
