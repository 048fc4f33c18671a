// What `phobos run --json` prints. Anything that is not such a document is undefined.

import { is_object, list_of, number_of, object_of, parse_object, type Range, range_of, string_of } from "./json";

export interface RunOutput {
  name: string;
  type: string;
  shape: number[];
  min: Numeric;
  max: Numeric;
  mean: Numeric;
  nan: number;
  first: Numeric[];
}

/** JSON has no NaN and no infinities: those come as null or as words. */
export type Numeric = number | boolean | string | null;

export interface RunDiagnostic {
  file: string;
  range: Range;
  severity: number;
  code: string;
  message: string;
  related: { range: Range; message: string }[];
}

export interface Printed {
  line: number;
  block: number[];
  lanes: number[];
  text: string;
}

export interface RunResult {
  kernel: string;
  device: string;
  grid: number[];
  ms: number | undefined;
  outputs: RunOutput[];
  prints: Printed[];
  prints_left_out: number;
  ok: boolean;
  message: string;
  diagnostics: RunDiagnostic[];
}

export function failed(kernel: string, message: string): RunResult {
  return {
    kernel, device: "", grid: [], ms: undefined, outputs: [], prints: [], prints_left_out: 0, ok: false, message, diagnostics: [],
  };
}

export function parse_run_result(text: string, kernel: string): RunResult | undefined {
  const document = parse_object(text);
  if (document === undefined) return undefined;
  return {
    kernel: string_of(document["kernel"]) || kernel,
    device: string_of(document["device"]),
    grid: list_of(document["grid"], number_of),
    ms: typeof document["ms"] === "number" ? document["ms"] : undefined,
    outputs: list_of(document["outputs"], output_of),
    prints: list_of(document["prints"], printed_of),
    prints_left_out: number_of(document["prints_left_out"]),
    ok: document["status"] === "ok",
    message: string_of(document["message"]),
    diagnostics: list_of(document["diagnostics"], diagnostic_of),
  };
}

function numeric_of(value: unknown): Numeric {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? value : null;
}

function output_of(value: unknown): RunOutput {
  const fields = object_of(value);
  return {
    name: string_of(fields["name"]),
    type: string_of(fields["type"]),
    shape: list_of(fields["shape"], number_of),
    min: numeric_of(fields["min"]),
    max: numeric_of(fields["max"]),
    mean: numeric_of(fields["mean"]),
    nan: number_of(fields["nan"]),
    first: list_of(fields["first"], numeric_of),
  };
}

function printed_of(value: unknown): Printed {
  const fields = object_of(value);
  return {
    line: number_of(fields["line"]),
    block: list_of(fields["block"], number_of),
    lanes: list_of(fields["lanes"], number_of),
    text: string_of(fields["text"]),
  };
}

function diagnostic_of(value: unknown): RunDiagnostic {
  const fields = object_of(value);
  const code = fields["code"];
  return {
    file: string_of(fields["file"]),
    range: range_of(fields["range"]),
    severity: number_of(fields["severity"]) || 1,
    code: typeof code === "number" ? String(code) : string_of(code),
    message: string_of(fields["message"]),
    related: list_of(fields["relatedInformation"], (item) => {
      const related = object_of(item);
      const location = is_object(related["location"]) ? related["location"] : related;
      return { range: range_of(location["range"]), message: string_of(related["message"]) };
    }),
  };
}
