"""memory.py PHOBOS: what a run on the simulator takes, beside its tensors, stays within what docs/simulator.md states."""
import os
import resource
import subprocess
import sys
import tempfile

KERNELS = """
@launch(256)
kernel none(O: tensor<i32>[1]) {
  if ctx.block.x < 0 {
    O[0] = 1
  }
}
@launch(256)
kernel tiles(X: tensor<f32>[N, 1024], O: tensor<f32>[N, 1024]) {
  O[ctx.block.x * 16 :+ 16, :] = X[ctx.block.x * 16 :+ 16, :] * 2.0
}
@launch(256)
kernel lanes(X: tensor<f32>[N], O: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  O[i] = X[i] * 2.0
}
@launch(256)
kernel across(X: tensor<f32>[256], O: tensor<f32>[N, 1024]) {
  for r in range(0, 1024) {
    O[ctx.block.x * ctx.threads + ctx.thread, r] = X[ctx.thread]
  }
}
@launch(256)
@persistent
kernel waits(X: tensor<f32>[N], bar: tensor<i32>[2]) {
  X[ctx.block.x * 256 :+ 256] = 2.0
  grid_barrier(bar)
}
"""
MEGABYTE = 1 << 20
SLACK = 8 * MEGABYTE  # of the allocator and the clock


def peak(phobos, path, words):
    """Bytes of the largest resident set of a run that ends well."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.execv(phobos, [phobos, "run", path, "--device", "sim"] + words)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit("%s ended with %d" % (words, status))
    return usage.ru_maxrss * 1024


def main():
    phobos = os.path.abspath(sys.argv[1])
    failed = 0
    with tempfile.TemporaryDirectory(prefix="phobos-memory-") as folder:
        path = os.path.join(folder, "memory.ph")
        with open(path, "w") as file:
            file.write(KERNELS)
        base = peak(phobos, path, ["--kernel", "none", "O=zeros", "--grid", "1"])
        refused = subprocess.run([phobos, "run", path, "--device", "sim", "--kernel", "waits", "X=ones", "bar=zeros", "N=268435456"], capture_output=True, text=True)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        if refused.returncode != 1 or "at most 1024 at once" not in refused.stderr or most > base + 128 * MEGABYTE:
            failed += 1
            print("FAILED a grid that is too large to wait: exit status %d, %d MB, %s" % (refused.returncode, most // MEGABYTE, refused.stderr))
        # Bytes of the tensors, of what checks may add, and of two live CTAs' values.
        rows = [
            ("a large grid", ["--kernel", "none", "O=zeros", "--grid", "300000"], 4, 0, 0),
            ("tiles", ["--kernel", "tiles", "X=ones", "N=8192", "--grid", "512"], 64 * MEGABYTE, 8192 * 1024 // 1024 * 72 + 8192 * 64, 2 * 3 * 65536),
            ("lanes", ["--kernel", "lanes", "X=ones", "N=8388608", "--grid", "32768"], 64 * MEGABYTE, 8192 * (72 + 64) + 2 * 52 * 512, 2 * 65536),
            ("columns", ["--kernel", "across", "X=ones", "N=8192", "--grid", "32"], 32 * MEGABYTE, 8192 * (72 + 64) + 2 * 52 * 256 * 1024, 2 * 65536),
        ]
        for name, words, tensors, checks, values in rows:
            for more, allowed in (([], tensors + checks + values), (["--no-checks"], tensors + values)):
                taken = peak(phobos, path, words + ["--workers", "2"] + more) - base
                good = taken <= allowed + SLACK
                failed += not good
                if not good:
                    print("FAILED %s %s: %d MB, where the tensors take %d and %d in all are stated"
                          % (name, " ".join(more), taken // MEGABYTE, tensors // MEGABYTE, allowed // MEGABYTE))
    print("%d runs, %d took more memory than is stated" % (2 * len(rows) + 1, failed))
    sys.exit(failed > 0)


main()
