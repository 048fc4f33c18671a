// The view of a kernel on its grid. It follows the cursor and the text; what is picked is asked of the server each time.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Facts, parse_facts } from "./hierarchy_facts";
import { hierarchy_body, hierarchy_style, lanes_across, type Level, type Looked } from "./hierarchy_page";
import { number_of, object_of, string_of } from "./json";
import { shell } from "./page_shell";
import type { Server } from "./server";
import type { Stepper } from "./stepper";
import { column_of_views } from "./view_column";

const wait_ms = 60;
const lanes = 32;
const levels: Level[] = ["grid", "cta", "warp", "lane"];

export class HierarchyView {
  private panel: vscode.WebviewPanel | undefined;
  private editor: vscode.TextEditor | undefined;
  private facts: Facts | undefined;
  private looked: Looked = start();
  /** What the page was told in place of the run line's, for a kernel. */
  private given: { kernel: string; dimensions: Record<string, number>; grid: number[] | undefined } = { kernel: "", dimensions: {}, grid: undefined };
  private clock: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly stepper: Stepper,
  ) {
    const follow = (editor: vscode.TextEditor | undefined): void => {
      if (editor?.document.languageId === "phobos") this.editor = editor;
      this.later();
    };
    context.subscriptions.push(
      vscode.window.onDidChangeTextEditorSelection((change) => { follow(change.textEditor); }),
      vscode.window.onDidChangeActiveTextEditor(follow),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.editor?.document) this.later();
      }),
      stepper.onDidPick((thread) => {
        if (thread === undefined || this.panel === undefined) return;
        this.looked = { ...this.looked, level: "lane", thread, warp: Math.floor(thread / lanes) };
        this.later();
      }),
      {
        dispose: (): void => {
          clearTimeout(this.clock);
          this.panel?.dispose();
        },
      },
    );
  }

  show(): void {
    const active = vscode.window.activeTextEditor;
    if (active?.document.languageId === "phobos") this.editor = active;
    (this.panel ?? this.create()).reveal(undefined, true);
    void this.draw(false);
  }

  private create(): vscode.WebviewPanel {
    const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel(
      "phobos.hierarchy",
      "Phobos: Hierarchy",
      { viewColumn: column_of_views(), preserveFocus: true },
      { enableScripts: true, localResourceRoots: [dist] },
    );
    panel.webview.onDidReceiveMessage((message: unknown) => void this.answer(object_of(message)));
    panel.onDidDispose(() => { this.panel = undefined; });
    panel.webview.html = shell(
      { nonce: randomBytes(16).toString("base64"), title: "Hierarchy", style: hierarchy_style, script: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "hierarchy_view.js")).toString() },
      "",
    );
    this.panel = panel;
    return panel;
  }

  private later(): void {
    if (this.panel === undefined) return;
    clearTimeout(this.clock);
    this.clock = setTimeout(() => void this.draw(false), wait_ms);
  }

  private async ask(): Promise<Facts | undefined> {
    const { editor, looked, given } = this;
    if (editor === undefined || editor.document.isClosed) return undefined;
    const { line, character } = editor.selection.active;
    const picked = looked.level === "lane" ? { thread: looked.thread } : looked.level === "warp" ? { warp: looked.warp } : {};
    const params = { position: { line, character }, block: looked.block, ...picked, dimensions: given.dimensions, ...(given.grid === undefined ? {} : { grid: given.grid }) };
    return parse_facts(await this.server.ask("phobos/hierarchy", editor.document, params));
  }

  private async draw(to_cell: boolean): Promise<void> {
    if (this.panel === undefined) return;
    const turn = ++this.turn;
    try {
      let facts = await this.ask();
      if (facts !== undefined && facts.kernel !== this.given.kernel) {
        // Another kernel: nothing that was said of the one before holds.
        this.given = { kernel: facts.kernel, dimensions: {}, grid: undefined };
        this.looked = start();
        facts = await this.ask();
      }
      if (turn !== this.turn) return;
      this.facts = facts;
      this.fit(facts);
      const line = this.editor?.selection.active.line ?? 0;
      await this.panel.webview.postMessage({ html: hierarchy_body(facts, { ...this.looked, line, stepping: this.stepper.runs }), to_cell });
    } catch {
      // The server is away or the text has moved on; the next change asks again.
    }
  }

  /** What was picked may be there no more. */
  private fit(facts: Facts | undefined): void {
    if (facts === undefined) return;
    const { looked } = this;
    const [x = 0, y = 0, z = 0] = facts.block ?? looked.block;
    looked.block = [x, y, z];
    const warps = Math.max(1, Math.ceil(facts.threads / lanes));
    looked.warp = Math.min(looked.warp, warps - 1);
    looked.thread = Math.min(Math.max(looked.thread, looked.warp * lanes), Math.min(looked.warp * lanes + lanes, Math.max(facts.threads, 1)) - 1);
  }

  private async answer(message: Record<string, unknown>): Promise<void> {
    const { looked } = this;
    switch (message["type"]) {
      case "zoom": return this.zoom(string_of(message["kind"]), string_of(message["cell"]));
      case "move":
        this.move(number_of(message["across"]), number_of(message["down"]));
        return this.draw(true);
      case "out":
        if (this.stepper.runs && looked.level === "lane") await this.stepper.pick(undefined);
        looked.level = levels[Math.max(0, levels.indexOf(looked.level) - 1)] ?? "grid";
        return this.draw(true);
      case "level": {
        const level = levels.find((each) => each === message["level"]);
        if (level !== undefined) looked.level = level;
        return this.draw(true);
      }
      case "dimension":
        this.given.dimensions[string_of(message["name"])] = number_of(message["value"]);
        break;
      case "grid": {
        const counts = string_of(message["text"]).split(/[\s,×x]+/).filter((word) => word !== "").map(Number);
        this.given.grid = counts.length >= 1 && counts.length <= 3 && counts.every((count) => Number.isInteger(count) && count > 0) ? counts : undefined;
        break;
      }
      case "z":
        looked.block[2] = number_of(message["value"]);
        break;
      case "reveal": return this.reveal(number_of(message["line"]), number_of(message["character"]));
      case "step": return this.step();
      default:
        break;
    }
    return this.draw(false);
  }

  private async zoom(kind: string, cell: string): Promise<void> {
    const { looked } = this;
    const [first = 0, second = 0] = cell.split(",").map(Number);
    if (kind === "grid") {
      looked.block = [first, second, looked.block[2]];
      looked.level = "cta";
    } else if (kind === "cta") {
      looked.warp = first;
      looked.thread = first * lanes + (looked.thread % lanes);
      looked.level = "warp";
    } else {
      looked.thread = looked.warp * lanes + first;
      looked.level = "lane";
      await this.stepper.pick(looked.thread);
    }
    return this.draw(true);
  }

  private move(across: number, down: number): void {
    const { looked, facts } = this;
    const within = (at: number, count: number): number => Math.max(0, Math.min(at, count - 1));
    if (looked.level === "grid") {
      const [x = 1, y = 1] = facts?.grid ?? [];
      looked.block = [within(looked.block[0] + across, x), within(looked.block[1] + down, y), looked.block[2]];
    } else if (looked.level === "cta") {
      looked.warp = within(looked.warp + down, Math.ceil((facts?.threads ?? lanes) / lanes));
      looked.thread = looked.warp * lanes + (looked.thread % lanes);
    } else {
      looked.thread = looked.warp * lanes + within((looked.thread % lanes) + across + down * lanes_across, lanes);
    }
  }

  private async reveal(line: number, character: number): Promise<void> {
    if (this.editor === undefined) return;
    const at = new vscode.Position(line, character);
    await vscode.window.showTextDocument(this.editor.document, { viewColumn: this.editor.viewColumn ?? vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
  }

  private async step(): Promise<void> {
    const { editor, facts, looked } = this;
    if (editor === undefined || facts === undefined) return;
    const thread = looked.level === "lane" ? looked.thread : undefined;
    if (this.stepper.runs) return this.stepper.pick(thread);
    await vscode.commands.executeCommand("phobos.step", { uri: editor.document.uri.toString(), kernel: facts.kernel, block: looked.block.join(","), ...(thread === undefined ? {} : { thread }) });
  }
}

function start(): Looked {
  return { level: "grid", block: [0, 0, 0], warp: 0, thread: 0, line: 0, stepping: false };
}
