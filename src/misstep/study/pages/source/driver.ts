/**
 * One person's way: a jsPsych timeline that grows by one trial with each step that the transport
 * gives. A trial's row becomes an answer, which is kept here until the transport has it.
 */
import { initJsPsych, type JsPsych } from "jspsych";
import { newId, type Store } from "./keeping/store";
import { takeOver } from "./keeping/tabs";
import { wayIn, type Way } from "./keeping/way";
import { PLUGINS } from "./plugins/every";
import type { Outcome, Setting } from "./stage/stage";
import type { Json, Step } from "./screens";
import { shell as drawShell, type Shell } from "./shell/shell";
import { Elsewhere, Over, Unfit, type Sent, type Transport } from "./transport/contract";
import { patiently } from "./transport/patience";
import { fill, partName, WORDS } from "./words";

const PAUSE_MS = 15_000;
/** Between two looks whether a paused study goes on. */

type Row = Outcome & { readonly interrupted?: boolean };

/** Where one is now, and what is to be said there: of the last answer, and beside the screens. */
interface Heard {
  readonly step: Step;
  readonly problem: string;
  readonly note: string;
}

/** Of a page, before anybody has entered as well. */
interface Open {
  readonly transport: Transport;
  readonly shell: Shell;
  readonly store: Store;
}

interface Trip extends Open {
  readonly way: Way;
  readonly jsPsych: JsPsych;
  readonly timeline: object[];
  readonly isOurs: () => boolean;
  /** Where to go instead of sending what is on the screen. */
  instead: Heard | null;
  stop: AbortController;
  /** Ends a wait for a paused study. */
  wake: () => void;
}

/** Runs the study in the empty page. Resolves when the first screen is drawn. */
export async function takePart(transport: Transport, store: Store): Promise<void> {
  let trip: Trip | null = null;
  const shell = drawShell(() => trip && void withdraw(trip));
  shell.wait(WORDS.loading);
  try {
    const first = await patiently(() => transport.enter(), shell.line);
    trip = begun({ transport, shell, store });
    const now = await caughtUp(trip, first);
    shell.wait("");
    trip.timeline.push(trial(trip, store.lasts ? now : { ...now, note: WORDS.nothing_kept }));
    void trip.jsPsych.run(trip.timeline as never); // a list of trials, which grows while it runs
    shell.stage.tabIndex = -1; // jsPsych makes it a stop of the Tab key
  } catch (error) {
    fail({ transport, shell, store }, error);
  }
}

function begun(open: Open): Trip {
  const { transport, shell, store } = open;
  const scope = transport.scope();
  const trip: Trip = {
    ...open,
    way: wayIn(store, scope, Date.now()),
    jsPsych: initJsPsych({ display_element: shell.stage }),
    timeline: [],
    isOurs: takeOver(store, scope, newId(), () => handedOver(trip)),
    instead: null,
    stop: new AbortController(),
    wake: () => undefined,
  };
  return trip;
}

/** Sends what an earlier load of this page could not; else the step as it is. */
async function caughtUp(trip: Trip, first: Step): Promise<Heard> {
  const unsent = trip.way.unsent();
  if (unsent === null) return at(await unpaused(trip, first));
  return delivered(trip, unsent, first);
}

function at(step: Step, problem = "", note = ""): Heard {
  return { step, problem, note };
}

function trial(trip: Trip, { step, problem, note }: Heard): object {
  const stop = new AbortController();
  return {
    ...step.screen,
    type: PLUGINS[step.screen.kind],
    data: { step: step.key, part: step.part },
    setting: () => setting(trip, step, problem, stop.signal),
    on_start: () => {
      trip.stop = stop;
      trip.shell.progress(step);
      trip.shell.note(note);
      if (step.screen.kind === "end") trip.way.ended();
    },
    on_finish: async (row: Row) => {
      stop.abort();
      trip.timeline.push(await next(trip, step, row));
    },
  };
}

function setting(trip: Trip, step: Step, problem: string, signal: AbortSignal): Setting {
  const { way, shell } = trip;
  const keeps = step.screen.kind !== "end";
  return {
    signal,
    problem,
    heading: partName(step.part),
    draft: way.draft(step.key),
    keepDraft: (draft) => way.keepDraft(step.key, draft),
    seen: way.seen(step.key),
    keepSeen: (seen) => keeps && way.keepSeen(step.key, seen),
    said: shell.said,
  };
}

/** The trial after this one, once its answer is safe, or once the person has withdrawn. */
async function next(trip: Trip, step: Step, row: Row): Promise<object> {
  try {
    const heard = trip.instead ?? (await delivered(trip, keptToSend(trip, step, row), step));
    return trial(trip, trip.instead ?? heard);
  } catch (error) {
    if (trip.instead !== null) return trial(trip, trip.instead);
    fail(trip, error);
    return new Promise(() => undefined); // the page is halted
  }
}

function keptToSend(trip: Trip, step: Step, row: Row): Sent {
  const { signs, ...columns } = row;
  const place = trip.way.place(Date.now());
  const whole = { ...columns, trial_index: place.index, time_elapsed: place.elapsed };
  const plain = JSON.parse(JSON.stringify(whole)) as { [name: string]: Json };
  const sent = { key: step.key, once: newId(), answer: row.response, rt_ms: row.rt, signs, row: plain };
  trip.way.keepUnsent(sent);
  return sent;
}

/** What comes of an answer that was given at `now`: one stays there where it isn't taken. */
async function delivered(trip: Trip, sent: Sent, now: Step): Promise<Heard> {
  const { transport, shell, way } = trip;
  if (!trip.isOurs()) return handedOver(trip);
  shell.wait(WORDS.sending);
  try {
    const step = await patiently(() => transport.answer(sent), shell.line);
    shell.wait("");
    way.confirmed(sent.key);
    return at(await unpaused(trip, step));
  } catch (error) {
    shell.wait("");
    if (error instanceof Unfit) {
      way.refused();
      return at(now, now.key === sent.key ? fill(WORDS.not_taken, { why: error.message }) : "");
    }
    if (!(error instanceof Elsewhere)) throw error;
    way.confirmed(sent.key);
    return at(await unpaused(trip, error.step), "", error.step.key === now.key ? "" : WORDS.moved);
  }
}

/** Waits while the study is paused, or until the person leaves it. */
async function unpaused(trip: Trip, step: Step): Promise<Step> {
  const isPaused = (one: Step): boolean => one.paused && one.screen.kind !== "end";
  if (!isPaused(step)) return step;
  let now = step;
  trip.shell.halt({
    title: WORDS.paused_title,
    text: WORDS.paused,
    label: WORDS.try_now,
    act: () => trip.wake(),
    mayLeave: true,
  });
  while (isPaused(now) && trip.instead === null) {
    await new Promise<void>((resolve) => {
      trip.wake = resolve;
      window.setTimeout(resolve, PAUSE_MS);
    });
    now = await patiently(() => trip.transport.step(), trip.shell.line);
  }
  trip.shell.resume();
  return now;
}

async function withdraw(trip: Trip): Promise<void> {
  try {
    const end = await patiently(() => trip.transport.withdraw(), trip.shell.line);
    trip.way.ended();
    trip.instead = at(end);
    trip.stop.abort();
    trip.wake();
    trip.jsPsych.finishTrial({ interrupted: true });
  } catch (error) {
    fail(trip, error);
  }
}

/** Another tab goes on: this one says so, and answers nothing more. */
function handedOver(trip: Trip): Promise<never> {
  trip.stop.abort();
  const act = (): void => location.reload();
  trip.shell.halt({ title: WORDS.elsewhere_title, text: WORDS.elsewhere, label: WORDS.go_on_here, act });
  return new Promise(() => undefined);
}

function fail({ shell, transport, store }: Open, error: unknown): void {
  shell.wait("");
  const title = WORDS.over_title;
  const again = (): void => location.reload();
  if (error instanceof Over || error instanceof Unfit) {
    const anew = (): void => {
      wayIn(store, transport.scope(), Date.now()).ended();
      transport.forget();
      again();
    };
    shell.halt({ title, text: error.message, label: WORDS.enter_again, act: anew });
    return;
  }
  shell.halt({ title, text: String(error), label: WORDS.reload, act: again });
  throw error;
}
