#!/usr/bin/env python3
"""`--checked`: checked.py PHOBOS

Kernels with an access outside of a tensor, on the emulator, with indices tested as on the GPU: what is told is what the simulator
tells, place, index and extent. And kernels that are right stay right."""
import json, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MORE = {
    "a load": "kernel k(x: tensor<f32>[M, N], y: tensor<f32>[M, N]) { y[0, ctx.thread] = x[ctx.thread, 1] }",
    "a store": "kernel k(x: tensor<f32>[M, N], y: tensor<f32>[M, N]) { y[ctx.thread, ctx.block.x] = x[0, 0] }",
    "before the start": "kernel k(x: tensor<f32>[M, N], y: tensor<f32>[M, N]) { y[0, 0] = x[0, i32(ctx.block.x) - 1] }",
    "an atomic": "kernel k(c: tensor<i32>[N], x: tensor<f32>[M, N]) { if x[0, 0] >= 0.0 { atomic_add(c, N, 1) } }",
    "a tile's element": "kernel k(x: tensor<f32>[M, N], y: tensor<f32>[M, N]) {\n  var t: tile<f32>[4, 8] = 0.0\n  let v = elem(t, ctx.thread)\n  y[0, 0] = v\n}",
    "in a function": "fn get(x: tensor<f32>[M, N], i: i32) -> f32 { return x[i, 0] }\nkernel k(x: tensor<f32>[M, N], y: tensor<f32>[M, N]) { y[0, 0] = get(x, 70) }",
}


def diagnostics(phobos, folder, *words):
    done = subprocess.run([phobos, "run", "--json", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    return [(d["range"]["start"]["line"], d["code"], re.sub(r" \(block.*", "", d["message"]), bool(re.search(r"\(block \(\d+, \d+, \d+\), thread \d+\)", d["message"])))
            for d in report["diagnostics"] if d["severity"] == 1], done.returncode


def main(phobos):
    phobos = os.path.abspath(phobos)
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for name, text in MORE.items():
            path = pathlib.Path(folder, name.replace(" ", "_").replace("'", "") + ".ph")
            path.write_text("@launch(64)\n".join(re.split(r"(?=kernel k)", text)) + "\n")
            cases.append((name, path, ["x=ones", "M=8", "N=64", *(["c=zeros"] if "c:" in text else []), "--grid", "2"]))
        for path in sorted((ROOT / "tests/run/bugs").glob("*.ph")):
            for line in re.findall(r"//# run (.*) expect-error \"[^\"]*(?:past the end|before the start)", path.read_text()):
                if "--kernel" not in line and len(re.findall(r"^kernel ", path.read_text(), re.M)) == 1:
                    cases.append((path.name, path, line.replace("--device sim", "").split()))
        for name, path, words in cases:
            count += 1
            expected, _ = diagnostics(phobos, path.parent, "--device", "sim", path, *words)
            found, status = diagnostics(phobos, path.parent, "--device", "emulate", "--checked", path, *words)
            # Which of the threads that are outside comes first differs, and with it the index, where that depends on the thread.
            known = [(line, code, re.sub(r"index -?\d+", "index …", message), thread) for line, code, message, thread in expected]
            told = [(line, code, re.sub(r"index -?\d+", "index …", message), thread) for line, code, message, thread in found]
            if status != 1 or not known or told != known[:1] or "PH0601" != told[0][1]:
                faults.append(f"{name}: the simulator finds {expected}, the checked code {found} (exit status {status})")
    right = [*sorted((ROOT / "examples").glob("*.ph")), *sorted((ROOT / "tests/run").glob("*.ph"))]
    done = subprocess.run([phobos, "test", "--device", "emulate", "--checked", *map(str, right)], capture_output=True, text=True, timeout=500)
    if done.returncode or " 0 failed" not in done.stdout:
        faults.append(f"kernels that are right: {done.stdout}{done.stderr}")
    print("\n".join(faults))
    print(f"{count} kernels with an access outside, {len(faults)} faults")
    return 1 if faults or count < len(MORE) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
