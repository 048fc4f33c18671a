// Words and numbers of the result's page.

import type { Numeric } from "./run_result";

export function numeric(value: Numeric): string {
  if (value === null) return "NaN";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const short = Number(value.toPrecision(6));
  const size = Math.abs(short);
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? short.toExponential() : String(short);
}

export function escape(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

export function time(ms: number): string {
  if (ms < 1) return `${numeric(Number((ms * 1000).toPrecision(4)))} µs`;
  if (ms < 1000) return `${numeric(Number(ms.toPrecision(4)))} ms`;
  return `${numeric(Number((ms / 1000).toPrecision(4)))} s`;
}

/** A message's words, with what stands between backticks set as code. */
export function prose(message: string): string {
  return escape(message).replace(/`([^`]+)`/g, "<code>$1</code>");
}
