/** Something to read, then a button, or on by itself. */
import { made } from "../elements";
import { drawn } from "../parts";
import type { PageScreen } from "../screens";
import { timed, WORDS } from "../words";
import { choosing } from "../stage/choosing";
import { MAYBE, PARTS, WHOLE, pluginOf } from "./plugin";
import { countDown, quietLine } from "../stage/waiting";

const COUNTED_FROM_MS = 3000;
/** A shorter page goes on without a word. */

export const page = pluginOf<PageScreen>({
  name: "page",
  parameters: { body: PARTS, choices: PARTS, min_ms: WHOLE, auto_ms: MAYBE },
  open: (screen) => (stage) => {
    const line = quietLine("auto");
    const pick = (value: string): void => stage.finish({ value });
    const picks = choosing(stage, screen.choices, screen.min_ms, ["main", "plain"], "", pick);
    stage.root.append(...drawn(screen.body));
    stage.root.append(made("div", { class: "actions" }, line, ...picks.elements));
    return () => {
      picks.begin();
      if (screen.auto_ms === null) return;
      const over = (): void => stage.finish({ value: "" });
      const words = screen.auto_ms >= COUNTED_FROM_MS ? timed(WORDS.goes_on_in) : () => "";
      countDown(stage, line, screen.auto_ms, words, over);
    };
  },
  sample: (screen) => ({ value: screen.choices[0]?.value ?? "" }),
});
