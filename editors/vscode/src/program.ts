// Which `phobos` program is used: the one that the setting names, else the one inside the extension.

import { access, constants, stat } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { program_fault } from "./failure";

export interface Program {
  path: string;
  from_setting: boolean;
}

/** The program, found to be an executable file. Throws a Failure that names the path and the remedy. */
export async function find_program(extension_path: string): Promise<Program> {
  const program = configured_program(extension_path);
  const fault = await fault_of(program.path);
  if (fault !== undefined) throw program_fault(program.path, fault, program.from_setting);
  return program;
}

function configured_program(extension_path: string): Program {
  const setting = vscode.workspace.getConfiguration("phobos").get<unknown>("server.path", "");
  if (typeof setting !== "string" || setting.trim() === "") {
    const name = process.platform === "win32" ? "phobos.exe" : "phobos";
    return { path: path.join(extension_path, "server", name), from_setting: false };
  }
  return { path: expand(setting.trim()), from_setting: true };
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
  const text = setting
    .replaceAll("${workspaceFolder}", folder)
    .replaceAll("${userHome}", os.homedir())
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? "");
  const from_home = text.startsWith("~/") ? path.join(os.homedir(), text.slice(2)) : text;
  return path.resolve(folder, from_home);
}
