/** Where one is in things shown one after another. Plain arithmetic: no clock in here. */

export interface Place {
  /** The thing that is shown, or was shown last; -1 before the first. */
  readonly index: number;
  readonly isShown: boolean;
  readonly isOver: boolean;
}

export interface Pace {
  readonly count: number;
  readonly each_ms: number;
  readonly gap_ms: number;
  /** Nothing is shown before this. */
  readonly lead_ms: number;
}

/** The place at `elapsed`. The last thing has its gap as well. */
export function placeAt(elapsed: number, pace: Pace): Place {
  const since = elapsed - pace.lead_ms;
  const span = pace.each_ms + pace.gap_ms;
  if (since < 0) return { index: -1, isShown: false, isOver: pace.count === 0 };
  const index = span > 0 ? Math.floor(since / span) : pace.count;
  if (index >= pace.count) return { index: pace.count - 1, isShown: false, isOver: true };
  return { index, isShown: since - index * span < pace.each_ms, isOver: false };
}
