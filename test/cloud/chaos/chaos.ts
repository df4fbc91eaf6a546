import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import { createFaults, type RandomFaults } from "../../../local/cloud/faults.ts";
import { localGroup } from "../../../local/local-group.ts";
import { openCloud } from "../../../local/open-cloud.ts";
import type { RunReport } from "../../../shared/deliver/report/report.ts";
import { draftCheck } from "../../../shared/links/check/link-check.ts";
import { defaultCollection } from "../../../shared/links/status/collection.ts";
import { functionNames, tableNames } from "../../../shared/names.ts";
import type { StoredRecord } from "../../../shared/records/documents/stored-record.ts";
import type { NewSource } from "../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import type { RecordedExchange } from "../counting-provider.ts";
import { recordedPermissions } from "../permissions/recorder.ts";
import { deliveredTitles, mailsIn } from "../started.ts";
import { EventTruth } from "./event-truth.ts";
import { type Journals, startJournals, throttleMs } from "./journals.ts";
import { openTalliesOf } from "./open-tallies.ts";

interface ChaosOptions {
  journals: number;
  articles: number;
  /** Of each journal. */
  checkedRecords: number;
  probability: number;
  seed: number;
  stateDir: string;
  /** Also kills the stages that hold leases of minutes. */
  killsStages: boolean;
  print: (line: string) => void;
}

/** What a harvest, a delivery and link checks under faults have left. */
export interface ChaosOutcome {
  journals: Journals;
  faults: RandomFaults;
  reports: RunReport[];
  /** Of all delivered files, in order. */
  delivered: string[];
  mails: string[];
  /** Open ids by tally; only those with some. */
  openTallies: Record<string, string[]>;
  /** The articles of which the run has kept an outcome, with their states. */
  outcomes: { url: string; state: string }[];
  /** Of each checked record. */
  checks: { checkId: string; verdict: string }[][];
  events: EventTruth;
}

/**
 * The longest exchange, and so how long the host of a killed worker waits. The journals answer at once, but on a busy
 * machine.
 */
const exchangeMaxMs = 6000;

/** Harvests and delivers journals on loopback hosts and checks links of their records, while calls and workers fail. */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { probability, seed, stateDir, killsStages, print } = options;
  const journals = await startJournals(options);
  const spared = killsStages ? [] : [functionNames.uploadRecords, functionNames.sendReport];
  const faults = createFaults({ probability, seed, spared });
  const events = new EventTruth();
  const cloud = await openCloud({
    onEvent: events.onEvent,
    ...recordedPermissions(),
    stateDir,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: journals.hosts,
    attempts: 4,
    backoffBaseMs: 50,
    defaultDelayMs: 20,
    exchangeMaxMs,
    faults,
  });
  try {
    const { storeConfiguration, runDelivery } = await import("../../../local/start/run-delivery.ts");
    const { exportFiles } = await import("../../../local/start/export-files.ts");
    const sources = journals.hosts.map(sourceOf);
    await storeConfiguration(sources);
    const { signal } = new AbortController();
    const reports = await runDelivery(sources, { print, signal });
    const checks = await checkLinks(options.checkedRecords);
    await exportFiles(join(stateDir, "deliveries"));
    return {
      journals,
      faults,
      events,
      reports,
      delivered: await deliveredTitles(stateDir),
      mails: mailsIn(stateDir),
      ...(await tracesOf(reports)),
      checks,
    };
  } finally {
    await cloud.stop();
    await journals.provider.close();
  }
}

function sourceOf(host: string): NewSource {
  return {
    sourceId: sourceIdOf(host),
    title: `The journal of ${host}`,
    type: "RSS",
    url: `http://${host}/feed`,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE",
    throttleMs: throttleMs(host),
  };
}

function sourceIdOf(host: string): string {
  return `journal-${host.replaceAll(/[^0-9]/g, "-")}`;
}

/** What the run of each report has kept of its articles and tallies. */
async function tracesOf(reports: RunReport[]): Promise<Pick<ChaosOutcome, "openTallies" | "outcomes">> {
  const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
  const runs = runStore();
  const openTallies: ChaosOutcome["openTallies"] = {};
  const outcomes: ChaosOutcome["outcomes"] = [];
  for (const { run, sources } of reports) {
    for await (const batch of runs.outcomeBatches(run.runId))
      outcomes.push(...batch.map(({ url, state }) => ({ url, state })));
    Object.assign(openTallies, await openTalliesOf(run.runId, runs, sources));
  }
  return { openTallies, outcomes };
}

/** Requests checks of records, as rechecks do, and returns those of each. */
async function checkLinks(perJournal: number): Promise<ChaosOutcome["checks"]> {
  const { linkHistory } = await import("../../../shared/links/stores/link-history.ts");
  const { requestsQueue } = await import("../../../shared/adapters/aws/queues.ts");
  const records = await recordsOf(perJournal);
  await requestsQueue().send(records.map(checkOf));
  const history = linkHistory();
  // Not until the queues are empty: an upload that was requested twice may come again in ten minutes.
  for (;;) {
    const checks = await Promise.all(records.map(({ recordId }) => history.latest(recordId, 9)));
    if (checks.every(({ length }) => length > 0)) return checks;
    await scheduler.wait(200);
  }
}

function checkOf({ recordId, collectionId, landingUrl }: StoredRecord): NewRequest {
  const purpose = { type: "record" as const, attempt: 0 };
  const requestedAt = new Date().toISOString();
  const check = { checkId: `check-${recordId}`, recordId, collectionId, requestedAt, purpose };
  const { rule } = defaultCollection(collectionId);
  const throttleSeconds = throttleMs(new URL(landingUrl).host) / 1000;
  return draftCheck(landingUrl, check, { rule: { ...rule, throttleSeconds } });
}

async function recordsOf(perJournal: number): Promise<StoredRecord[]> {
  const { itemsOf } = await import("../stored-contents.ts");
  const records = (await itemsOf(tableNames.records)) as unknown as StoredRecord[];
  const bySource = Map.groupBy(records, ({ sourceId }) => sourceId);
  return [...bySource.values()].flatMap((some) => some.slice(0, perJournal));
}

/** Requests to a host that came earlier than its delay allows, or while another was in progress. */
export function politenessViolations({
  journals,
  faults,
}: Pick<ChaosOutcome, "journals" | "faults">): string[] {
  return [...journals.provider.exchanges].flatMap(([address, exchanges]) =>
    exchanges.flatMap((exchange, index) => {
      const overlap = exchange.concurrent > 0 ? [`${address}${exchange.path} overlaps another request`] : [];
      const before = exchanges[index - 1];
      if (before === undefined) return overlap;
      const gapMs = exchange.startMs - before.endMs;
      const allowedMs = journals.delayMsOf(address) - forwardJumpMs(faults, before, exchange);
      if (gapMs >= allowedMs || before.path === "/robots.txt") return overlap;
      return [...overlap, `${address}${exchange.path} after ${gapMs} ms instead of ${allowedMs}`];
    }),
  );
}

/** How far the functions' clock jumped ahead between two requests: by so much their delay may be short. */
function forwardJumpMs(faults: RandomFaults, before: RecordedExchange, after: RecordedExchange): number {
  return faults
    .jumps()
    .filter(({ atMs, byMs }) => byMs > 0 && atMs >= before.startMs && atMs <= after.startMs)
    .reduce((sum, { byMs }) => sum + byMs, 0);
}
