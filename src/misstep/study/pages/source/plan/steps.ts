/** The plan so far: each step can be moved by buttons or by dragging its handle, and removed. */
import { made } from "../elements";
import { moved, without } from "./history";
import { fill, WORDS } from "../words";

type Control = "up" | "down" | "remove";

/** `change` is called with the new steps, and with what is said of the change. */
export interface StepList {
  readonly element: HTMLElement;
  draw(steps: readonly string[], remarks: ReadonlyMap<number, string>): void;
}

export function stepList(
  labelOf: (name: string) => string,
  change: (steps: readonly string[], said: string) => void,
): StepList {
  const list = made("ol", { class: "plan-steps", "aria-label": WORDS.plan });
  const empty = made("p", { class: "plan-hint" }, WORDS.plan_empty);
  const element = made("div", { class: "plan-steps-frame" }, empty, list);
  let steps: readonly string[] = [];

  const move = (from: number, to: number): void => {
    const name = steps[from];
    if (name === undefined || to < 0 || to >= steps.length || to === from) return;
    change(moved(steps, from, to), fill(WORDS.plan_moved_to, { step: to + 1, action: labelOf(name) }));
  };
  const act = (control: Control, place: number): void => {
    if (control === "remove") {
      change(without(steps, place), fill(WORDS.plan_removed, { action: labelOf(steps[place] ?? "") }));
      focus(list, Math.min(place, steps.length - 1), "remove");
      return;
    }
    const to = control === "up" ? place - 1 : place + 1;
    if (to < 0 || to >= steps.length) return;
    move(place, to);
    focus(list, to, control);
  };
  list.addEventListener("click", (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>("button[data-control]");
    if (pressed !== null) act(pressed.dataset["control"] as Control, placeOf(list, pressed));
  });
  list.addEventListener("keydown", (event) => {
    const place = placeOf(list, event.target as Element);
    if (place < 0) return;
    const control = shortcut(event);
    if (control === null) return;
    event.preventDefault();
    act(control, place);
  });
  dragging(list, move);
  const draw = (names: readonly string[], remarks: ReadonlyMap<number, string>): void => {
    steps = names;
    empty.hidden = names.length > 0;
    list.replaceChildren(...names.map((name, at) => row(at, names.length, labelOf(name), remarks.get(at) ?? "")));
  };
  return { element, draw };
}

function shortcut(event: KeyboardEvent): Control | null {
  if (event.key === "Delete") return "remove";
  if (!event.altKey) return null;
  if (event.key === "ArrowUp") return "up";
  return event.key === "ArrowDown" ? "down" : null;
}

function placeOf(list: HTMLElement, inside: Element): number {
  const item = inside.closest("li");
  return item === null ? -1 : [...list.children].indexOf(item);
}

function focus(list: HTMLElement, place: number, control: Control): void {
  list.children[place]?.querySelector<HTMLElement>(`[data-control=${control}]`)?.focus();
}

function row(place: number, count: number, label: string, remark: string): HTMLElement {
  const step = place + 1;
  const text = made("span", { class: "plan-label" }, label);
  if (remark !== "") text.append(made("span", { class: "plan-remark" }, remark));
  const handle = made("span", { class: "plan-handle", "aria-hidden": "true" }, String(step));
  return made(
    "li",
    { class: remark === "" ? "plan-step" : "plan-step plan-odd" },
    handle,
    text,
    control("up", "↑", fill(WORDS.plan_up, { step, action: label }), place === 0),
    control("down", "↓", fill(WORDS.plan_down, { step, action: label }), place === count - 1),
    control("remove", "×", fill(WORDS.plan_remove, { step, action: label }), false),
  );
}

/** Never `disabled`, which would lose the focus in the middle of moving a step. */
function control(name: Control, sign: string, label: string, isIdle: boolean): HTMLElement {
  const attributes = { type: "button", class: "plan-control", "data-control": name };
  return made("button", { ...attributes, "aria-label": label, "aria-disabled": String(isIdle) }, sign);
}

/** By mouse, pen or finger, on the handle alone, so that a finger elsewhere scrolls the page. */
function dragging(list: HTMLElement, move: (from: number, to: number) => void): void {
  let from = -1;
  const stop = (): void => {
    from = -1;
    for (const item of list.children) item.classList.remove("plan-dragged", "plan-before", "plan-after");
  };
  list.addEventListener("pointerdown", (event) => {
    const handle = (event.target as Element).closest(".plan-handle");
    if (handle === null || event.button !== 0) return;
    from = placeOf(list, handle);
    list.setPointerCapture(event.pointerId);
    list.children[from]?.classList.add("plan-dragged");
    event.preventDefault();
  });
  list.addEventListener("pointermove", (event) => {
    if (from < 0) return;
    const to = over(list, event.clientY);
    for (const [at, item] of [...list.children].entries()) {
      item.classList.toggle("plan-before", at === to && to < from);
      item.classList.toggle("plan-after", at === to && to > from);
    }
  });
  list.addEventListener("pointerup", (event) => {
    const start = from;
    if (start < 0) return;
    stop();
    move(start, over(list, event.clientY));
  });
  list.addEventListener("pointercancel", stop);
}

/** The step at this height of the window; the first or the last beyond the list's ends. */
function over(list: HTMLElement, height: number): number {
  const places = [...list.children].map((item) => item.getBoundingClientRect());
  const found = places.findIndex((box) => height < box.bottom);
  return found < 0 ? places.length - 1 : found;
}
