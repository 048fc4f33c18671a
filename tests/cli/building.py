"""building.py PHOBOS: what `build` does where ptxas is not what it should be, where the cache is not, and where it would write over something."""
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from harness import Cases

cases = Cases(sys.argv[1])


def fake(name, script):
    path = cases.write(name, "#!/bin/sh\n" + script)
    path.chmod(0o755)
    return {"PHOBOS_PTXAS": str(path)}


WRITES = 'for each; do [ "$last" = -o ] && out=$each; last=$each; done\n'
temporary = cases.folder / "tmp"
temporary.mkdir()
alone = {"TMPDIR": str(temporary), "PHOBOS_CACHE_DIR": str(cases.folder / "cache")}
CUBIN = ["build", "add.ph", "--emit", "cubin", "--chip", "sm_90a"]


def refused(name, script, text):
    done = cases.execute(*CUBIN, env={**fake(name, script), **alone})
    said = done.stderr.decode()
    faults = [] if done.returncode == 1 and text in said and not done.stdout else [f"exit {done.returncode}: {said[:300]}"]
    cases.check(f"ptxas that {name}", faults + [f"{path} is left" for path in temporary.iterdir()])


refused("is killed", "kill -9 $$", "was ended by signal 9")
refused("writes nothing", "exit 0", "without a cubin")
refused("fails", "echo no such chip; exit 3", "no such chip")
refused("is no program", "", "without a cubin")
(cases.folder / "is no script").write_bytes(b"\x00\x01")
(cases.folder / "is no script").chmod(0o755)
done = cases.execute(*CUBIN, env={"PHOBOS_PTXAS": str(cases.folder / "is no script"), **alone})
cases.check("a ptxas that is no program", [] if done.returncode == 1 and b"cannot be started" in done.stderr else [str(done)])

done = cases.execute(*CUBIN, "--json", env={**fake("binary", WRITES + 'printf "\\177ELF\\000\\377" >"$out"'), **alone})
document = json.loads(done.stdout)
cases.check("a cubin in a document", [] if base64.b64decode(document["base64"]) == b"\x7fELF\0\xff" and document["bytes"] == 6 and document["text"] is None else [str(document)])
done = cases.execute(*CUBIN, "--json", "-o", "out.cubin", env={**fake("binary", WRITES + 'printf "\\177ELF" >"$out"'), **alone})
document = json.loads(done.stdout)
cases.check("a cubin in a file", [] if document["base64"] is None and (cases.folder / "out.cubin").read_bytes() == b"\x7fELF" else [str(document)])

# Ended while it waits for ptxas: nothing is left of it, neither the process nor its folder.
for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
    env = fake("waits", f"echo $$ >'{cases.folder}/pid'; exec sleep 1000")
    marker = cases.folder / "pid"
    marker.unlink(missing_ok=True)
    child = subprocess.Popen([cases.program, *CUBIN], cwd=cases.folder, env={**os.environ, **env, **alone}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while not (marker.exists() and marker.read_text().strip()) and time.monotonic() < end:
        time.sleep(0.01)
    child.send_signal(ending)
    status = child.wait(120)
    pid = int(marker.read_text())
    state = "Z"
    while time.monotonic() < end:
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            state = "Z"
        if state == "Z":
            break
        time.sleep(0.01)
    faults = [] if status == -ending else [f"it ended with {status}"]
    faults += [] if state == "Z" else ["ptxas still runs"]
    if ending != signal.SIGKILL:  # who is killed cannot tidy up
        faults += [f"{path} is left" for path in temporary.iterdir()]
    cases.check(f"signal {ending} while ptxas runs", faults)

# Entries of the cache that are no files.
cache = pathlib.Path(alone["PHOBOS_CACHE_DIR"])
PTX = ["build", "add.ph", "--chip", "sm_90a"]
wanted = cases.execute(*PTX, env=alone).stdout
entries = list(cache.glob("*.code"))
cases.check("an entry is made", [] if len(entries) == 1 and wanted else [str(entries)])
for name, make in {"a folder": lambda path: (path.mkdir(), (path / "full").write_text("x")), "an empty folder": lambda path: path.mkdir(), "a pipe": os.mkfifo,
                   "a link to nothing": lambda path: path.symlink_to("nowhere"), "a link to itself": lambda path: path.symlink_to(path.name),
                   "a device": lambda path: path.symlink_to("/dev/zero")}.items():
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink():
            for inner in entry.iterdir():
                inner.unlink()
            entry.rmdir()
        elif entry.exists() or entry.is_symlink():
            entry.unlink()
    make(entries[0])
    try:
        done = cases.execute(*PTX, env=alone)
        cases.check(f"an entry that is {name}", [] if done.returncode == 0 and done.stdout == wanted and not done.stderr else [f"exit {done.returncode}: {done.stderr[:300]}"])
    except subprocess.TimeoutExpired:
        cases.check(f"an entry that is {name}", ["it hangs"])

# Dimensions by which constants are chosen.
for value in ("abc", "-5", "1.5", "99999999999999999999", "zeros"):
    cases.expect(f"a dimension that is {value}", ["build", "add.ph", f"N={value}"], 2, f"the dimension `N` is a number that is not negative, not `{value}`")
cases.expect("a dimension that is 0", ["build", "add.ph", "N=0"], 0, ".visible .entry")

# Nothing is written over the source.
source = (cases.folder / "add.ph").read_bytes()
(cases.folder / "link.ph").symlink_to("add.ph")
os.link(cases.folder / "add.ph", cases.folder / "same.ph")
for name, words in {"itself": ["-o", "add.ph"], "a longer path": ["-o", "./tmp/../add.ph"], "a link": ["-o", "link.ph"], "the same file": ["-o", "same.ph"],
                    "a contract": ["--contract", "add.ph"], "both in one": ["-o", "both", "--contract", "both"]}.items():
    cases.expect(f"over the source: {name}", ["build", "add.ph", *words], 2, "both what is built" if name == "both in one" else "nothing is written over it")
cases.check("the source is what it was", [] if (cases.folder / "add.ph").read_bytes() == source else ["it changed"])
cases.end()
