/** Only one tab of a browser answers: the one that was opened last. */
import type { Store } from "./store";

/** Takes the way over. `lost` is called when another tab has taken it; the result tells whether
 * this tab still has it, for the moment before an answer is sent. */
export function takeOver(store: Store, scope: string, id: string, lost: () => void): () => boolean {
  const name = `tab/${scope}`;
  // Nobody holds it where the person has emptied the browser's storage.
  const isOurs = (holder: string | null): boolean => holder === null || holder === id;
  store.write(name, id);
  store.watch(name, (holder) => {
    if (!isOurs(holder)) lost();
  });
  return () => isOurs(store.read(name));
}
