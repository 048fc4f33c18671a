// What the compiler decided, by `phobos/report`.

import { is_object, list_of, number_of, object_of, type Range, range_of, string_of } from "./json";

export interface Decision {
  range: Range;
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

export function parse_report(value: unknown): Report {
  const fields = object_of(value);
  const resources = fields["resources"];
  return {
    chip: string_of(fields["chip"]),
    decisions: list_of(fields["decisions"], (item) => {
      const decision = object_of(item);
      return {
        range: range_of(decision["range"]),
        what: string_of(decision["what"]),
        path: string_of(decision["path"]),
        reason: string_of(decision["reason"]),
        masked: decision["masked"] === true,
        fast: decision["fast"] === true,
      };
    }),
    resources: is_object(resources) ? resource_words(resources, object_of(fields["occupancy"])) : undefined,
    message: string_of(fields["message"]),
  };
}

function resource_words(resources: Record<string, unknown>, occupancy: Record<string, unknown>): string {
  const spilled = number_of(resources["spill_store_bytes"]);
  const share = typeof occupancy["share"] === "number" ? `, ${Math.round(occupancy["share"] * 100)} % of the warps that fit` : "";
  return `${number_of(resources["registers"])} registers, ${spilled === 0 ? "no spills" : `${spilled} bytes spilled`}${share}`;
}

/** The decisions of each line, in a few words. */
export function hints_of(decisions: Decision[]): { line: number; text: string; details: string[] }[] {
  const lines = new Map<number, Decision[]>();
  for (const decision of decisions) lines.set(decision.range.start.line, [...(lines.get(decision.range.start.line) ?? []), decision]);
  return [...lines].map(([line, here]) => ({
    line,
    text: here.map(({ what, path }) => `${first_word(what)}: ${shortened(path)}`).filter((text, i, all) => all.indexOf(text) === i).join(" · "),
    details: here.map(({ what, path, reason }) => `${what}: ${path}${reason === "" ? "" : ` (${reason})`}`),
  }));
}

function first_word(what: string): string {
  return /^[a-z]+/.exec(what)?.[0] ?? what;
}

function shortened(path: string): string {
  return path.length <= 48 ? path : `${path.slice(0, 47)}…`;
}
