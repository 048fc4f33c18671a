// What `phobos tune --json` says, and how a kernel's text is changed so that the winner is its first choice.

import { is_object, list_of, number_of, object_of, string_of } from "./json";

export type Constants = Record<string, number>;

export interface Variant {
  constants: Constants;
  /** `timed`, or why it was not: `refused`, `slow`, `wrong`, `failed`. */
  status: string;
  ms: number | undefined;
  why: string;
}

export interface Tuned {
  kernel: string;
  ok: boolean;
  message: string;
  device: string;
  shape: string;
  space: number;
  /** The times are a model's, not a GPU's. */
  estimated: boolean;
  /** `phobos run` takes the winner from now on. */
  kept: boolean;
  seconds: number;
  best: { constants: Constants; ms: number } | undefined;
  default_ms: number | undefined;
  /** The fastest first, those that have no time last. */
  variants: Variant[];
}

export function parse_tuned(value: unknown, kernel: string): Tuned {
  const fields = object_of(value);
  const best = fields["best"];
  const variants = list_of(fields["variants"], (item): Variant => {
    const variant = object_of(item);
    return { constants: constants_of(variant["constants"]), status: string_of(variant["status"]), ms: time_of(variant["ms"]), why: string_of(variant["why"]) };
  });
  return {
    kernel: string_of(fields["kernel"]) || kernel,
    ok: fields["status"] === "ok",
    message: string_of(fields["message"]),
    device: string_of(fields["device"]),
    shape: words_of_constants(constants_of(fields["shape"])),
    space: number_of(fields["space"]),
    estimated: fields["estimated"] === true,
    kept: fields["kept"] === true,
    seconds: number_of(fields["seconds"]),
    best: is_object(best) ? { constants: constants_of(best["constants"]), ms: number_of(best["ms"]) } : undefined,
    default_ms: time_of(fields["default_ms"]),
    variants: variants.sort((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity)),
  };
}

function constants_of(value: unknown): Constants {
  return Object.fromEntries(Object.entries(object_of(value)).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

function time_of(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function words_of_constants(constants: Constants): string {
  return Object.entries(constants).map(([name, value]) => `${name}=${value}`).join(" ");
}

/** Two values of which the second is larger stand for those between them by doubling. */
export function choices_of(written: number[]): number[] {
  const [first, last] = written;
  if (written.length !== 2 || first === undefined || last === undefined || first >= last || first < 1) return written;
  const all = [];
  for (let value = first; value < last; value *= 2) all.push(value);
  return [...all, last];
}

export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** In the attributes above a kernel: each constant's value first among its choices. Offsets are into `attributes`. */
export function edits_for(attributes: string, constants: Constants): Edit[] {
  return Object.entries(constants).flatMap(([name, value]) => {
    const found = new RegExp(`\\b${name}(\\s+in\\s*)\\[([^\\]]*)\\]`).exec(attributes);
    if (found === null) return [];
    const choices = choices_of((found[2] ?? "").split(",").map(Number));
    if (choices[0] === value || !choices.every(Number.isInteger)) return [];
    const text = `${name}${found[1] ?? " in "}[${[value, ...choices.filter((choice) => choice !== value)].join(", ")}]`;
    return [{ from: found.index, to: found.index + found[0].length, text }];
  });
}
