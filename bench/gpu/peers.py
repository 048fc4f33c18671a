#!/usr/bin/env python3
"""Times kernels of `examples` and of this folder on the GPU beside PyTorch (cuBLAS, cuDNN) and Triton:  peers.py PHOBOS [ROW ...]

In one process and by turns, so that all contestants of a row meet the same card at the same temperature: for each sample the L2 cache is
overwritten, and events stand around one launch; the figure is the median. `sustained` is what launches back to back for a tenth of a
second give (a card that is kept busy lowers its clock). Data is random, and each result is compared with a reference before it is
timed: `error` is the norm of the difference over the norm of the reference (f64 where the row is of f32), of Phobos and of PyTorch.
A line for each row as it is done, the table of ratios last. Needs a GPU and `torch`; Triton is timed where it is installed."""
import pathlib, statistics, sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from launcher import BuildError, Kernel

try:
    import triton_peers
except ImportError:
    triton_peers = None

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
GEMM, ROWS_PH, ATTENTION = HERE / "gemm.ph", HERE / "rows.ph", HERE / "attention.ph"
f16, bf16, f32 = torch.float16, torch.bfloat16, torch.float32


def random(*shape, dtype=f32):
    return torch.randn(*shape, device="cuda").to(dtype)


def poisoned(*shape, dtype=f32):
    return torch.full(shape, float("nan"), device="cuda", dtype=dtype) if dtype.is_floating_point else torch.full(shape, -7, device="cuda", dtype=dtype)


class Row:
    """What a row compares: `contestants` (name -> function that does the work once), the result of each, the reference, the work."""

    def __init__(self, work, unit, reference=None, tolerance=2e-3):
        self.work, self.unit, self.reference, self.tolerance = work, unit, reference, tolerance
        self.contestants, self.results = {}, {}

    def add(self, name, run, result=None):
        self.contestants[name] = run
        self.results[name] = result
        return self

    def triton(self, make):
        if triton_peers:
            self.add("triton", make())
        return self

    def error(self, name):
        if self.results.get(name) is None or self.reference is None:
            return None
        self.contestants[name]()
        torch.cuda.synchronize()
        reference = self.reference()
        return ((self.results[name].to(reference.dtype) - reference).norm() / reference.norm()).item()


class Bench:
    def __init__(self, phobos):
        self.phobos = phobos
        self.wash = torch.empty(64 << 20, dtype=torch.int32, device="cuda")  # 256 MB, five times the L2 cache

    def kernel(self, file, name, **constants):
        return Kernel(self.phobos, file, name, constants)

    def gemm(self, kernel, m, n, k, dtype, tf32=False):
        a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
        mine, theirs = poisoned(m, n, dtype=dtype), torch.empty(m, n, device="cuda", dtype=dtype)
        wide = torch.float64 if dtype == f32 else f32
        row = Row(2 * m * n * k, "TFLOP/s", lambda: a[:512].to(wide) @ b.to(wide), 4e-3 if dtype == bf16 else 1e-3)

        def library():
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.matmul(a, b, out=theirs)

        row.add("phobos", self.kernel(GEMM, kernel, **({} if dtype == f32 else {"M": m, "N": n, "K": k}))(A=a, B=b, C=mine), mine[:512]).add("torch", library, theirs[:512])
        return row if tf32 or m != n or n != k else row.triton(lambda: triton_peers.gemm(a, b))

    def gemm_i8(self, n):
        a, b = (torch.randint(-127, 128, (n, n), device="cuda", dtype=torch.int8) for _ in range(2))
        mine, theirs = poisoned(n, n, dtype=torch.int32), torch.empty(n, n, device="cuda", dtype=torch.int32)
        wide = 256 if n > 2048 else 128  # the model of costs is fitted to 16 bits
        return Row(2 * n**3, "TOP/s", lambda: (a[:512].double() @ b.double().t()), 0.0) \
            .add("phobos", self.kernel(GEMM, "gemm_i8", THREADS=wide, TN=wide)(A=a, B=b, C=mine), mine[:512]) \
            .add("torch", lambda: torch._int_mm(a, b.t(), out=theirs), theirs[:512])

    def attention(self, batch, heads, n, d):
        """Heads of all batches lie side by side, which is `batch * heads` heads of one."""
        heads *= batch
        q, k, v = (random(n, heads * d, dtype=f16) for _ in range(3))
        mine = poisoned(n, heads * d, dtype=f16)
        split = lambda t: t.view(1, n, heads, d).transpose(1, 2)
        first = lambda t: split(t)[:, :2, :1024]

        def library(backend):
            def run():
                with sdpa_kernel(backend):
                    return F.scaled_dot_product_attention(split(q), split(k), split(v))
            return run

        def reference():
            return F.scaled_dot_product_attention(first(q).float(), split(k)[:, :2].float(), split(v)[:, :2].float())

        row = Row(4 * heads * n * n * d, "TFLOP/s", reference)
        row.add("phobos", self.kernel(ATTENTION, f"attention_{d}")(Q=q, K=k, V=v, O=mine, scale=d**-0.5), first(mine))
        row.add("torch", library(SDPBackend.CUDNN_ATTENTION))
        return row.add("flash", library(SDPBackend.FLASH_ATTENTION))

    def saxpy(self, n):
        x, y, out = random(n), random(n), poisoned(n)
        again = random(n)
        names = {"x": x, "y": y, "alpha": 1.5}
        return Row(12 * n, "GB/s").add("phobos", self.kernel(EXAMPLES / "saxpy.ph", "saxpy", BLOCK=1024)(**names)) \
            .add("torch", lambda: again.add_(x, alpha=1.5)).triton(lambda: triton_peers.saxpy(x, out))

    def softmax(self, m, n):
        x, mine = random(m, n), poisoned(m, n)
        run = self.kernel(ROWS_PH, "softmax_short")(X=x, Y=mine) if n == 1024 else self.kernel(ROWS_PH, "softmax", C=n)(X=x, Y=mine)
        return Row(8 * m * n, "GB/s", lambda: torch.softmax(x[:1024].double(), 1), 1e-5).add("phobos", run, mine[:1024]) \
            .add("torch", lambda: torch.softmax(x, 1)).triton(lambda: triton_peers.softmax(x))

    def rmsnorm(self, m, n):
        x, g, mine = random(m, n, dtype=f16), random(n, dtype=f16), poisoned(m, n, dtype=f16)
        run = self.kernel(ROWS_PH, "rmsnorm", C=n)(X=x, g=g.view(1, n), Y=mine, eps=1e-6)
        return Row(4 * m * n, "GB/s", lambda: F.rms_norm(x[:1024].float(), (n,), g.float(), 1e-6), 1e-3).add("phobos", run, mine[:1024]) \
            .add("torch", lambda: F.rms_norm(x, (n,), g, 1e-6)).triton(lambda: triton_peers.rmsnorm(x, g))

    def matvec(self, n, k):
        w, x, mine = random(n, k), random(k), poisoned(n, 1)
        run = self.kernel(ROWS_PH, "matvec")(W=w, x=x.view(1, k), y=mine)
        return Row(4 * n * k, "GB/s", lambda: w[:1024].double() @ x.double(), 1e-5).add("phobos", run, mine[:1024, 0]) \
            .add("torch", lambda: torch.mv(w, x)).triton(lambda: triton_peers.matvec(w, x))

    def medians(self, row, samples):
        events = {name: [] for name in row.contestants}
        for sample in range(samples + 3):
            for name, run in row.contestants.items():
                begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                self.wash.fill_(sample)
                begin.record()
                run()
                end.record()
                events[name].append((begin, end))
        torch.cuda.synchronize()
        return {name: statistics.median(b.elapsed_time(e) for b, e in pairs[3:]) for name, pairs in events.items()}

    def sustained(self, row, once):
        times = {name: [] for name in row.contestants}
        for _ in range(3):
            for name, run in row.contestants.items():
                count = max(10, int(100 / once[name]))
                begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                begin.record()
                for _ in range(count):
                    run()
                end.record()
                torch.cuda.synchronize()
                times[name].append(begin.elapsed_time(end) / count)
        return {name: statistics.median(values) for name, values in times.items()}


ROWS = {
    "saxpy 2^28": lambda bench: bench.saxpy(1 << 28),
    "softmax 262144 x 1024": lambda bench: bench.softmax(262144, 1024),
    "softmax 65536 x 4096": lambda bench: bench.softmax(65536, 4096),
    "softmax 16384 x 16384": lambda bench: bench.softmax(16384, 16384),
    "rmsnorm 131072 x 4096": lambda bench: bench.rmsnorm(131072, 4096),
    "matvec 16384 x 16384": lambda bench: bench.matvec(16384, 16384),
}
for name, dtype in (("f16", f16), ("bf16", bf16)):
    for shape in ((2048,) * 3, (4096,) * 3, (8192,) * 3, (16384, 16384, 1024)):
        title = f"gemm {name} " + (str(shape[0]) if shape[0] == shape[2] else "x".join(map(str, shape)))
        ROWS[title] = lambda bench, name=name, shape=shape, dtype=dtype: bench.gemm(f"gemm_{name}", *shape, dtype)
for size in (2048, 4096, 8192):
    ROWS[f"gemm f32 {size}"] = lambda bench, size=size: bench.gemm("gemm_f32", size, size, size, f32)
    ROWS[f"gemm tf32 {size}"] = lambda bench, size=size: bench.gemm("gemm_tf32", size, size, size, f32, tf32=True)
    ROWS[f"gemm i8 {size}"] = lambda bench, size=size: bench.gemm_i8(size)
for d in (64, 128):
    ROWS[f"attention f16 {d} 4096"] = lambda bench, d=d: bench.attention(4, 16, 4096, d)
    ROWS[f"attention f16 {d} 16384"] = lambda bench, d=d: bench.attention(1, 16, 16384, d)


def measure(bench, name, make):
    row = make(bench)
    errors = {who: row.error(who) for who in ("phobos", "torch")}
    if errors["phobos"] is not None and not errors["phobos"] <= row.tolerance:
        print(f"{name}: WRONG, error {errors['phobos']:.2e}, {row.tolerance:.0e} is allowed", flush=True)
        return None
    once = bench.medians(row, 30)
    long = bench.sustained(row, once)
    scale = 1e-6 if row.unit == "GB/s" else 1e-9
    return row.unit, {who: row.work / ms * scale for who, ms in once.items()}, {who: row.work / ms * scale for who, ms in long.items()}, errors


def main():
    bench, wanted, table, failed = Bench(sys.argv[1]), sys.argv[2:], [], 0
    for name, make in ROWS.items():
        if wanted and not any(name.startswith(w) for w in wanted):
            continue
        try:
            measured = measure(bench, name, make)
        except (BuildError, RuntimeError) as problem:
            print(f"{name}: {str(problem)[:400]}", flush=True)
            measured = None
        torch.cuda.empty_cache()
        if not measured:
            failed += 1
            continue
        table.append((name, *measured))
        print(f"{name}: " + ", ".join(f"{who} {rate:.1f}" for who, rate in measured[1].items()), flush=True)
    print(f"\n{'row':28} {'phobos':>8} {'torch':>8} {'other':>8} {'ratio':>6} {'sustained':>9}  {'unit':8} error (torch's)")
    for name, unit, once, long, errors in table:
        ratio = lambda rates: rates["phobos"] / max(rate for who, rate in rates.items() if who != "phobos")
        others = [rate for who, rate in once.items() if who not in ("phobos", "torch")]
        told = " ".join(f"{e:.1e}" for e in errors.values() if e is not None)
        print(f"{name:28} {once['phobos']:8.1f} {once['torch']:8.1f} {max(others, default=0):8.1f} {ratio(once):6.2f} {ratio(long):9.2f}  {unit:8} {told}")
    return failed != 0


sys.exit(main())
