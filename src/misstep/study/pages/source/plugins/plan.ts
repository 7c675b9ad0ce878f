/** A plan put together from ground actions: the frame around the view in plan/. */
import { button, made } from "../elements";
import { drawn } from "../parts";
import { mount } from "../plan/view";
import type { PlanScreen } from "../screens";
import { WORDS } from "../words";
import { PARTS, TEXT, WHOLE, pluginOf } from "./plugin";

export const plan = pluginOf<PlanScreen>({
  name: "plan",
  parameters: {
    body: PARTS,
    actions: PARTS,
    facts: PARTS,
    atoms: PARTS,
    state: PARTS,
    goal: PARTS,
    drawing: TEXT,
    earlier: TEXT,
    most_steps: { ...WHOLE, default: 200 },
    goal_not: PARTS,
    denials: PARTS,
    aid: TEXT,
  },
  open: (screen) => (stage) => {
    let isWarned = false;
    const inside = made("div", { class: "planning" });
    stage.root.append(...drawn(screen.body));
    if (screen.earlier) stage.root.append(earlier(screen.earlier));
    stage.root.append(inside);
    const view = mount(inside, screen, () => {
      stage.keepDraft(view.steps());
      stage.warn("");
      isWarned = false;
    });
    if (Array.isArray(stage.draft)) view.restore(stage.draft.map(String));
    const send = button(WORDS.plan_send, "main", () => {
      const steps = view.steps();
      if (steps.length > 0 || isWarned) stage.finish({ steps });
      else stage.warn(WORDS.plan_no_steps);
      isWarned = true;
    });
    stage.root.append(made("div", { class: "actions" }, send));
    return () => undefined;
  },
  sample: (screen) => ({ steps: screen.actions.slice(0, 1).map((action) => action.name) }),
});

function earlier(text: string): HTMLElement {
  return made(
    "details",
    { class: "earlier", open: true },
    made("summary", {}, WORDS.earlier),
    made("p", { class: "part text", dir: "auto" }, text),
  );
}
