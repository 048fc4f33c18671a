#!/usr/bin/env python3
"""helix.py PHOBOS FILE: Helix on a terminal (tmux), with the configuration that docs/editors.md gives: it attaches, shows the error, hovers, and the error goes as the text is mended.

PHOBOS_HELIX names the program, else it is `hx`, or `helix`. Exit status 77: it, or tmux, is not to be had here.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def documented():
    """The block of docs/editors.md that is Helix's languages.toml."""
    page = (ROOT / "docs/editors.md").read_text()
    return re.search(r"^## Helix\n.*?```toml\n(.*?)```", page, re.S | re.M)[1]


class Terminal:
    def __init__(self, folder, command, environment):
        self.tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        words = [f"{name}={value}" for name, value in environment.items()]
        subprocess.run([*self.tmux, "new-session", "-d", "-x", "150", "-y", "50", "--", "env", *words, *command], check=True)

    def keys(self, *keys):
        subprocess.run([*self.tmux, "send-keys", *keys], check=True)

    def type(self, text):
        subprocess.run([*self.tmux, "send-keys", "-l", text], check=True)

    def shown(self):
        return subprocess.run([*self.tmux, "capture-pane", "-p"], capture_output=True, text=True).stdout

    def wait(self, what, done):
        end = time.monotonic() + 20
        while not done(self.shown()):
            if time.monotonic() > end:
                raise AssertionError(f"waited for {what}:\n{self.shown()}")
            time.sleep(0.05)

    def end(self):
        subprocess.run([*self.tmux, "kill-server"], stderr=subprocess.DEVNULL)


def main():
    helix = os.environ.get("PHOBOS_HELIX") or shutil.which("hx") or shutil.which("helix")
    if not helix or not shutil.which("tmux"):
        print("editors: Helix and tmux are needed", file=sys.stderr)
        return 77
    program, file = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/phobos").symlink_to(program)
        (folder / "config/helix").mkdir(parents=True)
        (folder / "config/helix/languages.toml").write_text(documented())
        (folder / "config/helix/config.toml").write_text("")
        environment = {"HOME": name, "XDG_CONFIG_HOME": f"{name}/config", "XDG_CACHE_HOME": f"{name}/cache", "PATH": f"{name}/bin:{os.environ['PATH']}", "TERM": "screen"}
        terminal = Terminal(folder, [helix, file], environment)
        try:
            terminal.wait("the text", lambda shown: "barrier()" in shown)
            # The message stands beside the error once the cursor is on it.
            terminal.wait("the error's mark", lambda shown: "● 1" in shown)
            terminal.type("]d")
            terminal.wait("the error's message", lambda shown: "PH0301" in shown)
            terminal.type("gg/lane")
            terminal.keys("Enter")
            terminal.type(" k")
            terminal.wait("the hover", lambda shown: "varying" in shown)
            terminal.keys("Escape")
            terminal.type("gg/lane == 0")
            terminal.keys("Enter")
            terminal.type("ctrue")
            terminal.keys("Escape")
            terminal.wait("the error to go", lambda shown: "● 1" not in shown)
            terminal.type(":q!")
            terminal.keys("Enter")
        finally:
            terminal.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
