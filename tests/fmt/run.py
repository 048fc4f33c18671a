#!/usr/bin/env python3
"""run.py PHOBOS: what `phobos fmt` makes of the texts in this folder, how it treats files, and that the tree's own kernels are
formatted.

NAME.ph is a text, NAME.expected what comes out. PHOBOS_UPDATE=1 rewrites the latter; look at the difference before you keep it.
"""
import json, os, pathlib, re, stat, subprocess, sys, tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FENCE = re.compile(rb"^```phobos[^\n]*\n(.*?)^```", re.M | re.S)
faults, passed = [], 0


def check(name, good, why=""):
    global passed
    passed += bool(good)
    if not good:
        faults.append(f"{name}: {why}")


def fmt(*words, stdin=None):
    return subprocess.run([PROGRAM, "fmt", *map(str, words)], input=stdin, capture_output=True, timeout=60)


def goldens():
    for source in sorted(HERE.glob("*.ph")):
        expected = source.with_suffix(".expected")
        done = fmt("-", stdin=source.read_bytes())
        if os.environ.get("PHOBOS_UPDATE") == "1":
            expected.write_bytes(done.stdout)
        check(source.name, done.returncode == 0, f"exit {done.returncode}: {done.stderr.decode()}")
        check(source.name, done.stdout == expected.read_bytes(), f"not as {expected.name}:\n{done.stdout.decode(errors='replace')}")
        check(source.name, fmt("-", stdin=done.stdout).stdout == done.stdout, "formatting it again changes it")


def files():
    with tempfile.TemporaryDirectory(prefix="phobos-fmt-") as name:
        folder = pathlib.Path(name)
        rough, good = folder / "rough.ph", folder / "good.ph"
        link = folder / "link.ph"
        text = "kernel k( ) {\n  foo( ) // \U0001f600\n  // \U0001f600\n}\n"
        shaped = "kernel k() {\n  foo()  // \U0001f600\n  // \U0001f600\n}\n"
        rough.write_text(text)
        good.write_text(shaped)
        link.symlink_to("rough.ph")
        rough.chmod(0o640)
        before = good.stat()

        done = fmt("--check", rough, good)
        check("--check", done.returncode == 1 and b"rough.ph" in done.stdout and b"good.ph" not in done.stdout, done.stdout)
        check("--check shows lines", b"-kernel k( ) {\n" in done.stdout and b"+kernel k() {\n" in done.stdout, done.stdout)
        check("--check writes nothing", rough.read_text() == text)
        check("--check -q", fmt("--check", "-q", rough).stdout == f"{rough}\n".encode())
        check("--check, formatted", fmt("--check", good).returncode == 0 and fmt("--check", good).stdout == b"")
        check("--check, standard input", fmt("--check", "-", stdin=text.encode()).returncode == 1)

        document = json.loads(fmt("--check", "--json", rough, good).stdout)["files"]
        check("--json", [(f["file"], f["changed"]) for f in document] == [(str(rough), True), (str(good), False)], document)
        check("--json, edits", document[0]["edits"][0] == {
            "range": {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 10}}, "newText": ""}, document[0])

        done = fmt(link, good)
        check("in place", done.returncode == 0 and rough.read_text() == shaped, rough.read_text())
        check("mode", stat.S_IMODE(rough.stat().st_mode) == 0o640)
        check("a link stays one", link.is_symlink())
        after = good.stat()
        check("what is formatted is not written", (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns))
        check("nothing is left behind", sorted(p.name for p in folder.iterdir()) == ["good.ph", "link.ph", "rough.ph"])
        check("no such file", fmt(folder / "none.ph").returncode == 2)
        check("a folder", fmt(folder).returncode == 2)


def tree():
    kernels = sorted(p for name in ("examples", "tests/run", "tests/ptx") for p in (ROOT / name).glob("*.ph"))
    done = fmt("--check", *kernels)
    check("the tree's kernels", kernels and done.returncode == 0, f"not formatted:\n{done.stdout.decode()}")
    count = 0
    for page in sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name != "source-text.md"):  # which shows other line ends
        for found in FENCE.finditer(page.read_bytes()):
            count += 1
            done = fmt("--check", "-", stdin=found.group(1))
            line = page.read_bytes()[:found.start()].count(b"\n") + 1
            check(page.relative_to(ROOT), done.returncode == 0, f"line {line} is not formatted:\n{done.stdout.decode()}")
    check("kernels of pages", count > 0, "none found")


goldens()
files()
tree()
print("\n".join(faults + [f"{passed} passed, {len(faults)} failed"]))
sys.exit(1 if faults else 0)
