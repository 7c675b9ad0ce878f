/** The view of a plan that is being put together: where it leads, the actions, the steps. */
import { button, made, say } from "../elements";
import type { GroundAction, PlanScreen } from "../screens";
import { actionList } from "./actions";
import type { Mount, PlanView } from "./contract";
import { began, changed, redone, undone, type History } from "./history";
import { noteOn, saidState, scenes } from "./scenes";
import { canBeDone, latest, run, type Run } from "./states";
import { stepList } from "./steps";
import { counted, fill, WORDS } from "../words";

let mounted = 0;

export const mount: Mount = (container: HTMLElement, screen: PlanScreen, onChange): PlanView => {
  const labels = new Map(screen.actions.map((action) => [action.name, action.label]));
  const labelOf = (name: string): string => labels.get(name) ?? name;
  const live = made("p", { role: "status", class: "plan-live" });
  let history = began([]);
  let found = run(screen, []);

  const take = (next: History, said: string): void => {
    const isInside = frame.contains(document.activeElement);
    history = next;
    draw();
    // A step's button that had the focus may be gone; the keys must still be heard here.
    if (isInside && !frame.contains(document.activeElement)) steps.focus();
    say(live, `${said} ${whereItLeads(screen, found, history.steps, labelOf)}`.trim());
    onChange();
  };
  const add = (action: GroundAction): void => {
    const { steps } = history;
    if (steps.length >= screen.most_steps) say(live, fill(WORDS.plan_full, { most: screen.most_steps }));
    else take(changed(history, [...steps, action.name]), fill(WORDS.plan_added, { step: steps.length + 1, action: action.label }));
  };
  const back = (): void => history.past.length > 0 ? take(undone(history), WORDS.plan_undone) : undefined;
  const forth = (): void => history.future.length > 0 ? take(redone(history), WORDS.plan_redone) : undefined;
  const clear = (): void => history.steps.length > 0 ? take(changed(history, []), WORDS.plan_cleared) : undefined;

  const picture = scenes(screen, labelOf);
  const actions = actionList(`plan-${(mounted += 1)}`, screen.actions, (action) => hintOn(screen, found, action), add);
  const list = stepList(labelOf, (steps, said) => take(changed(history, steps), said));
  const tools = [button(WORDS.plan_undo, "plan-tool", back), button(WORDS.plan_redo, "plan-tool", forth), button(WORDS.plan_clear, "plan-tool", clear)] as const;
  const heading = made("h2", { class: "plan-heading" }, WORDS.plan);
  const steps = made("section", { class: "plan-own", tabindex: -1 }, heading, made("div", { class: "plan-tools" }, ...tools), list.element);

  const draw = (): void => {
    found = run(screen, history.steps);
    if (screen.aid !== "nothing") picture.draw(found, history.steps);
    actions.refresh();
    list.draw(history.steps, screen.aid === "hints" ? remarksOn(screen, found, history.steps.length) : new Map());
    const can = [history.past.length > 0, history.future.length > 0, history.steps.length > 0];
    tools.forEach((tool, at) => tool.setAttribute("aria-disabled", String(can[at] !== true)));
  };
  const frame = made("div", { class: "plan-view" });
  if (screen.aid !== "nothing") frame.append(picture.element);
  frame.append(actions.element, steps, live);
  frame.addEventListener("keydown", (event) => {
    const way = actions.isTyping() ? null : wayThroughTime(event);
    if (way === null) return;
    event.preventDefault();
    if (way === "back") back();
    else forth();
  });
  container.append(frame);
  draw();
  return {
    steps: () => [...history.steps],
    restore: (names) => {
      history = began(names.filter((name) => labels.has(name)));
      draw();
    },
  };
};

function wayThroughTime(event: KeyboardEvent): "back" | "forth" | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "y") return "forth";
  if (key !== "z") return null;
  return event.shiftKey ? "forth" : "back";
}

/** What is said to who doesn't see the picture, after each change. */
function whereItLeads(
  screen: PlanScreen,
  found: Run,
  steps: readonly string[],
  labelOf: (name: string) => string,
): string {
  if (screen.aid === "nothing") return counted(steps.length, WORDS.plan_steps_one, WORDS.plan_steps, { count: steps.length });
  return `${noteOn(screen, found, steps, labelOf)} ${saidState(screen, latest(found))}`.trim();
}

function hintOn(screen: PlanScreen, found: Run, action: GroundAction): string {
  if (screen.aid !== "hints" || found.failed !== null) return "";
  return canBeDone(latest(found), action) ? "" : WORDS.plan_cant_be_done;
}

/** By place: why the first step that can't be done can't, and that the later ones come after it. */
function remarksOn(screen: PlanScreen, found: Run, count: number): Map<number, string> {
  const remarks = new Map<number, string>();
  if (found.failed === null) return remarks;
  const facts = [
    ...found.missing.map((fact) => screen.facts[fact] ?? ""),
    ...found.standing.map((fact) => screen.denials[fact] ?? ""),
  ];
  remarks.set(found.failed, fill(WORDS.plan_needs, { facts: facts.join(WORDS.plan_needs_and) }));
  for (let place = found.failed + 1; place < count; place += 1) remarks.set(place, WORDS.plan_not_reached);
  return remarks;
}
