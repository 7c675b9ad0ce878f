/** Making elements of the page: every text by textContent, never as markup. */

import { LANGUAGE } from "./words";

export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element; an attribute that is null or false is left out, true stands without a value. */
export function made<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(attribute, value === true ? "" : String(value));
  }
  element.append(...inside);
  return element;
}

/** The language of words.ts, whatever the study's is. */
export const OWN = LANGUAGE;

/** A button with words of our own. */
export function button(label: string, style: string, act: () => void): HTMLButtonElement {
  const element = made("button", { type: "button", class: style, lang: OWN }, label);
  element.addEventListener("click", act);
  return element;
}

/** Whether a keyboard is likely: a fine pointer that hovers. Hints of keys are shown only then. */
export function hasKeyboard(): boolean {
  return window.matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Says something to a screen reader as well, also when it was said before. */
export function say(region: HTMLElement, text: string): void {
  region.textContent = "";
  region.textContent = text;
}
