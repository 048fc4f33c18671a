#!/usr/bin/env python3
"""rows.py PHOBOS: inputs and moments that broke other servers, each with its whole kind (docs/robustness.md says which is where)."""
import errno
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import PATIENCE, Server, check, document, place, run_cases, span  # noqa: E402

URI = "file:///tmp/k.ph"
WRONG = "kernel k(x: tensor<f32>[N]) {\n  if ctx.lane == 0 {\n    barrier()\n  }\n  x[ctx.thread] = 1.0\n}\n"
RIGHT = WRONG.replace("ctx.lane", "ctx.block.x")
ABLE = {"workspace": {"workspaceEdit": {"documentChanges": True}, "inlayHint": {"refreshSupport": True}},
        "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
ANYWHERE = {"position": place(0, 0), "positions": [place(0, 0)], "range": span(0, 0, 3, 0), "context": {"diagnostics": [], "includeDeclaration": True},
            "newName": "fresh", "ch": "}", "options": {"tabSize": 2, "insertSpaces": True}, "previousResultId": "none", "query": ""}


def started(program, capabilities=None, **more):
    server = Server(program)
    server.offered = server.initialize(ABLE if capabilities is None else capabilities, **more)["capabilities"]
    return server


def methods(server):
    """All that is asked about a document."""
    plain = ["hover", "completion", "signatureHelp", "definition", "declaration", "typeDefinition", "references", "documentHighlight", "rename", "prepareRename", "inlayHint",
             "foldingRange", "selectionRange", "formatting", "rangeFormatting", "onTypeFormatting", "documentSymbol", "codeAction", "prepareCallHierarchy", "documentLink",
             "codeLens", "semanticTokens/full", "semanticTokens/full/delta", "semanticTokens/range"]
    return ["textDocument/" + each for each in plain] + ["phobos/explain"]


def replies(server, numbers):
    return [server.answer(number) for number in numbers]


def not_open(program):
    """what is asked of a text that was never opened, or was closed a moment ago, has an empty answer; so has what was asked just before"""
    server = started(program)
    server.open(URI, WRONG)
    asked = [server.begin(method, {**document(URI), **ANYWHERE}) for method in methods(server)]
    server.notify("textDocument/didClose", document(URI))
    for reply in replies(server, asked):
        check("result" in reply or reply["error"]["code"] in (-32801, -32803), reply)
    for uri in (URI, "file:///never/opened.ph", "untitled:never", "nosuch:x", "", "%", "file://"):
        for method in methods(server):
            reply = server.answer(server.begin(method, {**document(uri), **ANYWHERE}))
            told = reply.get("result")
            empty = not told or (isinstance(told, dict) and not (told.get("data") or told.get("items") or told.get("edits")))
            # A text of nothing has a range that is selected, and may be given its first word.
            empty = empty or method in ("textDocument/completion", "textDocument/selectionRange")
            check(reply.get("error", {}).get("code") == -32803 or empty, (uri, method, reply))
    check(server.end() == 0)


def wrong_parameters(program):
    """parameters of any wrong form are an error in words or an answer, never the end"""
    server = started(program)
    server.open(URI, WRONG)
    chance = random.Random(5)
    odd = [None, True, -1, 0.5, 1 << 70, "", "x", [], [None], {}, {"line": -1, "character": 0}, {"line": "0"}, {"start": place(1, 0)}, {"start": place(9, 9), "end": place(0, 0)},
           {"start": None, "end": None}, {"uri": URI}, {"uri": None}, [place(0, 0)] * 1001, {"data": {"uri": URI, "range": 3}}]
    more = ["completionItem/resolve", "codeAction/resolve", "inlayHint/resolve", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "workspace/symbol",
            "workspace/executeCommand", "phobos/run", "phobos/build", "phobos/status"]
    asked = []
    for method in methods(server) + more:
        whole = {**document(URI), **ANYWHERE, "item": {"name": "k", "uri": URI}, "data": {"uri": URI, "sort": 0, "at": 0}, "label": "x", "command": "phobos.run", "arguments": [{}]}
        for key in whole:
            for value in chance.sample(odd, 6):
                asked.append(server.begin(method, {**whole, key: value}))
        asked += [server.begin(method, value) for value in (None, [], {}, 3, "x")]
        if len(asked) > 300:  # what is not read has its limit
            for reply in replies(server, asked):
                check("result" in reply or (reply["error"]["code"] in (-32602, -32803, -32801, -32600) and reply["error"]["message"]), reply)
            asked = []
    for reply in replies(server, asked):
        check("result" in reply or reply["error"]["code"] in (-32602, -32803, -32801, -32600), reply)
    notifications = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "$/setTrace", "$/cancelRequest"]
    for method, value in itertools.product(notifications, [*odd, {"textDocument": {"uri": URI}}, {"textDocument": {"uri": URI}, "contentChanges": [3, None, {"text": 1}]},
                                                           {"textDocument": {"uri": 3}}, {"contentChanges": []}]):
        server.notify(method, value)
    server.open(URI, WRONG, 9)
    check(len(server.diagnostics(URI, 9)) == 1)
    check(not any(message.get("method") == "window/showMessage" for message in server.kept), "a popup")
    check(server.end() == 0)


def places(program):
    """a place inside of a letter, behind a line's end, behind the text or far away is taken for the nearest one"""
    text = "// 😀é\r\nkernel k(x: tensor<f32>[N]) {\r\n  let a = ctx.lane\r\n  x[a] = 1.0\r\n}\r\n"
    for encoding, inside in (("utf-8", [4, 5, 6, 8]), ("utf-16", [4]), ("utf-32", [])):
        server = started(program, {"general": {"positionEncodings": [encoding]}})
        server.open(URI, text)
        far = [place(0, column) for column in [*inside, 99]] + [place(2, 999), place(6, 0), place(7, 0), place(999999, 999999), place(2**31 - 1, 2**31 - 1)]
        for method, there in itertools.product(methods(server), far):
            reply = server.answer(server.begin(method, {**document(URI), **ANYWHERE, "position": there, "positions": [there], "range": {"start": there, "end": there}}))
            check("result" in reply or reply["error"]["code"] == -32803, (method, there, reply))
        check(server.request("textDocument/hover", {**document(URI), "position": place(2, 6)})["range"] == span(2, 6, 2, 7))
        check(server.end() == 0)


def bytes_as_they_are(program):
    """nothing translates line ends, and lengths are counted in bytes"""
    server = Server(program, read=False)

    def ask(method, params, number):
        server.send({"id": number, "method": method, "params": params} if number else {"method": method, "params": params})
        while number:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += server.process.stdout.read(1)
            check(head.startswith(b"Content-Length: ") and head.count(b"\n") == head.count(b"\r\n") == 2, head)
            body = server.process.stdout.read(int(head.split()[1]))
            message = json.loads(body)
            if message.get("id") == number:
                return message["result"], body

    ask("initialize", {"capabilities": {}}, 1)
    ask("initialized", {}, None)
    for number, end in enumerate(("\n", "\r\n", "\r", "\n\r", "\x1a\n", "\0\n"), 2):
        text = end.join(["// é漢😀", "kernel k(x: tensor<f32>[N]) {", "  let é = 1", "}", ""])
        server.open(URI, text, number)
        server.notify("textDocument/didSave", {**document(URI), "text": text})  # told in the log where the server has another text
        symbols, _ = ask("textDocument/documentSymbol", document(URI), 100 + number)
        if end.strip("\r\n") == "":
            check(symbols[0]["name"] == "k" and symbols[0]["selectionRange"]["start"] == place(2 if end == "\n\r" else 1, 7), (end, symbols))
    _, body = ask("textDocument/hover", {**document("untitled:x"), "position": place(0, 0)}, 900)
    check(b"apart" not in body)
    server.send({"id": 901, "method": "shutdown"})
    server.send({"method": "exit"})
    rest = server.process.stdout.read()
    check(b"come apart" not in rest and server.process.wait(PATIENCE) == 0, rest)


def formatted(program):
    """formatting leaves no text behind: of a broken one, one without a last line end, one with other line ends, one in a single line"""
    server = started(program)
    ugly = "kernel k( x:tensor<f32>[ N ] ){\n  x[ 0 ]=1.0\n}"
    version = 0
    texts = [ugly, ugly + "\n", ugly.replace("\n", "\r\n"), ugly.replace("\n", "\r\n") + "\r\n", ugly.replace("\n", " "), RIGHT, RIGHT.replace("\n", "\r\n"), RIGHT[:-1], "", "\n", "\r\n",
             " ", "x", "//", "}", ugly[:20], ugly.replace("{", ""), ugly.replace("]", "", 1), "\ufeff" + ugly, "fn", "@", "@launch(", "kernel", RIGHT + "garbage ) ( ]"]
    for text in texts:
        version += 1
        server.open(URI, text, version)
        edits = server.request("textDocument/formatting", {**document(URI), "options": {"tabSize": 8, "insertSpaces": False}})
        after, last = text, len(text)
        starts = [0] + [i + 1 for i, letter in enumerate(text) if letter == "\n" or (letter == "\r" and text[i + 1:i + 2] != "\n")]
        at = lambda there: starts[there["line"]] + there["character"]
        for edit in sorted(edits or [], key=lambda each: at(each["range"]["start"]), reverse=True):
            begin, end = at(edit["range"]["start"]), at(edit["range"]["end"])
            check(begin <= end <= last, (text, edits))
            after, last = after[:begin] + edit["newText"] + after[end:], begin
        words = lambda some: "".join(some.replace("\ufeff", "").split())
        check(words(after) == words(text), (text, after))
        check(text == "" or words(text) == "" or after != "", text)
        if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
            check("\n" not in after.replace("\r\n", ""), (text, after))
        server.open(URI, after, version + 1000)
        again = server.request("textDocument/formatting", {**document(URI), "options": {}})
        check(not again, (after, again))
    check(server.end() == 0)


def least_texts(program):
    """a text of one letter, of none, of line ends alone: every feature at every place of it"""
    with tempfile.TemporaryDirectory() as folder:
        letters = [bytes([code]) for code in range(256)] + [b"", b"\n\n", b"\r\n\r\n", b"\r", "😀".encode(), "é".encode(), b"\xef\xbb\xbf", b"//", b"/*", b"//#", b"//# run", b'"', b"()", b"{}", b"@(", b"fn(", b"kernel("]
        for number, text in enumerate(letters):
            pathlib.Path(folder, f"{number:03}.ph").write_bytes(text)
        files = sorted(map(str, pathlib.Path(folder).iterdir()))
        done = subprocess.run([program, "check", "--every-feature", "-q", *files], capture_output=True, text=True, timeout=600)
        check(done.returncode in (0, 1) and "fault" not in done.stderr and ": textDocument/" not in done.stderr + done.stdout, (done.returncode, (done.stdout + done.stderr)[-1500:]))
        server = started(program)
        for number, text in enumerate(letters):
            server.open(URI, text.decode("latin-1"), number)
            asked = [server.begin(method, {**document(URI), **ANYWHERE}) for method in methods(server)]
            for reply in replies(server, asked):
                check("result" in reply or reply["error"]["code"] == -32803, (text, reply))
        check(server.end() == 0)


def deep_texts(program):
    """brackets, blocks and operators tens of thousands deep are told about, and taken down again"""
    server = started(program)
    depth = 30_000
    deep = [("(", ")"), ("[", "]"), ("{", "}"), ("-", ""), ("!", ""), ("if a {", "}"), ("f(", ")"), ("x[", "]"), ("1 +", ""), ("a.", ""), ("@a(", ")"), ("for i in range(0, 1) {", "}")]
    for version, (opening, closing) in enumerate(deep, 1):
        some = depth if len(opening) < 4 else depth // 10
        text = "kernel k(x: tensor<f32>[N]) {\n  x[0] = " + opening * some + "1" + closing * some + "\n}\n"
        server.open(URI, text, version)
        check(server.diagnostics(URI, version), opening)
        asked = [server.begin(method, {**document(URI), **ANYWHERE, "position": place(1, 12)}) for method in methods(server)]
        for reply in replies(server, asked):
            check("result" in reply or reply["error"]["code"] in (-32803, -32801), (opening, str(reply)[:300]))
        server.change(URI, version + 100, {"text": RIGHT})
        check(server.diagnostics(URI, version + 100) == [])
    check(server.end() == 0)


def versioned(program):
    """an edit names the version that it is for, where the client wants that; a rename of a broken text is refused whole"""
    server = started(program)
    server.open(URI, "kernel k(x: tensor<f32>[N]) {\n  let a = program_id(0)\n  x[a] = 1.0\n}\n", 41)
    change = server.request("textDocument/rename", {**document(URI), "position": place(2, 4), "newName": "b"})["documentChanges"]
    check([each["textDocument"] for each in change] == [{"uri": URI, "version": 41}] and len(change[0]["edits"]) == 2, change)
    action = server.request("textDocument/codeAction", {**document(URI), "range": span(1, 12, 1, 12), "context": {"diagnostics": []}})[0]
    check(action["edit"]["documentChanges"][0]["textDocument"]["version"] == 41, action)
    server.change(URI, 42, {"range": span(1, 12, 1, 24), "text": "ctx."})
    reply = server.answer(server.begin("textDocument/rename", {**document(URI), "position": place(2, 4), "newName": "b"}))
    check(reply["error"]["code"] == -32803, reply)
    check(server.end() == 0)


def hints_follow_settings(program):
    """a setting of the hints that changes makes the client ask again; one that does not, does not"""
    server = started(program)
    server.open(URI, RIGHT.replace("x[ctx.thread]", "let i = ctx.lane\n  x[i]"))
    ask = lambda: server.request("textDocument/inlayHint", {**document(URI), "range": span(0, 0, 9, 0)})
    refreshes = lambda: (server.request("phobos/status", None), sum(message.get("method") == "workspace/inlayHint/refresh" for message in server.kept))[1]
    before = ask()
    check(before and refreshes() == 0)
    for given, count in (({"inlayHints": {"kinds": False}}, 1), ({"inlayHints": {"kinds": False}}, 1), ({}, 2)):
        server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": given}})
        check(refreshes() == count, given)
        check((ask() == before) == (given == {}))
    check(server.end() == 0)


def late_findings(program):
    """what was found in a text that has become shorter since lies inside of it"""
    text = "//# run N=64 x=iota out=zeros\nkernel add(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  let i = ctx.thread\n  if i < N {\n    out[i] = x[i + 1]\n  }\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        uri = pathlib.Path(folder, "k.ph").as_uri()
        for edit in ({"text": "kernel"}, {"range": span(2, 0, 7, 0), "text": ""}, {"range": span(4, 14, 9, 0), "text": ""}, {"range": span(0, 0, 9, 0), "text": "x"}):
            server = started(program, initializationOptions={"onSave": {"run": True}})
            server.open(uri, text)
            server.diagnostics(uri, 1)
            server.notify("textDocument/didSave", {**document(uri), "text": text})
            check(server.diagnostics(uri, 1))
            server.change(uri, 2, edit)
            lines = (edit["text"] if "range" not in edit else text).split("\n")
            for each in server.diagnostics(uri, 2):
                check(each["message"] and each["range"]["end"]["line"] < len(lines), each)
            check(server.end() == 0)


def one_launch(program):
    """Run, its lens, a trace and the command line take the same arguments from a run line"""
    text = "//# run N=4 x=ones k=3.0\n//# run N=8 x=iota k=2.0\nkernel scale(x: tensor<f32>[N], k: f32) {\n  let i = ctx.thread\n  if i < N {\n    x[i] = x[i] * k\n  }\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "k.ph")
        path.write_text(text)
        server = started(program, {"experimental": {"commands": ["phobos.run", "phobos.simulate"]}})
        server.open(path.as_uri(), text)
        lenses = [each["command"] for each in server.request("textDocument/codeLens", document(path.as_uri()))]
        for line in (0, 1):
            lens = next(each["arguments"][0] for each in lenses if each["command"] == "phobos.run" and each["arguments"][0].get("runLine") == line)
            by_lens = server.request("workspace/executeCommand", {"command": "phobos.server.run", "arguments": [{**lens, "device": "sim"}]})
            by_command = server.request("workspace/executeCommand", {"command": "phobos.server.simulate", "arguments": [lens]})
            by_request = server.request("phobos/run", {**document(path.as_uri()), "kernel": "scale", "runLine": line, "device": "sim"})
            by_hand = json.loads(subprocess.run([program, "run", str(path), "--json", "--device", "sim", "--run-line", str(line)], capture_output=True, timeout=PATIENCE).stdout)
            wanted = by_hand["outputs"][0]["first"]
            check(wanted == ([3, 3, 3, 3] if line == 0 else [2 * i for i in range(8)]), wanted)
            for other in (by_lens, by_command, by_request):
                check(other["outputs"][0]["first"] == wanted and other["grid"] == by_hand["grid"], other)
            steps = server.request("phobos/trace", {**document(path.as_uri()), "kernel": "scale", "runLine": line})["steps"]
            by_trace = subprocess.run([program, "trace", str(path), "--json", "--run-line", str(line)], capture_output=True, timeout=PATIENCE).stdout.splitlines()
            check(len(steps) == len(by_trace) > 0)
        check(server.end() == 0)


def typing(program):
    """300 keys with what an editor asks after each, sent at once: each is answered once, the last text's diagnostics come, no turn is long"""
    server = started(program)
    text = "".join(RIGHT.replace(" k(", f" k{i}(") for i in range(160))
    server.open(URI, text)
    server.diagnostics(URI, 1)
    server.request("phobos/status", {"reset": True})
    asked = []
    typed = "  let typed = ctx.block.x * 128 + ctx.thread // a remark\n"
    keys = (typed * 6)[:300]
    line, column = 4, 0
    for version, key in enumerate(keys, 2):
        server.change(URI, version, {"range": span(line, column, line, column), "text": key})
        line, column = (line + 1, 0) if key == "\n" else (line, column + 1)
        there = {**document(URI), "position": place(line, column)}
        asked += [server.begin("textDocument/completion", there), server.begin("textDocument/semanticTokens/full/delta", {**document(URI), "previousResultId": "1"}),
                  server.begin("textDocument/inlayHint", {**document(URI), "range": span(0, 0, 60, 0)}), server.begin("textDocument/codeLens", document(URI)),
                  server.begin("textDocument/hover", there)]
    answered = replies(server, asked)
    check(all("result" in each or each["error"]["code"] == -32801 for each in answered), [each for each in answered if "error" in each][:1])
    check(server.diagnostics(URI, 301) is not None)
    status = server.request("phobos/status", None)
    check(status["longestTurnMs"] < 20, status)
    told = [message["params"].get("version") for message in server.kept if message.get("method") == "textDocument/publishDiagnostics"]
    check(told == sorted(set(told)) and len(told) < 300, told)
    check(server.end() == 0)


def memory(program):
    """memory does not grow with edits, nor with texts that are opened and closed (a sample; PHOBOS_DAMAGE=all: 100,000 and 1,000)"""
    edits, opens = (100_000, 1_000) if os.environ.get("PHOBOS_DAMAGE") == "all" else (12_000, 300)
    server = started(program, {})
    text = "".join(RIGHT.replace(" k(", f" k{i}(") for i in range(100))
    server.open(URI, text)
    resident = lambda: int(pathlib.Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    version = 1

    def edit(count):
        nonlocal version
        for number in range(count):
            version += 1
            line = 6 * (number // 2 * 37 % 100) + 4
            server.change(URI, version, {"range": span(line, 2, line, 2), "text": "(" if number % 4 == 0 else " "} if number % 2 == 0 else {"range": span(line, 2, line, 3), "text": ""})
            if number % 100 == 0:
                server.request("textDocument/semanticTokens/full", document(URI))
                server.kept.clear()
        server.request("phobos/status", None)
        server.kept.clear()

    def reopen(count):
        for number in range(count):
            server.open(f"file:///tmp/other{number}.ph", text[:20_000], 1)
            server.request("textDocument/documentSymbol", document(f"file:///tmp/other{number}.ph"))
            server.notify("textDocument/didClose", document(f"file:///tmp/other{number}.ph"))
            server.kept.clear()

    edit(edits // 4)
    reopen(opens // 4)
    before = resident()
    edit(edits)
    reopen(opens)
    grown = resident() - before
    check(grown < 6 << 20, f"{grown >> 10} KiB more than {before >> 10}")
    check(server.end() == 0)


def small_files(program):
    """where no more than a few bytes can be written to a file, kernels are compiled anew each time, and nothing is said; a recording ends, and says so"""
    with tempfile.TemporaryDirectory() as folder:
        limited = ["python3", "-c", "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); os.execv(sys.argv[1], sys.argv[1:])"]
        server = Server(program, "--record", str(pathlib.Path(folder, "session")), env={"PHOBOS_CACHE_DIR": folder}, by=limited)
        server.initialize()
        server.open(URI, RIGHT)
        for _ in range(2):
            check(".visible .entry" in server.request("phobos/build", {**document(URI), "emit": "ptx"})["text"])
        check([path.name for path in pathlib.Path(folder).iterdir()] == ["session"], "half an entry is left")
        check(server.end() == 0, server.said)
        check(len(server.said) == 1 and "nothing more is recorded" in server.said[0], server.said)


def full_disk(program):
    """the same on a disk that is full; once there is room again, compiled code is kept"""
    with tempfile.TemporaryDirectory() as folder:
        # A disk of the server's own, which goes with it.
        mounted = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"', folder]
        if shutil.which("unshare") is None or subprocess.run([*mounted, "true"], capture_output=True).returncode != 0:
            return "not tried: here nobody may mount a file system"
        server = Server(program, "--record", str(pathlib.Path(folder, "session")), env={"PHOBOS_CACHE_DIR": str(pathlib.Path(folder, "cache"))}, by=mounted)
        server.initialize()
        server.open(URI, RIGHT)
        check(server.diagnostics(URI, 1) == [])
        disk = pathlib.Path(f"/proc/{server.process.pid}/root{folder}")
        kept = lambda: [path.name for path in (disk / "cache").glob("*")]  # noqa: E731
        try:
            with open(disk / "filler", "wb", buffering=0) as filler:
                while filler.write(b"x" * 4096):
                    pass
            raise AssertionError("the disk is never full")
        except OSError as fault:
            check(fault.errno == errno.ENOSPC, fault)
        build = lambda: server.request("phobos/build", {**document(URI), "emit": "ptx"})["text"]  # noqa: E731
        check(".visible .entry" in build() and ".visible .entry" in build() and kept() == [], kept())
        server.open(URI, RIGHT + "// more than what is left of the recording's last page\n" * 200, 2)
        check(server.diagnostics(URI, 2) == [])
        (disk / "filler").unlink()
        check(".visible .entry" in build() and len(kept()) == 1, kept())
        check(server.end() == 0, server.said)
        check(len(server.said) == 1 and "nothing more is recorded" in server.said[0], server.said)


if __name__ == "__main__":
    cases = [not_open, wrong_parameters, places, bytes_as_they_are, formatted, least_texts, deep_texts, versioned, hints_follow_settings, late_findings, one_launch, typing, memory, small_files, full_disk]
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = [case for case in cases if len(sys.argv) == 2 or case.__name__ in sys.argv[2:]]
    sys.exit(run_cases(chosen, str(pathlib.Path(sys.argv[1]).resolve())))
