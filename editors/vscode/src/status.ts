// The status item: seen while a Phobos file is; version, device and health at a glance, the rest on hover, what can be done on a click.

import * as vscode from "vscode";
import type { Layer } from "./failure";
import { device_words, type Machine } from "./machine";

export type Health =
  | { state: "starting"; program: string }
  | { state: "running"; program: string; version: string | undefined }
  | { state: "stopped" }
  | { state: "failed"; layer: Layer; message: string };

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("phobos.status", vscode.StatusBarAlignment.Right, 100);
  private readonly watching: vscode.Disposable[];
  private health: Health = { state: "stopped" };
  private machine: Machine | undefined;

  constructor() {
    this.item.name = "Phobos";
    this.item.command = "phobos.showStatus";
    this.watching = [
      vscode.window.onDidChangeActiveTextEditor(() => { this.draw(); }),
      vscode.workspace.onDidCloseTextDocument(() => { this.draw(); }),
      vscode.workspace.onDidOpenTextDocument(() => { this.draw(); }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("phobos")) this.draw();
      }),
    ];
    this.draw();
  }

  show(health: Health): void {
    this.health = health;
    this.draw();
  }

  show_machine(machine: Machine | undefined): void {
    this.machine = machine;
    this.draw();
  }

  dispose(): void {
    vscode.Disposable.from(this.item, ...this.watching).dispose();
  }

  /** What can be done in this state: titles and commands. */
  actions(): { label: string; command: string }[] {
    const running = this.health.state === "running" || this.health.state === "starting";
    return [
      ...(running ? [] : [{ label: "$(play) Start Language Server", command: "phobos.startServer" }]),
      { label: "$(refresh) Restart Language Server", command: "phobos.restartServer" },
      ...(running ? [{ label: "$(stop-circle) Stop Language Server", command: "phobos.stopServer" }] : []),
      { label: "$(output) Show Log", command: "phobos.showLog" },
      { label: "$(list-flat) Show Protocol Trace", command: "phobos.showTrace" },
      { label: "$(device-desktop) Show What This Machine Offers", command: "phobos.doctor" },
      { label: "$(color-mode) Shade Control by Kind", command: "phobos.toggleShade" },
      { label: "$(gear) Settings", command: "phobos.openSettings" },
    ];
  }

  private draw(): void {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "phobos") {
      // While another kind of panel has the focus, a result for one, it stays.
      if (editor !== undefined || !vscode.window.visibleTextEditors.some(({ document }) => document.languageId === "phobos")) {
        this.item.hide();
        return;
      }
    }
    const { health } = this;
    const device = device_words(this.machine, device_choice());
    const version = health.state === "running" ? (health.version ?? "") : "";
    const words = ["Phobos", version, device && `· ${device}`].filter((word) => word !== "").join(" ");
    this.item.text = `${icon_of(health)} ${health.state === "running" ? words : `Phobos: ${word_of(health)}`}`;
    this.item.backgroundColor = background_of(health);
    this.item.accessibilityInformation = { label: `Phobos: ${word_of(health)}${device && `, kernels run on: ${device}`}`, role: "button" };
    this.item.tooltip = this.tooltip(device);
    this.item.show();
  }

  private tooltip(device: string): vscode.MarkdownString {
    const { health, machine } = this;
    const text = new vscode.MarkdownString(undefined, true);
    const line = (name: string, value: string): void => {
      text.appendMarkdown(`**${name}:** `).appendText(value).appendMarkdown("  \n");
    };
    line("Language server", word_of(health));
    if (health.state === "failed") text.appendText(health.message).appendMarkdown("\n\n");
    if (health.state === "running" && health.version !== undefined) line("Version", health.version);
    if (health.state === "running" || health.state === "starting") line("Program", health.program);
    if (device !== "") line("Kernels run on", device);
    if (machine?.gpu === undefined && machine?.gpu_missing) line("No GPU", machine.gpu_missing);
    if (!vscode.workspace.isTrusted) line("Trust", "kernels are not run in a workspace that is not trusted");
    const links = this.actions().filter(({ command }) => linked.includes(command));
    text.appendMarkdown(`\n\n---\n\n${links.map(({ label, command }) => `[${label}](command:${command})`).join("  \n")}`);
    text.isTrusted = { enabledCommands: linked };
    return text;
  }
}

/** What can be done from the item's hover, too. */
const linked = ["phobos.startServer", "phobos.restartServer", "phobos.stopServer", "phobos.showLog"];

function device_choice(): string {
  return vscode.workspace.getConfiguration("phobos", vscode.window.activeTextEditor?.document).get<string>("run.device", "auto");
}

function background_of(health: Health): vscode.ThemeColor | undefined {
  if (health.state === "failed") return new vscode.ThemeColor("statusBarItem.errorBackground");
  return health.state === "stopped" ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
}

function icon_of(health: Health): string {
  switch (health.state) {
    case "starting":
      return "$(loading~spin)";
    case "running":
      return "$(check)";
    case "stopped":
      return "$(circle-slash)";
    case "failed":
      return "$(error)";
  }
}

function word_of(health: Health): string {
  switch (health.state) {
    case "starting":
      return "starting";
    case "running":
      return "running";
    case "stopped":
      return "stopped";
    case "failed":
      return health.layer === "configuration" ? "a setting is wrong" : "the server does not run";
  }
}
