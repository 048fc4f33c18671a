"""The kernels of `peers.py` in Triton, each as its users write it, tuned over the few settings that matter."""
import torch
import triton
import triton.language as tl


@triton.jit
def _saxpy(x, y, alpha, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, alpha * tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def _softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + row + at, inside, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row + at, e / tl.sum(e, 0), inside)


@triton.jit
def _rmsnorm(x, g, y, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + row + at, inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / n + eps)
    tl.store(y + row + at, (v * scale * tl.load(g + at, inside, other=0.0).to(tl.float32)).to(tl.float16), inside)


@triton.jit
def _matvec(w, x, y, k, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, k, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(w + row * k + at, at < k, other=0.0) * tl.load(x + at, at < k, other=0.0)
    tl.store(y + row, tl.sum(total, 0))


def _configs(rows):
    return [triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 8}, num_stages=s, num_warps=w) for m, n, k, s, w in rows]


@triton.autotune(_configs([(128, 256, 64, 3, 8), (128, 128, 64, 4, 8), (128, 128, 64, 3, 4), (128, 128, 32, 4, 4), (128, 64, 32, 4, 4),
                           (64, 128, 32, 4, 4), (64, 64, 32, 3, 4), (128, 128, 16, 3, 8)]), key=["n"])
@triton.jit
def _gemm(a, b, c, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    number = tl.program_id(0)
    rows, columns = tl.cdiv(n, BM), tl.cdiv(n, BN)
    first = number // (GROUP * columns) * GROUP
    height = min(rows - first, GROUP)
    m = (first + number % (GROUP * columns) % height) * BM + tl.arange(0, BM)
    l = number % (GROUP * columns) // height * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    left, right = a + m[:, None] * n + k[None, :], b + k[:, None] * n + l[None, :]
    total = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, n, BK):
        total = tl.dot(tl.load(left), tl.load(right), total, input_precision="ieee")
        left += BK
        right += BK * n
    tl.store(c + m[:, None] * n + l[None, :], total.to(c.dtype.element_ty))


def saxpy(x, y):
    n = x.numel()
    return lambda: _saxpy[(triton.cdiv(n, 2048),)](x, y, 1.5, n, 2048, num_warps=8)


def softmax(x):
    m, n = x.shape
    y = torch.empty_like(x)
    return lambda: _softmax[(m,)](x, y, n, triton.next_power_of_2(n), num_warps=4 if n <= 1024 else 8 if n <= 4096 else 16)


def rmsnorm(x, g):
    m, n = x.shape
    y = torch.empty_like(x)
    return lambda: _rmsnorm[(m,)](x, g, y, n, 1e-6, triton.next_power_of_2(n), num_warps=8)


def matvec(w, x):
    n, k = w.shape
    y = torch.empty(n, device="cuda")
    return lambda: _matvec[(n,)](w, x, y, k, 2048, num_warps=8)


def gemm(a, b):
    n = a.shape[0]
    c = torch.empty_like(a)
    return lambda: _gemm[lambda meta: (triton.cdiv(n, meta["BM"]) * triton.cdiv(n, meta["BN"]),)](a, b, c, n)
