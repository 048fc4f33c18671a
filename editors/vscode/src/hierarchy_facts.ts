// What the server says of a kernel on its grid (`phobos/hierarchy`).

import { is_object, list, maybe, maybe_number_of, number_of, type Range, range_of, record, string_of, true_of } from "./json";

export interface Region {
  first: number;
  last: number;
  /** From one start to the next; 0: there is one. */
  step: number;
  length: number;
  extent: number;
}

export interface Access {
  range: Range;
  tensor: string;
  text: string;
  store: boolean;
  by: "cta" | "thread";
  /** It reads, and stores. */
  atomic: boolean;
  /** There is one region: of positions in row-major order. */
  flat: boolean;
  reached: "yes" | "maybe" | "no";
  /** One an axis; undefined where only the run knows. */
  regions: Region[] | undefined;
}

export interface CountedName {
  name: string;
  value: number;
  assumed: boolean;
}

export interface Facts {
  kernel: string;
  range: Range;
  threads: number;
  whole_warps: boolean;
  launch_fault: string;
  grid: number[] | undefined;
  grid_how: string[];
  grid_reason: string;
  dimensions: CountedName[];
  constants: CountedName[];
  block: number[] | undefined;
  warp: number | undefined;
  thread: number | undefined;
  ctx: { field: string; value: number; how: string; kind: string }[];
  tensors: { name: string; type: string; extents: number[] }[];
  accesses: Access[];
}

const counts = list(record<CountedName>({ name: string_of, value: number_of, assumed: true_of }));

const facts_of = record<Facts>({
  kernel: string_of,
  range: range_of,
  threads: number_of,
  whole_warps: true_of,
  launch_fault: string_of,
  grid: maybe(Array.isArray, list(number_of)),
  grid_how: list(string_of),
  grid_reason: string_of,
  dimensions: counts,
  constants: counts,
  block: maybe(Array.isArray, list(number_of)),
  warp: maybe_number_of,
  thread: maybe_number_of,
  ctx: list(record<Facts["ctx"][number]>({ field: string_of, value: number_of, how: string_of, kind: string_of })),
  tensors: list(record<Facts["tensors"][number]>({ name: string_of, type: string_of, extents: list(number_of) })),
  accesses: list(record<Access>({
    range: range_of,
    tensor: string_of,
    text: string_of,
    store: true_of,
    by: (value) => (value === "cta" ? "cta" : "thread"),
    atomic: true_of,
    flat: true_of,
    reached: (value) => (value === "yes" || value === "no" ? value : "maybe"),
    regions: maybe(Array.isArray, list(record<Region>({ first: number_of, last: number_of, step: number_of, length: number_of, extent: number_of }))),
  })),
});

/** Undefined: there is no kernel. */
export function parse_facts(value: unknown): Facts | undefined {
  return is_object(value) ? facts_of(value) : undefined;
}
