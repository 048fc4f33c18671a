// The reading of a run's result and the page made of it, apart from any editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { parse_run_result } = await load("run_result.ts");
const { result_page } = await load("result_page.ts");
const { table } = await load("result_figures.ts");
const { colour_of } = await load("ramp.ts");
const { numeric } = await load("result_text.ts");
const view = await load("tensor_view.ts");

const context = {
  nonce: "n0nce", source: "a.ph, version 1", words: "N=4", run_again: "command:x?%5B%5D", edit_arguments: "command:z", script: "vscode:/result.js",
  place: () => "command:y",
};
const memory = (shape, values) => ({ shape, count: values.length, read: (from, count) => values.slice(from, from + count) });
const drawn = (shape, values, other) => ({
  pictures: view.survey(memory(shape, values)), page: view.page_of(memory(shape, values), 0, 0, other && memory(shape, other)),
  compared: other !== undefined, difference: other && view.difference_of(memory(shape, values), memory(shape, other)),
});

test("what is not a result is refused", () => {
  for (const text of ["", "{", "[]", "null", "3", '"ok"']) assert.equal(parse_run_result(text, "k"), undefined);
});

test("missing fields and fields of other types do no harm", () => {
  const texts = ["{}", '{"outputs": 3, "grid": "x", "ms": null, "diagnostics": {}}'];
  texts.push('{"outputs": [null, {"shape": ["x"], "first": 3}], "diagnostics": [{"range": []}, 4]}');
  for (const text of texts) {
    const result = parse_run_result(text, "k");
    assert.equal(result.ok, false);
    assert.equal(result.kernel, "k");
    assert.match(result_page(result, [], context), /failed/);
  }
});

test("what programs and files say is escaped", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const output = { name: evil, type: evil, shape: [1], min: evil, max: 1, mean: 1, nan: 0, first: [evil] };
  const diagnostic = { range: {}, code: evil, message: evil };
  const prints = [{ line: 1, block: [evil], lanes: [evil], text: evil }];
  const text = JSON.stringify({ prints, kernel: evil, device: evil, message: evil, outputs: [output], diagnostics: [diagnostic] });
  const page = result_page(parse_run_result(text, "k"), [evil], { ...context, source: evil, words: evil, script: evil });
  assert.ok(!page.includes("<img"));
  assert.ok(!page.includes("onerror=\""));
});

test("the page allows no script but its own, no frame and nothing from elsewhere", () => {
  const page = result_page(parse_run_result("{}", "k"), [], context);
  assert.match(page, /content="default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'"/);
  assert.equal(page.match(/<script/g).length, 1);
  assert.ok(!/<iframe|https?:| style="| on\w+="/.test(page));
});

test("NaN and infinities are marked in the table, the histogram and the heat map", () => {
  const result = parse_run_result('{"status": "ok", "outputs": [{"name": "out", "type": "f32", "shape": [4]}]}', "k");
  const page = result_page(result, [drawn([4], [1, NaN, -Infinity, 2])], context);
  assert.match(page, /<td class="not-finite">NaN<\/td><td class="not-finite">-inf<\/td>/);
  assert.match(page, /Histogram: 1 to 2; 1 NaN, 1 infinite/);
  assert.match(page, /hatched: NaN or infinite/);
  assert.equal(page.match(/url\(#odd-0\)/g).length, 2);
});

test("what is too large for pictures is paged all the same", () => {
  const values = Array.from({ length: 40 }, (_, i) => i);
  const text = JSON.stringify({ status: "ok", outputs: [{ name: "out", type: "f32", shape: [5, 8] }] });
  const page = result_page(parse_run_result(text, "k"), [{ ...drawn([5, 8], values), pictures: "Pictures are drawn of up to 8 elements." }], context);
  assert.match(page, /Pictures are drawn of up to 8 elements\./);
  assert.match(page, /rows 0 to 4 of 5, columns 0 to 7 of 8/);
  assert.ok(!/<svg|first elements/.test(page));
});

test("the comparison names the worst element, and the table shows both values", () => {
  const result = parse_run_result('{"status": "failed", "outputs": [{"name": "out", "type": "f32", "shape": [2, 2]}]}', "k");
  const page = result_page(result, [drawn([2, 2], [1, 2, 3, 4], [1, 2, 3, 8])], context);
  assert.match(page, /data-index="3">\[1, 1\]<\/a>: <b>4<\/b>, on the simulator <b>8<\/b>/);
  assert.match(page, /<td class="differs">4 <span class="quiet">sim 8<\/span><\/td>/);
  assert.match(result_page(result, [drawn([1], [1], [1])], context), /the same in every element/);
});

test("a table says where it is, and marks what was gone to", () => {
  const tensor = memory([3, 100], Array.from({ length: 300 }, (_, i) => i));
  const html = table(view.page_of(tensor, 0, 50), { row: 1, column: 52 });
  assert.match(html, /rows 0 to 2 of 3, columns 50 to 57 of 100/);
  assert.match(html, /<td class="target">152<\/td>/);
});

test("colours of a heat map grow brighter", () => {
  const bright = (colour) => [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0);
  const steps = Array.from({ length: 11 }, (_, i) => bright(colour_of(i / 10)));
  assert.deepEqual(steps, steps.toSorted((a, b) => a - b));
  for (const share of [-1, 0, 0.5, 1, 2]) assert.match(colour_of(share), /^#[0-9a-f]{6}$/);
});

test("numbers are short and keep their size", () => {
  const cases = [[0, "0"], [null, "NaN"], ["inf", "inf"], [true, "true"], [-0.1, "-0.1"], [1 / 3, "0.333333"]];
  cases.push([1e-30, "1e-30"], [3.4028234663852886e38, "3.40282e+38"], [123456789, "123456789"], [0.00012345678, "0.000123457"]);
  for (const [value, text] of cases) assert.equal(numeric(value), text);
});
