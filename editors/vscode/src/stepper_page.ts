// The stepper's page: who takes part in the step, a name's value in every lane, tiles and tensors with what the step wrote to them.

import { ramp_class } from "./ramp";
import { escape, prose } from "./result_text";
import type { StepName, StepState, StepTable } from "./step_state";

export const lanes_of_warp = 32;
export const table_rows = 16;
export const table_columns = 8;

export interface Choice {
  /** The name whose lanes are shown, and the tile or tensor that is; undefined: what the step wrote. */
  name: string | undefined;
  matrix: string | undefined;
  /** The thread that was picked. */
  picked: number | undefined;
}

/** The name whose value is shown in every lane. */
export function shown_name(state: StepState, choice: Choice): StepName | undefined {
  const scalars = [...(state.condition === undefined ? [] : [state.condition]), ...state.names.filter(({ shape }) => shape === undefined)];
  return scalars.find(({ name }) => name === choice.name) ?? scalars.find(({ written }) => written) ?? scalars[0];
}

/** The tile or tensor that is looked at. */
export function shown_matrix(state: StepState, choice: Choice): string | undefined {
  const tiles = state.names.filter(({ shape }) => shape !== undefined);
  const names = [...tiles.map(({ name }) => name), ...state.tensors.map(({ name }) => name)];
  if (choice.matrix !== undefined && names.includes(choice.matrix)) return choice.matrix;
  return state.tensors.find(({ stored }) => stored > 0)?.name ?? tiles.find(({ written }) => written)?.name ?? names[0];
}

export function stepper_body(state: StepState, choice: Choice, table: StepTable | undefined): string {
  const shown = shown_name(state, choice);
  return `${head(state)}
${lanes(state, shown, choice.picked)}
${names(state, shown)}
${matrices(state, choice, table)}`;
}

function head(state: StepState): string {
  const event = state.event === "" ? "" : ` <span class="badge event">${escape(state.event.replaceAll("_", " "))}</span>`;
  const found = state.message === "" ? "" : `<p class="alert" role="alert">${prose(state.message)}</p>`;
  const printed = state.printed.map((line) => `<p class="quiet">printed: <code>${escape(line)}</code></p>`).join("");
  return `<h1>${escape(state.kernel)} <span class="quiet">CTA (${state.block.join(", ")})</span>${event}</h1>
<p class="scrub"><label for="scrub">Step ${state.step + 1} of ${state.steps}</label>
<input id="scrub" type="range" min="0" max="${state.steps - 1}" value="${state.step}" data-key="scrub"></p>
<p class="ran"><span class="quiet">line ${state.line + 1} has run:</span> <code>${escape(state.text.split("\n")[0] ?? "")}</code></p>
${found}${printed}`;
}

function take_part(state: StepState): string {
  const { size } = state.active;
  if (size === state.threads) return `all ${size} lanes take part`;
  return size === 0 ? "another CTA" : `${size} of ${state.threads} lanes take part`;
}

function lanes(state: StepState, shown: StepName | undefined, picked: number | undefined): string {
  const numbers = (shown?.lanes ?? []).flatMap((lane) => (lane === null || !Number.isFinite(Number(lane)) ? [] : [Number(lane)]));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const warps = Math.ceil(state.threads / lanes_of_warp);
  const rows = Array.from({ length: warps }, (_, warp) => {
    const cells = Array.from({ length: lanes_of_warp }, (_, lane) => cell(state, shown, warp * lanes_of_warp + lane, picked, low, high));
    const active = Array.from({ length: lanes_of_warp }, (_, lane) => state.active.has(warp * lanes_of_warp + lane)).filter(Boolean).length;
    const parted = active !== 0 && active !== lanes_of_warp ? " differs-in-lanes" : "";
    return `<tr role="row"><th scope="row" role="rowheader" class="${parted.trim()}">warp ${warp}${parted === "" ? "" : " <small>parted</small>"}</th>${cells.join("")}</tr>`;
  });
  const of = shown === undefined ? "" : ` of <code>${escape(shown.name)}</code> ${badge(shown)}`;
  const filter = picked === undefined ? "" : ` <button type="button" data-pick="none" data-key="unpick">Step with all lanes</button>`;
  return `<h2>Lanes${of}</h2>
<p class="quiet">${take_part(state)}${picked === undefined ? "" : `; only steps of thread ${picked} are gone through`}.${filter}</p>
<div class="scroll"><table class="lanes" role="grid" aria-label="Lanes${shown === undefined ? "" : escape(`, values of ${shown.name}`)}">${rows.join("")}</table></div>`;
}

function cell(state: StepState, shown: StepName | undefined, thread: number, picked: number | undefined, low: number, high: number): string {
  const value = shown?.lanes[thread] ?? null;
  const active = state.active.has(thread);
  const colour = value === null ? "none" : value === "true" || value === "false" ? value : ramp_class(Number(value), low, high);
  const names = ["lane", colour, active ? "" : "away", thread === state.thread ? "shown" : "", thread === picked ? "picked" : ""].filter((name) => name !== "");
  const where = `thread ${thread}, lane ${thread % lanes_of_warp} of warp ${Math.floor(thread / lanes_of_warp)}`;
  const label = `${where}: ${value ?? "no value"}${active ? "" : ", does not take part"}`;
  const stop = thread === state.thread ? "0" : "-1";
  return `<td role="gridcell" class="${names.join(" ")}" tabindex="${stop}" data-pick="${thread}" data-key="lane-${thread}" aria-selected="${thread === picked}" aria-label="${escape(label)}" title="${escape(label)}">${escape(short(value))}</td>`;
}

/** A value in a cell as wide as four letters; all of it is in the cell's title. */
export function short(value: string | null): string {
  if (value === null) return "";
  if (value === "true" || value === "false") return value === "true" ? "T" : "F";
  if (value.length <= 4) return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return "…";
  const candidates = [number.toPrecision(3), number.toPrecision(2), number.toPrecision(1)].map((text) => String(Number(text)));
  const plain = candidates.find((text) => text.length <= 4);
  if (plain !== undefined) return plain;
  return number.toExponential(0).replace("e+", "e").slice(0, 5);
}

function badge({ kind }: { kind: string }): string {
  return `<span class="badge ${kind}">${kind}</span>`;
}

function names(state: StepState, shown: StepName | undefined): string {
  const all = [...(state.condition === undefined ? [] : [state.condition]), ...state.names];
  if (all.length === 0) return "";
  const warp = Math.floor(state.thread / lanes_of_warp);
  const rows = all.map((name) => {
    const button = `<button type="button" data-${name.shape === undefined ? "name" : "matrix"}="${escape(name.name)}" data-key="name-${escape(name.name)}" aria-pressed="${name.name === shown?.name}" title="${escape(name.name)}"><code>${escape(name.name)}</code></button>`;
    const value = name.shape === undefined ? (name.lanes[state.thread] ?? "-") : "";
    return `<tr${name.written ? ' class="written"' : ""}><th scope="row">${button}${name.written ? ' <span title="written by this step">●</span>' : ""}</th><td>${name.shape === undefined ? badge(name) : ""}</td><td>${escape(name.type)}</td><td class="value"><code>${escape(value)}</code></td><td>${strip(state, name, warp)}</td></tr>`;
  });
  const lane = `lane ${state.thread % lanes_of_warp} of warp ${warp}`;
  return `<h2>Values</h2><div class="scroll" tabindex="0" role="region" aria-label="Values"><table class="names"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Type</th><th scope="col" class="lane-value">In ${lane}</th><th scope="col">Across warp ${warp}</th></tr></thead>
<tbody>${rows.join("")}</tbody></table></div>`;
}

/** The 32 lanes of a warp, side by side. */
function strip(state: StepState, name: StepName, warp: number): string {
  if (name.shape !== undefined) return "";
  const values = Array.from({ length: lanes_of_warp }, (_, lane) => name.lanes[warp * lanes_of_warp + lane] ?? null);
  const numbers = values.flatMap((value) => (value === null || !Number.isFinite(Number(value)) ? [] : [Number(value)]));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const cells = values.map((value, lane) => {
    const colour = value === null ? "none" : value === "true" || value === "false" ? value : ramp_class(Number(value), low, high);
    const away = state.active.has(warp * lanes_of_warp + lane) ? "" : " away";
    return `<rect class="${colour}${away}" x="${lane * 7}" y="0" width="6" height="14"/>`;
  });
  const distinct = new Set(values.filter((value) => value !== null)).size;
  const words = distinct <= 1 ? "the same in every lane" : `${distinct} values`;
  return `<svg class="strip" viewBox="0 0 ${lanes_of_warp * 7} 14" preserveAspectRatio="none" role="img" aria-label="${words}">${cells.join("")}</svg>`;
}

function matrices(state: StepState, choice: Choice, table: StepTable | undefined): string {
  const tiles = state.names.filter(({ shape }) => shape !== undefined);
  const shown = shown_matrix(state, choice);
  if (shown === undefined) return "";
  const button = (name: string, written: boolean): string =>
    `<button type="button" data-matrix="${escape(name)}" data-key="matrix-${escape(name)}" aria-pressed="${name === shown}"><code>${escape(name)}</code>${written ? " ●" : ""}</button>`;
  const buttons = [...tiles.map(({ name, written }) => button(name, written)), ...state.tensors.map(({ name, stored }) => button(name, stored > 0))];
  return `<h2>Tiles and tensors</h2><p class="choices">${buttons.join(" ")}</p>${table === undefined ? "" : matrix(table)}`;
}

function matrix(table: StepTable): string {
  const stored = table.stored === 0 ? "this step wrote nothing to it" : `this step wrote ${table.stored} element${table.stored === 1 ? "" : "s"}, outlined`;
  const range = table.low === undefined ? "" : `; from ${table.low} (dark) to ${table.high} (bright)`;
  return `<p class="quiet"><code>${escape(table.name)}</code>: ${escape(table.type)}; ${stored}${range}.</p>
<div class="matrix">${heat(table)}
<div><p class="paging"><button type="button" data-move="up" data-key="up" aria-label="Rows before">▲</button> <button type="button" data-move="down" data-key="down" aria-label="Rows after">▼</button>
<button type="button" data-move="left" data-key="left" aria-label="Columns before">◀</button> <button type="button" data-move="right" data-key="right" aria-label="Columns after">▶</button></p>
<div class="scroll" tabindex="0" role="region" aria-label="${escape(`Elements of ${table.name}`)}">${elements(table)}</div></div></div>`;
}

function elements(table: StepTable): string {
  const width = table.cells[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => `<th scope="col">${table.column + i}</th>`).join("");
  const rows = table.cells.map((cells, i) => {
    const values = cells.map((value, j) => `<td${table.written[i]?.[j] === true ? ' class="fresh"' : ""}>${escape(value)}</td>`);
    return `<tr><th scope="row">${table.row + i}</th>${values.join("")}</tr>`;
  });
  const caption = width === 0 ? "no elements" : `rows ${table.row} to ${table.row + table.cells.length - 1} of ${table.rows}, columns ${table.column} to ${table.column + width - 1} of ${table.columns}`;
  return `<table class="elements" data-row="${table.row}" data-column="${table.column}"><caption>${caption}</caption><thead><tr><td></td>${columns}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function heat({ heat, low, high, name, columns, rows }: StepTable): string {
  if (heat.rows * heat.columns === 0) return "";
  const [across, down] = [Math.ceil(columns / heat.columns), Math.ceil(rows / heat.rows)];
  const cells = heat.means.map((mean, cell) => {
    const [row, column] = [Math.floor(cell / heat.columns), cell % heat.columns];
    const colour = mean === undefined ? "none" : ramp_class(mean, low ?? 0, high ?? 0);
    return `<rect class="${colour}" x="${column}" y="${row}" width="1" height="1" data-row="${row * down}" data-column="${column * across}"/>`;
  });
  const fresh = heat.written.flatMap((written, cell) =>
    written ? [`<rect class="fresh" x="${(cell % heat.columns) + 0.08}" y="${Math.floor(cell / heat.columns) + 0.08}" width="0.84" height="0.84"/>`] : []);
  const scale = Math.max(4, Math.min(20, 256 / Math.max(heat.columns, heat.rows)));
  const words = `Heat map of ${name}: dark is low, bright is high`;
  return `<svg class="heat" width="${Math.round(heat.columns * scale)}" height="${Math.max(16, Math.round(heat.rows * scale))}" viewBox="0 0 ${heat.columns} ${heat.rows}" preserveAspectRatio="none" role="img" aria-label="${escape(words)}">${cells.join("")}${fresh.join("")}</svg>`;
}

export const stepper_style = `
.event { color: var(--vscode-list-warningForeground, var(--vscode-editorWarning-foreground)); font-weight: 400; font-size: 0.6em; vertical-align: 0.25em; }
.scrub { display: flex; align-items: center; gap: 0.75rem; margin: 0.25rem 0; }
.scrub label { min-width: min(9rem, 35%); }
.scrub input { flex: 1; min-width: 0; max-width: 30rem; accent-color: var(--vscode-button-background); }
.ran { overflow-wrap: anywhere; }
.lanes, .lanes tbody { display: block; }
.lanes tr { display: grid; grid-template-columns: 4.5rem repeat(32, minmax(1.5rem, 2.6rem)); margin-bottom: 0.35rem; }
.lanes th { grid-row: 1 / span 8; padding: 0; border: none; color: var(--vscode-descriptionForeground); font-size: 0.9em; line-height: 1.3; align-self: center; }
.lanes th small { display: block; }
.lanes td.lane { height: 1.55em; line-height: 1.55em; padding: 0; overflow: hidden; text-align: center; font-size: 0.8em;
  font-family: var(--vscode-editor-font-family); border: 1px solid var(--vscode-editor-background); cursor: pointer; box-sizing: border-box; }
@media (max-width: 1000px) { .lanes tr { grid-template-columns: 4.5rem repeat(16, minmax(1.5rem, 2.6rem)); } }
@media (max-width: 520px) { .lanes tr { grid-template-columns: 3rem repeat(8, minmax(1.2rem, 2.6rem)); } .names .lane-value { min-width: 4rem; } }
.lanes td.none { background: var(--vscode-textCodeBlock-background); border-color: var(--vscode-widget-border, var(--vscode-panel-border)); }
.lanes td.odd { background: var(--vscode-editor-background); color: var(--vscode-editorError-foreground); border: 1px solid var(--vscode-editorError-foreground); }
.lanes td.true { background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
.lanes td.false { background: var(--vscode-editor-background); color: var(--vscode-foreground); border: 1px solid var(--vscode-foreground); }
.lanes td.away { background: transparent; color: var(--vscode-descriptionForeground); border: 1px dotted var(--vscode-widget-border, var(--vscode-panel-border)); }
.lanes td.shown { outline: 2px solid var(--vscode-foreground); outline-offset: -2px; }
.lanes td.picked { outline: 3px solid var(--vscode-focusBorder); outline-offset: -3px; }
.lanes td:focus-visible { outline: 3px solid var(--vscode-focusBorder); outline-offset: -1px; }
.names button { padding: 0 0.4rem; max-width: 13rem; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.names th, .names td { padding-top: 0.2rem; padding-bottom: 0.2rem; vertical-align: middle; }
.names thead th { white-space: normal; }
.written th span { color: var(--vscode-list-warningForeground, var(--vscode-editorWarning-foreground)); }
.value { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
.strip { display: block; width: clamp(4rem, 24vw, 15rem); height: 14px; }
.strip .none { fill: transparent; stroke: var(--vscode-descriptionForeground); stroke-width: 0.5; }
.strip .true { fill: var(--vscode-button-background); }
.strip .false { fill: transparent; stroke: var(--vscode-foreground); }
.strip .odd { fill: var(--vscode-editorError-foreground); }
.strip .away { opacity: 0.3; }
.choices { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0.25rem 0 0.5rem; }
.matrix { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; align-items: start; }
.matrix > div { min-width: 0; max-width: 100%; }
.paging { margin: 0 0 0.35rem; }
.heat { border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); max-width: 100%; }
.heat .none { fill: var(--vscode-textCodeBlock-background); }
.heat .odd { fill: var(--vscode-editorError-foreground); }
.heat rect[data-row] { cursor: pointer; }
.heat .fresh { fill: none; stroke: #ff2d95; stroke-width: 0.14; pointer-events: none; }
.elements th, .elements td { text-align: right; padding: 0.1rem 0.5rem; font-family: var(--vscode-editor-font-family); font-size: 0.95em; }
.elements th { color: var(--vscode-descriptionForeground); }
.elements td.fresh { outline: 2px solid #ff2d95; outline-offset: -2px; font-weight: 600; }
`;
