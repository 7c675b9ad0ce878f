/** Waiting and running out: a quiet line that counts seconds down. */
import { made, OWN } from "../elements";
import type { Stage } from "./stage";

const SPEAK_MS = 5000;
const SPEAK_FROM_MS = 10_000;

/** Shows `words` of the whole seconds that are left until `ms`, then calls `over`. */
export function countDown(
  stage: Stage,
  line: HTMLElement,
  ms: number,
  words: (seconds: number) => string,
  over: () => void,
): void {
  const show = (): void => {
    const seconds = Math.ceil((ms - stage.clock.elapsed()) / 1000);
    if (seconds <= 0) return;
    line.textContent = words(seconds);
    stage.clock.at(ms - (seconds - 1) * 1000, show);
  };
  show();
  stage.clock.at(ms, over);
}

export function quietLine(name: string): HTMLParagraphElement {
  return made("p", { class: `quiet ${name}`, lang: OWN });
}

/** Says once that time is nearly over, where there is time enough to listen to it. */
export function speakBefore(stage: Stage, ms: number, words: (seconds: number) => string): void {
  if (ms < SPEAK_FROM_MS || stage.clock.elapsed() > ms - SPEAK_MS) return;
  stage.clock.at(ms - SPEAK_MS, () => stage.say(words(SPEAK_MS / 1000)));
}
