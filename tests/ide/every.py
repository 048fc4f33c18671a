#!/usr/bin/env python3
"""Asks every feature at every token of the kernels of the tree, and of texts that end too early:  every.py PHOBOS [COUNT]

Of each file the text and two that are its beginning, cut off at places that are the same in each run; of all those a sample of COUNT
(150, unless said; all with PHOBOS_DAMAGE=all in the environment). A feature that fails, or that speaks of a place outside of the text,
is a fault (`phobos check --every-feature`).
"""
import os, pathlib, random, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT_ONCE = 40
LARGEST = 20_000  # bytes: a file with more takes too long at every token


def main(program, count="150"):
    paths = [p for folder in ("examples", "tests") for p in sorted((ROOT / folder).rglob("*.ph")) if p.stat().st_size <= LARGEST]
    chosen = random.Random(1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = list(map(str, paths))
        for path in paths:
            text = path.read_bytes()
            for _ in range(2):
                end = chosen.randrange(len(text) + 1)
                beginning = pathlib.Path(folder) / f"{path.stem}-{end}.ph"
                beginning.write_bytes(text[:end])
                files.append(str(beginning))
        if os.environ.get("PHOBOS_DAMAGE") != "all":
            files = chosen.sample(files, min(int(count), len(files)))
        for first in range(0, len(files), AT_ONCE):
            done = subprocess.run([program, "check", "--every-feature", "-q", *files[first:first + AT_ONCE]], capture_output=True, text=True, timeout=600)
            if done.returncode:
                failed += 1
                print(f"ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
    print(f"{len(files)} texts, {failed} faults")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
