// The page of the hierarchy: the grid, a CTA, a warp or a lane; what `ctx` is there; and what of each tensor belongs to it.

import type { Access, Facts, Region } from "./hierarchy_facts";
import { escape, prose } from "./result_text";

export type Level = "grid" | "cta" | "warp" | "lane";

export interface Looked {
  level: Level;
  block: [number, number, number];
  warp: number;
  thread: number;
  /** The line that the cursor is on: its accesses are marked. */
  line: number;
  stepping: boolean;
}

const lanes = 32;
/** Of a warp, in a row. */
export const lanes_across = 8;
/** CTAs along an axis that are drawn at once. */
const most_drawn = 24;
const figure = 200;

export function hierarchy_body(facts: Facts | undefined, looked: Looked): string {
  if (facts === undefined) return `<h1>No kernel</h1><p class="quiet">Put the cursor into a kernel.</p>`;
  const drawn = drawing(facts, looked);
  return `<h1>${escape(facts.kernel)} ${level_words(looked)}</h1>
${path(facts, looked)}
${launch(facts)}
<div class="two">${drawn === "" ? "" : `<div class="drawing">${drawn}</div>`}<div class="ctx">${ctx(facts)}</div></div>
${tensors(facts, looked)}`;
}

function level_words({ level, block, warp, thread }: Looked): string {
  const words = { grid: "", cta: `CTA (${block.join(", ")})`, warp: `warp ${warp} of CTA (${block.join(", ")})`, lane: `lane ${thread % lanes} of warp ${warp}` }[level];
  return `<span class="quiet">${words}</span>`;
}

function path(facts: Facts, { level, block, warp, thread, stepping }: Looked): string {
  const button = (to: Level, words: string): string =>
    `<button type="button" data-level="${to}" data-key="level-${to}"${to === level ? ' aria-current="true"' : ""}>${words}</button>`;
  const steps = [button("grid", "Grid"), button("cta", `CTA (${block.join(", ")})`), button("warp", `Warp ${warp}`), button("lane", `Lane ${thread % lanes}`)];
  const can_step = facts.grid !== undefined && facts.whole_warps && level !== "grid";
  const step = can_step ? `<button type="button" data-step data-key="step">${stepping && level === "lane" ? "Filter the stepper" : "Step through"}</button>` : "";
  return `<nav aria-label="Levels">${steps.join('<span aria-hidden="true">›</span>')} ${step}</nav>`;
}

function launch(facts: Facts): string {
  const numbers = [...facts.dimensions, ...facts.constants].map(
    ({ name, value, assumed }) =>
      `<label${assumed ? ' class="assumed" title="Nobody says how large it is; this is assumed"' : ""}><code>${escape(name)}</code> <input type="number" min="0" value="${value}" data-dimension="${escape(name)}" data-key="dimension-${escape(name)}"></label>`,
  );
  const how = facts.grid_how.map((words, axis) => (words === "" ? "" : `ctx.blocks.${"xyz"[axis] ?? ""} = ${escape(words)}`)).filter((words) => words !== "").join(", ");
  const grid =
    facts.grid === undefined
      ? `<p class="stale">The grid does not follow from the stores: ${prose(facts.grid_reason)}. <label>Grid <input size="10" data-grid data-key="grid" placeholder="4, 3"></label></p>`
      : `<p>${facts.grid.join(" × ")} CTAs${how === "" ? "" : ` <span class="quiet">· ${how}</span>`}</p>`;
  return `<p class="numbers">${numbers.join(" ")}</p>${grid}`;
}

function drawing(facts: Facts, looked: Looked): string {
  if (looked.level === "grid") return grid_drawing(facts, looked);
  if (looked.level === "cta") return cta_drawing(facts, looked);
  return warp_drawing(facts, looked);
}

interface Cell {
  key: string;
  label: string;
  text: string;
  current: boolean;
  names?: string;
}

function cell({ key, label, text, current, names = "" }: Cell): string {
  return `<td role="gridcell" tabindex="${current ? 0 : -1}" data-cell="${key}" data-key="cell-${key}" aria-selected="${current}" aria-label="${escape(label)}" title="${escape(label)}" class="${`${names}${current ? " current" : ""}`.trim()}">${text}</td>`;
}

/** Along x from left to right, along y downwards; of a large grid the part around the CTA that is picked. */
function grid_drawing(facts: Facts, { block }: Looked): string {
  if (facts.grid === undefined) return "";
  const [across = 1, down = 1, deep = 1] = facts.grid;
  if (across * down * deep === 0) return `<p class="quiet">The grid has no CTAs: there is nothing to do.</p>`;
  const [x0, y0] = [window_start(block[0], across), window_start(block[1], down)];
  const columns = Array.from({ length: Math.min(across, most_drawn) }, (_, i) => x0 + i);
  const rows = Array.from({ length: Math.min(down, most_drawn) }, (_, i) => y0 + i);
  const head = columns.map((x) => `<th scope="col" role="columnheader">${x}</th>`).join("");
  const body = rows.map((y) => {
    const cells = columns.map((x) => cell({ key: `${x},${y}`, label: `CTA (${x}, ${y}, ${block[2]})`, text: "", current: x === block[0] && y === block[1], names: "cta" }));
    return `<tr role="row"><th scope="row" role="rowheader">${y}</th>${cells.join("")}</tr>`;
  });
  const z = deep > 1 ? ` <label>ctx.block.z <input type="number" min="0" max="${deep - 1}" value="${block[2]}" data-z data-key="z"></label>` : "";
  const more = across > most_drawn || down > most_drawn ? `<p class="quiet">${columns.length} × ${rows.length} of the ${across} × ${down} CTAs are drawn; the arrow keys move on.</p>` : "";
  return `<h2>CTAs <span class="quiet">x to the right, y downwards</span>${z}</h2>
<div class="scroll"><table role="grid" class="ctas" data-kind="grid" aria-label="CTAs of the grid"><thead><tr role="row"><td></td>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>${more}`;
}

function window_start(at: number, count: number): number {
  return count <= most_drawn ? 0 : Math.max(0, Math.min(count - most_drawn, at - Math.floor(most_drawn / 2)));
}

/** A row a warp; what is no whole warp is drawn dashed. */
function cta_drawing(facts: Facts, { warp }: Looked): string {
  const rows = Array.from({ length: Math.ceil(facts.threads / lanes) }, (_, i) => {
    const here = Math.min(lanes, facts.threads - i * lanes);
    const whole = here === lanes;
    const cells = Array.from({ length: lanes }, (_, lane) => `<span class="${lane < here ? (whole ? "lane" : "lane part") : "lane absent"}"></span>`).join("");
    const words = whole ? `warp ${i}, threads ${i * lanes} to ${i * lanes + lanes - 1}` : `${here} threads, no whole warp`;
    return `<tr role="row"><th scope="row" role="rowheader">${whole ? `warp ${i}` : "no warp"}</th>${cell({ key: `${i}`, label: words, text: `<span class="row" aria-hidden="true">${cells}</span>`, current: i === warp, names: "warp" })}</tr>`;
  });
  const counts = facts.whole_warps ? `${facts.threads} threads in ${facts.threads / lanes} warps of ${lanes} lanes` : `${facts.threads} threads are no whole number of warps`;
  const fault = facts.launch_fault === "" ? "" : `<p class="alert" role="alert">${prose(facts.launch_fault)}</p>`;
  return `<h2>Warps <span class="quiet">${counts}</span></h2>${fault}<div class="scroll"><table role="grid" class="warps" data-kind="cta" aria-label="Warps of the CTA"><tbody>${rows.join("")}</tbody></table></div>`;
}

function warp_drawing(facts: Facts, { level, warp, thread }: Looked): string {
  const count = Math.max(0, Math.min(lanes, facts.threads - warp * lanes));
  const cells = Array.from({ length: count }, (_, lane) =>
    cell({ key: `${lane}`, label: `lane ${lane}, thread ${warp * lanes + lane}`, text: String(lane), current: warp * lanes + lane === thread, names: level === "lane" && warp * lanes + lane === thread ? "lane picked" : "lane" }));
  const rows = Array.from({ length: Math.ceil(count / lanes_across) }, (_, row) => `<tr role="row">${cells.slice(row * lanes_across, (row + 1) * lanes_across).join("")}</tr>`);
  const words = level === "lane" ? `thread ${thread}, with registers of its own` : `threads ${warp * lanes} to ${warp * lanes + count - 1}, which run together`;
  return `<h2>Lanes <span class="quiet">${words}</span></h2><div class="scroll"><table role="grid" class="lanes" data-kind="warp" aria-label="Lanes of warp ${warp}"><tbody>${rows.join("")}</tbody></table></div>`;
}

function ctx(facts: Facts): string {
  const rows = facts.ctx.map(({ field, value, how, kind }) =>
    `<tr><th scope="row"><code>${escape(field)}</code></th><td class="number">${value}</td><td class="quiet how">${escape(how)}</td><td><span class="badge ${escape(kind)}">${escape(kind)}</span></td></tr>`);
  return `<h2>ctx</h2><div class="scroll" tabindex="0" role="region" aria-label="Fields of ctx"><table><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">How it comes</th><th scope="col">Kind</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function tensors(facts: Facts, looked: Looked): string {
  const drawn = facts.tensors.map((tensor) => {
    const accesses = facts.accesses.filter((access) => access.tensor === tensor.name);
    if (accesses.length === 0) return "";
    const rows = accesses.map((access) => access_row(access, looked));
    return `<section><h3><code>${escape(tensor.name)}</code> <span class="quiet">${escape(tensor.type)}: ${tensor.extents.join(" × ")}</span></h3>
<div class="tensor">${tensor_drawing(tensor.name, tensor.extents, accesses, looked)}<ul>${rows.join("")}</ul></div></section>`;
  });
  const who = { grid: "The CTA picked", cta: "This CTA", warp: "This warp", lane: "This lane" }[looked.level];
  return `<h2>Tensors</h2><p class="quiet legend">${who} has: <span class="load">■</span> loads <span class="store">■</span> stores <span class="masked">▨</span> masked, past the end</p>${drawn.join("")}`;
}

function access_row(access: Access, { line }: Looked): string {
  const { start } = access.range;
  const here = start.line === line ? " here" : "";
  const kind = access.store ? "store" : "load";
  const words = access.atomic ? "atomic" : kind;
  const link = `<button type="button" class="link" data-line="${start.line}" data-character="${start.character}" data-key="access-${start.line}-${start.character}-${kind}"><code>${escape(access.text.split("\n")[0] ?? "")}</code></button>`;
  return `<li class="${kind}${here}"><span class="${kind}" aria-hidden="true">■</span> ${words} ${link}<br><span class="quiet">${escape(words_of(access))}</span></li>`;
}

/** What of the tensor it is, in words. */
export function words_of({ tensor, regions, reached, by, flat }: Access): string {
  if (reached === "no") return "not reached";
  const maybe = reached === "maybe" ? ", if it gets here" : "";
  if (regions === undefined) return `where, only the run knows${maybe}`;
  const where = regions.map(region_text).join(", ");
  const text = flat ? `${tensor} at ${where} in row-major order` : `${tensor}[${where}]`;
  const past = regions.some(({ last, length, extent }) => last + length > extent);
  if (!past) return `${text}${maybe}`;
  const all_past = regions.some(({ first, extent }) => first >= extent);
  const what = by === "cta" ? "masked" : "past the end";
  return `${text}${maybe}; ${all_past ? `all of it is ${what}` : `part of it is ${what}`}`;
}

function region_text({ first, last, step, length }: Region): string {
  if (step === 0) return length === 1 ? String(first) : `${first}:${first + length}`;
  if (step <= length) return `${first}:${last + length}`;
  return length === 1 ? `${first}, ${first + step}, … ${last}` : `${first}:+${length}, ${first + step}:+${length}, … ${last}:+${length}`;
}

/** The last axis across, the one before it downwards; what reaches past the end is hatched there. */
function tensor_drawing(name: string, extents: number[], accesses: Access[], looked: Looked): string {
  const across = Math.max(1, extents.at(-1) ?? 1);
  const down = Math.max(1, extents.at(-2) ?? 1);
  const has_rows = extents.length > 1;
  const drawn = accesses
    .filter(({ regions, reached }) => regions !== undefined && reached !== "no")
    .map((access) => ({ access, rects: access.flat && has_rows ? flat_rects(access.regions?.[0], across, down) : rects_of(access, across, down, has_rows) }));
  const all = drawn.flatMap(({ rects }) => rects);
  const full_across = Math.max(across, ...all.map(({ x, width }) => x + width));
  const full_down = has_rows ? Math.max(down, ...all.map(({ y, height }) => y + height)) : 1;
  const scale = Math.min(figure / full_across, figure / full_down);
  const [width, height] = [Math.max(12, full_across * scale), Math.max(has_rows ? 12 : 26, full_down * scale)];
  const [sx, sy] = [width / full_across, height / full_down];
  const rects = drawn.flatMap(({ access, rects }) => rects.map((rect) => {
    const kind = rect.past ? "past" : access.store ? "store" : "load";
    const [w, h] = [Math.max(1.5, rect.width * sx), Math.max(1.5, rect.height * sy)];
    return `<rect class="${kind}${access.range.start.line === looked.line ? " here" : ""}" x="${fixed(Math.min(rect.x * sx, width - 1.5))}" y="${fixed(Math.min(rect.y * sy, height - 1.5))}" width="${fixed(w)}" height="${fixed(h)}"/>`;
  }));
  const words = accesses.map((access) => `${access.atomic ? "atomic" : access.store ? "stores" : "loads"} ${words_of(access)}`).join("; ");
  return `<svg width="${fixed(width + 2)}" height="${fixed(height + 2)}" viewBox="-1 -1 ${fixed(width + 2)} ${fixed(height + 2)}" role="img" aria-label="${escape(`${name}, ${extents.join(" × ")}: ${words}`)}">
<defs><pattern id="hatch-${escape(name)}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="line" width="2" height="6"/></pattern></defs>
<rect class="tensor-outline" x="0" y="0" width="${fixed(across * sx)}" height="${fixed(down * sy)}"/>${rects.join("").replaceAll('class="past', `fill="url(#hatch-${escape(name)})" class="past`)}</svg>`;
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  past: boolean;
}

const most_rects = 128;

function rects_of({ regions }: Access, across: number, down: number, has_rows: boolean): Rect[] {
  const columns = spans_of(regions?.at(-1), across);
  const rows = has_rows ? spans_of(regions?.at(-2), down) : [{ from: 0, to: 1, past: false }];
  return rows.flatMap((row) => columns.map((column) => ({ x: column.from, y: row.from, width: column.to - column.from, height: row.to - row.from, past: row.past || column.past })));
}

/** Positions in row-major order: of each run the rest of its first row, whole rows, and the beginning of its last. */
function flat_rects(region: Region | undefined, across: number, down: number): Rect[] {
  return spans_of(region, region?.extent ?? 0).flatMap(({ from, to, past }) => {
    const rows = { first: Math.floor(from / across), last: Math.floor((to - 1) / across) };
    const rect = (row: number, height: number, x: number, end: number): Rect => ({ x, y: past ? row : row % down, width: end - x, height, past });
    const [x, end] = [from % across, ((to - 1) % across) + 1];
    if (rows.first === rows.last) return [rect(rows.first, 1, x, end)];
    const whole = rows.last - rows.first - 1;
    return [rect(rows.first, 1, x, across), ...(whole > 0 ? [rect(rows.first + 1, Math.min(whole, down), 0, across)] : []), rect(rows.last, 1, 0, end)];
  });
}

/** Runs of elements along an axis, each inside or past the end; many of them become one. */
function spans_of(region: Region | undefined, extent: number): { from: number; to: number; past: boolean }[] {
  if (region === undefined) return [];
  const { first, last, step, length } = region;
  const apart = step > length && (last - first) / step < most_rects;
  const whole = apart ? Array.from({ length: (last - first) / step + 1 }, (_, i) => [first + i * step, first + i * step + length]) : [[first, last + length]];
  return whole.flatMap(([from = 0, to = 0]) => {
    const parts = [];
    if (from < extent) parts.push({ from: Math.max(0, from), to: Math.min(to, extent), past: false });
    if (to > extent) parts.push({ from: Math.max(from, extent), to: Math.min(to, extent * 1.6 + 4), past: true });
    return parts.filter((part) => part.to > part.from);
  });
}

function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}

export const hierarchy_style = `
.two { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: start; }
.two > div { min-width: 0; max-width: 100%; }
.two > .drawing { flex: 1 1 15rem; max-width: 40rem; }
.two > .ctx { flex: 1 1 22rem; }
.how { white-space: normal; }
.two h2 { margin-top: 0.5rem; }
.two th, .two td { padding-top: 0.1rem; padding-bottom: 0.1rem; }
h2 label { margin-left: 0.75rem; font-weight: 400; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; margin: 0.5rem 0 0.75rem; }
nav [data-step] { margin-left: auto; }
h3 { font-size: 1em; font-weight: 600; margin: 1rem 0 0.35rem; }
input { padding: 0.1rem 0.4rem; width: 5rem; color: var(--vscode-input-foreground); background: var(--vscode-input-background); font: inherit;
  border: 1px solid var(--vscode-input-border, var(--vscode-widget-border, var(--vscode-descriptionForeground))); }
.numbers { display: flex; flex-wrap: wrap; gap: 0.35rem 1rem; align-items: baseline; margin: 0.5rem 0; }
.numbers + p { margin: 0.5rem 0; }
.assumed { font-style: italic; }
.assumed::after { content: " assumed"; color: var(--vscode-descriptionForeground); }
.ctas td, .ctas th { padding: 0; border: none; text-align: center; font-size: 0.8em; vertical-align: middle; }
.ctas th { color: var(--vscode-descriptionForeground); padding: 0 0.3rem; }
.ctas td.cta { width: 1.6rem; height: 1.6rem; min-width: 1.6rem; border: 2px solid var(--vscode-editor-background); background: var(--vscode-button-secondaryBackground); cursor: pointer;
  outline: 1px solid var(--vscode-contrastBorder, transparent); outline-offset: -3px; }
.ctas td.cta:hover, .lanes td:hover { background: var(--vscode-list-hoverBackground); }
.ctas td.current { outline: 2px solid var(--vscode-contrastActiveBorder, transparent); }
.ctas td.current, .lanes td.current { background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
td:focus-visible, .ctas td.cta:focus-visible { outline: 3px solid var(--vscode-focusBorder); outline-offset: -1px; }
.warps { width: 100%; }
.warps th { border: none; padding: 0 0.6rem 0 0; color: var(--vscode-descriptionForeground); font-size: 0.9em; vertical-align: middle; }
.warps td { border: 2px solid transparent; padding: 1px; cursor: pointer; width: 100%; }
.warps td.current { border-color: var(--vscode-focusBorder); }
.warps .row { display: flex; gap: 1px; }
.warps .lane { flex: 1 1 0; min-width: 3px; height: 15px; box-sizing: border-box; background: var(--vscode-charts-blue); }
.warps .part { background: transparent; border: 1px dashed var(--vscode-editorError-foreground); }
.warps .absent { background: transparent; border: 1px dashed var(--vscode-descriptionForeground); opacity: 0.5; }
.lanes td { min-width: 1.7rem; height: 1.7rem; padding: 0; text-align: center; vertical-align: middle; font-size: 0.85em; font-variant-numeric: tabular-nums;
  border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); cursor: pointer; }
.lanes td.picked { outline: 3px solid var(--vscode-focusBorder); outline-offset: -3px; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.tensor { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; align-items: start; }
.tensor ul { margin: 0; padding: 0; list-style: none; min-width: 14rem; flex: 1; }
.tensor li { margin: 0 0 0.5rem; overflow-wrap: anywhere; padding-left: 0.5rem; border-left: 3px solid transparent; }
.tensor li.here { border-left-color: var(--vscode-focusBorder); }
.link { padding: 0; background: none; border: none; color: var(--vscode-textLink-foreground); text-align: left; }
.link:hover { background: none; text-decoration: underline; }
.tensor-outline { fill: var(--vscode-textCodeBlock-background); stroke: var(--vscode-foreground); stroke-width: 1; }
rect.load { fill: var(--vscode-phobos-loads); fill-opacity: 0.55; stroke: var(--vscode-phobos-loads); }
rect.store { fill: var(--vscode-phobos-stores); fill-opacity: 0.55; stroke: var(--vscode-phobos-stores); }
rect.here { stroke-width: 2.5; fill-opacity: 0.85; }
rect.past { stroke: var(--vscode-editorError-foreground); stroke-dasharray: 3 2; }
rect.line { fill: var(--vscode-editorError-foreground); }
span.load { color: var(--vscode-phobos-loads); }
span.store { color: var(--vscode-phobos-stores); }
span.masked { color: var(--vscode-editorError-foreground); }
`;
