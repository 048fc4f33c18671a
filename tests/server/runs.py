#!/usr/bin/env python3
"""runs.py PHOBOS: runs by way of the server: the editor's text, in a process of its own that may die, hang and be stopped."""
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import PATIENCE, Server, check, document, place, run_cases, span  # noqa: E402

URI = "untitled:Untitled-1"
ADD = """//# run N=64 x=iota out=zeros
kernel add(x: tensor<f32>[N], out: tensor<f32>[N]) {
  let i = ctx.thread
  if i < N {
    out[i] = x[i] + 1.0
  }
}
"""
FOREVER = """//# run out=zeros n=0
@launch(32)
kernel hang(out: tensor<i32>[32], n: i32) {
  var i = 0
  while i >= n {
    i = i + 1
    if i > 1000000 { i = 1 }
  }
  out[ctx.thread] = i32(i)
}
"""
SIM = {"device": "sim", "maxSteps": 10**12}  # the deadline comes first, however fast the machine is


def started(program, text=ADD, **capabilities):
    server = Server(program)
    server.initialize(capabilities)
    server.open(URI, text)
    return server


def the_editors_text(program):
    """the text that runs is the editor's, of that version, saved or not"""
    server = started(program)
    result = server.request("phobos/run", {**document(URI, 1), "kernel": "add", **SIM})
    check(result["status"] == "ok" and result["device"] == "simulator", result)
    check(result["outputs"][0]["first"][:3] == [1, 2, 3], result)
    server.change(URI, 2, {"range": span(4, 20, 4, 23), "text": "5.0"})
    result = server.request("phobos/run", {**document(URI, 2), "kernel": "add", "arguments": ["N=2", "x=ones", "out=zeros"], **SIM})
    check(result["outputs"][0]["first"] == [6, 6] and result["textDocument"] == {"uri": URI, "version": 2}, result)
    reply = server.answer(server.begin("phobos/run", {**document(URI, 1), **SIM}))
    check(reply["error"]["code"] == -32801, reply)
    result = server.request("phobos/run", {**document("untitled:other", 7), "text": ADD, **SIM})
    check(result["status"] == "ok" and result["textDocument"]["version"] == 7, result)
    check(len(server.workers()) == 1, "one process for all runs")
    check(server.end() == 0)


def failures_are_answers(program):
    """what fails is told in the answer, with places in the document and the client's columns"""
    server = Server(program)
    server.initialize({"general": {"positionEncodings": ["utf-8"]}})
    server.open(URI, ADD.replace("  if i < N {", "  if 😀 < N {"))
    result = server.request("phobos/run", {**document(URI), **SIM})
    check(result["status"] == "failed" and result["exit"] == 1, result)
    error = result["diagnostics"][0]
    check(error["range"] == span(3, 5, 3, 9) and error["file"] == URI, error)  # in bytes
    server.change(URI, 2, {"text": ADD.replace("x[i] + 1.0", "y").replace("N]) {", "N], unused: i32) {")})
    for method in ("phobos/run", "phobos/build", "phobos/report", "phobos/trace", "phobos/tune"):
        result = server.request(method, document(URI))
        check(result["status"] == "failed" and result["message"] == "there is no `y` here", (method, result))  # not the hint before it
        check(any(each["code"] == "PH0101" and each["file"] == URI for each in result["diagnostics"]) and not result.get("steps"), (method, result))
    result = server.request("phobos/run", {**document(URI), "text": ADD, "arguments": ["N=2", "x=nosuch.npy", "out=zeros"], **SIM})
    check(result["status"] == "failed" and "nosuch.npy" in result["message"], result)
    for wrong in ({"arguments": "N=4"}, {"arguments": ["--out=x.npy"]}, {"runLine": "no"}):
        reply = server.answer(server.begin("phobos/run", {**document(URI), **wrong}))
        check(reply["error"]["code"] == -32602, reply)
    reply = server.answer(server.begin("phobos/run", document("file:///not/open.ph")))
    check(reply["error"]["code"] == -32803, reply)
    check(server.end() == 0)


def builds_reports_traces(program):
    """PTX, reports and traces; a trace as it is made, where the client takes it in parts"""
    server = started(program)
    result = server.request("phobos/build", {**document(URI), "emit": "ptx"})
    check(".visible .entry add" in result["text"], result)
    result = server.request("phobos/report", document(URI))
    check(result["kernel"] == "add" and result["chip"] == "sm_90a", result)
    result = server.request("phobos/trace", document(URI))
    check(len(result["steps"]) == 3 and result["status"] == "ok", result)
    check(server.request("phobos/trace", {**document(URI), "partialResultToken": "part"})["steps"] == [])
    parts = server.notification("$/progress", lambda params: params["token"] == "part")
    check(len(parts["value"]["steps"]) == len(result["steps"]), parts)
    check(server.end() == 0)


def tunes(program):
    """the constants of a kernel, of the text that the editor has; without a GPU by an estimate, or not at all"""
    text = """//# run N=1000 x=iota
@autotune(BLOCK in [64, 128, 256], PARTS in [1, 2])
kernel scale(x: tensor<f32>[N], out: tensor<f32>[N]) {
  let at = ctx.block.x * BLOCK
  out[at :+ BLOCK] = x[at :+ BLOCK] * f32(PARTS - PARTS + 2)
}
"""
    server = started(program, text, window={"workDoneProgress": True})
    number = server.begin("phobos/tune", {**document(URI, 1), "kernel": "scale", "device": "sim", "workDoneToken": "mine"})
    result = server.answer(number)["result"]
    shown = [message["params"] for message in server.kept if message.get("method") == "$/progress"]  # none where it was quick
    check(not shown or (shown[0]["value"]["kind"] == "begin" and all(each["token"] == "mine" for each in shown)), shown)
    check(result["status"] == "ok" and result["estimated"] and result["space"] == 6 and not result["kept"], result)
    check(set(result["best"]["constants"]) == {"BLOCK", "PARTS"} and len(result["variants"]) == 6, result)
    check(result["textDocument"] == {"uri": URI, "version": 1}, result)
    result = server.request("phobos/tune", {**document(URI, 1), "device": "sim", "arguments": ["N=500", "x=ones", "PARTS=2"]})
    check(result["space"] == 3 and result["shape"] == {"N": 500} and set(result["best"]["constants"]) == {"BLOCK"}, result)
    server.change(URI, 2, {"range": span(1, 0, 2, 0), "text": ""})
    result = server.request("phobos/tune", {**document(URI, 2), "device": "sim"})
    check(result["status"] == "failed" and result["exit"] == 1 and "no `BLOCK`" in result["diagnostics"][0]["message"], result)
    check(server.end() == 0)


def searched_beside(program):
    """no run waits for a search; one that waits for another run says for which"""
    server = started(program, FOREVER + ADD)
    search = server.begin("phobos/tune", {**document(URI), "kernel": "add", "device": "sim"})
    end = time.monotonic() + PATIENCE
    begun = lambda: [each for each in server.workers() if b"worker" in pathlib.Path(f"/proc/{each}/cmdline").read_bytes()]  # noqa: E731: it is no copy of the server any more
    while not (workers := begun()) and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(workers[0], signal.SIGSTOP)  # as if it took an hour
    check(server.request("phobos/run", {**document(URI), "kernel": "add", **SIM})["status"] == "ok")
    server.notify("$/cancelRequest", {"id": search})
    server.answer(search)  # it may have been quicker than the signal
    first = server.begin("phobos/run", {**document(URI), "kernel": "hang", "workDoneToken": "first", **SIM})
    server.notification("$/progress", lambda params: params["token"] == "first")
    second = server.begin("phobos/run", {**document(URI), "kernel": "add", "workDoneToken": "second", **SIM})
    told = server.notification("$/progress", lambda params: params["token"] == "second" and params["value"]["kind"] == "report")
    check(told["value"]["message"] == "waits for: run hang", told)
    server.notify("$/cancelRequest", {"id": first})
    check(server.answer(first)["error"]["code"] == -32800 and server.answer(second)["result"]["status"] == "ok")
    check(server.end() == 0)


def commands(program):
    """`workspace/executeCommand` for editors without an extension"""
    server = Server(program)
    offered = server.initialize({}, initializationOptions={"runCommands": "server"})["capabilities"]["executeCommandProvider"]["commands"]
    check("phobos.run" in offered and "phobos.server.run" in offered, offered)
    server.open(URI, ADD)
    result = server.request("workspace/executeCommand", {"command": "phobos.run", "arguments": [{"uri": URI, "kernel": "add", "runLine": 0, **SIM}]})
    check(result["status"] == "ok", result)
    check("add: ok" in server.notification("window/showMessage")["message"])
    reply = server.answer(server.begin("workspace/executeCommand", {"command": "phobos.nosuch"}))
    check(reply["error"]["code"] == -32602, reply)
    check(server.end() == 0)
    server = Server(program)
    check("phobos.run" not in server.initialize({})["capabilities"]["executeCommandProvider"]["commands"], "an extension has that command")
    server.kill()


def cancelled(program):
    """a run is cancelled, by its request or by the progress that shows it, and the next one works"""
    server = started(program, FOREVER + ADD, window={"workDoneProgress": True})
    hang = {**document(URI), "kernel": "hang", **SIM}
    number = server.begin("phobos/run", {**hang, "workDoneToken": "mine"})
    check(server.notification("$/progress")["value"]["kind"] == "begin")  # it runs
    server.notify("$/cancelRequest", {"id": number})
    check(server.answer(number)["error"]["code"] == -32800)
    check(server.notification("$/progress", lambda params: params["value"]["kind"] == "end"))
    number = server.begin("phobos/run", hang)
    asked = server.wait(lambda message: message.get("method") == "window/workDoneProgress/create")
    server.send({"id": asked["id"], "result": None})
    token = asked["params"]["token"]
    check(server.notification("$/progress", lambda params: params["token"] == token)["value"]["cancellable"])
    server.notify("window/workDoneProgress/cancel", {"token": token})
    check(server.answer(number)["error"]["code"] == -32800)
    check(server.request("phobos/run", {**document(URI), "kernel": "add", **SIM})["status"] == "ok")
    check(server.end() == 0)


def refused_progress(program):
    """a client that refuses progress, or has none, is sent none"""
    server = started(program, FOREVER, window={"workDoneProgress": True})
    number = server.begin("phobos/run", {**document(URI), "timeout": 3, **SIM})
    asked = server.wait(lambda message: message.get("method") == "window/workDoneProgress/create")
    server.send({"id": asked["id"], "error": {"code": -32603, "message": "no"}})
    check(server.answer(number)["result"]["status"] == "failed")
    check(not any(message.get("method") == "$/progress" for message in server.kept), server.kept)
    check(server.end() == 0)
    server = started(program, FOREVER)
    check("3 s" in server.request("phobos/run", {**document(URI), "timeout": 3, **SIM})["message"])
    check(not any("Progress" in message.get("method", "") or "progress" in message.get("method", "") for message in server.kept), server.kept)
    check(server.end() == 0)


def killed(program):
    """a process that is killed is an answer, and the next run has a new one"""
    server = started(program, FOREVER + ADD)
    number = server.begin("phobos/run", {**document(URI), "kernel": "hang", "workDoneToken": "mine", **SIM})
    server.notification("$/progress")
    os.kill(server.workers()[0], signal.SIGKILL)
    result = server.answer(number)["result"]
    check(result["status"] == "failed" and "signal 9" in result["message"], result)
    check(server.request("phobos/run", {**document(URI), "kernel": "add", **SIM})["status"] == "ok")
    os.kill(server.workers()[0], signal.SIGKILL)  # while it has nothing to do
    check(server.request("phobos/run", {**document(URI), "kernel": "add", **SIM})["status"] == "ok")
    check(server.end() == 0)


def stopped(program):
    """a process that is stopped keeps nobody waiting past the deadline, nor past a cancellation"""
    server = started(program)
    check(server.request("phobos/run", {**document(URI), **SIM})["status"] == "ok")
    os.kill(server.workers()[0], signal.SIGSTOP)
    result = server.request("phobos/run", {**document(URI), "timeout": 1, **SIM})
    check(result["status"] == "failed" and "longer than 1 s" in result["message"], result)
    check(server.request("phobos/run", {**document(URI), **SIM})["status"] == "ok")
    os.kill(server.workers()[0], signal.SIGSTOP)
    number = server.begin("phobos/run", {**document(URI), **SIM})
    check(server.request("textDocument/hover", {**document(URI), "position": place(2, 6)}) is not None, "the editor does not wait")
    server.notify("$/cancelRequest", {"id": number})
    check(server.answer(number)["error"]["code"] == -32800)
    check(server.request("phobos/run", {**document(URI), **SIM})["status"] == "ok")
    os.kill(server.workers()[0], signal.SIGSTOP)
    long = ADD + "// more than a pipe holds\n" * 10000
    check(server.request("phobos/run", {**document("untitled:long"), "text": long, **SIM})["status"] == "ok", "another process runs it")
    check(server.end() == 0)


def gone_with_the_server(program):
    """the process is gone when the server is, however that ended"""
    for end in (lambda server: server.end(), lambda server: server.kill()):
        server = started(program, FOREVER)
        server.begin("phobos/run", {**document(URI), "workDoneToken": "mine", **SIM})
        server.notification("$/progress")
        worker = server.workers()[0]
        end(server)
        for _ in range(12000):
            try:
                state = pathlib.Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                break
            if state == "Z":  # nobody here to wait for it
                break
            signal.sigtimedwait([], 0.01)
        else:
            raise AssertionError("it is still there")


def full_disk(program):
    """where nothing can be kept on disk, all works, and nothing is said"""
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder) / "file"
        cache.write_text("no folder")
        server = Server(program, env={"PHOBOS_CACHE_DIR": str(cache)})
        server.initialize()
        server.open(URI, ADD)
        check(".visible .entry" in server.request("phobos/build", {**document(URI), "emit": "ptx"})["text"])
        check(server.end() == 0 and not server.said, server.said)


def saved(program):
    """a saved text is compiled, and run where that is wanted; what is found moves with the text, and is called old"""
    text = ADD.replace("N=64 x=iota out=zeros", "N=64 x=iota out=zeros").replace("out[i] = x[i]", "out[i] = x[i + 1]")
    with tempfile.TemporaryDirectory() as folder:
        uri = pathlib.Path(folder, "k.ph").as_uri()
        server = Server(program)
        server.initialize({}, initializationOptions={"onSave": {"run": True}})
        server.open(uri, text)
        check(server.diagnostics(uri, 1) == [])
        server.notify("textDocument/didSave", {**document(uri), "text": text})
        found = server.diagnostics(uri, 1)
        check(len(found) == 1 and found[0]["source"] == "phobos (saved)" and found[0]["code"] == "PH0601", found)
        check(found[0]["range"]["start"]["line"] == 4 and not found[0]["message"].startswith("before"), found)
        server.change(uri, 2, {"range": span(0, 0, 0, 0), "text": "// one more line\n"})
        found = server.diagnostics(uri, 2)
        check(len(found) == 1 and found[0]["range"]["start"]["line"] == 5 and found[0]["message"].startswith("before the last changes"), found)
        server.change(uri, 3, {"range": span(5, 0, 5, 40), "text": ""})
        check(all(each["source"] == "phobos" for each in server.diagnostics(uri, 3)))
        check(server.end() == 0)


if __name__ == "__main__":
    if len(sys.argv) != 2 or shutil.which(sys.argv[1]) is None:
        sys.exit(__doc__)
    sys.exit(run_cases([the_editors_text, failures_are_answers, builds_reports_traces, tunes, searched_beside, commands, cancelled, refused_progress, killed, stopped,
                        gone_with_the_server, full_disk, saved], str(pathlib.Path(sys.argv[1]).resolve())))
