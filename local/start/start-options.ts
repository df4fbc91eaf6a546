import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { InputError } from "../../shared/core/errors.ts";
import { withoutCredentials } from "../../shared/core/url-credentials.ts";
import { argumentError } from "../arguments/parse-arguments.ts";
import { demoPort } from "../demo/site.ts";
import { resolveUserAgent } from "../user-agent.ts";

/** Represents the hosts of all sources. A host cannot have this name. */
const sourceHosts = "*";

export interface StartOptions {
  /** The feeds to harvest instead of the demo's feed. */
  feeds: string[];
  /** Whether to stop when the delivery is done. */
  once: boolean;
  /** The User-Agent header. */
  userAgent: string;
  /** The folder of all state. */
  stateDir: string;
  apiPort: number;
  /** The port of the demo journal. The rotting site uses the next port. 0: any free ports. */
  demoPort: number;
  translationServer: string | undefined;
  /** An Apache Tika server that detects languages. */
  tika: string | undefined;
  /**
   * A SPARQL endpoint that knows the published sets. Default: the demo's endpoint, or the imported sources.
   */
  sparql: string | undefined;
  /**
   * The period of sweeps. Default: as in production, except that the demo's rotting collection is swept every
   * 10 s.
   */
  sweepEveryMs: number | undefined;
  /** The URLs of the network probe. Empty: the network counts as up. */
  probeUrls: string[];
  /** Host keys that may have private addresses, in addition to the feeds' hosts. */
  privateHosts: string[];
  /** Whether the hosts of all sources may have private addresses. */
  allowsPrivateSources: boolean;
  /** The faults of the functions' calls, for tests. Default: none. */
  faults: { probability: number; seed: number } | undefined;
  /** Whether mails are sent only to verified addresses, as in a new account of SES. */
  sesSandbox: boolean;
  /** Whether schedules fire up to a minute late. */
  lateSchedules: boolean;
}

export const startUsage = `npm start -- [options]

Runs Ingather on this machine. Harvests the live journals of the imported configuration (see npx ingather import) or,
without one, a demo journal; delivers the records; and keeps running.

  --feed URL      harvest this feed instead (may be repeated); a user name and password in it are ignored
  --once          stop when the delivery is done: exit code 0, or 1 with the reason
  --state DIR     keep all state in DIR (default .ingather)
  --port N        port of the HTTP API (default 4800; 0 = any free port)
  --demo-port N   port of the demo journal (default ${demoPort}); the demo's second site uses the next port. With 0, both use
                  free ports, and the addresses of the journal's pages change at each start
  --every TIME    sweep all collections every TIME, e.g. 5m, instead of every 2h (the demo's collection: every 10s). The
                  recheck delays of the demo's collection change in proportion
  --probe URL     request this URL every 30s to detect whether the network works, and print each change (may be repeated:
                  the network is down if all URLs fail). Without this option, the network counts as up
  --user-agent TEXT
                  the User-Agent header; include a URL with contact details
  --allow-private [HOST]
                  request this host (name, or name:port; repeat the option for each host) even if its address is private.
                  Without HOST, permits the hosts of all sources that exist at the start, but not of sources added later
  --translation-server URL
                  read articles with this Zotero translation server; it may be on this machine
  --tika URL      detect languages with this Apache Tika server (default: the embedded detector); it may be on this machine
  --sparql URL    let checks of OAI-PMH sets ask this SPARQL endpoint which sets are published (default: the demo's endpoint);
                  it may be on this machine
  --faults P      for tests: let each call and delivery of a function fail with the probability P, e.g. 0.03, in one of seven
                  ways, and count the faults; --seed N draws the same random numbers again
  --ses-sandbox   refuse mails to all addresses except the sender's, as a new account of SES does
  --late-schedules
                  fire schedules up to a minute late, as EventBridge Scheduler does
  --help          show this`;

/**
 * Parses the command line of `npm start`. @returns `undefined` for --help
 * @throws InputError that names the option and its value
 */
export function parseStartOptions(args: string[]): StartOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const feeds = (values.feed ?? []).map(withoutCredentials);
  for (const feed of feeds) requireUrl("--feed", feed);
  const probeUrls = (values.probe ?? []).map(withoutCredentials);
  for (const url of probeUrls) requireUrl("--probe", url);
  const translationServer = values["translation-server"];
  if (translationServer !== undefined) requireUrl("--translation-server", translationServer);
  if (values.tika !== undefined) requireUrl("--tika", values.tika);
  if (values.sparql !== undefined) requireUrl("--sparql", values.sparql);
  for (const host of values["allow-private"] ?? []) {
    if (!/^[^/,\s]+$/.test(host)) throw new InputError("--allow-private", host, "must be a host, not a URL");
  }
  if (values.state.trim() === "") throw new InputError("--state", values.state, "must name a folder");
  return {
    feeds: [...new Set(feeds)],
    userAgent: resolveUserAgent(values["user-agent"], "local"),
    once: values.once,
    stateDir: values.state,
    apiPort: portNumber("--port", values.port),
    demoPort: portNumber("--demo-port", values["demo-port"], 65_534),
    translationServer,
    tika: values.tika,
    sparql: values.sparql,
    sweepEveryMs: values.every === undefined ? undefined : durationMs("--every", values.every),
    probeUrls: probeUrls.map((url) => url.replaceAll(",", "%2C")),
    faults: faultOptions(values),
    sesSandbox: values["ses-sandbox"],
    lateSchedules: values["late-schedules"],
    privateHosts: (values["allow-private"] ?? [])
      .filter((host) => host !== sourceHosts)
      .map((host) => host.toLowerCase()),
    allowsPrivateSources: values["allow-private"]?.includes(sourceHosts) ?? false,
  };
}

function requireUrl(option: string, text: string): void {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new InputError(option, text, "must be an http or https URL");
  }
}

/**
 * Parses the options of faults.
 * @throws InputError for a probability that is not between 0 and 0.5, or a seed that is not a number
 */
function faultOptions({ faults, seed }: { faults?: string | undefined; seed?: string | undefined }) {
  if (faults === undefined) {
    if (seed !== undefined) throw new InputError("--seed", seed, "needs --faults, whose seed it is");
    return undefined;
  }
  const probability = /^0?\.\d{1,6}$/.test(faults) ? Number(faults) : 0;
  if (probability <= 0 || probability > 0.5) {
    throw new InputError("--faults", faults, "must be a probability of at most 0.5, such as 0.03");
  }
  if (seed !== undefined && !/^\d{1,9}$/.test(seed)) {
    throw new InputError("--seed", seed, "must be a number of at most nine digits");
  }
  return { probability, seed: seed === undefined ? randomInt(1_000_000_000) : Number(seed) };
}

/** Parses a port. @param highest the highest permitted port */
function portNumber(option: string, text: string, highest = 65_535): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > highest) {
    throw new InputError(option, text, "must be a port number");
  }
  return Number(text);
}

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a period. @throws InputError unless it is a number of seconds, minutes or hours from 5s to 24h */
function durationMs(option: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const ms = Number(number) * (unitsMs[unit] ?? 0);
  if (ms < 5000 || ms > 24 * 3_600_000) {
    throw new InputError(option, text, "must be a time from 5s to 24h, such as 10s, 5m or 2h");
  }
  return ms;
}

const argumentOptions = {
  feed: { type: "string", multiple: true },
  once: { type: "boolean", default: false },
  state: { type: "string", default: ".ingather" },
  port: { type: "string", default: "4800" },
  "demo-port": { type: "string", default: String(demoPort) },
  every: { type: "string" },
  probe: { type: "string", multiple: true },
  "user-agent": { type: "string" },
  "allow-private": { type: "string", multiple: true },
  "translation-server": { type: "string" },
  tika: { type: "string" },
  sparql: { type: "string" },
  faults: { type: "string" },
  "ses-sandbox": { type: "boolean", default: false },
  "late-schedules": { type: "boolean", default: false },
  seed: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args: args.map(completeAllowPrivate), options: argumentOptions });
  } catch (error) {
    throw argumentError(error, args, Object.keys(argumentOptions), "npm start -- --help lists the options");
  }
}

/**
 * Completes the option without a host, which permits the hosts that the sources name, as in the other
 * commands.
 */
function completeAllowPrivate(arg: string, index: number, args: string[]): string {
  const next = args[index + 1];
  const isBare = arg === "--allow-private" && (next === undefined || next.startsWith("--"));
  return isBare ? `--allow-private=${sourceHosts}` : arg;
}
