// What can fail, by the layer that it lies in, each with what mends it.

export type Remedy = "Restart Server" | "Open Setting" | "Show Log" | "Use Simulator" | "Show Machine";

/** `server`: the language server; `configuration`: a setting; `driver`: the GPU and what leads to it; `kernel`: the source. */
export type Layer = "server" | "configuration" | "driver" | "kernel";

export class Failure extends Error {
  constructor(
    readonly layer: Layer,
    message: string,
    readonly remedies: Remedy[],
    /** Which setting the remedy opens. */
    readonly setting = "phobos.server.path",
  ) {
    super(message);
  }
}

/** Whatever was thrown. */
export function failure_of(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure("server", error instanceof Error ? error.message : String(error), ["Restart Server", "Show Log"]);
}

/** What is wrong with the file that should be the program. */
export function program_fault(path: string, fault: string, from_setting: boolean): Failure {
  if (from_setting) {
    const remedy = "Correct the setting `phobos.server.path`, or clear it to use the program that comes with the extension.";
    return new Failure("configuration", `The program ${path} ${fault}. ${remedy}`, ["Open Setting", "Show Log"]);
  }
  const remedy = "Install the extension for this platform, or name a program in the setting `phobos.server.path`.";
  return new Failure("server", `The program ${path} ${fault}. ${remedy}`, ["Open Setting", "Show Log"]);
}

/** In words, why the system did not start a file that is there. */
export function start_fault(code: string | undefined, message: string): string {
  switch (code) {
    case "ENOEXEC":
      return "is not for this machine's processor or system";
    case "EACCES":
      return "may not be executed";
    case "ENOENT":
      return "needs something to be started that is not here, as another C library";
    default:
      return `cannot be started (${message})`;
  }
}

/** How a server ended that had not answered. */
export function end_words(status: number | null, signal: string | null, said: string): string {
  const last = said.trim().split("\n").at(-1)?.trim() ?? "";
  const how = signal === null ? `ended with status ${status ?? "unknown"}` : `was ended by ${signal}`;
  return last === "" ? `${how} before it answered` : `${how} before it answered, and said: ${last.slice(0, 300)}`;
}

/** A run that did not take place: the machine lacks what was asked for. */
export function driver_fault(status: number | undefined, message: string): Failure | undefined {
  if (status !== 3) return undefined;
  const remedy = "Choose `auto` or `sim` in the setting `phobos.run.device`, or run on the simulator this once.";
  return new Failure(
    "driver",
    `${message.replace(/\.?$/, ".")} ${remedy}`,
    ["Use Simulator", "Show Machine", "Open Setting"],
    "phobos.run.device",
  );
}

/** Counts the deaths of a server; after the last that is forgiven within the time it is not started again. */
export class Deaths {
  private times: number[] = [];

  constructor(
    private readonly forgiven = 5,
    readonly window_ms = 3 * 60 * 1000,
  ) {}

  get count(): number {
    return this.times.length;
  }

  /** One more. Whether the server may be started again. */
  note(now: number): boolean {
    this.times = [...this.times.filter((time) => now - time < this.window_ms), now];
    return this.times.length <= this.forgiven;
  }

  forget(): void {
    this.times = [];
  }
}
