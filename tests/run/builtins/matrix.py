#!/usr/bin/env python3
"""Every built-in at every type that it takes, on scalars, tiles and runs, against what reference.py computes.

matrix.py PHOBOS [--device gpu] [NAME...]     (the names of built-ins; all without)

On the simulator results are exact but for functions of analysis; on the emulator, or on the GPU in its place, within what the language allows. What a built-in
should not take has to be refused; and a built-in of the table that no case is about fails the test. The kernels of a failure stay in
a folder that is named.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import cases  # noqa: E402
from case import shaped  # noqa: E402
import reference  # noqa: E402

TABLE = os.path.join(HERE, "..", "..", "..", "core", "builtins", "include", "phobos", "builtins", "builtins.def")


def names_of_table():
    with open(TABLE) as file:
        return re.findall(r'^PHOBOS_BUILTIN\(\w+, "(\w+)"', file.read(), re.M)


def write_case(folder, case, device):
    words, expected = [], []
    for name, kind, shape, values in case.inputs:
        if isinstance(values, str):
            words.append("%s=%s" % (name, values))
            continue
        file = "%s.%s.npy" % (case.name, name)
        reference.write(os.path.join(folder, file), kind, shaped(values, shape))
        words.append("%s=%s" % (name, file))
    for name, kind, shape, values in case.outputs:
        file = "%s.%s.expected.npy" % (case.name, name)
        reference.write(os.path.join(folder, file), kind, shaped(values, shape))
        expected.append("%s=%s" % (name, file))
    relative, absolute = case.tolerance["sim" if device == "sim" else "emulate"]
    grid = "--grid %d " % case.grid
    line = "//# run %s %sexpect %s rtol=%g atol=%g" % (" ".join(words), grid, " ".join(expected), relative, absolute)
    path = os.path.join(folder, case.name + ".ph")
    with open(path, "w") as file:
        file.write(line + "\n" + case.text())
    return path


def run_cases(phobos, all_cases, device, folder):
    folder = os.path.join(folder, device)
    os.mkdir(folder)
    paths = [write_case(folder, case, device) for case in all_cases]
    extra = ["--check-kinds"] if device == "sim" else []
    failures = []
    for at in range(0, len(paths), 200):
        done = subprocess.run([phobos, "test", "--json", "--device", device] + extra + paths[at:at + 200], capture_output=True, text=True)
        try:
            tests = json.loads(done.stdout)["tests"]
        except (ValueError, KeyError):
            sys.exit("%s test ended with %d: %s%s" % (device, done.returncode, done.stdout[-2000:], done.stderr[-2000:]))
        if len(tests) != len(paths[at:at + 200]):
            failures.append("%d of %d kernels were run on %s" % (len(tests), len(paths[at:at + 200]), device))
        failures += ["%s on %s: %s" % (test["name"], device, test.get("message", "")) for test in tests if test["status"] != "ok"]
    return failures


def check_refused(phobos, refused, folder):
    folder = os.path.join(folder, "refused")
    os.mkdir(folder)
    paths = []
    for case in refused:
        paths.append(os.path.join(folder, case.name + ".ph"))
        with open(paths[-1], "w") as file:
            file.write(case.text())
    if not paths:
        return []
    done = subprocess.run([phobos, "check", "--json"] + paths, capture_output=True, text=True)
    wrong = {d["file"] for d in json.loads(done.stdout)["diagnostics"] if d["severity"] == 1}
    return ["%s is taken" % path for path in paths if path not in wrong]


def about(some):
    return {name for case in some for name in case.builtins}


def main():
    phobos, wanted, other = os.path.abspath(sys.argv[1]), sys.argv[2:], "emulate"
    if wanted[:1] == ["--device"]:
        other, wanted = wanted[1], wanted[2:]
    taken, refused = cases.all_cases()
    table = names_of_table()
    failures = ["no case is about `%s`" % name for name in table if name not in about(taken)]
    failures += ["`%s` is not in the table" % name for name in sorted(about(taken + refused) - set(table))]
    if wanted:
        taken, refused = ([case for case in some if set(case.builtins) & set(wanted)] for some in (taken, refused))
    names = [case.name for case in taken + refused]
    failures += ["two cases are named %s" % name for name in sorted({name for name in names if names.count(name) > 1})]
    folder = tempfile.mkdtemp(prefix="phobos-builtins-")
    failures += check_refused(phobos, refused, folder)
    for device in ("sim", other):
        failures += run_cases(phobos, taken, device, folder)
    for failure in failures:
        print("FAILED", failure)
    print("%d kernels of %d built-ins on sim and %s, %d refused, %d failures"
          % (len(taken), len(about(taken)), other, len(refused), len(failures)))
    if failures:
        print("the kernels are in", folder)
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
