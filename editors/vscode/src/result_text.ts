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
