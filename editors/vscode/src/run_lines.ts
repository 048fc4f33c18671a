// Where a text has kernels and run lines. Both have a fixed form, `kernel NAME` at the start of a line and `//# run …`, so that the
// tests of a file that nobody has opened, or that has errors, can be listed. What a run line means is the program's to say.

export interface RunLine {
  /** Which of the kernel's run lines, from 0. */
  index: number;
  line: number;
  /** Its words, without `//# run`. */
  text: string;
  /** It expects something: it is a test. */
  expects: boolean;
}

export interface KernelLines {
  name: string;
  line: number;
  run_lines: RunLine[];
}

export function kernels_of(text: string): KernelLines[] {
  const kernels: KernelLines[] = [];
  let waiting: RunLine[] = [];
  text.split(/\r\n|\r|\n/).forEach((source, line) => {
    const run = /^\s*\/\/#\s*run\b(.*)$/.exec(source);
    if (run) {
      const words = (run[1] ?? "").trim();
      waiting.push({ index: waiting.length, line, text: words, expects: /(?:^|\s)expect(?:-error|-warning|-print)?\s/.test(words) });
      return;
    }
    const kernel = /^\s*(?:@[^/]*\)?\s+)?kernel\s+([A-Za-z_]\w*)/.exec(source);
    if (kernel?.[1] === undefined) return;
    kernels.push({ name: kernel[1], line, run_lines: waiting });
    waiting = [];
  });
  return kernels;
}

/** Where a further run line of the kernel goes, and its text with its line's end. */
export function run_line_edit(text: string, kernel: string, words: string): { line: number; text: string } | undefined {
  const found = kernels_of(text).find(({ name }) => name === kernel);
  if (found === undefined) return undefined;
  const lines = text.split(/\r\n|\r|\n/);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const last = found.run_lines.at(-1);
  let line = last === undefined ? found.line : last.line + 1;
  // Above its attributes.
  while (last === undefined && line > 0 && /^\s*@/.test(lines[line - 1] ?? "")) line--;
  return { line, text: `//# run ${words}${end}` };
}
