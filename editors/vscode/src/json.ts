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

export function true_of(value: unknown): boolean {
  return value === true;
}

/** Undefined where there is no number. */
export function maybe_number_of(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

type Reader<T> = (value: unknown) => T;

export function list<T>(item_of: Reader<T>): Reader<T[]> {
  return (value) => list_of(value, item_of);
}

/** Undefined where there is nothing, or nothing of that form. */
export function maybe<T>(there: (value: unknown) => boolean, read: Reader<T>): Reader<T | undefined> {
  return (value) => (there(value) ? read(value) : undefined);
}

/** An object by its fields, each read by its own reader. Names of several words are written in the program's documents as `twoWords` or `two_words`. */
export function record<T extends object>(readers: { [Name in keyof T]: Reader<T[Name]> }): Reader<T> {
  const fields = Object.entries<Reader<unknown>>(readers);
  const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (value) => {
    const object = object_of(value);
    return Object.fromEntries(fields.map(([name, read]) => [name, read(object[name] ?? object[camel(name)])])) as T;
  };
}

export interface Place {
  line: number;
  character: number;
}

export interface Range {
  start: Place;
  end: Place;
}

const place_of = record<Place>({ line: number_of, character: number_of });

export const range_of = record<Range>({ start: place_of, end: place_of });
