/** Free text. What is typed is kept in the browser until it is sent. */
import { button, made } from "../elements";
import { drawn } from "../parts";
import type { WriteScreen } from "../screens";
import { fill, WORDS } from "../words";
import { gate } from "../stage/gate";
import { PARTS, TEXT, WHOLE, pluginOf } from "./plugin";
import { characters, textProblem } from "../stage/problems";
import type { Stage } from "../stage/stage";

const COUNTED_FROM = 0.8;
/** Share of the most characters from which they are counted on the screen. */

export const write = pluginOf<WriteScreen>({
  name: "write",
  parameters: {
    body: PARTS,
    label: TEXT,
    min_ms: WHOLE,
    min_chars: { ...WHOLE, default: 1 },
    max_chars: { ...WHOLE, default: 20_000 },
    rows: { ...WHOLE, default: 8 },
  },
  open: (screen) => (stage) => {
    const field = made("textarea", {
      id: "text",
      rows: screen.rows,
      dir: "auto",
      "aria-describedby": "hint problem",
    });
    const count = made("span");
    const hint = made("p", { class: "quiet", id: "hint" }, WORDS.kept_here, " ", count);
    const send = (): void => sent(screen, stage, field, way.isOpen);
    const sending = button(WORDS.send, "main", send);
    const way = gate(stage, screen.min_ms, () => [sending]);
    const counted = (): void => {
      const length = characters(field.value);
      const isLong = length > screen.max_chars * COUNTED_FROM;
      count.textContent = isLong ? fill(WORDS.characters, { count: length, most: screen.max_chars }) : "";
    };
    if (typeof stage.draft === "string") field.value = stage.draft;
    field.addEventListener("input", () => {
      stage.keepDraft(field.value);
      counted();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) send();
    });
    counted();
    const label = made("label", { class: "question", for: "text", dir: "auto" }, screen.label);
    stage.root.append(...drawn(screen.body), label, field, hint);
    stage.root.append(made("div", { class: "actions" }, way.line, sending));
    return way.begin;
  },
  sample: (screen) => ({ text: "Because I think so.".padEnd(screen.min_chars, ".") }),
});

function sent(screen: WriteScreen, stage: Stage, field: HTMLTextAreaElement, isTime: () => boolean): void {
  const problem = textProblem(field.value, screen.min_chars, screen.max_chars);
  field.setAttribute("aria-invalid", String(problem !== ""));
  stage.warn(problem);
  if (problem) field.focus();
  else if (isTime()) stage.finish({ text: field.value });
}
