#!/usr/bin/env python3
"""features.py PHOBOS: what a server tells of its own accord and how often, of a whole workspace, by folder, and with files beside the text."""
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import Server, check, document, place, run_cases, span  # noqa: E402

URI = "file:///tmp/k.ph"
WRONG = "kernel k(x: tensor<f32>[N]) {\n  if ctx.lane == 0 {\n    barrier()\n  }\n  x[ctx.thread] = 1.0\n}\n"
RIGHT = WRONG.replace("ctx.lane", "ctx.block.x")
PUBLISH = "textDocument/publishDiagnostics"


def started(program, capabilities=None, **more):
    server = Server(program)
    server.initialize(capabilities, **more)
    return server


def told(server):
    """The diagnostics that came so far, all messages before them handled."""
    server.request("phobos/status", None)
    mine = [message["params"] for message in server.kept if message.get("method") == PUBLISH]
    server.kept = [message for message in server.kept if message.get("method") != PUBLISH]
    return mine


def once(program):
    """diagnostics are told when they are others than before; with each version, to a client that knows versions"""
    for versions in (False, True):
        server = started(program, versions=versions)
        server.open(URI, WRONG)
        check(len(told(server)) == 1)
        server.change(URI, 2, {"range": span(4, 0, 4, 0), "text": "  "})  # behind the error: nothing moves
        check([each.get("version") for each in told(server)] == ([2] if versions else []), versions)
        for given in ({"nosuch": 1}, {"diagnostics": {"PH0203": "off"}}):  # settings that change nothing of it
            server.notify("workspace/didChangeConfiguration", {"settings": {"phobos": given}})
            check(told(server) == [], (versions, given))
        server.notify("textDocument/didSave", document(URI))
        check(told(server) == [])
        server.change(URI, 3, {"range": span(0, 0, 0, 0), "text": "\n"})  # it moves
        moved = told(server)
        check(len(moved) == 1 and moved[0]["diagnostics"][0]["range"]["start"]["line"] == 3, moved)
        server.notify("textDocument/didClose", document(URI))
        check([each["diagnostics"] for each in told(server)] == [[]])
        server.open(URI, RIGHT, 1)
        check([each["diagnostics"] for each in told(server)] == [[]], "of a text that is opened there is always an answer")
        check(server.end() == 0)


def settings_by_folder(program):
    """each folder has its own settings, the innermost counts; a folder that comes is asked about"""
    server = Server(program)
    folders = [{"uri": uri, "name": uri} for uri in ("file:///w/one", "file:///w/one/in%20ner", "file:///w/two/")]
    server.initialize({"workspace": {"configuration": True}}, workspaceFolders=folders)

    def answered(*levels):
        asked = server.wait(lambda message: message.get("method") == "workspace/configuration")
        items = asked["params"]["items"]
        check([each.get("scopeUri") for each in items[1:]] == [each["uri"] for each in folders], items)
        check(all(each["section"] == "phobos" for each in items))
        server.send({"id": asked["id"], "result": [{"diagnostics": {"PH0301": level}} if level else None for level in levels]})
        server.request("phobos/status", None)

    answered("error", "warning", "hint", None)
    wanted = {"file:///w/one/a.ph": 2, "file:///w/one/in ner/a.ph": 4, "file:///w/onemore/a.ph": 1, "file:///w/two/b/a.ph": 1, "untitled:x": 1}
    for uri, severity in wanted.items():
        server.open(uri, WRONG)
        check(server.diagnostics(uri, 1)[0]["severity"] == severity, uri)
    folders.append({"uri": "file:///w/two/b", "name": "b"})
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": folders[-1:], "removed": []}})
    answered("error", "warning", "hint", None, "information")
    check(server.diagnostics("file:///w/two/b/a.ph", 1)[0]["severity"] == 3)
    check(told(server) == [], "those of the others are what they were")
    check(server.end() == 0)


def whole_workspace(program):
    """pulled diagnostics of a workspace: of all files, once, in parts, and of files that came, changed and went"""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "a b#")
        for name, text in {"wrong.ph": WRONG, "right.ph": RIGHT, "in/deep/wrong.ph": WRONG, ".hidden/wrong.ph": WRONG, "open.ph": RIGHT, "other.txt": WRONG}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        os.mkfifo(root / "pipe.ph")
        (root / "folder.ph").mkdir()
        (root / "bytes.ph").write_bytes(b"\xff\xfe\x00kernel")
        base = root.as_uri()
        able = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
        server = started(program, able, workspaceFolders=[{"uri": base, "name": "a"}, {"uri": base + "/in/", "name": "in"}])
        server.open(base + "/open.ph", WRONG, 7)  # not what the file has
        reports = server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        found = {each["uri"].removeprefix(base): (len(each["items"]), each["version"]) for each in reports}
        check(found == {"/wrong.ph": (1, None), "/right.ph": (0, None), "/in/deep/wrong.ph": (1, None), "/open.ph": (1, 7), "/bytes.ph": (1, None)}, found)
        check(len(reports) == len(found), "each once")
        ids = [{"uri": each["uri"], "value": each["resultId"]} for each in reports]
        again = server.request("workspace/diagnostic", {"previousResultIds": ids})["items"]
        check({each["kind"] for each in again} == {"unchanged"} and len(again) == len(found), again)
        (root / "wrong.ph").unlink()
        (root / "right.ph").write_text(RIGHT + "kernel")
        (root / "new.ph").write_text(WRONG)
        changed = [{"uri": base + name, "type": kind} for name, kind in (("/wrong.ph", 3), ("/right.ph", 2), ("/new.ph", 1))]
        server.notify("workspace/didChangeWatchedFiles", {"changes": changed})
        server.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        again = server.request("workspace/diagnostic", {"previousResultIds": ids})["items"]
        full = {each["uri"].removeprefix(base): bool(each["items"]) for each in again if each["kind"] == "full"}
        check(full == {"/wrong.ph": False, "/right.ph": True, "/new.ph": True}, full)
        ids = [{"uri": each["uri"], "value": each["resultId"]} for each in again]
        (root / "in").rename(root / "out")
        server.notify("textDocument/didClose", document(base + "/open.ph"))
        again = server.request("workspace/diagnostic", {"previousResultIds": ids})["items"]
        full = {each["uri"].removeprefix(base): (bool(each["items"]), each["version"]) for each in again if each["kind"] == "full"}
        check(full == {"/in/deep/wrong.ph": (False, None), "/out/deep/wrong.ph": (True, None), "/open.ph": (False, None)}, full)
        for i in range(100):
            (root / f"many{i}.ph").write_text(WRONG)
        params = {"previousResultIds": [], "partialResultToken": "part", "workDoneToken": "done"}
        check(server.request("workspace/diagnostic", params)["items"] == [])
        parts = [message["params"]["value"]["items"] for message in server.kept if message.get("method") == "$/progress" and message["params"]["token"] == "part"]
        uris = [each["uri"] for part in parts for each in part]
        check(len(parts) > 2 and len(uris) == len(set(uris)) == 105, (len(parts), len(uris)))
        number = server.begin("workspace/diagnostic", params)
        server.notify("$/cancelRequest", {"id": number})
        reply = server.answer(number)
        check("result" in reply or reply["error"]["code"] == -32800, reply)
        names = {each["name"]: each["location"]["uri"] for each in server.request("workspace/symbol", {"query": "k"})}
        check(names["k"].startswith(base), names)
        check(len(server.request("workspace/symbol", {"query": "k"})) == 105)
        check(server.end() == 0)
        check(not any(message.get("method") == PUBLISH for message in server.kept), "never both")


def saved_and_pulled(program):
    """what is found on saving is pulled as well, called old once the text moves on, and shown above the kernel"""
    text = "//# run N=64 x=iota out=zeros\nkernel add(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  let i = ctx.thread\n  if i < N {\n    out[i] = x[i + 1]\n  }\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        uri = pathlib.Path(folder, "k.ph").as_uri()
        able = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
                "experimental": {"commands": ["phobos.report"]}}
        server = started(program, able, initializationOptions={"onSave": {"run": True}})
        server.open(uri, text)
        server.notify("textDocument/didSave", {**document(uri), "text": text})
        server.wait(lambda message: message.get("method") == "workspace/codeLens/refresh")
        server.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        titles = lambda: [each["command"]["title"] for each in server.request("textDocument/codeLens", document(uri))]
        check(titles()[0].startswith("Report: ") and "shared" in titles()[0] and "of the warps" in titles()[0], titles())
        found = server.request("textDocument/diagnostic", document(uri))["items"]
        check([each["code"] for each in found] == ["PH0601"] and not found[0]["message"].startswith("before"), found)
        server.change(uri, 2, {"range": span(0, 0, 0, 0), "text": "// one more line\n"})
        found = server.request("textDocument/diagnostic", document(uri))["items"]
        check(found[0]["message"].startswith("before the last changes") and found[0]["range"]["start"]["line"] == 5, found)
        check(titles()[0].startswith("Report, before the last changes: "), titles())
        check(server.end() == 0)


def while_broken(program):
    """hints, colours, hovers and lenses of lines that nobody touches stay while another line is typed"""
    text = "fn f(v: f32) -> f32 {\n  return v\n}\nkernel k(x: tensor<f32>[N]) {\n  let i = ctx.lane\n  let j = i + ctx.warp\n  x[j] = f(1.0)\n}\n"
    server = started(program, {"experimental": {"commands": ["phobos.run"]}})
    server.open(URI, text)

    def seen():
        hints = server.request("textDocument/inlayHint", {**document(URI), "range": span(5, 0, 7, 1)})
        tokens = server.request("textDocument/semanticTokens/range", {**document(URI), "range": span(5, 0, 7, 1)})["data"]
        hover = server.request("textDocument/hover", {**document(URI), "position": place(5, 6)})
        lenses = server.request("textDocument/codeLens", document(URI))
        return ([{**each, "data": None} for each in hints], tokens, hover and re.sub(r"#L\d+,\d+", "", hover["contents"]["value"].split("*As it was")[0].strip()),
                [{**each, "command": each["command"]["command"]} for each in lenses])

    before = seen()
    check(before[0] and before[1] and before[3])
    line = "  let i = ctx.lane"
    version = 1
    for end in [*range(len(line) - 1, 2, -1), *range(3, len(line) + 1)]:  # taken away and typed again
        version += 1
        server.change(URI, version, {"text": text.replace(line, line[:end])})
        now = seen()
        check(now == before, f"{line[:end]!r}: {now}\nnot {before}")
    for end in range(len("fn f(v: f32) -> f32 {"), 4, -1):  # a function that the kernel calls
        version += 1
        server.change(URI, version, {"text": text.replace("fn f(v: f32) -> f32 {", "fn f(v: f32) -> f32 {"[:end])})
        check(seen()[2] == before[2] and seen()[0][:1] == before[0][:1], end)
    check(server.end() == 0)


def files_in_run_lines(program):
    """the files beside a text are offered in its run lines, and only there"""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("in.npy", "with space.npy", "in.txt", ".hidden.npy", "sub/deep.npy"):
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"")
        uri = pathlib.Path(folder, "k.ph").as_uri()
        server = started(program, {"textDocument": {"completion": {"completionItem": {"insertReplaceSupport": True}}}})

        def offered(run_line, **more):
            text = f"//# run {run_line}\n" + RIGHT
            server.open(uri, text)
            answer = server.request("textDocument/completion", {**document(uri), "position": place(0, 8 + len(run_line)), **more})
            return {each["label"]: each["textEdit"] for each in answer["items"] if each["kind"] == 17}

        check(set(offered("x=")) == {"in.npy", "with space.npy", "sub/"}, offered("x="))
        check(offered("x=")["with space.npy"]["newText"] == '"with space.npy"')
        check(set(offered("N=4 x=i")) == {"in.npy"})
        deep = offered("x=sub/", context={"triggerKind": 2, "triggerCharacter": "/"})
        check(set(deep) == {"deep.npy"} and deep["deep.npy"]["insert"] == span(0, 14, 0, 14), deep)
        check(set(offered('x="with')) == {"with space.npy"})
        check(set(offered("expect x=in")) == {"in.npy"})
        check(offered("N=") == {} and offered("x=../nosuch/") == {} and offered("--device ") == {})
        server.open(uri, RIGHT)
        divided = {**document(uri), "position": place(4, 13), "context": {"triggerKind": 2, "triggerCharacter": "/"}}
        check(server.request("textDocument/completion", divided) is None)
        check(server.end() == 0)


def hovered_files(program):
    """of a file that a run line names its header is told: type, shape and size; or what is wrong with it, whatever it is"""

    def npy(descr, shape, order="False", data=b""):
        head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
        return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + data

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        wanted = {"x.npy": (npy("<f4", "(3, 4)", data=b"0" * 48), "`f32[3, 4]`: 48 bytes"), "a b.npy": (npy("<f2", "(5,)", data=b"0" * 10), "`f16[5]`: 10 bytes"),
                  "turned.npy": (npy("<i4", "(2, 2)", "True", b"0" * 16), "Fortran order"), "big.npy": (npy(">f4", "(1,)"), "big-endian"), "text.npy": (b"hello", "not a NumPy file"),
                  "none.npy": (None, "no such file"), "empty.npy": (b"", "it is empty"), "cut.npy": (npy("<f4", "(3, 4)")[:30], "cut off"), "large.npy": (npy("|u1", "(1073741824,)"), "`u8[1073741824]`"),
                  "pipe.npy": (None, "It is no file"), "folder.npy": (None, "It is no file")}
        for name, (data, _) in wanted.items():
            if data is not None:
                (root / name).write_bytes(data)
        with open(root / "large.npy", "r+b") as file:
            file.truncate((1 << 30) + 128)
        os.mkfifo(root / "pipe.npy")
        (root / "folder.npy").mkdir()
        server = started(program)
        uri = (root / "k.ph").as_uri()
        for version, (name, (_, words)) in enumerate(wanted.items(), 1):
            spelt = f'"{name}"' if " " in name else name
            line = f"//# run N=4 x={spelt} expect x={name}" if " " not in name else f"//# run N=4 x={spelt}"
            server.open(uri, line + "\n" + RIGHT, version)
            for at in {line.find(name), line.rfind(name)}:
                for column in (at, at + len(name) - 1):
                    told = server.request("textDocument/hover", {**document(uri), "position": place(0, column)})
                    check(told and words in told["contents"]["value"] and told["range"] == span(0, at, 0, at + len(name)), (name, column, told))
            check("tensor<f32>[N]" in server.request("textDocument/hover", {**document(uri), "position": place(0, line.find("x="))})["contents"]["value"])
        server.open("untitled:x", "//# run N=4 x=x.npy\n" + RIGHT)
        check(server.request("textDocument/hover", {**document("untitled:x"), "position": place(0, 15)}) is None)
        check(server.end() == 0)


def replaced(program):
    """a completion replaces the word that the place is in, and inserts before its rest where the user wants that"""
    text = "kernel k(x: tensor<f32>[N]) {\n  x[ctx.thread] = ex(1.0)\n}\n"
    for able, wanted in ((True, {"insert": span(1, 18, 1, 19), "replace": span(1, 18, 1, 20)}), (False, {"range": span(1, 18, 1, 20)})):
        server = started(program, {"textDocument": {"completion": {"completionItem": {"insertReplaceSupport": able}}}})
        server.open(URI, text)
        items = server.request("textDocument/completion", {**document(URI), "position": place(1, 19)})["items"]
        edit = next(each["textEdit"] for each in items if each["label"] == "exp")
        check(edit == {**wanted, "newText": "exp"}, edit)
        check(server.end() == 0)


def all_fixed(program):
    """all that can be fixed is fixed by one action, with its edit when it is looked at"""
    text = "kernel k(x: tensor<f32>[N]) {\n  let a = program_id(0)\n  let b = program_id(1)\n  let c = a + b\n  x[c] = 1.0 + nosuch\n}\n"
    server = started(program, {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}})
    server.open(URI, text)
    ask = lambda only: server.request("textDocument/codeAction", {**document(URI), "range": span(1, 12, 1, 12), "context": {"diagnostics": [], **only}})
    for only in ("source.fixAll", "source", "source.fixAll.phobos"):
        actions = ask({"only": [only]})
        check([each["kind"] for each in actions] == ["source.fixAll.phobos"] and "edit" not in actions[0], actions)
        edits = server.request("codeAction/resolve", actions[0])["edit"]["changes"][URI]
        check([(each["range"]["start"]["line"], each["newText"]) for each in edits] == [(1, "ctx.block.x"), (2, "ctx.block.y")], edits)
    titles = [each["title"] for each in ask({})]
    check("Fix all PH0110 of this file" in titles and not any("that can" in each for each in titles), titles)
    together = next(each for each in ask({}) if each["title"].startswith("Fix all"))
    check(len(server.request("codeAction/resolve", together)["edit"]["changes"][URI]) == 2)
    server.change(URI, 2, {"text": RIGHT})
    check(ask({"only": ["source.fixAll"]}) == [])
    check(server.end() == 0)


def all_colours(program):
    """a client without colours of its own is given comments, numbers, operators and keywords as well, line by line"""
    text = "// é a comment\nkernel k(x: tensor<f32>[N]) {\n  x[0] = 1.5 /* over\n  lines */ + 2.0 // end\n}\n\n// last\n"
    server = Server(program)
    legend = server.initialize({"textDocument": {"semanticTokens": {"augmentsSyntaxTokens": False}}})["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    server.open(URI, text)
    data = server.request("textDocument/semanticTokens/full", document(URI))["data"]
    line = column = 0
    seen = []
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        seen.append((text.split("\n")[line][column:column + data[i + 2]], legend[data[i + 3]]))
    wanted = [("// é a comment", "comment"), ("kernel", "keyword"), ("<", "operator"), (">", "operator"), ("0", "number"), ("=", "operator"), ("1.5", "number"), ("/* over", "comment"), ("lines */", "comment"),
              ("+", "operator"), ("2.0", "number"), ("// end", "comment"), ("// last", "comment")]
    check([each for each in seen if each[1] in ("comment", "keyword", "number", "operator")] == wanted, seen)
    check(("k", "function") in seen and ("N", "typeParameter") in seen, seen)
    check(server.end() == 0)
    server = started(program)
    server.open(URI, text)
    check(len(server.request("textDocument/semanticTokens/full", document(URI))["data"]) < len(data))
    check(server.end() == 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(run_cases([once, settings_by_folder, whole_workspace, saved_and_pulled, while_broken, files_in_run_lines, hovered_files, replaced, all_fixed, all_colours],
                       str(pathlib.Path(sys.argv[1]).resolve())))
