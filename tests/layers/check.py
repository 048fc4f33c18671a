#!/usr/bin/env python3
"""Checks that the folders include only what tools/layers.txt allows.

    tests/layers/check.py              check this tree
    tests/layers/check.py --self-test  plant each kind of violation in a small tree and see that it is found

A folder may include its own files, core/support, what its line lists, and what the folders on its line may include in turn.
Outside libraries are allowed only where a folder's own line names them; fmt and the standard library are allowed anywhere.
"""
import pathlib, re, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOTS = ("core", "server", "cli", "worker")
SOURCES = {".h", ".cpp", ".c", ".cc", ".hpp", ".def", ".inc"}
# How an include of each outside library starts, and the name that layers.txt has for it.
LIBRARIES = {"llvm/": "llvm", "llvm-c/": "llvm", "tree_sitter/": "tree-sitter", "tree_sitter_phobos.h": "tree-sitter",
             "nlohmann/": "json", "asio.hpp": "asio", "asio/": "asio", "CLI/": "cli11"}
FREE = re.compile(r"fmt/[\w.-]+|[a-z_0-9]+|(dlfcn|fcntl|link|poll|signal|spawn|termios|unistd|pthread)\.h|sys/\w+\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)"|(\S+))', re.M)


def read_layers(root, faults):
    """{folder: what its line lists}; core/support is on every line."""
    layers = {}
    for number, line in enumerate((root / "tools/layers.txt").read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, colon, allowed = line.partition(":")
        if not colon or folder in layers:
            faults.append(f"tools/layers.txt:{number}: not a new `folder: what it may include`")
        layers[folder] = set(allowed.split()) | ({"core/support"} - {folder})
    names = set(layers) | set(LIBRARIES.values())
    for folder, allowed in layers.items():
        faults += [f"tools/layers.txt: {folder} lists `{name}`, which is no folder and no library" for name in allowed - names]
    return layers


def closure(folder, layers):
    reached, todo = set(), [folder]
    while todo:
        for name in layers[todo.pop()] & set(layers) - reached:
            reached.add(name)
            todo.append(name)
    return reached


def folder_of(path, layers):
    """The folder of layers.txt that a file (relative to the root) is in."""
    return next((str(p).replace("\\", "/") for p in path.parents if str(p).replace("\\", "/") in layers), None)


def fault_of(root, path, folder, angled, quoted, layers, reachable):
    if quoted:
        target = (root / path.parent / quoted).resolve()
        if not target.is_file():
            return f'"{quoted}" is not beside the file; public headers are included as <phobos/…>'
        owner = folder_of(target.relative_to(root.resolve()), layers) if target.is_relative_to(root.resolve()) else None
        return None if owner == folder else f'"{quoted}" reaches into {owner or "another place"}'
    if angled.startswith("phobos/"):
        owner = next((name for name in layers if (root / name / "include" / angled).is_file()), None)
        if owner is None:
            return f"<{angled}> is no public header of any folder"
        return None if owner == folder or owner in reachable else f"<{angled}> is of {owner}, which {folder} may not include"
    library = next((name for start, name in LIBRARIES.items() if angled == start or start.endswith("/") and angled.startswith(start)), None)
    if library:
        return None if library in layers[folder] else f"<{angled}> is of {library}, which {folder} may not include"
    return None if FREE.fullmatch(angled) else f"<{angled}> is of no library that is allowed"


def check(root):
    """(files read, includes read, faults)"""
    faults = []
    layers = read_layers(root, faults)
    reachable = {folder: closure(folder, layers) for folder in layers}
    faults += [f"tools/layers.txt: {folder} may include itself by way of others" for folder in layers if folder in reachable[folder]]
    faults += [f"tools/layers.txt: {folder} does not exist" for folder in layers if not (root / folder).is_dir()]
    paths = sorted(p.relative_to(root) for top in ROOTS for p in (root / top).rglob("*") if p.suffix in SOURCES and p.is_file())
    includes, homeless = 0, set()
    for path in paths:
        folder = folder_of(path, layers)
        if folder is None:
            homeless.add(str(pathlib.Path(*path.parts[:2]) if len(path.parts) > 2 else path.parent))
            continue
        text = (root / path).read_text(errors="replace")
        for match in INCLUDE.finditer(text):
            includes += 1
            angled, quoted, macro = match.groups()
            fault = "an include by way of a macro" if macro else \
                fault_of(root, path, folder, angled, quoted, layers, reachable[folder])
            if fault:
                faults.append(f"{path}:{text.count(chr(10), 0, match.end()) + 1}: {fault}")
    faults += [f"{folder} is not in tools/layers.txt" for folder in sorted(homeless)]
    return len(paths), includes, faults


GOOD = {
    "tools/layers.txt": "core/support:\ncore/low: llvm\ncore/high: core/low # a comment\ncli: core/high json cli11\n",
    "core/support/include/phobos/support/s.h": "#include <vector>\n",
    "core/low/include/phobos/low/low.h": "#include <phobos/support/s.h>\n",
    "core/low/low.cpp": '#include <phobos/low/low.h>\n#include <llvm/IR/Module.h>\n#include "own.h"\n',
    "core/low/own.h": "#include <fmt/format.h>\n#include <unistd.h>\n",
    "core/high/include/phobos/high/high.h": "#include <phobos/low/low.h>\n",
    "core/high/high.cpp": "",
    "cli/commands/run.cpp": "#include <phobos/low/low.h>\n#include <CLI/CLI.hpp>\n#include <nlohmann/json.hpp>\n",
}
PLANTED = [
    ("a higher folder", {"core/low/low.cpp": "#include <phobos/high/high.h>\n"}, "core/low/low.cpp:1: <phobos/high/high.h> is of core/high"),
    ("a higher folder, on line 3", {"core/low/own.h": "\n\n  #  include <phobos/high/high.h>\n"}, "core/low/own.h:3: "),
    ("a library of a lower folder", {"core/high/high.cpp": "#include <llvm/IR/Module.h>\n"}, "is of llvm, which core/high may not"),
    ("a library", {"core/low/own.h": "#include <nlohmann/json.hpp>\n"}, "is of json"),
    ("a library in one header", {"core/low/own.h": "#include <asio.hpp>\n"}, "is of asio"),
    ("the test library", {"core/low/low.cpp": "#include <doctest/doctest.h>\n"}, "of no library that is allowed"),
    ("an unknown library", {"core/low/low.cpp": "#include <boost/any.hpp>\n"}, "of no library that is allowed"),
    ("a private header of another folder", {"core/high/high.cpp": '#include "../low/own.h"\n'}, "reaches into core/low"),
    ("a header that is nowhere", {"core/high/high.cpp": '#include "gone.h"\n'}, "is not beside the file"),
    ("a public header that is nowhere", {"core/high/high.cpp": "#include <phobos/low/own.h>\n"}, "is no public header"),
    ("a macro", {"core/high/high.cpp": "#include HEADER\n"}, "by way of a macro"),
    ("a folder without a line", {"core/new/new.cpp": ""}, "core/new is not in tools/layers.txt"),
    ("a header of a folder without a line", {"worker/include/phobos/worker/w.h": ""}, "is not in tools/layers.txt"),
    ("a line without a folder", {"tools/layers.txt": GOOD["tools/layers.txt"] + "core/gone:\n"}, "core/gone does not exist"),
    ("a misspelt line", {"tools/layers.txt": GOOD["tools/layers.txt"].replace("llvm", "lvm")}, "lists `lvm`"),
    ("a circle", {"tools/layers.txt": GOOD["tools/layers.txt"].replace("low: llvm", "low: llvm core/high")}, "may include itself"),
]


def self_test():
    failed = 0
    for name, files, expected in [("nothing", {}, None)] + PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in (GOOD | files).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            faults = check(root)[2]
            if not (any(expected in fault for fault in faults) if expected else not faults):
                failed += 1
                print(f"FAILED: planted {name}: found {faults}")
    print(f"{len(PLANTED) + 1} planted trees, {failed} failed")
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    files, includes, faults = check(ROOT)
    print("\n".join(faults + [f"{files} files, {includes} includes, {len(faults)} not allowed"]))
    return 1 if faults or not includes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
