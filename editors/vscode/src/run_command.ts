// `phobos.run` and its like: from a lens (which names the kernel) or on the kernel under the cursor.

import { mkdtempSync, rmSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { Failure } from "./failure";
import type { Findings } from "./findings";
import { offer } from "./offer";
import type { OutputPages } from "./output_page";
import type { ResultView } from "./result_view";
import type { RunForm } from "./run_form";
import { run_kernel } from "./run_kernel";
import { kernels_of } from "./run_lines";
import type { Kernel, Server } from "./server";
import { type RunSettings, run_settings } from "./settings";

interface Target {
  document: vscode.TextDocument;
  kernel: string;
  run_line: number | undefined;
  words: string[] | undefined;
}

export interface How {
  /** Asks for the arguments first. */
  asks?: boolean;
  /** In the place of what is set. */
  settings?: Partial<RunSettings>;
}

export class RunCommand {
  /** One run of a kernel at a time; a new one takes the place of the old. */
  private readonly running = new Map<string, vscode.CancellationTokenSource>();

  constructor(
    private readonly server: Server,
    private readonly view: ResultView,
    private readonly form: RunForm,
    private readonly findings: Findings,
    private readonly log: vscode.LogOutputChannel,
    private readonly succeeded: () => void,
  ) {}

  async run_command(argument: unknown, how: How = {}): Promise<void> {
    await this.attempt(argument, async () => {
      if (await may_run()) await this.run((await target_of_lens(argument)) ?? (await this.target_under_cursor()), how);
    });
  }

  /** What became of the kernel, which is compiled and not run. */
  async report(argument: unknown, pages: OutputPages): Promise<void> {
    await this.attempt(argument, async () => {
      const { document, kernel } = (await target_of_lens(argument)) ?? (await this.target_under_cursor());
      const args = ["build", "-", "--emit", "report", "--kernel", kernel];
      await pages.show(`Report of ${kernel}`, args, document.getText(), vscode.ViewColumn.Beside);
    });
  }

  private async attempt(argument: unknown, does: () => Promise<void>): Promise<void> {
    try {
      await does();
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("server", error instanceof Error ? error.message : String(error), ["Restart Server", "Show Log"]);
      this.log.error(failure.message);
      await offer(failure, () => void this.run_command(argument, { settings: { device: "sim" } }));
    }
  }

  /** Ends all runs in progress. */
  cancel(): void {
    for (const source of this.running.values()) source.cancel();
  }

  private async run(target: Target, { asks = false, settings = {} }: How): Promise<void> {
    const { document, kernel, run_line } = target;
    const chosen = { ...run_settings(document), ...settings };
    const program = await this.server.program();
    let { words } = target;
    if (words === undefined && run_line === undefined && !has_run_line(document, kernel)) words = this.form.last(document, kernel) ?? [];
    if (asks || words?.length === 0) {
      words = await this.form.ask(program, document, kernel, run_line, asks);
      if (words === undefined) return;
    }
    const key = `${document.uri.toString()}#${kernel}`;
    this.running.get(key)?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.running.set(key, source);
    const version = document.version;
    const unsaved = document.isDirty || document.isUntitled;
    let folder: string | undefined = mkdtempSync(path.join(os.tmpdir(), "phobos-run-"));
    try {
      const run = run_kernel(program, document, { kernel, run_line, words, folder }, chosen, source.token);
      const result = await with_progress_if_slow(`Running ${kernel}`, source, run);
      if (result === undefined) return;
      this.log.info(`ran ${kernel}: ${result.ok ? `${result.ms ?? "?"} ms on ${result.device}` : result.message}`);
      this.view.show({ result, uri: document.uri, version, unsaved, run_line, words, folder });
      folder = undefined;
      this.findings.show(document, version, result.diagnostics);
      if (result.ok) this.succeeded();
    } finally {
      if (this.running.get(key) === source) this.running.delete(key);
      source.dispose();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }

  private async target_under_cursor(): Promise<Target> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "phobos") {
      throw new Failure("kernel", "Open a .ph file and put the cursor into the kernel that shall run.", []);
    }
    const kernels = await this.server.kernels(editor.document);
    const kernel = kernel_at(kernels, editor.selection.active.line);
    if (kernel === undefined) throw new Failure("kernel", "There is no kernel in this file.", []);
    return { document: editor.document, kernel: kernel.name, run_line: undefined, words: undefined };
  }
}

function has_run_line(document: vscode.TextDocument, kernel: string): boolean {
  return kernels_of(document.getText()).some(({ name, run_lines }) => name === kernel && run_lines.length > 0);
}

/** The kernel that has the line; between kernels the next one, whose comments and run lines are there. */
function kernel_at(kernels: Kernel[], line: number): Kernel | undefined {
  return kernels.find((kernel) => line <= kernel.last_line) ?? kernels.at(-1);
}

async function target_of_lens(argument: unknown): Promise<Target | undefined> {
  const { uri, kernel, runLine, words } = (argument ?? {}) as Record<string, unknown>;
  if (typeof uri !== "string" || typeof kernel !== "string") return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  return {
    document,
    kernel,
    run_line: typeof runLine === "number" ? runLine : undefined,
    words: Array.isArray(words) ? words.filter((word) => typeof word === "string") : undefined,
  };
}

export async function may_run(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const picked = await vscode.window.showWarningMessage(
    "Phobos: kernels are not run in a workspace that is not trusted.",
    "Manage Workspace Trust",
  );
  if (picked !== undefined) await vscode.commands.executeCommand("workbench.trust.manage");
  return false;
}

/** Short runs show no progress; a longer one shows it, and can be cancelled there. */
async function with_progress_if_slow<T>(title: string, source: vscode.CancellationTokenSource, run: Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const patience = setTimeout(() => {
    void vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => { source.cancel(); });
      return run.then(() => undefined, () => undefined);
    });
  }, 500);
  try {
    return await run;
  } finally {
    clearTimeout(patience);
  }
}
