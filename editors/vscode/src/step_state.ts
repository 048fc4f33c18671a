// What the debug adapter (`phobos dap`) says of a step: `phobos/state` and `phobos/table`.

import { list, list_of, maybe, maybe_number_of, number_of, record, string_of, true_of } from "./json";

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

const is_there = (value: unknown): boolean => value !== undefined;

const name_of = record<StepName>({
  name: string_of,
  kind: (value) => (value === "varying" || value === "warp-uniform" ? value : "uniform"),
  type: string_of,
  shape: maybe(is_there, list(number_of)),
  lanes: list((lane) => (typeof lane === "string" ? lane : null)),
  written: true_of,
});

export const parse_state = record<StepState>({
  step: number_of,
  steps: number_of,
  kernel: string_of,
  block: list(number_of),
  threads: number_of,
  thread: number_of,
  line: number_of,
  text: string_of,
  active: (value) => new Set(list_of(value, number_of)),
  event: string_of,
  message: string_of,
  printed: list(string_of),
  names: list(name_of),
  condition: maybe(is_there, (value) => ({ ...name_of(value), written: true })),
  tensors: list(record<StepTensor>({ name: string_of, type: string_of, shape: list(number_of), stored: number_of })),
});

export const parse_table = record<StepTable>({
  name: string_of,
  type: string_of,
  shape: list(number_of),
  rows: number_of,
  columns: number_of,
  row: number_of,
  column: number_of,
  cells: list(list(string_of)),
  written: list(list(true_of)),
  stored: number_of,
  low: maybe_number_of,
  high: maybe_number_of,
  heat: record<StepTable["heat"]>({ rows: number_of, columns: number_of, means: list(maybe_number_of), written: list((cell) => cell === 1) }),
});
