// What the walkthrough's steps wait for. The editor counts a context only when it becomes true while the step is known, and never
// again in a session where it was true before; so each is true for a moment. What was done before the walkthrough is opened is
// said again then.

import * as vscode from "vscode";

export type Seen = "kernel" | "hover" | "run" | "test";

export class Walkthrough {
  private readonly seen = new Set<Seen>();

  note(what: Seen): void {
    this.seen.add(what);
    void pulse(what);
  }

  async open(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", "phobos.phobos#start");
    for (const what of this.seen) await pulse(what);
  }
}

async function pulse(what: Seen): Promise<void> {
  await vscode.commands.executeCommand("setContext", `phobos.seen.${what}`, true);
  await vscode.commands.executeCommand("setContext", `phobos.seen.${what}`, false);
}
