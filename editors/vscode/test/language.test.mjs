// The language configuration: what is a word, and what Enter does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, read_jsonc } from "./load.mjs";

const configuration = read_jsonc(at("../language-configuration.json"));
const words_of = (text) => text.match(new RegExp(configuration.wordPattern, "g"));

test("`:+` is no part of a word, and neither is an operator", () => {
  assert.deepEqual(words_of("x[at :+ BLOCK]"), ["x", "at", "BLOCK"]);
  assert.deepEqual(words_of("x[at:+128, :]"), ["x", "at", "128"]);
  assert.deepEqual(words_of("a-b*c<<2"), ["a", "b", "c", "2"]);
  assert.deepEqual(words_of("@launch(128)"), ["launch", "128"]);
  assert.deepEqual(words_of("ctx.block.x"), ["ctx", "block", "x"]);
});

test("numbers are words, whole", () => {
  for (const number of ["1.5e-3", "0xFF_00", "0b1010", "10_000", "2.0"]) assert.deepEqual(words_of(number), [number]);
});

/** What Enter does at `|`, as the editor finds it: the first rule whose patterns all match. */
function on_enter(text, line_before = "") {
  const [before, after] = text.split("|");
  const rule = configuration.onEnterRules.find(
    ({ beforeText, afterText, previousLineText }) =>
      new RegExp(beforeText.pattern).test(before) &&
      (afterText === undefined || new RegExp(afterText.pattern).test(after)) &&
      (previousLineText === undefined || new RegExp(previousLineText.pattern).test(line_before)),
  );
  return rule?.action;
}

test("a comment that is broken in two goes on as a comment, a run line does not", () => {
  assert.equal(on_enter("  // some| words").appendText, "// ");
  assert.equal(on_enter("  // some words|"), undefined);
  assert.equal(on_enter("//# run N=1| x=iota"), undefined);
});

test("an expression goes on indented, and comes back", () => {
  assert.equal(on_enter("  let a = b +|", "  let c = 1").indent, "indent");
  assert.equal(on_enter("    c|", "  let a = b +").indent, "outdent");
  assert.equal(on_enter("  let a = b|", "  let c = 1"), undefined);
  assert.equal(on_enter("  // ends in +|", ""), undefined);
});

test("braces indent", () => {
  const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
  for (const line of ["kernel k() {", "  if a < b { // why", "  f("]) assert.match(line, new RegExp(increaseIndentPattern));
  for (const line of ["// {", "  let a = f(1)", "  x[0] = 1"]) assert.doesNotMatch(line, new RegExp(increaseIndentPattern));
  for (const line of ["}", "  } else {", "  )"]) assert.match(line, new RegExp(decreaseIndentPattern));
});
