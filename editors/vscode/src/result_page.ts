// A run's result as HTML. Everything that comes from a program or a file is escaped. It can be read without the script, which pages
// the tables.

import { shell } from "./page_shell";
import { figures, table } from "./result_figures";
import { escape, numeric, prose, time } from "./result_text";
import type { Numeric, Printed, RunDiagnostic, RunOutput, RunResult } from "./run_result";
import type { Difference, HeatMap, Histogram, Page } from "./tensor_view";

/** Errors and warnings; hints belong to the editor. */
const least_severity_shown = 2;

export interface PageContext {
  nonce: string;
  /** Which text was run, in words. */
  source: string;
  run_again: string;
  edit_arguments: string;
  /** What was given, as on a command line; empty: nothing. */
  words: string;
  script: string;
  place(line: number, character: number): string;
}

/** What is drawn of an output, beyond what the program says of it. */
export interface Drawn {
  page: Page;
  /** Or why there are none. */
  pictures: { histogram: Histogram; heat: HeatMap } | string;
  compared: boolean;
  difference: Difference | undefined;
}

/** The first of many prints. */
const prints_shown = 200;

/** `drawn`: for each output, or why there is nothing. */
export function result_page(result: RunResult, drawn: (Drawn | string)[], context: PageContext): string {
  const { nonce, script } = context;
  return shell({ nonce, title: result.kernel, style, script }, `
<h1>${escape(result.kernel)} <span class="${result.ok ? "ok" : "failed"}">${result.ok ? "ok" : "failed"}</span></h1>
<p id="stale" class="stale" role="status" hidden>The text has changed since this run.</p>
${facts(result, context)}
${result.ok ? said(result) : failure(result)}
${diagnostics(result.diagnostics.filter(({ severity }) => severity <= least_severity_shown), context)}
<p><a class="button" href="${escape(context.run_again)}">Run again</a>
<a class="button secondary" href="${escape(context.edit_arguments)}">Change arguments</a></p>
${prints(result, context)}
${outputs(result.outputs, drawn)}
${result.outputs.map((output, index) => output_section(output, index, drawn[index])).join("")}
`);
}

function facts(result: RunResult, context: PageContext): string {
  const rows: [string, string][] = [];
  if (result.device !== "") rows.push(["Device", result.device]);
  if (result.grid.length > 0) rows.push(["Grid", result.grid.join(" × ")]);
  if (result.ms !== undefined) rows.push(["Time", time(result.ms)]);
  if (context.words !== "") rows.push(["Arguments", context.words]);
  rows.push(["Source", context.source]);
  const items = rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${escape(value)}</dd></div>`);
  return `<dl>${items.join("")}</dl>`;
}

/** What a run says that went well: that the simulator agrees. */
function said({ message }: RunResult): string {
  return message === "" ? "" : `<p class="ok">${escape(message)}</p>`;
}

function failure(result: RunResult): string {
  const said = result.diagnostics.some(({ message }) => message === result.message || result.message === "");
  if (said) return "";
  const message = result.message || "The run failed and gave no reason.";
  return `<pre class="message" role="alert">${prose(message)}</pre>`;
}

function diagnostics(items: RunDiagnostic[], context: PageContext): string {
  if (items.length === 0) return "";
  const rows = items.map((item) => {
    const { line, character } = item.range.start;
    const link = `<a href="${escape(context.place(line, character))}">line ${line + 1}:${character + 1}</a>`;
    const severity = ["error", "warning", "information", "hint"][item.severity - 1] ?? "error";
    const code = item.code === "" ? "" : ` <span class="code">${escape(item.code)}</span>`;
    return `<li class="${severity}">${link} <b>${severity}</b>${code} ${prose(item.message)}</li>`;
  });
  return `<h2>Diagnostics</h2><ul>${rows.join("")}</ul>`;
}

function prints({ prints, prints_left_out }: RunResult, context: PageContext): string {
  if (prints.length === 0) return "";
  const rows = prints.slice(0, prints_shown).map((print) => print_row(print, context)).join("");
  const left = prints_left_out + Math.max(0, prints.length - prints_shown);
  const more = left > 0 ? `<p class="quiet">and ${left} more</p>` : "";
  return `<h2>Printed</h2><div class="scroll" tabindex="0" role="region" aria-label="Printed"><ul class="prints">${rows}</ul></div>${more}`;
}

function print_row({ line, block, lanes, text }: Printed, context: PageContext): string {
  const link = `<a href="${escape(context.place(Math.max(0, line - 1), 0))}">line ${line}</a>`;
  const threads = lanes.length > 4 ? `${lanes.length} threads, ${lanes.slice(0, 2).join(", ")}, …` : `thread ${lanes.join(", ")}`;
  return `<li>${link} <span class="quiet">block ${escape(block.join(", "))} · ${escape(threads)}</span> <code>${escape(text)}</code></li>`;
}

function outputs(items: RunOutput[], drawn: (Drawn | string)[]): string {
  if (items.length === 0) return "";
  const head = ["Name", "Type", "Shape", "Min", "Max", "Mean", "NaN"];
  const columns = head.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<h2>Outputs</h2><div class="scroll" tabindex="0" role="region" aria-label="Outputs"><table>
<thead><tr>${columns}</tr></thead>
${items.map((item, index) => output_rows(item, typeof drawn[index] === "object")).join("")}</table></div>`;
}

/** Its first elements are told where there is no table of them all. */
function output_rows(output: RunOutput, has_table: boolean): string {
  const nan = `<td class="number${output.nan > 0 ? " warning" : ""}">${output.nan}</td>`;
  const first = output.first.map((value) => escape(numeric(value))).join(", ");
  const more = count_of(output.shape) > output.first.length ? ", …" : "";
  return `<tbody>
<tr><th scope="row">${escape(output.name)}</th><td>${escape(output.type)}</td><td>${output.shape.join(" × ")}</td>
${number_cell(output.min)}${number_cell(output.max)}${number_cell(output.mean)}${nan}</tr>
${has_table ? "" : `<tr><td colspan="7" class="first"><span>first elements</span> ${first}${more}</td></tr>`}
</tbody>`;
}

function count_of(shape: number[]): number {
  return shape.reduce((count, extent) => count * extent, 1);
}

function number_cell(value: Numeric): string {
  return `<td class="number">${escape(numeric(value))}</td>`;
}

function output_section(output: RunOutput, index: number, drawn: Drawn | string | undefined): string {
  const heading = `<h2 id="output-${index}">${escape(output.name)} <span class="quiet">${escape(output.type)}[${output.shape.join(", ")}]</span></h2>`;
  if (drawn === undefined) return "";
  if (typeof drawn === "string") return `${heading}<p class="quiet">${escape(drawn)}</p>`;
  return `<section aria-labelledby="output-${index}">${heading}
${comparison(drawn, index)}
${typeof drawn.pictures === "string" ? `<p class="quiet">${escape(drawn.pictures)}</p>` : figures(drawn.pictures.histogram, drawn.pictures.heat, output.name, index)}
<form class="paging" data-output="${index}" aria-label="Elements of ${escape(output.name)}">
<button type="button" data-move="up" title="Rows before">▲</button><button type="button" data-move="down" title="Rows after">▼</button>
<button type="button" data-move="left" title="Columns before">◀</button><button type="button" data-move="right" title="Columns after">▶</button>
<label>Element <input name="element" size="12" placeholder="${output.shape.map(() => "0").join(", ")}"></label> <button>Go</button>
<output aria-live="polite"></output></form>
<div class="scroll table" id="table-${index}" tabindex="0" role="region" aria-label="Elements of ${escape(output.name)}">${table(drawn.page)}</div>
</section>`;
}

function comparison({ compared, difference }: Drawn, index: number): string {
  if (!compared) return "";
  if (difference === undefined) return `<p class="ok">The simulator has the same in every element.</p>`;
  const { indices, index: element, value, other, different } = difference;
  const apart = numeric(Math.abs(value - other));
  const where = `<a href="#table-${index}" data-output="${index}" data-index="${element}">[${indices.join(", ")}]</a>`;
  return `<p>Farthest from the simulator at ${where}: <b>${escape(numeric(value))}</b>, on the simulator <b>${escape(numeric(other))}</b>,
${escape(apart)} apart; ${different} element${different === 1 ? " differs" : "s differ"} at all.</p>`;
}

const style = `
h1 span { font-size: 0.65em; font-weight: 600; padding: 0.1em 0.6em; border-radius: 0.8em; vertical-align: 0.2em;
  border: 1px solid currentColor; }
.ok { color: var(--vscode-gitDecoration-addedResourceForeground, var(--vscode-charts-green)); }
.failed, .error b { color: var(--vscode-editorError-foreground); }
.warning b, td.warning { color: var(--vscode-list-warningForeground, var(--vscode-editorWarning-foreground)); }
td.warning { font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; }
dt { color: var(--vscode-descriptionForeground); font-size: 0.9em; }
dd { margin: 0; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0.3rem 0; overflow-wrap: anywhere; }
.code { color: var(--vscode-descriptionForeground); font-family: var(--vscode-editor-font-family); }
.message { margin: 1rem 0 0; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size);
  background: var(--vscode-textCodeBlock-background); border-left: 3px solid var(--vscode-editorError-foreground); }
table { min-width: 100%; }
tbody th { font-weight: 600; }
tbody th, tbody td { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
thead th:nth-child(n+4):nth-child(-n+7) { text-align: right; }
tbody td.first { white-space: normal; border-top: none; padding: 0 0 0.5rem; }
.first span { color: var(--vscode-descriptionForeground); font-family: var(--vscode-font-family); font-size: 0.9em; }
.prints { max-height: 14rem; overflow-y: auto; }
.figures { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem 1.5rem; margin: 0.5rem 0 0.75rem; }
figure { margin: 0; }
figcaption { color: var(--vscode-descriptionForeground); font-size: 0.9em; margin-top: 0.25rem; }
figure svg { display: block; border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
.bar { fill: var(--vscode-charts-blue); }
.heat rect[data-index] { cursor: pointer; }
.heat rect[data-index]:hover { stroke: var(--vscode-foreground); stroke-width: 0.15; }
.paging { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; margin: 0.5rem 0; }
.paging input { padding: 0.1rem 0.4rem; color: var(--vscode-input-foreground); background: var(--vscode-input-background);
  border: 1px solid var(--vscode-input-border, var(--vscode-widget-border, transparent)); font-family: var(--vscode-editor-font-family); }
.table table { min-width: 0; }
.table td, .table th { text-align: right; padding: 0.15rem 0.75rem 0.15rem 0; }
.table tbody th { color: var(--vscode-descriptionForeground); font-weight: 400; }
td.not-finite { color: var(--vscode-editorError-foreground); font-weight: 600; }
td.differs { color: var(--vscode-list-warningForeground, var(--vscode-editorWarning-foreground)); }
td.target { outline: 2px solid var(--vscode-focusBorder); outline-offset: -1px; }
`;
