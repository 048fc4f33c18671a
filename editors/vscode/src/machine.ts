// What this machine offers, by `phobos doctor --json`.

import { parse_object, string_of } from "./json";

export interface Machine {
  version: string;
  /** The GPU's name and chip, or undefined. */
  gpu: string | undefined;
  /** Why there is none. */
  gpu_missing: string;
  ptxas: string;
}

export function parse_machine(text: string): Machine | undefined {
  const document = parse_object(text);
  if (document === undefined || string_of(document["version"]) === "") return undefined;
  const name = string_of(document["gpu"]);
  const chip = string_of(document["chip"]);
  return {
    version: string_of(document["version"]),
    gpu: name === "" ? undefined : chip === "" ? name : `${name} (${chip})`,
    gpu_missing: string_of(document["gpu_missing"]),
    ptxas: string_of(document["ptxas"]),
  };
}

/** Where kernels will run, in a word or two. */
export function device_words(machine: Machine | undefined, choice: string): string {
  if (choice === "sim") return "simulator";
  if (choice === "emulate") return "emulator";
  if (machine === undefined) return "";
  if (machine.gpu !== undefined) return machine.gpu;
  return choice === "gpu" ? "no GPU" : "simulator";
}
