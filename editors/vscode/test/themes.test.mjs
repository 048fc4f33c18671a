// Colours of kinds in stock themes. They come from scopes that the themes know, since no theme knows of kinds: each kind has to be
// told from the others, and be readable.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { manifest, read_jsonc } from "./load.mjs";

const folder = `${process.env.PHOBOS_CODE_SERVER}/lib/vscode/extensions/theme-defaults/themes`;
const themes = ["dark_modern.json", "light_modern.json", "hc_black.json", "hc_light.json"];
/** Where a theme leaves it to the editor. */
const backgrounds = { "dark_modern.json": "#1f1f1f", "light_modern.json": "#ffffff", "hc_black.json": "#000000", "hc_light.json": "#ffffff" };

function rules_of(path) {
  const theme = read_jsonc(path);
  const inherited = theme.include === undefined ? [] : rules_of(join(dirname(path), theme.include));
  const own = (theme.tokenColors ?? []).flatMap(({ scope, settings }) =>
    [scope ?? []].flat().flatMap((each) => each.split(",")).map((each) => ({ scope: each.trim(), colour: settings.foreground })),
  );
  return [...inherited, ...own];
}

/** As the editor probes: the first scope for which some rule has a colour; the longest rule wins, then the last. */
function colour_of(rules, scopes) {
  for (const scope of scopes) {
    const matching = rules.filter((rule) => rule.colour && (scope === rule.scope || scope.startsWith(`${rule.scope}.`)));
    const longest = Math.max(...matching.map((rule) => rule.scope.length));
    const rule = matching.filter((each) => each.scope.length === longest).at(-1);
    if (rule !== undefined) return rule.colour.toLowerCase();
  }
  return undefined;
}

function contrast(a, b) {
  const light = (colour) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const { scopes } = manifest.contributes.semanticTokenScopes[0];
const modifiers = manifest.contributes.semanticTokenModifiers.map(({ id }) => id);
const types = [...new Set(Object.keys(scopes).map((selector) => selector.split(".")[0]))];

for (const name of themes) {
  test(`kinds can be told apart and read in ${name}`, () => {
    const rules = rules_of(join(folder, name));
    for (const type of types) {
      const colours = modifiers.map((modifier) => colour_of(rules, scopes[`${type}.${modifier}`]));
      assert.ok(colours.every(Boolean), `${type}: ${colours}`);
      assert.equal(new Set(colours).size, modifiers.length, `${type}: ${colours}`);
      for (const colour of colours) assert.ok(contrast(colour, backgrounds[name]) >= 4.4, `${type}: ${colour}`);
    }
  });
}
