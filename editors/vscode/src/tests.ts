// The tests view: each run line that expects something is a test, of all Phobos files, opened or not. A test runs the text as it is
// in the editor.

import * as vscode from "vscode";
import { execute, words_of } from "./process";
import { folder_of } from "./run_kernel";
import { kernels_of } from "./run_lines";
import type { Server } from "./server";
import { run_settings } from "./settings";
import { may_run } from "./target";
import { parse_test_result } from "./test_result";

/** While somebody types the tests need not follow each key. */
const pause_ms = 200;

interface RunLineTest {
  kernel: string;
  run_line: number;
}

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("phobos", "Phobos");
  private readonly tests = new WeakMap<vscode.TestItem, RunLineTest>();
  private readonly watching: vscode.Disposable[] = [];
  private readonly clocks = new WeakMap<vscode.TextDocument, NodeJS.Timeout>();

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
    private readonly passed: () => void,
  ) {
    const run = vscode.TestRunProfileKind.Run;
    this.controller.createRunProfile("Run", run, (request, token) => this.run(request, token, undefined), true);
    this.controller.createRunProfile("Run on the Simulator", run, (request, token) => this.run(request, token, "sim"), false);
    this.controller.resolveHandler = (item) => (item === undefined ? this.discover() : Promise.resolve());
    this.controller.refreshHandler = () => this.discover();
    const update = (document: vscode.TextDocument): void => {
      if (!document.isClosed && document.languageId === "phobos" && (document.uri.scheme === "file" || document.uri.scheme === "untitled")) {
        this.update(document.uri, document.getText());
      }
    };
    const files = vscode.workspace.createFileSystemWatcher("**/*.ph");
    this.watching.push(
      files,
      files.onDidCreate((uri) => void this.read(uri)),
      files.onDidChange((uri) => void this.read(uri)),
      files.onDidDelete((uri) => { this.controller.items.delete(uri.toString()); }),
      vscode.workspace.onDidOpenTextDocument(update),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(this.clocks.get(document));
        this.clocks.set(document, setTimeout(() => { update(document); }, pause_ms));
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === "untitled") this.controller.items.delete(uri.toString());
      }),
    );
    vscode.workspace.textDocuments.forEach(update);
  }

  dispose(): void {
    vscode.Disposable.from(this.controller, ...this.watching).dispose();
  }

  private async discover(): Promise<void> {
    const files = await vscode.workspace.findFiles("**/*.ph");
    await Promise.all(files.map((uri) => this.read(uri)));
  }

  private async read(uri: vscode.Uri): Promise<void> {
    const open = document_of(uri);
    try {
      this.update(uri, open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    } catch {
      this.controller.items.delete(uri.toString());
    }
  }

  /** Items keep their names while lines move, so that what is known of them stays with them. */
  private update(uri: vscode.Uri, text: string): void {
    const id = uri.toString();
    const tests = kernels_of(text).flatMap(({ name, run_lines }) =>
      run_lines.filter(({ expects }) => expects).map((line) => ({ kernel: name, ...line })),
    );
    if (tests.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const file = this.controller.items.get(id) ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    const items = tests.map(({ kernel, index, line, text: words }) => {
      const name = `${kernel}#${index}`;
      const item = file.children.get(name) ?? this.controller.createTestItem(name, kernel, uri);
      item.label = kernel;
      item.description = words;
      item.range = new vscode.Range(line, 0, line, 0);
      this.tests.set(item, { kernel, run_line: index });
      return item;
    });
    file.children.replace(items);
    if (this.controller.items.get(id) === undefined) this.controller.items.add(file);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, device: "sim" | undefined): Promise<void> {
    if (!(await may_run())) return;
    const run = this.controller.createTestRun(request);
    const all: vscode.TestItem[] = [];
    const gather = (item: vscode.TestItem): void => {
      if (request.exclude?.includes(item) === true) return;
      if (this.tests.has(item)) all.push(item);
      item.children.forEach(gather);
    };
    if (request.include === undefined) this.controller.items.forEach(gather);
    else request.include.forEach(gather);
    for (const item of all) run.enqueued(item);
    for (const item of all) {
      if (token.isCancellationRequested) run.skipped(item);
      else await this.run_one(run, item, token, device);
    }
    run.end();
  }

  private async run_one(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken, device: "sim" | undefined): Promise<void> {
    const test = this.tests.get(item);
    if (test === undefined || item.uri === undefined) return;
    run.started(item);
    const fail = (message: string): void => {
      const words = new vscode.TestMessage(message);
      if (item.uri !== undefined && item.range !== undefined) words.location = new vscode.Location(item.uri, item.range);
      run.failed(item, words);
      run.appendOutput(`${message}\n`.replaceAll("\n", "\r\n"), words.location, item);
    };
    try {
      const document = document_of(item.uri) ?? (await vscode.workspace.openTextDocument(item.uri));
      const settings = run_settings(document);
      const { path } = await this.server.program();
      const args = ["test", "-", "--json", "--kernel", test.kernel, "--run-line", String(test.run_line), "--device", device ?? settings.device];
      const work = { command: path, args, cwd: folder_of(document), input: document.getText(), seconds: settings.seconds };
      const ended = await execute(work, token);
      if (ended.why === "cancelled") {
        run.skipped(item);
        return;
      }
      const result = parse_test_result(ended.stdout);
      if (result === undefined) fail(words_of(ended, settings.seconds));
      else if (result.status === "ok") {
        run.passed(item, result.ms);
        this.passed();
      } else fail(result.message || words_of(ended, settings.seconds));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      fail(message);
    }
  }
}

function document_of(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
