#!/usr/bin/env python3
"""Compiles every kernel of examples, tests/run and tests/ptx to PTX for each chip, and has ptxas assemble it where it is found:
run.py PHOBOS [FILE ...]

`//. PTX: text` in a file: the PTX of one of its kernels contains that; `//. PTX-NOT: text`: none does. `ptxas` is the one that
PTXAS names, else the one on the path or of the toolkit."""
import concurrent.futures, os, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHIPS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100"]
PTXAS = os.environ.get("PTXAS") or shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.strip()


def shifts_in_a_row(ptx):
    shifted, found = {}, []
    for line in ptx.splitlines():
        if re.search(r"\.(entry|func)\b", line):
            shifted = {}  # registers are a function's own
        if made := re.match(r"\s*shl\.b64\s+(%rd\d+), (%rd\d+), \d+;", line):
            if made.group(2) in shifted:
                found.append((shifted[made.group(2)], line.strip()))
            shifted[made.group(1)] = line.strip()
    return found


def slow_notes(log):
    """ptxas's C75xx: it waits behind each wgmma, or ignores setmaxnreg. C7519, a fence that it adds, does no harm."""
    return [line.strip() for line in log.splitlines() if re.search(r"\bC75(?!19)\d\d\b", line)]


def compile_kernel(phobos, path, kernel, chip):
    """(the PTX, faults)"""
    where = f"{path}: {kernel} for {chip}"
    status, ptx, message = run(phobos, "build", path, "--kernel", kernel, "--chip", chip)
    if status != 0:
        return "", [f"{where}: exit status {status}: {message}"]
    faults = []
    if not re.search(r"\.entry\s+\w+", ptx) or not re.search(rf"^\.target {chip}\b", ptx, re.M):
        faults.append(f"{where}: this is no PTX of that chip: {ptx[:200]!r}")
    for first, second in shifts_in_a_row(ptx):
        faults.append(f"{where}: an index is scaled twice, which ptxas may get wrong (core/nvptx/addresses.h): {first}, then {second}")
    if PTXAS:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "kernel.ptx")
            file.write_text(ptx)
            status, said, message = run(PTXAS, f"-arch={chip}", "-v", file, "-o", f"{folder}/kernel.cubin")
        if status != 0:
            faults.append(f"{where}: ptxas refuses it: {message}")
        faults += [f"{where}: ptxas gives up on the order of wgmma or on registers: {note}" for note in slow_notes(said + message)]
    return ptx, faults


def marks(path):
    wanted, unwanted, faults = [], [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark = re.match(r"\s*//\.\s*(\S*)\s*(.*)", line)
        if mark and mark.group(1) == "PTX:":
            wanted.append(mark.group(2))
        elif mark and mark.group(1) == "PTX-NOT:":
            unwanted.append(mark.group(2))
        elif mark:
            faults.append(f"{path}:{number}: not a mark: {line.strip()}")
    return wanted, unwanted, faults


def main(phobos, *files):
    os.chdir(ROOT)
    paths = [pathlib.Path(f) for f in files] or sorted(p for folder in ("examples", "tests/run", "tests/ptx")
                                                        for p in pathlib.Path(folder).glob("*.ph"))
    jobs = [(path, kernel, chip) for path in paths for kernel in re.findall(r"^\s*kernel\s+(\w+)", path.read_text(), re.M)
            for chip in CHIPS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compile_kernel(phobos, *job), jobs))
    faults = [fault for _, found in results for fault in found]
    if slow_notes("ptxas info : (C7510) Potential Performance Loss\nptxas info : (C7519) fence") != ["ptxas info : (C7510) Potential Performance Loss"]:
        faults.append("this script does not see ptxas's notes")
    for path in paths:
        texts = [ptx for (p, _, _), (ptx, _) in zip(jobs, results) if p == path]
        wanted, unwanted, bad = marks(path)
        faults += bad
        faults += [f"{path}: no PTX contains {text!r}" for text in wanted if not any(text in ptx for ptx in texts)]
        faults += [f"{path}: PTX contains {text!r}" for text in unwanted if any(text in ptx for ptx in texts)]
    print("\n".join(faults))
    print(f"{len(jobs)} compilations, {'assembled by ' + PTXAS if PTXAS else 'not assembled: there is no ptxas'}, {len(faults)} faults")
    return 1 if faults or not jobs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
