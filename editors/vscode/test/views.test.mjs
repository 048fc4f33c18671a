// The views beside the text: the stepper's lanes, in a real editor.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { Editor } from "./editor.mjs";
import { assert_accessible, editor_test, installation, on_the_simulator, picture, picture_for_docs } from "./harness.mjs";

describe("the views", () => {
  let editor;
  before(async () => {
    const viewport = { width: 1480, height: 940 };
    const settings = { "editor.stickyScroll.enabled": false, "breadcrumbs.enabled": false, "workbench.secondarySideBar.defaultVisibility": "hidden" };
    editor = await Editor.start({ ...installation, viewport, settings, prepare: (new_editor) => new_editor.write_folder_settings(on_the_simulator) });
    await editor.open("steps.ph");
    await editor.hide_side_bar();
  }, { timeout: 300000 });
  after(() => editor?.stop());

  const step = (name, body) => editor_test(name, () => editor, body);
  const view = () => editor.result_frame();
  const step_line = (text) => view().locator(".ran", { hasText: text });
  const lane = (thread) => view().locator(`td[data-pick="${thread}"]`);

  step("a kernel is stepped through: every lane, values behind the lines, the tile as a table", async () => {
    await editor.click_on("let base = ctx.block.x");
    await editor.command("Phobos: Step Through Kernel");
    await editor.page.locator(".debug-toolbar").waitFor();
    await step_line("let base = ctx.block.x * 64").waitFor();
    await view().getByText("all 64 lanes take part").waitFor();
    await editor.debug("step-into");
    await step_line("let own").waitFor();
    assert.equal(await lane(37).innerText(), "37");
    assert.match(await lane(37).getAttribute("aria-label"), /thread 37, lane 5 of warp 1: 37/);
    await editor.page.locator(".view-line", { hasText: /own\s=\s0\s\(varying,\slane\s0\)/ }).waitFor();
    await editor.debug("step-into");
    await view().getByText("rows 0 to 0 of 1, columns 0 to 7 of 64").waitFor();
    await view().getByRole("button", { name: "Columns after" }).click();
    await view().getByText("columns 8 to 15 of 64").waitFor();
  });

  step("lanes that part are seen, calls are entered, and steps go back", async () => {
    await editor.debug("step-into");
    await step_line("if ctx.lane < 7").waitFor();
    assert.equal(await lane(6).innerText(), "T");
    assert.equal(await lane(7).innerText(), "F");
    await view().locator(".badge.event", { hasText: "divergence" }).waitFor();
    await editor.debug("step-into");
    await step_line("v: f32").waitFor();
    await editor.debug("step-into");
    await step_line("let doubled").waitFor();
    await view().getByText("14 of 64 lanes take part").waitFor();
    assert.match(await lane(8).getAttribute("class"), /away/);
    await editor.debug("step-back");
    await step_line("v: f32").waitFor();
    await editor.debug("step-back");
    await step_line("if ctx.lane < 7").waitFor();
    await editor.debug("step-over");
    await step_line("row[ctx.thread]").waitFor();
    await editor.hide_side_bar();
    await picture_for_docs(editor, "vscode-stepper.png");
    await assert_accessible(editor, "the stepper");
  });

  step("a lane is picked by the keyboard, and filters the steps", async () => {
    await lane(0).focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter"]) await editor.page.keyboard.press(key);
    await view().getByText("only steps of thread 33 are gone through").waitFor();
    await editor.page.keyboard.press("Escape");
    await view().getByText("only steps of thread").waitFor({ state: "hidden" });
  });

  step("to the next barrier, and to the end where the store is drawn", async () => {
    await editor.command("Phobos: Continue to Barrier");
    await step_line("barrier()").waitFor();
    await editor.debug("step-into");
    await step_line("out[base :+ 64] = row").waitFor();
    await view().getByText("this step wrote 64 elements, outlined").waitFor();
    await editor.end_debugging();
  });

  step("a breakpoint with a condition stops where it holds in some lane", async () => {
    await editor.click_on("let doubled");
    await editor.command("Debug: Add Conditional Breakpoint...");
    // What is typed before the widget has the keyboard goes into the text.
    await editor.page.locator(".breakpoint-widget .monaco-editor.focused").waitFor();
    await editor.page.keyboard.type("ctx.warp == 1 && v > 33.0");
    await editor.page.locator(".breakpoint-widget .view-line", { hasText: /v\s>\s33\.0/ }).waitFor();
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".codicon-debug-breakpoint-conditional").first().waitFor();
    await editor.click_on("let base = ctx.block.x");
    await editor.command("Phobos: Step Through Kernel");
    await step_line("let base = ctx.block.x * 64").waitFor();
    await editor.debug("continue");
    await step_line("let doubled").waitFor();
    await editor.end_debugging();
    await editor.command("Remove All Breakpoints");
  });

  step("a race stops the session and says what raced", async () => {
    await editor.click_on("var shared: tile");
    await editor.command("Phobos: Step Through Kernel");
    await step_line("var shared").waitFor();
    await editor.debug("continue");
    await editor.page.locator(".exception-widget", { hasText: /thread \d+ writes `shared\[\d+\]`, which thread \d+ wrote/ }).waitFor();
    await view().getByRole("alert").waitFor();
    await picture_for_docs(editor, "vscode-race.png");
    await editor.end_debugging();
  });

  const heading = (text) => view().locator("h1", { hasText: text });
  const access = (tensor, words) => view().locator("section", { has: view().locator("h3", { hasText: tensor }) }).getByText(words);
  const cell = (key) => view().locator(`[data-cell="${key}"]`);

  step("the hierarchy: from the grid to a lane by the keyboard, with what each owns of the tensors", async () => {
    await editor.show_file("tiles.ph");
    await editor.click_on("let pm = ctx.block.x");
    await editor.command("Phobos: Show Grid, CTA, Warp and Lane");
    await view().getByText("5 × 7 × 1 CTAs").waitFor();
    await view().getByText("ctx.blocks.x = ceil(288 / 64)").waitFor();
    await cell("0,0").focus();
    await editor.page.keyboard.press("ArrowRight");
    await access("C", "C[64:128, 0:64]").waitFor();
    for (const key of ["ArrowDown", "ArrowDown"]) await editor.page.keyboard.press(key);
    await access("C", "C[64:128, 128:192]").waitFor();
    await picture_for_docs(editor, "vscode-hierarchy.png");
    await assert_accessible(editor, "the grid");
    await cell("4,6").click();
    await heading("CTA (4, 6, 0)").waitFor();
    await access("C", "C[256:320, 384:448]; part of it is masked").waitFor();
    assert.ok((await view().locator("rect.past").count()) > 0);
    await cell("0").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await editor.page.keyboard.press(key);
    await view().locator('[data-cell="3"][aria-selected="true"]').waitFor();
    await editor.page.keyboard.press("Enter");
    await heading("warp 3 of CTA (4, 6, 0)").waitFor();
    await cell("17").click();
    await heading("lane 17 of warp 3").waitFor();
    await view().getByText("113 - 3 * 32").waitFor();
    await view().getByText("113 / 32, rounded down").waitFor();
    for (const back of ["warp 3", "CTA (4, 6, 0)"]) {
      await editor.page.keyboard.press("Escape");
      await heading(back).waitFor();
    }
    await assert_accessible(editor, "a CTA");
  });

  step("the hierarchy follows the text and the cursor: half a warp is dashed, another kernel is another grid", async () => {
    await editor.replace_line("@launch(128) // here", "@launch(48)");
    await view().getByRole("alert").getByText("multiple of 32").waitFor();
    await view().getByText("48 threads are no whole number of warps").waitFor();
    assert.equal(await view().locator(".lane.part").count(), 16);
    await picture(editor, "vscode-half-a-warp.png");
    await editor.replace_line("@launch(48)", "@launch(256) // here");
    await view().getByText("256 threads in 8 warps").waitFor();
    await editor.click_on("acc += W[row, k]");
    await heading("walk").waitFor();
    await view().locator("li.here", { hasText: "W[row, k]" }).waitFor();
  });

  step("a lane that is picked in the hierarchy filters the stepper", async () => {
    await cell("1,0").click();
    await cell("1").click();
    await cell("1").click();
    await heading("lane 1 of warp 1").waitFor();
    await access("W", "W[9, 1, 33, … 97]").waitFor();
    await view().getByRole("button", { name: "Step through" }).click();
    await view().getByText("only steps of thread 33 are gone through").waitFor();
    await view().getByText("CTA (1, 0, 0)").waitFor();
    await editor.end_debugging();
    await editor.close_views();
  });

  step("PTX beside the source, in step with the cursor both ways, with the decisions on their lines", async () => {
    await editor.click_on("C[pm * 64 :+ 64, pn * 64 :+ 64] = rowsum(a)");
    await editor.command("Phobos: Show PTX Beside");
    const code = editor.page.locator(".editor-group-container").nth(1);
    await code.locator(".view-line", { hasText: /st\.global|\.loc/ }).first().waitFor();
    await code.locator(".view-overlays .cdr").first().waitFor({ state: "attached" });
    await editor.page.locator(".view-line", { hasText: /store:\s.*at\sa\stime/ }).first().waitFor();
    await editor.hide_side_bar_if_shown();
    await picture_for_docs(editor, "vscode-ptx.png");
    await editor.replace_line("let pn = ctx.block.y", "let pn = ctx.block.y + ");
    await editor.page.locator(".view-line", { hasText: /stale:/ }).first().waitFor();
    await editor.replace_line("let pn = ctx.block.y +", "let pn = ctx.block.y");
    await editor.page.waitForFunction(() => ![...document.querySelectorAll(".view-line")].some((line) => /stale:/.test(line.textContent)));
  });

  for (const theme of ["Dark Modern", "High Contrast"]) {
    step(`the views are readable in ${theme}`, async () => {
      await editor.close_views();
      editor.write_folder_settings({ ...on_the_simulator, "workbench.colorTheme": `Default ${theme}` });
      await editor.page.locator(theme.includes("High") ? ".monaco-workbench.hc-black" : ".monaco-workbench.vs-dark").waitFor();
      await editor.show_file("tiles.ph");
      await editor.click_on("let pm = ctx.block.x");
      await editor.command("Phobos: Show Grid, CTA, Warp and Lane");
      await view().getByText("5 × 7 × 1 CTAs").waitFor();
      await cell("4,6").click();
      await heading("CTA (4, 6, 0)").waitFor();
      await assert_accessible(editor, "the hierarchy");
      await picture(editor, `vscode-hierarchy-${theme.toLowerCase().replaceAll(" ", "-")}.png`);
      await editor.show_file("steps.ph");
      await editor.click_on("let base = ctx.block.x");
      await editor.command("Phobos: Step Through Kernel");
      await step_line("let base = ctx.block.x * 64").waitFor();
      await editor.debug("step-into");
      await step_line("let own").waitFor();
      await assert_accessible(editor, "the stepper");
      await picture(editor, `vscode-stepper-${theme.toLowerCase().replaceAll(" ", "-")}.png`);
      await editor.end_debugging();
      await editor.press_lens("Run racing");
      await editor.result_of("racing");
      await assert_accessible(editor, "the result");
    });
  }
});
