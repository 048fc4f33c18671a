#!/usr/bin/env python3
"""Maps source lines to PTX and back: lines.py PHOBOS

Of each example: every line with a statement that computes something has instructions in the PTX, every instruction has a line, and
that line is one of the kernel's or of a function's. Of inlined functions the place of the call is told as well. ptxas, where it is
found, assembles the PTX with its line information at full optimisation, to the same number of registers as without."""
import os, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PTXAS = os.environ.get("PTXAS") or shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
LOC = re.compile(r"\s*\.loc\s+(\d+) (\d+) (\d+)(?:, function_name (\S+), inlined_at (\d+) (\d+) (\d+))?$")
# A declaration or an assignment of a constant leaves no instruction of its own, nor does naming a value that is there already: of
# what a function gives, the instructions are the function's.
NO_CODE = re.compile(r"(let|var)?\s*\w+(:\s*[^=]+)?\s*=\s*(-?[\w.]+|-?\d[\d.e+-]*|\w+\(\w+\))$|var \w+: tile<\w+>\[[^=]*$|continue$|break$|return\b\s*-?[\w.]*$|for\b.*range\(0, \d+\).*|}.*else.*")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def statements(path):
    """Line numbers inside of kernels and functions that have code: {line: text}."""
    lines, inside, found = path.read_text().splitlines(), False, {}
    for number, line in enumerate(lines, 1):
        text = line.split("//")[0].strip()
        if re.match(r"(kernel|fn)\b", text):
            inside = text.endswith("{")
        elif not inside and text.endswith("{"):
            inside = True  # the head had more than one line
        elif line.startswith("}"):
            inside = False
        elif inside and text and text not in ("}", "};"):
            found[number] = text
    return found


def check(phobos, path):
    status, ptx, message = run(phobos, "build", path)
    if status:
        return [f"{path}: {message}"], 0
    faults, lines, current, told, instructions = [], {}, None, set(), 0
    source = path.read_text().splitlines()
    body = False
    for text in ptx.splitlines():
        loc = LOC.match(text)
        if text.startswith("{"):
            body = True
        elif text.startswith("}"):
            body = False
        elif loc:
            current = int(loc.group(2))
            told.add(tuple(map(int, loc.group(1, 2, 3))))
            if not 1 <= current <= len(source):
                faults.append(f"{path}: no line of the source: {text.strip()}")
            if loc.group(4) and tuple(map(int, loc.group(5, 6, 7))) not in told:
                faults.append(f"{path}: the call was not told before: {text.strip()}")
            if loc.group(4) and loc.group(4) + ":" not in ptx:
                faults.append(f"{path}: there is no label {loc.group(4)}")
        elif text.strip().startswith(".loc"):
            faults.append(f"{path}: not read: {text.strip()}")
        elif body and re.match(r"\t(@?%?\w+\s+)?[a-z][\w.]*\s.*;$|\tret;$", text):
            instructions += 1
            if current is None:
                faults.append(f"{path}: an instruction before any line: {text.strip()}")
            lines.setdefault(current, []).append(text.strip())
    wanted = statements(path)
    for number, text in wanted.items():
        if number not in lines and not NO_CODE.match(text):
            faults.append(f"{path}:{number}: no instruction comes from it: {text}")
    heads = {n for n, line in enumerate(source, 1) if re.match(r"\s*(kernel|fn)\b", line)}
    for number in lines:
        if number not in wanted and number not in heads and not source[number - 1].strip().startswith(("else", "}")):
            faults.append(f"{path}:{number}: instructions come from a line without a statement: {source[number - 1]}")
    status, shown, _ = run(phobos, "build", "--with-source", path)
    for number in lines:
        if f"// {path}:{number}: {source[number - 1].rstrip()}\n" not in shown:
            faults.append(f"{path}:{number}: --with-source does not show the line")
    if "".join(l for l in shown.splitlines(True) if not l.startswith("\t// " + str(path))) != ptx:
        faults.append(f"{path}: --with-source changes more than comments")
    if PTXAS:
        with tempfile.TemporaryDirectory() as folder:
            said = []
            for name, text in (("with", ptx), ("without", "".join(l for l in ptx.splitlines(True) if not l.startswith("\t.loc")))):
                file = pathlib.Path(folder, name + ".ptx")
                file.write_text(text)
                status, out, message = run(PTXAS, "-arch=sm_90a", "-v", *(["-lineinfo"] if name == "with" else []), file, "-o", f"{folder}/cubin")
                if status:
                    faults.append(f"{path}: ptxas refuses the PTX {name} lines: {message}")
                said.append(re.findall(r"Used \d+ registers|\d+ bytes spill stores", out + message))
            if said[0] != said[1] or not said[0]:
                faults.append(f"{path}: lines change the code: {said}")
    return faults, instructions


def main(phobos, *files):
    phobos = os.path.abspath(phobos)
    os.chdir(ROOT)
    paths = [pathlib.Path(f) for f in files] or sorted(pathlib.Path("examples").glob("*.ph"))
    faults, total = [], 0
    for path in paths:
        found, instructions = check(phobos, path)
        faults += found
        total += instructions
    _, inlined, _ = run(phobos, "build", "tests/run/functions.ph")
    calls = re.findall(r"inlined_at 1 (\d+)", inlined)
    if not {"58", "60"} <= set(calls) or "13" not in calls:  # calls in the kernel, and one within a function
        faults.append(f"tests/run/functions.ph: calls are told at lines {sorted(set(calls))}")
    print("\n".join(faults))
    print(f"{len(paths)} kernels, {total} instructions, {len(faults)} faults")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
