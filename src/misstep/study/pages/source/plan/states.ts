/** What a plan's steps lead to, as the server's validator has it: tests hold the two together. */
import type { GroundAction, PlanScreen } from "../screens";

export type State = ReadonlySet<number>;

/** `states` begins with the first one and ends after the last step that can be done; `failed` is
 * the place of the step that can't (null: all can), `missing` the facts it would need and
 * `standing` those that would have to be gone. */
export interface Run {
  readonly states: readonly State[];
  readonly failed: number | null;
  readonly missing: readonly number[];
  readonly standing: readonly number[];
}

export function missing(state: State, action: GroundAction): number[] {
  return action.needs.filter((fact) => !state.has(fact));
}

export function standing(state: State, action: GroundAction): number[] {
  return action.needs_not.filter((fact) => state.has(fact));
}

export function canBeDone(state: State, action: GroundAction): boolean {
  return missing(state, action).length === 0 && standing(state, action).length === 0;
}

/** What an action both ends and brings about holds afterwards. */
export function after(state: State, action: GroundAction): State {
  const next = new Set(state);
  for (const fact of action.deletes) next.delete(fact);
  for (const fact of action.adds) next.add(fact);
  return next;
}

export function run(screen: PlanScreen, steps: readonly string[]): Run {
  const byName = new Map(screen.actions.map((action) => [action.name, action]));
  let state: State = new Set(screen.state);
  const states: State[] = [state];
  for (const [place, name] of steps.entries()) {
    const action = byName.get(name);
    if (action === undefined) throw new Error(`the screen has no action ${name}`);
    if (!canBeDone(state, action)) {
      const lacking = { missing: missing(state, action), standing: standing(state, action) };
      return { states, failed: place, ...lacking };
    }
    state = after(state, action);
    states.push(state);
  }
  return { states, failed: null, missing: [], standing: [] };
}

/** The state after the last step that can be done. */
export function latest(found: Run): State {
  return found.states[found.states.length - 1] ?? new Set();
}

export function reachesGoal(screen: PlanScreen, found: Run): boolean {
  const state = latest(found);
  const holds = screen.goal.every((fact) => state.has(fact));
  return found.failed === null && holds && !screen.goal_not.some((fact) => state.has(fact));
}
