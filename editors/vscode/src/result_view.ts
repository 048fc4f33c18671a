// The panel with a run's result. What can be pressed in it are links to commands, which the keyboard reaches as it reaches any
// link; a script of a few lines asks for pages of tables, which are read from the files that the run left.

import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { number_of, object_of, string_of } from "./json";
import { Tensor } from "./npy";
import { table } from "./result_figures";
import { type Drawn, result_page } from "./result_page";
import type { RunOutput, RunResult } from "./run_result";
import { type Cell, cell_of, difference_of, page_columns, page_of, page_rows, parse_indices, survey } from "./tensor_view";
import { column_of_views } from "./view_column";

const reveal_command = "phobos.revealRunDiagnostic";
const most_surveyed = 1 << 24;

export interface Shown {
  result: RunResult;
  uri: vscode.Uri;
  version: number;
  unsaved: boolean;
  run_line: number | undefined;
  /** What was given in words, where no run line was used. */
  words: string[] | undefined;
  /** Where the outputs lie; it is the view's to remove. */
  folder: string | undefined;
}

interface OutputTensors {
  tensor: Tensor;
  simulated: Tensor | undefined;
}

export class ResultView {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Shown | undefined;
  private tensors: (OutputTensors | string)[] = [];

  constructor(private readonly context: vscode.ExtensionContext) {
    context.subscriptions.push(
      vscode.commands.registerCommand(reveal_command, (uri: string, line: number, character: number) =>
        reveal(vscode.Uri.parse(uri), new vscode.Position(line, character)),
      ),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === this.shown?.uri.toString()) void this.tell_stale(document);
      }),
      {
        dispose: () => {
          this.panel?.dispose();
          this.forget();
        },
      },
    );
  }

  show(shown: Shown): void {
    this.forget();
    this.shown = shown;
    const panel = this.panel ?? this.create();
    const { result, uri, run_line, words } = shown;
    const target = { uri: uri.toString(), kernel: result.kernel, runLine: run_line };
    this.tensors = result.outputs.map((output) => this.open(output, shown.folder));
    panel.title = `Phobos: ${result.kernel}`;
    panel.webview.html = result_page(result, this.tensors.map(drawn_of), {
      nonce: randomBytes(16).toString("base64"),
      source: `${path.basename(uri.path)}, version ${shown.version}${shown.unsaved ? " (unsaved)" : ""}`,
      words: words?.join(" ") ?? "",
      run_again: command_link("phobos.run", words === undefined ? target : { ...target, words }),
      edit_arguments: command_link("phobos.runWithArguments", target),
      script: panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, "dist", "result_view.js")).toString(),
      // A run reads its text from standard input, so all that it reports is in this document.
      place: (line, character) => command_link(reveal_command, uri.toString(), line, character),
    });
    panel.reveal(undefined, true);
  }

  private create(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "phobos.result",
      "Phobos",
      { viewColumn: column_of_views(), preserveFocus: true },
      {
        enableScripts: true,
        enableCommandUris: ["phobos.run", "phobos.runWithArguments", reveal_command],
        localResourceRoots: [vscode.Uri.joinPath(this.context.extensionUri, "dist")],
      },
    );
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.forget();
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      this.answer(object_of(message));
    });
    this.panel = panel;
    return panel;
  }

  private open({ name }: RunOutput, folder: string | undefined): OutputTensors | string {
    if (folder === undefined) return "Its elements were not kept.";
    try {
      const tensor = Tensor.open(path.join(folder, `${name}.npy`));
      try {
        return { tensor, simulated: Tensor.open(path.join(folder, `${name}.sim.npy`)) };
      } catch {
        return { tensor, simulated: undefined };
      }
    } catch {
      return "It is too large to be looked at here; `phobos run --out` writes it to a file.";
    }
  }

  private forget(): void {
    for (const each of this.tensors) {
      if (typeof each === "string") continue;
      each.tensor.close();
      each.simulated?.close();
    }
    this.tensors = [];
    if (this.shown?.folder !== undefined) rmSync(this.shown.folder, { recursive: true, force: true });
    this.shown = undefined;
  }

  private answer(message: Record<string, unknown>): void {
    if (message["type"] === "ready") {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.shown?.uri.toString());
      if (document !== undefined) void this.tell_stale(document);
      return;
    }
    const output = number_of(message["output"]);
    const found = this.tensors[output];
    if (found === undefined || typeof found === "string") return;
    const { tensor, simulated } = found;
    const page = (row: number, column: number, target?: Cell): void => {
      const html = table(page_of(tensor, row, column, simulated), target);
      void this.panel?.webview.postMessage({ shown: { output, html, said: "" } });
    };
    const go_to = (index: number): void => {
      const target = cell_of(tensor, index);
      page(target.row - Math.floor(page_rows / 2), target.column - Math.floor(page_columns / 2), target);
    };
    if (message["type"] === "page") page(number_of(message["row"]), number_of(message["column"]));
    if (message["type"] === "element") go_to(number_of(message["index"]));
    if (message["type"] === "go") {
      const target = parse_indices(string_of(message["element"]), tensor.shape);
      if (target !== undefined) go_to(target);
      else {
        const axes = tensor.shape.map((extent) => `0 to ${extent - 1}`).join(", ");
        void this.panel?.webview.postMessage({ shown: { output, html: "", said: `There is no such element; indices are ${axes}.` } });
      }
    }
  }

  private async tell_stale(document: vscode.TextDocument): Promise<void> {
    await this.panel?.webview.postMessage({ stale: document.version !== this.shown?.version });
  }
}

function drawn_of(tensors: OutputTensors | string): Drawn | string {
  if (typeof tensors === "string") return tensors;
  const { tensor, simulated } = tensors;
  if (tensor.count === 0) return "It has no elements.";
  const page = page_of(tensor, 0, 0, simulated);
  if (tensor.count > most_surveyed) {
    // What the comparison has found is in the program's own words above.
    const words = (count: number): string => count.toLocaleString("en-US");
    return { page, pictures: `Pictures are drawn of up to ${words(most_surveyed)} elements; this has ${words(tensor.count)}.`, compared: false, difference: undefined };
  }
  return { page, pictures: survey(tensor), compared: simulated !== undefined, difference: simulated && difference_of(tensor, simulated) };
}

function command_link(command: string, ...args: unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}

async function reveal(uri: vscode.Uri, position: vscode.Position): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(position, position),
  });
}
