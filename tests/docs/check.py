#!/usr/bin/env python3
"""Checks the pages: links to files lead somewhere, and paths of this tree named in backticks exist, and
so do tests named as `file: words of the test`."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:core|server|cli|worker|grammar|editors|tests|bench|docs|examples|tools|cmake)/[\w./*{},-]*)`")

TEST = re.compile(r"`((?:tests|editors)/[\w./-]+): ([^`]+)`")


def without_code(text):
    return re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)


def exists(folder, path):
    if any(c in path for c in "*{"):
        patterns = [path]
        while any("{" in p for p in patterns):
            patterns = [re.sub(r"\{([^}]*)\}", choice, p, count=1) for p in patterns
                        for choice in re.search(r"\{([^}]*)\}", p).group(1).split(",")]
        return all(any(folder.glob(p)) for p in patterns)
    return (folder / path).exists()


def main():
    pages = sorted(p for pattern in ("*.md", "docs/**/*.md", "editors/**/*.md", "grammar/**/*.md") for p in ROOT.glob(pattern)
                   if "node_modules" not in p.parts)
    faults, found = [], 0
    for page in pages:
        text = without_code(page.read_text())
        links = [(page.parent, link.split("#")[0]) for link in LINK.findall(text) if not re.match(r"\w+:|#", link)]
        for folder, path in links + [(ROOT, path) for path in PATH.findall(text)]:
            found += 1
            if path and not exists(folder, path):
                faults.append(f"{page.relative_to(ROOT)}: there is no {path}")
        for path, words in TEST.findall(text):
            found += 1
            if not (ROOT / path).is_file() or words not in (ROOT / path).read_text():
                faults.append(f"{page.relative_to(ROOT)}: there is no test {path}: {words}")
    print("\n".join(faults + [f"{len(pages)} pages, {found} paths, {len(faults)} faults"]))
    return 1 if faults or not found else 0


sys.exit(main())
