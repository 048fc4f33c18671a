#!/usr/bin/env python3
"""Tries the examples in the pages against a `phobos` program:  examples.py PHOBOS [--update] [PAGE or FOLDER ...]

What is tried, in docs/diagnostics and docs/language unless pages are named:
  ```phobos [NAME.ph]   a file. Its marks are those of tests/lang (`//! error: text` and the like), and unmarked errors fail. Its run
                        lines are run on the simulator, or on the emulator where they say so: those that expect something, else
                        the first of them.
  ```phobos-fragment    statements, or items, that are not a whole file: they parse.
  ```sh                 commands for what cannot be written into a page, with `phobos` in the path.
  ```text               where its first line starts with `$ phobos`: what that command prints about the file above it, told apart
                        from standard error by nothing. Times are not compared. `--update` writes what is printed into the page.
A page of docs/diagnostics shows first what gives its code, and then the repair, which gives no error. `data` beside a page holds the
files that its run lines name. Prints a line for each fault, then `N examples, M faults`; exit status 1 if there are faults.
"""
import importlib.util, json, os, pathlib, re, shlex, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Faults of the program itself: nothing that could be written into a page is known to give them.
WITHOUT_EXAMPLE = {"PH0603", "PH0610", "PH0701"}
TABLE = (ROOT / "core/diag/include/phobos/diag/diagnostics.def").read_text()
CODES = set(re.findall(r'^PHOBOS_DIAG\("(PH\d{4})"', TABLE, re.M))
WRAPPER = "kernel wrapper(A: tensor<f32>[M, N], O: tensor<f32>[M, N]) {{\n{}\n}}\n"

spec = importlib.util.spec_from_file_location("lang", ROOT / "tests/lang/run.py")
lang = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lang)


class Block:
    def __init__(self, info, line, text):
        words = info.split()
        self.language, self.name = words[0] if words else "", words[1] if len(words) > 1 else "example.ph"
        self.line, self.text = line, text


def blocks_of(page):
    """The fenced blocks; a fence may be indented, as in a list."""
    blocks, open_fence = [], None
    for number, line in enumerate(page.splitlines(), 1):
        fence = re.match(r"( *)(```+)(.*)$", line)
        if fence and open_fence is None:
            open_fence, lines = (fence.group(1), fence.group(2), fence.group(3).strip(), number), []
        elif fence and fence.group(2) == open_fence[1] and not fence.group(3):
            blocks.append(Block(open_fence[2], open_fence[3], "".join(line + "\n" for line in lines)))
            open_fence = None
        elif open_fence is not None:
            lines.append(line.removeprefix(open_fence[0]))
    return blocks


def run_lines_of(text):
    return [line for line in text.splitlines() if line.strip().startswith("//# run")]


def kernels_with_run_lines(text):
    """The kernel that each run line speaks of, in order and once."""
    names = re.findall(r"^\s*//# run.*\n(?:(?!\s*//# run)[^\n]*\n)*?\s*kernel\s+(\w+)", text, re.M)
    return list(dict.fromkeys(names))


class Page:
    def __init__(self, program, path):
        self.program, self.path, self.text = program, path, path.read_text()
        self.blocks = blocks_of(self.text)
        self.code = path.stem if path.parent.name == "diagnostics" and re.fullmatch(r"PH\d{4}", path.stem) else None
        self.faults, self.printed = [], {}

    def check(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            if (self.path.parent / "data").exists():
                (self.folder / "data").symlink_to(self.path.parent / "data")
            given = [self.check_block(block) for block in self.blocks]
        if self.code:
            self.check_form([codes for codes in given if codes is not None])

    def check_block(self, block):
        """The codes of what it gives; None for what is no example."""
        if block.language == "phobos":
            return self.check_file(block)
        if block.language == "phobos-fragment":
            return self.check_fragment(block)
        if block.language == "sh":
            done = self.call(["sh", "-c", block.text])
            return set(re.findall(r"\[(PH\d{4})\]", done))
        if block.language == "text" and block.text.startswith("$ phobos"):
            self.check_output(block)
        return None

    def check_file(self, block):
        path = self.folder / block.name
        path.write_text(block.text)
        diagnostics = lang.ask(self.program, "check", path)["diagnostics"]
        marks, faults = lang.marks_in(block.text.splitlines())
        values = lang.ask(self.program, "kinds", path)["values"] if marks["?"] or marks["~"] else []
        faults += lang.check_diagnostics(marks, diagnostics) + lang.check_notes(marks, diagnostics, values)
        faults += lang.check_kinds(marks, values) + lang.check_fixes(self.program, block.text, diagnostics)
        codes = {d["code"] for d in diagnostics}
        if run_lines_of(block.text) and not any(lang.severity_of(d) == "error" for d in diagnostics):
            codes |= self.run(block, path, faults)
        for fault in faults:
            line = re.match(r"line (\d+): (.*)", fault, re.S)
            self.fault(block.line + int(line.group(1)) if line else block.line, line.group(2) if line else fault)
        return codes

    def run(self, block, path, faults):
        device = "emulate" if "--device emulate" in block.text else "sim"
        tests = self.json(["test", "--device", device, "--json", str(path)])["tests"]
        faults += [f"line {t['line']}: {t['status']}: {t['message']}" for t in tests if t["status"] != "ok"]
        codes = set()
        for kernel in kernels_with_run_lines(block.text):
            run = self.json(["run", "--device", device, "--json", str(path), "--kernel", kernel])
            codes |= {d["code"] for d in run["diagnostics"]}
            if run["status"] != "ok":
                said = [run["message"]] + [d["message"] for d in run["diagnostics"]]
                faults.append(f"`{kernel}` does not run: {' '.join(said).strip()}")
        return codes

    def check_fragment(self, block):
        path = self.folder / "fragment.ph"
        whole = re.search(r"^\s*(kernel|fn)\b", block.text, re.M)
        path.write_text(block.text if whole else WRAPPER.format(block.text))
        for d in lang.ask(self.program, "check", path)["diagnostics"]:
            if d["code"].startswith("PH00"):
                self.fault(block.line + lang.line_of(d) + (1 if whole else 0), f"the fragment does not parse: {d['message']}")

    def check_output(self, block):
        command, _, shown = block.text.partition("\n")
        words = shlex.split(command[2:])
        if words[1] in ("run", "test"):
            words[2:2] = ["--device", "sim"]
        printed = self.call(words)
        if self.without_times(printed).rstrip() != self.without_times(shown).rstrip():
            self.printed[block.line] = f"{command}\n{printed.rstrip()}\n"
            self.fault(block.line, f"`{command[2:]}` prints something else (`--update` writes it here):\n{printed.rstrip()}")

    def check_form(self, given):
        title = self.text.splitlines()[0]
        if not re.fullmatch(rf"# {self.code}: \S.*[^.]", title):
            self.fault(1, f"the title is `# {self.code}: what it is`, not `{title}`")
        if self.code in WITHOUT_EXAMPLE or self.code not in CODES:  # not there: retired
            return
        if not given or self.code not in given[0]:
            self.fault(1, f"the first example does not give {self.code}, but {sorted(given[0]) if given else 'there is none'}")
        if len(given) < 2:
            self.fault(1, "there is no second example, with the repair")
        if any(self.code in codes for codes in given[1:]):
            self.fault(1, f"the repair still gives {self.code}")
        repairs = [block for block in self.blocks if block.language == "phobos"][-1:]
        if len(given) > 1 and any("//! error" in block.text for block in repairs):
            self.fault(1, "the last example, the repair, has an error")

    @staticmethod
    def without_times(text):
        return re.sub(r", [\d.e+-]+ ms", ", … ms", text)

    def call(self, words):
        path = os.pathsep.join([str(self.program.parent), os.environ.get("PATH", "")])
        done = subprocess.run(words, cwd=self.folder, env={**os.environ, "PATH": path, "NO_COLOR": "1"}, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode not in (0, 1):
            raise lang.Failure(f"`{' '.join(words)}` ended with {done.returncode}: {done.stdout.strip()[:300]}")
        return done.stdout

    def json(self, words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=120)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise lang.Failure(f"`phobos {words[0]}` ended with {done.returncode}: {(done.stderr or done.stdout).strip()[:300]}")

    def fault(self, line, text):
        self.faults.append(f"{self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path}:{line}: {text}")

    def update(self):
        lines = self.text.splitlines(keepends=True)
        for line in sorted(self.printed, reverse=True):
            end = next(i for i in range(line, len(lines)) if lines[i].startswith("```"))
            lines[line:end] = [self.printed[line]]
        self.path.write_text("".join(lines))


def main(program, *words):
    program = pathlib.Path(program).resolve()
    if program.name != "phobos":
        sys.exit("the program has to be called `phobos`: pages call it so")
    places = [pathlib.Path(w).resolve() for w in words if w != "--update"] or [ROOT / "docs/diagnostics", ROOT / "docs/language"]
    paths = [p for place in places for p in ([place] if place.suffix == ".md" else sorted(place.rglob("*.md")))]
    examples, faults = 0, []
    for path in paths:
        page = Page(program, path)
        try:
            page.check()
        except (lang.Failure, subprocess.TimeoutExpired) as failure:
            page.fault(1, str(failure))
        if "--update" in words and page.printed:
            page.update()
        examples += sum(block.language.startswith("phobos") for block in page.blocks)
        faults += page.faults
    print("\n".join(faults + [f"{examples} examples in {len(paths)} pages, {len(faults)} faults"]))
    return 1 if faults or not examples else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
