import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { RawServer, Server, Text } from "./server.mjs";

const phobos = process.env.PHOBOS ?? new URL("../../build/phobos", import.meta.url).pathname;
const uri = "file:///kernels/scale%20%F0%9F%9A%80.ph";

const kernel = `// Scales a row.
//# run N=256 x=iota factor=2.0
@launch(128)
kernel scale(x: tensor<f32>[N], out: tensor<f32>[N], factor: f32) {
  let base = ctx.block.x * 128
  let lane = ctx.lane
  let warp = ctx.warp
  var row: tile<f32>[128] = x[base :+ 128]
  if base < N {
    row = row * factor
  }
  out[base :+ 128] = row
}
`;

let server;
afterEach(() => server?.kill());

async function open(text, capabilities) {
  server = new Server(phobos);
  const result = await server.initialize(capabilities);
  await server.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "phobos", version: 1, text },
  });
  return result;
}

function change(version, ...contentChanges) {
  return server.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version },
    contentChanges,
  });
}

async function hover(position) {
  const answer = await server.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position });
  assert.ok(answer, `no hover at ${position.line}:${position.character}`);
  return answer.contents.value;
}

const errors = (diagnostics) => diagnostics.filter(({ severity }) => severity === 1);

describe("a document", () => {
  test("opens, is edited into a rule violation and out of it, and closes", async () => {
    const text = new Text(kernel);
    const result = await open(text.text, {
      textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true } },
    });
    assert.equal(result.serverInfo.name, "phobos");
    assert.equal(result.capabilities.textDocumentSync.change ?? result.capabilities.textDocumentSync, 2);
    assert.deepEqual(errors(await server.diagnostics(uri, 1)), []);

    await change(2, text.replace("base < N", "lane < 7"));
    const [error, ...more] = errors(await server.diagnostics(uri, 2));
    assert.deepEqual(more, []);
    assert.match(error.message, /runs once per CTA, so every thread must reach it/);
    assert.match(error.message, /differs between lanes/);
    assert.match(error.code, /^PH\d{4}$/);
    assert.equal(error.range.start.line, text.position("row * factor").line);
    assert.ok(error.relatedInformation.length > 0);
    const chain = error.relatedInformation.map(({ location }) => text.at(location.range));
    assert.ok(error.relatedInformation.every(({ location, message }) => location.uri === uri && message !== ""));
    assert.ok(chain.some((place) => place.includes("ctx.lane")), `the chain ends at its source: ${chain}`);

    await change(3, text.replace("lane < 7", "base < N"));
    assert.deepEqual(errors(await server.diagnostics(uri, 3)), []);
    assert.equal(await server.end(), 0);
    assert.equal(server.errors, "");
  });

  test("is hovered: type, kind and the reason", async () => {
    const text = new Text(kernel);
    await open(text.text, { textDocument: { hover: { contentFormat: ["markdown"] } } });
    const lane = await hover(text.position("lane = "));
    assert.match(lane, /\bvarying\b/);
    assert.match(lane, /ctx\.lane/);
    const warp = await hover(text.position("warp = "));
    assert.match(warp, /\bwarp-uniform\b/);
    assert.match(warp, /ctx\.warp/);
    const factor = await hover(text.position("factor\n"));
    assert.match(factor, /\bf32\b/);
    assert.match(factor, /(?<!-)\buniform\b/);
    const row = await hover(text.position("row * factor"));
    assert.match(row, /tile<f32>\[128\]/);
    const comment = await server.connection.sendRequest("textDocument/hover", {
      textDocument: { uri },
      position: text.position("Scales"),
    });
    assert.equal(comment, null);
  });

  test("offers each kernel to be run", async () => {
    await open(`${kernel}\n@launch(32)\nkernel second(out: tensor<i32>[32]) {\n  out[ctx.thread] = 1\n}\n`);
    const lenses = await server.connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
    const runs = lenses.filter(({ command }) => command.command === "phobos.run");
    assert.deepEqual(
      runs.map(({ command }) => command.arguments[0]),
      [{ uri, kernel: "scale" }, { uri, kernel: "scale", runLine: 0 }, { uri, kernel: "second" }],
    );
    const titles = runs.map(({ command }) => command.title);
    assert.deepEqual(titles, ["▶ Run scale", "▶ N=256 x=iota factor=2.0", "▶ Run second"]);
  });

  test("several changes of one notification apply one after the other", async () => {
    const text = new Text(kernel);
    await open(text.text);
    await change(2, text.replace("lane = ctx.lane", "mine = ctx.thread"), text.replace("base < N", "mine < 7"));
    const [error] = errors(await server.diagnostics(uri, 2));
    assert.match(error.message, /differs between lanes/);
    await change(3, { text: kernel });
    assert.deepEqual(errors(await server.diagnostics(uri, 3)), []);
  });

  for (const encoding of ["utf-16", "utf-8", "utf-32"]) {
    test(`has emoji before the edit, in ${encoding}`, async () => {
      const text = new Text(kernel.replace("let lane", "// 🚀 é𝒂 let lane").replace("base < N", "lane < 7"));
      const result = await open(text.text, { general: { positionEncodings: [encoding, "utf-16"] } });
      text.encoding = result.capabilities.positionEncoding ?? "utf-16";
      if (encoding !== "utf-32") assert.equal(text.encoding, encoding);
      const [unknown] = errors(await server.diagnostics(uri, 1));
      assert.equal(text.at(unknown.range), "lane");

      // Who counts otherwise than the client takes too much away here, or too little.
      await change(2, text.replace("// 🚀 é𝒂 ", ""));
      const [error, ...more] = errors(await server.diagnostics(uri, 2));
      assert.deepEqual(more, []);
      assert.match(error.message, /differs between lanes/);

      await change(3, text.replace("lane < 7", "🚀 nosuch < 7"));
      const broken = errors(await server.diagnostics(uri, 3));
      assert.ok(broken.some(({ range }) => text.at(range).includes("🚀")), JSON.stringify(broken));
    });
  }
});

describe("the life of a server", () => {
  test("without a choice of encodings it counts in UTF-16", async () => {
    server = new Server(phobos);
    const { capabilities } = await server.initialize();
    assert.equal(capabilities.positionEncoding ?? "utf-16", "utf-16");
    assert.equal(await server.end(), 0);
  });

  test("an unknown method is answered with -32601, an unknown notification with nothing", async () => {
    server = new Server(phobos);
    await server.initialize();
    await server.connection.sendNotification("phobos/noSuchNotification", {});
    await assert.rejects(server.connection.sendRequest("phobos/noSuchRequest", {}), { code: -32601 });
    assert.equal(await server.end(), 0);
  });

  test("positions that cannot be are answered with -32602, those past the end are held to it", async () => {
    await open(kernel);
    const ask = (line, character) =>
      server.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line, character } });
    await assert.rejects(ask(-1, 0), { code: -32602 });
    await assert.rejects(ask(0, 1.5), { code: -32602 });
    await ask(3, 2147483647);
    await ask(2147483647, 2147483647);
    await change(2, { range: { start: { line: 0, character: 0 }, end: { line: 999999, character: 999999 } }, text: "" });
    assert.deepEqual(await server.diagnostics(uri, 2), []);
    assert.equal(await server.end(), 0);
  });

  test("a request before initialize is answered with -32002", async () => {
    server = new RawServer(phobos);
    server.write({ id: 1, method: "textDocument/hover", params: {} });
    assert.equal((await server.response(1)).error.code, -32002);
    server.write({ id: 2, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
    assert.ok((await server.response(2)).result.capabilities);
  });

  test("what is not JSON is answered with -32700, and the next message works", async () => {
    server = new RawServer(phobos);
    server.write_body("{ this is not JSON");
    assert.equal((await server.response(null)).error.code, -32700);
    server.write_body(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    assert.equal((await server.response(null)).error.code, -32700);
    const body = JSON.stringify({ jsonrpc: "2.0", id: "one", method: "initialize", params: { capabilities: {} } });
    server.write_body(body, "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length");
    assert.ok((await server.response("one")).result.capabilities);
  });

  test("shutdown with null or no params is answered with null, and requests after it with -32600", async () => {
    server = new RawServer(phobos);
    server.write({ id: 1, method: "initialize", params: { capabilities: {} } });
    await server.response(1);
    server.write({ id: 2, method: "shutdown", params: null });
    assert.equal((await server.response(2)).result, null);
    server.write({ id: 3, method: "textDocument/hover", params: {} });
    assert.equal((await server.response(3)).error.code, -32600);
    server.write({ method: "exit" });
    assert.deepEqual(await server.exited, [0, null]);
  });

  test("exit without shutdown ends with 1", async () => {
    server = new RawServer(phobos);
    server.write({ method: "exit" });
    assert.deepEqual(await server.exited, [1, null]);
  });

  test("it ends when the client's end of the pipe closes", async () => {
    server = new RawServer(phobos);
    server.write({ id: 1, method: "initialize", params: { capabilities: {} } });
    await server.response(1);
    server.child.stdin.end();
    const [, signal] = await server.exited;
    assert.equal(signal, null);
  });
});
