/** Buttons that come alive after a least time. They can be reached before, and then say so. */
import { timed, WORDS } from "../words";
import type { Stage } from "./stage";
import { countDown, quietLine } from "./waiting";

export interface Gate {
  readonly line: HTMLElement;
  /** Whether it is time; says how long to wait where it isn't. */
  isOpen(): boolean;
  begin(): void;
}

export function gate(stage: Stage, minMs: number, buttons: () => Iterable<HTMLElement>): Gate {
  const line = quietLine("wait");
  let isOpen = minMs <= 0;
  const mark = (): void => {
    for (const one of buttons()) {
      if (isOpen) one.removeAttribute("aria-disabled");
      else one.setAttribute("aria-disabled", "true");
    }
  };
  return {
    line,
    isOpen: () => {
      const left = Math.ceil((minMs - stage.clock.elapsed()) / 1000);
      if (!isOpen && left > 0) stage.say(timed(WORDS.not_yet)(left));
      return isOpen;
    },
    begin: () => {
      mark();
      if (isOpen) return;
      countDown(stage, line, minMs, timed(WORDS.can_go_on_in), () => {
        isOpen = true;
        mark();
        line.textContent = "";
        stage.say(WORDS.can_go_on);
      });
    },
  };
}
