// What the compiler made of a kernel, beside its source and in step with the cursor, both ways: PTX, and SASS where a disassembler is
// installed. What was decided of a line stands behind it. A text that has moved on makes all of that stale until it is compiled again.

import { mkdtempSync, rmSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { lines_of_ptx, lines_of_sass, runs_of, type SourceLines } from "./code_lines";
import { Failure } from "./failure";
import { object_of, string_of } from "./json";
import { execute, never, words_of } from "./process";
import { hints_of, parse_report, type Report } from "./report";
import { folder_of } from "./run_kernel";
import { kernels_of } from "./run_lines";
import type { Server } from "./server";
import { type Target, target_of } from "./target";

const scheme = "phobos-code";
/** By which the manifest knows its language. */
const folder_of_code = "/phobos-code";
const pause_ms = 300;
type Sort = "ptx" | "sass";

interface Code {
  document: vscode.TextDocument;
  kernel: string;
  sort: Sort;
  uri: vscode.Uri;
  /** Of the source that was compiled. */
  version: number;
  text: string;
  lines: SourceLines;
  report: Report;
  /** Why the text as it is now has no code. */
  fault: string;
}

export class CodeView implements vscode.TextDocumentContentProvider, vscode.InlayHintsProvider, vscode.Disposable {
  private code: Code | undefined;
  private clock: NodeJS.Timeout | undefined;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly marked = vscode.window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"), borderColor: new vscode.ThemeColor("contrastActiveBorder"), borderStyle: "dotted", borderWidth: "0" });
  private readonly hints_changed = new vscode.EventEmitter<void>();
  private readonly watching: vscode.Disposable[];

  readonly onDidChange = this.changed.event;
  readonly onDidChangeInlayHints = this.hints_changed.event;

  constructor(private readonly server: Server) {
    this.watching = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.window.onDidChangeTextEditorSelection((change) => { this.follow(change.textEditor); }),
      vscode.languages.registerInlayHintsProvider({ language: "phobos" }, this),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document === this.code?.document && contentChanges.length > 0) this.outdated();
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.uri.toString() !== this.code?.uri.toString() && document !== this.code?.document) return;
        this.code = undefined;
        this.hints_changed.fire();
      }),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { code } = this;
    return code?.uri.toString() === uri.toString() ? `${head_of(code)}\n${code.text}` : "// This is no longer shown; ask for it again.\n";
  }

  /** What was decided of the lines, behind them. */
  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    const { code } = this;
    if (document !== code?.document) return [];
    const before = is_stale(code) ? "stale: " : "";
    const kernel_line = kernels_of(document.getText()).find(({ name }) => name === code.kernel)?.line ?? 0;
    return hints_of(code.report, kernel_line)
      .filter(({ line }) => line >= range.start.line && line <= range.end.line && line < document.lineCount)
      .map(({ line, text, details }) => {
        const hint = new vscode.InlayHint(document.lineAt(line).range.end, `${before}${text}`);
        hint.paddingLeft = true;
        hint.tooltip = details.join("\n\n");
        return hint;
      });
  }

  /** Throws a Failure. */
  async show(argument: unknown, sort: Sort): Promise<void> {
    const target = await target_of(argument, this.server);
    const code = await this.compile(target, sort);
    this.code = code;
    this.changed.fire(code.uri);
    await vscode.window.showTextDocument(code.uri, { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside });
    this.hints_changed.fire();
    const source = this.editor_of(code.document.uri);
    if (source !== undefined) this.follow(source);
  }

  dispose(): void {
    clearTimeout(this.clock);
    this.changed.dispose();
    this.marked.dispose();
    this.hints_changed.dispose();
    vscode.Disposable.from(...this.watching).dispose();
  }

  private async compile({ document, kernel }: Target, sort: Sort): Promise<Code> {
    const { version } = document;
    const uri = vscode.Uri.from({ scheme, path: `${folder_of_code}/${kernel}.${sort}`, query: document.uri.toString() });
    const report = parse_report(await this.server.ask("phobos/report", document, { kernel }));
    const text = sort === "ptx" ? await this.ptx(document, kernel) : await this.sass(document, kernel);
    return { document, kernel, sort, uri, version, text, lines: sort === "ptx" ? lines_of_ptx(text) : lines_of_sass(text), report, fault: "" };
  }

  private async ptx(document: vscode.TextDocument, kernel: string): Promise<string> {
    const answer = object_of(await this.server.ask("phobos/build", document, { kernel, emit: "ptx" }));
    if (string_of(answer["text"]) === "") throw new Failure("kernel", string_of(answer["message"]) || `${kernel} could not be compiled.`, []);
    return string_of(answer["text"]);
  }

  private async sass(document: vscode.TextDocument, kernel: string): Promise<string> {
    const { path: program } = await this.server.program();
    const machine = await this.server.machine();
    const places = [...(machine?.ptxas ? [path.dirname(machine.ptxas)] : []), ...(process.env["PATH"] ?? "").split(path.delimiter)];
    const folder = mkdtempSync(path.join(os.tmpdir(), "phobos-sass-"));
    try {
      const cubin = path.join(folder, `${kernel}.cubin`);
      const args = ["build", "-", "--kernel", kernel, "--emit", "cubin", "-o", cubin];
      const built = await execute({ command: program, args, cwd: folder_of(document), input: document.getText(), seconds: 60 }, never);
      if (built.status !== 0) throw new Failure("kernel", `There is no SASS: ${built.stderr.trim().replace(/^phobos: /, "") || "it could not be assembled"}`, []);
      const said: string[] = [];
      for (const place of places) {
        const tool = path.join(place, "nvdisasm");
        const ended = await execute({ command: tool, args: ["--print-line-info", "--print-code", cubin], cwd: folder, input: "", seconds: 60 }, never).catch(() => undefined);
        if (ended?.status === 0) return ended.stdout;
        if (ended !== undefined) said.push(`${tool}: ${words_of(ended, 60)}`);
      }
      const [first] = said;
      if (first !== undefined) throw new Failure("driver", `There is no SASS: ${first}`, ["Show Machine", "Show Log"]);
      throw new Failure("driver", "There is no SASS: `nvdisasm`, which comes with the CUDA toolkit, is neither on PATH nor beside ptxas.", ["Show Machine"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Marked at once; compiled when nobody types. */
  private outdated(): void {
    const { code } = this;
    if (code === undefined) return;
    this.changed.fire(code.uri);
    this.hints_changed.fire();
    clearTimeout(this.clock);
    this.clock = setTimeout(() => void this.again(code), pause_ms);
  }

  private async again(code: Code): Promise<void> {
    let next: Code;
    try {
      next = await this.compile({ document: code.document, kernel: code.kernel, run_line: undefined, words: undefined }, code.sort);
    } catch (error) {
      next = { ...code, fault: error instanceof Error ? error.message : String(error) };
    }
    if (this.code !== code) return;
    this.code = next;
    this.changed.fire(code.uri);
    this.hints_changed.fire();
    const source = this.editor_of(code.document.uri);
    if (source !== undefined) this.follow(source);
  }

  private editor_of(uri: vscode.Uri): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  }

  /** The head is a line of its own. */
  private follow(editor: vscode.TextEditor): void {
    const { code } = this;
    if (code === undefined) return;
    const source = this.editor_of(code.document.uri);
    const shown = this.editor_of(code.uri);
    if (source === undefined || shown === undefined || (editor !== source && editor !== shown)) return;
    const line = editor.selection.active.line;
    const from = editor === source ? line : code.lines[line - 1];
    const runs = from === undefined ? [] : runs_of(code.lines, from);
    shown.setDecorations(this.marked, runs.map(({ first, last }) => new vscode.Range(first + 1, 0, last + 1, 0)));
    source.setDecorations(this.marked, editor === shown && from !== undefined ? [new vscode.Range(from, 0, from, 0)] : []);
    const near = runs[0];
    if (editor === source && near !== undefined) shown.revealRange(new vscode.Range(near.first + 1, 0, near.last + 1, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    if (editor === shown && from !== undefined) source.revealRange(new vscode.Range(from, 0, from, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function is_stale(code: Code): boolean {
  return code.document.isClosed || code.document.version !== code.version;
}

function head_of(code: Code): string {
  const about = `// ${code.sort.toUpperCase()} of ${code.kernel} for ${code.report.chip}${code.report.resources === undefined ? "" : `: ${code.report.resources}`}`;
  if (!is_stale(code)) return about;
  return `${about} -- STALE: the text has changed${code.fault === "" ? "" : ` and has no code: ${code.fault.split("\n")[0] ?? ""}`}`;
}
