// What `phobos tune --json` says, and how a kernel's text is changed so that the winner is its first choice.

import { is_object, list, maybe, maybe_number_of, number_of, object_of, record, string_of, true_of } from "./json";

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

function constants_of(value: unknown): Constants {
  return Object.fromEntries(Object.entries(object_of(value)).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

const tuned_of = record<Omit<Tuned, "ok">>({
  kernel: string_of,
  message: string_of,
  device: string_of,
  shape: (value) => words_of_constants(constants_of(value)),
  space: number_of,
  estimated: true_of,
  kept: true_of,
  seconds: number_of,
  best: maybe(is_object, record<{ constants: Constants; ms: number }>({ constants: constants_of, ms: number_of })),
  default_ms: maybe_number_of,
  variants: (value) =>
    list(record<Variant>({ constants: constants_of, status: string_of, ms: maybe_number_of, why: string_of }))(value)
      .sort((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity)),
});

export function parse_tuned(value: unknown, kernel: string): Tuned {
  const tuned = tuned_of(value);
  return { ...tuned, kernel: tuned.kernel || kernel, ok: object_of(value)["status"] === "ok" };
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
