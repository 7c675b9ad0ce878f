/** What passes between a study and this page, as screens.py and docs/study-protocol.md have it. */

export interface Part {
  readonly kind: "text" | "html" | "mono" | "picture";
  readonly text: string;
  readonly alt: string;
  readonly caption?: string;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly key: string;
}

interface Titled {
  readonly title: string;
}

export interface PageScreen extends Titled {
  readonly kind: "page";
  readonly body: readonly Part[];
  readonly choices: readonly Choice[];
  readonly min_ms: number;
  readonly auto_ms: number | null;
}

export interface AskScreen extends Titled {
  readonly kind: "ask";
  readonly body: readonly Part[];
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly least: number | null;
  readonly most: number | null;
  readonly min_ms: number;
  readonly deadline_ms: number | null;
}

export interface WriteScreen extends Titled {
  readonly kind: "write";
  readonly body: readonly Part[];
  readonly label: string;
  readonly min_ms: number;
  readonly min_chars: number;
  readonly max_chars: number;
  readonly rows: number;
}

export interface StreamScreen extends Titled {
  readonly kind: "stream";
  readonly shown: readonly Part[];
  readonly each_ms: number;
  readonly gap_ms: number;
  readonly label: string;
}

export interface NBackScreen extends Titled {
  readonly kind: "nback";
  readonly letters: readonly string[];
  readonly n: number;
  readonly each_ms: number;
  readonly gap_ms: number;
  readonly body: readonly Part[];
}

export interface CheckQuestion {
  readonly name: string;
  readonly text: string;
  readonly choices: readonly Choice[];
}

export interface CheckScreen extends Titled {
  readonly kind: "check";
  readonly body: readonly Part[];
  readonly questions: readonly CheckQuestion[];
}

export interface GroundAction {
  readonly name: string;
  readonly label: string;
  readonly needs: readonly number[];
  readonly needs_not: readonly number[];
  readonly adds: readonly number[];
  readonly deletes: readonly number[];
}

export interface PlanScreen extends Titled {
  readonly kind: "plan";
  readonly body: readonly Part[];
  readonly actions: readonly GroundAction[];
  readonly facts: readonly string[];
  readonly atoms: readonly (readonly string[])[];
  readonly state: readonly number[];
  readonly goal: readonly number[];
  readonly drawing: string;
  readonly earlier: string;
  readonly most_steps: number;
  readonly goal_not: readonly number[];
  readonly denials: readonly string[];
  readonly aid: string;
}

export interface EndScreen extends Titled {
  readonly kind: "end";
  readonly ending: string;
  readonly body: readonly Part[];
  readonly code: string;
  readonly url: string;
}

export type Screen =
  | PageScreen
  | AskScreen
  | WriteScreen
  | StreamScreen
  | NBackScreen
  | CheckScreen
  | PlanScreen
  | EndScreen;

/** Where a person is. `done` of `total` is for the bar; `trial` counts from 0, null elsewhere. */
export interface Step {
  readonly key: string;
  readonly part: string;
  readonly done: number;
  readonly total: number;
  readonly trial: number | null;
  readonly screen: Screen;
  readonly paused: boolean;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a screen's own docstring in screens.py says that it sends. */
export type Answer = { readonly [name: string]: Json };

export type SignKind = "blur" | "hidden" | "paste" | "copy" | "drop" | "burst" | "untrusted";

/** A sign of help from a machine: `at_ms` after the screen's first painting; `n` is milliseconds
 * away (blur, hidden), characters (paste, copy, drop, burst) or events (untrusted). */
export interface Sign {
  readonly kind: SignKind;
  readonly at_ms: number;
  readonly n: number;
}
