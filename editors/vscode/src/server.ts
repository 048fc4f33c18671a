// The life of the language server. It is restarted when it dies, but not for ever: after a few deaths in
// a short time it stays stopped, says so once, and waits for `Phobos: Restart Language Server`.

import * as vscode from "vscode";
import {
  CloseAction,
  CodeLens,
  CodeLensRequest,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import { find_program, type Program, ProgramError } from "./program";
import type { ServerStatus } from "./status";

const deaths_allowed = 5;
const deaths_window_ms = 3 * 60 * 1000;

/** A kernel that can be run: what the server's code lens carries. */
export interface Kernel {
  name: string;
  line: number;
}

export class Server {
  private client: LanguageClient | undefined;
  private trace: vscode.LogOutputChannel | vscode.OutputChannel;
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

  /** The kernels of a document, in its order, as the server's lenses name them. */
  async kernels(document: vscode.TextDocument): Promise<Kernel[]> {
    await this.pending;
    if (this.client === undefined || !this.running) throw new Error("The language server is not running.");
    const lenses = await this.client.sendRequest(CodeLensRequest.type, {
      textDocument: this.client.code2ProtocolConverter.asTextDocumentIdentifier(document),
    });
    return (lenses ?? []).flatMap(kernel_of_lens).sort((a, b) => a.line - b.line);
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
      const info = client.initializeResult?.serverInfo;
      this.log.info(`running ${info?.name ?? "phobos"} ${info?.version ?? ""}`.trimEnd());
    } catch (error) {
      this.client = undefined;
      await client.dispose().catch(() => undefined);
      const reason = error instanceof Error ? error.message : String(error);
      this.report_failure(
        `The program ${program.path} does not run as a language server here: ${reason}. ` +
          "The log has what it said; the setting `phobos.server.path` can name another program.",
      );
    }
  }

  private async stop_now(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    await client.dispose(2000).catch((error: unknown) => this.log.warn(`stopping the server: ${String(error)}`));
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
      // A request that fails is a line in the log and never a popup.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.server_died(),
      },
    };
    const run = { command: program.path, args: ["lsp", "--stdio"] };
    const client = new LanguageClient("phobos", "Phobos", { run, debug: run }, options);
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      if (newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version;
        this.status.show({ state: "running", program: program.path, version });
      } else if (newState === State.Starting) {
        this.status.show({ state: "starting", program: program.path });
      }
    });
    return client;
  }

  private server_died(): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.deaths = [...this.deaths.filter((death) => now - death < deaths_window_ms), now];
    if (this.deaths.length <= deaths_allowed) {
      this.log.warn("the language server ended unexpectedly and is started again");
      return { action: CloseAction.Restart, handled: true };
    }
    const minutes = deaths_window_ms / 60000;
    this.client = undefined;
    this.report_failure(
      `The language server ended ${this.deaths.length} times within ${minutes} minutes and stays stopped. ` +
        "The log has what it said last.",
    );
    return { action: CloseAction.DoNotRestart, handled: true };
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

function kernel_of_lens(lens: CodeLens): Kernel[] {
  if (lens.command?.command !== "phobos.run") return [];
  const target = lens.command.arguments?.[0] as { kernel?: unknown } | undefined;
  return typeof target?.kernel === "string" ? [{ name: target.kernel, line: lens.range.start.line }] : [];
}
