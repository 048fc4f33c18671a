// Colours that stand for numbers, from dark blue over green to yellow, as bright as the number is high.

const ramp = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]] as const;

export function colour_of(share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const below = Math.min(Math.floor(at), ramp.length - 2);
  const [from, to] = [ramp[below] ?? ramp[0], ramp[below + 1] ?? ramp[0]];
  const mixed = from.map((part, i) => Math.round(part + (at - below) * ((to[i] ?? part) - part)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Of cells that have text: in steps, each a class with its own ink. */
const steps = 12;

export function ramp_class(value: number, low: number, high: number): string {
  if (!Number.isFinite(value)) return "odd";
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return `r${Math.max(0, Math.min(steps - 1, Math.floor(share * steps)))}`;
}

export function ramp_rules(): string {
  return Array.from({ length: steps }, (_, step) => {
    const share = step / (steps - 1);
    const colour = colour_of(share);
    return `.r${step} { background: ${colour}; fill: ${colour}; color: ${share < 0.45 ? "#fff" : "#000"}; }`;
  }).join("\n");
}
