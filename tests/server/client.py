"""A client of the language server in a process of its own: bytes over pipes, and nothing that a library would smooth over."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

PATIENCE = 120  # seconds for what must come; a machine may be busy


class Server:
    def __init__(self, program, *words, env=None, read=True, by=()):
        """`by`: a command that becomes the server."""
        self.process = subprocess.Popen([*by, program, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **(env or {})})
        self.messages, self.kept, self.next_id, self.said = queue.Queue(), [], 1, []
        threading.Thread(target=self._read_errors, daemon=True).start()
        if read:
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                return self.messages.put(None)
            self.messages.put(json.loads(stream.read(length)))

    def _read_errors(self):
        for line in self.process.stderr:
            self.said.append(line.decode(errors="replace"))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def begin(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def wait(self, wanted):
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        end = time.monotonic() + PATIENCE
        while True:
            message = self.messages.get(timeout=max(0.01, end - time.monotonic()))
            if message is None:
                raise AssertionError("the server ended: " + "".join(self.said))
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, number):
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def request(self, method, params):
        reply = self.answer(self.begin(method, params))
        if "error" in reply:
            raise AssertionError(f"{method}: {reply['error']}")
        return reply["result"]

    def notification(self, method, wanted=lambda params: True):
        return self.wait(lambda message: message.get("method") == method and wanted(message["params"]))["params"]

    def initialize(self, capabilities=None, versions=True, **more):
        """`versions`: each version of a text has its diagnostics, even where they are those of the version before."""
        capabilities = dict(capabilities or {})
        if versions:
            capabilities["textDocument"] = {"publishDiagnostics": {"versionSupport": True}, **capabilities.get("textDocument", {})}
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities, **more})
        self.notify("initialized", {})
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "phobos", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})

    def diagnostics(self, uri, version):
        return self.notification("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p.get("version") == version)["diagnostics"]

    def end(self):
        """The exit status after an orderly end."""
        self.request("shutdown", None)
        self.send({"method": "exit"})
        return self.process.wait(PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def workers(self):
        """The processes that run kernels for this server."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return sorted(int(child) for path in children for child in path.read_text().split())


def place(line, character):
    return {"line": line, "character": character}


def span(line, begin, end_line, end):
    return {"start": place(line, begin), "end": place(end_line, end)}


def document(uri, version=None):
    return {"textDocument": {"uri": uri, **({} if version is None else {"version": version})}}


def check(condition, message=""):
    if not condition:
        raise AssertionError(message)


def run_cases(cases, *arguments):
    """Runs each function; the exit status. One that could not be tried says so by what it returns."""
    failed = 0
    for case in cases:
        try:
            skipped = case(*arguments)
            print(f"ok     {case.__doc__}" if skipped is None else f"       {case.__doc__}: {skipped}", flush=True)
        except Exception as fault:  # noqa: BLE001: each is a failure of the case
            failed += 1
            print(f"FAILED {case.__doc__}\n       {type(fault).__name__}: {fault}", flush=True)
    return 1 if failed else 0
