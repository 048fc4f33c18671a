// `phobos.run` and its like: from a lens (which names the kernel) or on the kernel under the cursor.

import { mkdtempSync, rmSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { failure_of } from "./failure";
import type { Findings } from "./findings";
import { object_of } from "./json";
import { offer } from "./offer";
import type { OutputPages } from "./output_page";
import type { ResultView } from "./result_view";
import type { RunForm } from "./run_form";
import { run_kernel } from "./run_kernel";
import { kernels_of } from "./run_lines";
import type { Server } from "./server";
import { type RunSettings, run_settings } from "./settings";
import type { Stepper } from "./stepper";
import { may_run, type Target, target_of } from "./target";
import type { Tuner } from "./tuner";

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
      if (await may_run()) await this.run(await target_of(argument, this.server), how);
    });
  }

  /** The kernel is stepped through, with the arguments that a run of it would have. */
  async step(argument: unknown, stepper: Stepper): Promise<void> {
    await this.attempt(argument, async () => {
      if (!(await may_run())) return;
      const target = await target_of(argument, this.server);
      const { block, thread, asks } = object_of(argument);
      const words = await this.words_of(target, asks === true);
      const more = { ...(typeof block === "string" ? { block } : {}), ...(typeof thread === "number" ? { thread } : {}) };
      if (words !== "none") await stepper.start({ ...target, words }, more);
    });
  }

  /** The fastest of the kernel's choices is searched for, with the arguments that a run of it would have. */
  async tune(argument: unknown, tuner: Tuner): Promise<void> {
    await this.attempt(argument, async () => {
      if (!(await may_run())) return;
      const target = await target_of(argument, this.server);
      const words = await this.words_of(target, false);
      if (words !== "none") await tuner.tune({ ...target, words }, run_settings(target.document));
    });
  }

  /** What became of the kernel, which is compiled and not run. */
  async report(argument: unknown, pages: OutputPages): Promise<void> {
    await this.attempt(argument, async () => {
      const { document, kernel } = await target_of(argument, this.server);
      const args = ["build", "-", "--emit", "report", "--kernel", kernel];
      await pages.show(`Report of ${kernel}`, args, document.getText(), vscode.ViewColumn.Beside);
    });
  }

  /** What fails is told, with its remedy. */
  async attempt(argument: unknown, does: () => Promise<void>): Promise<void> {
    try {
      await does();
    } catch (error) {
      const failure = failure_of(error);
      this.log.error(failure.message);
      await offer(failure, () => void this.run_command(argument, { settings: { device: "sim" } }));
    }
  }

  /** The arguments in the place of a run line, asked for where there are none; "none": nothing is to be run. */
  private async words_of({ document, kernel, run_line, words }: Target, asks: boolean): Promise<string[] | undefined | "none"> {
    if (words === undefined && run_line === undefined && !has_run_line(document, kernel)) words = this.form.last(document, kernel) ?? [];
    if (!asks && words?.length !== 0) return words;
    return (await this.form.ask(await this.server.program(), document, kernel, run_line, asks)) ?? "none";
  }

  /** Ends all runs in progress. */
  cancel(): void {
    for (const source of this.running.values()) source.cancel();
  }

  private async run(target: Target, { asks = false, settings = {} }: How): Promise<void> {
    const { document, kernel, run_line } = target;
    const chosen = { ...run_settings(document), ...settings };
    const program = await this.server.program();
    const words = await this.words_of(target, asks);
    if (words === "none") return;
    const key = `${document.uri.toString()}#${kernel}`;
    this.running.get(key)?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.running.set(key, source);
    const version = document.version;
    const unsaved = document.isDirty || document.isUntitled;
    let folder: string | undefined = mkdtempSync(path.join(os.tmpdir(), "phobos-run-"));
    try {
      const run = run_kernel(program, document, { kernel, run_line, words, folder }, chosen, source.token, this.log);
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
}

function has_run_line(document: vscode.TextDocument, kernel: string): boolean {
  return kernels_of(document.getText()).some(({ name, run_lines }) => name === kernel && run_lines.length > 0);
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
