// The pages of the stepper and of the hierarchy, and what is read of compiled code, apart from any editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { parse_state, parse_table } = await load("step_state.ts");
const { short, shown_matrix, shown_name, stepper_body } = await load("stepper_page.ts");
const { parse_facts } = await load("hierarchy_facts.ts");
const { hierarchy_body, words_of } = await load("hierarchy_page.ts");
const { shell } = await load("page_shell.ts");
const { ramp_class } = await load("ramp.ts");
const { lines_of_ptx, lines_of_sass, runs_of } = await load("code_lines.ts");
const { expression_at } = await load("evaluatable.ts");
const { hints_of, parse_report } = await load("report.ts");
const { edits_for, parse_tuned } = await load("tuned.ts");
const { tuned_page } = await load("tuned_page.ts");

const evil = '<img src=x onerror="alert(1)">';
const none = { name: undefined, matrix: undefined, picked: undefined };
const lanes = (of) => Array.from({ length: 32 }, (_, i) => of(i));
const state = (more) => parse_state({ step: 1, steps: 4, kernel: "k", block: [0, 0, 0], threads: 32, thread: 2, line: 3, text: "x = 1", active: [2, 3], event: "divergence", ...more });

test("every lane has a cell, which says whether it takes part", () => {
  const page = stepper_body(state({ names: [{ name: "v", kind: "varying", type: "f32", lanes: lanes((i) => (i < 30 ? String(i / 4) : null)) }] }), none, undefined);
  assert.equal(page.match(/role="gridcell"/g).length, 32);
  assert.match(page, /2 of 32 lanes take part/);
  assert.match(page, /aria-label="thread 3, lane 3 of warp 0: 0\.75"/);
  assert.match(page, /aria-label="thread 4, lane 4 of warp 0: 1, does not take part"/);
  assert.match(page, /lane 31 of warp 0: no value/);
  assert.match(page, /warp 0 <small>parted/);
  assert.equal(page.match(/tabindex="0" data-pick/g).length, 1);
});

test("what a step wrote is what is shown, unless something else was chosen", () => {
  const names = [{ name: "a", kind: "uniform", type: "i32", lanes: lanes(() => "1") }, { name: "b", kind: "varying", type: "i32", lanes: lanes(String), written: true }];
  assert.equal(shown_name(state({ names }), none).name, "b");
  assert.equal(shown_name(state({ names }), { ...none, name: "a" }).name, "a");
  assert.equal(shown_name(state({ names, condition: { name: "c", kind: "varying", lanes: lanes(() => "true") } }), none).name, "c");
  const tensors = [{ name: "x", shape: [4], stored: 0 }, { name: "out", shape: [4], stored: 2 }];
  assert.equal(shown_matrix(state({ tensors }), none), "out");
  assert.equal(shown_matrix(state({ tensors }), { ...none, matrix: "x" }), "x");
});

test("values fit into cells, and keep their size", () => {
  for (const [value, text] of [["12", "12"], ["3.14159", "3.14"], ["-0.000123", "-1e-4"], ["123456", "1e5"], ["true", "T"], ["nan", "nan"], [null, ""]]) assert.equal(short(value), text);
});

test("a table marks what the step wrote, and its heat map does", () => {
  const table = parse_table({ name: "t", type: "tile<f32>[1, 2]", shape: [1, 2], rows: 1, columns: 2, cells: [["1", "2"]], written: [[false, true]], stored: 1, low: 1, high: 2, heat: { rows: 1, columns: 2, means: [1, 2], written: [0, 1] } });
  const page = stepper_body(state({ names: [{ name: "t", kind: "uniform", type: table.type, shape: [1, 2] }] }), none, table);
  assert.match(page, /<td>1<\/td><td class="fresh">2<\/td>/);
  assert.equal(page.match(/<rect class="fresh"/g).length, 1);
  assert.match(page, /this step wrote 1 element, outlined/);
});

test("what programs say is escaped, and the pages let nothing else in", () => {
  const said = state({ kernel: evil, text: evil, event: evil, message: evil, printed: [evil], names: [{ name: evil, type: evil, lanes: [evil] }], tensors: [{ name: evil, type: evil, shape: [1] }] });
  const table = parse_table({ name: evil, type: evil, cells: [[evil]], heat: {} });
  const facts = parse_facts({ kernel: evil, gridReason: evil, launchFault: evil, dimensions: [{ name: evil, value: 1 }], constants: [{ name: evil }], tensors: [{ name: evil, type: evil, extents: [2] }], accesses: [{ tensor: evil, text: evil }], ctx: [{ field: evil, how: evil, kind: evil }] });
  const looked = { level: "cta", block: [0, 0, 0], warp: 0, thread: 0, line: 0, stepping: false };
  const page = shell({ nonce: "n", title: evil, style: "", script: "s.js" }, stepper_body(said, none, table) + hierarchy_body(facts, looked));
  assert.ok(!page.includes("<img"));
  assert.match(page, /default-src 'none'; style-src 'nonce-n'; script-src 'nonce-n'/);
  assert.ok(!/ style="| on\w+="|https?:/.test(page.replaceAll("&lt;img src=x onerror=&quot;", "")));
});

test("the mouse rests on names and fields, not on keywords, calls and comments", () => {
  const of = (line, word) => { const found = expression_at(line, line.indexOf(word) + 1); return found && line.slice(found.from, found.to); };
  assert.equal(of("  let own = x[base + ctx.thread]", "base"), "base");
  assert.equal(of("  let own = x[base + ctx.thread]", "thread"), "ctx.thread");
  assert.equal(of("  let pm = ctx.block.x * 64", "block"), "ctx.block.x");
  assert.equal(of("  row[ctx.thread] = twice(own)", "own"), "own");
  for (const [line, word] of [["  let a = 1", "let"], ["  row = twice(own)", "twice"], ["  a = b // own", "own"], ["kernel k(x: tensor<f32>[N]) {", "tensor"], ["@launch(64)", "launch"]]) assert.equal(of(line, word), undefined);
});

test("documents of other forms do no harm", () => {
  for (const odd of [undefined, null, 3, [], {}, { names: 3, active: "x", heat: [] }]) {
    assert.equal(typeof stepper_body(parse_state(odd), none, parse_table(odd)), "string");
    assert.equal(typeof hierarchy_body(parse_facts(odd), { level: "grid", block: [0, 0, 0], warp: 0, thread: 0, line: 0, stepping: false }), "string");
  }
});

const region = (first, last, step, length, extent) => ({ first, last, step, length, extent });

test("regions in words", () => {
  const words = (regions, more) => words_of({ tensor: "C", regions, reached: "yes", by: "cta", ...more });
  assert.equal(words([region(64, 64, 0, 64, 288), region(3, 3, 0, 1, 9)]), "C[64:128, 3]");
  assert.equal(words([region(256, 256, 0, 64, 288)]), "C[256:320]; part of it is masked");
  assert.equal(words([region(320, 320, 0, 64, 288)]), "C[320:384]; all of it is masked");
  assert.equal(words([region(1, 97, 32, 1, 128)]), "C[1, 33, … 97]");
  assert.equal(words([region(0, 96, 32, 4, 128)]), "C[0:+4, 32:+4, … 96:+4]");
  assert.equal(words([region(0, 96, 32, 32, 128)]), "C[0:128]");
  assert.equal(words(undefined, { reached: "maybe" }), "where, only the run knows, if it gets here");
  assert.equal(words(undefined, { reached: "no" }), "not reached");
  assert.equal(words([region(132, 132, 0, 4, 384)], { flat: true }), "C at 132:136 in row-major order");
});

test("positions in row-major order are drawn row by row; atomics are told", () => {
  const facts = parse_facts({ kernel: "k", threads: 64, wholeWarps: true, grid: [1, 1, 1], tensors: [{ name: "W", type: "f32[8, 10]", extents: [8, 10] }],
    accesses: [{ tensor: "W", text: "store(W, 7, r)", store: true, by: "thread", reached: "yes", flat: true, regions: [region(7, 7, 0, 30, 80)] },
      { tensor: "W", text: "atomic_add(W, 0, 1)", store: true, atomic: true, by: "cta", reached: "yes", flat: true, regions: [region(0, 0, 0, 1, 80)] }] });
  const page = hierarchy_body(facts, { level: "cta", block: [0, 0, 0], warp: 0, thread: 0, line: 9, stepping: false });
  // The end of row 0, rows 1 and 2, and the beginning of row 3; and one element.
  const rects = [...page.matchAll(/<rect class="store" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(([, ...numbers]) => numbers.map((number) => Number(number) / 20));
  assert.deepEqual(rects, [[7, 0, 3, 1], [0, 1, 10, 2], [0, 3, 7, 1], [0, 0, 1, 1]]);
  assert.match(page, /<\/span> atomic <button/);
});

test("what lies past the end is hatched; half a warp is dashed", () => {
  const facts = parse_facts({ kernel: "k", threads: 48, wholeWarps: false, grid: [5, 1, 1], tensors: [{ name: "C", type: "f32[288]", extents: [288] }],
    accesses: [{ tensor: "C", text: "C[…]", store: true, by: "cta", reached: "yes", regions: [region(256, 256, 0, 64, 288)] }] });
  const page = hierarchy_body(facts, { level: "cta", block: [4, 0, 0], warp: 0, thread: 0, line: 0, stepping: false });
  assert.match(page, /fill="url\(#hatch-C\)" class="past/);
  assert.equal(page.match(/class="lane part"/g).length, 16);
  assert.equal(page.match(/class="lane absent"/g).length, 16);
});

test("colours grow with the number, and what is none has a colour of its own", () => {
  const step = (value) => Number(ramp_class(value, 0, 10).slice(1));
  assert.deepEqual([0, 5, 10, 11, -1].map(step), [0, 6, 11, 11, 0]);
  assert.equal(ramp_class(NaN, 0, 1), "odd");
  assert.equal(ramp_class(7, 7, 7), "r6");
});

test("PTX and SASS lead back to the source", () => {
  const ptx = "\t.file\t1 \"a.ph\"\n.visible .entry k(\n{\n\t.loc\t1 13 5\n\tmov.b32 \t%r1, 3;\n\t@%p1 bra \t$L__BB0_2;\n\t.loc\t1 14 0, function_name f, inlined_at 1 15 3\n$L__BB0_2:\n\tret;\n\t.loc\t1 0 0\n\tret;\n}";
  assert.deepEqual(lines_of_ptx(ptx), [undefined, undefined, undefined, undefined, 12, 12, undefined, undefined, 13, undefined, undefined, undefined]);
  const sass = '\t.section\t.text.k\n        //## File "/tmp/a b.ph", line 7\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n        /*0010*/              @!PT SHFL.IDX PT, RZ ;\n.L_1:\n        //## File "/a.ph", line 3 inlined at "/a.ph", line 9\n        /*0020*/                   EXIT ;';
  assert.deepEqual(lines_of_sass(sass), [undefined, undefined, 6, 6, undefined, undefined, 2]);
  assert.deepEqual(runs_of([1, 1, undefined, 1, 2], 1), [{ first: 0, last: 1 }, { first: 3, last: 3 }]);
});

test("SASS as nvdisasm prints it: labels, predicates, sections, and lines of the PTX that are not the source's", () => {
  const text = [
    "//--------------------- .text.steps              --------------------------",
    '\t.section\t.text.steps,"ax",@progbits',
    "        .global         steps",
    "steps:",
    ".text.steps:",
    '\t//## File "/home/me/steps.ph", line 10',
    '\t//## File ".nv_debug_ptx_txt.1234", line 24',
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;",
    '\t//## File "/home/me/steps.ph", line 13',
    "        /*0010*/                   ISETP.GT.U32.AND P0, PT, R0, 0x6, PT ;",
    "        /*0020*/               @P0 BRA `(.L_x_0) ;",
    ".L_x_0:",
    "        /*0030*/                   EXIT ;",
    ".L_x_1:",
    "        /*7f5533bb9190*/                   BRA `(.L_x_1);",
    '\t.section\t.text.other,"ax",@progbits',
    "        /*0000*/                   NOP;",
  ].join("\n");
  const none = undefined;
  assert.deepEqual(lines_of_sass(text), [none, none, none, none, none, none, none, 9, none, 12, 12, none, 12, none, 12, none, none]);
});

test("the report's decisions are hints of their lines, what is of all of the kernel on its own", () => {
  const at = (line) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
  const report = parse_report({ chip: "sm_90a", resources: { registers: 33, spill_store_bytes: 8 }, occupancy: { share: 0.75 },
    decisions: [{ range: null, what: "order of the CTAs", path: "as they come" },
      { range: at(3), what: "load of X[4] of f32", path: "cp.async, 16 bytes at a time where it lies inside, else element by element, masked", reason: "why", masked: true },
      { range: at(3), what: "load of Y[4] of f32", path: "cp.async, 16 bytes at a time, masked", masked: true },
      { range: at(5), what: "loop over contractions", path: "pipelined, 4 stages" }] });
  assert.equal(report.resources, "33 registers, 8 bytes spilled, 75 % of the warps that fit");
  const hints = hints_of(report, 1);
  assert.deepEqual(hints.map(({ line, text }) => [line, text]), [[1, `${report.resources} · order: as they come`], [3, "load: cp.async, 16 bytes at a time, masked"], [5, "loop: pipelined, 4 stages"]]);
  assert.deepEqual(hints[1].details, ["load of X[4] of f32: cp.async, 16 bytes at a time where it lies inside, else element by element, masked (why)", "load of Y[4] of f32: cp.async, 16 bytes at a time, masked"]);
});

test("a search's variants are told by their time, and what programs say is escaped", () => {
  const context = { nonce: "n", take: "command:take", again: "command:again" };
  const tuned = parse_tuned({ kernel: "k", status: "ok", device: "simulator", shape: { N: 8 }, space: 4, estimated: true, seconds: 0.5, default_ms: 0.003, best: { constants: { B: 64 }, ms: 0.002 },
    variants: [{ constants: { B: 32 }, status: "timed", ms: 0.003 }, { constants: { B: 16 }, status: "refused", why: evil }, { constants: { B: 64 }, status: "timed", ms: 0.002 }] }, "k");
  assert.deepEqual(tuned.variants.map(({ constants }) => constants.B), [64, 32, 16]);
  const page = tuned_page(tuned, context);
  assert.match(page, /<code>B=64<\/code><\/b>, about 2 µs; the first choices take 3 µs, 1\.50 times as long/);
  assert.match(page, /Estimated/);
  assert.ok(!page.includes("<img"));
  assert.ok(!/<script|https?:| style="/.test(page));
  assert.match(tuned_page(parse_tuned({ status: "failed", message: evil }, "k"), context), /role="alert">&lt;img/);
  for (const odd of [undefined, null, 3, [], {}, { variants: 3, best: [] }]) assert.match(tuned_page(parse_tuned(odd, "k"), { ...context, take: "" }), /gave no reason/);
});

test("the winner is made the first choice, whatever the list stood for", () => {
  const edited = (text, constants) => edits_for(text, constants).reverse().reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text);
  assert.equal(edited("@autotune(A in [16, 128], B in [4, 8, 2])", { A: 64, B: 2 }), "@autotune(A in [64, 16, 32, 128], B in [2, 4, 8])");
  assert.equal(edited("@autotune(A in [16, 32])", { A: 32 }), "@autotune(A in [32, 16])");
  assert.equal(edited("@autotune(AB in [1, 2], B in [3, 1])", { B: 1 }), "@autotune(AB in [1, 2], B in [1, 3])");
  for (const constants of [{ A: 16 }, { Z: 1 }]) assert.deepEqual(edits_for("@autotune(A in [16, 32])", constants), []);
});
