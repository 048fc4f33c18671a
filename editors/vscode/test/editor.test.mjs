import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { Editor } from "./editor.mjs";
import { editor_test, installation, on_the_simulator, picture_for_docs } from "./harness.mjs";

/** From Cancel to the end of the process that hangs, by the extension's own clock; of a few tries the best, since machines have other work, too. */
const cancelled_within_ms = 1000;
const tries_to_cancel = 3;

/** The folder names a program of its own as the server; when that is started it leaves a mark. */
function set_trap(editor) {
  const program = join(editor.folder, "not-phobos");
  writeFileSync(program, '#!/bin/sh\ntouch "$0.was-started"\nexec sleep 60\n', { mode: 0o755 });
  editor.write_folder_settings({ "phobos.server.path": program });
}

/** A file of NumPy with those numbers as f32. */
function npy(values) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${values.length},), }`.padEnd(117) + "\n";
  const head = Buffer.from(`\x93NUMPY\x01\x00${String.fromCharCode(header.length, 0)}${header}`, "latin1");
  return Buffer.concat([head, Buffer.from(Float32Array.from(values).buffer)]);
}

describe("a trusted folder", () => {
  let editor;
  before(async () => {
    const prepare = (new_editor) => {
      new_editor.write_folder_settings(on_the_simulator);
      // What is wrong with each by its schema.
      writeFileSync(join(new_editor.folder, "scale.contract.json"), JSON.stringify({ kernel: "scale", parameters: "none" }, null, 2));
      writeFileSync(join(new_editor.folder, ".vscode/launch.json"), JSON.stringify({ version: "0.2.0", configurations: [{ type: "phobos", request: "launch", name: "Step", program: "${file}", steps: 0 }] }, null, 2));
      writeFileSync(join(new_editor.folder, "expected.npy"), npy(Array.from({ length: 32 }, (_, i) => (i === 5 ? 9 : i))));
    };
    editor = await Editor.start({ ...installation, prepare });
    for (const file of ["endless.ph", "checks.ph", "scale.ph"]) await editor.open(file);
    await editor.hide_side_bar();
  }, { timeout: 300000 });
  after(() => editor?.stop());

  const begin = () => editor.hide_panel_if_shown();
  const step = (name, body) => editor_test(name, () => editor, body, begin);

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
    assert.match(said, /\b0\s+2\s+4\s+6\b/);
    assert.match(said, /unsaved/);
    assert.match(readFileSync(join(editor.folder, "scale.ph"), "utf8"), /if lane < 7/);
  });

  step("a run line's own lens runs with its arguments", async () => {
    await editor.press_lens("N=128 x=ones factor=3.0");
    const said = await editor.result_of("scale", /f32\s*128\b/);
    assert.match(said, /out\s+f32\s+128\s+3\s+3\s+3\s+0/);
  });

  step("the command runs the kernel under the cursor", async () => {
    await editor.click_on("out[ctx.thread] = i32(lane)");
    await editor.command("Phobos: Run Kernel");
    const said = await editor.result_of("lanes", "Outputs");
    assert.match(said, /i32\s+64\s+0\s+31\s+15\.5\s+0/);
    // And so does Run Without Debugging.
    const ran = () => editor.log().split("ran lanes").length - 1;
    assert.equal(ran(), 1);
    await editor.click_on("out[ctx.thread] = i32(lane)");
    await editor.page.keyboard.press("Control+F5");
    await editor.until(ran, (times) => times === 2);
  });

  step("a kernel in a fence of Markdown has its colours", async () => {
    await editor.show_file("notes.md", false);
    const colours = () => editor.page.evaluate(() => {
      const line = [...document.querySelectorAll(".monaco-editor .view-line")].find(({ textContent }) => textContent.includes("tensor"));
      return new Set([...(line?.querySelectorAll("span span") ?? [])].map((word) => getComputedStyle(word).color)).size;
    });
    await editor.until(colours, (count) => count >= 3);
    await editor.show_tab("scale.ph");
  });

  step("a kernel without a run line asks for its arguments, and has one written", async () => {
    await editor.press_lens("Run needs_arguments");
    await editor.pick("N = 1024");
    await editor.page.locator(".quick-input-widget input[type=text]").fill("many");
    await editor.page.locator(".quick-input-message", { hasText: "N is a whole number" }).waitFor();
    await editor.page.locator(".quick-input-widget input[type=text]").fill("40");
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "N = 40" }).waitFor();
    await editor.pick("Run");
    assert.match(await editor.result_of("needs_arguments", "Outputs"), /out\s+f32\s+40/);
    // What was used is remembered: it runs at once, and is proposed when asked for.
    const ran = () => editor.log().split("ran needs_arguments").length - 1;
    const before = ran();
    await editor.press_lens("Run needs_arguments");
    await editor.until(ran, (times) => times === before + 1);
    await editor.click_on("out[0 :+ 32] = x[0 :+ 32]");
    await editor.command("Phobos: Run Kernel with Arguments…");
    await editor.pick("N = 40");
    await editor.page.locator(".quick-input-widget input[type=text]").fill("48");
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "N = 48" }).waitFor();
    await editor.pick("Write This Run Line into the File");
    const result_of_48 = () => editor.until(() => editor.result_of("needs_arguments", "Outputs"), (said) => /out\s+f32\s+48/.test(said));
    await result_of_48();
    await editor.press_lens("▶ N=48 x=randn:1");
    await editor.until(ran, (times) => times === before + 3);
    await result_of_48();
  });

  step("the result is marked when the text has moved on", async () => {
    const stale = editor.result_frame().locator("#stale");
    await editor.result_of("needs_arguments");
    assert.equal(await stale.isHidden(), true);
    await editor.replace_line("out[ctx.thread] = i32(lane)", "  out[ctx.thread] = i32(lane) ");
    await stale.waitFor();
  });

  step("the status item tells version, device and health", async () => {
    await editor.status(/Phobos \d+\.\d+\.\d+ · simulator/).waitFor();
    await editor.command("Phobos: Stop Language Server");
    await editor.status("stopped").waitFor();
    assert.deepEqual(editor.server_processes(), []);
    await editor.command("Phobos: Run Kernel");
    await editor.notification("not running").first().waitFor();
    await editor.dismiss_notifications();
    await editor.command("Phobos: Start Language Server");
    await editor.status(/Phobos \d/).waitFor();
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

  step("the log and the trace are output channels, and the trace's level takes effect at once", async () => {
    const [pid] = editor.server_processes();
    const shown = editor.page.locator(".part.panel .view-lines");
    await editor.command("Phobos: Show Log");
    await shown.filter({ hasText: /running\sversion\s\d/ }).waitFor();
    await editor.command("Phobos: Show Protocol Trace");
    await editor.notification("phobos.trace.server").first().waitFor();
    await editor.dismiss_notifications();
    editor.write_folder_settings({ ...on_the_simulator, "phobos.trace.server": "messages" });
    // The server is asked for problems of the folder again and again.
    await shown.filter({ hasText: /Sending\srequest\s'workspace\/diagnostic/ }).waitFor();
    assert.doesNotMatch(editor.log("Phobos Trace"), /Params: /);
    editor.write_folder_settings({ ...on_the_simulator, "phobos.trace.server": "verbose" });
    await editor.until(() => editor.log("Phobos Trace"), (text) => /Params: /.test(text));
    editor.write_folder_settings(on_the_simulator);
    assert.deepEqual(editor.server_processes(), [pid]);
  });

  step("a snippet is chosen from the proposals, and its stops are filled in one after the other", async () => {
    await editor.new_file("Phobos");
    await editor.page.keyboard.type("kernel-thr");
    await editor.page.keyboard.press("Control+Space");
    await editor.page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "kernel-thread" }).waitFor();
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".view-line", { hasText: /\/\/#\srun\sN=1000\sx=randn/ }).waitFor();
    for (const words of ["96", "32", "mine", "f32"]) {
      await editor.page.keyboard.type(words);
      await editor.page.keyboard.press("Tab");
    }
    await editor.page.keyboard.type("x[i] + 1.0");
    await editor.press_lens("Run mine");
    assert.match(await editor.result_of("mine", "Outputs"), /out\s+f32\s+96/);
    await editor.show_tab("scale.ph");
  });

  step("launch contracts and debug configurations are checked by their schemas", async () => {
    await editor.show_file("scale.contract.json", false);
    await editor.until(() => editor.hover('"parameters": "none"', '"none"'), (said) => /Incorrect type\. Expected "array"/.test(said));
    await editor.show_file("launch.json", false);
    await editor.until(() => editor.hover('"steps": 0', "0"), (said) => /below the minimum of 1/.test(said));
    await editor.show_tab("scale.ph");
  });

  step("a hover that a server does not answer ends when that server is gone", async () => {
    await editor.show_tab("scale.ph");
    await editor.squiggles().first().waitFor({ state: "detached" });
    const [pid] = editor.server_processes();
    const hover = editor.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content");
    process.kill(Number(pid), "SIGSTOP");
    const { left, right, middle } = await editor.place_of("out[base :+ 128] = row", "row");
    await editor.page.mouse.move(left - 3, middle);
    await editor.page.mouse.move((left + right) / 2, middle, { steps: 4 });
    await hover.filter({ hasText: "Loading" }).waitFor();
    // The program is named another way, so it is started anew; the one that hangs is not waited for long. The mouse rests.
    const [own] = readdirSync(join(editor.home, "extensions")).filter((name) => name.startsWith("phobos"));
    editor.write_folder_settings({ ...on_the_simulator, "phobos.server.path": join(editor.home, "extensions", own, "server/phobos") });
    await editor.until(() => editor.server_processes(), (pids) => pids.length === 1 && pids[0] !== pid);
    await hover.filter({ hasText: "Loading" }).waitFor({ state: "detached" });
    editor.write_folder_settings(on_the_simulator);
    await editor.until(() => editor.server_processes(), (pids) => pids.length === 1);
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
    // A restart that was asked for forgets the deaths before it.
    const [first] = editor.server_processes();
    await editor.command("Phobos: Restart Language Server");
    await editor.until(() => editor.server_processes(), (pids) => pids.length === 1 && pids[0] !== first);
    const stopped = editor.notification("stays stopped");
    let killed = 0;
    for (let last = "none"; (await stopped.count()) === 0; ++killed) {
      const pid = await editor.next_server_process(last, stopped);
      if (pid === undefined) break;
      process.kill(Number(pid), "SIGKILL");
      last = pid;
    }
    assert.equal(killed, 6);
    await stopped.first().waitFor();
    await editor.status("the server does not run").waitFor();
    assert.deepEqual(editor.server_processes(), []);
    await editor.dismiss_notifications();
    await editor.command("Phobos: Restart Language Server");
    await editor.squiggles().first().waitFor();
    assert.match(await editor.hover("row = row * factor", "* factor"), /differs between warps/);
  });

  step("what a run finds is underlined until the text changes", async () => {
    await editor.show_tab("checks.ph");
    await editor.press_lens("Run outside");
    assert.match(await editor.result_of("outside", "failed"), /past the end/);
    await editor.squiggles().first().waitFor();
    assert.match(await editor.hover("out[ctx.thread] = 1.0", "out"), /PH0601/);
    await editor.replace_line("out[ctx.thread] = 1.0", "out[ctx.thread] = 2.0");
    await editor.page.waitForFunction(() => document.querySelector(".monaco-editor .squiggly-error") === null);
    await editor.result_frame().locator("#stale").waitFor();
    // A race is told at both of its places.
    await editor.show_file("steps.ph");
    await editor.press_lens("Run racing");
    await editor.squiggles().first().waitFor();
    assert.match(await editor.hover("shared[(ctx.thread + 1) % 64]", "shared"), /thread \d+ writes .*which thread \d+ wrote/s);
    await editor.show_tab("checks.ph");
  });

  step("an output is looked at: pictures, pages, one element", async () => {
    await editor.press_lens("Run table");
    assert.match(await editor.result_of("table", "Histogram"), /1 NaN, 1 infinite/);
    const frame = editor.result_frame();
    const table = frame.locator("#table-0");
    await table.getByText("rows 0 to 15 of 40, columns 0 to 7 of 30").waitFor();
    assert.deepEqual(await table.locator("td.not-finite").allInnerTexts(), ["inf", "NaN"]);
    await frame.getByRole("button", { name: "▼" }).click();
    await table.getByText("rows 16 to 31 of 40").waitFor();
    await frame.getByRole("textbox", { name: "Element" }).fill("39, 29");
    await editor.page.keyboard.press("Enter");
    await table.getByText("rows 24 to 39 of 40, columns 22 to 29 of 30").waitFor();
    assert.match(await table.locator("td.target").innerText(), /0\.000834028/);
    await frame.getByRole("textbox", { name: "Element" }).fill("40, 0");
    await editor.page.keyboard.press("Enter");
    await frame.getByText("There is no such element; indices are 0 to 39, 0 to 29.").waitFor();
    await frame.locator(".heat rect[data-index='0']").last().click();
    await table.locator("td.target", { hasText: "inf" }).waitFor();
  });

  step("a run is compared with the simulator", async () => {
    editor.write_folder_settings({ "phobos.run.device": "emulate" });
    await editor.status(/emulator/).waitFor();
    await editor.click_on("print(first)");
    await editor.command("Phobos: Run Kernel and Compare with the Simulator");
    assert.match(await editor.result_of("counts", "simulator agrees"), /The simulator has the same in every element/);
    await editor.show_file("curved.ph");
    await editor.click_on("let t");
    await editor.command("Phobos: Run Kernel and Compare with the Simulator");
    assert.match(await editor.result_of("curved", "Farthest from the simulator"), /on the simulator [\d.]+,\s[\d.e-]+ apart; \d+ elements differ/);
    await editor.result_frame().locator("a[data-index]").click();
    await editor.result_frame().locator("td.target.differs", { hasText: /sim [\d.]+/ }).waitFor();
    await editor.show_tab("checks.ph");
    editor.write_folder_settings(on_the_simulator);
    await editor.status(/simulator/).waitFor();
  });

  step("a driver that is missing and a setting that is wrong are told apart, each with its remedy", async () => {
    editor.write_folder_settings({ "phobos.run.device": "gpu" });
    await editor.status(/no GPU/).waitFor();
    await editor.press_lens("Run table");
    const driver = editor.notification("there is no GPU to run on").first();
    await driver.waitFor();
    await driver.locator(".monaco-button", { hasText: "Use Simulator" }).click();
    await editor.result_of("table", "simulator");
    editor.write_folder_settings({ "phobos.run.device": "tpu" });
    await editor.status(/Phobos \d+\.\d+\.\d+ · simulator/).waitFor();
    await editor.press_lens("Run table");
    await editor.notification('`phobos.run.device` is "tpu"').or(editor.notification('phobos.run.device is "tpu"')).first().waitFor();
    await editor.dismiss_notifications();
    editor.write_folder_settings(on_the_simulator);
  });

  step("a run without end is cancelled within a second, or ended by its deadline", async () => {
    await editor.show_tab("endless.ph");
    for (let tries = 0; tries < tries_to_cancel; ++tries) {
      await editor.press_lens("Run endless");
      const progress = editor.notification("Running endless").first();
      await progress.waitFor();
      assert.equal(editor.processes("run").length, 1);
      const cancel = progress.locator(".monaco-button", { hasText: "Cancel" });
      await cancel.hover();
      await cancel.click();
      await editor.until(() => editor.processes("run"), (left) => left.length === 0);
      await progress.waitFor({ state: "hidden" });
    }
    const gone = () => [...editor.log().matchAll(/endless was cancelled; its process was gone (\d+) ms later/g)].map(([, ms]) => Number(ms));
    const times = await editor.until(gone, ({ length }) => length === tries_to_cancel);
    console.log(`the run without end was gone ${times.join(", ")} ms after it was cancelled`);
    assert.ok(Math.min(...times) < cancelled_within_ms, `${times.join(", ")} ms`);
    // The device is there to see that the settings have come.
    editor.write_folder_settings({ "phobos.run.device": "emulate", "phobos.run.timeout": 0.5 });
    await editor.status(/emulator/).waitFor();
    await editor.click_on("while i >= 0");
    await editor.command("Phobos: Run Kernel on the Simulator");
    assert.match(await editor.result_of("endless", "failed"), /ended after 0\.5 s.*phobos\.run\.timeout/s);
    await editor.show_tab("checks.ph");
    editor.write_folder_settings(on_the_simulator);
  });

  step("tasks are offered for the file and for the folder", async () => {
    await editor.show_tab("checks.ph");
    await editor.command("Tasks: Run Task");
    await editor.pick("phobos");
    for (const name of ["check checks.ph", "test checks.ph", "build checks.ph", "check all files", "test all files"]) {
      await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
    }
    await editor.page.keyboard.press("Escape");
    await editor.page.keyboard.press("Escape");
  });

  step("what a task's program says becomes problems, all of it, each time", async () => {
    const problems = editor.page.locator(".markers-panel .monaco-list-row");
    const run_task = async (name) => {
      await editor.command("Tasks: Run Task");
      await editor.page.locator(".quick-input-list .monaco-list-row").filter({ has: editor.page.getByText("phobos", { exact: true }) }).click();
      await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    };
    // The terminal comes to the front, at the latest when a task has failed.
    const problems_of_tests = (wanted) => editor.until(async () => {
      await editor.command("Problems: Focus on Problems View");
      return (await problems.allInnerTexts()).join("\n");
    }, wanted);
    await editor.show_tab("checks.ph");
    for (let times = 0; times < 2; ++times) {
      await run_task("test checks.ph");
      await problems_of_tests((said) => /saying "first = 1"; got 1 line.*worst at \[5\]: 5, expected 9/s.test(said));
      // A check of the same file says nothing, and takes the problems of the task before it away.
      await run_task("check checks.ph");
      await problems_of_tests((said) => !/phobos test/.test(said));
    }
  });

  step("settings take effect at once: levels of diagnostics, sorts of hints", async () => {
    await editor.show_tab("scale.ph");
    await editor.squiggles().first().waitFor();
    const kind = editor.page.locator(".view-line", { hasText: /lane:\svarying/ });
    await kind.first().waitFor();
    editor.write_folder_settings({ ...on_the_simulator, "phobos.diagnostics": { "PH0301": "off" }, "phobos.inlayHints.kinds": false });
    await editor.page.waitForFunction(() => document.querySelector(".monaco-editor .squiggly-error") === null);
    await kind.first().waitFor({ state: "hidden" });
    editor.write_folder_settings(on_the_simulator);
    await editor.squiggles().first().waitFor();
    await kind.first().waitFor();
    await editor.show_tab("checks.ph");
  });

  step("lines under control that differs are shaded, with a legend", async () => {
    editor.write_folder_settings({ ...on_the_simulator, "phobos.kinds.shade": "both" });
    await editor.page.locator(".statusbar-item", { hasText: "lanes differ" }).waitFor();
    await editor.page.waitForFunction(() => document.querySelectorAll(".monaco-editor .view-overlays .cdr").length >= 2);
    editor.write_folder_settings(on_the_simulator);
    await editor.page.locator(".statusbar-item", { hasText: "lanes differ" }).waitFor({ state: "hidden" });
  });

  step("each run line that expects something is a test", async () => {
    await editor.command("Test: Run All Tests");
    await editor.command("Testing: Focus on Test Explorer View");
    await editor.page.locator(".result-summary", { hasText: "1/3" }).waitFor();
    await editor.page.locator(".test-explorer .codicon-testing-failed-icon").first().waitFor();
    await editor.page.locator(".test-output-peek, .monaco-editor, .panel").filter({ hasText: 'saying "first = 1"; got 1 line' }).first().waitFor();
    // A comparison that fails names the element that is farthest off.
    await editor.page.locator(".monaco-list-row", { hasText: "counted" }).filter({ hasText: "worst at [5]: 5, expected 9" }).first().waitFor();
  });

  step("a test that hangs is cancelled in the tests view", async () => {
    const file = join(editor.folder, "hung.ph");
    writeFileSync(file, readFileSync(join(editor.folder, "endless.ph"), "utf8").replace("--max-steps 0", '--max-steps 0 expect-print "never"').replace("kernel endless", "kernel hung"));
    const item = editor.page.locator(".test-explorer .monaco-list-row", { hasText: "hung.ph" });
    await item.waitFor();
    await item.hover();
    await item.locator(".codicon-testing-run-icon").first().click();
    await editor.until(() => editor.processes("test"), (pids) => pids.length === 1);
    await editor.page.locator(".part.sidebar .codicon-testing-cancel-icon").first().click();
    await editor.until(() => editor.processes("test"), (pids) => pids.length === 0);
    await item.locator(".codicon-testing-skipped-icon").waitFor();
    rmSync(file);
    await item.waitFor({ state: "hidden" });
  });

  step("the walkthrough's steps are done once they were done", async () => {
    await editor.command("Phobos: Open Walkthrough");
    await editor.page.locator(".getting-started-step").nth(3).waitFor();
    await editor.page.waitForFunction(() => document.querySelectorAll(".getting-started-step .codicon-getting-started-step-checked.complete").length === 4);
  });
});

describe("a workspace of two folders", () => {
  let editor;
  before(async () => {
    const prepare = (new_editor) => {
      const text = readFileSync(join(new_editor.folder, "scale.ph"), "utf8");
      const folders = { here: on_the_simulator, there: { "phobos.run.device": "emulate", "phobos.diagnostics": { PH0301: "off" } } };
      for (const [name, settings] of Object.entries(folders)) {
        mkdirSync(join(new_editor.home, name, ".vscode"), { recursive: true });
        writeFileSync(join(new_editor.home, name, ".vscode/settings.json"), JSON.stringify(settings));
        writeFileSync(join(new_editor.home, name, `${name}.ph`), text);
      }
      new_editor.workspace = join(new_editor.home, "two.code-workspace");
      writeFileSync(new_editor.workspace, JSON.stringify({ folders: Object.keys(folders).map((path) => ({ path })) }));
    };
    editor = await Editor.start({ ...installation, prepare });
  }, { timeout: 300000 });
  after(() => editor?.stop());

  editor_test("each folder has its own settings, problems, device and tasks, by one server", () => editor, async () => {
    await editor.show_file("here.ph");
    await editor.squiggles().first().waitFor();
    await editor.status(/simulator/).waitFor();
    await editor.show_file("there.ph");
    await editor.status(/emulator/).waitFor();
    // The same text: its error is off here, and what else is wrong with it is not.
    await editor.page.locator(".view-line", { hasText: /lane:\svarying/ }).first().waitFor();
    assert.equal(await editor.squiggles().count(), 0);
    await editor.replace_line("let base = ctx.block.x * 128", "let base = ctx.nowhere * 128");
    await editor.squiggles().first().waitFor();
    await editor.show_tab("here.ph");
    await editor.squiggles().first().waitFor();
    assert.match(await editor.hover("row = row * factor", "* factor"), /PH0301/);
    await editor.click_on("out[ctx.thread] = i32(lane)");
    await editor.command("Phobos: Run Kernel");
    await editor.result_of("lanes", "simulator");
    await editor.show_tab("there.ph");
    await editor.click_on("out[ctx.thread] = i32(lane)");
    await editor.command("Phobos: Run Kernel");
    await editor.result_of("lanes", "emulator");
    await editor.command("Tasks: Run Task");
    await editor.pick("phobos");
    for (const name of [/check all files\s*here/, /check all files\s*there/, /check there\.ph\s*there/]) {
      await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
    }
    assert.equal(editor.server_processes().length, 1);
  });
});

describe("a folder that is not trusted", () => {
  let editor;
  before(async () => {
    editor = await Editor.start({ ...installation, trusted: false, prepare: set_trap });
    await editor.open("scale.ph");
  }, { timeout: 300000 });
  after(() => editor?.stop());

  editor_test("kernels are analysed, not run, and its own program is not started", () => editor, async () => {
    await editor.squiggles().first().waitFor();
    await editor.press_lens("Run scale");
    await editor.notification("not trusted").first().waitFor();
    assert.equal(await editor.page.locator("iframe.webview").count(), 0);
    assert.equal(existsSync(join(editor.folder, "not-phobos.was-started")), false);
  });
});
