/** The study's server as a transport: docs/study-protocol.md. */
import type { Store } from "../keeping/store";
import type { Screen, Step } from "../screens";
import { Away, Elsewhere, Over, Unfit, type Sent, type Transport } from "./contract";

const LONGEST_WAIT_MS = 30_000;
/** After which a reply that doesn't come counts as a lost connection. */

export interface Visitor {
  readonly person: string;
  readonly study: string;
  readonly session: string;
}

interface Reply {
  readonly error?: string;
  readonly token?: string;
  readonly screen?: Step | Screen;
  readonly step?: Step;
}

/** `base` is where the study is, with a slash at its end; `once` makes an id nobody can guess. */
export function overHttp(base: string, visitor: Visitor, store: Store, once: () => string): Transport {
  const place = `token/${base}/${visitor.person}`;
  const entering = `entering/${base}/${visitor.person}`;
  let token = store.read(place) ?? "";

  async function enter(): Promise<Step> {
    if (token) return step();
    const same = store.read(entering) ?? once();
    store.write(entering, same);
    const reply = await call(base, "api/enter", "", { ...visitor, once: same });
    token = reply.token ?? "";
    if (token) store.write(place, token);
    store.remove(entering);
    return stepIn(reply);
  }

  async function step(): Promise<Step> {
    return stepIn(await call(base, "api/step", token));
  }

  async function moved(path: string, body: object): Promise<Step> {
    return stepIn(await call(base, path, token, body));
  }

  function forget(): void {
    store.remove(place);
    store.remove(entering);
    token = "";
  }

  return {
    enter,
    step,
    scope: () => token,
    answer: (sent: Sent) => moved("api/answer", sent),
    withdraw: () => moved("api/withdraw", {}),
    forget,
  };
}

/** The step of a reply, which is one, or has one as `step` or `screen`; an end may come bare. */
export function stepIn(reply: object): Step {
  const { step, screen } = reply as Reply;
  const found: object = step ?? (screen && "screen" in screen ? screen : reply);
  if ("key" in found && "screen" in found) return found as Step;
  const end = (screen ?? reply) as Screen;
  if (end.kind !== "end") throw new Over("the study's server sent no screen");
  return { key: "end", part: "end", done: 0, total: 0, trial: null, screen: end, paused: false };
}

async function call(base: string, path: string, token: string, body?: object): Promise<Reply> {
  const { status, after, reply } = await fetched(base + path, token, body);
  if (status >= 200 && status < 300 && reply !== null) return reply;
  throw problem(status, after, reply);
}

interface Fetched {
  readonly status: number;
  readonly after: string | null;
  readonly reply: Reply | null;
}

async function fetched(address: string, token: string, body?: object): Promise<Fetched> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), LONGEST_WAIT_MS);
  try {
    const response = await fetch(address, {
      method: body ? "POST" : "GET",
      headers,
      body: body ? JSON.stringify(body) : null,
      cache: "no-store",
      credentials: "same-origin",
      signal: stop.signal,
    });
    return {
      status: response.status,
      after: response.headers.get("Retry-After"),
      reply: parsed(await response.text()),
    };
  } catch {
    throw new Away(); // no network, or it broke off in the middle of the reply
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): Reply | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : null;
  } catch {
    return null; // a proxy's own page
  }
}

/** What a reply other than 2xx means. */
export function problem(status: number, after: string | null, reply: Reply | null): Error {
  const why = reply?.error ?? `the study's server said ${status}`;
  if (status === 409 && reply?.step) return new Elsewhere(why, reply.step);
  if (status === 413 || status === 422) return new Unfit(why);
  if (status === 408 || status === 429 || status >= 500 || reply === null) {
    return new Away(afterMs(after, Date.now()));
  }
  return new Over(why);
}

/** Retry-After in milliseconds: it has seconds, or a date. Null where it says neither. */
export function afterMs(after: string | null, now: number): number | null {
  if (after === null || !after.trim()) return null;
  const seconds = Number(after);
  const found = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
  return Number.isFinite(found) ? Math.max(0, found) : null;
}
