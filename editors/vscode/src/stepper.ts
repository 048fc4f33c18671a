// A kernel stepped through: the program's debug adapter as a session of the editor, its values behind the lines, and the page that
// draws every lane.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { apart_from_grid } from "./arguments";
import { expression_at } from "./evaluatable";
import { list_of, number_of, object_of, range_of, string_of } from "./json";
import { shell } from "./page_shell";
import { parse_state, parse_table, type StepState } from "./step_state";
import { type Choice, shown_matrix, stepper_body, stepper_style, table_columns, table_rows } from "./stepper_page";
import { folder_of } from "./run_kernel";
import type { Server } from "./server";
import { may_run, type Target } from "./target";
import { column_of_views } from "./view_column";

export const debug_type = "phobos";

export class Stepper implements vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.InlineValuesProvider {
  private panel: vscode.WebviewPanel | undefined;
  private session: vscode.DebugSession | undefined;
  private choice: Choice = { name: undefined, matrix: undefined, picked: undefined };
  private page = { row: 0, column: 0 };
  private state: StepState | undefined;
  private drawing = 0;
  private readonly moved = new vscode.EventEmitter<void>();
  private readonly picked_thread = new vscode.EventEmitter<number | undefined>();

  readonly onDidChangeInlineValues = this.moved.event;
  /** A lane was picked, or none, in the page. */
  readonly onDidPick = this.picked_thread.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    context.subscriptions.push(
      vscode.debug.registerDebugConfigurationProvider(debug_type, this),
      vscode.debug.registerDebugAdapterDescriptorFactory(debug_type, this),
      vscode.debug.registerDebugAdapterTrackerFactory(debug_type, {
        createDebugAdapterTracker: (session) => ({
          onDidSendMessage: (message: unknown): void => { this.heard(session, message); },
        }),
      }),
      vscode.languages.registerInlineValuesProvider({ language: "phobos" }, this),
      vscode.languages.registerEvaluatableExpressionProvider({ language: "phobos" }, {
        provideEvaluatableExpression: (document, { line, character }) => {
          const found = expression_at(document.lineAt(line).text, character);
          return found && new vscode.EvaluatableExpression(new vscode.Range(line, found.from, line, found.to));
        },
      }),
      vscode.debug.onDidTerminateDebugSession((session) => { this.ended(session); }),
      {
        dispose: (): void => {
          this.panel?.dispose();
        },
      },
    );
  }

  get runs(): boolean {
    return this.session !== undefined;
  }

  async start({ document, kernel, run_line, words }: Target, more: { block?: string; thread?: number } = {}): Promise<void> {
    const { words: given, grid } = apart_from_grid(words ?? []);
    await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(document.uri), {
      type: debug_type,
      request: "launch",
      name: `Step ${kernel}`,
      program: path_of(document.uri),
      kernel,
      internalConsoleOptions: "neverOpen",
      ...(run_line === undefined ? {} : { runLine: run_line }),
      ...(words === undefined ? {} : { arguments: given }),
      ...(grid === undefined ? {} : { grid }),
      ...more,
    });
  }

  /** What is not said is taken from the editor: its file, and its text as it is now. */
  async resolveDebugConfiguration(_: vscode.WorkspaceFolder | undefined, given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    if (given["noDebug"] === true) {
      // Run Without Debugging: that is a run.
      await vscode.commands.executeCommand("phobos.run");
      return undefined;
    }
    if (!(await may_run())) return undefined;
    const configuration: vscode.DebugConfiguration = { ...given, type: debug_type, request: "launch", name: given.name || "Step" };
    const editor = vscode.window.activeTextEditor;
    if (string_of(configuration["program"]) === "") {
      if (editor?.document.languageId !== "phobos") {
        await vscode.window.showErrorMessage("Phobos: open a .ph file, or name one as `program` in launch.json.");
        return undefined;
      }
      configuration["program"] = path_of(editor.document.uri);
      if (configuration["kernel"] === undefined) {
        const kernels = await this.server.kernels(editor.document);
        const line = editor.selection.active.line;
        configuration["kernel"] = (kernels.find(({ last_line }) => line <= last_line) ?? kernels.at(-1))?.name;
      }
    }
    return configuration;
  }

  resolveDebugConfigurationWithSubstitutedVariables(_: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
    const program = string_of(configuration["program"]);
    const document = vscode.workspace.textDocuments.find(({ uri }) => path_of(uri) === program);
    const told = { ...configuration, clientTellsRefusal: true };
    return document === undefined ? told : { ...told, text: document.getText(), cwd: folder_of(document) };
  }

  async createDebugAdapterDescriptor(): Promise<vscode.DebugAdapterDescriptor> {
    const { path } = await this.server.program();
    return new vscode.DebugAdapterExecutable(path, ["dap"]);
  }

  async provideInlineValues(document: vscode.TextDocument, view: vscode.Range, context: vscode.InlineValueContext): Promise<vscode.InlineValue[]> {
    const { session } = this;
    if (session === undefined || path_of(document.uri) !== string_of(session.configuration["program"])) return [];
    const answer = object_of(await session.customRequest("phobos/inlineValues", { frameId: context.frameId }));
    return list_of(answer["values"], (item) => {
      const { start, end } = range_of(object_of(item)["range"]);
      return new vscode.InlineValueText(new vscode.Range(start.line, start.character, end.line, end.character), string_of(object_of(item)["text"]));
    }).filter(({ range }) => view.intersection(range) !== undefined);
  }

  /** To the next barrier or divergence, or to the one before. */
  async go_to(event: "barrier" | "divergence", back = false): Promise<void> {
    try {
      await this.running().customRequest("phobos/goTo", { event, back });
    } catch (error) {
      await vscode.window.showInformationMessage(`Phobos: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  async ask_lane(): Promise<void> {
    const session = this.running();
    const threads = this.state?.threads ?? 0;
    const given = await vscode.window.showInputBox({
      title: "Step with one thread",
      prompt: `A thread of the CTA, 0 to ${threads - 1}; empty: all of them`,
      value: this.choice.picked === undefined ? "" : String(this.choice.picked),
      validateInput: (text) => (text === "" || (/^\d+$/.test(text) && Number(text) < threads) ? undefined : `A number from 0 to ${threads - 1}`),
    });
    if (given !== undefined && session === this.session) await this.pick(given === "" ? undefined : Number(given));
  }

  show(): void {
    this.running();
    (this.panel ?? this.create()).reveal(undefined, true);
    void this.draw();
  }

  /** Only the steps of that thread are gone through from here on. Without a session nothing happens. */
  async pick(thread: number | undefined): Promise<void> {
    if (this.session === undefined) return;
    this.choice.picked = thread;
    await this.session.customRequest("phobos/pick", { thread: thread ?? null });
  }

  private running(): vscode.DebugSession {
    if (this.session === undefined) throw new Error("No kernel is being stepped through; `Phobos: Step Through Kernel` starts.");
    return this.session;
  }

  private heard(session: vscode.DebugSession, message: unknown): void {
    const { type, event, command, success, message: said } = object_of(message);
    if (type === "response" && command === "launch" && success === false) void tell_refusal(session, string_of(said));
    if (type !== "event" || (event !== "stopped" && event !== "invalidated")) return;
    if (session !== this.session) {
      this.session = session;
      const thread = session.configuration["thread"] as unknown;
      this.choice = { name: undefined, matrix: undefined, picked: typeof thread === "number" ? thread : undefined };
      if (this.panel === undefined) this.create();
    }
    this.page = { row: 0, column: 0 };
    this.moved.fire();
    void this.draw();
  }

  private ended(session: vscode.DebugSession): void {
    if (session !== this.session) return;
    this.session = undefined;
    this.state = undefined;
    this.panel?.dispose();
  }

  private create(): vscode.WebviewPanel {
    const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel(
      "phobos.stepper",
      "Phobos: Lanes",
      { viewColumn: column_of_views(), preserveFocus: true },
      { enableScripts: true, localResourceRoots: [dist] },
    );
    panel.webview.onDidReceiveMessage((message: unknown) => void this.answer(object_of(message)));
    panel.onDidDispose(() => { this.panel = undefined; });
    panel.webview.html = shell(
      { nonce: randomBytes(16).toString("base64"), title: "Lanes", style: stepper_style, script: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "stepper_view.js")).toString() },
      "",
    );
    this.panel = panel;
    return panel;
  }

  /** Of several steps in a row the last one is drawn. */
  private async draw(): Promise<void> {
    const { session } = this;
    if (session === undefined || this.panel === undefined) return;
    const turn = ++this.drawing;
    try {
      const state = parse_state(await session.customRequest("phobos/state"));
      const name = shown_matrix(state, this.choice);
      const table = name === undefined ? undefined : parse_table(await session.customRequest("phobos/table", { name, ...this.page, rows: table_rows, columns: table_columns }));
      if (turn !== this.drawing) return;
      this.state = state;
      await this.panel.webview.postMessage({ html: stepper_body(state, this.choice, table) });
    } catch {
      // The session ended meanwhile.
    }
  }

  private async answer(message: Record<string, unknown>): Promise<void> {
    const name = string_of(message["name"]);
    switch (message["type"]) {
      case "pick": {
        const thread = message["thread"];
        const picked = typeof thread === "number" && thread !== this.choice.picked ? thread : undefined;
        this.picked_thread.fire(picked);
        return this.pick(picked);
      }
      case "step":
        await this.session?.customRequest("phobos/goTo", { step: number_of(message["step"]) });
        return;
      case "name":
        this.choice.name = name;
        break;
      case "matrix":
        this.choice.matrix = name;
        this.page = { row: 0, column: 0 };
        break;
      case "page":
        this.page = { row: Math.max(0, number_of(message["row"])), column: Math.max(0, number_of(message["column"])) };
        break;
      default:
        break;
    }
    return this.draw();
  }
}

/** Why a session did not begin, with what mends it: the arguments are changed, or what is wrong in the text is gone to. */
async function tell_refusal({ configuration }: vscode.DebugSession, said: string): Promise<void> {
  const program = string_of(configuration["program"]);
  const document = vscode.workspace.textDocuments.find(({ uri }) => path_of(uri) === program);
  const kernel = string_of(configuration["kernel"]);
  const wrong = document && vscode.languages.getDiagnostics(document.uri).find(({ severity, message }) => severity === vscode.DiagnosticSeverity.Error && message === said);
  const [go, change] = ["Go to Error", "Change Arguments"];
  const actions = wrong !== undefined ? [go] : document !== undefined && kernel !== "" ? [change] : [];
  const picked = await vscode.window.showErrorMessage(`Phobos: ${said.replace(/[^.]$/, "$&.")}`, ...actions);
  if (document === undefined || picked === undefined) return;
  if (picked === go && wrong !== undefined) await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: wrong.range });
  if (picked === change) await vscode.commands.executeCommand("phobos.step", { uri: document.uri.toString(), kernel, asks: true });
}

/** As the debug protocol names a file: a path, or the URI of what is none. */
export function path_of(uri: vscode.Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString();
}
