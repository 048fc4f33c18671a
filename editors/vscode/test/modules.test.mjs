// What of the extension needs no editor.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "./load.mjs";

const { Tensor, half_to_number } = await load("npy.ts");
const view = await load("tensor_view.ts");
const { kernels_of, run_line_edit } = await load("run_lines.ts");
const form = await load("arguments.ts");
const failure = await load("failure.ts");
const { end_all, execute, never, words_of } = await load("process.ts");
const { parse_test_result } = await load("test_result.ts");
const { device_words, parse_machine } = await load("machine.ts");
const { regions_of } = await load("control_regions.ts");

function npy(descr, shape, bytes) {
  const head = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(head.length);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), length, Buffer.from(head), bytes]);
}

function with_file(content, body) {
  const folder = mkdtempSync(join(tmpdir(), "phobos-npy-"));
  try {
    writeFileSync(join(folder, "x.npy"), content);
    return body(join(folder, "x.npy"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const memory = (shape, values) => ({ shape, count: values.length, read: (from, count) => values.slice(from, from + count) });

test("tensors of each type are read, whole and in part", () => {
  const f32 = Buffer.from(new Float32Array([1.5, -2, NaN, Infinity, 0, 7]).buffer);
  with_file(npy("<f4", [2, 3], f32), (path) => {
    const tensor = Tensor.open(path);
    assert.deepEqual([tensor.shape, tensor.count], [[2, 3], 6]);
    assert.deepEqual(tensor.read(0, 6), [1.5, -2, NaN, Infinity, 0, 7]);
    assert.deepEqual(tensor.read(4, 99), [0, 7]);
    assert.deepEqual(tensor.read(99, 1), []);
    tensor.close();
  });
  const others = [
    ["<f2", Buffer.from(new Uint16Array([0x3c00, 0xfc00]).buffer), [1, -Infinity]],
    ["<f8", Buffer.from(new Float64Array([0.1, 2]).buffer), [0.1, 2]],
    ["|i1", Buffer.from([255, 3]), [-1, 3]],
    ["|u1", Buffer.from([255, 3]), [255, 3]],
    ["|b1", Buffer.from([1, 0]), [1, 0]],
    ["<i4", Buffer.from(new Int32Array([-5, 9]).buffer), [-5, 9]],
    ["<i8", Buffer.from(new BigInt64Array([-5n, 9n]).buffer), [-5, 9]],
  ];
  for (const [descr, bytes, values] of others) {
    with_file(npy(descr, [2], bytes), (path) => {
      const tensor = Tensor.open(path);
      assert.deepEqual(tensor.read(0, 2), values, descr);
      tensor.close();
    });
  }
});

test("what is no whole tensor is refused", () => {
  for (const content of ["", "\x93NUMPY", "something else entirely", npy("<c8", [1], Buffer.alloc(8)), npy("<f4", [3], Buffer.alloc(8))]) {
    with_file(content, (path) => assert.throws(() => Tensor.open(path)));
  }
  assert.throws(() => Tensor.open("/nowhere/x.npy"));
});

test("halves are numbers", () => {
  const cases = [[0, 0], [1, 2 ** -24], [0x3ff, 1023 * 2 ** -24], [0x400, 2 ** -14], [0x7bff, 65504], [0xc000, -2], [0x7c00, Infinity]];
  for (const [bits, value] of cases) assert.equal(half_to_number(bits), value);
  assert.ok(Number.isNaN(half_to_number(0x7e00)));
  assert.ok(Object.is(half_to_number(0x8000), -0));
});

test("a page lies inside of the tensor, wherever it is asked for", () => {
  const tensor = memory([3, 10, 20], Array.from({ length: 600 }, (_, i) => i));
  const first = view.page_of(tensor, 0, 0);
  assert.deepEqual([first.row, first.column, first.cells.length, first.cells[0].length], [0, 0, view.page_rows, view.page_columns]);
  assert.deepEqual(first.cells[1].slice(0, 2), [20, 21]);
  assert.equal(first.row_names[11], "1, 1");
  for (const [row, column] of [[1e9, 1e9], [-5, -5], [NaN, NaN], [29, 19]]) {
    const page = view.page_of(tensor, row, column);
    assert.equal(page.cells.length, view.page_rows);
    for (const cells of page.cells) assert.equal(cells.length, view.page_columns);
  }
  assert.equal(view.page_of(tensor, 1e9, 1e9).cells.at(-1).at(-1), 599);
  assert.deepEqual(view.page_of(memory([0], []), 0, 0).cells, []);
  assert.deepEqual(view.page_of(memory([2], [4, 5]), 0, 0, memory([2], [4, 6])).others, [[4, 6]]);
});

test("the elements of one axis run on from line to line", () => {
  const tensor = memory([150], Array.from({ length: 150 }, (_, i) => i));
  const page = view.page_of(tensor, 1e9, 0);
  assert.deepEqual([page.row, page.cells.at(-1), page.row_names.at(-1)], [3, [144, 145, 146, 147, 148, 149], "144"]);
  assert.deepEqual(view.cell_of(tensor, 149), { row: 18, column: 5 });
  assert.deepEqual(view.cell_of(memory([3, 10, 20], new Array(600).fill(0)), 599), { row: 29, column: 19 });
});

test("an element is named by its indices", () => {
  assert.deepEqual(view.parse_indices("1, 2, 3", [3, 10, 20]), 243);
  assert.deepEqual(view.parse_indices("7", [8]), 7);
  for (const text of ["", "1", "3, 0, 0", "0, -1, 0", "0, 0, 1.5", "a, b, c"]) assert.equal(view.parse_indices(text, [3, 10, 20]), undefined);
});

test("a survey counts every element once", () => {
  const values = Array.from({ length: 70 * 130 }, (_, i) => (i === 5 ? NaN : i === 9000 ? -Infinity : i % 101));
  const { histogram, heat } = view.survey(memory([70, 130], values));
  assert.equal(histogram.counts.reduce((sum, count) => sum + count), values.length - 2);
  assert.deepEqual([histogram.low, histogram.high, histogram.nan, histogram.infinite], [0, 100, 1, 1]);
  assert.deepEqual([heat.row_step, heat.column_step, heat.rows, heat.columns], [2, 3, 35, 44]);
  assert.deepEqual(heat.not_finite.flatMap((odd, cell) => (odd ? [cell] : [])), [1, 34 * 44 + 10]);
  assert.equal(heat.means[0], (0 + 1 + 2 + 130 % 101 + 131 % 101 + 132 % 101) / 6);
});

test("a survey of a constant, of nothing and of nothing finite", () => {
  assert.deepEqual(view.survey(memory([3], [2, 2, 2])).histogram.counts, [3]);
  assert.deepEqual(view.survey(memory([0], [])).histogram.counts, []);
  assert.deepEqual(view.survey(memory([2], [NaN, NaN])).heat.means, [undefined, undefined]);
  const wide = view.survey(memory([2], [-Number.MAX_VALUE, Number.MAX_VALUE]));
  assert.equal(wide.histogram.counts.reduce((sum, count) => sum + count), 2);
});

test("the worst element is found, and NaN is worse than any number", () => {
  assert.equal(view.difference_of(memory([2, 2], [1, NaN, 3, 4]), memory([2, 2], [1, NaN, 3, 4])), undefined);
  const numbers = view.difference_of(memory([2, 2], [1, 2, 3, 4]), memory([2, 2], [1, 2.5, 3, 9]));
  assert.deepEqual([numbers.indices, numbers.value, numbers.other, numbers.different], [[1, 1], 4, 9, 2]);
  assert.deepEqual(view.difference_of(memory([3], [1, NaN, 9]), memory([3], [1, 2, -9])).indices, [1]);
});

const source = [
  "// a file",
  "//# run N=4 x=iota",
  '//# run N=5 expect-error "past the end"',
  "@launch(32)",
  "@autotune(B in [1, 2])",
  "kernel first(x: tensor<f32>[N]) {",
  "}",
  "fn helper() -> i32 { return 1 }",
  "// kernel not_one() {",
  "kernel second(x: tensor<f32>[N]) {",
  "}",
].join("\n");

test("run lines belong to the next kernel", () => {
  const kernels = kernels_of(source);
  assert.deepEqual(kernels.map(({ name, line }) => [name, line]), [["first", 5], ["second", 9]]);
  assert.deepEqual(kernels[0].run_lines.map(({ index, line, expects }) => [index, line, expects]), [[0, 1, false], [1, 2, true]]);
  assert.deepEqual(kernels[1].run_lines, []);
});

test("a new run line goes below the others, and above the attributes", () => {
  assert.deepEqual(run_line_edit(source, "first", "N=9"), { line: 3, text: "//# run N=9\n" });
  assert.deepEqual(run_line_edit(source, "second", "N=9"), { line: 9, text: "//# run N=9\n" });
  assert.deepEqual(run_line_edit("@launch(32)\r\nkernel k() {\r\n}", "k", "N=1"), { line: 0, text: "//# run N=1\r\n" });
  assert.equal(run_line_edit(source, "third", ""), undefined);
});

const contract = JSON.stringify({
  parameters: [
    { name: "x", kind: "tensor", type: "f32", shape: ["M", "N"], read: true, written: false },
    { name: "w", kind: "tensor", type: "i32", shape: ["N"], read: true, written: false },
    { name: "out", kind: "tensor", type: "f32", shape: ["M", 4], read: false, written: true },
    { name: "alpha", kind: "scalar", type: "f32" },
    { name: "flag", kind: "scalar", type: "bool" },
  ],
  dimensions: ["M", "N"],
  constants: { BLOCK: 256 },
});

test("a form proposes what runs, and remembers what was used", () => {
  const all = form.arguments_of(contract, { N: "64", BLOCK: "128" });
  assert.deepEqual(form.words_of(all), ["M=1024", "N=64", "x=randn:1", "w=iota", "alpha=1.0", "flag=true", "BLOCK=128"]);
  assert.deepEqual(all.flatMap((argument) => form.fault_of(argument, argument.value) ?? []), []);
  assert.equal(all.find(({ name }) => name === "out").type, "f32[M, 4]");
  assert.equal(form.arguments_of("no contract", {}), undefined);
});

test("a grid that does not follow from the stores is asked for, kept, and given apart", () => {
  const contract = (grid) => JSON.stringify({ dimensions: ["N"], parameters: [], constants: {}, grid });
  const asked = form.arguments_of(contract(null), {});
  assert.deepEqual(asked.map(({ name, value, optional }) => [name, value, optional]), [["N", "1024", false], ["--grid", "1", false]]);
  assert.deepEqual(form.words_of(asked), ["N=1024", "--grid", "1"]);
  assert.equal(form.arguments_of(contract([]), {}).length, 1);
  const before = form.values_of(form.words_of_line('N=64 --grid 4,3 expect-print "x"'));
  assert.deepEqual(before, { N: "64", "--grid": "4,3" });
  for (const grid of [null, []]) assert.deepEqual(form.words_of(form.arguments_of(contract(grid), before)), ["N=64", "--grid", "4,3"]);
  assert.deepEqual(form.apart_from_grid(["N=64", "--grid", "4,3", "x=ones"]), { words: ["N=64", "x=ones"], grid: "4,3" });
  assert.deepEqual(form.apart_from_grid(["N=64"]), { words: ["N=64"], grid: undefined });
  for (const wrong of ["0", "4,", "x", "1,2,3,4", ""]) assert.ok(form.fault_of(asked[1], wrong), wrong);
});

test("a value that cannot be one is told", () => {
  const [M, , x, , out, alpha, flag, BLOCK] = form.arguments_of(contract, {});
  const right = [[M, ""], [M, "7"], [x, "a b.npy"], [x, "full:2.5"], [x, "randint:0:9"], [out, ""], [alpha, "-1e-3"], [flag, "false"], [BLOCK, ""]];
  for (const [argument, value] of right) assert.equal(form.fault_of(argument, value), undefined, value);
  const wrong = [[M, "x"], [M, "-1"], [x, ""], [x, "randm"], [alpha, ""], [alpha, "a"], [flag, "1"], [BLOCK, "1.5"]];
  for (const [argument, value] of wrong) assert.ok(form.fault_of(argument, value), value);
});

test("words of a run line, without what is expected", () => {
  assert.deepEqual(form.words_of_line('N=4 x="a b.npy" expect out=o.npy rtol=1'), ["N=4", "x=a b.npy"]);
  assert.deepEqual(form.words_of_line('N=4 expect-error "past the end"'), ["N=4"]);
});

test("each failure has its layer and its remedy", () => {
  const setting = failure.program_fault("/x", "does not exist", true);
  assert.deepEqual([setting.layer, setting.remedies.includes("Open Setting")], ["configuration", true]);
  assert.equal(failure.program_fault("/x", "does not exist", false).layer, "server");
  const driver = failure.driver_fault(3, "there is no GPU");
  assert.deepEqual([driver.layer, driver.setting, driver.remedies[0]], ["driver", "phobos.run.device", "Use Simulator"]);
  assert.equal(failure.driver_fault(1, "it failed"), undefined);
  assert.match(failure.start_fault("ENOEXEC", ""), /processor/);
  assert.match(failure.end_words(1, null, "first\nlast words\n"), /status 1.*last words/);
  assert.match(failure.end_words(null, "SIGSEGV", ""), /SIGSEGV/);
});

test("a server is given up after its sixth death within the window, and not for deaths long past", () => {
  const deaths = new failure.Deaths();
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((second) => deaths.note(second * 1000)), [true, true, true, true, true, false]);
  deaths.forget();
  assert.equal(deaths.note(7000), true);
  const slow = new failure.Deaths();
  for (let minute = 0; minute < 20; minute++) assert.equal(slow.note(minute * 60_000), true);
});

const shell = (script, seconds = 0) => ({ command: "/bin/sh", args: ["-c", script], cwd: "/", input: "in", seconds });

test("a process ends by itself, by its deadline, or by being cancelled", async () => {
  const ended = await execute(shell("cat; echo out; echo err >&2; exit 3"), never);
  assert.deepEqual(ended, { status: 3, signal: undefined, stdout: "inout\n", stderr: "err\n", why: "ended", gone_ms: undefined });
  const late = await execute(shell("exec sleep 600", 0.05), never);
  assert.equal(late.why, "late");
  assert.match(words_of(late, 0.05), /phobos\.run\.timeout/);
  let cancel;
  const token = { isCancellationRequested: false, onCancellationRequested: (then) => ((cancel = then), { dispose() {} }) };
  const running = execute(shell("exec sleep 600"), token);
  cancel();
  assert.equal((await running).why, "cancelled");
  const left = execute(shell("exec sleep 600"), never);
  end_all();
  assert.equal((await left).signal, "SIGKILL");
  await assert.rejects(execute({ ...shell(""), command: "/nowhere/program" }, never), /could not be started/);
});

test("one test's result is read, and nothing else is", () => {
  const result = parse_test_result('{"tests": [{"status": "failed", "message": "`out`: the worst", "ms": null}]}');
  assert.deepEqual(result, { status: "failed", message: "`out`: the worst", ms: undefined });
  for (const text of ["", "[]", "{}", '{"tests": []}', '{"tests": [{}, {}]}']) assert.equal(parse_test_result(text), undefined);
});

test("what a machine offers", () => {
  const without = parse_machine('{"version": "1.2", "gpu": null, "gpu_missing": "no driver"}');
  assert.equal(device_words(without, "auto"), "simulator");
  assert.equal(device_words(without, "gpu"), "no GPU");
  assert.equal(device_words(parse_machine('{"version": "1.2", "gpu": "H200", "chip": "sm_90a"}'), "auto"), "H200 (sm_90a)");
  assert.equal(parse_machine("{}"), undefined);
});

test("regions of control: the innermost kind holds, and lines of one kind are one region", () => {
  const control = (kind, first, last, why) => ({
    what: "control", kind, range: { start: { line: first, character: 0 }, end: { line: last, character: 9 } }, reason: [{ message: why }],
  });
  const text = JSON.stringify({
    values: [
      { what: "let", kind: "varying", range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, reason: [] },
      control("uniform", 0, 20, ""), control("warp-uniform", 2, 9, "w"), control("varying", 4, 5, "v"), control("varying", 6, 6, "v"),
    ],
  });
  assert.deepEqual(regions_of(text), [
    { kind: "warp-uniform", first_line: 2, last_line: 3, reason: ["w"] },
    { kind: "varying", first_line: 4, last_line: 6, reason: ["v"] },
    { kind: "warp-uniform", first_line: 7, last_line: 9, reason: ["w"] },
  ]);
  assert.equal(regions_of("{"), undefined);
});
