/**
 * Between the plugin "plan" and the view inside it.
 *
 * The plugin shows the title, the body, what was written earlier (`screen.earlier`) and the button
 * that sends; it keeps the draft and the time. The view (plan/view.ts exports `mount`) draws all
 * between: the state at first and after each step, the goal, the list of actions with its search,
 * the steps with reorder, remove and undo. It writes into `container` alone, sets every text by
 * textContent, and listens on `container` only, so that nothing is left when that is emptied.
 */
import type { PlanScreen } from "../screens";

export interface PlanView {
  /** Names of the picked actions in order: what the answer's `steps` will be. */
  steps(): string[];
  /** Puts a draft back, without a call of `onChange`. Names the screen doesn't have are left out. */
  restore(steps: readonly string[]): void;
}

/** `onChange` is called after each change that the person makes; the plugin then keeps a draft. */
export type Mount = (container: HTMLElement, screen: PlanScreen, onChange: () => void) => PlanView;
