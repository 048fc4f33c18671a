// What `phobos run --json` prints, read with suspicion: a field that is missing or of another type becomes
// what an empty one would be, and anything that is not such a document is undefined.

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
  line: number;
  character: number;
  severity: number;
  code: string;
  message: string;
}

export interface RunResult {
  kernel: string;
  device: string;
  grid: number[];
  ms: number | undefined;
  outputs: RunOutput[];
  ok: boolean;
  message: string;
  diagnostics: RunDiagnostic[];
}

export function failed(kernel: string, message: string): RunResult {
  return { kernel, device: "", grid: [], ms: undefined, outputs: [], ok: false, message, diagnostics: [] };
}

export function parse_run_result(text: string, kernel: string): RunResult | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!is_object(document)) return undefined;
  return {
    kernel: string_of(document["kernel"]) || kernel,
    device: string_of(document["device"]),
    grid: list_of(document["grid"], number_of),
    ms: typeof document["ms"] === "number" ? document["ms"] : undefined,
    outputs: list_of(document["outputs"], output_of),
    ok: document["status"] === "ok",
    message: string_of(document["message"]),
    diagnostics: list_of(document["diagnostics"], diagnostic_of),
  };
}

type JsonObject = Record<string, unknown>;

function is_object(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string_of(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number_of(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function numeric_of(value: unknown): Numeric {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? value : null;
}

function list_of<T>(value: unknown, item_of: (item: unknown) => T): T[] {
  return Array.isArray(value) ? value.map(item_of) : [];
}

function output_of(value: unknown): RunOutput {
  const fields = is_object(value) ? value : {};
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

function diagnostic_of(value: unknown): RunDiagnostic {
  const fields = is_object(value) ? value : {};
  const range = is_object(fields["range"]) ? fields["range"] : {};
  const start = is_object(range["start"]) ? range["start"] : {};
  const code = fields["code"];
  return {
    file: string_of(fields["file"]),
    line: number_of(start["line"]),
    character: number_of(start["character"]),
    severity: number_of(fields["severity"]) || 1,
    code: typeof code === "number" ? String(code) : string_of(code),
    message: string_of(fields["message"]),
  };
}
