/** What this browser keeps between two loads of the page, by name. */

const PREFIX = "misstep/";

export interface Store {
  /** False where nothing outlives the page: then the person must be told. */
  readonly lasts: boolean;
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** Removes all whose names begin like this. */
  clear(beginning: string): void;
  /** Calls `act` with the new value when another tab writes it. */
  watch(name: string, act: (value: string | null) => void): void;
}

/** localStorage where the browser lets us have it, else the page's own memory. */
export function browserStore(): Store {
  try {
    const probe = `${PREFIX}probe`;
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return lasting(localStorage);
  } catch {
    return passing();
  }
}

function lasting(storage: Storage): Store {
  return {
    lasts: true,
    read: (name) => storage.getItem(PREFIX + name),
    write: (name, value) => {
      try {
        storage.setItem(PREFIX + name, value);
      } catch {
        // Full: the page itself still has the value, and sends it.
      }
    },
    remove: (name) => storage.removeItem(PREFIX + name),
    clear: (beginning) => {
      for (const name of Object.keys(storage)) {
        if (name.startsWith(PREFIX + beginning)) storage.removeItem(name);
      }
    },
    watch: (name, act) => {
      window.addEventListener("storage", (event) => {
        if (event.key === PREFIX + name) act(event.newValue);
      });
    },
  };
}

/** Keeps as long as the page is open. */
export function passing(): Store {
  const kept = new Map<string, string>();
  return {
    lasts: false,
    read: (name) => kept.get(name) ?? null,
    write: (name, value) => void kept.set(name, value),
    remove: (name) => void kept.delete(name),
    clear: (beginning) => {
      for (const name of [...kept.keys()]) if (name.startsWith(beginning)) kept.delete(name);
    },
    watch: () => undefined,
  };
}

/** 128 bits of chance; crypto.randomUUID is only there on secure origins. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
