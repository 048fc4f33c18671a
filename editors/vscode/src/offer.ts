// A failure told to the user, with what mends it as buttons.

import * as vscode from "vscode";
import type { Failure } from "./failure";

/** `on_simulator`: how the run that failed is repeated there. */
export async function offer(failure: Failure, on_simulator?: () => void): Promise<void> {
  const remedies = failure.remedies.filter((remedy) => remedy !== "Use Simulator" || on_simulator !== undefined);
  switch (await vscode.window.showErrorMessage(`Phobos: ${failure.message}`, ...remedies)) {
    case "Restart Server":
      return vscode.commands.executeCommand("phobos.restartServer");
    case "Open Setting":
      return vscode.commands.executeCommand("workbench.action.openSettings", failure.setting);
    case "Show Log":
      return vscode.commands.executeCommand("phobos.showLog");
    case "Show Machine":
      return vscode.commands.executeCommand("phobos.doctor");
    case "Use Simulator":
      on_simulator?.();
      return;
    default:
      return;
  }
}
