// What `phobos run --json` prints. Anything that is not such a document is undefined.

import { is_object, list, maybe_number_of, number_of, object_of, parse_object, type Range, range_of, record, string_of } from "./json";

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

function numeric_of(value: unknown): Numeric {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? value : null;
}

const result_of = record<Omit<RunResult, "ok">>({
  kernel: string_of,
  device: string_of,
  grid: list(number_of),
  ms: maybe_number_of,
  outputs: list(record<RunOutput>({
    name: string_of,
    type: string_of,
    shape: list(number_of),
    min: numeric_of,
    max: numeric_of,
    mean: numeric_of,
    nan: number_of,
    first: list(numeric_of),
  })),
  prints: list(record<Printed>({ line: number_of, block: list(number_of), lanes: list(number_of), text: string_of })),
  prints_left_out: number_of,
  message: string_of,
  diagnostics: list(diagnostic_of),
});

export function parse_run_result(text: string, kernel: string): RunResult | undefined {
  const document = parse_object(text);
  if (document === undefined) return undefined;
  const result = result_of(document);
  return { ...result, kernel: result.kernel || kernel, ok: document["status"] === "ok" };
}

function diagnostic_of(value: unknown): RunDiagnostic {
  const related = (item: unknown): { range: Range; message: string } => {
    const fields = object_of(item);
    const location = is_object(fields["location"]) ? fields["location"] : fields;
    return { range: range_of(location["range"]), message: string_of(fields["message"]) };
  };
  return {
    ...record<Omit<RunDiagnostic, "related">>({
      file: string_of,
      range: range_of,
      severity: (severity) => number_of(severity) || 1,
      code: (code) => (typeof code === "number" ? String(code) : string_of(code)),
      message: string_of,
    })(value),
    related: list(related)(object_of(value)["relatedInformation"]),
  };
}
