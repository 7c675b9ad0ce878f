/** Blocks: what stands on what, from facts that hold (a state) or must (a goal). */

export type Atom = readonly string[];

/** Towers from the bottom up. Of a goal it may be open what the lowest block stands on: `loose`. */
export interface Towers {
  readonly standing: readonly (readonly string[])[];
  readonly loose: readonly (readonly string[])[];
  readonly held: string | null;
}

/** All blocks in the problem's order: any of them may become clear. */
export function blocksIn(atoms: readonly Atom[]): string[] {
  return atoms.filter(([predicate]) => predicate === "clear").flatMap(([, block = ""]) => block);
}

export function towersOf(atoms: readonly Atom[]): Towers {
  const upper = new Map<string, string>();
  const supported = new Set<string>();
  const onTable: string[] = [];
  let held: string | null = null;
  for (const [predicate, one = "", other = ""] of atoms) {
    if (predicate === "on") {
      upper.set(other, one);
      supported.add(one);
    } else if (predicate === "ontable") onTable.push(one);
    else if (predicate === "holding") held = one;
  }
  const bases = [...upper.keys()].filter((block) => !supported.has(block));
  const loose = bases.filter((block) => !onTable.includes(block));
  return {
    standing: onTable.map((base) => tower(base, upper)),
    loose: loose.map((base) => tower(base, upper)),
    held,
  };
}

/** Ends also where a goal that no state has puts blocks in a circle. */
function tower(base: string, upper: ReadonlyMap<string, string>): string[] {
  const blocks: string[] = [];
  let next: string | undefined = base;
  while (next !== undefined && !blocks.includes(next)) {
    blocks.push(next);
    next = upper.get(next);
  }
  return blocks;
}
