// Which lines run under control that is not uniform, by what `phobos kinds --all --json` says of each statement.

import { list_of, object_of, parse_object, range_of, string_of } from "./json";

export type Kind = "warp-uniform" | "varying";

export interface Region {
  kind: Kind;
  first_line: number;
  last_line: number;
  /** Why, from effect to cause. */
  reason: string[];
}

/** In the order of the lines; undefined: the text is no such document. */
export function regions_of(text: string): Region[] | undefined {
  const document = parse_object(text);
  if (document === undefined) return undefined;
  const statements = list_of(document["values"], object_of).flatMap((value) => {
    const kind = string_of(value["kind"]);
    if (value["what"] !== "control" || (kind !== "varying" && kind !== "warp-uniform")) return [];
    const { start, end } = range_of(value["range"]);
    const reason = list_of(value["reason"], (step) => string_of(object_of(step)["message"]));
    return [{ kind, first_line: start.line, last_line: end.line, reason } satisfies Region];
  });
  // A statement's lines are its own, unless one inside of it is of another kind.
  const lines = new Map<number, Region>();
  for (const statement of statements.sort((a, b) => a.first_line - b.first_line || b.last_line - a.last_line)) {
    for (let line = statement.first_line; line <= statement.last_line; line++) lines.set(line, statement);
  }
  const regions: Region[] = [];
  for (const [line, { kind, reason }] of [...lines].sort(([a], [b]) => a - b)) {
    const last = regions.at(-1);
    if (last?.last_line === line - 1 && last.kind === kind && last.reason.join() === reason.join()) last.last_line = line;
    else regions.push({ kind, first_line: line, last_line: line, reason });
  }
  return regions;
}
