// `phobos.tune`: the server searches for the fastest of a kernel's autotuned choices; the winner is shown, and can be made the first one.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { apart_from_grid } from "./arguments";
import { object_of, string_of } from "./json";
import { kernels_of } from "./run_lines";
import type { Server } from "./server";
import type { RunSettings } from "./settings";
import type { Target } from "./target";
import { type Constants, type Edit, edits_for, parse_tuned, words_of_constants } from "./tuned";
import { tuned_page } from "./tuned_page";
import { column_of_views } from "./view_column";

const take_command = "phobos.takeFirstChoice";

export class Tuner {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    context.subscriptions.push(
      vscode.commands.registerCommand(take_command, (uri: unknown, kernel: unknown, constants: unknown) => take(string_of(uri), string_of(kernel), object_of(constants) as Constants)),
      { dispose: (): void => { this.panel?.dispose(); } },
    );
  }

  /** Throws a Failure. Without a GPU the variants are ordered by an estimate. */
  async tune({ document, kernel, run_line, words }: Target, { device }: RunSettings): Promise<void> {
    const has_gpu = (await this.server.machine())?.gpu !== undefined;
    const where = device === "gpu" || has_gpu ? "gpu" : "sim";
    const apart = words && apart_from_grid(words);
    const given = apart !== undefined ? { arguments: apart.words, ...(apart.grid === undefined ? {} : { grid: apart.grid }) } : run_line !== undefined ? { runLine: run_line } : {};
    const told = await this.server.ask_at_length(`Tuning ${kernel}`, "phobos/tune", document, { kernel, device: where, ...given });
    if (told === undefined) return;
    const tuned = parse_tuned(told, kernel);
    const panel = this.panel ?? this.create();
    const uri = document.uri.toString();
    const takes = tuned.best !== undefined && first_choice_edits(document, tuned.kernel, tuned.best.constants).length > 0;
    panel.title = `Phobos: ${tuned.kernel}, tuned`;
    panel.webview.html = tuned_page(tuned, {
      nonce: randomBytes(16).toString("base64"),
      take: takes ? command_link(take_command, uri, tuned.kernel, tuned.best?.constants) : "",
      again: command_link("phobos.tune", { uri, kernel, runLine: run_line, words }),
    });
    panel.reveal(undefined, true);
  }

  private create(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "phobos.tuned",
      "Phobos",
      { viewColumn: column_of_views(), preserveFocus: true },
      // It has no script and its policy lets none in; but a frame that may run none cannot be examined by tools for accessibility either.
      { enableScripts: true, enableCommandUris: ["phobos.tune", take_command], localResourceRoots: [] },
    );
    panel.onDidDispose(() => { this.panel = undefined; });
    this.panel = panel;
    return panel;
  }
}

/** In the document: between the kernel before and the kernel's name. */
function first_choice_edits(document: vscode.TextDocument, kernel: string, constants: Constants): Edit[] {
  const kernels = kernels_of(document.getText());
  const found = kernels.findIndex(({ name }) => name === kernel);
  const line = kernels[found]?.line;
  if (line === undefined) return [];
  const above = kernels[found - 1]?.line;
  const from = document.offsetAt(new vscode.Position(above === undefined ? 0 : above + 1, 0));
  const text = document.getText().slice(from, document.offsetAt(document.lineAt(line).range.end));
  const attribute = text.lastIndexOf("@autotune");
  if (attribute < 0) return [];
  return edits_for(text.slice(attribute), constants).map((edit) => ({ ...edit, from: edit.from + from + attribute, to: edit.to + from + attribute }));
}

async function take(uri: string, kernel: string, constants: Constants): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const change = new vscode.WorkspaceEdit();
  const edits = first_choice_edits(document, kernel, constants);
  for (const { from, to, text } of edits) change.replace(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text);
  if (edits.length > 0 && (await vscode.workspace.applyEdit(change))) return;
  await vscode.window.showInformationMessage(`Phobos: ${words_of_constants(constants)} is the first choice of ${kernel} already.`);
}

function command_link(command: string, ...args: unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
