#!/usr/bin/env python3
"""`phobos tune` on a GPU that is none: what is chosen, kept and used, and that a search goes on where it was stopped: tune.py PHOBOS

The driver is tests/driver/stub.c. With `by-grid` a launch takes the longer the further its CTAs along x are from 4; it computes `add`."""
import json, os, pathlib, pty, shutil, signal, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADD = """//# run x=iota N={n} y=ones
@autotune(BLOCK in [64, 128, 256, 512])
kernel add(x: tensor<f32>[N], y: tensor<f32>[N], out: tensor<f32>[N]) {
  let at = ctx.block.x * BLOCK
  out[at :+ BLOCK] = x[at :+ BLOCK] + y[at :+ BLOCK]
}
"""
# 4096 variants: more than are timed before somebody stops it.
LARGE = """//# run x=iota N=1000 y=ones
@autotune(BLOCK in [32, 64, 96, 128, 160, 192, 224, 256], A in [1, 2, 3, 4, 5, 6, 7, 8], B in [1, 2, 3, 4, 5, 6, 7, 8], C in [1, 2, 3, 4, 5, 6, 7, 8])
kernel add(x: tensor<f32>[N], y: tensor<f32>[N], out: tensor<f32>[N]) {
  let _same = A * B * C
  let at = ctx.block.x * BLOCK
  out[at :+ BLOCK] = x[at :+ BLOCK] + y[at :+ BLOCK]
}
"""


def main(phobos):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("skipped: there is no C compiler")
        return 77
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stub = folder / "libcuda.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", ROOT / "tests/driver/stub.c", "-o", stub], check=True, timeout=60)
        environment = {**os.environ, "PHOBOS_DRIVER": str(stub), "PHOBOS_STUB": "by-grid", "PHOBOS_CACHE_DIR": str(folder / "cache")}

        def run(*words, stub="by-grid"):
            return subprocess.run([os.path.abspath(phobos), *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=300,
                                  env={**environment, "PHOBOS_STUB": stub})

        def expect(what, done, status, *texts):
            nonlocal count
            count += 1
            said = done.stdout + done.stderr
            if done.returncode != status or any(text not in said for text in texts):
                faults.append(f"{what}: exit status {done.returncode}, not {status}, or does not say {texts}: {said.strip()[-600:]}")

        def hold(what, is_so, shown):
            nonlocal count
            count += 1
            if not is_so:
                faults.append(f"{what}: {shown}")

        def chosen(*words):
            done = run("run", "add.ph", "--json", *words)
            if done.returncode != 0:
                return done.stderr
            told = json.loads(done.stdout)
            return told["chosen_by"], told["constants"], "estimated_ms" in told

        def number(*words):
            done = run("run", "add.ph", "--json", *words)
            return json.loads(done.stdout).get("tuned") if done.returncode == 0 else done.stderr

        (folder / "add.ph").write_text(ADD.replace("{n}", "1000"))
        expect("nothing is known yet", run("run", "add.ph", "--choose", "first"), 0, "add on stub: grid 16 x 1 x 1")
        by, constants, estimated = chosen()
        hold("by cost, where nothing is known", by == "cost" and constants["BLOCK"] in (64, 128, 256, 512) and estimated, (by, constants))
        expect("and said where it is asked for", run("run", "add.ph", "-v"), 0, f"with BLOCK={constants['BLOCK']}, which of 4 choices should be the fastest: ", "ms by estimate")
        hold("the first", chosen("--choose", "first") == ("default", {"BLOCK": 64}, False), chosen("--choose", "first"))
        hold("what is given", chosen("x=iota", "y=ones", "N=1000", "BLOCK=128") == ("given", {"BLOCK": 128}, False), chosen("x=iota", "y=ones", "N=1000", "BLOCK=128"))
        hold("the first on the simulator", chosen("--device", "sim") == ("default", {"BLOCK": 64}, False), chosen("--device", "sim"))
        by, _, estimated = chosen("--device", "sim", "--choose", "cost")
        hold("by cost on the simulator", by == "cost" and estimated, by)
        expect("tuned", run("tune", "add.ph"), 0, "add on stub: 4 variants, N=1000", "best BLOCK=256: 1 ms, 13.00 times as fast as the default (13 ms)",
               "4 timed", "`phobos run` uses it for such shapes on sm_90a")
        expect("used, and said", run("run", "add.ph"), 0, "add on stub: grid 4 x 1 x 1", "with BLOCK=256, which `phobos tune` found fastest for such a shape")
        hold("used, as JSON", number() == "BLOCK=256", number())
        hold("and by whom", chosen() == ("tuned", {"BLOCK": 256}, False), chosen())
        hold("the first, whatever was tuned", chosen("--choose", "first") == ("default", {"BLOCK": 64}, False), chosen("--choose", "first"))
        hold("not where a constant is given", number("x=iota", "y=ones", "N=1000", "BLOCK=64") is None, number("x=iota", "y=ones", "N=1000", "BLOCK=64"))
        hold("for a shape of the class", number("x=iota", "y=ones", "N=900") == "BLOCK=256", number("x=iota", "y=ones", "N=900"))
        hold("not for another shape", number("x=iota", "y=ones", "N=2000") is None, number("x=iota", "y=ones", "N=2000"))
        hold("not on the simulator", number("--device", "sim") is None, number("--device", "sim"))
        hold("not without the cache", number("--no-cache") is None, number("--no-cache"))
        (folder / "add.ph").write_text("// Another comment.\n" + ADD.replace("{n}", "1000"))
        hold("whatever is said in comments", number() == "BLOCK=256", number())
        (folder / "add.ph").write_text(ADD.replace("{n}", "1000").replace("+ y", "* y"))
        hold("not for another kernel", run("run", "add.ph", "--json").stdout.find("tuned") < 0, run("run", "add.ph", "--json").stdout)

        # The stub adds whatever a kernel of that name says: all variants of another one are wrong.
        expect("what is wrong does not win", run("tune", "add.ph"), 1, "BLOCK=64 is wrong: `out` against the simulator", "no variant could be timed", "4 wrong")
        (folder / "add.ph").write_text(ADD.replace("{n}", "1000"))
        expect("what fails does not win", run("tune", "add.ph", "--fresh", stub="by-grid,illegal"), 1, "BLOCK=64 is wrong: the kernel touched memory", "no variant could be timed")
        document = json.loads(run("tune", "add.ph", "--json").stdout)
        hold("as JSON", document["best"] == {"constants": {"BLOCK": 256}, "ms": 1} and document["default_ms"] == 13 and document["kept"] and not document["estimated"], document)
        hold("every variant is there", sorted(v["ms"] for v in document["variants"]) == [1, 3, 5, 13], document)

        # Constants that are given are not searched, and a winner is of those.
        (folder / "add.ph").write_text(ADD.replace("{n}", "1000").replace("512])", "512], PARTS in [1, 2])").replace("let at", "let _parts = PARTS\n  let at"))
        document = json.loads(run("tune", "add.ph", "--json", "x=iota", "y=ones", "N=1000", "PARTS=2").stdout)
        hold("not what is given", document["space"] == 4 and document["best"]["constants"] == {"BLOCK": 256}, document)
        hold("used with the same", number("x=iota", "y=ones", "N=1000", "PARTS=2") == "BLOCK=256", number("x=iota", "y=ones", "N=1000", "PARTS=2"))
        hold("not with others", number() is None, number())

        # A shape that the simulator would take long for is checked with fewer elements.
        (folder / "add.ph").write_text(ADD.replace("{n}", "25000000"))
        document = json.loads(run("tune", "add.ph", "--json").stdout)
        hold("checked with less", document["checked_with"].startswith("N=") and int(document["checked_with"][2:]) < 25_000_000 and document["best"], document)

        # Stopped, and gone on with.
        (folder / "add.ph").write_text(LARGE)
        process = subprocess.Popen([os.path.abspath(phobos), "tune", "add.ph", "--exhaustive", "--json"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 120
        while not list((folder / "cache").glob("*.tuning")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        stopped = json.loads(out)
        looked_at = len(stopped["variants"])
        hold("stopped", process.returncode == 130 and stopped["status"] == "stopped" and 0 < looked_at < 4096 and not stopped["kept"], (process.returncode, out[-300:], err))
        again = json.loads(run("tune", "add.ph", "--json", "--budget", str(looked_at + 2)).stdout)
        hold("gone on with", again["resumed"] == looked_at and again["status"] == "ok" and again["kept"], {**again, "variants": len(again["variants"])})
        hold("what was timed is not timed again", [v["constants"] for v in again["variants"][:looked_at]] == [v["constants"] for v in stopped["variants"]], "other variants")
        hold("and is done with", not list((folder / "cache").glob("*.tuning")), list((folder / "cache").glob("*.tuning")))

        # On a terminal a line shows how far it has got, and Ctrl-C stops it there.
        ours, theirs = pty.openpty()
        process = subprocess.Popen([os.path.abspath(phobos), "tune", "add.ph", "--exhaustive", "--fresh"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                   stderr=theirs, text=True)
        os.close(theirs)
        shown = ""
        while "of 4096 timed, best BLOCK=" not in shown:
            try:
                shown += os.read(ours, 4096).decode(errors="replace")
            except OSError:  # it has ended
                break
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=120)[0]
        os.close(ours)
        hold("on a terminal", process.returncode == 130 and "of 4096 timed, best BLOCK=" in shown and "(Ctrl-C ends it)" in shown, (process.returncode, shown[-300:]))
        hold("and what it has by then", "best so far BLOCK=" in out, out)

        # Built for a shape: a product's tile as large as the tensor cores like it, and for a small one not so.
        def built(*words):
            done = run("build", ROOT / "examples/gemm.ph", "--emit", "report", "--json", "--chip", "sm_90a", *words)
            report = json.loads(done.stdout)
            return report["chosen_by"], report["constants"], report["threads"], report["bulk"] is not None

        by, constants, threads, bulk = built("M=4096", "N=4096", "K=4096")
        hold("built for a shape", by == "cost" and constants["TM"] * constants["TN"] == threads * 128 and constants["TK"] == 64 and bulk, (by, constants, threads))
        by, constants, threads, _ = built("M=256", "N=256", "K=256")
        hold("built for a small shape", by == "cost" and constants["TM"] * constants["TN"] <= 64 * 128, (by, constants, threads))
        hold("rows that suit no bulk copies", not built("M=4096", "N=4096", "K=4097", "TM=32")[3], built("M=4096", "N=4096", "K=4097", "TM=32"))
        hold("not without all dimensions", built("M=4096", "N=4096")[:2] == ("default", {"THREADS": 128, "TM": 64, "TN": 64, "TK": 32}), built("M=4096", "N=4096"))
        hold("the first for a shape", built("M=4096", "N=4096", "K=4096", "--choose", "first")[0] == "default", built("M=4096", "N=4096", "K=4096", "--choose", "first"))
        hold("what is given for a shape", built("M=4096", "N=4096", "K=4096", "TM=32")[1]["TM"] == 32, built("M=4096", "N=4096", "K=4096", "TM=32"))

        done = subprocess.run([os.path.abspath(phobos), "tune", "add.ph"], cwd=folder, capture_output=True, text=True, timeout=60,
                              env={**environment, "PHOBOS_DRIVER": "/nonexistent/libcuda.so"})
        expect("without a GPU", done, 3, "there is nothing to time", "`--device sim` orders the variants by an estimate")
    print("\n".join(faults))
    print(f"{count} cases, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
