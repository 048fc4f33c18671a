#!/usr/bin/env python3
"""Checks the table of diagnostics: codes and names are there once (retired codes, kept as comments, are not used again), stand in
order, and messages are worded one way: lower case, no full stop. Where docs/diagnostics has pages, each code has one and no other."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "core/diag/include/phobos/diag/diagnostics.def"
ROW = re.compile(r'^PHOBOS_DIAG\("(PH\d{4})", (\w+), (Error|Warning|Information|Hint), "((?:[^"\\]|\\.)*)"\)$')


def main():
    faults, codes, names = [], [], []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        row = ROW.match(line)
        if not row:
            if "PHOBOS_DIAG" in line and not line.startswith("//"):
                faults.append(f"line {number}: not one row on one line: {line}")
            retired = re.match(r"//\s*(PH\d{4})\b", line)
            codes += [retired.group(1)] if retired else []
            continue
        code, name, _, message = row.groups()
        faults += [f"line {number}: {code} is used twice"] if code in codes else []
        faults += [f"line {number}: {name} is used twice"] if name in names else []
        faults += [f"line {number}: {code} comes after {codes[-1]}"] if codes and code < codes[-1] else []
        # A message that starts with a name in backticks or a placeholder starts as that does.
        if not message or message[0].isupper() or message.endswith("."):
            faults.append(f"line {number}: {code}: a message is lower case, without a full stop: {message}")
        codes.append(code)
        names.append(name)
    pages = {p.stem for p in (ROOT / "docs/diagnostics").glob("PH*.md")}
    if pages:
        faults += [f"docs/diagnostics/{code}.md is missing" for code in codes if code not in pages]
        faults += [f"docs/diagnostics/{page}.md is of no code" for page in sorted(pages - set(codes))]
    print("\n".join(faults + [f"{len(names)} codes, {len(faults)} faults"]))
    return 1 if faults or not names else 0


sys.exit(main())
