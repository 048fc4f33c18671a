// Which line of the source each line of compiled code came from: PTX says it by `.loc`, the disassembler of SASS in comments.

/** For each line of the code the line of the source, from 0; undefined: it has none. */
export type SourceLines = (number | undefined)[];

export function lines_of_ptx(text: string): SourceLines {
  let source: number | undefined;
  return text.split("\n").map((line) => {
    const place = /^\s*\.loc\s+\d+\s+(\d+)/.exec(line);
    if (place !== null) {
      source = numbered(place[1]);
      return undefined;
    }
    if (/^\s*(\.entry|\.visible|\.func|\}|\.file|\.section)/.test(line)) source = undefined;
    return /^\s*(@%?!?\w+\s+)?[a-z][\w.:]*(\s|;)/.test(line) ? source : undefined;
  });
}

export function lines_of_sass(text: string): SourceLines {
  let source: number | undefined;
  return text.split("\n").map((line) => {
    // Some versions name the line of the PTX, too, which is in the cubin as a file of that name.
    if (/^\s*\/\/## File "\.nv_debug_ptx_txt/.test(line)) return undefined;
    const place = /^\s*\/\/## File ".*?", line (\d+)/.exec(line);
    if (place !== null) {
      // Of an inlined call its own place comes first, then that of the call.
      source = numbered(place[1]);
      return undefined;
    }
    if (/^\s*\.section/.test(line)) source = undefined;
    return /^\s*\/\*[0-9a-f]{4,}\*\//.test(line) ? source : undefined;
  });
}

function numbered(text: string | undefined): number | undefined {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 ? line - 1 : undefined;
}

/** The code lines of a source line, as runs of lines side by side. */
export function runs_of(lines: SourceLines, source: number): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  lines.forEach((line, index) => {
    if (line !== source) return;
    const run = runs.at(-1);
    if (run?.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  });
  return runs;
}
