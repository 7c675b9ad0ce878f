/** Blocks drawn as SVG: towers on a table, the hand above. No text of it comes in as markup. */
import type { Atom, Towers } from "./towers";
import { blocksIn, towersOf } from "./towers";

const SVG = "http://www.w3.org/2000/svg";
const [WIDE, HIGH, GAP, HAND, EDGE] = [62, 32, 6, 52, 4];
/** Up to so many blocks each has a column of its own, so that towers don't jump about. */
const MOST_FIXED = 6;
const PLAIN = ["#cfd8e3", "#b7c9b0", "#e3cfb4", "#d4c3e0", "#bcd7da", "#e0c2c4"];
const COLOURS: Readonly<Record<string, string>> = {
  red: "#d3302f", blue: "#1e63c4", orange: "#f28a1c", yellow: "#f7d737", white: "#ffffff",
  magenta: "#d127a8", black: "#222222", cyan: "#3ed3e0", green: "#2c8a3d", violet: "#8250c8",
  silver: "#c3c7cc", gold: "#d6ac22", brown: "#7b4a24", pink: "#f7a8c4", grey: "#83888e",
  turquoise: "#35bfae", purple: "#702a8c", beige: "#eadfc3", crimson: "#a5142e", olive: "#75781f",
  navy: "#172c66", maroon: "#6a1226", teal: "#11767a", ivory: "#fdfae8", indigo: "#3f2d92",
  amber: "#f9b916",
};

/** `said` is what a screen reader reads in the picture's place. */
export function drawn(atoms: readonly Atom[], holding: readonly Atom[], said: string): SVGElement {
  const blocks = blocksIn(atoms);
  const columns = placed(towersOf(holding), blocks);
  const wide = Math.max(columns.count, 1) * (WIDE + GAP) + GAP;
  const high = HAND + blocks.length * HIGH + 2 * EDGE;
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img" });
  svg.setAttribute("aria-label", said);
  const floor = high - EDGE;
  svg.append(shape("rect", { x: 0, y: floor, width: wide, height: EDGE, class: "plan-table" }));
  for (const [column, tower] of columns.towers) {
    svg.append(...stacked(tower, GAP + column * (WIDE + GAP), floor, blocks));
  }
  svg.append(...hand(towersOf(holding).held, wide, blocks));
  return svg;
}

/** A goal: only what it names. A dashed line stands for whatever the lowest block may be on. */
export function drawnGoal(atoms: readonly Atom[], goal: readonly Atom[], said: string): SVGElement {
  const blocks = blocksIn(atoms);
  const { standing, loose, held } = towersOf(goal);
  const towers = [...standing, ...loose];
  const highest = Math.max(1, ...towers.map((tower) => tower.length));
  const above = held === null ? EDGE : HAND;
  const wide = Math.max(towers.length, 1) * (WIDE + GAP) + GAP;
  const high = above + highest * HIGH + 2 * EDGE;
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img" });
  svg.setAttribute("aria-label", said);
  const floor = high - EDGE;
  for (const [column, tower] of towers.entries()) {
    const left = GAP + column * (WIDE + GAP);
    const kind = column < standing.length ? "plan-table" : "plan-anywhere";
    const line = { x1: left - GAP / 2, x2: left + WIDE + GAP / 2, y1: floor + 2, y2: floor + 2 };
    svg.append(shape("line", { ...line, class: kind }), ...stacked(tower, left, floor, blocks));
  }
  if (held !== null) svg.append(...hand(held, wide, blocks));
  return svg;
}

interface Placed {
  readonly count: number;
  readonly towers: readonly (readonly [number, readonly string[]])[];
}

function placed(towers: Towers, blocks: readonly string[]): Placed {
  const inOrder = [...towers.standing].sort(
    (one, other) => blocks.indexOf(one[0] ?? "") - blocks.indexOf(other[0] ?? ""),
  );
  const isFixed = blocks.length <= MOST_FIXED;
  const columns = inOrder.map((tower, at) => [isFixed ? blocks.indexOf(tower[0] ?? "") : at, tower] as const);
  return { count: isFixed ? blocks.length : Math.max(inOrder.length, 3), towers: columns };
}

function stacked(tower: readonly string[], left: number, floor: number, blocks: readonly string[]): SVGElement[] {
  return tower.flatMap((block, level) => box(block, left, floor - (level + 1) * HIGH, blocks));
}

function box(block: string, left: number, top: number, blocks: readonly string[]): SVGElement[] {
  const fill = COLOURS[block] ?? PLAIN[blocks.indexOf(block) % PLAIN.length] ?? "#cfd8e3";
  const rect = shape("rect", { x: left, y: top, width: WIDE, height: HIGH, rx: 3, fill, class: "plan-block" });
  const middle = { x: left + WIDE / 2, y: top + HIGH / 2, "dominant-baseline": "central", "text-anchor": "middle" };
  const fit = block.length > 7 ? { textLength: WIDE - 6, lengthAdjust: "spacingAndGlyphs" } : {};
  const label = shape("text", { ...middle, ...fit, fill: isDark(fill) ? "#ffffff" : "#111111" });
  label.textContent = block;
  return [rect, label];
}

function hand(held: string | null, wide: number, blocks: readonly string[]): SVGElement[] {
  const left = (wide - WIDE) / 2;
  const grip = `M ${wide / 2} 0 V 6 M ${left - 3} 22 V 6 H ${left + WIDE + 3} V 22`;
  const arm = shape("path", { d: grip, class: "plan-hand" });
  return held === null ? [arm] : [...box(held, left, 10, blocks), arm];
}

function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 150;
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element as SVGElement;
}
