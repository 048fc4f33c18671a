// In the stepper's page: puts in what the extension has drawn, keeps the focus where it was, and says what was pressed.

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const main = document.querySelector("main");
const [page_rows, page_columns] = [16, 8];

function act(target: Element): boolean {
  const of = target.closest<HTMLElement | SVGElement>("[data-pick], [data-name], [data-matrix], [data-move], rect[data-row]");
  if (of === null) return false;
  const { pick, name, matrix, move, row, column } = of.dataset;
  if (pick !== undefined) host.postMessage({ type: "pick", thread: pick === "none" ? null : Number(pick) });
  else if (name !== undefined) host.postMessage({ type: "name", name });
  else if (matrix !== undefined) host.postMessage({ type: "matrix", name: matrix });
  else if (row !== undefined) host.postMessage({ type: "page", row: Number(row), column: Number(column) });
  else if (move !== undefined) {
    const table = document.querySelector<HTMLElement>(".elements");
    if (table === null) return false;
    const [down, right] = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[move] ?? [0, 0];
    host.postMessage({
      type: "page",
      row: Number(table.dataset["row"]) + (down ?? 0) * page_rows,
      column: Number(table.dataset["column"]) + (right ?? 0) * page_columns,
    });
  }
  return true;
}

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element) act(target);
});

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "scrub") host.postMessage({ type: "step", step: Number(target.value) });
});

/** A warp takes several rows where there is little room. */
function cells_across(lane: HTMLElement): number {
  return [...(lane.parentElement?.querySelectorAll<HTMLElement>("td") ?? [])].filter((cell) => cell.offsetTop === lane.offsetTop).length;
}

document.addEventListener("keydown", (event) => {
  const lane = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("td[data-pick]") : null;
  if (event.key === "Escape") host.postMessage({ type: "pick", thread: null });
  if (lane === null) return;
  const thread = Number(lane.dataset["pick"]);
  const row = cells_across(lane);
  const next = { ArrowLeft: thread - 1, ArrowRight: thread + 1, ArrowUp: thread - row, ArrowDown: thread + row, PageUp: thread - 32, PageDown: thread + 32 }[event.key];
  if (next !== undefined) {
    const to = document.querySelector<HTMLElement>(`td[data-pick="${next}"]`);
    if (to !== null) {
      lane.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") act(lane);
  else return;
  event.preventDefault();
});

window.addEventListener("message", ({ data }: MessageEvent<{ html?: string }>) => {
  if (data.html === undefined || main === null) return;
  // Whoever steps from the text stays there.
  const key = document.hasFocus() && document.activeElement instanceof HTMLElement ? document.activeElement.dataset["key"] : undefined;
  const scrolled = window.scrollY;
  main.innerHTML = data.html;
  if (key !== undefined) main.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  window.scrollTo(0, scrolled);
});

host.postMessage({ type: "ready" });
