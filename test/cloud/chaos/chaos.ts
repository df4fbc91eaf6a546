import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import type { LocalCloud } from "../../../local/cloud/cloud.ts";
import { createFaults, type RandomFaults } from "../../../local/cloud/faults.ts";
import { openCloud } from "../../../local/open-cloud.ts";
import { localGroup } from "../../../local/seed.ts";
import type { RunReport } from "../../../shared/delivery/report/report.ts";
import { functionNames } from "../../../shared/names.ts";
import type { NewSource } from "../../../shared/sources/source.ts";
import type { RecordedExchange } from "../counting-provider.ts";
import { deliveredTitles, mailsIn } from "../started.ts";
import { type Journals, startJournals, throttleMs } from "./journals.ts";

interface ChaosOptions {
  journals: number;
  articles: number;
  /** Of each journal, checked as readers open them. */
  checkedRecords: number;
  probability: number;
  seed: number;
  stateDir: string;
  /** Also kills the stages that hold leases of minutes. */
  killsStages: boolean;
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
  /** The link checks of each record that a reader opened. */
  checks: { checkId: string; verdict: string }[][];
}

/** The longest exchange, and so how long the host of a killed worker is left alone. The journals answer at once. */
const exchangeMaxMs = 2000;

/** Harvests and delivers journals on loopback hosts and checks links of their records, while calls and workers fail. */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { probability, seed, stateDir, killsStages } = options;
  const journals = await startJournals(options);
  const spared = killsStages ? [] : [functionNames.uploadRecords, functionNames.sendReport];
  const faults = createFaults({ probability, seed, spared });
  const cloud = await openCloud({
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
    const { storeConfiguration, runDelivery } = await import("../../../local/run-delivery.ts");
    const { exportFiles } = await import("../../../local/export-files.ts");
    const sources = journals.hosts.map(sourceOf);
    await storeConfiguration(sources);
    const reports = await runDelivery(sources, {
      print: (line) => console.log(new Date().toISOString(), line, JSON.stringify(faults.counts())),
      signal: new AbortController().signal,
    });
    await cloud.waitUntilIdle();
    const checks = await checkLinks(cloud, options.checkedRecords);
    await exportFiles(join(stateDir, "deliveries"));
    return {
      journals,
      faults,
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
  const { runStore } = await import("../../../shared/adapters/aws/harvest/run-store.ts");
  const runs = runStore();
  const openTallies: ChaosOutcome["openTallies"] = {};
  const outcomes: ChaosOutcome["outcomes"] = [];
  for (const { run, sources } of reports) {
    for await (const batch of runs.outcomeBatches(run.runId))
      outcomes.push(...batch.map(({ url, state }) => ({ url, state })));
    for (const tally of ["sources", ...sources.map(({ sourceId }) => sourceId)]) {
      const open = await runs.openIds(run.runId, tally);
      if (open.length > 0) openTallies[tally] = open;
    }
  }
  return { openTallies, outcomes };
}

/** Opens records as readers do, until each is answered, and returns the checks of each. */
async function checkLinks(cloud: LocalCloud, perJournal: number): Promise<ChaosOutcome["checks"]> {
  const { linkHistory } = await import("../../../shared/adapters/aws/links/link-history.ts");
  const recordIds = await recordIdsOf(perJournal);
  for (const recordId of recordIds) await open(cloud, recordId);
  await cloud.waitUntilIdle();
  return Promise.all(recordIds.map((recordId) => linkHistory().latest(recordId, 9)));
}

async function recordIdsOf(perJournal: number): Promise<string[]> {
  const { tableNames } = await import("../../../shared/names.ts");
  const { itemsOf } = await import("../stored-contents.ts");
  const bySource = Map.groupBy(await itemsOf(tableNames.records), ({ sourceId }) => sourceId);
  return [...bySource.values()].flatMap((records) =>
    records.slice(0, perJournal).map(({ recordId }) => String(recordId)),
  );
}

/** A reader tries again when the API fails. */
async function open(cloud: LocalCloud, recordId: string): Promise<void> {
  for (let tries = 1; tries <= 20; tries += 1) {
    const path = `/records/${encodeURIComponent(recordId)}/source`;
    const { status } = await fetch(cloud.apiUrl + path, { redirect: "manual" });
    if (status === 302) return;
    await scheduler.wait(50);
  }
  throw new Error(`the API did not answer for ${recordId}`);
}

/** Requests to a host that came earlier than its delay allows, or while another was under way. */
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
