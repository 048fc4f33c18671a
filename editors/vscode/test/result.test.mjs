// The reading of a run's result and the page made of it, apart from any editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

async function load(path) {
  const entry = new URL(`../src/${path}`, import.meta.url).pathname;
  const built = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}

const { parse_run_result } = await load("run_result.ts");
const { numeric, result_page } = await load("result_page.ts");

const context = { nonce: "n0nce", source: "a.ph, version 1", run_again: "command:x?%5B%5D", place: () => "command:y" };

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
    assert.match(result_page(result, context), /failed/);
  }
});

test("what programs and files say is escaped", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const output = { name: evil, type: evil, shape: [1], min: evil, max: 1, mean: 1, nan: 0, first: [evil] };
  const diagnostic = { range: {}, code: evil, message: evil };
  const text = JSON.stringify({ kernel: evil, device: evil, message: evil, outputs: [output], diagnostics: [diagnostic] });
  const page = result_page(parse_run_result(text, "k"), { ...context, source: evil });
  assert.ok(!page.includes("<img"));
  assert.ok(!page.includes("onerror=\""));
});

test("the page allows no script, no frame and nothing from elsewhere", () => {
  const page = result_page(parse_run_result("{}", "k"), context);
  assert.match(page, /content="default-src 'none'; style-src 'nonce-n0nce'"/);
  assert.ok(!/<script|<iframe|https?:/.test(page));
});

test("numbers are short and keep their size", () => {
  const cases = [[0, "0"], [null, "NaN"], ["inf", "inf"], [true, "true"], [-0.1, "-0.1"], [1 / 3, "0.333333"]];
  cases.push([1e-30, "1e-30"], [3.4028234663852886e38, "3.40282e+38"], [123456789, "123456789"], [0.00012345678, "0.000123457"]);
  for (const [value, text] of cases) assert.equal(numeric(value), text);
});
