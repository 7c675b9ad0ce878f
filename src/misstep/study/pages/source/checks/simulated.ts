/** All kinds in a jsPsych timeline of their own, simulated: for tests in a browser. */
import { initJsPsych } from "jspsych";
import { PLUGINS } from "../plugins/every";
import type { Screen } from "../screens";

/** The rows that jsPsych has at the end. */
export async function rows(screens: readonly Screen[], mode: "data-only" | "visual"): Promise<object[]> {
  const jsPsych = initJsPsych();
  const timeline = screens.map((screen) => ({ ...screen, type: PLUGINS[screen.kind] }));
  await jsPsych.simulate(timeline, mode);
  return jsPsych.data.get().values();
}
