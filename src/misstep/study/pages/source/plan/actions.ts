/** The list of ground actions with its search: a combobox whose list is always open. */
import { hasKeyboard, made } from "../elements";
import type { GroundAction } from "../screens";
import { fitting } from "./search";
import { counted, WORDS } from "../words";

/** What is said of an action beside its label; "" for nothing. */
export type Remark = (action: GroundAction) => string;

export interface ActionList {
  readonly element: HTMLElement;
  /** Draws the remarks anew, after the state has changed. */
  refresh(): void;
  isTyping(): boolean;
}

export function actionList(
  name: string,
  actions: readonly GroundAction[],
  remark: Remark,
  pick: (action: GroundAction) => void,
): ActionList {
  const list = made("ul", { id: `${name}-list`, role: "listbox", class: "plan-options", "aria-label": WORDS.plan_actions });
  const input = searchField(name);
  const count = made("p", { role: "status", class: "plan-count" });
  let shown: readonly GroundAction[] = [];
  let active = 0;

  const mark = (place: number, scroll: boolean): void => {
    active = place;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(at === place));
      if (at === place && scroll) within(list, option as HTMLElement);
    }
    const id = list.children[place]?.id;
    if (id === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", id);
  };
  const draw = (): void => {
    list.replaceChildren(...shown.map((action, at) => option(`${name}-${at}`, action, remark(action))));
    mark(Math.min(active, shown.length - 1), false);
  };
  const search = (): void => {
    shown = fitting(actions, input.value);
    count.textContent = shown.length === 0 ? WORDS.plan_none : counted(shown.length, WORDS.plan_found_one, WORDS.plan_found, { count: shown.length });
    active = 0;
    list.scrollTop = 0;
    draw();
  };
  const choose = (place: number): void => {
    const action = shown[place];
    if (action === undefined) return;
    mark(place, false);
    pick(action);
  };
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const to = target(event.key, active, shown.length);
    if (to !== null) mark(to, true);
    else if (event.key === "Enter") choose(active);
    else if (event.key === "Escape" && input.value !== "") clear(input, search);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("click", (event) => {
    const chosen = (event.target as Element).closest("[role=option]");
    if (chosen !== null) choose([...list.children].indexOf(chosen));
  });
  search();
  const label = made("label", { for: input.id, class: "plan-heading" }, WORDS.plan_search);
  const how = hasKeyboard() ? WORDS.plan_search_hint : WORDS.plan_search_hint_by_touch;
  const hint = made("p", { id: `${name}-hint`, class: "plan-hint" }, how);
  const element = made("section", { class: "plan-actions" }, label, hint, input, count, list);
  return { element, refresh: draw, isTyping: () => document.activeElement === input && input.value !== "" };
}

function searchField(name: string): HTMLInputElement {
  return made("input", {
    id: `${name}-search`,
    class: "plan-search",
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    "aria-controls": `${name}-list`,
    "aria-describedby": `${name}-hint`,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "done",
  });
}

function option(id: string, action: GroundAction, said: string): HTMLElement {
  const attributes = { id, role: "option", class: said === "" ? "plan-option" : "plan-option plan-odd" };
  const item = made("li", { ...attributes, "aria-selected": "false" }, action.label);
  if (said !== "") item.append(made("span", { class: "plan-remark" }, said));
  return item;
}

/** Where a key leads in the list; null for a key that leads nowhere. */
function target(key: string, active: number, length: number): number | null {
  const page = 6;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page,
  };
  const found = to[key];
  return found === undefined ? null : Math.max(0, Math.min(length - 1, found));
}

function clear(input: HTMLInputElement, search: () => void): void {
  input.value = "";
  search();
}

/** Scrolls the list alone, never the page. */
function within(list: HTMLElement, item: HTMLElement): void {
  const above = item.offsetTop - list.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above;
  const below = above + item.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}
