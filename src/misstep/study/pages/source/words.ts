/** All that this page says by itself, in English or in the study's own words; everything else comes from the study. */
import ENGLISH from "../words/english.json";

type Word = keyof typeof ENGLISH;
type Values = Readonly<Record<string, string | number>>;

/** None where there is no page, as in the checks. */
function given(): Partial<Record<Word, string>> {
  const said = typeof document === "undefined" ? undefined : document.documentElement.dataset["words"];
  return said === undefined ? {} : JSON.parse(said);
}

const OWN = given();
export const WORDS: Readonly<Record<Word, string>> = { ...ENGLISH, ...OWN };

/** Of these words, whatever language the study's texts are in. */
export const LANGUAGE = Object.keys(OWN).length > 0 ? document.documentElement.lang : "en";

/** The words with what stands for {names} in them. */
export function fill(words: string, values: Values): string {
  return words.replace(/\{([a-z]+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Words for one, or for another number. */
export function counted(count: number, one: string, many: string, values: Values): string {
  return fill(count === 1 ? one : many, values);
}

/** The words of a time, with {time} in them, by its whole seconds. */
export function timed(words: string): (seconds: number) => string {
  return (seconds) => fill(words, { time: span(seconds) });
}

/** The heading of a part of the study. */
export function partName(name: string): string {
  const known: Readonly<Record<string, string>> = WORDS;
  return known[`part_${name}`] ?? WORDS.part;
}

/** "8 s" or "1:05 min", of whole seconds. */
export function span(seconds: number): string {
  if (seconds < 60) return fill(WORDS.seconds, { seconds });
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return fill(WORDS.minutes, { minutes });
}
