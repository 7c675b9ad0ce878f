/** Time as a person has it: from the first painting of a screen, across reloads, by a clock that
 * never jumps. */

export interface Clock {
  /** Milliseconds since the first painting; 0 before it. */
  elapsed(): number;
  hasBegun(): boolean;
  /** Begins at the painting that has just happened, `before` milliseconds after the first one. */
  begin(before: number): void;
  /** Calls `act` once, when `ms` have elapsed, in a hidden tab as well. */
  at(ms: number, act: () => void): void;
  /** Calls `act` for each painting, and now and then while the tab is hidden. */
  each(act: (elapsed: number) => void): void;
}

const HIDDEN_MS = 200;

/** All of it ends with `signal`. */
export function clockUntil(signal: AbortSignal): Clock {
  let from: number | null = null;
  const elapsed = (): number => (from === null ? 0 : performance.now() - from);
  return {
    elapsed,
    hasBegun: () => from !== null,
    begin: (before) => {
      from = performance.now() - before;
    },
    at: (ms, act) => {
      let timer = 0;
      const look = (): void => {
        const left = ms - elapsed();
        if (left <= 0) act();
        else timer = window.setTimeout(look, left);
      };
      signal.addEventListener("abort", () => window.clearTimeout(timer));
      if (!signal.aborted) look();
    },
    each: (act) => {
      let frame = 0;
      const paint = (): void => {
        frame = requestAnimationFrame(paint);
        act(elapsed());
      };
      const hidden = window.setInterval(() => {
        if (document.hidden) act(elapsed());
      }, HIDDEN_MS);
      signal.addEventListener("abort", () => {
        cancelAnimationFrame(frame);
        window.clearInterval(hidden);
      });
      if (!signal.aborted) frame = requestAnimationFrame(paint);
    },
  };
}

/** Resolves when what is in the document now has been painted: two frames on. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
