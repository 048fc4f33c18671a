// The extension knows no language: it starts the server, shows what the server says, and draws the results of runs. Commands are
// registered before anything that can fail, so that each of them can say what is wrong and how it is mended.

import * as vscode from "vscode";
import { CodeView } from "./code_view";
import { example } from "./example";
import { Findings } from "./findings";
import { HierarchyView } from "./hierarchy";
import { OutputPages } from "./output_page";
import { ResultView } from "./result_view";
import { end_all } from "./process";
import { RunCommand } from "./run_command";
import { RunForm } from "./run_form";
import { Server } from "./server";
import { Shading } from "./shade";
import { shade_setting } from "./settings";
import { Status } from "./status";
import { Stepper } from "./stepper";
import { Tasks } from "./tasks";
import { Tests } from "./tests";
import { Tuner } from "./tuner";
import { type Seen, Walkthrough } from "./walkthrough";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Phobos", { log: true });
  const status = new Status();
  const walkthrough = new Walkthrough();
  const seen = (what: Seen) => (): void => { walkthrough.note(what); };
  server = new Server(context, log, status, ["phobos.run", "phobos.simulate", "phobos.compare", "phobos.step", "phobos.tune", "phobos.report"], seen("hover"));
  const form = new RunForm(context.workspaceState);
  const findings = new Findings();
  const run = new RunCommand(server, new ResultView(context), form, findings, log, seen("run"));
  const pages = new OutputPages(server);
  const stepper = new Stepper(context, server);
  const hierarchy = new HierarchyView(context, server, stepper);
  const code = new CodeView(server);
  const tuner = new Tuner(context, server);
  const own = server;
  const commands: Record<string, (target?: unknown) => unknown> = {
    "phobos.run": (target) => run.run_command(target),
    "phobos.runWithArguments": (target) => run.run_command(target, { asks: true }),
    "phobos.simulate": (target) => run.run_command(target, { settings: { device: "sim", compare: false } }),
    "phobos.compare": (target) => run.run_command(target, { settings: { compare: true } }),
    "phobos.step": (target) => run.step(target, stepper),
    "phobos.tune": (target) => run.tune(target, tuner),
    "phobos.toBarrier": () => stepper.go_to("barrier"),
    "phobos.toBarrierBefore": () => stepper.go_to("barrier", true),
    "phobos.toDivergence": () => stepper.go_to("divergence"),
    "phobos.pickLane": () => stepper.ask_lane(),
    "phobos.showLanes": () => { stepper.show(); },
    "phobos.showHierarchy": () => { hierarchy.show(); },
    "phobos.showPtx": (target) => run.attempt(target, () => code.show(target, "ptx")),
    "phobos.showSass": (target) => run.attempt(target, () => code.show(target, "sass")),
    "phobos.cancelRuns": () => { run.cancel(); },
    "phobos.report": (target) => run.report(target, pages),
    "phobos.startServer": () => own.start(),
    "phobos.stopServer": () => own.stop(),
    "phobos.restartServer": () => own.restart(),
    "phobos.showLog": () => { log.show(); },
    "phobos.showTrace": () => show_trace(own),
    "phobos.showStatus": () => choose_action(status),
    "phobos.doctor": () => pages.show("What this machine offers", ["doctor"], "", vscode.ViewColumn.Active),
    "phobos.toggleShade": choose_shade,
    "phobos.openSettings": () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:phobos.phobos"),
    "phobos.openWalkthrough": () => walkthrough.open(),
    "phobos.openExample": async () => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "phobos", content: example }));
    },
  };

  const look = (document: vscode.TextDocument): void => {
    if (document.languageId === "phobos") seen("kernel")();
  };
  vscode.workspace.textDocuments.forEach(look);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    log,
    status,
    findings,
    pages,
    code,
    ...Object.entries(commands).map(([name, does]) => vscode.commands.registerCommand(name, does)),
    new Tests(server, log, seen("test")),
    new Shading(server),
    vscode.tasks.registerTaskProvider("phobos", new Tasks(server)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("phobos.server.path")) void server?.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
  );
  await server.start();
}

export async function deactivate(): Promise<void> {
  end_all();
  await server?.stop();
}

async function show_trace(server: Server): Promise<void> {
  server.show_trace();
  const settings = vscode.workspace.getConfiguration("phobos");
  if (settings.get("trace.server") !== "off") return;
  const turn_on = "Write Messages";
  const picked = await vscode.window.showInformationMessage("Phobos: no messages are written while `phobos.trace.server` is off.", turn_on);
  if (picked === turn_on) await settings.update("trace.server", "messages", vscode.ConfigurationTarget.Global);
}

async function choose_action(status: Status): Promise<void> {
  const picked = await vscode.window.showQuickPick(status.actions(), { title: "Phobos" });
  if (picked !== undefined) await vscode.commands.executeCommand(picked.command);
}

async function choose_shade(): Promise<void> {
  const now = shade_setting();
  const choices = [
    { label: "Off", shade: "off" },
    { label: "A bar beside the lines", shade: "bar" },
    { label: "A background", shade: "background" },
    { label: "Both", shade: "both" },
  ].map((choice) => ({ ...choice, description: choice.shade === now ? "now" : "" }));
  const title = "Shade lines under control that differs between lanes or warps";
  const picked = await vscode.window.showQuickPick(choices, { title });
  if (picked === undefined) return;
  await vscode.workspace.getConfiguration("phobos").update("kinds.shade", picked.shade, vscode.ConfigurationTarget.Global);
}
