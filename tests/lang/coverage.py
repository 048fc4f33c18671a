#!/usr/bin/env python3
"""Every built-in of the table has a file in tests/lang/builtins that calls it where nothing is refused, and every attribute has a
file in tests/lang/attributes; no file there is of anything else. Prints a line for each fault; exit status 1 if there are any."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILTINS = re.findall(r'^PHOBOS_BUILTIN\(\w+, "(\w+)"', (ROOT / "core/builtins/include/phobos/builtins/builtins.def").read_text(), re.M)
ATTRIBUTES = sorted(set(re.findall(r'"@(\w+)', (ROOT / "core/ide/attributes.cpp").read_text())))


def accepted(text, form):
    """A line with `form` on it that no mark of an error speaks of."""
    code = (line.split("//")[0] for line in text.splitlines() if "//! error" not in line)
    return any(re.search(form, line) for line in code)


def faults_in(folder, names, form):
    files = {path.stem: path.read_text() for path in sorted((ROOT / "tests/lang" / folder).glob("*.ph"))}
    faults = [f"tests/lang/{folder}/{name}.ph is missing" for name in names if name not in files]
    faults += [f"tests/lang/{folder}/{name}.ph never has `{name}` accepted" for name in names
               if name in files and not accepted(files[name], form.format(name))]
    faults += [f"tests/lang/{folder}/{name}.ph never has `{name}` refused" for name in names
               if name in files and "//! error" not in files[name]]
    return faults + [f"tests/lang/{folder}/{name}.ph is of nothing that the language has" for name in files if name not in [*names, "unknown"]]


def main():
    faults = faults_in("builtins", BUILTINS, r"\b{}\s*(<[^>]*>)?\(") + faults_in("attributes", ATTRIBUTES, r"^@{}\b")
    print("\n".join([*faults, f"{len(BUILTINS)} built-ins, {len(ATTRIBUTES)} attributes, {len(faults)} faults"]))
    return 1 if faults or not BUILTINS or not ATTRIBUTES else 0


sys.exit(main())
