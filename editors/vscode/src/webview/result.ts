// In the page of a result: asks for pages of tables and puts them in, and marks the page stale. All text comes as HTML that the
// extension made and escaped.

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

interface Shown {
  output: number;
  html: string;
  said: string;
}

const host = acquireVsCodeApi();
const page = { rows: 16, columns: 8 };

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement | SVGElement>("[data-index], [data-move]") : null;
  if (target === null) return;
  const { index, output, move } = target.dataset;
  if (move !== undefined) {
    const form = target.closest("form");
    const table = document.querySelector<HTMLTableElement>(`#table-${form?.dataset["output"] ?? ""} table`);
    if (form === null || table === null) return;
    const [down, right] = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[move] ?? [0, 0];
    host.postMessage({
      type: "page",
      output: Number(form.dataset["output"]),
      row: Number(table.dataset["row"]) + (down ?? 0) * page.rows,
      column: Number(table.dataset["column"]) + (right ?? 0) * page.columns,
    });
  } else if (index !== undefined && output !== undefined) {
    event.preventDefault();
    host.postMessage({ type: "element", output: Number(output), index: Number(index) });
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!(event.target instanceof HTMLFormElement)) return;
  const element = new FormData(event.target).get("element");
  host.postMessage({ type: "go", output: Number(event.target.dataset["output"]), element });
});

window.addEventListener("message", ({ data }: MessageEvent<{ stale?: boolean; shown?: Shown }>) => {
  if (data.stale !== undefined) document.getElementById("stale")?.toggleAttribute("hidden", !data.stale);
  if (data.shown === undefined) return;
  const { output, html, said } = data.shown;
  const table = document.getElementById(`table-${output}`);
  if (table !== null && html !== "") table.innerHTML = html;
  table?.querySelector(".target")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const words = document.querySelector(`form[data-output="${output}"] output`);
  if (words !== null) words.textContent = said;
});

host.postMessage({ type: "ready" });
