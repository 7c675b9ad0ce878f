/** Where the answers of a study without a server go: a file to download, or JATOS. */
import type { Holder, Result } from "./static";

/** What of jatos.js is used; JATOS itself serves it. */
export interface Jatos {
  readonly studyResultId: string | number;
  readonly urlQueryParameters: { readonly [name: string]: string };
  readonly batchSession: {
    get(name: string): unknown;
    set(name: string, value: unknown): Promise<unknown>;
  };
  onLoad(act: () => void): void;
  submitResultData(data: string): Promise<unknown>;
  endStudyAjax(isSuccessful: boolean, message: string): Promise<unknown>;
}

const COUNTER = "misstep_places";
const TRIES = 20;

/** The place that the address names, else one by chance; `offer` is shown what is to be handed over. */
export function byFile(given: string | null, places: number, offer: (result: Result) => void): Holder {
  return {
    scope: given ?? "",
    place: async () => (given === null ? Math.floor(Math.random() * places) : whole(given)),
    keep: async () => undefined,
    ended: async (result) => offer(result),
  };
}

/** The next place by a counter in the batch's session, which JATOS keeps for all its participants. */
export function byJatos(jatos: Jatos, given: string | null, places: number): Holder {
  let hasEnded = false;
  return {
    scope: String(jatos.studyResultId),
    place: async () => (given === null ? await counted(jatos, places) : whole(given)),
    keep: async (result) => {
      if (!hasEnded) await jatos.submitResultData(JSON.stringify(result));
    },
    ended: async (result) => {
      if (!hasEnded) await jatos.endStudyAjax(result.ending === "complete", String(result.ending));
      hasEnded = true;
    },
  };
}

/** Two who enter at once have different places: JATOS refuses a change of what has changed since. */
async function counted(jatos: Jatos, places: number): Promise<number> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const next = Number(jatos.batchSession.get(COUNTER) ?? 0);
    try {
      await jatos.batchSession.set(COUNTER, next + 1);
      return next % places;
    } catch {
      await new Promise((resolve) => window.setTimeout(resolve, 50 + Math.random() * 250));
    }
  }
  return Math.floor(Math.random() * places);
}

function whole(given: string): number {
  return /^\d{1,6}$/.test(given) ? Number(given) : -1;
}
