// Documents of the program, read with suspicion: a field that is missing or of another type becomes what an empty one would be.

export type JsonObject = Record<string, unknown>;

export function parse_object(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return is_object(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

export function is_object(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function object_of(value: unknown): JsonObject {
  return is_object(value) ? value : {};
}

export function string_of(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number_of(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

export function list_of<T>(value: unknown, item_of: (item: unknown) => T): T[] {
  return Array.isArray(value) ? value.map((item) => item_of(item)) : [];
}

export interface Place {
  line: number;
  character: number;
}

export interface Range {
  start: Place;
  end: Place;
}

export function range_of(value: unknown): Range {
  const range = object_of(value);
  return { start: place_of(range["start"]), end: place_of(range["end"]) };
}

function place_of(value: unknown): Place {
  const place = object_of(value);
  return { line: number_of(place["line"]), character: number_of(place["character"]) };
}
