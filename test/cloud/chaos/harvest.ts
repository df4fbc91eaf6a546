import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import type { RandomFaults } from "../../../local/cloud/faults.ts";
import { localGroup } from "../../../local/local-group.ts";
import type { RunReport } from "../../../shared/deliver/report/report.ts";
import { draftCheck } from "../../../shared/links/check/link-check.ts";
import { defaultCollection } from "../../../shared/links/status/collection.ts";
import { tableNames } from "../../../shared/names.ts";
import type { StoredRecord } from "../../../shared/records/documents/stored-record.ts";
import type { NewSource } from "../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { afterFile } from "../../after-file.ts";
import { deliveredTitles, mailsIn } from "../started.ts";
import { isLong, openChaosCloud } from "./chaos-cloud.ts";
import type { EventTruth } from "./event-truth.ts";
import { type Journals, startJournals, throttleMs } from "./journals.ts";
import { openTalliesOf } from "./open-tallies.ts";

interface HarvestSize {
  /** One more is poisoned. */
  journals: number;
  articles: number;
  /** Of each journal. */
  checkedRecords: number;
}

/** What a harvest, a delivery and link checks under faults have left. */
export interface HarvestOutcome {
  journals: Journals;
  /** The titles of all journals but the poisoned one. */
  healthyTitles: string[];
  poisoned: Poisoned;
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

/** What the source with the message that always fails has come to. */
interface Poisoned {
  sourceId: string;
  /** As its host has seen them. */
  requests: string[];
  /** Its state and reason in the report. */
  reported: { state: string; reason: string | undefined } | undefined;
  /** The sources of the quarantined messages. */
  quarantined: unknown[];
}

/** Harvests and delivers journals on loopback hosts and checks links of their records, while calls and workers fail. */
export async function harvestUnderChaos(size: HarvestSize): Promise<HarvestOutcome> {
  const journals = await startJournals({ ...size, journals: size.journals + 1 });
  afterFile(journals.provider.close);
  const poisonedHost = journals.hosts.at(-1) ?? "";
  const { until, stateDir, faults, events } = await openChaosCloud("a harvest", { hosts: journals.hosts });
  const { storeConfiguration, runDelivery } = await import("../../../local/start/run-delivery.ts");
  const { exportFiles } = await import("../../../local/start/export-files.ts");
  const { holdHost, sendPoison } = await import("./poison.ts");
  const sources = journals.hosts.map(sourceOf);
  await storeConfiguration(sources);
  await holdHost(poisonedHost);
  const poison = sendPoison({ host: poisonedHost, sourceId: sourceIdOf(poisonedHost) });
  const print = (line: string) => isLong && console.info(line);
  const { signal } = new AbortController();
  const [reports] = await until(Promise.all([runDelivery(sources, { print, signal }), poison]));
  const checks = await until(checkLinks(size.checkedRecords));
  await exportFiles(join(stateDir, "deliveries"));
  return {
    journals,
    healthyTitles: journals.hosts.slice(0, -1).flatMap(journals.titlesOf),
    poisoned: await poisonedIn(reports, { host: poisonedHost, journals }),
    faults,
    events,
    reports,
    delivered: await deliveredTitles(stateDir),
    mails: mailsIn(stateDir),
    ...(await tracesOf(reports)),
    checks,
  };
}

export function sourceOf(host: string): NewSource {
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

export function sourceIdOf(host: string): string {
  return `journal-${host.replaceAll(/[^0-9]/g, "-")}`;
}

async function poisonedIn(
  reports: RunReport[],
  { host, journals }: { host: string; journals: Journals },
): Promise<Poisoned> {
  const { failedMessages } = await import("../../../shared/adapters/aws/failed-messages.ts");
  const sourceId = sourceIdOf(host);
  const messages = await failedMessages().list({ limit: 100 });
  const exchanges = journals.provider.exchanges.get(host.replace(/:.*/, "")) ?? [];
  const found = reports.flatMap(({ sources }) => sources).find((source) => source.sourceId === sourceId);
  return {
    sourceId,
    requests: exchanges.map(({ path }) => path),
    reported: found && { state: found.state, reason: found.reason },
    quarantined: messages.map(({ subject }) => subject?.sourceId),
  };
}

/** What the run of each report has kept of its articles and tallies. */
async function tracesOf(reports: RunReport[]): Promise<Pick<HarvestOutcome, "openTallies" | "outcomes">> {
  const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
  const runs = runStore();
  const openTallies: HarvestOutcome["openTallies"] = {};
  const outcomes: HarvestOutcome["outcomes"] = [];
  for (const { run, sources } of reports) {
    for await (const batch of runs.outcomeBatches(run.runId))
      outcomes.push(...batch.map(({ url, state }) => ({ url, state })));
    Object.assign(openTallies, await openTalliesOf(run.runId, runs, sources));
  }
  return { openTallies, outcomes };
}

/** Requests checks of records, as rechecks do, and returns those of each. */
async function checkLinks(perJournal: number): Promise<HarvestOutcome["checks"]> {
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
