/** Where the way ends: the completion code, and the way back. Nothing is answered. */
import { button, made } from "../elements";
import { drawn } from "../parts";
import type { EndScreen } from "../screens";
import { fill, WORDS } from "../words";
import { PARTS, TEXT, pluginOf } from "./plugin";
import type { Stage } from "../stage/stage";

export const end = pluginOf<EndScreen>({
  name: "end",
  parameters: { ending: TEXT, body: PARTS, code: TEXT, url: TEXT },
  open: (screen) => (stage) => {
    stage.root.dataset["ending"] = screen.ending;
    stage.root.append(...drawn(screen.body));
    if (screen.code) stage.root.append(code(screen.code, stage));
    const back = address(screen.url);
    const after = back
      ? made("a", { class: "main", href: back.href, rel: "noreferrer" }, fill(WORDS.go_back, { host: back.host }))
      : made("p", { class: "quiet" }, WORDS.can_close);
    stage.root.append(made("div", { class: "actions" }, after));
    return () => undefined;
  },
  sample: () => ({}),
});

function code(text: string, stage: Stage): HTMLElement {
  const shown = made("output", { class: "code", id: "code", translate: "no" }, text);
  const copy = button(WORDS.copy, "plain", () => {
    void copied(text, shown).then((isCopied) => {
      copy.textContent = isCopied ? WORDS.copied : WORDS.copy_by_hand;
      stage.say(copy.textContent);
    });
  });
  return made("div", { class: "coded" }, made("label", { for: "code" }, WORDS.code), shown, copy);
}

/** Whether it is on the clipboard now, which a page on plain http mayn't do; else it is selected. */
async function copied(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    document.getSelection()?.selectAllChildren(shown);
    return false;
  }
}

/** Of the web only: a study file can't make a button that runs something. */
export function address(url: string): URL | null {
  try {
    const found = new URL(url);
    return found.protocol === "https:" || found.protocol === "http:" ? found : null;
  } catch {
    return null;
  }
}
