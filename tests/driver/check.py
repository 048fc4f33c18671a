#!/usr/bin/env python3
"""What goes wrong between the program and the driver, each told apart, and that the next run works: check.py PHOBOS

The driver is tests/driver/stub.c, which PHOBOS_DRIVER names; it computes `add` and fails as PHOBOS_STUB says."""
import json, os, pathlib, shutil, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = """//# run x=iota N=100 y=ones expect out=sum.npy
//# run x=iota N=100 y=ones expect out=sum.npy
kernel add(x: tensor<f32>[N], y: tensor<f32>[N], out: tensor<f32>[N]) {
  let at = ctx.block.x * 256
  out[at :+ 256] = x[at :+ 256] + y[at :+ 256]
}
"""
PRODUCT = """@launch(256)
kernel product(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 128, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc
}
"""
# Arguments, and the calls that they lead to: by bulk copies, with a CTA for each of 132 multiprocessors or for as many rounds as few; or plainly.
PRODUCTS = [
    ("M=4096 N=1600 K=72", ["map 1 2: 4096 x 72, 144 bytes a row, boxes of 128 x 64, swizzle 3", "map 1 2: 72 x 1600, 3200 bytes a row, boxes of 64 x 64, swizzle 3",
                            "map 1 2: 4096 x 1600, 3200 bytes a row, boxes of 64 x 64, swizzle 3", "launch product_bulk 104,1,1 384,1,1 "]),
    ("M=130 N=64 K=8", ["launch product_bulk 2,1,1 384,1,1 "]),
    ("M=130 N=65 K=64", ["launch product 1,2,1 256,1,1 "]),
    ("M=130 N=64 K=0", ["launch product 1,2,1 256,1,1 "]),
]
# Of f32 that may be rounded, which the maps are told.
ROUNDED = ("M=128 N=64 K=32", ["map 11 2: 128 x 32, 128 bytes a row, boxes of 128 x 32, swizzle 3", "map 11 2: 32 x 64, 256 bytes a row, boxes of 32 x 32, swizzle 3", "launch product_bulk 1,1,1 384,1,1 "])
# How a launch fails, and what has to be said of it.
FAILURES = {
    "illegal": "touched memory that is not its own (CUDA_ERROR_ILLEGAL_ADDRESS: as the stub has it)",
    "misaligned": "in a way that the GPU does not allow (CUDA_ERROR_MISALIGNED_ADDRESS",
    "launch": "the GPU cannot start the kernel (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: as the stub has it): 256 threads a CTA",
    "hang": "did not end within 0.3 s; `--timeout` allows more",
    "crash": "the process that runs kernels on the GPU ended unexpectedly",
    "jit": "the driver does not load the compiled kernel: CUDA_ERROR_INVALID_PTX: as the stub has it\nptxas fatal: the stub refuses it",
    "memory": "bytes of GPU memory cannot be had: CUDA_ERROR_OUT_OF_MEMORY",
}


class Check:
    def __init__(self, phobos, folder, stub):
        self.phobos, self.folder, self.stub, self.faults, self.count = phobos, folder, stub, [], 0

    def run(self, *words, stub="", once=None, driver=None, **more):
        env = {**os.environ, **more, "PHOBOS_DRIVER": str(driver or self.stub), "PHOBOS_STUB": stub, "PHOBOS_CACHE_DIR": str(self.folder / "cache"),
               "PHOBOS_STUB_LOG": str(self.folder / "calls")}
        if once:
            once.touch()
            env["PHOBOS_STUB_ONCE"] = str(once)
        return subprocess.run([self.phobos, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=120, env=env)

    def expect(self, name, done, status, *texts):
        self.count += 1
        said = done.stdout + done.stderr
        if done.returncode != status or any(text not in said for text in texts):
            self.faults.append(f"{name}: exit status {done.returncode}, not {status}, or does not say {texts}: {said.strip()}")


def main(phobos):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("skipped: there is no C compiler")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stub = folder / "libcuda.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", ROOT / "tests/driver/stub.c", "-o", stub], check=True, timeout=60)
        check = Check(os.path.abspath(phobos), folder, stub)
        (folder / "add.ph").write_text(KERNEL)
        subprocess.run([check.phobos, "run", "--device", "sim", "add.ph", "x=iota", "N=100", "y=ones", "--out", "out=sum.npy"], cwd=folder, check=True,
                       capture_output=True, timeout=60)
        check.expect("it runs", check.run("test", "--device", "gpu", "add.ph"), 0, "2 passed, 0 failed", "on stub")
        check.expect("it runs without being asked to", check.run("run", "add.ph"), 0, "add on stub: grid 1 x 1 x 1, 256 threads", "ok: as expected")
        check.expect("it runs in one process", check.run("test", "--device", "gpu", "add.ph", PHOBOS_GPU_INLINE="1"), 0, "2 passed, 0 failed", "on stub")
        check.expect("and fails there", check.run("run", "--device", "gpu", "add.ph", stub="illegal", PHOBOS_GPU_INLINE="1"), 1, FAILURES["illegal"])
        check.expect("it is timed", check.run("run", "--bench", "--reps", "4", "add.ph", "x=iota", "N=100", "y=ones"), 0, "median 0.5 ms")
        check.expect("it is compared", check.run("run", "--compare", "sim", "add.ph", "x=iota", "N=100", "y=ones"), 0, "the simulator agrees")
        check.expect("nothing to do", check.run("run", "add.ph", "x=iota", "N=0", "y=ones"), 0, "out: f32[0]")
        check.expect("what is here", check.run("doctor"), 0, "stub, sm_90a, 132 multiprocessors")
        check.expect("no driver", check.run("run", "--device", "gpu", "add.ph", driver="/nonexistent/libcuda.so"), 3, "/nonexistent/libcuda.so cannot be opened")
        check.expect("no driver, and none asked for", check.run("run", "add.ph", driver="/nonexistent/libcuda.so"), 0, "add on simulator")
        check.expect("no GPU", check.run("run", "--device", "gpu", "add.ph", stub="no-device"), 3, "the NVIDIA driver is here, but no GPU")
        check.expect("an old driver", check.run("run", "--device", "gpu", "add.ph", stub="old"), 3, "it offers CUDA 11.4, and 12.0 is the least")
        check.expect("an old chip", check.run("build", "add.ph", stub="chip=75"), 0, ".target sm_75")
        check.expect("a chip that came later", check.run("build", "add.ph", stub="chip=120"), 0, ".target sm_100")
        check.expect("a chip that is too old", check.run("build", "add.ph", stub="chip=70"), 2, "the GPU here is sm_70, and sm_75 is the oldest")
        check.expect("a chip that is none", check.run("build", "--chip", "sm_60", "add.ph"), 2, "`sm_60` is no chip that can be compiled for; sm_75, sm_80,", "and sm_100 are")
        for failure, text in FAILURES.items():
            start = time.monotonic()
            check.expect(failure, check.run("run", "--device", "gpu", "--timeout", "0.3", "add.ph", stub=failure), 1, text)
            done = check.run("test", "--json", "--device", "gpu", "--timeout", "0.3", "add.ph", stub=failure, once=folder / "once")
            check.expect(f"{failure}, then another", done, 1)
            tests = [(t["status"], text in t["message"]) for t in json.loads(done.stdout)["tests"]]
            if tests != [("error", True), ("ok", False)]:
                check.faults.append(f"{failure}, then another: {done.stdout}")
            if time.monotonic() - start > 20:
                check.faults.append(f"{failure}: it took {time.monotonic() - start:.0f} s to find that out")
        (folder / "product.ph").write_text(PRODUCT)
        for arguments, wanted in PRODUCTS:
            (folder / "calls").unlink(missing_ok=True)
            check.expect(arguments, check.run("run", "--device", "gpu", "product.ph", *arguments.split(), "A=ones", "B=ones"), 0)
            calls = (folder / "calls").read_text()
            if any(call not in calls for call in wanted) or calls.count("map ") not in (0, 3) or ("map " in calls) != ("product_bulk" in calls):
                check.faults.append(f"{arguments}: the driver was asked for: {calls}")
        (folder / "rounded.ph").write_text(PRODUCT.replace("f16", "f32").replace("kernel product", "@tensorcore(tf32)\nkernel product").replace("64) {", "32) {").replace(":+ 64", ":+ 32"))
        arguments, wanted = ROUNDED
        (folder / "calls").unlink(missing_ok=True)
        check.expect("f32 as tf32", check.run("run", "--device", "gpu", "rounded.ph", *arguments.split(), "A=ones", "B=ones"), 0)
        if any(call not in (folder / "calls").read_text() for call in wanted):
            check.faults.append(f"f32 as tf32: the driver was asked for: {(folder / 'calls').read_text()}")
        # The cache: found again, under another time limit as well, and not for another chip.
        entries = lambda: sorted(p.name for p in (folder / "cache").glob("*.code"))
        before = entries()
        check.expect("from the cache", check.run("run", "--timeout", "5", "add.ph"), 0, "as expected")
        if not before or entries() != before:
            check.faults.append(f"the cache: {before}, then {entries()}")
        check.expect("another chip", check.run("build", "--chip", "sm_89", "add.ph"), 0, ".target sm_89")
        check.expect("without the cache", check.run("build", "--no-cache", "--chip", "sm_86", "add.ph"), 0, ".target sm_86")
        if len(entries()) != len(before) + 1:
            check.faults.append(f"the cache: {before}, then {entries()}")
        for entry in (folder / "cache").glob("*.code"):
            entry.write_bytes(entry.read_bytes()[:-9])
        check.expect("a damaged cache", check.run("run", "add.ph"), 0, "as expected")
    print("\n".join(check.faults))
    print(f"{check.count} cases, {len(check.faults)} faults")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
