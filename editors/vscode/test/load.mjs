// Modules of the extension that need no editor, loaded as they are.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

export const at = (path) => new URL(path, import.meta.url);

export async function load(path) {
  const entry = at(`../src/${path}`).pathname;
  const built = await build({ entryPoints: [entry], bundle: true, format: "esm", platform: "node", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}

export const manifest = JSON.parse(readFileSync(at("../package.json"), "utf8"));

/** JSON as the editor reads it: with comments, and commas at the ends of lists. */
export function read_jsonc(path) {
  const { parseConfigFileTextToJson } = createRequire(import.meta.url)("typescript");
  return parseConfigFileTextToJson(String(path), readFileSync(path, "utf8")).config;
}
