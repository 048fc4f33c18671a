// What is drawn of a tensor: pages of a table, a histogram, a heat map, and how it differs from another one. A tensor is seen as
// rows: the last axis runs along a row, and all others are numbered through downwards. In a table the elements of a tensor with one
// axis run on from line to line, as words do.

import type { Tensor } from "./npy";

/** What these functions need of a tensor; tests have one in memory. */
export type Values = Pick<Tensor, "shape" | "count" | "read">;

export interface Matrix {
  rows: number;
  columns: number;
}

export interface Cell {
  row: number;
  column: number;
}

function matrix_of({ shape, count }: Pick<Values, "shape" | "count">): Matrix {
  const columns = shape.at(-1) ?? 1;
  return { rows: columns === 0 ? 0 : count / columns, columns };
}

function table_of(tensor: Pick<Values, "shape" | "count">): Matrix {
  if (tensor.shape.length > 1) return matrix_of(tensor);
  return { rows: Math.ceil(tensor.count / page_columns), columns: Math.min(tensor.count, page_columns) };
}

export interface Page extends Cell {
  table: Matrix;
  /** The elements of a tensor with one axis, in lines. */
  flows: boolean;
  /** What stands before each row: its indices, or the first element's. */
  row_names: string[];
  cells: number[][];
  /** The other tensor's elements, where there is one. */
  others: number[][] | undefined;
}

export const page_rows = 16;
export const page_columns = 8;

/** The page whose first element is the one asked for, or as near as the tensor's end lets it be. */
export function page_of(tensor: Values, row: number, column: number, other?: Values): Page {
  const table = table_of(tensor);
  const flows = tensor.shape.length <= 1;
  const first_row = clamp(row, table.rows - page_rows);
  const first_column = clamp(column, table.columns - page_columns);
  const rows = Array.from({ length: Math.min(page_rows, table.rows - first_row) }, (_, i) => first_row + i);
  const width = Math.min(page_columns, table.columns - first_column);
  const read = (from: Values): number[][] => rows.map((each) => from.read(each * table.columns + first_column, width));
  return {
    row: first_row,
    column: first_column,
    table,
    flows,
    row_names: rows.map((each) => (flows ? String(each * table.columns) : indices_of(each, tensor.shape.slice(0, -1)).join(", "))),
    cells: read(tensor),
    others: other && read(other),
  };
}

/** Where the table has an element. */
export function cell_of(tensor: Values, index: number): Cell {
  const { columns } = table_of(tensor);
  return { row: Math.floor(index / columns), column: index % columns };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(Math.floor(value) || 0, most));
}

export function indices_of(index: number, shape: number[]): number[] {
  const indices: number[] = [];
  let rest = index;
  for (const extent of shape.toReversed()) {
    indices.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return indices;
}

/** The element that a text such as `3, 17` names, or undefined. */
export function parse_indices(text: string, shape: number[]): number | undefined {
  const indices = text.split(/[\s,]+/).filter((part) => part !== "").map(Number);
  if (indices.length !== shape.length) return undefined;
  if (!indices.every((index, axis) => Number.isInteger(index) && index >= 0 && index < (shape[axis] ?? 0))) return undefined;
  return indices.reduce((number, index, axis) => number * (shape[axis] ?? 1) + index, 0);
}

export interface Histogram {
  low: number;
  high: number;
  counts: number[];
  nan: number;
  infinite: number;
}

export interface HeatMap {
  rows: number;
  columns: number;
  /** How many rows and columns of the tensor a cell stands for. */
  row_step: number;
  column_step: number;
  /** How many elements a row of the tensor has. */
  row_length: number;
  /** Row by row: the mean of the finite elements, or undefined where there is none. */
  means: (number | undefined)[];
  /** Whether a cell has elements that are not finite. */
  not_finite: boolean[];
}

export interface Difference {
  /** Of the element that differs most, in the tensor's own axes. */
  indices: number[];
  index: number;
  value: number;
  other: number;
  different: number;
}

const chunk = 1 << 16;
const heat_side = 64;
const bars = 32;

/** One reading of the whole tensor for all that is drawn of it. */
export function survey(tensor: Values): { histogram: Histogram; heat: HeatMap } {
  const { rows, columns } = matrix_of(tensor);
  const row_step = Math.max(1, Math.ceil(rows / heat_side));
  const column_step = Math.max(1, Math.ceil(columns / heat_side));
  const heat_rows = Math.ceil(rows / row_step);
  const heat_columns = Math.ceil(columns / column_step);
  const sums = new Float64Array(heat_rows * heat_columns);
  const counted = new Float64Array(heat_rows * heat_columns);
  const not_finite = new Array<boolean>(heat_rows * heat_columns).fill(false);
  let low = Infinity;
  let high = -Infinity;
  let nan = 0;
  let infinite = 0;
  each(tensor, (value, index) => {
    const row = Math.floor(index / columns);
    const cell = Math.floor(row / row_step) * heat_columns + Math.floor((index - row * columns) / column_step);
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
      sums[cell] = (sums[cell] ?? 0) + value;
      counted[cell] = (counted[cell] ?? 0) + 1;
    } else {
      not_finite[cell] = true;
      if (Number.isNaN(value)) nan++;
      else infinite++;
    }
  });
  const counts = new Array<number>(low < high ? bars : low === high ? 1 : 0).fill(0);
  const width = (high - low) / counts.length;
  each(tensor, (value) => {
    if (!Number.isFinite(value)) return;
    const bar = width > 0 && Number.isFinite(width) ? Math.min(counts.length - 1, Math.floor((value - low) / width)) : 0;
    counts[bar] = (counts[bar] ?? 0) + 1;
  });
  const means = Array.from(sums, (sum, cell) => (counted[cell] ? sum / counted[cell] : undefined));
  return {
    histogram: { low, high, counts, nan, infinite },
    heat: { rows: heat_rows, columns: heat_columns, row_step, column_step, row_length: columns, means, not_finite },
  };
}

/** Where two tensors of one shape differ most, or undefined where they are the same. */
export function difference_of(tensor: Values, other: Values): Difference | undefined {
  let worst = -1;
  let most = -1;
  let different = 0;
  for (let from = 0; from < tensor.count; from += chunk) {
    const ours = tensor.read(from, chunk);
    const theirs = other.read(from, chunk);
    ours.forEach((value, i) => {
      const distance = distance_of(value, theirs[i] ?? NaN);
      if (distance > 0) different++;
      if (distance > most) {
        most = distance;
        worst = from + i;
      }
    });
  }
  if (most <= 0) return undefined;
  return {
    indices: indices_of(worst, tensor.shape),
    index: worst,
    value: tensor.read(worst, 1)[0] ?? NaN,
    other: other.read(worst, 1)[0] ?? NaN,
    different,
  };
}

function distance_of(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const distance = Math.abs(a - b);
  return Number.isNaN(distance) ? Infinity : distance;
}

function each(tensor: Values, visit: (value: number, index: number) => void): void {
  for (let from = 0; from < tensor.count; from += chunk) {
    tensor.read(from, chunk).forEach((value, i) => {
      visit(value, from + i);
    });
  }
}
