"""Runs `phobos` in a folder of its own and says what differs from what was expected."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile


def npy(values, shape, code="f", descr="<f4"):
    """An .npy file's bytes: `values` of that struct code, or ready bytes."""
    data = values if isinstance(values, bytes) else struct.pack(f"<{len(values)}{code}", *values)
    shape = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


ADD = """// Elementwise.
//# run x=x.npy y=ones BLOCK=64 expect out=sum.npy
@autotune(BLOCK in [64, 128])
kernel add(x: tensor<f32>[N], y: tensor<f32>[N], out: tensor<f32>[N]) {
  let at = ctx.block.x * BLOCK
  out[at :+ BLOCK] = x[at :+ BLOCK] + y[at :+ BLOCK]
}
"""


class Cases:
    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        self.temporary = tempfile.TemporaryDirectory(prefix="phobos-cli-")
        self.folder = pathlib.Path(self.temporary.name)
        self.passed = self.failed = 0
        self.write("add.ph", ADD)
        self.write("x.npy", npy(list(range(100)), [100]))
        self.write("sum.npy", npy([i + 1 for i in range(100)], [100]))

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def execute(self, *words, stdin=b"", env=None):
        return subprocess.run([self.program, *map(str, words)], cwd=self.folder, input=stdin, capture_output=True, timeout=120,
                              env={**os.environ, **(env or {})})

    def listing(self):
        return sorted((str(p), p.stat().st_size) for p in self.folder.rglob("*"))

    def expect(self, name, words, status, text="", stdin=b"", where="both", writes=False):
        """The command ends with that status (or one of them) and says the text; it writes nothing but what `writes` allows."""
        before = self.listing()
        statuses = status if isinstance(status, tuple) else (status,)
        try:
            done = self.execute(*words, stdin=stdin)
        except subprocess.TimeoutExpired:
            return self.check(name, ["no answer in 120 s"])
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        said = {"both": out + err, "out": out, "err": err}[where]
        faults = []
        if done.returncode not in statuses:
            faults.append(f"exit {done.returncode}, not {statuses}: {(err or out).strip()[:300]}")
        if done.returncode < 0 or done.returncode == 70 or done.returncode >= 128:
            faults.append("a crash")
        if text not in said:
            faults.append(f"does not say {text!r}: {said.strip()[:300]}")
        if done.returncode not in (0,) and not said.strip():
            faults.append("fails without a word")
        if len(out) + len(err) > 200_000:
            faults.append(f"says too much: {len(out) + len(err)} bytes")
        if not writes and self.listing() != before:
            faults.append(f"files changed: {set(self.listing()) ^ set(before)}")
        self.check(name, faults)
        return done

    def check(self, name, faults):
        self.passed, self.failed = self.passed + (not faults), self.failed + bool(faults)
        for fault in faults:
            print(f"{name}: {fault}")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
