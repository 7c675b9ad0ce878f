/** What the plan so far leads to, and the goal beside it: blocks as a picture, else as facts. */
import { made } from "../elements";
import type { PlanScreen } from "../screens";
import { drawn, drawnGoal } from "./picture";
import { latest, reachesGoal, type Run, type State } from "./states";
import { fill, WORDS } from "../words";

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
    const reached = done === 0 ? WORDS.plan_at_first : fill(WORDS.plan_after_step, { step: done, action: last });
    title.textContent = found.failed === null ? reached : failure(found, steps, labelOf);
    title.classList.toggle("plan-wrong", found.failed !== null);
    now.replaceChildren(scene(screen, latest(found), found.states[done - 1]));
    // Never lower than before, so that the list of actions below doesn't jump.
    now.style.minHeight = `${now.offsetHeight}px`;
    goalTitle.textContent = goalTitled(screen, found);
  };
  return { element, draw };
}

/** The state in words, for who doesn't see it; of blocks without what is clear, which follows. */
export function saidState(screen: PlanScreen, state: State): string {
  const told = [...state].sort((one, other) => one - other).filter((fact) => isTold(screen, fact));
  return told.length === 0 ? WORDS.plan_nothing_holds : `${told.map((fact) => factOf(screen, fact)).join("; ")}.`;
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
  return reachesGoal(screen, found) ? WORDS.plan_reached : WORDS.plan_not_reached_yet;
}

function failure(found: Run, steps: readonly string[], labelOf: (name: string) => string): string {
  const place = found.failed ?? 0;
  const [step, action] = [place + 1, labelOf(steps[place] ?? "")];
  if (place === 0) return fill(WORDS.plan_cant_at_first, { step, action });
  return fill(WORDS.plan_cant, { step, action, before: place });
}

function goalTitled(screen: PlanScreen, found: Run): string {
  if (screen.aid !== "hints") return WORDS.plan_goal;
  const goal = WORDS.plan_goal;
  return reachesGoal(screen, found) ? fill(WORDS.plan_goal_holds, { goal }) : fill(WORDS.plan_goal_is_open, { goal });
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
  const inside = isDrawn ? [drawnGoal(screen.atoms, goal, WORDS.plan_goal_picture)] : [];
  return made("div", { class: "plan-scene plan-goal" }, ...inside, list);
}
