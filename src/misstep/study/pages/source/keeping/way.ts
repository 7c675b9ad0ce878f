/** What is kept of one person's way: drafts, when a screen was first seen, the answer under way. */
import type { Json, Sign } from "../screens";
import type { Sent } from "../transport/contract";
import type { Store } from "./store";

/** A screen as it was first seen: `at` by the wall clock, in milliseconds; `redrawn` counts reloads
 * and answers that were not taken. */
export interface Seen {
  readonly at: number;
  readonly signs: readonly Sign[];
  readonly redrawn: number;
}

export interface Way {
  draft(key: string): Json | undefined;
  keepDraft(key: string, draft: Json): void;
  seen(key: string): Seen | null;
  keepSeen(key: string, seen: Seen): void;
  unsent(): Sent | null;
  keepUnsent(sent: Sent): void;
  /** The number of this row over the whole way, and the time since its beginning. */
  place(now: number): { readonly index: number; readonly elapsed: number };
  /** The answer to `key` is durable, or will never be: what was kept for it goes. */
  confirmed(key: string): void;
  /** That answer was not taken: it is no longer under way, and the draft stays. */
  refused(): void;
  /** The way is over: only its token stays. */
  ended(): void;
}

export function wayIn(store: Store, scope: string, now: number): Way {
  const at = (what: string, key = ""): string => `way/${scope}/${what}/${key}`;
  const read = <T>(name: string): T | null => value<T>(store.read(name));
  const began = read<number>(at("began")) ?? now;
  const count = (): number => read<number>(at("rows")) ?? 0;
  store.write(at("began"), JSON.stringify(began));
  return {
    draft: (key) => read<Json>(at("draft", key)) ?? undefined,
    keepDraft: (key, draft) => store.write(at("draft", key), JSON.stringify(draft)),
    seen: (key) => read<Seen>(at("seen", key)),
    keepSeen: (key, seen) => store.write(at("seen", key), JSON.stringify(seen)),
    unsent: () => read<Sent>(at("unsent")),
    keepUnsent: (sent) => store.write(at("unsent"), JSON.stringify(sent)),
    place: (later) => ({ index: count(), elapsed: Math.max(0, later - began) }),
    confirmed: (key) => {
      store.write(at("rows"), JSON.stringify(count() + 1));
      store.remove(at("unsent"));
      store.remove(at("draft", key));
      store.remove(at("seen", key));
    },
    refused: () => store.remove(at("unsent")),
    ended: () => store.clear(`way/${scope}/`),
  };
}

function value<T>(text: string | null): T | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    return null; // written by something else
  }
}
