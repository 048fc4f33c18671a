"""A program on a terminal of its own: what it shows, as a person would see it, and keys pressed."""
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time


class Screen:
    """What the control sequences that `phobos` uses make of a screen. An unknown one is an error."""

    def __init__(self, rows, columns):
        self.resize(rows, columns)
        self.other, self.cursor_shown, self.rest = False, True, ""

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        while text:
            if text[0] == "\x1b":
                sequence = re.match(r"\x1b\[([?0-9;]*)([A-Za-z])", text)
                if not sequence:
                    if len(text) < 20:
                        self.rest = text
                        return
                    raise ValueError(f"not a sequence: {text[:20]!r}")
                self.control(*sequence.groups())
                text = text[sequence.end():]
                continue
            self.put(text[0])
            text = text[1:]

    def control(self, words, letter):
        numbers = [int(word) for word in words.strip("?").split(";") if word]
        if letter == "H":
            self.row, self.column = (numbers + [1, 1])[0] - 1, (numbers + [1, 1])[1] - 1
        elif letter == "K":
            self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif letter == "J":
            self.lines = [[" "] * self.columns for _ in range(self.rows)]
        elif letter in "hl" and numbers == [1049]:
            self.other = letter == "h"
        elif letter in "hl" and numbers == [25]:
            self.cursor_shown = letter == "h"
        elif letter not in "hlm":
            raise ValueError(f"unknown: {words}{letter}")

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row = min(self.row + 1, self.rows - 1)
        elif character >= " ":
            if self.column < self.columns and self.row < self.rows:
                self.lines[self.row][self.column] = character
            self.column += 1

    def text(self):
        return ["".join(line).rstrip() for line in self.lines]


class Session:
    def __init__(self, words, folder, rows=40, columns=100, stdin=None):
        self.master, slave = pty.openpty()
        self.screen = Screen(rows, columns)
        self.size(rows, columns)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.written = ""

        def own_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen([str(word) for word in words], cwd=folder, stdin=stdin if stdin is not None else slave, stdout=slave,
                                        stderr=slave, preexec_fn=own_terminal, env={**os.environ, "TERM": "xterm-256color"})

    def size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        self.size(rows, columns)

    def read(self, seconds):
        """Takes what comes within that time; True where something did."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536).decode(errors="replace")
        except OSError as fault:
            if fault.errno != errno.EIO:
                raise
            return False
        self.written += data
        self.screen.feed(data)
        return bool(data)

    def wait_for(self, text, seconds=20):
        """Until the screen shows that; what it shows, as one text."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = "\n".join(self.screen.text())
            if text in shown:
                while self.read(0.05):
                    pass
                return "\n".join(self.screen.text())
            self.read(0.1)
            if self.process.poll() is not None and not self.read(0.1):
                break
        raise AssertionError(f"the screen does not show {text!r}:\n" + "\n".join(self.screen.text()))

    def press(self, keys):
        os.write(self.master, keys.encode())

    def end(self, seconds=20):
        """Its exit status; a signal that ended it is negative."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        while self.read(0.1):
            pass
        if self.process.poll() is None:
            self.process.kill()
            raise AssertionError("it does not end")
        return self.process.returncode

    def settings(self):
        return termios.tcgetattr(self.slave)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
