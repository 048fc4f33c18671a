#!/usr/bin/env python3
"""robust.py PHOBOS [SEED SESSIONS]: what clients do wrong, and what becomes of a server whose client goes away; and random sessions,
held against a model of the text."""
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import PATIENCE, Server, check, document, place, run_cases, span  # noqa: E402

URI = "file:///tmp/k.ph"
WRONG = "kernel k(x: tensor<f32>[N]) {\n  if ctx.lane == 0 {\n    barrier()\n  }\n  x[ctx.thread] = 1.0\n}\n"
RIGHT = WRONG.replace("ctx.lane", "ctx.block.x")


def started(program, capabilities=None, **more):
    server = Server(program)
    server.initialize(capabilities, **more)
    return server


def registers(program):
    """what is registered is registered after `initialized`, only with who takes it, and a refusal changes nothing"""
    server = Server(program)
    able = {"workspace": {"didChangeConfiguration": {"dynamicRegistration": True}, "didChangeWatchedFiles": {"dynamicRegistration": True},
                          "configuration": True}}
    server.request("initialize", {"capabilities": able})
    server.request("phobos/status", None)
    check(not server.kept, server.kept)
    server.notify("initialized", {})
    for _ in range(2):
        asked = server.wait(lambda message: message.get("method") == "client/registerCapability")
        check(asked["params"]["registrations"][0]["method"].startswith("workspace/didChange"))
        server.send({"id": asked["id"], "error": {"code": -32601, "message": "no"}})
    asked = server.wait(lambda message: message.get("method") == "workspace/configuration")
    server.send({"id": asked["id"], "result": [{"diagnostics": {"PH0301": "off"}}]})
    server.request("phobos/status", None)
    server.open(URI, WRONG)
    check(server.diagnostics(URI, 1) == [])
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    asked = server.wait(lambda message: message.get("method") == "workspace/configuration")
    server.send({"id": asked["id"], "result": [{}]})
    check(len(server.diagnostics(URI, 1)) == 1)
    check(server.end() == 0)
    server = started(program)
    server.request("phobos/status", None)
    check(not server.kept, "nothing is asked of a client that cannot")
    check(server.end() == 0)


def settings(program):
    """a diagnostic is silenced, and its level set, without a new start"""
    server = started(program, initializationOptions={"phobos": {"diagnostics": {"PH0301": "hint"}}})
    server.open(URI, WRONG)
    check(server.diagnostics(URI, 1)[0]["severity"] == 4)
    for level, severity in (("warning", 2), ("information", 3), ("error", 1)):
        server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": {"diagnostics": {"PH0301": level}}}})
        check(server.diagnostics(URI, 1)[0]["severity"] == severity)
    server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": {"diagnostics.PH0301": "off"}}})
    check(server.diagnostics(URI, 1) == [])
    server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": {"diagnostics": {"PH0301": 7}, "nosuch": []}}})
    check(server.diagnostics(URI, 1)[0]["severity"] == 1)
    check(server.end() == 0)


def pulled(program):
    """diagnostics that are pulled are not pushed; what the client has is not told again"""
    server = started(program, {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}})
    server.open(URI, WRONG)
    server.open("untitled:two", RIGHT)
    report = server.request("textDocument/diagnostic", document(URI))
    check(report["kind"] == "full" and [each["code"] for each in report["items"]] == ["PH0301"], report)
    again = server.request("textDocument/diagnostic", {**document(URI), "previousResultId": report["resultId"]})
    check(again == {"kind": "unchanged", "resultId": report["resultId"]}, again)
    everything = server.request("workspace/diagnostic", {"previousResultIds": [{"uri": URI, "value": report["resultId"]}]})["items"]
    check({(each["uri"], each["kind"]) for each in everything} == {(URI, "unchanged"), ("untitled:two", "full")}, everything)
    server.change(URI, 2, {"text": RIGHT})
    check(server.request("textDocument/diagnostic", {**document(URI), "previousResultId": report["resultId"]})["items"] == [])
    check(server.request("textDocument/diagnostic", document("file:///not/open.ph"))["items"] == [])
    server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": {"diagnostics": {"PH0301": "off"}}}})
    server.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    server.notify("textDocument/didClose", document(URI))
    check(server.end() == 0)
    check(not any(message.get("method") == "textDocument/publishDiagnostics" for message in server.kept), "both at once")


def folders_and_files(program):
    """folders come and go, and files of any scheme change"""
    server = started(program, workspaceFolders=[{"uri": "file:///a", "name": "a"}])
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": "file:///b", "name": "b"}], "removed": [{"uri": "file:///a", "name": "a"}]}})
    changes = [{"uri": uri, "type": kind} for uri in (URI, "git:/k.ph?x", "nosuch", "", "vscode-vfs://x/y.ph") for kind in (1, 2, 3, 9)]
    server.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    for params in (None, {}, {"changes": None}, {"changes": [None, 1, {"uri": 3}]}, {"event": {}}, {"event": 1}, []):
        server.notify("workspace/didChangeWatchedFiles", params)
        server.notify("workspace/didChangeWorkspaceFolders", params)
        server.notify("workspace/didChangeConfiguration", params)
        server.notify("window/workDoneProgress/cancel", params)
    server.open("git:/k.ph?%7B%22ref%22%7D", WRONG)
    server.open(URI, WRONG)
    check(len(server.diagnostics(URI, 1)) == 1)
    check(not any(message.get("params", {}).get("uri", "").startswith("git:") for message in server.kept))
    check(not any(message.get("method") == "window/showMessage" for message in server.kept), "a popup")
    check(server.end() == 0)


def names(program):
    """a document keeps the client's own spelling of its name"""
    server = started(program)
    for uri in ("file:///a%20b%23c%3Fd%25e.ph", "file:///C%3A/x.ph", "untitled:Untitled-1", "file:///tmp/%E2%82%AC.ph", "custom://x/y?z#w"):
        server.open(uri, WRONG)
        found = server.diagnostics(uri, 1)
        check(found[0]["relatedInformation"][0]["location"]["uri"] == uri)
        check(server.request("textDocument/hover", {**document(uri), "position": place(1, 8)}) is not None)
        server.notify("textDocument/didClose", document(uri))
        check(server.notification("textDocument/publishDiagnostics")["diagnostics"] == [])
    check(server.end() == 0)


def explained(program):
    """the whole reason of a value, as a tree"""
    server = started(program)
    server.open(URI, "kernel k(x: tensor<f32>[N]) {\n  let a = ctx.lane\n  let b = ctx.warp\n  let c = a * 2 + b\n  if c == 0 {\n    x[c] = 1.0\n  }\n}\n")
    tree = server.request("phobos/explain", {**document(URI), "position": place(3, 16)})
    check(tree["kind"] == "varying" and tree["message"].startswith("`a * 2 + b`"), tree)
    parts = [each["message"] for each in tree["because"]]
    check(parts == ["`a * 2` is varying", "`b` is warp-uniform"], parts)
    leaf = tree["because"][0]
    while leaf["because"]:
        check(leaf["message"] and leaf["location"]["uri"] == URI)
        leaf = leaf["because"][0]
    check(leaf["location"]["range"] == span(1, 10, 1, 18), leaf)
    under = server.request("phobos/explain", {**document(URI), "position": place(5, 6)})
    check(under["control"] == "varying" and under["controlBecause"], under)
    check(server.request("phobos/explain", {**document(URI), "position": place(7, 0)}) is None)
    check(server.end() == 0)


def cut_off(program):
    """a stream that ends, wherever it is cut, ends the server, and nothing of half a message is done"""
    whole = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
    session = b"Content-Length: %d\r\n\r\n" % len(whole) + whole
    for cut in (0, 5, 17, 21, 22, len(session) - 1):
        done = subprocess.run([program, "lsp"], input=session[:cut], capture_output=True, timeout=PATIENCE)
        check((done.returncode, done.stdout) == (1, b""), (cut, done))


def closed_pipes(program):
    """a client that reads no more, or closes its ends, ends the server"""
    server = Server(program, read=False)
    server.process.stdout.close()
    server.send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
    check(server.process.wait(PATIENCE) == 1)
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(["sh", "-c", f'exec "$0" lsp {closed} ', program], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        check(done.returncode == 1, (closed, done))


def never_reads(program):
    """a client that writes and never reads neither blocks the server, nor lets it grow, nor keeps it from ending"""
    server = Server(program, read=False)
    server.send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
    server.notify("initialized", {})
    many = "".join(WRONG.replace(" k(", f" k{i}(") for i in range(100))
    server.open(URI, many)
    for version in range(2, 1500):  # each with a list of some 60 kB that nobody reads
        server.change(URI, version, {"range": span(0, 0, 0, 0), "text": "\n"})
    pages = int(pathlib.Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    check(pages * os.sysconf("SC_PAGE_SIZE") < 150 << 20, f"{pages} pages")
    server.send({"id": 2, "method": "shutdown", "params": None})
    server.send({"method": "exit"})
    check(server.process.wait(PATIENCE) == 0)


def over_tcp(program):
    """TCP on this machine; other addresses only when that is allowed, with a warning"""
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0"):
        done = subprocess.run([program, "lsp", "--listen", address], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode == 2 and "--allow-remote" in done.stderr, done)
    for address in ("nosuchport", "", "1:2:3", "127.0.0.1:99999"):
        check(subprocess.run([program, "lsp", "--listen", address], capture_output=True, timeout=PATIENCE).returncode in (1, 2), address)
    for words, warned in ((["0"], False), (["127.0.0.1:0"], False), (["localhost:0"], False), (["0.0.0.0:0", "--allow-remote"], True)):
        server = subprocess.Popen([program, "lsp", "--listen", *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = server.stderr.readline()
        if warned:
            check("warning" in line, line)
            line = server.stderr.readline()
        client = socket.create_connection(("127.0.0.1", int(re.search(r"port (\d+)", line)[1])), timeout=PATIENCE)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        client.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        check(client.recv(15) == b"Content-Length:")
        client.close()
        check(server.wait(PATIENCE) == 1)
        server.stdout.close(), server.stderr.close()


def large(program):
    """a file of 6 MB is answered, and its text stays right"""
    server = started(program)
    text = "".join(RIGHT.replace(" k(", f" k{i}(") for i in range(60000))
    server.open(URI, text)
    server.change(URI, 2, {"range": span(0, 0, 0, 0), "text": WRONG})
    check([each["code"] for each in server.diagnostics(URI, 2)][:1] == ["PH0301"])
    check(server.request("textDocument/hover", {**document(URI), "position": place(1, 8)}) is not None)
    server.notify("textDocument/didSave", {**document(URI), "text": WRONG + text})
    server.request("phobos/status", None)
    check(not any(message.get("method") == "window/logMessage" for message in server.kept), server.kept[:1])
    check(server.end() == 0)


def recorded(program):
    """a session is recorded without the user's words, and runs again"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "session"
        secret = WRONG.replace("x", "secret_tensor").replace("kernel k", "// My secret comment\nkernel hidden")
        for words, kept in (([], False), (["--with-sources"], True)):
            server = Server(program, "--record", str(path), *words)
            server.initialize()
            server.open("file:///home/me/secret.ph", secret)
            found = server.diagnostics("file:///home/me/secret.ph", 1)
            server.request("textDocument/documentSymbol", document("file:///home/me/secret.ph"))
            check(server.end() == 0)
            check(("secret" in path.read_text()) == kept and ("home/me" in path.read_text()) == kept, path.read_text())
            done = subprocess.run([program, "lsp", "--replay", str(path)], capture_output=True, text=True, timeout=PATIENCE)
            said = [json.loads(line) for line in done.stdout.splitlines()]
            again = [each["params"]["diagnostics"] for each in said if each.get("method") == "textDocument/publishDiagnostics"]
            check([[each["code"] for each in list_] for list_ in again] == [[each["code"] for each in found]], done)
            check(again[0][0]["range"] == found[0]["range"], again)
            check([each["id"] for each in said if "id" in each] == [2, 3, 4], said)
        check(subprocess.run([program, "lsp", "--replay", folder + "/nosuch"], capture_output=True, timeout=PATIENCE).returncode == 2)


# --- random sessions ---

PIECES = ["\n", "\r\n", "\r", "a", "é", "漢", "😀", "{", "}", "kernel k() {\n}\n", "  let x = ctx.lane\n", "//", "/*", "*/", '"', "\t", " ", "if x {\n"]


class Model:
    """A text as the protocol means it: lines end at LF, CRLF or CR, columns count in the encoding."""

    def __init__(self, text, encoding):
        self.text, self.encoding = text, encoding

    def width(self, letter):
        if self.encoding == "utf-8":
            return len(letter.encode())
        return len(letter.encode("utf-16-le")) // 2 if self.encoding == "utf-16" else 1

    def place(self, offset):
        before = self.text[:offset]
        ends = [match.end() for match in re.finditer(r"\r\n|\n|\r", self.text) if match.end() <= offset]
        start = ends[-1] if ends else 0
        return place(len(ends), sum(map(self.width, before[start:])))


def random_session(program, seed):
    chance = random.Random(seed)
    encoding = chance.choice(["utf-8", "utf-16", "utf-32"])
    server = started(program, {"general": {"positionEncodings": [encoding]}, "textDocument": {"publishDiagnostics": {"versionSupport": True}}})
    models, versions, asked, cancelled = {}, {}, [], set()
    uris = ["file:///a.ph", "untitled:b", "file:///c%20d.ph"]
    methods = ["hover", "codeLens", "documentSymbol", "codeAction", "semanticTokens/full", "foldingRange", "inlayHint", "completion", "references"]
    for _ in range(chance.randrange(50, 200)):
        uri = chance.choice(uris)
        what = chance.random()
        if uri not in models:
            models[uri] = Model("".join(chance.choices(PIECES + [WRONG, RIGHT], k=chance.randrange(20))), encoding)
            versions[uri] = versions.get(uri, 0) + 1
            server.open(uri, models[uri].text, versions[uri])
        elif what < 0.6:
            model, changes = models[uri], []
            for _ in range(chance.randrange(1, 4)):
                begin = chance.randrange(len(model.text) + 1)
                end = min(len(model.text), begin + chance.choice([0, 0, 1, 3, 20]))
                # Between CR and LF there is no place that has a line and a column.
                while 0 < begin < len(model.text) and model.text[begin - 1:begin + 1] == "\r\n":
                    begin -= 1
                while 0 < end < len(model.text) and model.text[end - 1:end + 1] == "\r\n":
                    end += 1
                new = "".join(chance.choices(PIECES, k=chance.randrange(3)))
                if chance.random() < 0.05:
                    changes.append({"text": new})
                    model.text = new
                else:
                    changes.append({"range": {"start": model.place(begin), "end": model.place(end)}, "text": new})
                    model.text = model.text[:begin] + new + model.text[end:]
            versions[uri] += chance.choice([1, 1, 1, 5])
            server.change(uri, versions[uri], *changes)
        elif what < 0.9:
            line = chance.randrange(12)
            params = {**document(uri), "position": place(line, chance.randrange(30)), "range": span(0, 0, line, 3), "context": {"diagnostics": [], "includeDeclaration": True}}
            asked.append(server.begin("textDocument/" + chance.choice(methods), params))
            if chance.random() < 0.2:
                cancelled.add(asked[-1])
                server.notify("$/cancelRequest", {"id": asked[-1]})
        elif what < 0.95:
            del models[uri]
            server.notify("textDocument/didClose", document(uri))
        else:
            server.notify("textDocument/didSave", {**document(uri), "text": models[uri].text})
    for number in asked:
        reply = server.answer(number)
        fit = "result" in reply or reply["error"]["code"] in (-32601, -32801) or (number in cancelled and reply["error"]["code"] == -32800)
        check(fit, f"seed {seed}: {reply}")
    for uri, model in models.items():
        server.change(uri, versions[uri] + 1)
        server.diagnostics(uri, versions[uri] + 1)
        server.notify("textDocument/didSave", {**document(uri), "text": model.text})
    server.request("phobos/status", None)
    for message in server.kept:
        check(message.get("method") != "window/showMessage", f"seed {seed}: {message}")
        check("come apart" not in str(message), f"seed {seed}: {message}")
        check("id" not in message, f"seed {seed}: answered twice: {message}")
    check(server.end() == 0, f"seed {seed}")


def random_sessions(program, first=1, count=12):
    """random sessions: the text is the model's, and each request is answered once"""
    for seed in range(first, first + count):
        random_session(program, seed)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    phobos = str(pathlib.Path(sys.argv[1]).resolve())
    if len(sys.argv) == 4:
        random_sessions(phobos, int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(run_cases([registers, settings, pulled, folders_and_files, names, explained, cut_off, closed_pipes, never_reads, over_tcp, large, recorded,
                            random_sessions], phobos))
