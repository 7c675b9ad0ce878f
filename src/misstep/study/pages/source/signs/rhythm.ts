/** Typing that no hand does: many characters at once, or a rhythm too fast or too even. */

const AT_ONCE = 25;
/** Characters in one input event; the longest words that a phone's keyboard puts in are shorter. */
const RUN = 20;
const FASTEST_MS = 15;
/** Mean interval: 60 ms is a very fast typist. */
const EVENEST = 0.08;
/** Coefficient of variation of the intervals: people who type evenly are near 0.2. */
const PAUSE_MS = 2000;

export interface Rhythm {
  /** One character was typed at `now`; the length of a run that has just become inhuman, else 0. */
  typed(now: number): number;
}

/** Characters put in by one event that count as a burst, else 0. */
export function burst(characters: number): number {
  return characters >= AT_ONCE ? characters : 0;
}

export function rhythm(): Rhythm {
  let times: number[] = [];
  return {
    typed: (now) => {
      const last = times.at(-1);
      if (last !== undefined && now - last > PAUSE_MS) times = [];
      times.push(now);
      if (times.length <= RUN) return 0;
      const found = isInhuman(times) ? times.length : 0;
      times = found ? [] : times.slice(1);
      return found;
    },
  };
}

function isInhuman(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (mean < FASTEST_MS) return true;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.sqrt(variance) / mean < EVENEST;
}
