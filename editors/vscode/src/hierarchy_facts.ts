// What the server says of a kernel on its grid (`phobos/hierarchy`).

import { is_object, list_of, number_of, object_of, type Range, range_of, string_of } from "./json";

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

/** Undefined: there is no kernel. */
export function parse_facts(value: unknown): Facts | undefined {
  if (!is_object(value)) return undefined;
  const whole = (field: unknown): number | undefined => (typeof field === "number" ? field : undefined);
  const named = (field: unknown): CountedName[] =>
    list_of(field, (item) => {
      const fields = object_of(item);
      return { name: string_of(fields["name"]), value: number_of(fields["value"]), assumed: fields["assumed"] === true };
    });
  return {
    kernel: string_of(value["kernel"]),
    range: range_of(value["range"]),
    threads: number_of(value["threads"]),
    whole_warps: value["wholeWarps"] === true,
    launch_fault: string_of(value["launchFault"]),
    grid: Array.isArray(value["grid"]) ? list_of(value["grid"], number_of) : undefined,
    grid_how: list_of(value["gridHow"], string_of),
    grid_reason: string_of(value["gridReason"]),
    dimensions: named(value["dimensions"]),
    constants: named(value["constants"]),
    block: Array.isArray(value["block"]) ? list_of(value["block"], number_of) : undefined,
    warp: whole(value["warp"]),
    thread: whole(value["thread"]),
    ctx: list_of(value["ctx"], (item) => {
      const fields = object_of(item);
      return { field: string_of(fields["field"]), value: number_of(fields["value"]), how: string_of(fields["how"]), kind: string_of(fields["kind"]) };
    }),
    tensors: list_of(value["tensors"], (item) => {
      const fields = object_of(item);
      return { name: string_of(fields["name"]), type: string_of(fields["type"]), extents: list_of(fields["extents"], number_of) };
    }),
    accesses: list_of(value["accesses"], access_of),
  };
}

function access_of(value: unknown): Access {
  const fields = object_of(value);
  const reached = string_of(fields["reached"]);
  return {
    range: range_of(fields["range"]),
    tensor: string_of(fields["tensor"]),
    text: string_of(fields["text"]),
    store: fields["store"] === true,
    by: fields["by"] === "cta" ? "cta" : "thread",
    atomic: fields["atomic"] === true,
    flat: fields["flat"] === true,
    reached: reached === "yes" || reached === "no" ? reached : "maybe",
    regions: Array.isArray(fields["regions"])
      ? list_of(fields["regions"], (item) => {
          const region = object_of(item);
          return { first: number_of(region["first"]), last: number_of(region["last"]), step: number_of(region["step"]), length: number_of(region["length"]), extent: number_of(region["extent"]) };
        })
      : undefined,
  };
}
