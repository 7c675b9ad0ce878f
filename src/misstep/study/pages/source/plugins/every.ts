/** The plugin of each kind of screen. */
import type { Screen } from "../screens";
import { ask } from "./ask";
import { check } from "./check";
import { end } from "./end";
import { nback } from "./nback";
import { page } from "./page";
import { plan } from "./plan";
import type { Plugin } from "./plugin";
import { stream } from "./stream";
import { write } from "./write";

export const PLUGINS: Readonly<Record<Screen["kind"], Plugin>> = {
  page,
  ask,
  write,
  stream,
  nback,
  check,
  plan,
  end,
};
