/** The parts of a screen as elements. Only the kind "html" is markup, and the server made it. */
import { made } from "./elements";
import type { Part } from "./screens";
import { WORDS } from "./words";

/** Pictures that follow one another stand in one group. */
export function drawn(parts: readonly Part[]): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.kind === "picture" && last?.classList.contains("pictures")) {
      last.append(element(part));
      last.classList.add("several");
    } else {
      found.push(part.kind === "picture" ? made("div", { class: "pictures" }, element(part)) : element(part));
    }
  }
  return found;
}

export function element(part: Part): HTMLElement {
  switch (part.kind) {
    case "html": {
      const box = made("div", { class: "part html", dir: "auto" });
      box.innerHTML = part.text;
      return box;
    }
    case "mono":
      return made("pre", { class: "part mono", dir: "auto" }, part.text);
    case "picture":
      return picture(part);
    case "text":
      return made("p", { class: "part text", dir: "auto" }, part.text);
  }
}

function picture(part: Part): HTMLElement {
  const image = made("img", { class: "part picture", alt: part.alt || WORDS.picture });
  if (/^(data:image\/|blob:)/.test(part.text)) image.src = part.text;
  if (!part.caption) return image;
  return made("figure", { class: "captioned" }, image, made("figcaption", { dir: "auto" }, part.caption));
}

/** Resolves when all pictures in there can be painted, or never will be. */
export async function decoded(root: HTMLElement): Promise<void> {
  await Promise.allSettled([...root.querySelectorAll("img")].map((image) => image.decode()));
}
