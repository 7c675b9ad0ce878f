/** A kind of screen as a jsPsych plugin: its parameters, the data it records, how it is simulated. */
import { ParameterType, type JsPsych, type JsPsychPlugin, type PluginInfo } from "jspsych";
import { version } from "../../package.json";
import { made } from "../elements";
import type { Answer, Screen } from "../screens";
import { play, type Open, type Setting } from "../stage/stage";

type Infos = PluginInfo["parameters"];

export interface Kind<S extends Screen> {
  readonly name: S["kind"];
  readonly parameters: Infos;
  /** Columns beyond those that every kind records. */
  readonly data?: Infos;
  open(screen: S): Open;
  /** An answer that a person could give, for jsPsych's simulation. */
  sample(screen: S): Answer;
}

export type Plugin = (new (jsPsych: JsPsych) => JsPsychPlugin<PluginInfo>) & { readonly info: PluginInfo };

export const TEXT = { type: ParameterType.STRING, default: "" } as const;
export const PARTS = { type: ParameterType.COMPLEX, array: true, default: [] } as const;
export const WHOLE = { type: ParameterType.INT, default: 0 } as const;
export const MAYBE = { type: ParameterType.INT, default: null } as const;

const RECORDED: Infos = {
  rt: { type: ParameterType.FLOAT },
  response: { type: ParameterType.OBJECT },
  signs: { type: ParameterType.COMPLEX, array: true },
  redrawn: { type: ParameterType.INT },
};

type Parameters<S> = S & { readonly setting: (() => Setting) | null };

export function pluginOf<S extends Screen>(kind: Kind<S>): Plugin {
  const info: PluginInfo = {
    name: `misstep-${kind.name}`,
    version,
    parameters: {
      title: TEXT,
      ...kind.parameters,
      setting: { type: ParameterType.FUNCTION, default: null },
    },
    data: { ...RECORDED, ...kind.data },
  };
  return class implements JsPsychPlugin<PluginInfo> {
    static readonly info = info;

    /** Of a trial without our driver. */
    private readonly stop = new AbortController();

    constructor(private readonly jsPsych: JsPsych) {}

    trial(display: HTMLElement, trial: unknown, loaded?: () => void) {
      const screen = trial as Parameters<S>;
      const setting = screen.setting?.() ?? alone(this.stop.signal);
      const open = kind.open(screen);
      const over = play(display, kind.name, screen.title, setting, open, loaded ?? (() => undefined));
      return over.finally(() => this.stop.abort());
    }

    simulate(trial: unknown, mode: string, options: { data?: object }, loaded: () => void) {
      const screen = trial as Parameters<S>;
      const rt = this.jsPsych.randomization.sampleExGaussian(500, 50, 1 / 150, true);
      const data = { rt, response: kind.sample(screen), signs: [], redrawn: 0, ...options.data };
      if (mode === "data-only") {
        loaded();
        this.jsPsych.finishTrial(data);
        return;
      }
      void this.trial(this.jsPsych.getDisplayElement(), trial, loaded);
      this.jsPsych.pluginAPI.setTimeout(() => {
        this.stop.abort();
        this.jsPsych.finishTrial(data);
      }, data.rt);
    }
  };
}

/** In a timeline without our driver: nothing is kept. */
function alone(signal: AbortSignal): Setting {
  return {
    signal,
    heading: "",
    problem: "",
    draft: undefined,
    keepDraft: () => undefined,
    seen: null,
    keepSeen: () => undefined,
    said: made("p"),
  };
}
