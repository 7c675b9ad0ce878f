/**
 * Between the driver and whatever holds the study: a server (http.ts), or a list of screens that
 * was made ahead. README.md says what each promise means.
 */
import type { Answer, Json, Sign, Step } from "../screens";

/** An answer on its way. `once` is the same however often it is sent; `row` is jsPsych's own. */
export interface Sent {
  readonly key: string;
  readonly once: string;
  readonly answer: Answer;
  readonly rt_ms: number | null;
  readonly signs: readonly Sign[];
  readonly row: { readonly [name: string]: Json };
}

/** Each resolves to where the person then is, or rejects with one of the errors below. */
export interface Transport {
  /** Begins the way, or finds the one that this browser began. Called first, and once. */
  enter(): Promise<Step>;
  /** Names this person's way, once entered: what the browser keeps of it is kept under this. */
  scope(): string;
  step(): Promise<Step>;
  /** Resolves only when the answer is durable. The same `once` again is kept once. */
  answer(sent: Sent): Promise<Step>;
  withdraw(): Promise<Step>;
  /** Forgets the way in this browser, so that `enter` begins anew: the person asked for it. */
  forget(): void;
}

/** Not now: ask again, no sooner than `afterMs` where it was said, soon where it is null. */
export class Away extends Error {
  constructor(readonly afterMs: number | null = null) {
    super("away");
  }
}

/** The answer is not for where the person is, which is at `step`. */
export class Elsewhere extends Error {
  constructor(
    message: string,
    readonly step: Step,
  ) {
    super(message);
  }
}

/** This answer will never be taken as it is; the person stays where they are. */
export class Unfit extends Error {}

/** This way can't be gone on with from here. */
export class Over extends Error {}
