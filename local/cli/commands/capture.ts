import { availableParallelism } from "node:os";
import { InputError } from "../../../shared/core/errors.ts";
import { pluralize } from "../../../shared/core/pluralize.ts";
import { withoutCredentials } from "../../../shared/core/url-credentials.ts";
import { maxUrlLength } from "../../../shared/web/request/request.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { adviseOnPrivate, namesPrivateHost } from "../../private-host.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { contactAdvice, namesContact, resolveUserAgent } from "../../user-agent.ts";
import { CaptureFolder, type CapturePlan } from "../snapshots/capture/capture-folder.ts";
import { type CaptureCounts, type CaptureLimits, SiteCapture } from "../snapshots/capture/capture-sites.ts";
import { describeLimitOptions, limitOptions, readLimits } from "./capture-limits.ts";
import type { Command, CommandIo } from "./command.ts";
import { createOutFolder } from "./out-folder.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";
import { parseUrlArgument } from "./url-argument.ts";
import { parseWholeNumber } from "./whole-number-option.ts";

const usage = `npx ingather capture URL… --out DIR [options]

Captures web sites into WARC files: the URLs, the pages of the same sites that they link to, and the resources of all
these pages. Writes *.warc.gz, index.cdxj and crawl.log to DIR. The same command resumes a capture that was stopped.

  --out DIR          the folder of the capture
  --index DIR        a deduplication index (see npx ingather index); content that is in it is not stored again
${describeLimitOptions()}
  --warc-bytes N     begin another WARC file after N bytes (default 1000000000)
  --retry-failed     request the URLs again that failed in an earlier run of this capture
  --delay MS         wait between two requests to a host (default 1000)
  --threads N        threads that send requests (default: 1; with --delay 0, one per core, up to 3)
  --allow-private    permit the hosts of the URLs to be private, on any port
  --json             the summary as JSON on standard output
  --help             show this

A Retry-After of up to one hour is obeyed. A host that asks for a longer wait is abandoned.
Exit code: 0 all URLs were requested, 1 a seed failed, a limit was reached or nothing was captured, 2 wrong use,
130 stopped by Ctrl-C, 143 by SIGTERM.
`;

const numbers = {
  "warc-bytes": { min: 1, max: 100_000_000_000, value: 1_000_000_000 },
  delay: { min: 0, max: 3_600_000, value: 1000 },
  // One thread is enough for many hosts, because each host is requested only as often as its delay permits.
  threads: { min: 1, max: 64, value: 1 },
} as const;

type NumberName = keyof typeof numbers;

export const captureCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      out: { type: "string" },
      index: { type: "string" },
      "retry-failed": { type: "boolean", default: false },
      "allow-private": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "warc-bytes": { type: "string" },
      delay: { type: "string" },
      threads: { type: "string" },
      ...limitOptions,
    });
    const seeds = positionals.map(parseSeed);
    if (seeds.length === 0)
      throw new InputError("URL", undefined, "is required: npx ingather capture URL… --out DIR");
    if (values.out === undefined)
      throw new InputError("--out", undefined, "is required: the folder of the capture");
    const number = (name: NumberName) => parseNumber(name, values[name]);
    const { maxDepth, ...limits } = readLimits(values);
    const settings = {
      plan: { seeds, maxDepth },
      limits,
      maxWarcBytes: number("warc-bytes"),
      indexFolder: values.index,
      delayMs: number("delay"),
      threads: values.threads === undefined && number("delay") === 0 ? ownThreads() : number("threads"),
      retryFailed: values["retry-failed"],
      allowPrivate: values["allow-private"],
    };
    createOutFolder(values.out);
    const folder = new CaptureFolder(values.out, settings.plan);
    const capture = await runCapture({ ...settings, folder, io });
    io.stderr.write(`${summary(capture.counts)}\n`);
    if (values.json)
      io.stdout.write(
        `${JSON.stringify({ ...capture.counts, complete: capture.isComplete && !io.signal.aborted, files: folder.warcNames() })}\n`,
      );
    if (io.signal.aborted) return stoppedExitCode(io.signal);
    const { fetched, failed, failedSeeds } = capture.counts;
    return capture.isComplete && fetched > failed && failedSeeds === 0 ? 0 : 1;
  },
};

/**
 * Parses a seed.
 * @returns the URL as it is requested
 * @throws InputError
 */
function parseSeed(text: string): string {
  const url = parseUrlArgument("URL", withoutCredentials(text));
  url.hash = "";
  if (url.href.length > maxUrlLength)
    throw new InputError("URL", `${text.slice(0, 60)}…`, `has more than ${maxUrlLength} characters`);
  return url.href;
}

/**
 * Returns the number of threads without a delay: one per core, up to three.
 * A fourth thread would exceed the 400 MB that a capture may use, and saves no time.
 */
function ownThreads(): number {
  return Math.min(3, availableParallelism());
}

interface CaptureRun {
  plan: CapturePlan;
  folder: CaptureFolder;
  limits: CaptureLimits;
  maxWarcBytes: number;
  indexFolder: string | undefined;
  delayMs: number;
  threads: number;
  retryFailed: boolean;
  allowPrivate: boolean;
  io: CommandIo;
}

async function runCapture({
  io: { stderr, signal },
  ...settings
}: CaptureRun): Promise<{ counts: CaptureCounts; isComplete: boolean }> {
  const urls = settings.plan.seeds.map((seed) => new URL(seed));
  const userAgent = resolveUserAgent(undefined, "web archiving");
  if (!namesContact(userAgent) && !urls.every(namesPrivateHost)) stderr.write(`${contactAdvice}\n`);
  const bar = stderr.isTTY
    ? new ProgressBar(stderr, { total: 1, nowMs: () => performance.now() })
    : undefined;
  const capture = new SiteCapture({
    ...settings,
    userAgent,
    signal,
    onSeedFailure: (url, reason) => {
      bar?.clear();
      stderr.write(`${printable(`${url}: ${adviseOnPrivate(reason, settings.allowPrivate)}`)}\n`);
    },
    onProgress: (counts, url) => {
      bar?.expect(counts.fetched + counts.waiting);
      bar?.update(counts.fetched, url);
    },
  });
  try {
    const isComplete = await capture.run();
    return { counts: capture.counts, isComplete };
  } finally {
    bar?.clear();
  }
}

function summary(counts: CaptureCounts): string {
  const { fetched, failed, failedSeeds, duplicates, bytes, waiting, droppedLinks, cutResources } = counts;
  return [
    `${pluralize(fetched, "URL")} requested`,
    `${failed} failed`,
    ...(failedSeeds > 0
      ? [`${pluralize(failedSeeds, "seed")} failed (--retry-failed requests them again)`]
      : []),
    `${duplicates} known from earlier captures`,
    `${(bytes / 1_000_000).toFixed(1)} MB`,
    ...(waiting > 0 ? [`${waiting} left`] : []),
    ...(droppedLinks > 0 ? [`${pluralize(droppedLinks, "link")} dropped`] : []),
    ...(cutResources > 0 ? [`${pluralize(cutResources, "resource")} too long for all links to be read`] : []),
  ].join(", ");
}

/** @throws InputError */
function parseNumber(name: NumberName, text: string | undefined): number {
  const { value, ...range } = numbers[name];
  return text === undefined ? value : parseWholeNumber(`--${name}`, text, range);
}
