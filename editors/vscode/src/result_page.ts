// A run's result as HTML. Everything that comes from a program or a file is escaped; the only style is the
// one here, under a nonce; colours are the editor's.

import type { Numeric, RunDiagnostic, RunOutput, RunResult } from "./run_result";

/** Errors and warnings; hints belong to the editor. */
const least_severity_shown = 2;

export interface PageContext {
  nonce: string;
  /** Which text was run, in words. */
  source: string;
  run_again: string;
  place(line: number, character: number): string;
}

export function result_page(result: RunResult, context: PageContext): string {
  const policy = `default-src 'none'; style-src 'nonce-${context.nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(result.kernel)}</title>
<style nonce="${context.nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escape(result.kernel)} <span class="${result.ok ? "ok" : "failed"}">${result.ok ? "ok" : "failed"}</span></h1>
${facts(result, context)}
${result.ok ? "" : failure(result)}
${diagnostics(result.diagnostics.filter(({ severity }) => severity <= least_severity_shown), context)}
${outputs(result.outputs)}
<p><a class="button" href="${escape(context.run_again)}">Run again</a></p>
</main>
</body>
</html>`;
}

function facts(result: RunResult, context: PageContext): string {
  const rows: [string, string][] = [];
  if (result.device !== "") rows.push(["Device", result.device]);
  if (result.grid.length > 0) rows.push(["Grid", result.grid.join(" × ")]);
  if (result.ms !== undefined) rows.push(["Time", time(result.ms)]);
  rows.push(["Source", context.source]);
  const items = rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${escape(value)}</dd></div>`);
  return `<dl>${items.join("")}</dl>`;
}

function failure(result: RunResult): string {
  const said = result.diagnostics.some(({ message }) => message === result.message || result.message === "");
  if (said) return "";
  const message = result.message || "The run failed and gave no reason.";
  return `<pre class="message" role="alert">${escape(message)}</pre>`;
}

function diagnostics(items: RunDiagnostic[], context: PageContext): string {
  if (items.length === 0) return "";
  const rows = items.map((item) => {
    const place = `${item.line + 1}:${item.character + 1}`;
    const link = `<a href="${escape(context.place(item.line, item.character))}">line ${place}</a>`;
    const severity = ["error", "warning", "information", "hint"][item.severity - 1] ?? "error";
    const code = item.code === "" ? "" : ` <span class="code">${escape(item.code)}</span>`;
    return `<li class="${severity}">${link} <b>${severity}</b>${code} ${prose(item.message)}</li>`;
  });
  return `<h2>Diagnostics</h2><ul>${rows.join("")}</ul>`;
}

function outputs(items: RunOutput[]): string {
  if (items.length === 0) return "";
  const head = ["Name", "Type", "Shape", "Min", "Max", "Mean", "NaN"];
  const columns = head.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<h2>Outputs</h2><div class="scroll" tabindex="0" role="region" aria-label="Outputs"><table>
<thead><tr>${columns}</tr></thead>
${items.map(output_rows).join("")}</table></div>`;
}

function output_rows(output: RunOutput): string {
  const nan = `<td class="number${output.nan > 0 ? " warning" : ""}">${output.nan}</td>`;
  const first = output.first.map((value) => escape(numeric(value))).join(", ");
  const more = count_of(output.shape) > output.first.length ? ", …" : "";
  return `<tbody>
<tr><th scope="row">${escape(output.name)}</th><td>${escape(output.type)}</td><td>${output.shape.join(" × ")}</td>
${number_cell(output.min)}${number_cell(output.max)}${number_cell(output.mean)}${nan}</tr>
<tr><td colspan="7" class="first"><span>first elements</span> ${first}${more}</td></tr>
</tbody>`;
}

function count_of(shape: number[]): number {
  return shape.reduce((count, extent) => count * extent, 1);
}

function number_cell(value: Numeric): string {
  return `<td class="number">${escape(numeric(value))}</td>`;
}

export function numeric(value: Numeric): string {
  if (value === null) return "NaN";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const short = Number(value.toPrecision(6));
  const size = Math.abs(short);
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? short.toExponential() : String(short);
}

function time(ms: number): string {
  if (ms < 1) return `${numeric(Number((ms * 1000).toPrecision(4)))} µs`;
  if (ms < 1000) return `${numeric(Number(ms.toPrecision(4)))} ms`;
  return `${numeric(Number((ms / 1000).toPrecision(4)))} s`;
}

export function escape(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

/** A message's words, with what stands between backticks set as code. */
function prose(message: string): string {
  return escape(message).replace(/`([^`]+)`/g, "<code>$1</code>");
}

const style = `
body { padding: 0 1.25rem 1.5rem; color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.45; }
h1 { font-size: 1.45em; font-weight: 600; margin: 1rem 0 0.75rem; overflow-wrap: anywhere; }
h1 span { font-size: 0.65em; font-weight: 600; padding: 0.1em 0.6em; border-radius: 0.8em; vertical-align: 0.2em;
  border: 1px solid currentColor; }
.ok { color: var(--vscode-charts-green); }
.failed, .error b { color: var(--vscode-errorForeground); }
.warning b, td.warning { color: var(--vscode-editorWarning-foreground); }
td.warning { font-weight: 600; }
h2 { font-size: 1.05em; font-weight: 600; margin: 1.25rem 0 0.5rem; }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; }
dt { color: var(--vscode-descriptionForeground); font-size: 0.9em; }
dd { margin: 0; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0.3rem 0; overflow-wrap: anywhere; }
a { color: var(--vscode-textLink-foreground); }
a:focus-visible, .scroll:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
code { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
.code { color: var(--vscode-descriptionForeground); font-family: var(--vscode-editor-font-family); }
.message { margin: 1rem 0 0; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size);
  background: var(--vscode-textCodeBlock-background); border-left: 3px solid var(--vscode-errorForeground); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.9rem 0.35rem 0; white-space: nowrap; font-weight: 400;
  border-top: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
thead th { border-top: none; color: var(--vscode-descriptionForeground); font-size: 0.9em; }
tbody th { font-weight: 600; }
tbody th, tbody td { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
thead th:nth-child(n+4):nth-child(-n+7) { text-align: right; }
tbody td.first { white-space: normal; border-top: none; padding: 0 0 0.5rem; }
.first span { color: var(--vscode-descriptionForeground); font-family: var(--vscode-font-family); font-size: 0.9em; }
a.button { display: inline-block; margin-top: 0.5rem; padding: 0.3rem 0.9rem; border-radius: 2px; text-decoration: none;
  border: 1px solid var(--vscode-contrastBorder, transparent);
  color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
a.button:hover { background: var(--vscode-button-hoverBackground); }
`;
