// The views beside the text, in a real editor: the stepper, the hierarchy, compiled code, what tuning found.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { Editor } from "./editor.mjs";
import { assert_readable_in_themes, editor_test, installation, on_the_simulator, picture, picture_for_docs, themes } from "./harness.mjs";

// An assembler and a disassembler in the place of NVIDIA's, which few machines have.
const tools = fileURLToPath(new URL("tools", import.meta.url));

describe("the views", () => {
  let editor;
  before(async () => {
    const viewport = { width: 1480, height: 940 };
    const settings = { "editor.stickyScroll.enabled": false, "breadcrumbs.enabled": false, "workbench.secondarySideBar.defaultVisibility": "hidden", "debug.openDebug": "neverOpen" };
    const environment = { PHOBOS_PTXAS: join(tools, "ptxas") };
    editor = await Editor.start({ ...installation, viewport, settings, environment, prepare: (new_editor) => new_editor.write_folder_settings(on_the_simulator) });
    await editor.open("steps.ph");
    await editor.hide_side_bar();
  }, { timeout: 300000 });
  after(() => editor?.stop());

  const begin = async () => {
    await editor.end_debugging();
    await editor.hide_side_bar_if_shown();
    await editor.close_views();
  };
  const step = (name, body) => editor_test(name, () => editor, body, begin);
  const view = () => editor.result_frame();
  const step_line = (text) => view().locator(".ran", { hasText: text });
  const lane = (thread) => view().locator(`td[data-pick="${thread}"]`);
  const step_through = async (file, line, first) => {
    await editor.show_file(file);
    await editor.click_on(line);
    await editor.command("Phobos: Step Through Kernel");
    await editor.page.locator(".debug-toolbar").waitFor();
    await step_line(first ?? line).waitFor();
  };
  const steps_from_its_start = () => step_through("steps.ph", "let base = ctx.block.x");

  step("a kernel is stepped through: every lane, values behind the lines, the tile as a table", async () => {
    await steps_from_its_start();
    await view().getByText("all 64 lanes take part").waitFor();
    await editor.command("View: Show Run and Debug");
    await editor.debug("step-into");
    await step_line("let own").waitFor();
    assert.equal(await lane(37).innerText(), "37");
    assert.match(await lane(37).getAttribute("aria-label"), /thread 37, lane 5 of warp 1: 37/);
    await editor.page.locator(".view-line", { hasText: /own\s=\s0\s\(varying,\slane\s0\)/ }).waitFor();
    await editor.page.locator(".part.sidebar .monaco-list-row", { hasText: /own\s*=\s*0 · varying/ }).waitFor();
    await editor.debug("step-into");
    await view().getByText("rows 0 to 0 of 1, columns 0 to 7 of 64").waitFor();
    await view().getByRole("button", { name: "Columns after" }).click();
    await view().getByText("columns 8 to 15 of 64").waitFor();
  });

  step("lanes that part are seen, calls are entered, and steps go back", async () => {
    await steps_from_its_start();
    for (const line of ["let own", "var row", "if ctx.lane < 7"]) {
      await editor.page.keyboard.press("F11");
      await step_line(line).waitFor();
    }
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
    await view().getByText("this step wrote 14 elements, outlined").waitFor();
    assert.equal(await view().locator(".heat rect.fresh").count(), 14);
    await editor.click_on("kernel steps");
    await picture_for_docs(editor, "vscode-stepper.png");
    await assert_readable_in_themes(editor, "the stepper", on_the_simulator);
  });

  step("a lane is picked by the keyboard, and filters the steps", async () => {
    await steps_from_its_start();
    await editor.debug("step-into");
    await step_line("let own").waitFor();
    await lane(0).focus();
    // A warp has two rows here; a page is a warp.
    for (const key of ["ArrowRight", "ArrowDown", "PageDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Enter"]) await editor.page.keyboard.press(key);
    await view().getByText("only steps of thread 33 are gone through").waitFor();
    await editor.page.keyboard.press("Escape");
    await view().getByText("only steps of thread").waitFor({ state: "hidden" });
    await lane(40).click();
    await view().getByText("only steps of thread 40 are gone through").waitFor();
    await editor.debug("continue");
    await step_line("out[base :+ 64] = row").waitFor();
  });

  step("the mouse on a name reads its value while the kernel is stepped through", async () => {
    await steps_from_its_start();
    await editor.debug("step-into");
    await step_line("let own").waitFor();
    const shown = editor.page.locator(".debug-hover-widget");
    const rest_on = async (line, word, value) => {
      // Where the page is busy while the mouse arrives it may have to come again.
      await editor.until(async () => {
        await editor.page.mouse.move(4, 4, { steps: 2 });
        const { left, right, middle } = await editor.place_of(line, word);
        await editor.page.mouse.move(left - 3, middle);
        await editor.page.mouse.move((left + right) / 2, middle, { steps: 4 });
        return shown.filter({ hasText: value }).waitFor({ timeout: 4000 }).then(() => true, () => false);
      }, (seen) => seen);
      await picture(editor, `debug-hover-${word.replaceAll(".", "-")}.png`);
      await editor.page.mouse.move(4, 4, { steps: 2 });
      await shown.waitFor({ state: "hidden" });
    };
    await rest_on("own)", "own", /0 · varying/);
    await rest_on("x[base :+ 64]", "base", /0 · uniform/);
    await rest_on("if ctx.lane < 7", "ctx.lane", /0 · varying/);
  });

  step("a watch is an expression of the language, in every lane", async () => {
    await steps_from_its_start();
    await editor.debug("step-into");
    await step_line("let own").waitFor();
    await editor.command("View: Show Run and Debug");
    const watches = editor.page.locator(".part.sidebar .pane", { has: editor.page.locator(".pane-header", { hasText: "Watch" }) });
    await watches.locator(".pane-header").hover();
    await watches.locator(".pane-header .codicon-watch-expressions-add").click();
    await watches.locator("input, textarea").first().waitFor();
    await editor.page.keyboard.type("i8(own + 100.0) + i8(ctx.thread + 100)");
    await editor.page.keyboard.press("Enter");
    await watches.locator(".monaco-list-row", { hasText: /-56 · varying/ }).waitFor();
  });

  step("to the next barrier, and to the end where the store is drawn", async () => {
    await steps_from_its_start();
    await editor.page.locator(".debug-toolbar .codicon-milestone").click();
    await step_line("barrier()").waitFor();
    await editor.debug("step-into");
    await step_line("out[base :+ 64] = row").waitFor();
    await view().getByText("this step wrote 64 elements, outlined").waitFor();
    await editor.command("Phobos: Back to Barrier");
    await step_line("barrier()").waitFor();
    await view().getByRole("slider").fill("0");
    await step_line("let base").waitFor();
  });

  step("a breakpoint with a condition stops where it holds in some lane", async () => {
    await editor.show_file("steps.ph");
    await editor.click_on("let doubled");
    await editor.command("Debug: Add Conditional Breakpoint...");
    // What is typed before the widget has the keyboard goes into the text.
    await editor.page.locator(".breakpoint-widget .monaco-editor.focused").waitFor();
    await editor.page.keyboard.type("ctx.warp == 1 && v > 33.0");
    await editor.page.locator(".breakpoint-widget .view-line", { hasText: /v\s>\s33\.0/ }).waitFor();
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".codicon-debug-breakpoint-conditional").first().waitFor();
    await steps_from_its_start();
    await editor.debug("continue");
    await step_line("let doubled").waitFor();
    await editor.end_debugging();
    await editor.command("Remove All Breakpoints");
  });

  step("a race stops the session and says what raced", async () => {
    await step_through("steps.ph", "var shared: tile", "var shared");
    await editor.debug("continue");
    await editor.page.locator(".exception-widget", { hasText: /thread \d+ writes `shared\[\d+\]`, which thread \d+ wrote/ }).waitFor();
    await view().getByRole("alert").waitFor();
    await editor.page.mouse.move(4, 4);
    await editor.page.locator(".workbench-hover").waitFor({ state: "hidden" });
    await picture_for_docs(editor, "vscode-race.png");
  });

  step("an access outside stops the session and says what is outside", async () => {
    await editor.show_file("steps.ph");
    await editor.click_on("kernel beyond");
    await editor.command("Phobos: Step Through Kernel");
    await editor.page.locator(".exception-widget", { hasText: /past the end: index \d+ of axis 0, whose extent is 100/ }).waitFor();
    await view().getByRole("alert").getByText("whose extent is 100").waitFor();
  });

  step("a barrier that not every lane reaches is refused with the reason, not run", async () => {
    await editor.show_file("parted.ph");
    await editor.click_on("out[ctx.thread] = 1");
    await editor.command("Phobos: Step Through Kernel");
    const refused = editor.notification("every thread must reach it").first();
    await refused.filter({ hasText: "differs between lanes" }).waitFor();
    await refused.locator(".monaco-button", { hasText: "Go to Error" }).click();
    await editor.page.locator(".statusbar-item", { hasText: "(9 selected)" }).waitFor();
    await refused.waitFor({ state: "hidden" });
    assert.equal(await editor.page.locator(".monaco-dialog-box").count(), 0);
    await editor.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  });

  step("a grid that does not follow is asked for where a session did not begin", async () => {
    await editor.show_file("gridless.ph");
    await editor.click_on("out[ctx.thread] = a");
    await editor.command("Phobos: Step Through Kernel");
    const refused = editor.notification("cannot be inferred").first();
    await refused.locator(".monaco-button", { hasText: "Change Arguments" }).click();
    await editor.pick("grid = 1");
    const input = editor.page.locator(".quick-input-widget input[type=text]");
    await input.fill("0");
    await editor.page.locator(".quick-input-message", { hasText: "The CTAs along x, y and z" }).waitFor();
    await input.fill("1,1");
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "grid = 1,1" }).waitFor();
    await editor.pick("Run");
    await step_line("let a").waitFor();
  });

  const heading = (text) => view().locator("h1", { hasText: text });
  const access = (tensor, words) => view().locator("section", { has: view().locator("h3", { hasText: tensor }) }).getByText(words);
  const cell = (key) => view().locator(`[data-cell="${key}"]`);
  const show_hierarchy = async (file, line) => {
    await editor.show_file(file);
    await editor.click_on(line);
    await editor.command("Phobos: Show Grid, CTA, Warp and Lane");
  };

  step("the hierarchy: from the grid to a lane by the keyboard, with what each owns of the tensors", async () => {
    await show_hierarchy("tiles.ph", "let pm = ctx.block.x");
    await view().getByText("5 × 7 × 1 CTAs").waitFor();
    await view().getByText("ctx.blocks.x = ceil(288 / 64)").waitFor();
    await cell("0,0").focus();
    await editor.page.keyboard.press("ArrowRight");
    await access("C", "C[64:128, 0:64]").waitFor();
    for (const key of ["ArrowDown", "ArrowDown"]) await editor.page.keyboard.press(key);
    await access("C", "C[64:128, 128:192]").waitFor();
    await view().locator('[data-cell="1,2"]:focus').waitFor();
    await cell("4,6").click();
    await heading("CTA (4, 6, 0)").waitFor();
    await access("C", "C[256:320, 384:448]; part of it is masked").waitFor();
    assert.ok((await view().locator("rect.past").count()) > 0);
    await picture_for_docs(editor, "vscode-hierarchy.png");
    await assert_readable_in_themes(editor, "a CTA", on_the_simulator);
    await cell("0").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await editor.page.keyboard.press(key);
    await view().locator('[data-cell="3"][aria-selected="true"]').waitFor();
    await editor.page.keyboard.press("Enter");
    await heading("warp 3 of CTA (4, 6, 0)").waitFor();
    await cell("17").click();
    await heading("lane 17 of warp 3").waitFor();
    await view().getByText("113 - 3 * 32").waitFor();
    await view().getByText("113 / 32, rounded down").waitFor();
    await assert_readable_in_themes(editor, "a lane", on_the_simulator);
    for (const back of ["warp 3", "CTA (4, 6, 0)"]) {
      await editor.page.keyboard.press("Escape");
      await heading(back).waitFor();
    }
    await editor.page.keyboard.press("Escape");
    await cell("4,6").waitFor();
    await assert_readable_in_themes(editor, "the grid", on_the_simulator);
  });

  step("the hierarchy follows the text and the cursor: half a warp is dashed, another kernel is another grid", async () => {
    await show_hierarchy("tiles.ph", "let pm = ctx.block.x");
    await cell("4,6").click();
    await editor.replace_line("@launch(128) // here", "@launch(48)");
    await view().getByRole("alert").getByText("multiple of 32").waitFor();
    await view().getByText("48 threads are no whole number of warps").waitFor();
    assert.equal(await view().locator(".lane.part").count(), 16);
    await picture(editor, "half-a-warp.png");
    await editor.replace_line("@launch(48)", "@launch(256)");
    await view().getByText("256 threads in 8 warps").waitFor();
    await editor.replace_line("@launch(256)", "@launch(128) // here");
    await view().getByText("128 threads in 4 warps").waitFor();
    await editor.click_on("acc += W[row, k]");
    await heading("walk").waitFor();
    await view().locator("li.here", { hasText: "W[row, k]" }).waitFor();
  });

  step("positions in row-major order, atomics, and what is autotuned are in the hierarchy, too", async () => {
    await show_hierarchy("tiles.ph", "let _ticket");
    await cell("1,0").click();
    await cell("1").click();
    await cell("1").click();
    await heading("lane 1 of warp 1").waitFor();
    await access("W", "W at 132:136 in row-major order").waitFor();
    await access("out", "out[97]").waitFor();
    await view().locator("li.store", { hasText: /atomic atomic_add/ }).waitFor();
    await picture(editor, "positions.png");
    await editor.show_file("tuned.ph");
    await editor.click_on("let t: tile<f32>[BLOCK]");
    await view().getByText("16 × 1 × 1 CTAs").waitFor();
    await view().locator('[data-dimension="BLOCK"]').fill("64");
    await view().locator('[data-dimension="BLOCK"]').press("Enter");
    await view().getByText("64 × 1 × 1 CTAs").waitFor();
  });

  step("a lane that is picked in the hierarchy filters the stepper", async () => {
    await show_hierarchy("tiles.ph", "acc += W[row, k]");
    await cell("1,0").click();
    await cell("1").click();
    await cell("1").click();
    await heading("lane 1 of warp 1").waitFor();
    await access("W", "W[9, 1, 33, … 97]").waitFor();
    await view().getByRole("button", { name: "Step through" }).click();
    await view().getByText("only steps of thread 33 are gone through").waitFor();
    await view().getByText("CTA (1, 0, 0)").waitFor();
  });

  const code = () => editor.page.locator(".editor-group-container").nth(1);
  /** Clicks into the code beside the source, on the first line of it with such a text. */
  const click_on_code = (text) => code().locator(".view-line", { hasText: text }).first().click();

  for (const [sort, title, instruction, of_store] of [["PTX", "Phobos: Show PTX Beside", /^\s*(@!?%p\d+ )?[a-z][\w.:]*\s/, /shfl\.sync/], ["SASS", "Phobos: Show SASS Beside", /\/\*[0-9a-f]{4}\*\//, /\/\*[0-9a-f]{4}\*\//]]) {
    step(`${sort} beside the source, in step with the cursor both ways, with the decisions on their lines`, async () => {
      const store = "C[pm * 64 :+ 64, pn * 64 :+ 64] = rowsum(a)";
      const source = readFileSync(join(editor.folder, "tiles.ph"), "utf8");
      await editor.show_file("tiles.ph");
      await editor.click_on(store);
      await editor.command(title);
      const marked = await editor.until(() => editor.marked_lines(1), (lines) => lines.length > 0);
      assert.ok(marked.every((line) => instruction.test(line)), marked.join("\n"));
      await editor.page.locator(".view-line", { hasText: /store:\s16\sbytes\sat\sa\stime,\smasked/ }).first().waitFor();
      await editor.page.locator(".view-line", { hasText: /42\sregisters,\s8\sbytes\sspilled/ }).first().waitFor();
      if (sort === "PTX") {
        await editor.page.setViewportSize({ width: 1720, height: 940 });
        await picture_for_docs(editor, "vscode-ptx.png");
        await editor.page.setViewportSize({ width: 1480, height: 940 });
      }
      // From the code to the source: the line that it came from is marked there, and the way back leaves that.
      await click_on_code(of_store);
      await editor.until(() => editor.marked_lines(0), (lines) => lines.length === 1 && (sort === "SASS" ? source.includes(lines[0].split(":")[0].trim()) : lines[0].includes("rowsum(a)")));
      await editor.click_on("let pm = ctx.block.x");
      await editor.until(() => editor.marked_lines(0), (lines) => lines.length === 0);
      await editor.until(() => editor.marked_lines(1), (lines) => lines.join() !== marked.join());
      // A text that has moved on: its hints and the head of the code say so until it compiles.
      await editor.replace_line("let pn = ctx.block.y", "let pn = ctx.block.y + ");
      await editor.page.locator(".view-line", { hasText: /stale:/ }).first().waitFor();
      await code().locator(".monaco-editor").first().click();
      await editor.page.keyboard.press("Control+Home");
      await code().locator(".view-line", { hasText: /STALE:\sthe\stext\shas\schanged\sand\shas\sno\scode/ }).waitFor();
      await editor.replace_line("let pn = ctx.block.y +", "let pn = ctx.block.y");
      await code().locator(".view-line", { hasText: /STALE/ }).waitFor({ state: "detached" });
      await editor.page.locator(".view-line", { hasText: /stale:/ }).first().waitFor({ state: "detached" });
    });
  }

  step("the fastest choice is searched for, shown, and made the first", async () => {
    await editor.show_file("tuned.ph");
    await editor.page.locator(".codelens-decoration a", { hasText: "Tune" }).first().click();
    await view().locator("h1", { hasText: "doubled" }).waitFor();
    await view().getByText("Fastest: BLOCK=64").waitFor();
    await view().getByText("Estimated: there is no GPU here").waitFor();
    assert.equal(await view().locator("tbody tr").count(), 3);
    await assert_readable_in_themes(editor, "tuned", on_the_simulator);
    await view().getByRole("link", { name: "Make it the first choice" }).click();
    await editor.page.locator(".view-line", { hasText: /BLOCK\sin\s\[64,\s256,\s128\]/ }).waitFor();
    await editor.show_file("tuned.ph");
    await editor.page.keyboard.press("Control+s");
    await editor.until(() => readFileSync(join(editor.folder, "tuned.ph"), "utf8"), (text) => text.includes("@autotune(BLOCK in [64, 256, 128])"));
    // Searched for once more, the winner is the first choice already, and there is nothing to be made.
    await view().getByRole("link", { name: "Tune again" }).click();
    await view().getByText("so are the first choices").waitFor();
    assert.equal(await view().getByRole("link", { name: "Make it the first choice" }).count(), 0);
  });

  step("a search that takes long shows how far it is, and is cancelled", async () => {
    await editor.show_file("tuned.ph");
    await editor.click_on("acc += dot(");
    await editor.command("Phobos: Tune Kernel");
    const progress = editor.notification("Tuning product").first();
    await progress.waitFor();
    await progress.locator(".monaco-button", { hasText: "Cancel" }).click();
    await progress.waitFor({ state: "hidden" });
    assert.equal(await editor.page.locator("iframe.webview").count(), 0);
  });

  step("kinds have colours of their own in the text, in all themes", async () => {
    await editor.show_file("tiles.ph");
    const colours = () => editor.page.evaluate(() => {
      const words = [...document.querySelectorAll(".monaco-editor .view-line span span")];
      const of = (text) => words.filter(({ textContent }) => textContent.trim() === text).map((word) => getComputedStyle(word).color);
      const background = getComputedStyle(document.querySelector(".monaco-editor .lines-content")).backgroundColor;
      return { varying: of("acc"), warp_uniform: of("row"), uniform: of("pm"), background };
    });
    for (const [theme, workbench] of themes) {
      editor.write_folder_settings({ ...on_the_simulator, "workbench.colorTheme": `Default ${theme}` });
      await editor.page.locator(`.monaco-workbench${workbench}`).waitFor();
      // The colours of the server's tokens come after those of the theme.
      await editor.until(colours, ({ varying, warp_uniform, uniform }) => {
        const kinds = [varying, warp_uniform, uniform].map((all) => new Set(all));
        return kinds.every(({ size }) => size === 1) && new Set(kinds.flatMap((all) => [...all])).size === 3;
      });
      await picture(editor, `kinds-${theme.toLowerCase().replaceAll(" ", "-")}.png`);
    }
  });

  step("a result is readable in all themes", async () => {
    await editor.show_file("checks.ph");
    await editor.press_lens("Run table");
    await editor.result_of("table", "Histogram");
    await picture_for_docs(editor, "vscode-run.png");
    await assert_readable_in_themes(editor, "a result", on_the_simulator);
    await editor.press_lens("Run outside");
    await editor.result_of("outside", "failed");
    await assert_readable_in_themes(editor, "a failure", on_the_simulator);
  });
});
