// What the compiler decided, by `phobos/report`.

import { is_object, list, maybe, number_of, object_of, type Range, range_of, record, string_of, true_of } from "./json";

export interface Decision {
  /** Undefined: it is of the whole kernel. */
  range: Range | undefined;
  what: string;
  path: string;
  reason: string;
  masked: boolean;
  fast: boolean;
}

export interface Report {
  chip: string;
  decisions: Decision[];
  /** In words; undefined: ptxas is not here. */
  resources: string | undefined;
  /** Why there is no code. */
  message: string;
}

const decisions_of = list(record<Decision>({
  range: maybe(is_object, range_of),
  what: string_of,
  path: string_of,
  reason: string_of,
  masked: true_of,
  fast: true_of,
}));

export function parse_report(value: unknown): Report {
  const { chip, decisions, resources, occupancy, message } = object_of(value);
  return {
    chip: string_of(chip),
    decisions: decisions_of(decisions),
    resources: is_object(resources) ? resource_words(resources, object_of(occupancy)) : undefined,
    message: string_of(message),
  };
}

function resource_words(resources: Record<string, unknown>, occupancy: Record<string, unknown>): string {
  const spilled = number_of(resources["spill_store_bytes"]);
  const share = typeof occupancy["share"] === "number" ? `, ${Math.round(occupancy["share"] * 100)} % of the warps that fit` : "";
  return `${number_of(resources["registers"])} registers, ${spilled === 0 ? "no spills" : `${spilled} bytes spilled`}${share}`;
}

/** The decisions of each line in a few words; on the kernel's own, what is of all of it. */
export function hints_of({ decisions, resources }: Report, kernel_line: number): { line: number; text: string; details: string[] }[] {
  const lines = new Map<number, { text: string; details: string }[]>();
  const add = (line: number, text: string, details: string): void => { lines.set(line, [...(lines.get(line) ?? []), { text, details }]); };
  if (resources !== undefined) add(kernel_line, resources, resources);
  for (const { range, what, path, reason, masked } of decisions)
    add(range?.start.line ?? kernel_line, `${first_word(what)}: ${shortened(path)}${masked ? ", masked" : ""}`, `${what}: ${path}${reason === "" ? "" : ` (${reason})`}`);
  return [...lines].map(([line, here]) => ({
    line,
    text: here.map(({ text }) => text).filter((text, i, all) => all.indexOf(text) === i).join(" · "),
    details: here.map(({ details }) => details),
  }));
}

function first_word(what: string): string {
  return /^[a-z]+/.exec(what)?.[0] ?? what;
}

/** Under which conditions, and what else, is in the details. */
function shortened(path: string): string {
  const head = path.replace(/, masked$/, "").split(/ where |, else /)[0] ?? path;
  return head.length <= 48 ? head : `${head.slice(0, 47)}…`;
}
