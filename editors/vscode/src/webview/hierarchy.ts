// In the page of the hierarchy: arrows move, Enter and a click zoom in, Escape zooms out.

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const main = document.querySelector("main");

function zoom(cell: HTMLElement): void {
  const kind = cell.closest<HTMLElement>("[data-kind]")?.dataset["kind"];
  host.postMessage({ type: "zoom", kind, cell: cell.dataset["cell"] });
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const of = target.closest<HTMLElement>("[data-cell], [data-level], [data-step], [data-line]");
  if (of === null) return;
  const { cell, level, line, character } = of.dataset;
  if (cell !== undefined) zoom(of);
  else if (level !== undefined) host.postMessage({ type: "level", level });
  else if (line !== undefined) host.postMessage({ type: "reveal", line: Number(line), character: Number(character) });
  else host.postMessage({ type: "step" });
});

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  // It is no longer being typed: what comes back counts.
  target.defaultValue = target.value;
  const { dimension } = target.dataset;
  if (dimension !== undefined) host.postMessage({ type: "dimension", name: dimension, value: Number(target.value) });
  else if (target.dataset["grid"] !== undefined) host.postMessage({ type: "grid", text: target.value });
  else if (target.dataset["z"] !== undefined) host.postMessage({ type: "z", value: Number(target.value) });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    host.postMessage({ type: "out" });
    return;
  }
  const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-cell]") : null;
  if (cell === null) return;
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (by !== undefined) host.postMessage({ type: "move", across: by[0], down: by[1] });
  else if (event.key === "Enter" || event.key === " ") zoom(cell);
  else return;
  event.preventDefault();
});

window.addEventListener("message", ({ data }: MessageEvent<{ html?: string; to_cell?: boolean }>) => {
  if (data.html === undefined || main === null) return;
  const active = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  // Whoever is in the drawing stays with what is picked, and whoever is in the text stays there.
  const here = document.hasFocus() || data.to_cell === true;
  const in_drawing = here && (active?.dataset["cell"] !== undefined || (data.to_cell === true && (active === document.body || active === undefined)));
  const key = active?.dataset["key"];
  const scrolled = window.scrollY;
  main.innerHTML = data.html;
  const next = in_drawing ? main.querySelector<HTMLElement>('[data-cell][tabindex="0"]') : key === undefined || !here ? null : main.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (active instanceof HTMLInputElement && next instanceof HTMLInputElement) {
    // What is being typed there, and what is selected, stays.
    if (active.value === active.defaultValue && active.value !== next.value) active.value = next.value;
    active.max = next.max;
    active.defaultValue = next.defaultValue;
    next.replaceWith(active);
    active.focus({ preventScroll: true });
  } else next?.focus({ preventScroll: true });
  window.scrollTo(0, scrolled);
});

host.postMessage({ type: "ready" });
