// One kernel, run once, from the text as it is in the editor. The program gets the text on its standard input and stands in the
// file's folder, so that the paths of run lines mean what they mean on the command line.

import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { driver_fault } from "./failure";
import { execute, words_of } from "./process";
import type { Program } from "./program";
import { failed, parse_run_result, type RunResult } from "./run_result";
import type { RunSettings } from "./settings";

export interface Run {
  kernel: string;
  /** Which of its run lines gives the arguments; without one, the first. */
  run_line: number | undefined;
  /** Arguments in the place of a run line. */
  words: string[] | undefined;
  /** Where the outputs are put. */
  folder: string;
}

/** The result of the run, or undefined when it was cancelled. Throws a Failure of the driver; all else that fails is in the result. */
export async function run_kernel(
  program: Program,
  document: vscode.TextDocument,
  { kernel, run_line, words, folder }: Run,
  { device, seconds, compare }: RunSettings,
  cancel: vscode.CancellationToken,
  log: vscode.LogOutputChannel,
): Promise<RunResult | undefined> {
  const args = ["run", "-", "--kernel", kernel, "--json", "--device", device, "--out-dir", folder, "--timeout", String(seconds)];
  if (compare) args.push("--compare", "sim");
  if (words !== undefined) args.push(...words);
  else if (run_line !== undefined) args.push("--run-line", String(run_line));
  const work = { command: program.path, args, cwd: folder_of(document), input: document.getText(), seconds };
  try {
    const ended = await execute(work, cancel);
    if (ended.gone_ms !== undefined) log.info(`${kernel} was ${ended.why === "late" ? "ended by its deadline" : "cancelled"}; its process was gone ${Math.round(ended.gone_ms)} ms later`);
    if (cancel.isCancellationRequested) return undefined;
    const result = parse_run_result(ended.stdout, kernel) ?? failed(kernel, words_of(ended, seconds));
    const fault = driver_fault(ended.status, result.message);
    if (fault !== undefined) throw fault;
    return result;
  } catch (error) {
    if (error instanceof Error && "layer" in error) throw error;
    return failed(kernel, error instanceof Error ? error.message : String(error));
  }
}

export function folder_of(document: vscode.TextDocument): string {
  if (document.uri.scheme === "file") return path.dirname(document.uri.fsPath);
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
}
