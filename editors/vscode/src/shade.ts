// Lines under varying and warp-uniform control, shaded where that is set, with a legend in the status bar. The colours are the
// theme's to change (`phobos.varyingControl` and the like). A text with errors keeps what was last known, as far as lines go.

import * as vscode from "vscode";
import { type Kind, regions_of } from "./control_regions";
import { execute } from "./process";
import { folder_of } from "./run_kernel";
import type { Server } from "./server";
import { type Shade, shade_setting } from "./settings";

const kinds: Kind[] = ["varying", "warp-uniform"];
const colours = { varying: "phobos.varyingControl", "warp-uniform": "phobos.warpUniformControl" };
const words = { varying: "Only some lanes run this", "warp-uniform": "Only some warps run this" };
const wait_ms = 120;

export class Shading implements vscode.Disposable {
  private readonly legend = kinds.map(legend_of);
  private styles = new Map<Kind, vscode.TextEditorDecorationType>();
  private readonly watching: vscode.Disposable[];
  private readonly asking = new Map<string, vscode.CancellationTokenSource>();
  private clock: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    this.watching = [
      vscode.window.onDidChangeVisibleTextEditors(() => { this.later(); }),
      vscode.window.onDidChangeActiveTextEditor(() => { this.later(); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === "phobos") this.later();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("phobos.kinds.shade")) this.restyle();
      }),
    ];
    this.restyle();
  }

  dispose(): void {
    clearTimeout(this.clock);
    this.clear();
    vscode.Disposable.from(...this.legend, ...this.watching).dispose();
  }

  private restyle(): void {
    this.clear();
    const shade = shade_setting();
    if (shade !== "off") this.styles = new Map(kinds.map((kind) => [kind, style_of(kind, shade)]));
    this.later();
  }

  private clear(): void {
    for (const style of this.styles.values()) style.dispose();
    this.styles = new Map();
  }

  private later(): void {
    clearTimeout(this.clock);
    const editors = vscode.window.visibleTextEditors.filter(({ document }) => document.languageId === "phobos");
    if (this.styles.size === 0 || editors.length === 0) {
      this.legend.forEach((item) => { item.hide(); });
      return;
    }
    this.legend.forEach((item) => { item.show(); });
    this.clock = setTimeout(() => {
      for (const editor of editors) void this.shade(editor);
    }, wait_ms);
  }

  private async shade(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const key = document.uri.toString();
    this.asking.get(key)?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.asking.set(key, source);
    const version = document.version;
    try {
      const { path } = await this.server.program();
      const work = { command: path, args: ["kinds", "-", "--all", "--json"], cwd: folder_of(document), input: document.getText(), seconds: 10 };
      const regions = regions_of((await execute(work, source.token)).stdout);
      if (regions === undefined || document.version !== version) return;
      for (const [kind, style] of this.styles) {
        editor.setDecorations(
          style,
          regions
            .filter((region) => region.kind === kind)
            .map(({ first_line, last_line, reason }) => ({
              range: new vscode.Range(first_line, 0, last_line, 0),
              hoverMessage: new vscode.MarkdownString(`${words[kind]}:`).appendText(` ${reason.join("; ").replaceAll("`", "")}`),
            })),
        );
      }
    } catch {
      // Without a program there is nothing to shade; the server says what is wrong.
    } finally {
      if (this.asking.get(key) === source) this.asking.delete(key);
      source.dispose();
    }
  }
}

function legend_of(kind: Kind, order: number): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(`phobos.legend.${kind}`, vscode.StatusBarAlignment.Right, 99 - order);
  item.name = `Phobos: Legend, ${kind}`;
  item.text = `$(primitive-square) ${kind === "varying" ? "lanes" : "warps"} differ`;
  item.color = new vscode.ThemeColor(`${colours[kind]}.border`);
  item.tooltip = `Lines of this colour run under control that is ${kind}: ${words[kind].toLowerCase()}. Click to change.`;
  item.command = "phobos.toggleShade";
  return item;
}

function style_of(kind: Kind, shade: Shade): vscode.TextEditorDecorationType {
  const colour = new vscode.ThemeColor(`${colours[kind]}.border`);
  const options: vscode.DecorationRenderOptions = { isWholeLine: true, overviewRulerColor: colour, overviewRulerLane: vscode.OverviewRulerLane.Left };
  if (shade !== "bar") options.backgroundColor = new vscode.ThemeColor(`${colours[kind]}.background`);
  if (shade !== "background") {
    options.borderColor = colour;
    options.borderStyle = kind === "varying" ? "solid" : "double";
    options.borderWidth = "0 0 0 4px";
  }
  return vscode.window.createTextEditorDecorationType(options);
}
