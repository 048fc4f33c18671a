#!/usr/bin/env python3
"""Holds what an editor is told against marks in kernels:  run.py PHOBOS [FILE or FOLDER ...]

A mark is a comment below the line that it speaks of; its `^` stand under a place (the first of them) or a range of that line:

      let base = ctx.block.x * 128
        //^^^^ label base             a name for the range
        //     ^^^ token property readonly defaultLibrary uniform
        //     ^ definition base      the answer is the range of that label; `none`: there is no answer
        //     ^ references a b       exactly the ranges of those labels

      //< was   let base = ctx.       before an edit the line was that, and the rest of the file as it is

`//<` speaks of the first column. A mark's line belongs to the text like any other. Everything is asked of `phobos ide` and of the
language server, and both have to give the same. Marks and what they ask for are in CHECKS.
"""
import json, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = re.compile(r"^\s*//(?:(<)|\s*(\^+)) (\w+)(?: (.*))?$")
SORTS = ["function", "parameter", "variable", "typeParameter", "property", "decorator", "type", "keyword", "comment", "number", "operator"]
MODIFIERS = ["declaration", "readonly", "static", "modification", "defaultLibrary", "uniform", "warpUniform", "varying"]
CAPABILITIES = {"general": {"positionEncodings": ["utf-16"]},
                "experimental": {"commands": ["phobos.run", "phobos.simulate", "phobos.compare", "phobos.step", "phobos.tune", "phobos.report"]},
                "textDocument": {"definition": {"linkSupport": True}, "hover": {"contentFormat": ["markdown"]},
                                 "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}}}}


class Server:
    """The language server over stdio, one request at a time."""

    def __init__(self, program):
        self.child = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES})
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()

    def receive(self):
        size = 0
        while (line := self.child.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.child.stdout.read(size))

    def request(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.count and "method" not in message:
                return message["result"] if "result" in message else {"error": message["error"]["message"]}
            if "method" in message and "id" in message:  # a request of the server's
                self.send({"id": message["id"], "result": None})

    def open(self, uri, text):
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "phobos", "version": 1, "text": text}}})

    def change(self, uri, text):
        self.send({"method": "textDocument/didChange", "params": {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}})

    def close(self, uri):
        self.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def end(self):
        self.request("shutdown", None)
        self.send({"method": "exit"})
        return self.child.wait(30)


class File:
    """A marked file, and both ways to ask about it."""

    def __init__(self, program, server, path):
        self.program, self.server, self.path = program, server, path
        self.text = path.read_bytes().decode()
        self.lines = self.text.split("\n")
        self.uri = path.resolve().as_uri()
        self.labels, self.marks, self.faults = {}, [], []
        self.known = {}
        was = list(self.lines)
        line_of_text = 0
        for number, line in enumerate(self.lines):
            found = MARK.match(line)
            if not found:
                line_of_text = number
                continue
            first, carets, name, rest = found.groups()
            begin, end = (0, 1) if first else (line.index(carets), line.index(carets) + len(carets))
            place = (line_of_text, begin, end)
            if name == "label":
                self.labels[rest] = place
            elif name == "was":
                was[line_of_text] = rest
            else:
                self.marks.append((number, place, name, rest or ""))
        self.was = None if was == self.lines else "\n".join(was)
        if self.was is not None:
            self.was_file = tempfile.NamedTemporaryFile("w", suffix=".ph")
            self.was_file.write(self.was)
            self.was_file.flush()

    def open(self):
        self.server.open(self.uri, self.text if self.was is None else self.was)
        if self.was is not None:
            self.server.request("textDocument/codeLens", {"textDocument": {"uri": self.uri}})  # it is known, then
            self.server.change(self.uri, self.text)

    def ask(self, method, params, begin=None, end=None):
        """By the program and by the server, which have to agree."""
        key = json.dumps([method, params])
        if key in self.known:
            return self.known[key]
        document = params if "data" in params or "item" in params else {"textDocument": {"uri": self.uri}, **params}
        words = [self.program, "ide", method, str(self.path), "--params", json.dumps(params)]
        if self.was is not None:
            words += ["--was", self.was_file.name]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        told = self.server.request(method, document)
        said = {"error": done.stderr.removeprefix("phobos: ").strip()} if done.returncode else json.loads(done.stdout)
        if without_names(said) != without_names(told):
            self.faults.append(f"{method} {params}: the program says\n  {json.dumps(said)[:600]}\nand the server\n  {json.dumps(told)[:600]}")
        self.known[key] = told
        return told

    def at(self, place):
        return {"position": {"line": place[0], "character": place[1]}}

    def over(self, place):
        return {"range": {"start": {"line": place[0], "character": place[1]}, "end": {"line": place[0], "character": place[2]}}}

    def name_of(self, range_):
        """A range as labels have it, else in numbers."""
        place = (range_["start"]["line"], range_["start"]["character"], range_["end"]["character"])
        for label, there in self.labels.items():
            if there == place and range_["end"]["line"] == place[0]:
                return label
        return f"{place[0] + 1}:{place[1] + 1}-{range_['end']['line'] + 1}:{place[2] + 1}"


def without_names(answer):
    """Answers are the same but for the name by which the server keeps them."""
    return {key: value for key, value in answer.items() if key != "resultId"} if isinstance(answer, dict) else answer


def same(wanted, found):
    return None if wanted == found else f"{found or 'nothing'}, not {wanted or 'nothing'}"


def contains(told, text, what="it says"):
    """Each text between ` | `: there, or with a `!` before it not there."""
    for part in text.split(" | "):
        if part.startswith("!"):
            if part[1:] in told:
                return f"{what} {part[1:]!r}: {told!r}"
        elif part not in told:
            return f"{what} nothing of {part!r}: {told!r}"
    return None


def check_hover(file, place, text):
    answer = file.ask("textDocument/hover", file.at(place))
    if text == "none":
        return same(None, answer)
    return contains(answer["contents"]["value"] if answer else "", text)


def target(file, method, place, text):
    answer = file.ask(method, file.at(place))
    found = "none" if answer is None else " ".join(file.name_of(each["targetSelectionRange"]) for each in answer)
    return same(text, found)


def check_references(file, place, text):
    answer = file.ask("textDocument/references", {**file.at(place), "context": {"includeDeclaration": True}})
    return same(sorted(text.split()), sorted(file.name_of(each["range"]) for each in answer))


def check_highlight(file, place, text):
    kinds = {2: "", 3: "=", None: ""}
    answer = file.ask("textDocument/documentHighlight", file.at(place)) or []
    return same(sorted(text.split()), sorted(file.name_of(each["range"]) + kinds[each.get("kind")] for each in answer))


def tokens_in(file):
    data = file.ask("textDocument/semanticTokens/full", {})["data"]
    line = column = 0
    tokens = {}
    for i in range(0, len(data), 5):
        down, across, length, sort, modifiers = data[i:i + 5]
        line, column = line + down, across if down else column + across
        words = [SORTS[sort]] + [name for bit, name in enumerate(MODIFIERS) if modifiers >> bit & 1]
        tokens[line, column, column + length] = " ".join(words)
    return tokens


def check_token(file, place, text):
    return same(text, tokens_in(file).get(place, "none"))


def completions(file, place):
    return file.ask("textDocument/completion", file.at(place))["items"]


def check_complete(file, place, text):
    """`a b !c`: these are offered, and those are not; `none`: nothing is."""
    labels = [each["label"] for each in completions(file, place)]
    if text == "none":
        return same([], labels)
    wrong = [word for word in text.split() if (word.removeprefix("!") in labels) == word.startswith("!")]
    return f"{' '.join(wrong)}: {labels}" if wrong else None


def check_completes(file, place, text):
    """`a, b`: exactly these, the best first."""
    items = sorted(completions(file, place), key=lambda each: each["sortText"])
    return same(text.split(", "), [each["label"] for each in items])


def check_first(file, place, text):
    """`a, b`: these, the best first, and then others."""
    items = sorted(completions(file, place), key=lambda each: each["sortText"])
    return same(text.split(", "), [each["label"] for each in items][:text.count(", ") + 1])


def offered(file, place, label):
    return next((each for each in completions(file, place) if each["label"] == label), None)


def check_inserts(file, place, text):
    """`label: text`, its line ends as `\\n`."""
    label, text = text.split(": ", 1)
    item = offered(file, place, label)
    return same(text, item and item["textEdit"]["newText"].replace("\n", "\\n"))


def check_resolve(file, place, text):
    """`label: text`: its documentation contains the text."""
    label, text = text.split(": ", 1)
    item = offered(file, place, label)
    if item is None:
        return f"{label} is not offered"
    answer = file.ask("completionItem/resolve", item)
    return contains(answer.get("documentation", {}).get("value", ""), text)


def check_detail(file, place, text):
    """`label: detail`, with the kind behind it where it has one."""
    label, text = text.split(": ", 1)
    item = offered(file, place, label) or {}
    return same(text, " ".join(filter(None, [item.get("detail"), item.get("labelDetails", {}).get("description")])))


def check_signature(file, place, text):
    """`label | parameter`: of the call there; `none`."""
    answer = file.ask("textDocument/signatureHelp", file.at(place))
    if answer is None:
        return same(text, "none")
    signature = answer["signatures"][answer["activeSignature"]]
    parameters = [each["label"] for each in signature["parameters"]]
    at = answer["activeParameter"]
    return same(text, f"{signature['label']} | {parameters[at] if at < len(parameters) else ''}".rstrip())


def check_rename(file, place, text):
    """`name: labels` of all places that change, or `name refused: words`."""
    name, wanted = text.split(": ", 1)
    refused = name.endswith(" refused")
    answer = file.ask("textDocument/rename", {**file.at(place), "newName": name.removesuffix(" refused")})
    if refused or "error" in answer:
        return contains(answer.get("error", str(answer)), wanted)
    edits = answer["changes"][file.uri]
    if any(edit["newText"] != name for edit in edits):
        return f"it writes {edits}"
    return same(sorted(wanted.split()), sorted(file.name_of(edit["range"]) for edit in edits))


def check_renameable(file, place, text):
    """`label` of the name, or `refused: words`."""
    answer = file.ask("textDocument/prepareRename", file.at(place))
    if text.startswith("refused: "):
        return contains(answer.get("error", str(answer)), text[9:])
    return same(text, file.name_of(answer["range"]))


def check_hints(file, place, text):
    """`text@column | …` of the whole line, columns from 1; `none`."""
    line = {"range": {"start": {"line": place[0], "character": 0}, "end": {"line": place[0], "character": len(file.lines[place[0]])}}}
    answer = file.ask("textDocument/inlayHint", line)
    return same(text, " | ".join(f"{hint['label']}@{hint['position']['character'] + 1}" for hint in answer) or "none")


def check_hint_text(file, place, text):
    """The tooltip of the hint there contains the text."""
    answer = file.ask("textDocument/inlayHint", file.over((place[0], place[1], place[1])))
    if not answer:
        return "there is no hint"
    return contains(file.ask("inlayHint/resolve", answer[0]).get("tooltip", {}).get("value", ""), text)


def region_text(region):
    """`0:64` of elements, `0..96+32:4` of four each from 0 to 96 in steps of 32, with `/100` where they reach past an extent of 100."""
    first, last, step, length = region["first"], region["last"], region["step"], region["length"]
    text = f"{first}:{first + length}" if step == 0 else f"{first}:{last + length}" if step <= length else f"{first}..{last}+{step}:{length}"
    return text + (f"/{region['extent']}" if last + length > region["extent"] else "")


def hierarchy_of(file, place, text):
    words, _, wanted = text.rpartition(" -> ")
    return file.ask("phobos/hierarchy", {**file.at(place), **json.loads(words or "{}")}), wanted


def check_accesses(file, place, text):
    """`{"block": [1]} -> store out 0:64,0:64 | maybe load x …` of the kernel there; `by thread` is told by a `.`, a row-major position by a `#`."""
    answer, wanted = hierarchy_of(file, place, text)
    told = []
    for each in answer["accesses"]:
        words = [] if each["reached"] == "yes" else [each["reached"]]
        what = "atomic" if each.get("atomic") else "store" if each["store"] else "load"
        words += [what + ("" if each["by"] == "cta" else "."), each["tensor"] + ("#" if each.get("flat") else "")]
        words.append(",".join(map(region_text, each["regions"])) if "regions" in each else "?")
        told.append(" ".join(words))
    return same(wanted, " | ".join(told))


def check_grid(file, place, text):
    """`5 x 7 x 1 = ceil(288 / 64), …`, or why there is none."""
    answer, wanted = hierarchy_of(file, place, text)
    if answer["grid"] is None:
        return same(wanted, answer["gridReason"])
    return same(wanted, f"{' x '.join(map(str, answer['grid']))} = {', '.join(filter(None, answer['gridHow']))}")


def check_ctx(file, place, text):
    """`field value how | …`: these are there."""
    answer, wanted = hierarchy_of(file, place, text)
    return contains(" | ".join(f"{each['field']} {each['value']} {each['how']}".strip() for each in answer["ctx"]), wanted)


def check_threads(file, place, text):
    """`48, not whole: words`, or `256`."""
    answer, wanted = hierarchy_of(file, place, text)
    count, _, words = wanted.partition(", not whole: ")
    return same(count, str(answer["threads"])) or same(bool(words), not answer["wholeWarps"]) or contains(answer["launchFault"], words)


def check_fold(file, place, text):
    """How many lines are hidden below this one, and of what sort where it is a comment; `none`."""
    answer = file.ask("textDocument/foldingRange", {})
    here = [f"{each['endLine'] - each['startLine']} {each.get('kind', '')}".strip() for each in answer if each["startLine"] == place[0]]
    return same(text, " ".join(here) or "none")


def text_in(file, range_):
    starts = [sum(len(line) + 1 for line in file.lines[:number]) for number in (range_["start"]["line"], range_["end"]["line"])]
    return file.text[starts[0] + range_["start"]["character"]:starts[1] + range_["end"]["character"]]


def check_selection(file, place, text):
    """What is selected step by step, up to where the mark ends: `a | a + b`."""
    answer = file.ask("textDocument/selectionRange", {"positions": [file.at(place)["position"]]})[0]
    steps = []
    while answer:
        steps.append(text_in(file, answer["range"]).replace("\n", "\\n"))
        answer = answer.get("parent")
    if steps[-1] != file.text.replace("\n", "\\n"):
        return "the last step is not the file"
    return same(text, " | ".join(steps[:text.count(" | ") + 1]))


def edited(file, edits):
    starts = [0]
    for line in file.lines:
        starts.append(starts[-1] + len(line) + 1)
    places = sorted(((starts[e["range"]["start"]["line"]] + e["range"]["start"]["character"], starts[e["range"]["end"]["line"]] + e["range"]["end"]["character"], e["newText"]) for e in edits), reverse=True)
    text = file.text
    for begin, end, new in places:
        text = text[:begin] + new + text[end:]
    return text


def actions(file, place):
    return file.ask("textDocument/codeAction", {**file.over(place), "context": {"diagnostics": []}})


def check_action(file, place, text):
    """`title: text` that is in the file when the action is done, line ends as `\\n`."""
    title, text = text.split(": ", 1)
    found = [each for each in actions(file, place) if each["title"] == title]
    if not found:
        return f"there is no {title!r}, but {[each['title'] for each in actions(file, place)]}"
    after = edited(file, found[0]["edit"]["changes"][file.uri]).replace("\n", "\\n")
    return None if text in after else f"after {title!r} there is no {text!r}: {[line for line in after.split(chr(92) + 'n') if line not in file.lines]}"


def check_noaction(file, place, text):
    titles = [each["title"] for each in actions(file, place)]
    return f"there is {text!r}" if text in titles else None


def check_lens(file, place, text):
    answer = file.ask("textDocument/codeLens", {})
    return same(text, " | ".join(each["command"]["title"] for each in answer if each["range"]["start"]["line"] == place[0]) or "none")


def calls(file, place, end):
    items = file.ask("textDocument/prepareCallHierarchy", file.at(place))
    if not items:
        return "none"
    answer = file.ask("callHierarchy/" + {"from": "incomingCalls", "to": "outgoingCalls"}[end], {"item": items[0]})
    return " ".join(f"{each[end]['name']}*{len(each['fromRanges'])}" for each in answer) or "nothing"


def check_link(file, place, text):
    """The end of the address that is linked there; `none`."""
    answer = file.ask("textDocument/documentLink", {})
    here = [each["target"] for each in answer if file.over(place)["range"] == each["range"]]
    return same(text, "none") if not here else None if here[0].endswith(text) else f"it leads to {here[0]}"


def check_symbols(file, place, text):
    answer = file.ask("textDocument/documentSymbol", {})
    return same(text, " ".join(f"{each['name']}({','.join(child['name'] for child in each.get('children', []))})" for each in answer))


def check_formatted(file, place, text):
    """The formatting of the file is that of `phobos fmt`."""
    answer = file.ask("textDocument/formatting", {"options": {"tabSize": 8, "insertSpaces": False}})
    done = subprocess.run([file.program, "fmt", "-"], input=file.text.encode(), capture_output=True, timeout=60)
    return same(done.stdout.decode(), edited(file, answer))


def check_typed(file, place, text):
    """`character: text` that is in the file when the edits are made that follow that character, typed just before the place."""
    typed, text = text.split(": ", 1)
    answer = file.ask("textDocument/onTypeFormatting", {**file.at(place), "ch": typed.replace("\\n", "\n"), "options": {}})
    return contains(edited(file, answer or []).replace("\n", "\\n"), text)


def check_ranged(file, place, text):
    """What is in the file when the range is formatted."""
    answer = file.ask("textDocument/rangeFormatting", {**file.over(place), "options": {}})
    return contains(edited(file, answer or []).replace("\n", "\\n"), text)


CHECKS = {
    "formatted": check_formatted,
    "typed": check_typed,
    "ranged": check_ranged,
    "action": check_action,
    "noaction": check_noaction,
    "accesses": check_accesses,
    "ctx": check_ctx,
    "grid": check_grid,
    "threads": check_threads,
    "fold": check_fold,
    "hints": check_hints,
    "hint": check_hint_text,
    "incoming": lambda file, place, text: same(text, calls(file, place, "from")),
    "outgoing": lambda file, place, text: same(text, calls(file, place, "to")),
    "lens": check_lens,
    "link": check_link,
    "selection": check_selection,
    "symbols": check_symbols,
    "rename": check_rename,
    "renameable": check_renameable,
    "complete": check_complete,
    "completes": check_completes,
    "first": check_first,
    "detail": check_detail,
    "inserts": check_inserts,
    "resolve": check_resolve,
    "signature": check_signature,
    "hover": check_hover,
    "definition": lambda file, place, text: target(file, "textDocument/definition", place, text),
    "declaration": lambda file, place, text: target(file, "textDocument/declaration", place, text),
    "type": lambda file, place, text: target(file, "textDocument/typeDefinition", place, text),
    "references": check_references,
    "highlight": check_highlight,
    "token": check_token,
}


def check_file(program, server, path):
    file = File(program, server, path)
    file.open()
    if not file.marks:
        file.faults.append("the file has no marks")
    for number, place, name, text in file.marks:
        if name not in CHECKS:
            file.faults.append(f"line {number + 1}: there is no mark `{name}`")
            continue
        try:
            fault = CHECKS[name](file, place, text)
        except (KeyError, TypeError) as error:
            fault = f"the answer has no {error}"
        if fault:
            file.faults.append(f"line {number + 1}: {name}: {fault}")
    server.close(file.uri)
    return file.faults


def main(program, *places):
    here = pathlib.Path(__file__).parent
    paths = [p for place in places or [here] for p in ([pathlib.Path(place)] if str(place).endswith(".ph")
                                                       else sorted(pathlib.Path(place).rglob("*.ph")))]
    server, failed = Server(program), 0
    for path in paths:
        faults = check_file(program, server, path)
        failed += bool(faults)
        for fault in faults:
            print(f"{path.name}: {fault}")
    status = server.end()
    if status:
        print(f"the server ended with {status}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or status or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
