/** Signs of help from a machine on one screen: counts and times, never what was typed or pasted. */
import type { Sign, SignKind } from "../screens";
import { burst, rhythm } from "./rhythm";

const MOST = 200;
/** Of one screen; more are added up in the last of their kind, so that an answer stays small. */

export interface Signs {
  /** All so far, those that are still going on among them. */
  all(): readonly Sign[];
}

/** Watches until `signal`. `elapsed` is the time on the screen, `before` what was seen earlier,
 * `keep` is called with each change. */
export function watch(
  root: HTMLElement,
  elapsed: () => number,
  before: readonly Sign[],
  keep: (signs: readonly Sign[]) => void,
  signal: AbortSignal,
): Signs {
  let signs = [...before];
  const away = new Map<SignKind, number>();
  const pace = rhythm();
  let isRepeat = false;

  const add = (kind: SignKind, n: number, at = elapsed()): void => {
    signs = added(signs, { kind, at_ms: Math.round(at), n: Math.round(n) });
    keep(signs);
  };
  const leave = (kind: SignKind): void => {
    if (!away.has(kind)) away.set(kind, elapsed());
  };
  const come = (kind: SignKind): void => {
    const since = away.get(kind);
    if (since === undefined) return;
    away.delete(kind);
    add(kind, elapsed() - since, since);
  };
  const on = <K extends keyof WindowEventMap>(
    target: Window | Document | HTMLElement,
    name: K,
    act: (event: WindowEventMap[K]) => void,
  ): void => target.addEventListener(name, act as EventListener, { signal, capture: true });

  on(window, "blur", (event) => {
    if (event.target === window) leave("blur");
  });
  on(window, "focus", (event) => {
    if (event.target === window) come("blur");
  });
  const seen = (): void => (document.hidden ? leave("hidden") : come("hidden"));
  document.addEventListener("visibilitychange", seen, { signal });
  const close = (): void => [...away.keys()].forEach(come);
  on(window, "pagehide", close);

  on(root, "paste", (event) => add("paste", length(event.clipboardData)));
  on(root, "drop", (event) => add("drop", length(event.dataTransfer)));
  on(document, "copy", () => add("copy", selected()));
  on(root, "keydown", (event) => {
    isRepeat = event.repeat;
  });
  on(root, "input", (event) => {
    const typed = event as InputEvent;
    if (typed.inputType !== "insertText" || typed.isComposing) return;
    const characters = [...(typed.data ?? "")].length;
    const found = burst(characters) || (characters === 1 && !isRepeat ? pace.typed(elapsed()) : 0);
    if (found) add("burst", found);
  });
  for (const name of ["click", "keydown", "input"] as const) {
    on(root, name, (event) => {
      if (!event.isTrusted) add("untrusted", 1);
    });
  }
  return {
    all: () => {
      close();
      return signs;
    },
  };
}

/** With one more. Untrusted events come in swarms: they are one sign, with their number. */
export function added(signs: readonly Sign[], one: Sign): Sign[] {
  const isSwarm = one.kind === "untrusted" || signs.length >= MOST;
  const place = isSwarm ? signs.map((sign) => sign.kind).lastIndexOf(one.kind) : -1;
  const last = signs[place];
  if (last === undefined) return [...signs, one];
  return signs.map((sign, at) => (at === place ? { ...last, n: last.n + one.n } : sign));
}

function length(carried: DataTransfer | null): number {
  return [...(carried?.getData("text/plain") ?? "")].length;
}

/** Characters of what is selected; a field's own selection doesn't count: it is their own text. */
function selected(): number {
  return [...(document.getSelection()?.toString() ?? "")].length;
}
