// A real VS Code, driven as a person would: code-server with a clean profile on a free port, and Chromium
// looking at it. Nothing here waits for a time; everything waits for something to be seen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// A machine may be loaded; what fails by itself fails at once.
const patience_ms = Number(process.env.PHOBOS_PATIENCE_MS ?? 90000);

const quiet_settings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.layoutControl.enabled": false,
  "chat.commandCenter.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "editor.fontFamily": "DejaVu Sans Mono",
  "editor.autoClosingBrackets": "never",
  "editor.quickSuggestions": { "other": "off", "comments": "off", "strings": "off" },
  "editor.hover.delay": 100,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
};

export class Editor {
  /** Installs the .vsix into a new profile, and opens a copy of `fixtures`, once prepared, in it. */
  static async start({ code_server, vsix, fixtures, prepare, trusted = true, viewport = { width: 1200, height: 640 }, settings = {}, environment = {} }) {
    const editor = new Editor();
    editor.viewport = viewport;
    editor.environment = environment;
    editor.home = mkdtempSync(join(tmpdir(), "phobos-editor-"));
    editor.entry = join(code_server, "out/node/entry.js");
    editor.folder = join(editor.home, "kernels");
    cpSync(fixtures, editor.folder, { recursive: true });
    prepare(editor);
    mkdirSync(join(editor.home, "profile/User"), { recursive: true });
    writeFileSync(join(editor.home, "profile/User/settings.json"), JSON.stringify({ ...quiet_settings, ...settings }, null, 2));
    try {
      await editor.install(vsix);
      await editor.serve(trusted);
      await editor.open_browser();
    } catch (error) {
      await editor.stop();
      throw error;
    }
    return editor;
  }

  /** The folder's own settings, as someone who shares the folder would write them. */
  write_folder_settings(settings) {
    mkdirSync(join(this.folder, ".vscode"), { recursive: true });
    writeFileSync(join(this.folder, ".vscode/settings.json"), JSON.stringify(settings, null, 2));
  }

  code_server(args) {
    const own = ["--user-data-dir", join(this.home, "profile"), "--extensions-dir", join(this.home, "extensions")];
    return spawn(process.execPath, [this.entry, ...own, ...args], {
      env: {
        ...process.env,
        HOME: this.home,
        XDG_CONFIG_HOME: join(this.home, "config"),
        XDG_DATA_HOME: join(this.home, "data"),
        EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }),
        NODE_OPTIONS: "",
        PHOBOS_DRIVER: "/nowhere/libcuda.so.1", // the same with and without a GPU
        ...this.environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async install(vsix) {
    const child = this.code_server(["--install-extension", vsix]);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
    const [status] = await once(child, "close");
    if (status !== 0 || !said.includes("successfully installed")) throw new Error(`not installed: ${said}`);
  }

  /** code-server gives its own child a few seconds to begin, which a loaded machine may not have. */
  async serve(trusted) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.serve_once(trusted);
      } catch (error) {
        if (tries === 5 || !/error timed out/.test(error.message)) throw error;
      }
    }
  }

  async serve_once(trusted) {
    this.port = await free_port();
    const args = ["--auth", "none", "--bind-addr", `127.0.0.1:${this.port}`, "--disable-telemetry"];
    args.push("--disable-update-check", "--disable-getting-started-override");
    if (trusted) args.push("--disable-workspace-trust");
    this.child = this.code_server(args);
    this.said = "";
    const ready = new Promise((resolve, reject) => {
      const hear = (part) => {
        this.said += part;
        if (this.said.includes("HTTP server listening")) resolve();
      };
      this.child.stdout.on("data", hear);
      this.child.stderr.on("data", hear);
      this.child.once("exit", (status) => reject(new Error(`code-server ended with ${status}: ${this.said}`)));
    });
    await ready;
  }

  async open_browser() {
    // Chromium's sandbox does not work for root; the pages shown here are our own.
    const args = process.getuid() === 0 ? ["--no-sandbox"] : [];
    this.browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
    this.page = await this.browser.newPage({ viewport: this.viewport, deviceScaleFactor: 1.5 });
    this.page.setDefaultTimeout(patience_ms);
    const opened = this.workspace === undefined ? `folder=${encodeURIComponent(this.folder)}` : `workspace=${encodeURIComponent(this.workspace)}`;
    await this.page.goto(`http://127.0.0.1:${this.port}/?${opened}`);
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 2 * patience_ms });
  }

  async stop() {
    await this.browser?.close().catch(() => undefined);
    if (this.child && this.child.exitCode === null) {
      this.child.removeAllListeners("exit");
      const ended = once(this.child, "exit");
      this.child.kill("SIGTERM");
      const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  // What a person does.

  async open(file) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: file }).dblclick();
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: file }).waitFor();
    // The lenses come last, and move the lines.
    await this.page.locator(".codelens-decoration a").first().waitFor();
  }

  async new_file(language) {
    await this.command("File: New Untitled Text File");
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: "Untitled" }).waitFor();
    await this.command("Change Language Mode");
    const input = this.page.locator('.quick-input-widget input[placeholder="Select Language Mode"]');
    await input.fill(language);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: `(${language.toLowerCase()})` }).click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  async show_tab(file) {
    await this.page.locator(".tab", { hasText: file }).first().click();
    await this.page.locator(".codelens-decoration a").first().waitFor();
  }

  async hide_side_bar() {
    await this.command("View: Toggle Primary Side Bar Visibility");
    await this.page.locator(".part.sidebar").waitFor({ state: "hidden" });
  }

  /** Presses a button of the debug toolbar once it can be pressed. */
  async debug(button) {
    await this.page.locator(`.debug-toolbar .action-item:not(.disabled) .codicon-debug-${button}:not(.disabled)`).click();
  }

  async end_debugging() {
    if (!(await this.page.locator(".debug-toolbar").isVisible())) return;
    await this.debug("stop");
    await this.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  }

  async hide_side_bar_if_shown() {
    if (await this.page.locator(".part.sidebar").isVisible()) await this.hide_side_bar();
  }

  async hide_panel_if_shown() {
    if (await this.page.locator(".part.panel").isVisible()) await this.command("View: Hide Panel");
  }

  /** What stands beside the text; the text stays. */
  async close_views() {
    if ((await this.page.locator(".editor-group-container").count()) < 2) return;
    await this.command("View: Focus First Editor Group");
    await this.command("View: Close Editors in Other Groups");
    await this.page.locator(".editor-group-container").nth(1).waitFor({ state: "detached" });
  }

  /** By its name, wherever it is in the folder. `kernels`: it has some, whose lenses are waited for. */
  async show_file(file, kernels = true) {
    if ((await this.page.locator(".editor-group-container").count()) > 1) await this.command("View: Focus First Editor Group");
    await this.choose("Control+p", file);
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: file }).waitFor();
    if (kernels) await this.page.locator(".codelens-decoration a").first().waitFor();
  }

  async command(title) {
    await this.choose("F1", title, ">");
  }

  /** From a list that a key opens. It closes when something else comes to the front meanwhile; then once more. */
  async choose(key, text, before = "") {
    for (let tries = 1; ; ++tries) {
      await this.page.keyboard.press(key);
      try {
        await this.page.locator(".quick-input-widget input[type=text]").fill(`${before}${text}`, { timeout: patience_ms / 18 });
        await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click({ timeout: patience_ms / 9 });
        return;
      } catch (error) {
        if (tries === 6) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Puts the cursor before the word on the one line that contains `line_text`. */
  async click_on(line_text, word = line_text) {
    const { left, middle } = await this.place_of(line_text, word);
    await this.page.mouse.click(left, middle);
  }

  async replace_line(line_text, new_text) {
    await this.click_on(line_text);
    for (const key of ["End", "Shift+Home"]) await this.page.keyboard.press(key);
    await this.page.keyboard.insertText(new_text);
  }

  /** The text of the hover that comes when the mouse rests on the word. */
  // Its parts come one after the other, each with a word that it is loading; what has not come after a while is asked for again. And again where
  // lines have moved meanwhile, as they do when lenses appear above them.
  async hover(line_text, word) {
    const hover = this.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content");
    const whole = async () => {
      for (let before = "", text = "Loading", i = 0; i < 40; ++i, before = text) {
        await this.page.waitForTimeout(250);
        text = (await hover.count()) === 1 ? await hover.innerText() : "Loading";
        if (text === before && !text.includes("Loading")) return text;
      }
      return undefined;
    };
    for (let tries = 1; ; ++tries) {
      await this.page.mouse.move(4, 4, { steps: 2 });
      await hover.waitFor({ state: "hidden" });
      const { left, right, middle } = await this.place_of(line_text, word);
      await this.page.mouse.move(left - 3, middle);
      await this.page.mouse.move((left + right) / 2, middle, { steps: 4 });
      const text = await whole();
      const after = await this.place_of(line_text, word);
      if (text !== undefined && after.left === left && after.middle === middle) return text;
      if (tries === 8) throw new Error(`no whole hover on \`${word}\` of \`${line_text}\``);
    }
  }

  async press_lens(title) {
    await this.page.locator(".codelens-decoration a", { hasText: title }).click();
  }

  async pick(text) {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  // What a person sees.

  status(text) {
    return this.page.locator('.statusbar-item[id="phobos.phobos.phobos.status"], .statusbar-item[id*="phobos.status"]').filter({ hasText: text }).first();
  }

  /** The page of the result panel. */
  result_frame() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** The innermost frame of the view: its document, where a script can look at it. */
  async view_content() {
    const handle = await this.result_frame().locator("html").elementHandle();
    return handle.ownerFrame();
  }

  /** The texts of lines in an editor group that an extension's decoration of whole lines marks. */
  marked_lines(group) {
    return this.page.locator(".editor-group-container").nth(group).locator(".monaco-editor").first().evaluate((shown) => {
      const top = ({ style }) => style.top;
      const marked = new Set([...shown.querySelectorAll(".view-overlays > div")].filter((line) => line.querySelector("[class*='ced-']") !== null).map(top));
      return [...shown.querySelectorAll(".view-line")].filter((line) => marked.has(top(line))).map(({ textContent }) => textContent.replaceAll("\u00a0", " "));
    });
  }

  /** Until what `read` gives is as wanted. */
  async until(read, wanted) {
    const end = Date.now() + patience_ms;
    for (let last; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      last = await read();
      if (wanted(last)) return last;
      if (Date.now() > end) throw new Error(`it stays ${JSON.stringify(last)}`);
    }
  }

  squiggles() {
    return this.page.locator(".monaco-editor .squiggly-error");
  }

  notification(text) {
    return this.page.locator(".notification-list-item", { hasText: text });
  }

  async dismiss_notifications() {
    await this.command("Notifications: Clear All Notifications");
  }

  /** The page of the result panel whose heading is the kernel. */
  async result_of(kernel, also) {
    const frame = this.result_frame();
    const main = frame.locator("main").filter({ has: frame.locator("h1", { hasText: kernel }) });
    await (also === undefined ? main : main.filter({ hasText: also })).waitFor();
    return main.innerText();
  }

  async place_of(line_text, word) {
    const find = ([line_text, word]) => {
      for (const line of document.querySelectorAll(".monaco-editor .view-line")) {
        const text = line.textContent.replaceAll("\u00a0", " ");
        const at = text.indexOf(line_text);
        if (at < 0) continue;
        const from = at + line_text.indexOf(word);
        const range = document.createRange();
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let passed = 0;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const inside = (index) => index >= passed && index <= passed + node.data.length;
          if (inside(from)) range.setStart(node, from - passed);
          if (inside(from + word.length)) {
            range.setEnd(node, from + word.length - passed);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            return { left, right, middle: (top + bottom) / 2 };
          }
          passed += node.data.length;
        }
      }
      return undefined;
    };
    const handle = await this.page.waitForFunction(find, [line_text, word]);
    return handle.jsonValue();
  }

  /** The processes of the language server that this editor has started. */
  server_processes() {
    return this.processes("lsp");
  }

  /** Those of a command of the program. */
  processes(command) {
    const own = join(this.home, "extensions");
    return readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return line.includes(own) && line.includes(`\0${command}\0`);
      } catch {
        return false;
      }
    });
  }

  /** The server's next process after `last`, or undefined when `end` is seen first. */
  async next_server_process(last, end) {
    for (let tries = 0; tries < 300; tries++) {
      const pid = this.server_processes().find((candidate) => candidate !== last);
      if (pid !== undefined) return pid;
      if ((await end.count()) > 0) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("no server process came");
  }

  /** What an output channel of the extension has, as it is written to disk. */
  log(channel = "Phobos") {
    const folder = join(this.home, "profile/logs");
    const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(`${channel}.log`));
    return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  }

  /** For the report of a failure: what the extension and the editor wrote down. */
  logs() {
    const folder = join(this.home, "profile/logs");
    const texts = readdirSync(folder, { recursive: true })
      .filter((name) => /Phobos\.log$|remoteexthost\.log$/.test(name))
      .map((name) => `--- ${name}\n${readFileSync(join(folder, name), "utf8").slice(-3000)}`);
    return texts.join("\n");
  }
}

async function free_port() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
