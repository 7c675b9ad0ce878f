/** Questions whether the instructions were understood. */
import { button, made } from "../elements";
import { drawn } from "../parts";
import type { CheckQuestion, CheckScreen } from "../screens";
import { counted, WORDS } from "../words";
import { PARTS, pluginOf } from "./plugin";
import type { Stage } from "../stage/stage";

type Values = Record<string, string>;

export const check = pluginOf<CheckScreen>({
  name: "check",
  parameters: { body: PARTS, questions: PARTS },
  open: (screen) => (stage) => {
    const values: Values = { ...(stage.draft as Values | undefined) };
    const fields = screen.questions.map((question, place) => field(question, place, values, stage));
    const send = button(WORDS.send, "main", () => {
      const missing = screen.questions.flatMap((one, place) => (one.name in values ? [] : [place]));
      stage.warn(missing.length > 0 ? unanswered(missing.map((place) => place + 1)) : "");
      fields.forEach((one, place) => one.classList.toggle("missing", missing.includes(place)));
      const first = fields[missing[0] ?? -1];
      if (first) first.querySelector("input")?.focus();
      else stage.finish({ values });
    });
    stage.root.append(...drawn(screen.body), ...fields, made("div", { class: "actions" }, send));
    return () => undefined;
  },
  sample: (screen) => ({
    values: Object.fromEntries(screen.questions.map((one) => [one.name, one.choices[0]?.value ?? ""])),
  }),
});

function unanswered(numbers: readonly number[]): string {
  const values = { number: numbers[0] ?? 0, numbers: numbers.join(", ") };
  return counted(numbers.length, WORDS.unanswered_one, WORDS.unanswered, values);
}

function field(question: CheckQuestion, place: number, values: Values, stage: Stage): HTMLFieldSetElement {
  const legend = made("legend", { dir: "auto" }, `${place + 1}. ${question.text}`);
  const options = question.choices.map((choice) => {
    const radio = made("input", { type: "radio", name: question.name, value: choice.value });
    radio.checked = values[question.name] === choice.value;
    radio.addEventListener("change", () => {
      values[question.name] = choice.value;
      stage.keepDraft({ ...values });
    });
    return made("label", { class: "option" }, radio, made("span", { dir: "auto" }, choice.label));
  });
  return made("fieldset", { "data-name": question.name }, legend, ...options);
}
