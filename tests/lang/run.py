#!/usr/bin/env python3
"""Runs the marked kernels against a `phobos` program:  run.py PHOBOS [FILE or FOLDER ...]

Marks stand at the end of a line and speak of it:
  //! error: text     a diagnostic of that severity (error, warning, information, hint) starts here and its message contains the
                      text; several marks: several diagnostics. Errors and warnings that no mark names fail the file.
  //? name: kind      the value of that name declared here has that kind
  //~ related: text   a related location of some error of the file starts here and its message contains the text
  //~ reason: text    a step of the reason of a value that the file marks with `//?` starts here and says the text
  //~ fix: text       a diagnostic that starts here offers a fix whose title contains the text
  //~ no fix          none of the diagnostics that start here offers one
A mark may name the code as well: `//! error PH0203: text`.
Marks that nothing meets fail. Every fix that is offered is tried: applied to the text, its diagnostic is gone and there is no
error that was not there before. A run over all files also holds the table of diagnostics against them: each code is met by a mark or,
where no marked file can have it (a file that is not text, a fault that only a run finds), named by a test elsewhere in tests/, as
`PH0601` or as `Code::OutOfBounds`, or said by an `expect-error` or `expect-warning` of a run line in tests/: three words of its message
or more. Prints a line for each fault, then `N passed, M failed`; exit status 1 if any failed.
"""
import collections, json, pathlib, re, subprocess, sys, tempfile

SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
MARK = re.compile(r"//(!|\?|~) *([\w -]+?)(?: +(PH\d{4}))?(?: *: *(.*?))? *(?=//[!?~]|$)")
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "core/diag/include/phobos/diag/diagnostics.def"
KINDS = {"uniform", "warp-uniform", "varying"}


class Failure(Exception):
    pass


def ask(program, command, path):
    done = subprocess.run([program, command, "--json", str(path)], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise Failure(f"`{command}` ended with {done.returncode}: {done.stderr.strip()[:300]}")
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Failure(f"`{command}` printed no JSON: {(done.stderr or done.stdout).strip()[:300]}")


def line_of(thing):
    return thing["range"]["start"]["line"]


def severity_of(diagnostic):
    return SEVERITIES[diagnostic.get("severity", 1)]


def fixes_of(diagnostic):
    return (diagnostic.get("data") or {}).get("fixes") or []


def marks_in(lines):
    """{sign: [(line, word, text)]}, with the code behind them for `!`, and faults for marks that say nothing known."""
    marks, faults = {"!": [], "?": [], "~": []}, []
    for number, line in enumerate(lines):
        for found in MARK.finditer(line):
            sign, word, code, text = found.groups()
            known = {"!": word in SEVERITIES.values() and text, "?": text in KINDS,
                     "~": (word in ("related", "reason", "fix") and text) or word == "no fix"}[sign]
            if known:
                marks[sign].append((number, word, text, code) if sign == "!" else (number, word, text))
            else:
                faults.append(f"line {number + 1}: no such mark: {found.group(0).strip()}")
    return marks, faults


def check_diagnostics(marks, diagnostics, met=None):
    unmarked, faults = list(diagnostics), []
    for number, severity, text, code in marks["!"]:
        hits = [d for d in unmarked if line_of(d) == number and severity_of(d) == severity and text in d["message"]
                and code in (None, d["code"])]
        if hits:
            unmarked.remove(hits[0])
            if met is not None:
                met.add(hits[0]["code"])
        else:
            there = [f"{severity_of(d)}: {d['message']}" for d in diagnostics if line_of(d) == number]
            faults.append(f"line {number + 1}: no {severity} {code or ''} says {text!r}; there {there or 'is nothing'}")
    for d in unmarked:
        if severity_of(d) in ("error", "warning"):
            faults.append(f"line {line_of(d) + 1}: unmarked {severity_of(d)}: {d['message']}")
    return faults


def check_notes(marks, diagnostics, values):
    related = [(line_of(r["location"]), r["message"]) for d in diagnostics for r in d.get("relatedInformation") or []]
    marked = {(number, name) for number, name, _ in marks["?"]}
    reasons = [(line_of(step), step["message"]) for v in values if (line_of(v), v["name"]) in marked for step in v.get("reason") or []]
    faults = []
    for number, word, text in marks["~"]:
        here = [d for d in diagnostics if line_of(d) == number]
        titles = [f["title"] for d in here for f in fixes_of(d)]
        if word == "no fix":
            faults += [f"line {number + 1}: a fix is offered: {title}" for title in titles]
        elif word == "fix":
            faults += [] if any(text in title for title in titles) else [f"line {number + 1}: no fix {text!r}, but {titles}"]
        else:
            steps = related if word == "related" else reasons
            if not any(line == number and text in message for line, message in steps):
                said = [message for line, message in steps if line == number]
                faults.append(f"line {number + 1}: nothing {word} says {text!r}, but {said}")
    return faults


def check_kinds(marks, values):
    kinds = {(line_of(v), v["name"]): v["kind"] for v in values if v["what"] not in ("expr", "control")}
    return [f"line {number + 1}: {name} is {kinds.get((number, name), 'not listed')}, not {kind}"
            for number, name, kind in marks["?"] if kinds.get((number, name)) != kind]


def edited(text, edits):
    """The text after a fix; columns count UTF-16 code units."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(position):
        units = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]]
        return starts[position["line"]] + len(units.decode("utf-16-le"))

    places = sorted(((offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits), reverse=True)
    for (begin, end, new), later in zip(places, [None, *places]):
        if later and end > later[0]:
            raise Failure(f"a fix whose edits overlap: {edits}")
        text = text[:begin] + new + text[end:]
    return text


def errors_in(diagnostics, key="message"):
    """How often each error is there, by what it says or by its code."""
    return collections.Counter(d[key] for d in diagnostics if severity_of(d) == "error")


def check_fixes(program, text, diagnostics):
    before, faults = errors_in(diagnostics), []
    codes = errors_in(diagnostics, "code")  # words may show what is edited
    for d in diagnostics:
        for fix in fixes_of(d):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "fixed.ph"
                path.write_bytes(edited(text, fix["edits"]).encode())
                found = ask(program, "check", path)["diagnostics"]
            after = errors_in(found)
            left = codes - collections.Counter({d["code"]: 1} if severity_of(d) == "error" else {})
            new = errors_in(found, "code") - left
            where = f"line {line_of(d) + 1}: after the fix {fix['title']!r}"
            if severity_of(d) == "error" and after.get(d["message"], 0) >= before[d["message"]]:
                faults.append(f"{where} it still says: {d['message']}")
            faults += [f"{where} it also says: {e['message']}" for e in found if e["code"] in new and after[e["message"]] > before[e["message"]]]
            faults += [f"{where} there is one more {code}" for code in new if not any(e["code"] == code and after[e["message"]] > before[e["message"]] for e in found)]
    return faults


def unmet_codes(met):
    """The codes of the table that no mark met, that no other test names and no run line says."""
    rows = re.findall(r'^PHOBOS_DIAG\("(PH\d{4})", (\w+), \w+, "(.*)"\)$', TABLE.read_text(), re.M)
    folders = [folder for folder in sorted((ROOT / "tests").iterdir()) if folder.name not in ("lang", "docs", "fuzz")]
    tests = [p for folder in folders for suffix in ("cpp", "py", "mjs", "sh", "ph") for p in folder.rglob(f"*.{suffix}")]
    text = "\n".join(p.read_text(errors="replace") for p in tests)
    run_lines = "\n".join(re.findall(r'^//# run .*expect-(?:error|warning) "(.*?)"', text, re.M))

    def said(message):
        parts = [part.strip(" (:") for part in re.split(r"\{\}", message)]
        return any(len(part.split()) >= 3 and part in run_lines for part in parts)

    return [f"{code} ({name}): no test expects it" for code, name, message in rows
            if code not in met and not re.search(rf"\b{code}\b|\bCode::{name}\b", text) and not said(message)]


def check_file(program, path, met=None):
    text = path.read_bytes().decode()
    marks, faults = marks_in(text.splitlines())
    if not any(marks.values()):
        faults.append("the file has no marks")
    diagnostics = ask(program, "check", path)["diagnostics"]
    wants_kinds = marks["?"] or any(word == "reason" for _, word, _ in marks["~"])
    values = ask(program, "kinds", path)["values"] if wants_kinds else []
    return (faults + check_diagnostics(marks, diagnostics, met) + check_notes(marks, diagnostics, values) + check_kinds(marks, values)
            + check_fixes(program, text, diagnostics))


def main(program, *places):
    here = pathlib.Path(__file__).parent
    paths = [p for place in places or [here] for p in ([pathlib.Path(place)] if str(place).endswith(".ph")
                                                       else sorted(pathlib.Path(place).rglob("*.ph")))]
    failed, met = 0, set()
    for path in paths:
        try:
            faults = check_file(program, path, met)
        except Failure as failure:
            faults = [str(failure)]
        except subprocess.TimeoutExpired:
            faults = ["no answer in 120 s"]
        failed += bool(faults)
        for fault in faults:
            print(f"{path.name}: {fault}")
    unmet = unmet_codes(met) if not places else []
    print("".join(f"{fault}\n" for fault in unmet), end="")
    failed += bool(unmet)
    print(f"{len(paths) + (not places) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
