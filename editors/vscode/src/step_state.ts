// What the debug adapter (`phobos dap`) says of a step: `phobos/state` and `phobos/table`.

import { list_of, number_of, object_of, string_of } from "./json";

export type Kind = "uniform" | "warp-uniform" | "varying";

export interface StepName {
  name: string;
  kind: Kind;
  type: string;
  /** Of a tile; else it has a value for each thread. */
  shape: number[] | undefined;
  /** By thread; null where it has none. */
  lanes: (string | null)[];
  /** This step wrote it. */
  written: boolean;
}

export interface StepTensor {
  name: string;
  type: string;
  shape: number[];
  /** Elements that this step stored to. */
  stored: number;
}

export interface StepState {
  step: number;
  steps: number;
  kernel: string;
  block: number[];
  threads: number;
  thread: number;
  line: number;
  text: string;
  active: Set<number>;
  event: string;
  message: string;
  printed: string[];
  names: StepName[];
  condition: StepName | undefined;
  tensors: StepTensor[];
}

export interface StepTable {
  name: string;
  type: string;
  shape: number[];
  rows: number;
  columns: number;
  row: number;
  column: number;
  cells: string[][];
  written: boolean[][];
  stored: number;
  low: number | undefined;
  high: number | undefined;
  heat: { rows: number; columns: number; means: (number | undefined)[]; written: boolean[] };
}

export function parse_state(value: unknown): StepState {
  const fields = object_of(value);
  return {
    step: number_of(fields["step"]),
    steps: number_of(fields["steps"]),
    kernel: string_of(fields["kernel"]),
    block: list_of(fields["block"], number_of),
    threads: number_of(fields["threads"]),
    thread: number_of(fields["thread"]),
    line: number_of(fields["line"]),
    text: string_of(fields["text"]),
    active: new Set(list_of(fields["active"], number_of)),
    event: string_of(fields["event"]),
    message: string_of(fields["message"]),
    printed: list_of(fields["printed"], string_of),
    names: list_of(fields["names"], name_of),
    condition: fields["condition"] === undefined ? undefined : { ...name_of(fields["condition"]), written: true },
    tensors: list_of(fields["tensors"], (item) => {
      const tensor = object_of(item);
      return { name: string_of(tensor["name"]), type: string_of(tensor["type"]), shape: list_of(tensor["shape"], number_of), stored: number_of(tensor["stored"]) };
    }),
  };
}

function name_of(value: unknown): StepName {
  const fields = object_of(value);
  const kind = string_of(fields["kind"]);
  return {
    name: string_of(fields["name"]),
    kind: kind === "varying" || kind === "warp-uniform" ? kind : "uniform",
    type: string_of(fields["type"]),
    shape: fields["shape"] === undefined ? undefined : list_of(fields["shape"], number_of),
    lanes: list_of(fields["lanes"], (lane) => (typeof lane === "string" ? lane : null)),
    written: fields["written"] === true,
  };
}

export function parse_table(value: unknown): StepTable {
  const fields = object_of(value);
  const heat = object_of(fields["heat"]);
  const finite = (item: unknown): number | undefined => (typeof item === "number" ? item : undefined);
  return {
    name: string_of(fields["name"]),
    type: string_of(fields["type"]),
    shape: list_of(fields["shape"], number_of),
    rows: number_of(fields["rows"]),
    columns: number_of(fields["columns"]),
    row: number_of(fields["row"]),
    column: number_of(fields["column"]),
    cells: list_of(fields["cells"], (row) => list_of(row, string_of)),
    written: list_of(fields["written"], (row) => list_of(row, (cell) => cell === true)),
    stored: number_of(fields["stored"]),
    low: finite(fields["low"]),
    high: finite(fields["high"]),
    heat: {
      rows: number_of(heat["rows"]),
      columns: number_of(heat["columns"]),
      means: list_of(heat["means"], finite),
      written: list_of(heat["written"], (cell) => cell === 1),
    },
  };
}
