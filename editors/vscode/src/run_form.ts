// A kernel's arguments, asked for: a list in which each can be changed, with what is missing proposed. What was used last is
// remembered for each kernel, and can be written into the file as a run line.

import * as vscode from "vscode";
import { type Argument, arguments_of, fault_of, generators, values_of, words_of, words_of_line } from "./arguments";
import { execute, never } from "./process";
import type { Program } from "./program";
import { folder_of } from "./run_kernel";
import { kernels_of, run_line_edit } from "./run_lines";

const remembered = "phobos.arguments";

type Choice = vscode.QuickPickItem & ({ does: "run" | "write" } | { does: "change"; argument: Argument });

export class RunForm {
  constructor(private readonly memory: vscode.Memento) {}

  /** The words that were used last, or undefined. */
  last(document: vscode.TextDocument, kernel: string): string[] | undefined {
    return this.memory.get<string[]>(key_of(document, kernel));
  }

  /** The words to run the kernel with; undefined: nothing is to be run. Unless `always`, a kernel that needs none is not asked about. */
  async ask(program: Program, document: vscode.TextDocument, kernel: string, run_line: number | undefined, always: boolean): Promise<string[] | undefined> {
    const all = await this.arguments(program, document, kernel, run_line);
    // A kernel with errors has no contract; the run itself tells them.
    if (all === undefined) return [];
    if (!always && all.every(({ optional }) => optional)) return [];
    for (;;) {
      const choice = await this.choose(kernel, all);
      if (choice === undefined) return undefined;
      if (choice.does === "change") {
        const value = await ask_value(choice.argument);
        if (value !== undefined) choice.argument.value = value;
        continue;
      }
      const words = words_of(all);
      await this.memory.update(key_of(document, kernel), words);
      if (choice.does === "write") await write_run_line(document, kernel, words.join(" "));
      return words;
    }
  }

  private async arguments(program: Program, document: vscode.TextDocument, kernel: string, run_line: number | undefined): Promise<Argument[] | undefined> {
    const args = ["build", "-", "--kernel", kernel, "--emit", "contract"];
    const work = { command: program.path, args, cwd: folder_of(document), input: document.getText(), seconds: 20 };
    const contract = (await execute(work, never)).stdout;
    const lines = kernels_of(document.getText()).find(({ name }) => name === kernel)?.run_lines;
    const line = lines?.[run_line ?? 0];
    const before = run_line === undefined ? this.last(document, kernel) : undefined;
    const words = before ?? (line === undefined ? [] : words_of_line(line.text));
    return arguments_of(contract, values_of(words));
  }

  private async choose(kernel: string, all: Argument[]): Promise<Choice | undefined> {
    const words = words_of(all).join(" ");
    const faults = all.flatMap((argument) => fault_of(argument, argument.value) ?? []);
    const run: Choice[] =
      faults.length > 0
        ? []
        : [
            { label: "$(play) Run", description: words, does: "run" },
            { label: "$(save) Write This Run Line into the File, and Run", description: `//# run ${words}`, does: "write" },
            { label: "Arguments", kind: vscode.QuickPickItemKind.Separator, does: "run" },
          ];
    const changes = all.map((argument): Choice => {
      const fault = fault_of(argument, argument.value);
      const what = argument.kind === "grid" ? "how many CTAs" : [argument.kind, argument.type].filter((word) => word !== "").join(" ");
      const value = argument.value || (argument.kind === "dimension" ? "from a file" : argument.optional ? unset_words[argument.kind] ?? "unset" : "missing");
      const name = argument.kind === "grid" ? "grid" : argument.name;
      return { label: `${fault === undefined ? "$(edit)" : "$(warning)"} ${name} = ${value}`, description: fault ?? what, does: "change", argument };
    });
    return vscode.window.showQuickPick([...run, ...changes], { title: `Run ${kernel}`, placeHolder: "Run, or choose an argument to change", ignoreFocusOut: true });
  }
}

/** What an argument that may be left out is then. */
const unset = "Nothing: the kernel only writes it";
const unset_words: Partial<Record<Argument["kind"], string>> = { tensor: "what the kernel writes", constant: "its first choice", grid: "as inferred" };

const prompts: Partial<Record<Argument["kind"], string>> = {
  dimension: "How many elements; empty: as a file has it",
  grid: "CTAs along x, or along x, y and z: 4, or 4,3,2",
};

async function ask_value(argument: Argument): Promise<string | undefined> {
  const file = "A .npy file…";
  if (argument.kind === "tensor") {
    const other = "Other…";
    const picked = await vscode.window.showQuickPick([...(argument.optional ? [unset] : []), ...generators, file, other], {
      title: `${argument.name}: ${argument.type}`,
      placeHolder: "What the tensor holds",
    });
    if (picked === undefined) return undefined;
    if (picked === unset) return "";
    if (picked === file) {
      const chosen = await vscode.window.showOpenDialog({ filters: { NumPy: ["npy"] }, title: `${argument.name}: ${argument.type}` });
      return chosen?.[0]?.fsPath;
    }
    if (picked !== other) return picked;
  }
  return vscode.window.showInputBox({
    title: argument.kind === "grid" ? "The grid" : `${argument.name}${argument.type === "" ? "" : `: ${argument.type}`}`,
    prompt: prompts[argument.kind] ?? "",
    value: argument.value,
    validateInput: (value) => fault_of(argument, value.trim()),
  }).then((value) => value?.trim());
}

async function write_run_line(document: vscode.TextDocument, kernel: string, words: string): Promise<void> {
  const place = run_line_edit(document.getText(), kernel, words);
  if (place === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(place.line, 0), place.text);
  await vscode.workspace.applyEdit(edit);
}

function key_of(document: vscode.TextDocument, kernel: string): string {
  return `${remembered}:${document.uri.toString()}#${kernel}`;
}
