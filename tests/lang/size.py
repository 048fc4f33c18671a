#!/usr/bin/env python3
"""Checks that checking takes time linear in the size of a kernel:  size.py PHOBOS

Each shape of kernel is checked at 12,500 and at 50,000 parts. Processor time counts, so that a busy machine does not matter; four times
the size may take at most eight times the time, of which the first tenth of a second is for nothing. A chain of functions that each
call the one before twice is refused at once."""
import resource, subprocess, sys, tempfile, pathlib

HEAD = "@launch(64)\nkernel k(A: tensor<f32>[1, 64], O: tensor<f32>[1, 64], n: i32) {\n"


def shape(first, each, last):
    return lambda count: HEAD + first + "".join(each(i) for i in range(count)) + last + "}\n"


SHAPES = {
    "assignments": shape("  var x = 0\n", lambda i: f"  x = x + {i % 7}\n", "  O[0, 0] = f32(x)\n"),
    "lets, each used by the next": shape("  let x0 = ctx.thread\n", lambda i: f"  let x{i + 1} = x{i} + 1\n", "  O[0, 0] = 1.0\n"),
    "blocks": shape("", lambda i: f"  if n > {i} {{ let x = n + {i}; O[0, x] = 1.0 }}\n", ""),
    "ways out": shape("", lambda i: f"  if ctx.thread == {i} {{ return }}\n", "  O[0, ctx.thread] = 1.0\n"),
    "ways out of a loop": shape("  while n > 0 {\n", lambda i: f"  if ctx.thread == {i} {{ break }}\n", "  }\n"),
    "unknown names": shape("", lambda i: f"  let y{i} = nn{i} + 1\n", ""),
    "names that nobody uses": shape("", lambda i: f"  let x{i} = n + {i}\n", ""),
    "reads with no barrier": shape("  var t: tile<f32>[1, 64] = 0.0\n", lambda i: f"  t[0, ctx.thread] = {i}.0\n  O[0 :+ 1, :] = t\n", ""),
    "operations out of reach": shape("", lambda i: f"  if ctx.lane == {i} {{\n    barrier()\n  }}\n", ""),
    "tiles": shape("", lambda i: f"  var t{i}: tile<f32>[1, 64] = 0.0\n  t{i}[0, ctx.thread] = 1.0\n  barrier()\n  O[0 :+ 1, :] = t{i}\n", ""),
    "collectives on a right side": shape("", lambda i: f"  let _b{i} = ctx.lane == {i} && any<over ctx.lane>(A[0, ctx.thread] > {i}.0)\n", ""),
    "subscripts that leave an axis out": shape("", lambda i: f"  O[ctx.thread + {i}] = A[ctx.thread + {i}]\n", ""),
    "dimensions passed": lambda count: "kernel k(" + ", ".join(f"x{i}: tensor<f32>[N{i}], N{i}: i32" for i in range(count)) + ") { }\n",
    "parameters without a type": lambda count: "kernel k(" + ", ".join(f"x{i}" for i in range(count)) + ") { }\n",
}


def check(program, text):
    """Seconds of processor time, and what is printed."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.ph"
        path.write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "check", "-q", path], capture_output=True, text=True, timeout=300)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"`check` ended with {done.returncode}: {done.stderr[:300]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main(program):
    faults = []
    for name, text in SHAPES.items():
        small, large = check(program, text(12500))[0], check(program, text(50000))[0]
        if large > 8 * max(small, 0.1):
            faults.append(f"{name}: {small:.2f} s for 12,500 and {large:.2f} s for 50,000")
    chain = "fn f0(a: f32) -> f32 { return a * 2.0 }\n" + "".join(
        f"fn f{i}(a: f32) -> f32 {{ return f{i - 1}(a) + f{i - 1}(a) }}\n" for i in range(1, 41))
    seconds, said = check(program, chain + "kernel k(O: tensor<f32>[8]) {\n  O[0] = f40(1.0)\n}\n")
    if seconds > 1.0 or said.count(" error: ") != 1 or "too large to analyse" not in said:
        faults.append(f"a chain of functions: {seconds:.2f} s and {said[:300]}")
    print("\n".join(faults + [f"{len(SHAPES) + 1} shapes, {len(faults)} faults"]))
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
