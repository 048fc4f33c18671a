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

/** A test whose failure leaves a picture of the editor and prints its logs. `begin` brings about the state that it starts from. */
export function editor_test(name, the_editor, body, begin = async () => undefined) {
  test(name, { timeout: 300000 }, async () => {
    try {
      await begin();
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

export const themes = [["Dark Modern", ".vs-dark", "vscode-dark"], ["High Contrast", ".hc-black", "vscode-high-contrast"], ["High Contrast Light", ".hc-light", "vscode-high-contrast-light"], ["Light Modern", ".vs", "vscode-light"]];

/** The view that is shown, in stock themes, the light one last: it is readable in each, and with PHOBOS_PICTURES there is a picture. */
export async function assert_readable_in_themes(editor, what, settings) {
  for (const [theme, workbench, body] of themes) {
    editor.write_folder_settings({ ...settings, "workbench.colorTheme": `Default ${theme}` });
    await editor.page.locator(`.monaco-workbench${workbench}`).waitFor();
    await editor.result_frame().locator(`body.${body}`).waitFor();
    await assert_accessible(editor, `${what} in ${theme}`);
    await picture(editor, `${what.replaceAll(" ", "-")}-${theme.toLowerCase().replaceAll(" ", "-")}.png`);
  }
}

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
