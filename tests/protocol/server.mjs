// A language server in a process of its own, and a real client library that speaks to it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

const rpc = createRequire(import.meta.url)("vscode-languageserver-protocol/node.js");

const patience_ms = 10000;

export class Server {
  constructor(phobos) {
    this.child = spawn(phobos, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
    this.errors = "";
    this.child.stderr.on("data", (part) => (this.errors += part));
    this.exited = once(this.child, "exit");
    this.published = new Map();
    this.waiting = [];
  }

  /** The library's connection; without this call the test writes bytes itself. */
  connect() {
    this.connection = rpc.createProtocolConnection(this.child.stdout, this.child.stdin);
    this.connection.onNotification("textDocument/publishDiagnostics", (params) => {
      this.published.set(params.uri, [...(this.published.get(params.uri) ?? []), params]);
      this.waiting.forEach((look) => look());
    });
    this.connection.listen();
    return this.connection;
  }

  async initialize(capabilities = {}) {
    this.connect();
    const result = await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: null,
      // A client that knows versions: each has its diagnostics.
      capabilities: { ...capabilities, textDocument: { publishDiagnostics: { versionSupport: true }, ...capabilities.textDocument } },
    });
    await this.connection.sendNotification("initialized", {});
    return result;
  }

  /** The diagnostics that were published for this version of the document. */
  async diagnostics(uri, version) {
    const find = () => this.published.get(uri)?.find((params) => params.version === version);
    await within(`diagnostics of version ${version}`, (resolve) => {
      const look = () => find() && resolve();
      this.waiting.push(look);
      look();
    });
    return find().diagnostics;
  }

  /** shutdown and exit; the exit status of the process. */
  async end() {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const [status, signal] = await within("the server to exit", (resolve) => this.exited.then(resolve));
    return signal ?? status;
  }

  kill() {
    this.connection?.dispose();
    if (this.child.exitCode === null) this.child.kill("SIGKILL");
  }
}

/** A server to which bytes are written as they are, and whose messages are read one by one. */
export class RawServer extends Server {
  constructor(phobos) {
    super(phobos);
    this.unread = Buffer.alloc(0);
    this.messages = [];
    this.arrived = () => undefined;
    this.child.stdout.on("data", (part) => {
      this.unread = Buffer.concat([this.unread, part]);
      while (this.take_message());
      this.arrived();
    });
  }

  take_message() {
    const head_end = this.unread.indexOf("\r\n\r\n");
    if (head_end < 0) return false;
    const head = this.unread.subarray(0, head_end).toString("ascii");
    const length = Number(/^Content-Length: *(\d+)$/im.exec(head)?.[1]);
    const body_start = head_end + 4;
    if (this.unread.length < body_start + length) return false;
    this.messages.push(JSON.parse(this.unread.subarray(body_start, body_start + length).toString("utf8")));
    this.unread = this.unread.subarray(body_start + length);
    return true;
  }

  write_body(body, header = "Content-Length") {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    this.child.stdin.write(Buffer.concat([Buffer.from(`${header}: ${bytes.length}\r\n\r\n`), bytes]));
  }

  write(message) {
    this.write_body(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** The first response with this id. */
  async response(id) {
    const find = () => this.messages.find((message) => message.id === id && !("method" in message));
    await within(`a response to ${id}`, (resolve) => {
      this.arrived = () => find() && resolve();
      this.arrived();
    });
    const found = find();
    this.messages.splice(this.messages.indexOf(found), 1);
    return found;
  }
}

export function within(what, start) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`waited ${patience_ms} ms for ${what}`)), patience_ms);
    start((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

/** A text with its positions found by what is written there, in the units of a position encoding. */
export class Text {
  constructor(text, encoding = "utf-16") {
    this.text = text;
    this.encoding = encoding;
  }

  /** The position before the n-th (first) place where `word` stands. */
  position(word, n = 1) {
    return this.position_at(this.offset(word, n));
  }

  range(word, n = 1) {
    const start = this.offset(word, n);
    return { start: this.position_at(start), end: this.position_at(start + word.length) };
  }

  /** The change that puts `by` in the place of `word`; the text is changed too. */
  replace(word, by, n = 1) {
    const change = { range: this.range(word, n), text: by };
    const start = this.offset(word, n);
    this.text = this.text.slice(0, start) + by + this.text.slice(start + word.length);
    return change;
  }

  /** What stands in a range that the server has named. */
  at({ start, end }) {
    return this.text.slice(this.offset_at(start), this.offset_at(end));
  }

  offset(word, n) {
    let at = -1;
    for (let i = 0; i < n; i++) at = this.text.indexOf(word, at + 1);
    if (at < 0) throw new Error(`"${word}" is not in the text ${n} times`);
    return at;
  }

  position_at(offset) {
    const before = this.text.slice(0, offset);
    const line_start = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length - 1, character: this.units(before.slice(line_start)) };
  }

  offset_at({ line, character }) {
    const lines = this.text.split("\n");
    const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
    for (let i = 0; i <= lines[line].length; i++) {
      if (/^[\uDC00-\uDFFF]/.test(lines[line].slice(i))) continue; // inside a surrogate pair
      if (this.units(lines[line].slice(0, i)) >= character) return start + i;
    }
    return start + lines[line].length;
  }

  units(text) {
    if (this.encoding === "utf-8") return Buffer.byteLength(text);
    if (this.encoding === "utf-32") return [...text].length;
    return text.length;
  }
}
