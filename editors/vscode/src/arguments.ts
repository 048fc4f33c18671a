// The arguments of a kernel as a form: what it takes, by its launch contract, and what is proposed for each.

import { is_object, list_of, object_of, parse_object, string_of } from "./json";

export interface Argument {
  name: string;
  kind: "dimension" | "tensor" | "scalar" | "constant" | "grid";
  /** `f32`, or `f32[M, N]`; empty for a dimension. */
  type: string;
  value: string;
  /** A tensor that is only written, or a constant that has a value of its own. */
  optional: boolean;
}

/** As a run line and a command line name the grid. */
const grid_option = "--grid";

export const generators = ["randn", "uniform", "iota", "ones", "zeros"];

/** What a kernel takes, with a proposal for each; what was used before wins. Undefined: the text is no contract. */
export function arguments_of(contract: string, before: Record<string, string>): Argument[] | undefined {
  const document = parse_object(contract);
  if (document === undefined) return undefined;
  const dimensions = list_of(document["dimensions"], string_of).map((name): Argument => {
    return { name, kind: "dimension", type: "", value: "1024", optional: false };
  });
  let seed = 0;
  const parameters = list_of(document["parameters"], object_of).map((parameter): Argument => {
    const type = string_of(parameter["type"]);
    const name = string_of(parameter["name"]);
    if (parameter["kind"] !== "tensor") {
      return { name, kind: "scalar", type, value: type === "bool" ? "true" : /^b?f/.test(type) ? "1.0" : "1", optional: false };
    }
    const shape = list_of(parameter["shape"], String).join(", ");
    const read = parameter["read"] === true;
    seed += read ? 1 : 0;
    const value = !read ? "" : /^b?f/.test(type) ? `randn:${seed}` : "iota";
    return { name, kind: "tensor", type: `${type}[${shape}]`, value, optional: !read };
  });
  const constants = Object.entries(is_object(document["constants"]) ? document["constants"] : {}).map(([name, value]): Argument => {
    return { name, kind: "constant", type: "", value: String(value), optional: true };
  });
  const all = [...dimensions, ...parameters, ...constants.map((constant) => ({ ...constant, value: "" }))];
  // Where it does not follow from the stores it has to be given, else it may be.
  if (document["grid"] === null) all.push({ name: grid_option, kind: "grid", type: "", value: "1", optional: false });
  else if (before[grid_option] !== undefined) all.push({ name: grid_option, kind: "grid", type: "", value: "", optional: true });
  for (const argument of all) argument.value = before[argument.name] ?? argument.value;
  return all;
}

/** As on a command line; a dimension that a file binds may be left out, so empty values are. */
export function words_of(all: Argument[]): string[] {
  return all.filter(({ value }) => value !== "").flatMap(({ name, kind, value }) => (kind === "grid" ? [name, value] : [`${name}=${/\s/.test(value) ? `"${value}"` : value}`]));
}

/** What words give, by name. */
export function values_of(words: string[]): Record<string, string> {
  const given = words.flatMap((word, i): [string, string][] => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    const next = words[i + 1];
    return word === grid_option && next !== undefined ? [[word, next]] : [];
  });
  return Object.fromEntries(given);
}

/** The words without the grid, and the grid: whoever takes it takes it by itself. */
export function apart_from_grid(words: string[]): { words: string[]; grid: string | undefined } {
  const at = words.indexOf(grid_option);
  return at < 0 ? { words, grid: undefined } : { words: words.toSpliced(at, 2), grid: words[at + 1] };
}

/** The words of a run line, without quotes; `expect …` and what follows it are no arguments. */
export function words_of_line(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted_name, quoted, plain] of line.matchAll(/([A-Za-z_]\w*=)?"([^"]*)"|(\S+)/g)) {
    const word = plain ?? `${quoted_name ?? ""}${quoted ?? ""}`;
    if (/^expect(-|$)/.test(word)) break;
    words.push(word);
  }
  return words;
}

/** Why a value cannot be one of the argument, or undefined. */
export function fault_of(argument: Argument, value: string): string | undefined {
  if (value === "") return argument.optional || argument.kind === "dimension" ? undefined : `${argument.kind === "grid" ? "the grid" : argument.name} needs a value`;
  switch (argument.kind) {
    case "dimension":
    case "constant":
      return /^\d+$/.test(value) ? undefined : `${argument.name} is a whole number`;
    case "grid":
      return /^[1-9]\d*(,[1-9]\d*){0,2}$/.test(value) ? undefined : "The CTAs along x, y and z, as 4 or 4,3";
    case "scalar":
      if (argument.type === "bool") return /^(true|false)$/.test(value) ? undefined : "true or false";
      if (/^b?f/.test(argument.type)) {
        return /^-?(\d+(\.\d*)?([eE][+-]?\d+)?|inf|nan)$/.test(value) ? undefined : `${argument.name} is a number`;
      }
      return /^-?\d+$/.test(value) ? undefined : `${argument.name} is a whole number`;
    case "tensor":
      return /^((zeros|ones|iota|randn|uniform)(:\d+)?|full:\S+|randint:-?\d+:-?\d+(:\d+)?|.+\.npy)$/.test(value)
        ? undefined
        : "A .npy file, or zeros, ones, iota, full:3, randn, uniform or randint:0:10";
  }
}
