// The arguments of a kernel as a form: what it takes, by its launch contract, and what is proposed for each.

import { is_object, list_of, object_of, parse_object, string_of } from "./json";

export interface Argument {
  name: string;
  kind: "dimension" | "tensor" | "scalar" | "constant";
  /** `f32`, or `f32[M, N]`; empty for a dimension. */
  type: string;
  value: string;
  /** A tensor that is only written, or a constant that has a value of its own. */
  optional: boolean;
}

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
  for (const argument of all) argument.value = before[argument.name] ?? argument.value;
  return all;
}

/** As on a command line; a dimension that a file binds may be left out, so empty values are. */
export function words_of(all: Argument[]): string[] {
  return all.filter(({ value }) => value !== "").map(({ name, value }) => `${name}=${/\s/.test(value) ? `"${value}"` : value}`);
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
  if (value === "") return argument.optional || argument.kind === "dimension" ? undefined : `${argument.name} needs a value`;
  switch (argument.kind) {
    case "dimension":
    case "constant":
      return /^\d+$/.test(value) ? undefined : `${argument.name} is a whole number`;
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
