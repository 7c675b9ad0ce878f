/** An n-back of letters: press when it is the same as the one n before. */
import { ParameterType } from "jspsych";
import { button, hasKeyboard, made, OWN } from "../elements";
import { drawn } from "../parts";
import type { NBackScreen } from "../screens";
import { placeAt, type Place } from "../timing/sequence";
import { counted, WORDS } from "../words";
import { isFree } from "../stage/choosing";
import { PARTS, WHOLE, pluginOf } from "./plugin";
import type { Stage } from "../stage/stage";

const LEAD_MS = 1000;
/** Between the press of "Start" and the first letter. */
const FLASH_MS = 150;

/** What is kept: when it was started, on the screen's clock, and what was pressed. */
type Kept = {
  readonly from: number;
  readonly pressed: readonly number[];
};

export const nback = pluginOf<NBackScreen>({
  name: "nback",
  parameters: { body: PARTS, letters: PARTS, n: { ...WHOLE, default: 2 }, each_ms: WHOLE, gap_ms: WHOLE },
  data: {
    onsets: { type: ParameterType.FLOAT, array: true },
    presses: { type: ParameterType.FLOAT, array: true },
  },
  open: (screen) => (stage) => {
    const kept = stage.draft as Kept | undefined;
    const hint = made("p", { class: "question", lang: OWN }, counted(screen.n, WORDS.press_hint_one, WORDS.press_hint, { n: screen.n }));
    const start = startButton(stage, () => run(screen, stage, { from: stage.clock.elapsed(), pressed: [] }));
    stage.root.append(...drawn(screen.body), hint, made("div", { class: "actions" }, start));
    return () => {
      if (kept) run(screen, stage, kept);
    };
  },
  sample: () => ({ pressed: [] }),
});

function startButton(stage: Stage, act: () => void): HTMLButtonElement {
  const start = button(WORDS.start, "main", act);
  if (hasKeyboard()) start.append(made("kbd", { "aria-hidden": "true" }, WORDS.key_enter));
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.repeat && isFree(event) && start.isConnected) act();
  };
  document.addEventListener("keydown", pressed, { signal: stage.signal });
  return start;
}

function run(screen: NBackScreen, stage: Stage, kept: Kept): void {
  const pace = { count: screen.letters.length, each_ms: screen.each_ms, gap_ms: screen.gap_ms, lead_ms: LEAD_MS };
  const since = (): number => stage.clock.elapsed() - kept.from;
  const letter = made("div", { class: "show letter", "aria-live": "assertive", "aria-atomic": "true" });
  const presses = pressing(stage, kept, since, () => placeAt(since(), pace));
  const onsets: (number | null)[] = screen.letters.map(() => null);
  let on = -1;
  bare(stage.root);
  stage.root.append(letter, made("div", { class: "actions" }, presses.button));
  presses.button.focus({ preventScroll: true });
  stage.clock.each(() => {
    const place = placeAt(since(), pace);
    if (place.isOver) {
      stage.finish({ pressed: presses.places() }, { onsets, presses: presses.times });
      return;
    }
    const now = place.isShown ? place.index : -1;
    if (now === on) return;
    on = now;
    letter.textContent = screen.letters[now] ?? "";
    if (now >= 0) onsets[now] = Math.round(since());
  });
}

/** Only the heading and the hint stay while letters are shown. */
function bare(root: HTMLElement): void {
  const gone = root.querySelectorAll(":scope > .part, :scope > .pictures, :scope > .actions");
  gone.forEach((one) => one.remove());
}

interface Presses {
  readonly button: HTMLButtonElement;
  /** Milliseconds after the start. */
  readonly times: readonly number[];
  places(): number[];
}

/** A press counts for the letter that is shown, or was shown last; the first one of a letter. */
function pressing(stage: Stage, kept: Kept, since: () => number, at: () => Place): Presses {
  const pressed = new Set(kept.pressed);
  const times: number[] = [];
  const places = (): number[] => [...pressed].sort((one, other) => one - other);
  const keep = (): void => stage.keepDraft({ from: kept.from, pressed: places() });
  const same = pressButton(stage, () => {
    const { index, isOver } = at();
    if (index < 0 || isOver) return;
    flash(same);
    times.push(Math.round(since()));
    pressed.add(index);
    keep();
  });
  keep();
  return { button: same, times, places };
}

/** Takes a press when it goes down, not when it is let go: it is timed. */
function pressButton(stage: Stage, press: () => void): HTMLButtonElement {
  const same = made("button", { type: "button", class: "main wide", "data-value": "same", lang: OWN }, WORDS.press);
  if (hasKeyboard()) same.append(made("kbd", { "aria-hidden": "true" }, WORDS.key_space));
  let isByPointer = false;
  same.addEventListener("pointerdown", () => {
    isByPointer = true;
    press();
  });
  same.addEventListener("click", () => {
    if (!isByPointer) press(); // a screen reader's press comes as a click alone
    isByPointer = false;
  });
  const isOurs = (event: KeyboardEvent): boolean =>
    event.key === " " && (event.target === same || isFree(event));
  const down = (event: KeyboardEvent): void => {
    if (!isOurs(event)) return;
    event.preventDefault();
    if (!event.repeat) press();
  };
  const up = (event: KeyboardEvent): void => {
    if (isOurs(event)) event.preventDefault(); // which would click the button
  };
  document.addEventListener("keydown", down, { signal: stage.signal });
  document.addEventListener("keyup", up, { signal: stage.signal });
  return same;
}

function flash(same: HTMLElement): void {
  same.classList.add("pressed");
  window.setTimeout(() => same.classList.remove("pressed"), FLASH_MS);
}
