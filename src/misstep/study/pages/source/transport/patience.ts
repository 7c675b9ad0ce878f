/** Asking again until there is an answer: waits are bounded, tries are not. */
import { Away } from "./contract";

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
const LONGEST_ASKED_MS = 300_000;

/** Tells the person; `tryNow` is null where the server asked to wait. */
export interface Line {
  away(waitMs: number, tryNow: (() => void) | null): void;
  back(): void;
}

/** How long to wait before try number `tried` (from 0): doubling, spread by `chance` in [0, 1) so
 * that many pages don't come back at once, and never sooner than was asked for. */
export function waitMs(tried: number, asked: number | null, chance: number): number {
  const own = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tried, 10)) * (0.8 + 0.4 * chance);
  return Math.round(Math.max(own, Math.min(asked ?? 0, LONGEST_ASKED_MS)));
}

/** What `act` comes to, asked again while it rejects with Away. */
export async function patiently<T>(act: () => Promise<T>, line: Line): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      const found = await act();
      if (tried > 0) line.back();
      return found;
    } catch (error) {
      if (!(error instanceof Away)) {
        if (tried > 0) line.back();
        throw error;
      }
      await pause(waitMs(tried, error.afterMs, Math.random()), error.afterMs === null, line);
    }
  }
}

/** Ends after `wait`, or at once when the person or the browser says that there is a network. */
function pause(wait: number, mayHurry: boolean, line: Line): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, wait);
    if (mayHurry) window.addEventListener("online", done);
    line.away(wait, mayHurry ? done : null);
  });
}
