/** What is wrong with an answer, before it is sent: the server asks the same (screens.py). */
import { counted, fill, WORDS } from "../words";

/** What is wrong with a typed number, "" if nothing. The server asks the same. */
export function numberProblem(typed: string, least: number | null, most: number | null): string {
  const text = typed.trim();
  if (!text) return WORDS.answer_missing;
  if (!/^-?[0-9]+$/.test(text)) return WORDS.whole_number;
  if (least !== null && Number(text) < least) return fill(WORDS.at_least, { least });
  if (most !== null && Number(text) > most) return fill(WORDS.at_most, { most });
  return "";
}

/** What is wrong with a text, "" if nothing; counted in characters as the server counts them. */
export function textProblem(text: string, least: number, most: number): string {
  const written = characters(text.trim());
  if (written === 0 && least > 0) return WORDS.write_first;
  const missing = least - written;
  if (missing > 0) return counted(missing, WORDS.write_more_one, WORDS.write_more, { missing });
  const over = characters(text) - most;
  return over > 0 ? counted(over, WORDS.too_long_one, WORDS.too_long, { over }) : "";
}

/** Code points, which are what Python counts. */
export function characters(text: string): number {
  return [...text].length;
}
