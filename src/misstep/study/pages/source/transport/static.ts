/**
 * A study without a server as a transport: all screens were listed ahead (study/bundle/table.py), and
 * the answers are kept here until they are handed over.
 */
import type { Store } from "../keeping/store";
import type { Json, Screen, Step } from "../screens";
import { fill, WORDS } from "../words";
import { Away, Elsewhere, Over, type Sent, type Transport } from "./contract";

/** `screen` is a place in the table's screens; `by` names the next node of some answers, `next` that
 * of all others. */
export interface Node {
  readonly key: string;
  readonly part: string;
  readonly done: number;
  readonly total: number;
  readonly trial: number | null;
  readonly screen: number;
  /** Of an end. */
  readonly ending?: string;
  readonly next: string | null;
  readonly by: { readonly [answer: string]: string };
}

/** In a screen {"shared": n} stands for a long text, {"answer_to": key} for what was written there. */
export interface Table {
  readonly schema: number;
  readonly study: string;
  readonly consent: string;
  readonly places: number;
  readonly shared: readonly string[];
  readonly screens: readonly Json[];
  readonly ways: readonly { readonly [name: string]: Node }[];
  readonly withdrawn: Json;
}

export interface Visit {
  readonly person: string;
  readonly study: string;
  readonly session: string;
}

export interface Kept extends Sent {
  readonly received: number;
}

/** What is handed over: `misstep study import` reads it. Times are milliseconds since 1970 by the
 * browser's clock. */
export interface Result {
  readonly kind: "misstep study result";
  readonly schema: 1;
  readonly study: string;
  readonly consent: string;
  readonly run: string;
  readonly place: number;
  readonly visit: Visit;
  readonly entered: number;
  readonly ended: number | null;
  readonly ending: string | null;
  readonly answers: readonly Kept[];
}

/** Where the answers go, and which place of the study is taken. */
export interface Holder {
  /** Names this run in the browser's store. */
  readonly scope: string;
  place(): Promise<number>;
  /** Resolves when they are kept as safely as can be; rejects where they aren't now. */
  keep(result: Result): Promise<void>;
  /** The way is over: called once it is kept. */
  ended(result: Result): Promise<void>;
}

const START = "consent";
const NOBODY: Visit = { person: "", study: "", session: "" };

export function overTable(
  table: Table,
  holder: Holder,
  visit: Visit,
  store: Store,
  once: () => string,
  now: () => number = Date.now,
): Transport {
  const name = `static/${table.study}/${holder.scope}`;
  let result: Result | null = null;

  async function enter(): Promise<Step> {
    result = kept(store.read(name)) ?? (await begun());
    await handedOver();
    return step();
  }

  async function begun(): Promise<Result> {
    const place = await holder.place();
    if (!(place in table.ways)) throw new Over(fill(WORDS.places, { last: table.places - 1 }));
    return {
      kind: "misstep study result", schema: 1, study: table.study, consent: table.consent,
      run: once(), place, visit, entered: now(), ended: null, ending: null, answers: [],
    };
  }

  function mine(): Result {
    if (result === null) throw new Over("nobody has entered");
    return result;
  }

  async function step(): Promise<Step> {
    const { ending, answers, place } = mine();
    if (ending === "withdrawn") return end(filled(table, table.withdrawn, answers) as unknown as Screen);
    const node = at(way(table, place), answers);
    const screen = filled(table, table.screens[node.screen] ?? null, answers) as unknown as Screen;
    return { ...node, screen, paused: false };
  }

  async function answer(sent: Sent): Promise<Step> {
    const { answers, place } = mine();
    const last = answers[answers.length - 1];
    if (last?.once !== sent.once) {
      const here = await step();
      if (here.key !== sent.key) throw new Elsewhere("this screen has its answer", here);
      result = added(mine(), way(table, place), { ...sent, received: now() });
    }
    await handedOver();
    return step();
  }

  async function withdraw(): Promise<Step> {
    result = { ...mine(), ending: "withdrawn", ended: now() };
    await handedOver();
    return step();
  }

  /** Kept in this browser first, so that a failure costs nothing. */
  async function handedOver(): Promise<void> {
    const whole = mine();
    store.write(name, JSON.stringify(whole));
    try {
      await holder.keep(whole);
      if (whole.ending !== null) await holder.ended(whole);
    } catch {
      throw new Away();
    }
  }

  function forget(): void {
    store.remove(name);
    result = null;
  }

  return { enter, step, answer, withdraw, forget, scope: () => mine().run };
}

function added(before: Result, nodes: { readonly [name: string]: Node }, one: Kept): Result {
  const after = { ...before, answers: [...before.answers, one] };
  const node = at(nodes, after.answers);
  if (node.next !== null) return after;
  const ending = node.ending ?? "complete";
  // Of who doesn't consent nothing is known but that somebody did not.
  return { ...after, ending, ended: one.received, visit: ending === "no_consent" ? NOBODY : after.visit };
}

function way(table: Table, place: number): { readonly [name: string]: Node } {
  return table.ways[place] ?? {};
}

/** The node after these answers. */
function at(nodes: { readonly [name: string]: Node }, answers: readonly Kept[]): Node {
  let name = START;
  for (const one of answers) {
    const node = found(nodes, name);
    name = node.by[canonical(one.answer)] ?? node.next ?? name;
  }
  return found(nodes, name);
}

function found(nodes: { readonly [name: string]: Node }, name: string): Node {
  const node = nodes[name];
  if (node === undefined) throw new Over(`this study has no screen ${name}`);
  return node;
}

/** The names of an object in their order, and no space: as table.py writes an answer. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const own = value as { readonly [name: string]: Json };
  const parts = Object.keys(own).sort().map((key) => `${JSON.stringify(key)}:${canonical(own[key] ?? null)}`);
  return `{${parts.join(",")}}`;
}

function filled(table: Table, value: Json, answers: readonly Kept[]): Json {
  if (Array.isArray(value)) return value.map((one) => filled(table, one, answers));
  if (value === null || typeof value !== "object") return value;
  const own = value as { readonly [name: string]: Json };
  const { shared, answer_to: key } = own;
  if (typeof shared === "number") return table.shared[shared] ?? "";
  if (typeof key === "string") return answers.find((one) => one.key === key)?.answer["text"] ?? "";
  return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, filled(table, one, answers)]));
}

function kept(text: string | null): Result | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Result;
  } catch {
    return null; // written by something else
  }
}

function end(screen: Screen): Step {
  return { key: "end", part: "end", done: 0, total: 0, trial: null, screen, paused: false };
}
