/** What a kind of screen is given to draw on, and what the driver gives to a trial. */
import { made, say } from "../elements";
import type { Seen } from "../keeping/way";
import { decoded } from "../parts";
import type { Answer, Json, Sign } from "../screens";
import { watch } from "../signs/watching";
import { clockUntil, painted, type Clock } from "../timing/clock";
import { headed, put } from "./putting";

/** The driver's side of one trial. */
export interface Setting {
  /** Ends listeners and timers. */
  readonly signal: AbortSignal;
  /** Read where a screen has no title of its own. */
  readonly heading: string;
  /** Why this answer was not taken the last time, "" where it wasn't given yet. */
  readonly problem: string;
  readonly draft: Json | undefined;
  keepDraft(draft: Json): void;
  readonly seen: Seen | null;
  keepSeen(seen: Seen): void;
  /** Where screen readers hear of what changes. */
  readonly said: HTMLElement;
}

export interface Stage extends Pick<Setting, "signal" | "draft" | "keepDraft"> {
  readonly root: HTMLElement;
  readonly clock: Clock;
  say(text: string): void;
  /** Shows what is wrong with the answer, and says it; "" takes it away. */
  warn(text: string): void;
  /** The answer, with further columns of its row; only the first one counts. */
  finish(answer: Answer, columns?: Columns): void;
}

/** Nobody has seen a screen by then: a press before was meant for the one before it. */
export const TOO_SOON_MS = 100;

export type Columns = { readonly [name: string]: Json };

export interface Outcome extends Columns {
  readonly rt: number;
  readonly response: Answer;
  readonly signs: readonly (Sign & { readonly [name: string]: Json })[];
  readonly redrawn: number;
}

/** Draws; what it gives back is called at the first painting, from which time counts. */
export type Open = (stage: Stage) => () => void;

/** One trial, from drawing to the answer. */
export async function play(
  display: HTMLElement,
  kind: string,
  title: string,
  setting: Setting,
  open: Open,
  loaded: () => void,
): Promise<Outcome> {
  const { signal } = setting;
  const root = made("article", { class: `screen ${kind}`, "data-kind": kind });
  const clock = clockUntil(signal);
  const answered = promised<Answered>();
  const problem = made("p", { class: "problem", role: "alert", id: "problem" });
  const stage = staged(root, problem, setting, clock, answered.resolve);
  const begin = open(stage);
  put(display, root, headed(root, title, setting.heading), problem);
  loaded();
  await decoded(root);
  await painted();
  const seen = again(setting.seen);
  setting.keepSeen(seen);
  clock.begin(Math.max(0, Date.now() - seen.at));
  const keep = (signs: readonly Sign[]): void => setting.keepSeen({ ...seen, signs });
  const signs = watch(root, clock.elapsed, seen.signs, keep, signal);
  if (!signal.aborted) begin();
  clock.at(TOO_SOON_MS, () => (root.dataset["ready"] = "")); // for robots and tests
  if (setting.problem) stage.warn(setting.problem);
  const answer = await answered.promise;
  return { ...answer, signs: signs.all().map((sign) => ({ ...sign })), redrawn: seen.redrawn };
}

type Answered = Pick<Outcome, "rt" | "response"> & Columns;

function staged(
  root: HTMLElement,
  problem: HTMLElement,
  setting: Setting,
  clock: Clock,
  answer: (given: Answered) => void,
): Stage {
  return {
    root,
    clock,
    signal: setting.signal,
    draft: setting.draft,
    keepDraft: setting.keepDraft,
    say: (text) => say(setting.said, text),
    warn: (text) => say(problem, text),
    finish: (response, columns = {}) => {
      const isOpen = clock.hasBegun() && !setting.signal.aborted;
      if (isOpen) answer({ rt: tenths(clock.elapsed()), response, ...columns });
    },
  };
}

function again(seen: Seen | null): Seen {
  if (seen === null) return { at: Date.now(), signs: [], redrawn: 0 };
  return { ...seen, redrawn: seen.redrawn + 1 };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

interface Promised<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function promised<T>(): Promised<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((found) => {
    resolve = found;
  });
  return { promise, resolve };
}
