// What the suites in a real editor share.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
export const root = join(here, "../../..");
export const installation = {
  code_server: process.env.PHOBOS_CODE_SERVER,
  vsix: process.env.PHOBOS_VSIX,
  fixtures: join(here, "fixtures"),
};

export const on_the_simulator = { "phobos.run.device": "sim" };

/** A test whose failure leaves a picture of the editor and prints its logs. */
export function editor_test(name, the_editor, body) {
  test(name, { timeout: 300000 }, async () => {
    try {
      await body(the_editor());
    } catch (error) {
      const file = join(root, "build/editor-test", `${name.replace(/\W+/g, "-")}.png`);
      await the_editor().page.screenshot({ path: file }).catch(() => undefined);
      console.error(`picture: ${file}\n${the_editor().logs()}`);
      throw error;
    }
  });
}

/** With PHOBOS_PICTURES=FOLDER, to be looked at. */
export async function picture(editor, name) {
  if (process.env.PHOBOS_PICTURES === undefined) return;
  mkdirSync(process.env.PHOBOS_PICTURES, { recursive: true });
  await editor.page.screenshot({ path: join(process.env.PHOBOS_PICTURES, name) });
}

/** With PHOBOS_UPDATE=1 that of the documentation. */
export async function picture_for_docs(editor, name) {
  await picture(editor, name);
  if (process.env.PHOBOS_UPDATE !== "1") return;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await editor.page.screenshot({ path: join(root, "docs/images", name) });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Nothing in the view that axe-core holds to be a serious fault. */
export async function assert_accessible(editor, what) {
  const frame = await editor.view_content();
  // The page lets in no script but the extension's own; this one comes from outside of it, as a debugger's would.
  await frame.evaluate(axe);
  const faults = await frame.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 120)} (${any[0]?.message ?? ""})`).join("; ")}`);
  });
  assert.deepEqual(faults, [], what);
}
