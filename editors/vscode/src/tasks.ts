// Tasks of type `phobos`: check, test and build of the file in the editor, and check and test of all files of a folder.

import * as vscode from "vscode";
import type { Server } from "./server";

interface Definition extends vscode.TaskDefinition {
  task: "check" | "test" | "build";
  /** Without them: all of the folder. */
  files?: string[];
}

const words = { check: "check", test: "test", build: "build" } as const;

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly server: Server) {}

  async provideTasks(): Promise<vscode.Task[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const editor = vscode.window.activeTextEditor?.document;
    const own = editor?.languageId === "phobos" && editor.uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(editor.uri) : undefined;
    const tasks: Promise<vscode.Task | undefined>[] = [];
    if (own !== undefined && editor !== undefined) {
      const files = [vscode.workspace.asRelativePath(editor.uri, false)];
      for (const task of ["check", "test", "build"] as const) tasks.push(this.task({ type: "phobos", task, files }, own));
    }
    for (const folder of folders) {
      for (const task of ["check", "test"] as const) tasks.push(this.task({ type: "phobos", task }, folder));
    }
    return (await Promise.all(tasks)).filter((task) => task !== undefined);
  }

  resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const definition = task.definition as Definition;
    const folder = typeof task.scope === "object" ? task.scope : vscode.workspace.workspaceFolders?.[0];
    return folder === undefined || !(definition.task in words) ? Promise.resolve(undefined) : this.task(definition, folder);
  }

  private async task(definition: Definition, folder: vscode.WorkspaceFolder): Promise<vscode.Task | undefined> {
    const { task, files = await files_of(folder) } = definition;
    if (files.length === 0) return undefined;
    const program = await this.server.program().catch(() => undefined);
    if (program === undefined) return undefined;
    const execution = new vscode.ProcessExecution(program.path, [words[task], ...files, "--color", "never"], { cwd: folder.uri.fsPath });
    const name = definition.files === undefined ? `${task} all files` : `${task} ${files.join(" ")}`;
    // Running a kernel needs a workspace that is trusted, which VS Code asks for before any task runs.
    const made = new vscode.Task(definition, folder, name, "phobos", execution, task === "test" ? ["$phobos-test", "$phobos"] : ["$phobos"]);
    made.group = task === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return made;
  }
}

async function files_of(folder: vscode.WorkspaceFolder): Promise<string[]> {
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, "**/*.ph"));
  return found.map((uri) => vscode.workspace.asRelativePath(uri, false)).sort();
}
