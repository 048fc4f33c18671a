// What package.json promises: that it is there, that it works with the program, and that it is told of.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { at, load, manifest } from "./load.mjs";

const { contributes } = manifest;
const phobos = process.env.PHOBOS;
const readme = readFileSync(at("../README.md"), "utf8");
const sources = readdirSync(at("../src"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(at(`../src/${name}`), "utf8"))
  .join("\n");
const names_in = (value) => JSON.stringify(value).match(/(?<=")phobos\.\w+(?=")/g) ?? [];
const { example } = await load("example.ts");

function check(text) {
  const { stdout, status } = spawnSync(phobos, ["check", "-", "--json"], { input: text, encoding: "utf8" });
  const errors = JSON.parse(stdout).diagnostics.filter(({ severity }) => severity === 1);
  return { status, errors: errors.map(({ message }) => message) };
}

test("the extension is activated by the language alone, or by a debug session of it", () => {
  assert.deepEqual(manifest.activationEvents, ["onDebugResolve:phobos"]);
});

test("every command that is offered is registered, and every one that is registered is offered or inner", () => {
  const offered = contributes.commands.map(({ command }) => command).sort();
  const registered = [...readFileSync(at("../src/extension.ts"), "utf8").matchAll(/^ {4}"(phobos\.\w+)":/gm)].map(([, name]) => name).sort();
  assert.deepEqual(registered, offered);
});

test("menus and the walkthrough name commands that exist", () => {
  const offered = new Set(contributes.commands.map(({ command }) => command));
  for (const name of names_in(contributes.menus)) assert.ok(offered.has(name), name);
  for (const [, name] of JSON.stringify(contributes.walkthroughs).matchAll(/command:(phobos\.\w+)/g)) assert.ok(offered.has(name), name);
});

test("each of the walkthrough's four steps ends by an event that the extension sends", () => {
  const steps = contributes.walkthroughs[0].steps;
  assert.equal(steps.length, 4);
  for (const { completionEvents } of steps) {
    assert.equal(completionEvents.length, 1);
    const [, what] = /^onContext:phobos\.seen\.(\w+)$/.exec(completionEvents[0]);
    assert.ok(sources.includes(`seen("${what}")`), what);
  }
});

test("every setting has a scope and a meaning, is read, and is told of in the README", () => {
  const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  assert.ok(settings.length >= 7);
  for (const [name, { scope, description, markdownDescription }] of settings) {
    assert.ok(["machine-overridable", "resource", "window"].includes(scope), name);
    assert.ok(description ?? markdownDescription, name);
    assert.ok(readme.includes(`\`${name}\``), `${name} is not in the README`);
  }
});

test("what a workspace may not decide before it is trusted", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  assert.deepEqual(restrictedConfigurations, ["phobos.server.path"]);
});

test("nothing of the extension reaches a network", () => {
  // That is of its own modules; the client's library is given the pipes of a process.
  assert.doesNotMatch(sources, /\b(fetch|XMLHttpRequest|WebSocket|sendTelemetryEvent|createTelemetryLogger)\s*\(|from "(node:)?(https?|net|tls|dgram)"|https?:\/\//);
});

test("the package has all that the manifest names, and no more than that", () => {
  const folder = mkdtempSync(join(tmpdir(), "phobos-package-"));
  try {
    writeFileSync(join(folder, "phobos"), "");
    const root = at("..").pathname;
    if (!existsSync(join(root, "dist/extension.js"))) execFileSync(process.execPath, ["build.mjs"], { cwd: root });
    execFileSync(process.execPath, ["pack.mjs", join(folder, "phobos"), "linux-arm64", join(folder, "out.vsix")], { cwd: root });
    const names = names_in_zip(readFileSync(join(folder, "out.vsix")));
    const named = JSON.stringify(contributes).match(/(?<=")(\.\/|walkthrough\/)[\w./-]+(?=")/g).map((name) => `extension/${name.replace("./", "")}`);
    const fixed = ["extension.vsixmanifest", "[Content_Types].xml", "extension/package.json", "extension/README.md", "extension/LICENSE", `extension/${manifest.icon}`];
    const built = ["extension/dist/extension.js", "extension/dist/result_view.js", "extension/dist/stepper_view.js", "extension/dist/hierarchy_view.js", "extension/server/phobos"];
    assert.deepEqual(names.toSorted(), [...new Set([...fixed, ...built, ...named])].toSorted());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** By the directory at the end of the file. */
function names_in_zip(zip) {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const names = [];
  for (let at = zip.readUInt32LE(end + 16), i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString("utf8", at + 46, at + 46 + length));
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}

const snippets = JSON.parse(readFileSync(at("../snippets/phobos.json"), "utf8"));

/** A snippet with its proposals taken. */
function expanded(body) {
  const defaults = {};
  let text = body.join("\n");
  for (let inner = true; inner; ) {
    const next = text.replace(/\$\{(\d+)(?::([^${}]*)|\|([^|}]*)\|)\}/g, (_, number, value, choices) => {
      defaults[number] ??= value ?? choices.split(",")[0];
      return defaults[number];
    });
    inner = next !== text;
    text = next;
  }
  return text.replace(/\$\{?(\d+)\}?/g, (_, number) => defaults[number] ?? "");
}

for (const [name, { prefix, body, description }] of Object.entries(snippets)) {
  test(`the snippet "${name}" gives a program`, { skip: phobos === undefined && "needs the program" }, () => {
    assert.ok(prefix && description);
    const text = expanded(body);
    const kernel = (inside) => `@launch(128)\nkernel host(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  let part = x[ctx.thread]\n${inside}\n}\n`;
    const shell = {
      "//#": () => `${text}\nkernel host(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  out[0 :+ 32] = x[0 :+ 32]\n}\n`,
      "@la": () => `${text}\nkernel host(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  out[0 :+ 32] = x[0 :+ 32]\n}\n`,
      "@au": () => `${text}\nkernel host(x: tensor<f32>[N], out: tensor<f32>[N]) {\n  out[0 :+ BLOCK] = x[0 :+ BLOCK]\n}\n`,
      "fn ": () => `${text}\n`,
    }[text.slice(0, 3)];
    const whole = text.includes("kernel ") ? `${text}\n` : (shell ?? (() => kernel(text)))();
    assert.deepEqual(check(whole), { status: 0, errors: [] }, whole);
    if (/^\/\/# run/.test(text) && text.includes("kernel ")) {
      execFileSync(phobos, ["run", "-", "--device", "sim", "-q"], { input: whole });
    }
  });
}

test("the walkthrough's example is right, runs, and its test passes", { skip: phobos === undefined && "needs the program" }, () => {
  assert.deepEqual(check(example), { status: 0, errors: [] });
  execFileSync(phobos, ["run", "-", "--device", "sim", "-q"], { input: example });
  const tested = execFileSync(phobos, ["test", "-", "--device", "sim", "--json"], { input: example, encoding: "utf8" });
  assert.deepEqual(JSON.parse(tested).tests.map(({ status }) => status), ["ok"]);
});

test("the problem matchers read what the program says", { skip: phobos === undefined && "needs the program" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "phobos-matcher-"));
  try {
    writeFileSync(join(folder, "a b.ph"), '//# run x=ones N=4 expect-error "no such thing"\n@launch(32)\nkernel k(x: tensor<f32>[N]) {\n  x[0] = 1.0\n}\n');
    writeFileSync(join(folder, "wrong.ph"), "kernel k(x: tensor<f32>[N]) {\n  x[0] = zz\n}\n");
    const say = (...args) => {
      const { stdout, stderr } = spawnSync(phobos, [...args, "--color", "never"], { cwd: folder, encoding: "utf8" });
      return `${stdout}${stderr}`.split("\n");
    };
    const [one, tests] = contributes.problemMatchers;
    const { regexp, file, line, column, severity, message, code } = one.pattern;
    const found = say("check", "wrong.ph").flatMap((text) => new RegExp(regexp).exec(text) ?? []);
    assert.deepEqual([file, line, column, severity, code].map((group) => found[group]), ["wrong.ph", "2", "10", "error", "PH0101"]);
    assert.match(found[message], /`zz`/);
    const said = say("test", "--device", "sim", "a b.ph");
    const at_line = said.findIndex((text) => new RegExp(tests.pattern[0].regexp).test(text));
    const [, ...failed] = new RegExp(tests.pattern[0].regexp).exec(said[at_line]);
    assert.deepEqual(failed.slice(0, 2), ["a b.ph", "1"]);
    assert.match(new RegExp(tests.pattern[1].regexp).exec(said[at_line + 1])[tests.pattern[1].message], /no such thing/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
