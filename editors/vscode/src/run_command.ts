// `phobos.run`: from the lens (which names the kernel) or on the kernel under the cursor.

import * as vscode from "vscode";
import { ProgramError } from "./program";
import type { ResultView } from "./result_view";
import { run_kernel } from "./run_kernel";
import type { Kernel, Server } from "./server";

interface Target {
  document: vscode.TextDocument;
  kernel: string;
  /** Which of the kernel's run lines gives the arguments; without one, the first. */
  run_line: number | undefined;
}

export class RunCommand {
  /** One run of a kernel at a time; a new one takes the place of the old. */
  private readonly running = new Map<string, vscode.CancellationTokenSource>();

  constructor(
    private readonly server: Server,
    private readonly view: ResultView,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async run_command(argument: unknown): Promise<void> {
    try {
      if (!(await may_run())) return;
      const target = (await target_of_lens(argument)) ?? (await this.target_under_cursor());
      await this.run(target);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      const actions = error instanceof ProgramError ? ["Open Setting"] : ["Restart Server", "Show Log"];
      await offer(`Phobos: ${message}`, actions);
    }
  }

  private async run({ document, kernel, run_line }: Target): Promise<void> {
    const program = await this.server.program();
    const key = `${document.uri.toString()}#${kernel}`;
    this.running.get(key)?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.running.set(key, source);
    const version = document.version;
    const unsaved = document.isDirty || document.isUntitled;
    const options = { location: vscode.ProgressLocation.Notification, title: `Running ${kernel}`, cancellable: true };
    try {
      const run = run_kernel(program, document, kernel, run_line, source.token);
      const result = await with_progress_if_slow(options, source, run);
      if (result === undefined) return;
      this.log.info(`ran ${kernel}: ${result.ok ? `${result.ms ?? "?"} ms on ${result.device}` : result.message}`);
      this.view.show({ result, uri: document.uri, version, unsaved, run_line });
    } finally {
      if (this.running.get(key) === source) this.running.delete(key);
      source.dispose();
    }
  }

  private async target_under_cursor(): Promise<Target> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "phobos") {
      throw new Error("Open a .ph file and put the cursor into the kernel that shall run.");
    }
    const kernels = await this.server.kernels(editor.document);
    const kernel = kernel_at(kernels, editor.selection.active.line);
    if (kernel === undefined) throw new Error("There is no kernel in this file.");
    return { document: editor.document, kernel: kernel.name, run_line: undefined };
  }
}

/** The kernel that has the line; between kernels the next one, whose comments and run lines are there. */
function kernel_at(kernels: Kernel[], line: number): Kernel | undefined {
  return kernels.find((kernel) => line <= kernel.last_line) ?? kernels.at(-1);
}

async function target_of_lens(argument: unknown): Promise<Target | undefined> {
  const { uri, kernel, runLine } = (argument ?? {}) as { uri?: unknown; kernel?: unknown; runLine?: unknown };
  if (typeof uri !== "string" || typeof kernel !== "string") return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  return { document, kernel, run_line: typeof runLine === "number" ? runLine : undefined };
}

async function may_run(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const picked = await vscode.window.showWarningMessage(
    "Phobos: kernels are not run in a workspace that is not trusted.",
    "Manage Workspace Trust",
  );
  if (picked !== undefined) await vscode.commands.executeCommand("workbench.trust.manage");
  return false;
}

/** Short runs show no progress; a longer one shows it, and can be cancelled there. */
async function with_progress_if_slow<T>(
  options: vscode.ProgressOptions,
  source: vscode.CancellationTokenSource,
  run: Promise<T>,
): Promise<T> {
  const patience = setTimeout(() => {
    void vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => source.cancel());
      return run.then(() => undefined);
    });
  }, 500);
  try {
    return await run;
  } finally {
    clearTimeout(patience);
  }
}

async function offer(message: string, actions: string[]): Promise<void> {
  const picked = await vscode.window.showErrorMessage(message, ...actions);
  if (picked === "Open Setting") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "phobos.server.path");
  }
  if (picked === "Restart Server") await vscode.commands.executeCommand("phobos.restartServer");
  if (picked === "Show Log") await vscode.commands.executeCommand("phobos.showLog");
}
