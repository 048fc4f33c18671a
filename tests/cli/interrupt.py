"""interrupt.py PHOBOS: long runs show how far they are, and end at Ctrl-C."""
import json
import signal
import subprocess
import sys
import time

from harness import Cases
from screen import Session

cases = Cases(sys.argv[1])
LONG = """//# run O=zeros --grid 4000 --max-steps 0 expect-error "never"
@launch(256)
kernel long(O: tensor<f32>[4000]) {
  var s = 0.0
  for i in range(0, 20000) { s = s + sin(f32(i + ctx.thread)) }
  let total = sum<over ctx.thread>(s)
  O[ctx.block.x] = total
}
"""
WAITS = """@launch(32)
@persistent
kernel waits(F: tensor<i32>[2], O: tensor<i32>[64]) {
  var n = i64(0)
  for i in range(0, 100000000) {
    n = n + i64(load_acquire(F, 0))
    O[ctx.block.x] = i32(n) + i32(i)
  }
}
"""
cases.write("long.ph", LONG)
cases.write("waits.ph", WAITS)
RUN = [cases.program, "run", "--device", "sim", "--max-steps", "0", "long.ph", "O=zeros", "--grid", "4000"]


def case(name, script):
    try:
        faults = script() or []
    except (AssertionError, ValueError) as fault:
        faults = [str(fault)]
    cases.check(name, faults)


def on_terminal(words, script, **more):
    session = Session(words, cases.folder, **more)
    try:
        return script(session)
    finally:
        session.close()


def ended(session, seconds):
    """How long it took to end."""
    begin = time.monotonic()
    status = session.end(seconds)
    return status, time.monotonic() - begin


def progress(session):
    session.read(0.6)
    faults = ["it shows something at once"] if session.written else []
    session.wait_for("of 4000 CTAs", 15)
    session.press("\x03")
    status, seconds = ended(session, 10)
    faults += [f"exit status {status}"] if status != 130 else []
    faults += [f"it took {seconds:.2f} s to end"] if seconds > 1.0 else []
    shown = "\n".join(session.screen.text())
    faults += ["the progress is left on the screen"] if "Ctrl-C ends it" in shown else []
    faults += [f"it says {shown!r}"] if "phobos: interrupted after" not in shown or "of 4000 CTAs were done" not in shown else []
    return faults


case("progress, and Ctrl-C", lambda: on_terminal(RUN, progress))


def measured():
    """From the signal to the end, the best of a few: 0.2 s on a machine that is not busy."""
    best = 10.0
    for _ in range(5):
        process = subprocess.Popen(RUN, cwd=cases.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.7)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        best = min(best, time.monotonic() - begin)
        if process.returncode != 130 or out or b"interrupted after" not in err or b"\x1b" in err:
            return [f"exit status {process.returncode}: {out!r} {err!r}"]
    return [f"the fastest took {best:.2f} s"] if best > 0.2 else []


case("it ends within 0.2 s, and shows no progress where there is no terminal", measured)


def twice():
    """While the first one is being acted on the second one kills."""
    seen = set()
    for _ in range(10):
        process = subprocess.Popen(RUN, cwd=cases.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        seen.add(process.wait(timeout=20))
        if -signal.SIGINT in seen:
            break
    return [] if -signal.SIGINT in seen and seen <= {-signal.SIGINT, 130} else [f"exit statuses {seen}"]


case("a second Ctrl-C kills", twice)


def quiet(words, wanted=""):
    def script(session):
        for _ in range(16):
            session.read(0.1)
        faults = [f"it shows {session.written!r}"] if session.written else []
        session.interrupt()
        session.end(10)
        return faults
    return lambda: on_terminal([*RUN, *words], script)


case("no progress with -q", quiet(["-q"]))
case("no progress with --json", quiet(["--json"]))


def json_document():
    process = subprocess.Popen([*RUN, "--json"], cwd=cases.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    report = json.loads(out)
    good = process.returncode == 130 and report["status"] == "failed" and report["message"].startswith("interrupted after")
    return [] if good else [f"exit status {process.returncode}: {report}"]


case("JSON of what was interrupted", json_document)


def no_file():
    before = cases.listing()
    process = subprocess.Popen([*RUN, "--out", "O=o.npy"], cwd=cases.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    return [] if cases.listing() == before else ["it leaves a file"]


case("nothing is written", no_file)


def others(words, status=130, sent=signal.SIGINT):
    def script():
        process = subprocess.Popen([cases.program, *words], cwd=cases.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.0)
        process.send_signal(sent)
        out, err = process.communicate(timeout=20)
        return [] if process.returncode == status else [f"exit status {process.returncode}: {out!r} {err!r}"]
    return script


case("CTAs that take turns", others(["run", "--device", "sim", "--max-steps", "0", "waits.ph", "F=zeros", "O=zeros", "--grid", "64"]))
case("the emulator", others(["run", "--device", "emulate", "long.ph", "O=zeros", "--grid", "4000"]))
case("tests", others(["test", "--device", "sim", "long.ph", "long.ph"]))
case("SIGTERM", others(["run", "--device", "sim", "long.ph", "O=zeros", "--grid", "4000"], 143, signal.SIGTERM))
case("a trace", others(["trace", "--json", "--steps", "10000000", "long.ph", "O=zeros", "--grid", "4000"]))


# Nothing but operations on tiles of the largest size, and no loop.
HUGE = """@launch(32)
kernel huge(X: tensor<f32>[4096, 4096], O: tensor<f32>[4096, 1]) {
  var s: tile<f32>[4096, 1] = 0.0
%s  O[:, :] = s
}
""" % "".join(f"  let t{i} = transpose(X[:, :] + {i}.0)\n  s += rowsum(t{i}) + rowmax(t{i}) + f32(rowargmax(t{i}))\n" for i in range(40))


def huge():
    cases.write("huge.ph", HUGE)
    process = subprocess.Popen([cases.program, "run", "--device", "sim", "huge.ph", "X=ones", "O=zeros", "--grid", "1"], cwd=cases.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(3.0)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    taken = time.monotonic() - begin
    if process.returncode != 130:
        return [f"exit status {process.returncode}: {out!r} {err!r}"]
    return [f"it took {taken:.1f} s to end"] if taken > 6.0 else []


case("folds and transposes of huge tiles", huge)


def in_background():
    process = subprocess.Popen(RUN, cwd=cases.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    running = process.poll() is None
    process.kill()
    process.wait()
    return [] if running else ["it ended, though it was started with the signal ignored"]


case("the signal ignored stays so", in_background)


def while_made():
    cases.write("made.ph", "@launch(32)\nkernel k(A: tensor<f32>[N, N], O: tensor<f32>[32]) {\n  O[ctx.lane] = A[0, ctx.lane]\n}\n")
    process = subprocess.Popen([cases.program, "run", "--device", "sim", "made.ph", "A=randn", "N=12000", "--grid", "1"], cwd=cases.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1.0)  # it has begun by then, and takes longer
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    said = process.communicate(timeout=60)[1].decode()
    faults = [f"exit status {process.returncode}"] if process.returncode != 130 else []
    faults += [f"it took {time.monotonic() - begin:.2f} s to end"] if time.monotonic() - begin > 2.0 else []
    return faults + ([f"it says {said!r}"] if "phobos: interrupted" not in said else [])


case("while tensors are made", while_made)

cases.end()
