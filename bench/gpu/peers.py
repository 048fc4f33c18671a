#!/usr/bin/env python3
"""Times kernels of examples and of this folder on the GPU beside PyTorch and Triton, in one run:  peers.py PHOBOS [ROW ...]

Random data, medians of event timings after a warm-up; rows of memory-bound kernels move more than the L2 cache holds. Prints a line
for each row, and the table of ratios last. Needs a GPU and `torch`;
`triton` is timed where it is installed."""
import json, pathlib, statistics, subprocess, sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"


def ours(phobos, file, kernel, words, reps):
    command = [phobos, "run", str(file), *words, "--kernel", kernel, "--bench", "--reps", str(reps), "--json", "--device", "gpu"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(done.stdout)["bench"]["median_ms"]
    except (ValueError, KeyError, TypeError):
        print(f"  {' '.join(command)}: {(done.stderr or done.stdout).strip()[:400]}")
        return None


def peer(run, reps):
    for _ in range(3):
        run()
    times = []
    for _ in range(reps):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


try:
    import triton_peers
except ImportError:
    triton_peers = None


def pair(of_torch, of_triton):
    """A peer of each kind; the second None where there is no Triton."""
    return of_torch, of_triton() if triton_peers else None


def gemm(m, n, k, dtype):
    a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
    out = torch.empty(m, n, device="cuda", dtype=dtype)
    run = lambda: torch.matmul(a, b, out=out)
    return pair(run, lambda: triton_peers.gemm(a, b)) if m == n == k else (run, None)


def gemm_i8(n):
    a, b = (torch.randint(-128, 128, (n, n), dtype=torch.int8, device="cuda") for _ in range(2))
    turned = b.t()
    return lambda: torch._int_mm(a, turned), None


def saxpy(n):
    x, y = random(n), random(n)
    return pair(lambda: y.add_(x, alpha=1.5), lambda: triton_peers.saxpy(x, y))


def softmax(m, n):
    x = random(m, n)
    return pair(lambda: torch.softmax(x, 1), lambda: triton_peers.softmax(x))


def rmsnorm(m, n):
    x, g = random(m, n, dtype=torch.float16), random(n, dtype=torch.float16)
    return pair(lambda: torch.nn.functional.rms_norm(x, (n,), g, 1e-6), lambda: triton_peers.rmsnorm(x, g))


def matvec(n, k):
    w, x = random(n, k), random(k)
    return pair(lambda: torch.mv(w, x), lambda: triton_peers.matvec(w, x))


G, R = HERE / "gemm.ph", HERE / "rows.ph"
# name: (file, kernel, words, peer, work, unit)
ROWS = {
    "saxpy 2^28": (EXAMPLES / "saxpy.ph", "saxpy", ["N=268435456", "x=randn", "y=randn", "alpha=1.5", "BLOCK=2048"],
                   lambda: saxpy(1 << 28), 12 << 28, "GB/s"),
    "softmax 262144 x 1024": (R, "softmax_short", ["M=262144", "X=randn"], lambda: softmax(262144, 1024), 8 << 28, "GB/s"),
    "softmax 65536 x 4096": (R, "softmax", ["M=65536", "C=4096", "X=randn"], lambda: softmax(65536, 4096), 8 << 28, "GB/s"),
    "softmax 16384 x 16384": (R, "softmax", ["M=16384", "C=16384", "X=randn"], lambda: softmax(16384, 16384), 8 << 28, "GB/s"),
    "rmsnorm 131072 x 4096": (R, "rmsnorm", ["M=131072", "C=4096", "X=randn", "g=randn", "eps=1e-6"],
                              lambda: rmsnorm(131072, 4096), 4 << 29, "GB/s"),
    "matvec 16384 x 16384": (R, "matvec", ["N=16384", "K=16384", "W=randn", "x=randn"], lambda: matvec(16384, 16384), 4 << 28, "GB/s"),
}


def gemm_row(name, kernel, dtype, m, n, k, make=None):
    ROWS[name] = (G, kernel, [f"M={m}", f"N={n}", f"K={k}", "A=randn", "B=randn"] if dtype else [f"M={m}", f"N={n}", f"K={k}", "A=randint:-128:128", "B=randint:-128:128"],
                  make or (lambda: gemm(m, n, k, dtype)), 2 * m * n * k, "TFLOP/s")


for size in (2048, 4096, 8192):
    gemm_row(f"gemm f16 {size}", "gemm_f16", torch.float16, size, size, size)
gemm_row("gemm f16 16384 x 16384 x 1024", "gemm_f16_short", torch.float16, 16384, 16384, 1024)
for size in (2048, 4096, 8192):
    gemm_row(f"gemm bf16 {size}", "gemm_bf16", torch.bfloat16, size, size, size)
for size in (2048, 4096, 8192):
    gemm_row(f"gemm i8 {size}", "gemm_i8", None, size, size, size, lambda size=size: gemm_i8(size))
for size in (2048, 4096):
    gemm_row(f"gemm f32 {size}", "gemm_f32", torch.float32, size, size, size)


def main():
    phobos, wanted = sys.argv[1], sys.argv[2:]
    torch.backends.cuda.matmul.allow_tf32 = False
    table = []
    for name, (file, kernel, words, make, work, unit) in ROWS.items():
        if wanted and not any(name.startswith(w) for w in wanted):
            continue
        reps = 50
        of_torch, of_triton = make()
        theirs = peer(of_torch, reps)
        other = peer(of_triton, reps) if of_triton else None
        del of_torch, of_triton
        torch.cuda.empty_cache()
        mine = ours(phobos, file, kernel, words, reps)
        scale = 1e-6 if unit == "GB/s" else 1e-9
        rate = lambda ms: work / ms * scale if ms else 0.0
        table.append((name, rate(mine), rate(theirs), rate(other), unit))
        print(f"{name}: {rate(mine):.1f} {unit}, torch {rate(theirs):.1f}, triton {rate(other):.1f}", flush=True)
    print(f"\n{'row':36} {'phobos':>9} {'torch':>9} {'triton':>9} {'ratio':>6}  to the better of the two")
    for name, mine, theirs, other, unit in table:
        print(f"{name:36} {mine:9.1f} {theirs:9.1f} {other:9.1f} {mine / max(theirs, other):6.2f}  {unit}")


main()
