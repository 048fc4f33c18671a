// Which `phobos` program is used: the one that the setting names, else the one inside the extension.

import { access, constants, stat } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

export interface Program {
  path: string;
  from_setting: boolean;
}

/** Why the program cannot be started, in words for people. */
export class ProgramError extends Error {}

export function configured_program(extension_path: string): Program {
  const setting = vscode.workspace.getConfiguration("phobos").get<string>("server.path", "").trim();
  if (setting === "") {
    const name = process.platform === "win32" ? "phobos.exe" : "phobos";
    return { path: path.join(extension_path, "server", name), from_setting: false };
  }
  return { path: expand(setting), from_setting: true };
}

/** The program, found to be an executable file. Throws a ProgramError that names the path and the remedy. */
export async function find_program(extension_path: string): Promise<Program> {
  const program = configured_program(extension_path);
  const fault = await fault_of(program.path);
  if (fault === undefined) return program;
  const remedy = program.from_setting
    ? "Correct the setting `phobos.server.path`, or clear it to use the program that comes with the extension."
    : "Install the extension for this platform, or name a program in the setting `phobos.server.path`.";
  throw new ProgramError(`The program ${program.path} ${fault}. ${remedy}`);
}

async function fault_of(file: string): Promise<string | undefined> {
  try {
    if (!(await stat(file)).isFile()) return "is not a file";
  } catch {
    return "does not exist";
  }
  try {
    await access(file, constants.X_OK);
  } catch {
    return "may not be executed";
  }
  return undefined;
}

function expand(setting: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
  const text = setting.replaceAll("${workspaceFolder}", folder).replaceAll("${userHome}", os.homedir());
  const from_home = text.startsWith("~/") ? path.join(os.homedir(), text.slice(2)) : text;
  return path.resolve(folder, from_home);
}
