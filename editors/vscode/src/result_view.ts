// The panel with a run's result. It is a page without scripts: what can be pressed in it are links to
// commands, which the keyboard reaches as it reaches any link.

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { result_page } from "./result_page";
import type { RunResult } from "./run_result";

const reveal_command = "phobos.revealRunDiagnostic";

export interface Shown {
  result: RunResult;
  uri: vscode.Uri;
  version: number;
  unsaved: boolean;
  run_line: number | undefined;
}

export class ResultView {
  private panel: vscode.WebviewPanel | undefined;

  constructor(context: vscode.ExtensionContext) {
    context.subscriptions.push(
      vscode.commands.registerCommand(reveal_command, (uri: string, line: number, character: number) =>
        reveal(vscode.Uri.parse(uri), new vscode.Position(line, character)),
      ),
      { dispose: () => this.panel?.dispose() },
    );
  }

  show(shown: Shown): void {
    const panel = this.panel ?? this.create();
    const { result, uri, run_line } = shown;
    panel.title = `Phobos: ${result.kernel}`;
    panel.webview.html = result_page(result, {
      nonce: randomBytes(16).toString("base64"),
      source: `${path.basename(uri.path)}, version ${shown.version}${shown.unsaved ? " (unsaved)" : ""}`,
      run_again: command_link("phobos.run", { uri: uri.toString(), kernel: result.kernel, runLine: run_line }),
      // A run reads its text from standard input, so all that it reports is in this document.
      place: (line, character) => command_link(reveal_command, uri.toString(), line, character),
    });
    panel.reveal(undefined, true);
  }

  private create(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "phobos.result",
      "Phobos",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, enableCommandUris: ["phobos.run", reveal_command], localResourceRoots: [] },
    );
    panel.onDidDispose(() => (this.panel = undefined));
    this.panel = panel;
    return panel;
  }
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
