// Which kernel a command is about: the one that a lens names, else the one under the cursor.

import * as vscode from "vscode";
import { Failure } from "./failure";
import type { Kernel, Server } from "./server";

export interface Target {
  document: vscode.TextDocument;
  kernel: string;
  run_line: number | undefined;
  words: string[] | undefined;
}

export async function target_of(argument: unknown, server: Server): Promise<Target> {
  return (await target_of_lens(argument)) ?? (await target_under_cursor(server));
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

async function target_under_cursor(server: Server): Promise<Target> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "phobos") {
    throw new Failure("kernel", "Open a .ph file and put the cursor into a kernel.", []);
  }
  const kernel = kernel_at(await server.kernels(editor.document), editor.selection.active.line);
  if (kernel === undefined) throw new Failure("kernel", "There is no kernel in this file.", []);
  return { document: editor.document, kernel: kernel.name, run_line: undefined, words: undefined };
}

/** The kernel that has the line; between kernels the next one, whose comments and run lines are there. */
export function kernel_at(kernels: Kernel[], line: number): Kernel | undefined {
  return kernels.find((kernel) => line <= kernel.last_line) ?? kernels.at(-1);
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
