import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Editor } from "./editor.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");
const installation = {
  code_server: process.env.PHOBOS_CODE_SERVER,
  vsix: process.env.PHOBOS_VSIX,
  fixtures: join(here, "fixtures"),
};

const on_the_simulator = { "phobos.run.device": "sim" };

/** The folder names a program of its own as the server; when that is started it leaves a mark. */
function set_trap(editor) {
  const program = join(editor.folder, "not-phobos");
  writeFileSync(program, '#!/bin/sh\ntouch "$0.was-started"\nexec sleep 60\n', { mode: 0o755 });
  editor.write_folder_settings({ "phobos.server.path": program });
}

/** A test whose failure leaves a picture of the editor and prints its logs. */
function editor_test(name, the_editor, body) {
  test(name, { timeout: 120000 }, async () => {
    try {
      await body(the_editor());
    } catch (error) {
      const picture = join(root, "build/editor-test", `${name.replace(/\W+/g, "-")}.png`);
      await the_editor().page.screenshot({ path: picture }).catch(() => undefined);
      console.error(`picture: ${picture}\n${the_editor().logs()}`);
      throw error;
    }
  });
}

async function picture_for_docs(editor, name) {
  if (process.env.PHOBOS_UPDATE !== "1") return;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await editor.page.screenshot({ path: join(root, "docs/images", name) });
}

describe("a trusted folder", () => {
  let editor;
  before(async () => {
    const prepare = (new_editor) => new_editor.write_folder_settings(on_the_simulator);
    editor = await Editor.start({ ...installation, prepare });
    await editor.open("scale.ph");
    await editor.hide_side_bar();
  }, { timeout: 120000 });
  after(() => editor?.stop());

  const step = (name, body) => editor_test(name, () => editor, body);

  step("an operation under varying control is underlined, and says why", async () => {
    await editor.squiggles().first().waitFor();
    const said = await editor.hover("row = row * factor", "* factor");
    assert.match(said, /every thread must reach it/);
    assert.match(said, /differs between lanes/);
    assert.match(said, /PH\d{4}/);
  });

  step("hovering a value reads its type, its kind and the reason", async () => {
    const varying = await editor.hover("if lane < 7", "lane");
    assert.match(varying, /lane/);
    assert.match(varying, /\bvarying\b/);
    assert.match(varying, /ctx\.lane/);
    await picture_for_docs(editor, "vscode-hover.png");
    const uniform = await editor.hover("row * factor", "factor");
    assert.match(uniform, /f32/);
    assert.match(uniform, /(?<!-)\buniform\b/);
  });

  step("a run of text with an error shows the error", async () => {
    await editor.press_lens("Run scale");
    const said = await editor.result_of("scale", "failed");
    assert.match(said, /every thread must reach it/);
    assert.match(said, /line 10:/);
  });

  step("the error goes when the text is mended", async () => {
    await editor.replace_line("if lane < 7 {", "if ctx.block.x < 7 {");
    await editor.page.waitForFunction(() => document.querySelector(".monaco-editor .squiggly-error") === null);
  });

  step("Run runs the text in the editor, which is not saved, and shows the result", async () => {
    await editor.press_lens("Run scale");
    const said = await editor.result_of("scale", "Outputs");
    assert.match(said, /simulator/i);
    assert.match(said, /Grid\s+2 × 1 × 1/);
    assert.match(said, /out\s+f32\s+256\s+0\s+510\s+255\s+0/);
    assert.match(said, /0, 2, 4, 6/);
    assert.match(said, /unsaved/);
    assert.match(readFileSync(join(editor.folder, "scale.ph"), "utf8"), /if lane < 7/);
    await picture_for_docs(editor, "vscode-run.png");
  });

  step("a run line's own lens runs with its arguments", async () => {
    await editor.press_lens("N=128 x=ones factor=3.0");
    const said = await editor.result_of("scale", "128");
    assert.match(said, /out\s+f32\s+128\s+3\s+3\s+3\s+0/);
  });

  step("the command runs the kernel under the cursor", async () => {
    await editor.click_on("out[ctx.thread] = i32(lane)");
    await editor.command("Phobos: Run Kernel");
    const said = await editor.result_of("lanes", "Outputs");
    assert.match(said, /i32\s+64\s+0\s+31\s+15\.5\s+0/);
  });

  step("a kernel whose arguments are missing says which", async () => {
    await editor.press_lens("Run needs_arguments");
    const said = await editor.result_of("needs_arguments", "failed");
    assert.match(said, /\b[xN]\b/);
  });

  step("a file that was never saved is typed, analysed and run", async () => {
    await editor.new_file("Phobos");
    const lines = ["//# run N=32", "@launch(32)", "kernel late(out: tensor<i32>[N]) {", "let a = 1 +", "2", "if a > 2 {"];
    lines.push("out[ctx.thread] = i32(ctx.lane + a)", "}", "}");
    await editor.page.keyboard.type(lines.join("\n"));
    await editor.press_lens("Run late");
    assert.match(await editor.result_of("late", "Outputs"), /out\s+i32\s+32\s+3\s+34\s+18\.5\s+0/);
    await editor.show_tab("scale.ph");
  });

  step("a server that dies is started again", async () => {
    const [pid, ...more] = editor.server_processes();
    assert.deepEqual(more, []);
    process.kill(Number(pid), "SIGKILL");
    await editor.replace_line("if ctx.block.x < 7 {", "if ctx.warp == 0 {");
    await editor.squiggles().first().waitFor();
    const said = await editor.hover("row = row * factor", "* factor");
    assert.match(said, /differs between warps/);
    assert.ok(!editor.server_processes().includes(pid));
  });

  step("a program that is not there is named, with the remedy, and commands still answer", async () => {
    editor.write_folder_settings({ ...on_the_simulator, "phobos.server.path": "/nowhere/phobos" });
    const message = editor.notification("/nowhere/phobos does not exist").first();
    await message.waitFor();
    assert.match(await message.innerText(), /phobos\.server\.path/);
    await editor.dismiss_notifications();
    await editor.command("Phobos: Run Kernel");
    await editor.notification("not running").or(editor.notification("/nowhere/phobos")).first().waitFor();
    await editor.dismiss_notifications();
    editor.write_folder_settings(on_the_simulator);
    await editor.squiggles().first().waitFor();
  });

  step("a program that is no server is named, and is not started over and over", async () => {
    editor.write_folder_settings({ ...on_the_simulator, "phobos.server.path": "/bin/false" });
    await editor.notification("/bin/false").first().waitFor();
    assert.equal(await editor.page.locator(".notification-list-item").count(), 1);
    await editor.dismiss_notifications();
    editor.write_folder_settings(on_the_simulator);
    await editor.squiggles().first().waitFor();
  });

  step("a server that keeps dying ends in a clear state, from which a restart works", async () => {
    const stopped = editor.notification("stays stopped");
    for (let last = "none"; (await stopped.count()) === 0; ) {
      const pid = await editor.next_server_process(last, stopped);
      if (pid === undefined) break;
      process.kill(Number(pid), "SIGKILL");
      last = pid;
    }
    await stopped.first().waitFor();
    assert.deepEqual(editor.server_processes(), []);
    await editor.dismiss_notifications();
    await editor.command("Phobos: Restart Language Server");
    await editor.squiggles().first().waitFor();
    assert.match(await editor.hover("row = row * factor", "* factor"), /differs between warps/);
  });
});

describe("a folder that is not trusted", () => {
  let editor;
  before(async () => {
    editor = await Editor.start({ ...installation, trusted: false, prepare: set_trap });
    await editor.open("scale.ph");
  }, { timeout: 120000 });
  after(() => editor?.stop());

  editor_test("kernels are analysed, not run, and its own program is not started", () => editor, async () => {
    await editor.squiggles().first().waitFor();
    await editor.press_lens("Run scale");
    await editor.notification("not trusted").first().waitFor();
    assert.equal(await editor.page.locator("iframe.webview").count(), 0);
    assert.equal(existsSync(join(editor.folder, "not-phobos.was-started")), false);
  });
});
