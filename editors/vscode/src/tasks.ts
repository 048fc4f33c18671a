// Tasks of type `phobos`: check, test and build of the file in the editor, and check and test of all files of a folder.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import type { Server } from "./server";
import { run_settings } from "./settings";

interface Definition extends vscode.TaskDefinition {
  task: "check" | "test" | "build";
  /** Without them: all of the folder. */
  files?: string[];
}

const kinds = ["check", "test", "build"];

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly server: Server) {}

  provideTasks(): vscode.Task[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const editor = vscode.window.activeTextEditor?.document;
    const own = editor?.languageId === "phobos" && editor.uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(editor.uri) : undefined;
    const tasks: vscode.Task[] = [];
    if (own !== undefined && editor !== undefined) {
      const files = [vscode.workspace.asRelativePath(editor.uri, false)];
      for (const task of ["check", "test", "build"] as const) tasks.push(this.task({ type: "phobos", task, files }, own));
    }
    for (const folder of folders) {
      for (const task of ["check", "test"] as const) tasks.push(this.task({ type: "phobos", task }, folder));
    }
    return tasks;
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Definition;
    const folder = typeof task.scope === "object" ? task.scope : vscode.workspace.workspaceFolders?.[0];
    return folder === undefined || !kinds.includes(definition.task) ? undefined : this.task(definition, folder);
  }

  private task(definition: Definition, folder: vscode.WorkspaceFolder): vscode.Task {
    const { task } = definition;
    const execution = new vscode.CustomExecution((resolved) => {
      const { files } = resolved as Definition;
      return Promise.resolve(new TaskTerminal(async () => {
        const program = await this.server.program();
        const which = files ?? (await files_of(folder));
        if (which.length === 0) throw new Error(`there are no Phobos files in ${folder.name}`);
        const device = task === "test" ? ["--device", run_settings(folder).device] : [];
        return { program: program.path, args: [task, ...which, ...device], cwd: folder.uri.fsPath };
      }));
    });
    const name = definition.files === undefined ? `${task} all files` : `${task} ${definition.files.join(" ")}`;
    // The paths that are printed are those that are given. To look for each of them, as matchers for the output of others do, takes time
    // that the editor does not wait for at the end. Running a kernel needs a workspace that is trusted, which VS Code asks for before any task runs.
    const made = new vscode.Task(definition, folder, name, "phobos", execution, task === "test" ? ["$phobos-test-here", "$phobos-here"] : ["$phobos-here"]);
    made.group = task === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    made.detail = details[task];
    return made;
  }
}

const details = { check: "The diagnostics, as problems", test: "Every run line that expects something; failures are problems", build: "The PTX of one file" };

interface CommandLine {
  program: string;
  args: string[];
  cwd: string;
}

/** Asks a terminal whether it is there, which it answers once it has read all that came before. */
const are_you_there = "\x1b[5n";
const here = "\x1b[0n";
const interrupt = "\x03";
/** A terminal that does not answer is not waited for longer. */
const patience_ms = 5000;
/** A process that ends with an error sooner is one that could not be started, to the editor. */
const least_ms = 600;

/**
 * A program in a task's terminal. The editor reads problems from a terminal's lines until its process ends, and a short process has
 * ended before its last lines are read. So the process here is only begun, and only ended, when the terminal has answered.
 */
class TaskTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<number>();
  private child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  private answered: () => void = () => undefined;
  private cancelled = false;

  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;

  constructor(private readonly command_line: () => Promise<CommandLine>) {}

  open(): void {
    void this.run();
  }

  close(): void {
    this.cancelled = true;
    this.child?.kill("SIGKILL");
  }

  handleInput(data: string): void {
    if (data.includes(here)) this.answered();
    if (data.includes(interrupt)) this.close();
  }

  private async run(): Promise<void> {
    await this.answer();
    const begun = Date.now();
    let status = 1;
    try {
      status = await this.run_program(await this.command_line());
    } catch (error) {
      this.write(`phobos: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    await this.answer();
    if (status !== 0) await new Promise((resolve) => setTimeout(resolve, begun + least_ms - Date.now()));
    this.closed.fire(status);
  }

  private run_program({ program, args, cwd }: CommandLine): Promise<number> {
    this.write(`\x1b[2m> phobos ${args.join(" ")}\x1b[0m\n`);
    return new Promise((resolve, reject) => {
      if (this.cancelled) {
        resolve(130);
        return;
      }
      const child = spawn(program, [...args, "--color", "always"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
      this.child = child;
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part: string) => { this.write(part); });
      child.on("error", reject);
      child.on("close", (status) => { resolve(status ?? 130); });
    });
  }

  private write(text: string): void {
    this.written.fire(text.replace(/\r?\n/g, "\r\n"));
  }

  private answer(): Promise<void> {
    return new Promise((resolve) => {
      const clock = setTimeout(resolve, patience_ms);
      this.answered = (): void => {
        clearTimeout(clock);
        resolve();
      };
      this.written.fire(are_you_there);
    });
  }
}

async function files_of(folder: vscode.WorkspaceFolder): Promise<string[]> {
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, "**/*.ph"));
  return found.map((uri) => vscode.workspace.asRelativePath(uri, false)).sort();
}
