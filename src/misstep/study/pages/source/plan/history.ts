/** The steps picked so far with what undoes and redoes: values, never changed in place. */

export interface History {
  readonly past: readonly (readonly string[])[];
  readonly steps: readonly string[];
  readonly future: readonly (readonly string[])[];
}

const MOST_KEPT = 200;

export function began(steps: readonly string[]): History {
  return { past: [], steps, future: [] };
}

export function changed(history: History, steps: readonly string[]): History {
  return { past: [...history.past, history.steps].slice(-MOST_KEPT), steps, future: [] };
}

export function undone(history: History): History {
  const before = history.past[history.past.length - 1];
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), steps: before, future: [history.steps, ...history.future] };
}

export function redone(history: History): History {
  const [next, ...later] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.steps], steps: next, future: later };
}

/** The step at `from` comes to stand at `to`. */
export function moved(steps: readonly string[], from: number, to: number): string[] {
  const rest = [...steps];
  rest.splice(to, 0, ...rest.splice(from, 1));
  return rest;
}

export function without(steps: readonly string[], place: number): string[] {
  return steps.filter((_, at) => at !== place);
}
