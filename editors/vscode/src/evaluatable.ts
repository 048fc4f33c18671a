// Which expression the mouse rests on while a kernel is stepped through: a name with its fields and its places, as in `ctx.block.x` and
// `row[ctx.thread]`, up to the part under the mouse.

const keywords = new Set(["fn", "kernel", "let", "var", "if", "else", "for", "in", "while", "return", "break", "continue", "range", "true", "false", "over"]);

/** From where to where in the line; undefined: there is none. */
export function expression_at(line: string, at: number): { from: number; to: number } | undefined {
  const comment = line.indexOf("//");
  if (comment >= 0 && at >= comment) return undefined;
  for (const name of line.matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g)) {
    const [from, to] = [name.index, name.index + name[0].length];
    if (at < from || at > to) continue;
    if (name[0] === "ctx" || keywords.has(name[0]) || line[to] === "(" || line[to] === "<" || line[from - 1] === "@") return undefined;
    const until = name[0].indexOf(".", Math.max(0, at - from));
    // All of the field's name that the mouse is on: of `ctx.block.x` an axis is needed.
    if (name[0].startsWith("ctx.")) return { from, to };
    return { from, to: until < 0 ? to : from + until };
  }
  return undefined;
}
