import * as vscode from "vscode";

export type Health =
  | { state: "starting"; program: string }
  | { state: "running"; program: string; version: string | undefined }
  | { state: "stopped" }
  | { state: "failed"; message: string };

/** The status item: seen while a Phobos file is, it names the state of the server and acts on a click. */
export class ServerStatus implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("phobos.server", { language: "phobos" });

  constructor() {
    this.item.name = "Phobos language server";
    this.show({ state: "stopped" });
  }

  show(health: Health): void {
    const severity = vscode.LanguageStatusSeverity;
    this.item.busy = health.state === "starting";
    this.item.severity = health.state === "failed" ? severity.Error : severity.Information;
    this.item.command =
      health.state === "failed" || health.state === "stopped"
        ? { command: "phobos.restartServer", title: "Restart" }
        : { command: "phobos.showLog", title: "Show Log" };
    this.item.text = text_of(health);
    this.item.detail = detail_of(health);
  }

  dispose(): void {
    this.item.dispose();
  }
}

function text_of(health: Health): string {
  switch (health.state) {
    case "starting":
      return "Phobos: starting";
    case "running":
      return `Phobos ${health.version ?? ""}`.trimEnd();
    case "stopped":
      return "Phobos: stopped";
    case "failed":
      return "Phobos: the server does not run";
  }
}

function detail_of(health: Health): string {
  switch (health.state) {
    case "starting":
    case "running":
      return health.program;
    case "stopped":
      return "Kernels are not analysed";
    case "failed":
      return health.message;
  }
}
