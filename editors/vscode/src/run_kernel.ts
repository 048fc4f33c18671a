// One kernel, run once, from the text as it is in the editor. The program gets the text on its standard
// input and stands in the file's folder, so that the paths of run lines mean what they mean on the command
// line. A process of its own: a kernel that hangs or kills it takes nothing else along.

import { spawn } from "node:child_process";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Program } from "./program";
import { failed, parse_run_result, type RunResult } from "./run_result";

const output_limit = 16 * 1024 * 1024;

interface Ended {
  status: number | undefined;
  signal: string | undefined;
  stdout: string;
  stderr: string;
}

/** The result of the run, or undefined when it was cancelled. Never throws: what fails is in the result. */
export async function run_kernel(
  program: Program,
  document: vscode.TextDocument,
  kernel: string,
  run_line: number | undefined,
  cancel: vscode.CancellationToken,
): Promise<RunResult | undefined> {
  const device = vscode.workspace.getConfiguration("phobos", document).get<string>("run.device", "auto");
  const args = ["run", "-", "--kernel", kernel, "--json", "--device", device];
  if (run_line !== undefined) args.push("--run-line", String(run_line));
  let ended: Ended;
  try {
    ended = await execute(program.path, args, folder_of(document), document.getText(), cancel);
  } catch (error) {
    return failed(kernel, error instanceof Error ? error.message : String(error));
  }
  if (cancel.isCancellationRequested) return undefined;
  return parse_run_result(ended.stdout, kernel) ?? failed(kernel, words_of(ended));
}

function folder_of(document: vscode.TextDocument): string {
  if (document.uri.scheme === "file") return path.dirname(document.uri.fsPath);
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
}

function words_of(ended: Ended): string {
  const said = ended.stderr.trim() || ended.stdout.trim();
  if (said !== "") return said.slice(0, 20000);
  if (ended.signal !== undefined) return `The program was ended by ${ended.signal} and said nothing.`;
  return `The program ended with status ${ended.status ?? "unknown"} and said nothing.`;
}

function execute(
  command: string,
  args: string[],
  cwd: string,
  input: string,
  cancel: vscode.CancellationToken,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    const cancelled = cancel.onCancellationRequested(() => child.kill("SIGKILL"));
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      stdout += part;
      if (stdout.length > output_limit) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      if (stderr.length < output_limit) stderr += part;
    });
    child.on("error", (error) => {
      cancelled.dispose();
      reject(new Error(`${command} could not be started in ${cwd}: ${error.message}`));
    });
    child.on("close", (status, signal) => {
      cancelled.dispose();
      resolve({ status: status ?? undefined, signal: signal ?? undefined, stdout, stderr });
    });
    // The program may refuse its arguments and end before it has read the text.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
