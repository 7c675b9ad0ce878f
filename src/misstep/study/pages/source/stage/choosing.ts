/** Buttons of which one is chosen, by hand or by its key. */
import { button, hasKeyboard, made } from "../elements";
import type { Choice } from "../screens";
import { gate } from "./gate";
import { WORDS } from "../words";
import { TOO_SOON_MS, type Stage } from "./stage";

const NAMES: Readonly<Record<string, string>> = { " ": WORDS.key_space, Enter: WORDS.key_enter };
/** The value of a choice that only leads on: what stands on it is the page's own. */
const NEXT = "next";

export interface Choosing {
  readonly elements: readonly HTMLElement[];
  begin(): void;
}

/** `styles` are those of the first buttons, the last one that of all others; `labelled` is the id of
 * what they answer, "" where there is none. */
export function choosing(
  stage: Stage,
  choices: readonly Choice[],
  minMs: number,
  styles: readonly string[],
  labelled: string,
  pick: (value: string) => void,
): Choosing {
  const areShort = choices.length > 2 && choices.every((choice) => choice.label.length <= 2);
  const style = areShort ? "choices short" : "choices";
  const group = made("div", {
    class: style,
    role: "group",
    "aria-labelledby": labelled || null,
    "data-count": choices.length,
  });
  const chosen = (value: string): void => {
    if (stage.clock.elapsed() >= TOO_SOON_MS && way.isOpen()) pick(value);
  };
  const way = gate(stage, minMs, () => group.children as HTMLCollectionOf<HTMLElement>);
  choices.forEach((choice, place) => {
    const own = styles[place] ?? styles.at(-1) ?? "";
    group.append(buttonOf(choice, own, () => chosen(choice.value)));
  });
  listen(stage, choices, chosen);
  return { elements: [way.line, group], begin: way.begin };
}

function buttonOf(choice: Choice, style: string, act: () => void): HTMLButtonElement {
  const element = button("", style, act);
  const isOwn = choice.value === NEXT;
  if (!isOwn) element.removeAttribute("lang");
  element.dataset["value"] = choice.value;
  element.append(made("span", { dir: "auto" }, isOwn ? WORDS.next : choice.label));
  if (!choice.key) return element;
  element.setAttribute("aria-keyshortcuts", choice.key === " " ? "Space" : choice.key);
  if (hasKeyboard()) element.append(made("kbd", { "aria-hidden": "true" }, NAMES[choice.key] ?? choice.key));
  return element;
}

/** Keys work wherever the focus is, except where they mean something of their own there. */
function listen(stage: Stage, choices: readonly Choice[], chosen: (value: string) => void): void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!isFree(event)) return;
    const same = (choice: Choice): boolean => choice.key.toLowerCase() === event.key.toLowerCase();
    const found = choices.find((choice) => choice.key !== "" && same(choice));
    if (found === undefined) return;
    event.preventDefault();
    chosen(found.value);
  };
  document.addEventListener("keydown", pressed, { signal: stage.signal });
}

/** False where the focused element takes the key itself, and while a dialog is open. */
export function isFree(event: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, [contenteditable]")) return false;
  const isPress = event.key === "Enter" || event.key === " ";
  return !(isPress && target?.closest("button, a, summary"));
}
