/** Which actions fit what was typed: each word of it begins a word of the action's, in any order. */
import type { GroundAction } from "../screens";

export function fitting(actions: readonly GroundAction[], typed: string): GroundAction[] {
  const wanted = wordsIn(typed);
  return actions.filter((action) => {
    const words = wordsIn(action.label);
    return wanted.every((want) => words.some((word) => word.startsWith(want)));
  });
}

/** Without accents and marks, so that "cafe" finds "café" and "(stack a b)" is found by "stack". */
function wordsIn(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[^\p{L}\p{N}-]+/u).filter((word) => word !== "");
}
