// What a search for the fastest choice has found, as HTML.

import { shell } from "./page_shell";
import { escape, time } from "./result_text";
import { type Tuned, type Variant, words_of_constants } from "./tuned";

export interface TunedContext {
  nonce: string;
  /** The command that makes the winner the first choice; empty: it is. */
  take: string;
  again: string;
}

const most_shown = 64;
const bar_width = 160;

export function tuned_page(tuned: Tuned, { nonce, take, again }: TunedContext): string {
  return shell({ nonce, title: `${tuned.kernel}, tuned`, style, script: "" }, `
<h1>${escape(tuned.kernel)} <span class="quiet">tuned</span></h1>
${facts(tuned)}
${tuned.ok ? winner(tuned) : `<p class="alert" role="alert">${escape(tuned.message || "The search failed and gave no reason.")}</p>`}
${tuned.estimated ? `<p class="stale">Estimated: there is no GPU here, so nothing was timed, and nothing is kept.</p>` : ""}
<p class="actions">${take === "" ? "" : `<a class="button" href="${escape(take)}">Make it the first choice</a> `}<a class="button secondary" href="${escape(again)}">Tune again</a></p>
${table(tuned)}`);
}

function facts({ device, shape, space, variants, seconds }: Tuned): string {
  const rows = [["Device", device], ["Shape", shape], ["Variants", `${variants.length} of ${space}`], ["Took", time(seconds * 1000)]];
  return `<dl>${rows.filter(([, value]) => value !== "").map(([name, value]) => `<div><dt>${name ?? ""}</dt><dd>${escape(value ?? "")}</dd></div>`).join("")}</dl>`;
}

function winner({ best, default_ms, estimated, kept }: Tuned): string {
  if (best === undefined) return `<p class="alert" role="alert">No variant could be run.</p>`;
  const times = default_ms === undefined ? 0 : default_ms / best.ms;
  const against = default_ms === undefined ? "" : times < 1.005 ? "; so are the first choices" : `; the first choices take ${time(default_ms)}, ${times.toFixed(2)} times as long`;
  const from_now = kept ? " It is kept: runs take it from now on." : "";
  return `<p>Fastest: <b><code>${escape(words_of_constants(best.constants))}</code></b>, ${estimated ? "about " : ""}${time(best.ms)}${against}.${from_now}</p>`;
}

function table({ variants, best }: Tuned): string {
  if (variants.length === 0) return "";
  const names = Object.keys(variants[0]?.constants ?? {});
  const slowest = Math.max(...variants.map(({ ms }) => ms ?? 0));
  const head = ["", ...names, "Time", ""].map((name, i) => (name === "" ? `<td></td>` : `<th scope="col"${i > 0 ? ' class="number"' : ""}>${escape(name)}</th>`)).join("");
  const rows = variants.slice(0, most_shown).map((variant, i) => {
    const best_one = best !== undefined && words_of_constants(best.constants) === words_of_constants(variant.constants);
    const cells = names.map((name) => `<td class="number">${variant.constants[name] ?? ""}</td>`).join("");
    return `<tr${best_one ? ' class="best"' : ""}><th scope="row">${i + 1}</th>${cells}${outcome(variant, slowest)}</tr>`;
  });
  const more = variants.length > most_shown ? `<p class="quiet">and ${variants.length - most_shown} more</p>` : "";
  return `<h2>Variants</h2><div class="scroll" tabindex="0" role="region" aria-label="Variants"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>${more}`;
}

function outcome({ ms, status, why }: Variant, slowest: number): string {
  if (ms === undefined) return `<td colspan="2" class="quiet why">${escape(status)}${why === "" ? "" : `: ${escape(why)}`}</td>`;
  const width = slowest > 0 ? Math.max(1, (ms / slowest) * bar_width) : 1;
  return `<td class="number">${escape(time(ms))}</td><td><svg class="bars" viewBox="0 0 ${bar_width} 12" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${width.toFixed(1)}" height="12"/></svg></td>`;
}

const style = `
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; }
dt { color: var(--vscode-descriptionForeground); font-size: 0.9em; }
dd { margin: 0; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.bars { display: block; width: clamp(3rem, 22vw, 10rem); height: 12px; }
.bar { fill: var(--vscode-charts-blue); }
.best th, .best td { font-weight: 600; background: var(--vscode-editor-rangeHighlightBackground, transparent); }
tbody th { color: var(--vscode-descriptionForeground); padding-left: 0.4rem; }
.why { white-space: normal; }
`;
