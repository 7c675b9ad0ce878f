/** Asks whether a person wants to withdraw. The browser keeps the focus inside, Escape means no. */
import { button, made, OWN } from "../elements";
import { WORDS } from "../words";

export function asked(parent: HTMLElement): Promise<boolean> {
  return new Promise((resolve) => {
    const close = (isSure: boolean) => (): void => {
      dialog.close();
      dialog.remove();
      resolve(isSure);
    };
    const no = button(WORDS.withdraw_no, "main", close(false));
    const yes = button(WORDS.withdraw_yes, "danger", close(true));
    const dialog = made(
      "dialog",
      { lang: OWN, "aria-labelledby": "withdraw-title", "aria-describedby": "withdraw-text" },
      made("h2", { id: "withdraw-title" }, WORDS.withdraw_title),
      made("p", { id: "withdraw-text" }, WORDS.withdraw_text),
      made("div", { class: "choices" }, no, yes),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(false)();
    });
    parent.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
