#!/usr/bin/env python3
"""Holds `phobos tune` against an exhaustive search on the GPU:  tune.py PHOBOS [gemm] [attention]

Each search has a cache of its own, so that neither compiles what the other did. A line for each kernel: variants, the best of both
searches by the times of the exhaustive one, and what both took. What is wanted: within 2 % of the best, in a tenth of the time."""
import json, os, pathlib, re, subprocess, sys, tempfile, time

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
KERNELS = {
    "gemm": ("gemm.ph", "@autotune(THREADS in [128], TM in [64, 32, 96, 128, 160, 192, 256], TN in [64, 32, 96, 128, 160, 192, 256], TK in [32, 16, 64, 96, 128])",
             ["M=4096", "N=4096", "K=4096", "A=randn:1", "B=randn:2", "bias=randn:3"]),
    "attention": ("attention.ph", "@autotune(THREADS in [128], D in [64], BR in [64, 16, 32, 48, 80, 96, 112, 128, 160, 192, 224, 256], BC in [32, 16, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256])",
                  ["N=4096", "HD=1024", "Q=randn:1", "K=randn:2", "V=randn:3", "scale=0.125"]),
}


def tune(phobos, file, words, folder, *options):
    began = time.monotonic()
    done = subprocess.run([phobos, "tune", str(file), *words, "--json", "--fresh", "--device", "gpu", *options], capture_output=True, text=True,
                          env={**os.environ, "PHOBOS_CACHE_DIR": str(folder)})
    took = time.monotonic() - began
    try:
        result = json.loads(done.stdout)
        result["best"]["constants"]
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{file.name}: {(done.stderr or done.stdout).strip()[:600]}")
    return result, took


def main(phobos, *names):
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for kernel in names or KERNELS:
            source, choices, words = KERNELS[kernel]
            text = (EXAMPLES / source).read_text()
            text, replaced = re.subn(r"^@autotune\(.*\)$", choices, text, flags=re.MULTILINE)
            assert replaced == 1, source
            file = pathlib.Path(name) / source
            file.write_text(text)
            searched, quick = tune(phobos, file, words, pathlib.Path(name) / f"{kernel}-search")
            print(f"{kernel}: {searched['best']} in {quick:.0f} s; {sum(v['status'] == 'timed' for v in searched['variants'])} of {searched['space']} timed", flush=True)
            whole, slow = tune(phobos, file, words, pathlib.Path(name) / f"{kernel}-all", "--exhaustive")
            times = {json.dumps(v["constants"]): v["ms"] for v in whole["variants"] if v["status"] == "timed"}
            found = times.get(json.dumps(searched["best"]["constants"]))
            statuses = {status: sum(v["status"] == status for v in whole["variants"]) for status in ("timed", "refused", "wrong", "failed")}
            print(f"{kernel}, exhaustive: {whole['best']} in {slow:.0f} s; {statuses}", flush=True)
            wrong = [v for v in whole["variants"] if v["status"] in ("wrong", "failed")]
            for variant in wrong[:5]:
                print(f"  {variant['constants']}: {variant['status']}: {variant['why']}")
            best = min(times.values())
            rows.append((kernel, whole["space"], len(times), whole["default_ms"], best, found, found / best if found else None, quick, slow, quick / slow))
    print("\nkernel      space  timed  default ms  best ms  found ms  found/best  search s  exhaustive s  share")
    for kernel, space, timed, usual, best, found, ratio, quick, slow, share in rows:
        print(f"{kernel:<10} {space:>6} {timed:>6} {usual or 0:>11.4f} {best:>8.4f} {found or 0:>9.4f} {ratio or 0:>11.3f} {quick:>9.1f} {slow:>13.1f} {share:>6.3f}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or any(name not in KERNELS for name in sys.argv[2:]):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
