/** What stays around the screens: progress, the way out, and lines about the connection. */
import { button, made, OWN, say } from "../elements";
import type { Step } from "../screens";
import { fill, partName, timed, WORDS } from "../words";
import type { Line } from "../transport/patience";
import { asked } from "./dialog";

/** A message in the place of the screens, with one button. */
export interface Halt {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly act: () => void;
  /** Whether the study can still be left. */
  readonly mayLeave?: boolean;
}

export interface Shell {
  /** Where jsPsych draws. */
  readonly stage: HTMLElement;
  /** Read by screen readers when it changes. */
  readonly said: HTMLElement;
  readonly line: Line;
  /** Shows how far one is. */
  progress(step: Step): void;
  /** A short line that stays until the next screen. */
  note(text: string): void;
  /** What the page waits for, "" for nothing: shown only where that takes a while. */
  wait(text: string): void;
  halt(message: Halt): void;
  /** Ends a halt. */
  resume(): void;
}

const SLOW_MS = 400;

/** Draws it into the empty page. `withdraw` is called when the person has confirmed it. */
export function shell(withdraw: () => void): Shell {
  const where = made("p", { class: "where" });
  const meter = made("progress", { max: 1, value: 0, "aria-label": WORDS.progress });
  const out = button(WORDS.withdraw, "link", () => void asked(document.body).then((isSure) => isSure && withdraw()));
  out.hidden = true; // until there is a way to leave
  const line = made("div", { class: "line", role: "status", lang: OWN });
  const note = made("p", { class: "note", role: "status" });
  const said = made("p", { class: "hidden", role: "status", id: "said" });
  const stage = made("main", { id: "stage" });
  const halted = made("section", { id: "halted", lang: OWN });
  halted.hidden = true;
  const wait = slowly((text) => say(line, text));
  const top = made("div", { class: "top" }, where, out);
  document.body.append(made("header", { lang: OWN }, top, meter), line, note, said, stage, halted);
  return {
    stage,
    said,
    line: connection(line, wait),
    progress: (step) => {
      const isEnd = step.screen.kind === "end";
      where.replaceChildren(...label(step));
      meter.max = step.total || 1;
      meter.value = isEnd && step.screen.ending === "complete" ? meter.max : step.done;
      meter.hidden = step.total === 0;
      out.hidden = isEnd;
      say(said, "");
    },
    note: (text) => say(note, text),
    wait,
    halt: ({ title, text, label, act, mayLeave = false }) => {
      const heading = made("h1", { tabindex: -1 }, title);
      halted.replaceChildren(heading, made("p", { dir: "auto" }, text), button(label, "main", act));
      stage.hidden = true;
      out.hidden = !mayLeave;
      halted.hidden = false;
      heading.focus();
    },
    resume: () => {
      stage.hidden = out.hidden = false;
      halted.hidden = true;
    },
  };
}

/** The part, and how far one is once that says something. */
function label(step: Step): (Node | string)[] {
  const part = partName(step.part);
  const isCounted = step.done > 0 || step.part === "trial" || step.part === "practice";
  if (!isCounted || step.screen.kind === "end") return [made("strong", {}, part)];
  return [made("strong", {}, part), made("span", {}, fill(WORDS.of, { done: step.done, total: step.total }))];
}

/** Shows what is waited for after a while; gives back what was waited for until then. */
function slowly(show: (text: string) => void): (text: string) => string {
  let timer = 0;
  let now = "";
  let isShown = false;
  return (text) => {
    const before = now;
    now = text;
    window.clearTimeout(timer);
    if (isShown) show("");
    isShown = false;
    const appear = (): void => {
      isShown = true;
      show(text);
    };
    if (text) timer = window.setTimeout(appear, SLOW_MS);
    return before;
  };
}

/** The line about a lost connection; the seconds are for the eye alone. `wait` gives up what else is
 * said in it. */
function connection(line: HTMLElement, wait: (text: string) => string): Line {
  let timer = 0;
  let isKept = false;
  return {
    away: (waitMs, tryNow) => {
      isKept ||= wait("") === WORDS.sending;
      window.clearInterval(timer);
      const text = made("span", {}, tryNow ? WORDS.lost : WORDS.busy);
      const clock = made("span", { class: "quiet", "aria-hidden": "true" });
      const until = performance.now() + waitMs;
      const show = (): void => {
        const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
        clock.textContent = seconds > 0 ? timed(WORDS.in)(seconds) : "";
      };
      const kept = isKept ? [made("span", {}, WORDS.answer_kept)] : [];
      const now = tryNow ? [button(WORDS.try_now, "plain", tryNow)] : [];
      line.replaceChildren(text, clock, ...kept, ...now);
      line.classList.add("lost");
      show();
      timer = window.setInterval(show, 1000);
    },
    back: () => {
      window.clearInterval(timer);
      line.classList.remove("lost");
      isKept = false;
      say(line, WORDS.found);
      window.setTimeout(() => line.textContent === WORDS.found && say(line, ""), 4000);
    },
  };
}

