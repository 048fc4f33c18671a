// The life of the language server. It is started again when it dies, but not for ever: after a few deaths in a short time it
// stays stopped, says so once, and waits for `Phobos: Restart Language Server`. A client of the library lives exactly as long as
// its server: whoever starts again makes a new one, so the library's own ways of restarting, and of telling about it, are not used.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  CloseAction,
  type CodeLens,
  CodeLensRequest,
  type DocumentSymbol,
  DocumentSymbolRequest,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
  type SymbolInformation,
  WorkDoneProgress,
} from "vscode-languageclient/node";
import { Deaths, end_words, Failure, program_fault, start_fault } from "./failure";
import { type Machine, parse_machine } from "./machine";
import { offer } from "./offer";
import { execute, never } from "./process";
import { find_program, type Program } from "./program";
import type { Status } from "./status";

const answer_within_ms = 30_000;
const stop_within_ms = 2000;
const end_within_ms = 500;

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

/** Tells the server which commands its lenses may name. */
class Commands implements StaticFeature {
  constructor(private readonly commands: string[]) {}

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), commands: this.commands };
  }

  initialize(): void {
    // Nothing of what the server can do depends on it.
  }

  getState(): { kind: "static" } {
    return { kind: "static" };
  }

  clear(): void {
    // It holds nothing.
  }
}

/** A server's process, from its start to its end, and the last that it said. */
class ServerProcess {
  said = "";
  private readonly waiting = new Set<(error: Error) => void>();

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.setEncoding("utf8").on("data", (part: string) => (this.said = (this.said + part).slice(-4000)));
    child.once("exit", () => {
      const gone = new ResponseError(ErrorCodes.PendingResponseRejected, "the server has ended");
      for (const reject of this.waiting) reject(gone);
    });
  }

  /**
   * An answer, or that the process has ended. The library leaves what was asked of a server without an answer for ever when that server
   * did not stop in time; whoever asked, as a hover that says that it is loading, would wait for ever, too.
   */
  answer<T>(asked: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      asked.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  static async start(program: Program): Promise<ServerProcess> {
    const child = spawn(program.path, ["lsp", "--stdio"], { stdio: "pipe" });
    const started = new ServerProcess(child);
    try {
      await once(child, "spawn");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw program_fault(program.path, start_fault(code, message), program.from_setting);
    }
    // A server that ends while something is being written to it is told of by its end.
    child.stdin.on("error", () => undefined);
    return started;
  }

  /** A process whose streams have closed ends soon, and then says how. */
  async wait_for_end(): Promise<void> {
    const clock = new AbortController();
    const ended = once(this.child, "exit", { signal: clock.signal }).catch(() => undefined);
    const timer = setTimeout(() => { clock.abort(); }, end_within_ms);
    if (!this.ended) await ended;
    clearTimeout(timer);
    clock.abort();
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(): void {
    if (!this.ended) this.child.kill("SIGKILL");
  }
}

export class Server {
  private client: LanguageClient | undefined;
  private process: ServerProcess | undefined;
  private readonly trace: vscode.OutputChannel;
  private readonly deaths = new Deaths();
  /** The program that has run as a server here: when it dies early another time, the program is not what is wrong. */
  private proven: string | undefined;
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
    private readonly commands: string[],
    private readonly hovered: () => void,
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
      this.deaths.forget();
      await this.start_now();
    });
  }

  show_trace(): void {
    this.trace.show();
  }

  program(): Promise<Program> {
    return find_program(this.context.extensionPath);
  }

  /** The kernels of a document, in its order: what the server has a lens for, where its outline puts it. */
  async kernels(document: vscode.TextDocument): Promise<Kernel[]> {
    const client = await this.ready();
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const [lenses, symbols] = await Promise.all([
      client.sendRequest(CodeLensRequest.type, { textDocument }),
      client.sendRequest(DocumentSymbolRequest.type, { textDocument }),
    ]);
    const kernels = (lenses ?? []).flatMap((lens) => kernel_of_lens(lens, symbols ?? []));
    return kernels.sort((a, b) => a.first_line - b.first_line);
  }

  /** What the server answers about a document to a request of its own. */
  async ask(method: string, document: vscode.TextDocument, params: object): Promise<unknown> {
    const client = await this.ready();
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    return client.sendRequest<unknown>(method, { textDocument, ...params });
  }

  /** A request that takes long: with progress, and a button that ends it. Undefined: it was ended. */
  async ask_at_length(title: string, method: string, document: vscode.TextDocument, params: object): Promise<unknown> {
    const client = await this.ready();
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (progress, cancel) => {
      const token = randomUUID();
      let so_far = 0;
      const heard = client.onProgress(WorkDoneProgress.type, token, (told) => {
        if (told.kind !== "report") return;
        const percentage = told.percentage ?? so_far;
        progress.report({ increment: percentage - so_far, ...(told.message === undefined ? {} : { message: told.message }) });
        so_far = percentage;
      });
      try {
        return await client.sendRequest<unknown>(method, { textDocument, ...params, workDoneToken: token }, cancel);
      } catch (error) {
        if (cancel.isCancellationRequested) return undefined;
        throw error;
      } finally {
        heard.dispose();
      }
    });
  }

  private async ready(): Promise<LanguageClient> {
    await this.pending;
    if (this.client === undefined || !this.running) {
      throw new Failure("server", "The language server is not running.", ["Restart Server", "Show Log"]);
    }
    return this.client;
  }

  /** What the machine offers, asked of the program; undefined where it does not say. */
  async machine(): Promise<Machine | undefined> {
    const { path } = await this.program();
    const work = { command: path, args: ["doctor", "--json"], cwd: this.context.extensionPath, input: "", seconds: 20 };
    return parse_machine((await execute(work, never)).stdout);
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(step, step);
    return this.pending;
  }

  private async start_now(): Promise<void> {
    if (this.client !== undefined) return;
    try {
      const program = await this.program();
      this.log.info(`starting ${program.path} lsp --stdio`);
      this.status.show({ state: "starting", program: program.path });
      const version = await this.start_program(program);
      this.log.info(`running version ${version ?? "unknown"}`);
      this.status.show({ state: "running", program: program.path, version });
      void this.look_at_machine();
    } catch (error) {
      this.client = undefined;
      this.report_failure(error instanceof Failure ? error : new Failure("server", String(error), ["Restart Server", "Show Log"]));
    }
  }

  /** The version of the server that answered. */
  private async start_program(program: Program): Promise<string | undefined> {
    const process = await ServerProcess.start(program);
    const client = this.create_client(process);
    this.client = client;
    this.process = process;
    // Its end closes its streams, and with them the client's start.
    const waiting = { too_long: false };
    const patience = setTimeout(() => {
      waiting.too_long = true;
      process.kill();
    }, answer_within_ms);
    try {
      await client.start();
      // The library's promise is fulfilled, too, when the server ends while it starts.
      if (client.state !== State.Running) throw new Error("it ended");
      this.proven = program.path;
      return client.initializeResult?.serverInfo?.version;
    } catch (error) {
      if (!waiting.too_long) await process.wait_for_end();
      const words = waiting.too_long ? silence : this.start_words(process, error);
      await dispose_of(client, process);
      if (this.proven === program.path && !waiting.too_long) {
        this.client = undefined;
        if (this.deaths.note(Date.now())) return await this.start_program(program);
        throw this.too_many_deaths();
      }
      throw program_fault(program.path, words, program.from_setting);
    } finally {
      clearTimeout(patience);
    }
  }

  private start_words(process: ServerProcess, error: unknown): string {
    const { exitCode, signalCode } = process.child;
    const why = process.ended ? end_words(exitCode, signalCode, process.said) : `gives no answer that can be read (${error instanceof Error ? error.message : String(error)})`;
    return `does not run as a language server here: it ${why}`;
  }

  private async stop_now(): Promise<void> {
    const { client, process } = this;
    this.client = undefined;
    this.process = undefined;
    if (client !== undefined) await dispose_of(client, process);
    this.status.show({ state: "stopped" });
  }

  private create_client(process: ServerProcess): LanguageClient {
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
      middleware: {
        sendRequest: (type, param, token, next) => process.answer(next(type, param, token)),
        provideHover: async (document, position, token, next) => {
          const hover = await next(document, position, token);
          if (hover) this.hovered();
          return hover;
        },
      },
    };
    const client = new QuietClient("phobos", "Phobos", () => Promise.resolve(process.child), options);
    client.registerFeature(new Commands(this.commands));
    client.onDidChangeState(({ oldState, newState }) => {
      const died = oldState === State.Running && newState === State.Stopped && client === this.client;
      if (died) void this.enqueue(() => this.server_died(client));
    });
    return client;
  }

  private async server_died(client: LanguageClient): Promise<void> {
    if (client !== this.client) return;
    this.client = undefined;
    await dispose_of(client, this.process);
    if (this.deaths.note(Date.now())) {
      this.log.warn("the language server ended unexpectedly and is started again");
      return this.start_now();
    }
    this.report_failure(this.too_many_deaths());
  }

  private too_many_deaths(): Failure {
    return new Failure(
      "server",
      `The language server ended ${this.deaths.count} times within ${this.deaths.window_ms / 60000} minutes and ` +
        "stays stopped. The log has what it said last.",
      ["Restart Server", "Show Log"],
    );
  }

  private report_failure(failure: Failure): void {
    this.log.error(failure.message);
    this.status.show({ state: "failed", layer: failure.layer, message: failure.message });
    void offer(failure);
  }

  private async look_at_machine(): Promise<void> {
    try {
      this.status.show_machine(await this.machine());
    } catch (error) {
      this.log.warn(`what this machine offers is not known: ${String(error)}`);
    }
  }
}

const silence = `does not answer as a language server: nothing came within ${answer_within_ms / 1000} s`;

async function dispose_of(client: LanguageClient, process: ServerProcess | undefined): Promise<void> {
  try {
    await client.dispose(stop_within_ms);
  } catch {
    // A client whose server is gone or does not answer has nothing left that could be stopped.
  }
  process?.kill();
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
