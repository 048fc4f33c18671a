// The TextMate grammar: scopes of the places that are easily got wrong, and that it knows every built-in.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const at = (path) => new URL(path, import.meta.url);
const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm);

// The editor's own grammar of Markdown, which ours is injected into.
const markdown_file = () => `${process.env.PHOBOS_CODE_SERVER}/lib/vscode/extensions/markdown-basics/syntaxes/markdown.tmLanguage.json`;
const files = {
  "source.phobos": () => at("../syntaxes/phobos.tmLanguage.json"),
  "source.phobos-assembly": () => at("../syntaxes/assembly.tmLanguage.json"),
  "markdown.phobos.codeblock": () => at("../syntaxes/markdown.phobos.json"),
  "text.html.markdown": markdown_file,
};
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = files[scope]?.();
    return file && textmate.parseRawGrammar(readFileSync(file, "utf8"), String(file));
  },
  getInjections: (scope) => (scope === "text.html.markdown" ? ["markdown.phobos.codeblock"] : undefined),
});
const grammar = await registry.loadGrammar("source.phobos");

/** The innermost scope of the first token of the text that is exactly `word`. */
function scope_of(text, word, by = grammar) {
  let state = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = by.tokenizeLine(line, state);
    state = ruleStack;
    const found = tokens.find(({ startIndex, endIndex }) => line.slice(startIndex, endIndex) === word);
    if (found) return found.scopes.at(-1).replace(/\.phobos$/, "");
  }
  return undefined;
}

const expected = [
  ["kernel add(x: tensor<f32>[N]) {", "kernel", "storage.type.function"],
  ["kernel add(x: tensor<f32>[N]) {", "add", "entity.name.function"],
  ["kernel add(x: tensor<f32>[N]) {", "x", "variable.parameter"],
  ["kernel add(x: tensor<f32>[N]) {", "tensor", "storage.type.shaped"],
  ["kernel add(x: tensor<f32>[N]) {", "f32", "support.type.scalar"],
  ["kernel add(x: tensor<f32>[N]) {", "N", "variable.other.constant.dimension"],
  ["  let t: tile<bf16>[4, K] = 0.0", "tile", "storage.type.shaped"],
  ["  let t: tile<bf16>[4, K] = 0.0", "t", "variable.other.readwrite"],
  ["  let t: tile<bf16>[4, K] = 0.0", "0.0", "constant.numeric.float"],
  ["  let m = -1.0e30", "1.0e30", "constant.numeric.float"],
  ["  let m = 0xFF_00", "0xFF_00", "constant.numeric.hex"],
  ["  let m = 0b1010", "0b1010", "constant.numeric.binary"],
  ["  let m = 10_000", "10_000", "constant.numeric.integer"],
  ["  let v = A[row :+ 4, :]", ":+", "keyword.operator.span"],
  ["  let v = ctx.block.x * 4", "block", "support.variable.ctx"],
  ["  let v = ctx.block.x * 4", "x", "support.variable.axis"],
  ["  let v = ctx.lane", "ctx", "variable.language.ctx"],
  ["  let v = ctx.lane", "lane", "support.variable.ctx"],
  ["  let s = sum<over ctx.lane>(v)", "sum", "support.function.collective"],
  ["  let s = sum<over ctx.lane>(v)", "over", "keyword.other.over"],
  ["  let s = sum<over ctx.lane>(v)", "lane", "support.variable.ctx"],
  ["  let s = shfl<xor 16>(v)", "xor", "keyword.other.shuffle"],
  ["  let s = shfl<xor 16>(v)", "16", "constant.numeric.integer"],
  ["  if a < b && c > 4 {", "<", "keyword.operator.comparison"],
  ["  if a < b && c > 4 {", "4", "constant.numeric.integer"],
  ["  for<unroll 4> i in range(0, n) {", "unroll", "storage.modifier.unroll"],
  ["  for i in range(0, n) {", "for", "keyword.control.loop"],
  ["  for i in range(0, n) {", "in", "keyword.control.loop"],
  ["  for i in range(0, n) {", "range", "support.function"],
  ["  return x", "return", "keyword.control.flow"],
  ["  acc += dot(a, b)", "+=", "keyword.operator.assignment.compound"],
  ["  acc += dot(a, b)", "dot", "support.function.tile"],
  ["  barrier()", "barrier", "support.function.synchronisation"],
  ["  let y = helper(x)", "helper", "entity.name.function.call"],
  ["@launch(128, 2)", "launch", "entity.name.function.decorator"],
  ["@autotune(BLOCK in [256, 4096])", "BLOCK", "variable.other.constant"],
  ["@autotune(BLOCK in [256, 4096])", "4096", "constant.numeric.integer"],
  ["@persistent\nkernel k() {}", "persistent", "entity.name.function.decorator"],
  ["@persistent\nkernel k() {}", "k", "entity.name.function"],
  ["let a = 1 // kernel", " kernel", "comment.line.double-slash"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "run", "keyword.control.directive.run"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "N", "variable.parameter"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "100", "constant.numeric"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "iota", "support.function.generator"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "a.npy", "string.unquoted"],
  ["//# run N=100 x=iota expect out=a.npy rtol=1e-6", "expect", "keyword.control.directive.expect"],
  ['//# run N=1 --grid 3,1 expect-error "past the end"', "--grid", "entity.other.attribute-name.option"],
  ['//# run N=1 --grid 3,1 expect-error "past the end"', "expect-error", "keyword.control.directive.expect"],
  ['//# run N=1 expect-warning "race"', "expect-warning", "keyword.control.directive.expect"],
  ['//# run N=1 expect-print "x = 1"', "expect-print", "keyword.control.directive.expect"],
  ["// not a //# run line", " not a //# run line", "comment.line.double-slash"],
];

for (const [text, word, scope] of expected) {
  test(`${word} in ${JSON.stringify(text)}`, () => assert.equal(scope_of(text, word), scope));
}

const fence = "# title\n\n```phobos ignore\nkernel k() {\n}\n```\n\n~~~phobos\nlet t = 1\n~~~\n\nkernel of truth";
const skip = process.env.PHOBOS_CODE_SERVER === undefined && "needs the editor's grammar of Markdown";

test("a fence of Markdown holds Phobos, to its end", { skip }, async () => {
  const markdown = await registry.loadGrammar("text.html.markdown");
  assert.equal(scope_of(fence, "kernel", markdown), "storage.type.function");
  assert.equal(scope_of(fence, "let", markdown), "storage.type");
  assert.equal(scope_of(fence, "phobos", markdown), "fenced_code.block.language.markdown");
  const behind = scope_of(`${fence.split("~~~")[0]}\nkernel of truth`, "kernel of truth", markdown);
  assert.match(behind, /^meta\.paragraph/);
});

test("every built-in has a scope of its own", () => {
  const table = readFileSync(at("../../../core/builtins/include/phobos/builtins/builtins.def"), "utf8");
  const names = [...table.matchAll(/^PHOBOS_BUILTIN\(\w+, "(\w+)"/gm)].map(([, name]) => name);
  assert.ok(names.length > 40);
  const unknown = names.filter((name) => !/^support\./.test(scope_of(`  let r = ${name}(x)`, name)));
  assert.deepEqual(unknown, []);
});

test("PTX and SASS are coloured by what they are made of", async () => {
  const assembly = await registry.loadGrammar("source.phobos-assembly");
  const lines = [
    ["\t.loc\t1 8 20", ".loc", "storage.modifier.directive"],
    ["$L__BB0_3:", "$L__BB0_3", "entity.name.function.label"],
    ["\tmov.b32 %r55, 0; @%p4 ld.global.nc.b32 %r55, [%rd14+4];", "ld.global.nc.b32", "support.function.instruction"],
    ["\tmov.b32 %r55, 0; @%p4 ld.global.nc.b32 %r55, [%rd14+4];", "@%p4", "keyword.control.predicate"],
    ["\tmov.b32 %r55, 0; @%p4 ld.global.nc.b32 %r55, [%rd14+4];", "%rd14", "variable.other.register"],
    ["\tmov.u32 \t%r1, %ctaid.x;", "%ctaid.x", "variable.other.register"],
    ["\tfma.rn.f32 %f1, %f2, 0f3F800000, %f3;", "0f3F800000", "constant.numeric"],
    ["\tret;", "ret", "support.function.instruction"],
    ["// end inline asm", "// end inline asm", "comment.line.double-slash"],
    [".visible .entry tiles(", ".entry", "storage.modifier.directive"],
    ["        /*0010*/              @!PT SHFL.IDX PT, RZ, R4, 0x1f ;", "SHFL.IDX", "support.function.instruction"],
    ["        /*0010*/              @!PT SHFL.IDX PT, RZ, R4, 0x1f ;", "R4", "variable.other.register"],
    ["        /*0010*/              @!PT SHFL.IDX PT, RZ, R4, 0x1f ;", "/*0010*/", "comment.block"],
  ];
  for (const [line, word, scope] of lines) assert.equal(scope_of(line, word, assembly)?.replace(/\.phobos-assembly$/, ""), scope, `${word} in ${line}`);
});
