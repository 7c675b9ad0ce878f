/** Things shown one after another, by the clock of the frames. */
import { ParameterType } from "jspsych";
import { made } from "../elements";
import { element } from "../parts";
import type { StreamScreen } from "../screens";
import { placeAt } from "../timing/sequence";
import { WORDS } from "../words";
import { PARTS, TEXT, WHOLE, pluginOf } from "./plugin";

export const stream = pluginOf<StreamScreen>({
  name: "stream",
  parameters: { shown: PARTS, each_ms: WHOLE, gap_ms: WHOLE, label: TEXT },
  data: { onsets: { type: ParameterType.FLOAT, array: true } },
  open: (screen) => (stage) => {
    const label = made("p", { class: "question", dir: "auto" }, screen.label || WORDS.being_shown);
    const box = made("div", { class: "show", "aria-live": "assertive", "aria-atomic": "true" });
    const all = screen.shown.map(element);
    const pace = { count: all.length, each_ms: screen.each_ms, gap_ms: screen.gap_ms, lead_ms: 0 };
    const onsets: (number | null)[] = all.map(() => null);
    stage.root.append(label, box);
    let on = -1;
    const tick = (elapsed: number): void => {
      const place = placeAt(elapsed, pace);
      if (place.isOver) {
        stage.finish({}, { onsets });
        return;
      }
      const now = place.isShown ? place.index : -1;
      if (now === on) return;
      on = now;
      const shown = all[now];
      box.replaceChildren(...(shown ? [shown] : []));
      if (shown) onsets[now] = Math.round(elapsed);
    };
    return () => {
      stage.clock.each(tick);
      tick(stage.clock.elapsed());
    };
  },
  sample: () => ({}),
});
