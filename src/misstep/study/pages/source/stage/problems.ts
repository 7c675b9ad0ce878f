/** What is wrong with an answer, before it is sent: the server asks the same (screens.py). */
import { WORDS } from "../words";

/** What is wrong with a typed number, "" if nothing. The server asks the same. */
export function numberProblem(typed: string, least: number | null, most: number | null): string {
  const text = typed.trim();
  if (!text) return WORDS.answerMissing;
  if (!/^-?[0-9]+$/.test(text)) return WORDS.wholeNumber;
  if (least !== null && Number(text) < least) return WORDS.atLeast(least);
  if (most !== null && Number(text) > most) return WORDS.atMost(most);
  return "";
}

/** What is wrong with a text, "" if nothing; counted in characters as the server counts them. */
export function textProblem(text: string, least: number, most: number): string {
  const written = characters(text.trim());
  if (written === 0 && least > 0) return WORDS.writeFirst;
  if (written < least) return WORDS.writeMore(least - written);
  const over = characters(text) - most;
  return over > 0 ? WORDS.tooLong(over) : "";
}

/** Code points, which are what Python counts. */
export function characters(text: string): number {
  return [...text].length;
}
