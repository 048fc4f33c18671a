// The life of the language server. It is started again when it dies, but not for ever: after a few deaths
// in a short time it stays stopped, says so once, and waits for `Phobos: Restart Language Server`. A client
// of the library lives exactly as long as its server: whoever starts again makes a new one, so the library's
// own ways of restarting, and of telling about it, are not used.

import * as vscode from "vscode";
import {
  CloseAction,
  type CodeLens,
  CodeLensRequest,
  type DocumentSymbol,
  DocumentSymbolRequest,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  type SymbolInformation,
} from "vscode-languageclient/node";
import { find_program, type Program, ProgramError } from "./program";
import type { ServerStatus } from "./status";

const deaths_allowed = 5;
const deaths_window_ms = 3 * 60 * 1000;

/** A kernel that can be run, and the lines that it takes. */
export interface Kernel {
  name: string;
  first_line: number;
  last_line: number;
}

/** The library's client, but what goes wrong is a line in the log and never a popup. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }

  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

export class Server {
  private client: LanguageClient | undefined;
  private readonly trace: vscode.OutputChannel;
  private deaths: number[] = [];
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: ServerStatus,
  ) {
    this.trace = vscode.window.createOutputChannel("Phobos Trace");
    context.subscriptions.push(this.trace);
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts are queued behind each other; a failed start is told to the user and does not throw. */
  start(): Promise<void> {
    return this.enqueue(() => this.start_now());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stop_now());
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stop_now();
      this.deaths = [];
      await this.start_now();
    });
  }

  program(): Promise<Program> {
    return find_program(this.context.extensionPath);
  }

  /** The kernels of a document, in its order: what the server has a lens for, where its outline puts it. */
  async kernels(document: vscode.TextDocument): Promise<Kernel[]> {
    await this.pending;
    if (this.client === undefined || !this.running) throw new Error("The language server is not running.");
    const textDocument = this.client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const [lenses, symbols] = await Promise.all([
      this.client.sendRequest(CodeLensRequest.type, { textDocument }),
      this.client.sendRequest(DocumentSymbolRequest.type, { textDocument }),
    ]);
    const kernels = (lenses ?? []).flatMap((lens) => kernel_of_lens(lens, symbols ?? []));
    return kernels.sort((a, b) => a.first_line - b.first_line);
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(step, step);
    return this.pending;
  }

  private async start_now(): Promise<void> {
    if (this.client !== undefined) return;
    let program: Program;
    try {
      program = await this.program();
    } catch (error) {
      this.report_failure(error instanceof ProgramError ? error.message : String(error));
      return;
    }
    this.log.info(`starting ${program.path} lsp --stdio`);
    this.status.show({ state: "starting", program: program.path });
    const client = this.create_client(program);
    this.client = client;
    try {
      await client.start();
      // The library's promise is fulfilled, too, when the server ends while it starts.
      if (client.state !== State.Running) throw new Error("it ended before it answered");
    } catch (error) {
      // It has run before: then it died early this time, and the program is not what is wrong.
      if (this.deaths.length > 0) return this.server_died(client);
      this.client = undefined;
      await dispose_of(client);
      const reason = error instanceof Error ? error.message : String(error);
      this.report_failure(
        `The program ${program.path} does not run as a language server here: ${reason}. ` +
          "The log has what it said; the setting `phobos.server.path` can name another program.",
      );
      return;
    }
    const version = client.initializeResult?.serverInfo?.version;
    this.log.info(`running version ${version ?? "unknown"}`);
    this.status.show({ state: "running", program: program.path, version });
  }

  private async stop_now(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    await dispose_of(client);
    this.status.show({ state: "stopped" });
  }

  private create_client(program: Program): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: "phobos", scheme: "file" },
        { language: "phobos", scheme: "untitled" },
      ],
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
    };
    const run = { command: program.path, args: ["lsp", "--stdio"] };
    const client = new QuietClient("phobos", "Phobos", { run, debug: run }, options);
    client.onDidChangeState(({ oldState, newState }) => {
      const died = oldState === State.Running && newState === State.Stopped && client === this.client;
      if (died) void this.enqueue(() => this.server_died(client));
    });
    return client;
  }

  private async server_died(client: LanguageClient): Promise<void> {
    if (client !== this.client) return;
    this.client = undefined;
    await dispose_of(client);
    const now = Date.now();
    this.deaths = [...this.deaths.filter((death) => now - death < deaths_window_ms), now];
    if (this.deaths.length <= deaths_allowed) {
      this.log.warn("the language server ended unexpectedly and is started again");
      return this.start_now();
    }
    this.report_failure(
      `The language server ended ${this.deaths.length} times within ${deaths_window_ms / 60000} minutes and ` +
        "stays stopped. The log has what it said last.",
    );
  }

  private report_failure(message: string): void {
    this.log.error(message);
    this.status.show({ state: "failed", message });
    void this.offer_remedies(message);
  }

  private async offer_remedies(message: string): Promise<void> {
    const picked = await vscode.window.showErrorMessage(`Phobos: ${message}`, "Restart", "Open Setting", "Show Log");
    if (picked === "Restart") await this.restart();
    if (picked === "Open Setting") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "phobos.server.path");
    }
    if (picked === "Show Log") this.log.show();
  }
}

async function dispose_of(client: LanguageClient): Promise<void> {
  try {
    await client.dispose(2000);
  } catch {
    // A client whose server is gone or does not answer has nothing left that could be stopped.
  }
}

function kernel_of_lens(lens: CodeLens, symbols: (DocumentSymbol | SymbolInformation)[]): Kernel[] {
  if (lens.command?.command !== "phobos.run") return [];
  const target = lens.command.arguments?.[0] as { kernel?: unknown } | undefined;
  if (typeof target?.kernel !== "string") return [];
  const line = lens.range.start.line;
  const spans = symbols.flatMap((symbol) => ("range" in symbol ? [symbol.range] : []));
  const span = spans.find(({ start, end }) => start.line <= line && line <= end.line) ?? lens.range;
  return [{ name: target.kernel, first_line: span.start.line, last_line: span.end.line }];
}
