/** What the plan so far leads to, and the goal beside it: blocks as a picture, else as facts. */
import { made } from "../elements";
import type { PlanScreen } from "../screens";
import { drawn, drawnGoal } from "./picture";
import { latest, reachesGoal, type Run, type State } from "./states";
import { PLAN_WORDS } from "./words";

export interface Scenes {
  readonly element: HTMLElement;
  draw(found: Run, steps: readonly string[]): void;
}

export function scenes(screen: PlanScreen, labelOf: (name: string) => string): Scenes {
  const title = made("figcaption", { class: "plan-heading" });
  const now = made("div", { class: "plan-scene" });
  const goalTitle = made("figcaption", { class: "plan-heading" });
  const state = made("figure", { class: "plan-figure" }, title, now);
  const goal = made("figure", { class: "plan-figure" }, goalTitle, goalScene(screen));
  const element = made("section", { class: "plan-scenes" }, state, goal);
  const draw = (found: Run, steps: readonly string[]): void => {
    const done = found.states.length - 1;
    const last = labelOf(steps[done - 1] ?? "");
    const reached = done === 0 ? PLAN_WORDS.atFirst : PLAN_WORDS.afterStep(done, last);
    title.textContent = found.failed === null ? reached : failure(found, steps, labelOf);
    title.classList.toggle("plan-wrong", found.failed !== null);
    now.replaceChildren(scene(screen, latest(found), found.states[done - 1]));
    // Never lower than before, so that the list of actions below doesn't jump.
    now.style.minHeight = `${now.offsetHeight}px`;
    goalTitle.textContent = `${PLAN_WORDS.goal}${goalRemark(screen, found)}`;
  };
  return { element, draw };
}

/** The state in words, for who doesn't see it; of blocks without what is clear, which follows. */
export function saidState(screen: PlanScreen, state: State): string {
  const told = [...state].sort((one, other) => one - other).filter((fact) => isTold(screen, fact));
  return told.length === 0 ? PLAN_WORDS.nothingHolds : PLAN_WORDS.state(told.map((fact) => factOf(screen, fact)));
}

/** What is to be said of the steps by themselves: which can't be done and, with hints, the goal. */
export function noteOn(
  screen: PlanScreen,
  found: Run,
  steps: readonly string[],
  labelOf: (name: string) => string,
): string {
  if (found.failed !== null) return failure(found, steps, labelOf);
  if (screen.aid !== "hints") return "";
  return reachesGoal(screen, found) ? PLAN_WORDS.reached : PLAN_WORDS.notYet;
}

function failure(found: Run, steps: readonly string[], labelOf: (name: string) => string): string {
  const place = found.failed ?? 0;
  return PLAN_WORDS.cant(place + 1, labelOf(steps[place] ?? ""), place);
}

function goalRemark(screen: PlanScreen, found: Run): string {
  if (screen.aid !== "hints") return "";
  return reachesGoal(screen, found) ? PLAN_WORDS.goalHolds : PLAN_WORDS.goalIsOpen;
}

function isTold(screen: PlanScreen, fact: number): boolean {
  return screen.drawing !== "blocks" || screen.atoms[fact]?.[0] !== "clear";
}

function factOf(screen: PlanScreen, fact: number): string {
  return screen.facts[fact] ?? "";
}

function scene(screen: PlanScreen, state: State, before: State | undefined): Element {
  if (screen.drawing === "blocks") {
    const holding = [...state].map((fact) => screen.atoms[fact] ?? []);
    return drawn(screen.atoms, holding, saidState(screen, state));
  }
  const facts = [...state].sort((one, other) => one - other);
  const items = facts.map((fact) => {
    const isNew = before !== undefined && !before.has(fact);
    return made("li", { class: isNew ? "plan-new" : "" }, factOf(screen, fact));
  });
  return made("ul", { class: "plan-facts" }, ...items);
}

/** As a picture only where all of the goal is in it: towers, and what the hand holds. */
function goalScene(screen: PlanScreen): Element {
  const words = [
    ...screen.goal.map((fact) => factOf(screen, fact)),
    ...screen.goal_not.map((fact) => screen.denials[fact] ?? ""),
  ];
  const list = made("ul", { class: "plan-facts" }, ...words.map((fact) => made("li", {}, fact)));
  const goal = screen.goal.map((fact) => screen.atoms[fact] ?? []);
  const isDrawn = screen.drawing === "blocks" && goal.some(([predicate]) => predicate !== "clear" && predicate !== "handempty");
  const inside = isDrawn ? [drawnGoal(screen.atoms, goal, PLAN_WORDS.goalPicture)] : [];
  return made("div", { class: "plan-scene plan-goal" }, ...inside, list);
}
