/** A screen's heading, and its place in the document. */
import { made } from "../elements";

/** The screen's heading: its title, else one that its text begins with, else one for the ear alone. */
export function headed(root: HTMLElement, title: string, spoken: string): HTMLElement {
  const first = root.querySelector<HTMLElement>(":scope > .html:first-child > h1");
  const own = made("h1", { dir: "auto", class: title ? null : "hidden" }, title || spoken);
  const heading = (title ? null : first) ?? own;
  heading.tabIndex = -1;
  if (heading === own) root.prepend(own);
  return heading;
}

/** Puts a screen in the place of the last one, with the focus on its heading, and what is wrong with
 * an answer right above what sends it: in sight where that is. */
export function put(
  display: HTMLElement,
  root: HTMLElement,
  heading: HTMLElement,
  problem: HTMLElement,
): void {
  const sends = root.querySelector(".actions .row, .actions .choices, .actions > button");
  if (sends) sends.before(problem);
  else root.append(problem);
  display.replaceChildren(root);
  window.scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}
