// The extension knows no language: it starts the server, shows what the server says, and draws the
// results of runs. Commands are registered before anything that can fail, so that each of them can say
// what is wrong and how it is mended.

import * as vscode from "vscode";
import { ResultView } from "./result_view";
import { RunCommand } from "./run_command";
import { Server } from "./server";
import { ServerStatus } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Phobos", { log: true });
  const status = new ServerStatus();
  server = new Server(context, log, status);
  const run = new RunCommand(server, new ResultView(context), log);

  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("phobos.run", (target?: unknown) => run.run_command(target)),
    vscode.commands.registerCommand("phobos.restartServer", () => server?.restart()),
    vscode.commands.registerCommand("phobos.showLog", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("phobos.server.path")) void server?.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
  );
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
