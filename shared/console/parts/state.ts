import { html } from "hono/html";
import type { Html } from "../page.ts";
import type { Texts } from "../texts/en.ts";

/** How urgently a state needs the attention of a person. */
type Tone = "good" | "busy" | "warning" | "bad" | "quiet";

const tones: Record<keyof Texts["states"], Tone> = {
  active: "good",
  harvested: "quiet",
  "online-first": "warning",
  delinquent: "bad",
  duplicate: "quiet",
  alive: "good",
  automatic: "good",
  begun: "good",
  broken: "bad",
  building: "busy",
  cancelled: "quiet",
  claimed: "busy",
  dead: "bad",
  deleted: "bad",
  delivered: "good",
  done: "good",
  down: "bad",
  ended: "good",
  failed: "bad",
  finished: "good",
  held: "warning",
  ignore: "quiet",
  ignored: "quiet",
  inactive: "quiet",
  inconclusive: "warning",
  invalid: "bad",
  manual: "quiet",
  new: "quiet",
  online_first: "warning",
  error: "bad",
  off: "quiet",
  overdue: "warning",
  paused: "warning",
  pending: "busy",
  present: "good",
  refused: "bad",
  released: "good",
  reset: "quiet",
  resubmitted: "quiet",
  running: "busy",
  started: "busy",
  submitted: "busy",
  suppressed: "warning",
  unavailable: "bad",
  unknown: "quiet",
  up: "good",
  valid: "good",
  waiting: "busy",
  changed: "warning",
  same: "quiet",
  unconvertible: "bad",
  gone: "warning",
  stale: "warning",
  converting: "busy",
  tried: "warning",
  delivering: "busy",
  sending: "busy",
};

/** Renders a state as a word with a colour. A state without a text is shown with its name. */
export function state(name: string, texts: Texts, tone?: Tone): Html {
  const known = name in tones ? (name as keyof typeof tones) : undefined;
  return html`<span class="state ${tone ?? (known ? tones[known] : "quiet")}">${known ? texts.states[known] : name}</span>`;
}
