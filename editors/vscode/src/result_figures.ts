// The pictures of an output and a page of its table, as HTML. Colours of a heat map are its own, since they stand for numbers;
// what is not finite is hatched, so that no colour is needed to see it.

import { colour_of } from "./ramp";
import { escape, numeric } from "./result_text";
import type { Cell, HeatMap, Histogram, Page } from "./tensor_view";

const figure_width = 240;
const figure_height = 96;

export function figures(histogram: Histogram, heat: HeatMap, name: string, index: number): string {
  return `<div class="figures">${histogram_figure(histogram, name)}${heat_figure(heat, histogram, name, index)}</div>`;
}

function histogram_figure({ low, high, counts, nan, infinite }: Histogram, name: string): string {
  const most = Math.max(...counts, 1);
  const width = figure_width / Math.max(counts.length, 1);
  const bars = counts.map((count, i) => {
    const height = count === 0 ? 0 : Math.max(1, (count / most) * (figure_height - 8));
    const from = low + ((high - low) * i) / counts.length;
    const title = `${count} from ${numeric(from)}`;
    return `<rect class="bar" x="${fixed(i * width)}" y="${fixed(figure_height - height)}" width="${fixed(Math.max(width - 1, 1))}" height="${fixed(height)}"><title>${escape(title)}</title></rect>`;
  });
  const range = counts.length === 0 ? "no finite elements" : low === high ? `all ${numeric(low)}` : `${numeric(low)} to ${numeric(high)}`;
  const odd = [nan > 0 ? `${nan} NaN` : "", infinite > 0 ? `${infinite} infinite` : ""].filter((part) => part !== "").join(", ");
  const words = `Histogram: ${range}${odd === "" ? "" : `; ${odd}`}`;
  return `<figure><svg width="${figure_width}" height="${figure_height}" role="img" aria-label="${escape(`${words}, of ${name}`)}">${bars.join("")}</svg><figcaption>${escape(words)}</figcaption></figure>`;
}

function heat_figure(heat: HeatMap, { low, high }: Histogram, name: string, index: number): string {
  if (heat.rows * heat.columns === 0) return "";
  // A tensor with one row is a strip, tall enough to be pointed at.
  const scale = Math.max(figure_width / heat.columns, 1);
  const height = Math.min(Math.max(heat.rows * scale, 24), 2 * figure_height);
  const cells = heat.means.map((mean, cell) => {
    const [row, column] = [Math.floor(cell / heat.columns), cell % heat.columns];
    const odd = heat.not_finite[cell] === true;
    const place = `row ${row * heat.row_step}, column ${column * heat.column_step}`;
    const value = mean === undefined ? "nothing finite" : `${numeric(mean)}${odd ? ", with NaN or infinities" : ""}`;
    const rect = (fill: string): string => `<rect x="${column}" y="${row}" width="1" height="1" fill="${fill}"`;
    const first = row * heat.row_step * heat.row_length + column * heat.column_step;
    const named = `data-output="${index}" data-index="${first}"><title>${escape(`${place}: ${value}`)}</title></rect>`;
    const colour = mean === undefined ? "#808080" : colour_of(high > low ? (mean - low) / (high - low) : 0.5);
    return odd ? `${rect(colour)}/>${rect(`url(#odd-${index})`)} ${named}` : `${rect(colour)} ${named}`;
  });
  const step = heat.row_step * heat.column_step > 1 ? `, a cell is the mean of ${heat.row_step} × ${heat.column_step}` : "";
  const hatched = heat.not_finite.includes(true) ? "; hatched: NaN or infinite" : "";
  const words = `Heat map: dark is low, bright is high${step}${hatched}`;
  return `<figure><svg class="heat" width="${figure_width}" height="${fixed(height)}" viewBox="0 0 ${heat.columns} ${heat.rows}" preserveAspectRatio="none" shape-rendering="crispEdges" role="img" aria-label="${escape(`${words}, of ${name}`)}">
<defs><pattern id="odd-${index}" width="0.5" height="0.5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="0.25" height="0.5" fill="#ff2d95"/></pattern></defs>${cells.join("")}</svg><figcaption>${escape(words)}</figcaption></figure>`;
}

function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** `target`: the element that was gone to. */
export function table(page: Page, target?: Cell): string {
  const columns = page.cells[0]?.map((_, i) => `<th scope="col">${page.flows ? `+${i}` : page.column + i}</th>`).join("") ?? "";
  const rows = page.cells.map((cells, i) => {
    const values = cells.map((value, j) => {
      const other = page.others?.[i]?.[j];
      const differs = other !== undefined && !Object.is(value, other) && value !== other;
      const names = [Number.isFinite(value) ? "" : "not-finite", differs ? "differs" : "",
        target?.row === page.row + i && target.column === page.column + j ? "target" : ""].filter((part) => part !== "");
      const mark = names.length === 0 ? "" : ` class="${names.join(" ")}"`;
      return `<td${mark}>${escape(word_of(value))}${differs ? ` <span class="quiet">sim ${escape(word_of(other))}</span>` : ""}</td>`;
    });
    return `<tr><th scope="row">${escape(page.row_names[i] ?? "")}</th>${values.join("")}</tr>`;
  });
  return `<table data-row="${page.row}" data-column="${page.column}"><caption>${shown(page)}</caption><thead><tr><td></td>${columns}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function shown({ row, column, table, flows, cells }: Page): string {
  const last_row = row + cells.length - 1;
  const width = cells[0]?.length ?? 0;
  if (width === 0) return "no elements";
  if (flows) return `elements ${row * table.columns} to ${last_row * table.columns + (cells.at(-1)?.length ?? 0) - 1}`;
  return `rows ${row} to ${last_row} of ${table.rows}, columns ${column} to ${column + width - 1} of ${table.columns}`;
}

function word_of(value: number): string {
  return Number.isNaN(value) ? "NaN" : value === Infinity ? "inf" : value === -Infinity ? "-inf" : numeric(value);
}
