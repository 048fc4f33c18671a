// A run of the program, apart from any editor: it gets the text on its standard input, and ends at the latest when it is
// cancelled or its time is over. A process of its own: a kernel that hangs or kills it takes nothing else along.

import { type ChildProcess, spawn } from "node:child_process";

const output_limit = 16 * 1024 * 1024;

export interface Ended {
  status: number | undefined;
  signal: string | undefined;
  stdout: string;
  stderr: string;
  why: "ended" | "cancelled" | "late";
  /** From when it was cancelled, or late, to when it was gone; undefined: it ended by itself. */
  gone_ms: number | undefined;
}

export interface Work {
  command: string;
  args: string[];
  cwd: string;
  input: string;
  /** 0: as long as it takes. */
  seconds: number;
}

/** What an editor's cancellation token is, as far as this needs it. */
export interface Cancel {
  isCancellationRequested: boolean;
  onCancellationRequested(then: () => void): { dispose(): void };
}

export const never: Cancel = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

const running = new Set<ChildProcess>();

/** When the editor goes, what it has started goes with it: a kernel that hangs would stay for ever. */
export function end_all(): void {
  for (const child of running) child.kill("SIGKILL");
}

export function execute({ command, args, cwd, input, seconds }: Work, cancel: Cancel): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    let why: Ended["why"] = "ended";
    let killed: number | undefined;
    const kill = (reason: Ended["why"]): void => {
      if (why === "ended") why = reason;
      killed ??= performance.now();
      child.kill("SIGKILL");
    };
    const cancelled = cancel.onCancellationRequested(() => { kill("cancelled"); });
    const clock = seconds > 0 ? setTimeout(() => { kill("late"); }, seconds * 1000) : undefined;
    const done = (): void => {
      running.delete(child);
      cancelled.dispose();
      clearTimeout(clock);
    };
    if (cancel.isCancellationRequested) kill("cancelled");
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
      done();
      reject(new Error(`${command} could not be started in ${cwd}: ${error.message}`));
    });
    child.on("close", (status, signal) => {
      done();
      const gone_ms = killed === undefined ? undefined : performance.now() - killed;
      resolve({ status: status ?? undefined, signal: signal ?? undefined, stdout, stderr, why, gone_ms });
    });
    // The program may refuse its arguments and end before it has read the text.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** In words, why there is no document on its standard output. */
export function words_of(ended: Ended, seconds: number): string {
  if (ended.why === "late") {
    return `The run was ended after ${seconds} s, the time that the setting \`phobos.run.timeout\` gives it.`;
  }
  const said = ended.stderr.trim() || ended.stdout.trim();
  if (said !== "") return said.slice(0, 20000);
  if (ended.signal !== undefined) return `The program was ended by ${ended.signal} and said nothing.`;
  return `The program ended with status ${ended.status ?? "unknown"} and said nothing.`;
}
