/** A question with one answer: buttons, or a whole number that is typed. */
import { button, made } from "../elements";
import { drawn } from "../parts";
import type { AskScreen } from "../screens";
import { fill, timed, WORDS } from "../words";
import { choosing, isFree } from "../stage/choosing";
import { gate } from "../stage/gate";
import { MAYBE, PARTS, TEXT, WHOLE, pluginOf } from "./plugin";
import { numberProblem } from "../stage/problems";
import type { Stage } from "../stage/stage";
import { countDown, quietLine, speakBefore } from "../stage/waiting";

interface Answering {
  readonly elements: readonly HTMLElement[];
  begin(): void;
}

export const ask = pluginOf<AskScreen>({
  name: "ask",
  parameters: {
    body: PARTS,
    question: TEXT,
    choices: PARTS,
    least: MAYBE,
    most: MAYBE,
    min_ms: WHOLE,
    deadline_ms: MAYBE,
  },
  open: (screen) => (stage) => {
    const line = quietLine("deadline");
    const answering = screen.choices.length > 0 ? byButton(screen, stage) : byNumber(screen, stage);
    stage.root.append(...drawn(screen.body));
    stage.root.append(made("div", { class: "actions" }, line, ...answering.elements));
    return () => {
      answering.begin();
      if (screen.deadline_ms === null) return;
      countDown(stage, line, screen.deadline_ms, timed(WORDS.left), () => stage.finish({ value: null }));
      speakBefore(stage, screen.deadline_ms, (seconds) => fill(WORDS.seconds_left, { seconds }));
    };
  },
  sample: (screen) => ({ value: screen.choices[0]?.value ?? String(screen.least ?? screen.most ?? 0) }),
});

function byButton(screen: AskScreen, stage: Stage): Answering {
  const question = made("p", { class: "question", id: "question", dir: "auto" }, screen.question);
  const pick = (value: string): void => stage.finish({ value });
  const picks = choosing(stage, screen.choices, screen.min_ms, ["choice"], "question", pick);
  return { elements: [question, ...picks.elements], begin: picks.begin };
}

function byNumber(screen: AskScreen, stage: Stage): Answering {
  const label = made("label", { class: "question", for: "number", dir: "auto" }, screen.question);
  const hint = made("p", { class: "quiet", id: "hint" }, range(screen.least, screen.most));
  const field = made("input", {
    id: "number",
    type: "text",
    inputmode: (screen.least ?? -1) < 0 ? "text" : "numeric",
    autocomplete: "off",
    enterkeyhint: "send",
    maxlength: 9,
    "aria-describedby": "hint problem",
  });
  const send = (): void => {
    const problem = numberProblem(field.value, screen.least, screen.most);
    field.setAttribute("aria-invalid", String(problem !== ""));
    stage.warn(problem);
    if (problem) field.focus();
    else if (way.isOpen()) stage.finish({ value: field.value.trim() });
  };
  const sending = button(WORDS.send, "main", send);
  const way = gate(stage, screen.min_ms, () => [sending]);
  if (typeof stage.draft === "string") field.value = stage.draft;
  field.addEventListener("input", () => stage.keepDraft(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.repeat) return;
    event.preventDefault();
    send();
  });
  startTyping(stage, field);
  const row = made("div", { class: "row" }, field, sending);
  return { elements: [label, hint, way.line, row], begin: way.begin };
}

/** A digit pressed anywhere is typed into the field. */
function startTyping(stage: Stage, field: HTMLInputElement): void {
  const pressed = (event: KeyboardEvent): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && /^[0-9-]$/.test(event.key) && isFree(event)) field.focus();
  };
  document.addEventListener("keydown", pressed, { signal: stage.signal });
}

/** What may be typed. */
function range(least: number | null, most: number | null): string {
  if (least !== null && most !== null) return fill(WORDS.range, { least, most });
  if (least !== null) return fill(WORDS.range_from, { least });
  return most !== null ? fill(WORDS.range_to, { most }) : WORDS.range_any;
}
