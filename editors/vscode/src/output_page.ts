// What a command of the program says, as a page that can be read but not edited.

import * as os from "node:os";
import * as vscode from "vscode";
import { execute, never, words_of } from "./process";
import type { Server } from "./server";

const scheme = "phobos-output";

export class OutputPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** `input`: what the program gets on its standard input. Throws where the program cannot be started. */
  async show(title: string, args: string[], input: string, column: vscode.ViewColumn): Promise<void> {
    const { path } = await this.server.program();
    const work = { command: path, args: [...args, "--color", "never"], cwd: os.homedir(), input, seconds: 60 };
    const ended = await execute(work, never);
    const uri = vscode.Uri.from({ scheme, path: title });
    this.texts.set(uri.path, ended.stdout === "" ? words_of(ended, work.seconds) : ended.stdout);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true, viewColumn: column });
  }

  dispose(): void {
    vscode.Disposable.from(this.registered, this.changed).dispose();
  }
}
