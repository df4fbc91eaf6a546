/** Stores the data for `bench/console.ts`: those of a large library after a month. */

import { putIf, ttlAfter } from "../shared/adapters/aws/dynamodb.ts";
import { variable } from "../shared/adapters/aws/environment.ts";
import { listedMails } from "../shared/adapters/aws/sent-mails.ts";
import { configurationStore } from "../shared/adapters/records/configuration-store.ts";
import { recordStore } from "../shared/adapters/records/record-store.ts";
import { runStore } from "../shared/adapters/records/run-store.ts";
import { inParallel } from "../shared/core/in-parallel.ts";
import { type FinalReport, reportRun } from "../shared/deliver/report/report.ts";
import type { SourceRun } from "../shared/deliver/report/source-runs.ts";
import { type Delivery, deliverySortKey } from "../shared/deliver/stage-results/delivery.ts";
import { collection } from "../shared/links/status/collection.ts";
import type { LinkStatus } from "../shared/links/status/link-status.ts";
import type { MarcRecord } from "../shared/marc/record.ts";
import { buildArchiveKeys, titlePlace } from "../shared/records/archive/archive-keys.ts";
import { buildRunId, type Run } from "../shared/records/runs/run.ts";
import { group } from "../shared/records/sources/group.ts";
import { source } from "../shared/records/sources/source.ts";

export interface Amounts {
  sources: number;
  collections: number;
  records: number;
}

const days = 30;
const dayMs = 86_400_000;
const hosts = 300;
const refusedRecords = 2000;
const groupId = "Ingather";
const parallelWrites = 64;

const rules = ["missing-title:245a", "required-field:773", "contents-mismatch:022a"] as const;

/** The ids with which pages about a single item are requested. */
export const known = {
  sourceId: sourceIdOf(17),
  collectionId: collectionIdOf(17),
  recordId: recordIdOf(17),
  host: hostOf(17),
};

/** Returns the id of the run whose details are stored as well. */
export async function lastRunId(): Promise<string> {
  const [last] = await runStore().listLatest("LIVE", { limit: 1 });
  return last?.runId ?? "";
}

export async function seedConsole(amounts: Amounts): Promise<void> {
  const now = new Date();
  const recordKey = await recordStore().storeMarc(known.recordId, sampleRecord);
  const runs = Array.from({ length: days }, (_, ago) =>
    runOf(new Date(now.getTime() - (ago + 0.1) * dayMs), amounts),
  );
  const [lastRun] = runs as [Run, ...Run[]];
  await seedConfiguration(amounts);
  await seedCollections(amounts, now);
  await seedRecords(amounts, { runId: lastRun.runId, recordKey, now });
  await seedRuns(runs, amounts);
  await seedRefused(amounts, { recordKey, now });
  await seedDeliveries(runs);
  await seedLinks(now);
}

async function seedConfiguration({ sources }: Amounts): Promise<void> {
  const value = group.parse({ groupId, isil: "XX-INGATHER", userAgent: "bench", outputFolder: "ingather" });
  await configurationStore().put({ kind: "group", id: groupId, value });
  await write("configurationTable", sources, (at) => {
    const sourceId = sourceIdOf(at);
    const url = `https://${hostOf(at)}/journal-${at}/feed.xml`;
    const title = titleOfSource(at);
    const value = source.parse({
      sourceId,
      title,
      type: "RSS",
      url,
      groupId,
      deliveryMode: at % 20 === 0 ? "TEST" : "LIVE",
    });
    return { kind: "source", id: sourceId, value };
  });
}

async function seedCollections({ collections }: Amounts, now: Date): Promise<void> {
  await write("collectionsTable", collections, (at) => {
    const hold = at % 100 === 7;
    const title = `Collection of ${titleOfSource(at)}`;
    const item = collection.parse({
      collectionId: collectionIdOf(at),
      title,
      hold,
      rule: { statusCodes: "4..", throttleSeconds: 1 },
    });
    return { kind: "collection", ...item, ...(hold && { suppressedBy: "hold" }) };
  });
  await write("collectionsTable", collections, (at) => {
    const isSuppressed = at % 50 === 3;
    const status = linkStatusOf(isSuppressed ? "suppressed" : "active", `sweep-${at}`, now);
    return {
      kind: "linkStatus",
      collectionId: collectionIdOf(at),
      ...status,
      ...(isSuppressed && { suppressedBy: "checks" }),
    };
  });
}

async function seedRecords(
  { records, collections }: Amounts,
  { runId, recordKey, now }: { runId: string; recordKey: string; now: Date },
): Promise<void> {
  const at = now.toISOString();
  const of = (number: number) => {
    const recordId = recordIdOf(number);
    const url = `https://${hostOf(number)}/article/${number}`;
    const title = titleOfRecord(number);
    const hash = number.toString(16).padStart(40, "0").toUpperCase();
    return {
      recordId,
      url,
      title,
      hash,
      doi: `10.5555/bench.${number}`,
      sourceId: sourceIdOf(number % 1000),
    };
  };
  await write("recordsTable", records, (number) => {
    const { url, doi: _doi, ...record } = of(number);
    const collectionId = collectionIdOf(number % collections);
    const link = number % 200 === 3 ? linkStatusOf("suppressed", `check-${number}`, now) : undefined;
    return {
      ...record,
      collectionId,
      listedIn: collectionId,
      landingUrl: url,
      groupId,
      runId,
      deliveryMode: "LIVE",
      syndicatedAt: new Date(now.getTime() - number * 60_000).toISOString(),
      recordKey,
      state: "delivered",
      updatedAt: at,
      firstRunId: runId,
      ...(link && { link, linkState: "suppressed", linkStateAt: link.nextAttemptAt }),
    };
  });
  await write("archiveTable", records, (number) => {
    const { recordId, url, title, hash, doi, sourceId } = of(number);
    const key = `record:${recordId}`;
    const place = titlePlace(title, "LIVE");
    return {
      key,
      entryKey: key,
      owner: `${runId}#${recordId}`,
      state: "automatic",
      keys: [key, ...buildArchiveKeys({ doi, urls: [url], hash }, "LIVE")],
      recordId,
      sourceId,
      title,
      hash,
      doi,
      urls: [url],
      recordKey,
      at,
      titlePartition: place?.partition,
      titlePlace: place?.place,
    };
  });
}

async function seedRuns(runs: Run[], { sources }: Amounts): Promise<void> {
  await write("runsTable", runs.length, (at) => {
    const run = runs[at] as Run;
    return { ...run, part: "run", expiresAt: ttlAfter(run.startedAt, 365) };
  });
  await write("sourceRunsTable", sources * runs.length, (at) => {
    const run = runs[Math.floor(at / sources)] as Run;
    const results = sourceRunOf(sourceIdOf(at % sources), run);
    return {
      ...results,
      startedRun: `${run.startedAt}#${run.runId}`,
      expiresAt: ttlAfter(run.startedAt, 365),
    };
  });
  const recentRuns = JSON.stringify(
    runs.slice(0, 28).map(({ runId, startedAt }) => ({ runId, startedAt, state: "read", delivered: 2 })),
  );
  const old = { addedAt: "2026-01-01T00:00:00.000Z", lastDeliveredAt: "2026-06-01T00:00:00.000Z" };
  await write("sourceStatusTable", sources, (at) => ({ sourceId: sourceIdOf(at), ...old, recentRuns }));
  const [{ runId }] = runs as [Run];
  await write("runsTable", sources, (at) => {
    const sourceId = sourceIdOf(at);
    const value = {
      sourceId,
      title: titleOfSource(at),
      state: "read",
      entries: 20,
      known: { delivered: 18 },
      requested: 2,
      dropped: [],
    };
    return {
      runId,
      part: `source#${sourceId}#feed`,
      value,
      expiresAt: ttlAfter(new Date().toISOString(), 365),
    };
  });
  await write("runsTable", 2 * sources, (at) => {
    const sourceId = sourceIdOf(Math.floor(at / 2));
    const url = `https://${hostOf(at)}/article/new-${at}`;
    const value = {
      state: "failed",
      requestId: `request-${at}`,
      sourceId,
      url,
      title: titleOfRecord(at),
      reason: "404 Not Found",
    };
    return {
      runId,
      part: `document#${sourceId}#request-${at}`,
      value,
      expiresAt: ttlAfter(new Date().toISOString(), 365),
    };
  });
  const overdue = Array.from({ length: 40 }, (_, at) => ({
    sourceId: sourceIdOf(at * 7),
    title: titleOfSource(at * 7),
    windowDays: 60,
    lastDeliveredAt: "2026-06-01T00:00:00.000Z",
  }));
  await runStore().finishStage(runId, "overdue", { overdue });
  const { run: _run, ...report } = await reportRun(runId, runStore());
  await runStore().finishStage<FinalReport>(runId, "report", report);
}

async function seedRefused(
  { sources }: Amounts,
  { recordKey, now }: { recordKey: string; now: Date },
): Promise<void> {
  const refusedAt = now.toISOString();
  await write("delinquentRecordsTable", refusedRecords, (at) => {
    const [recordId, sourceId] = [`refused-${at}`, sourceIdOf((at * 3) % sources)];
    const reason = rules[at % rules.length] as string;
    const [ruleId = "", field = ""] = reason.split(":");
    const finding = {
      ruleId,
      tag: field.slice(0, 3),
      subfield: field.slice(3),
      severity: "error",
      reason: `${field} is not as it must be`,
    };
    return {
      deliveryMode: "LIVE",
      part: `${sourceId}#${recordId}`,
      document: {
        state: "converted",
        requestId: recordId,
        recordId,
        sourceId,
        groupId,
        url: `https://${hostOf(at)}/${at}`,
        title: titleOfRecord(at),
        hash: "",
        urls: [],
        recordKey,
        archiveKeys: [],
        warnings: [],
      },
      findings: [finding],
      findingCount: 1,
      refusedAt,
      firstRefusedAt: refusedAt,
      expiresAt: ttlAfter(refusedAt, 90),
      queueKey: `${reason}#${sourceId}#${recordId}`,
    };
  });
}

async function seedDeliveries(runs: Run[]): Promise<void> {
  const groups = 10;
  await write("deliveriesTable", groups * runs.length, (at) => {
    const run = runs[Math.floor(at / groups)] as Run;
    const fileName = `Group${at % groups}_zotero_${run.startedAt.slice(2, 10).replaceAll("-", "")}_001.xml`;
    const delivery: Delivery = {
      groupId: `Group${at % groups}`,
      fileName,
      key: `ingather/${fileName}`,
      runId: run.runId,
      runStartedAt: run.startedAt,
      deliveryMode: "LIVE",
      records: 20,
      sizeBytes: 40_000,
      deliveredAt: run.startedAt,
    };
    return { kind: "file", sortKey: deliverySortKey(delivery), ...delivery };
  });
  await write("sentMailsTable", groups * runs.length, (at) => {
    const { startedAt } = runs[Math.floor(at / groups)] as Run;
    return {
      mailId: `mail-${at}`,
      sentTo: new Set(["staff@library.example"]),
      sentAt: startedAt,
      subject: `Delivery of group ${at % groups}`,
      listedIn: listedMails,
      expiresAt: ttlAfter(startedAt, 60),
    };
  });
}

async function seedLinks(now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  await write("linkStatisticsTable", 3000, (at) => {
    const [collectionId, recordId] = [collectionIdOf(at % 500), recordIdOf(at)];
    const value = {
      day: today,
      collectionId,
      change: "suppressed",
      recordId,
      url: `https://${hostOf(at)}/article/${at}`,
    };
    return {
      day: today,
      change: `${collectionId}#suppressed#${recordId}`,
      value,
      expiresAt: ttlAfter(today, 400),
    };
  });
  await write("linkSamplesTable", 2000, (at) => {
    const day = new Date(now.getTime() - (at % 28) * dayMs).toISOString().slice(0, 10);
    const value = {
      collectionId: known.collectionId,
      day,
      recordId: recordIdOf(at),
      verdict: at % 40 === 0 ? "broken" : "alive",
    };
    return {
      collectionId: known.collectionId,
      part: `day#${day}#${recordIdOf(at)}`,
      value,
      expiresAt: ttlAfter(day, 120),
    };
  });
  await write("hostsTable", hosts, (at) => {
    const hostKey = hostOf(at);
    const base = {
      hostKey,
      readyAtMs: 0,
      backoffUntilMs: 0,
      failures: 0,
      givenUp: 0,
      settled: [],
      version: 1,
      expiresAt: ttlAfter(today, 90),
    };
    if (at % 10 !== 0) return base;
    const untilMs = now.getTime() + dayMs;
    return {
      ...base,
      unavailable: { [hostKey]: { untilMs, reason: "it does not answer" } },
      listedAs: "unavailable",
      unavailableUntilMs: untilMs,
    };
  });
  await write("hostStatisticsTable", hosts * days, (at) => {
    const day = new Date(now.getTime() - Math.floor(at / hosts) * dayMs).toISOString().slice(0, 10);
    return { day, hostKey: hostOf(at % hosts), requests: 40, bytes: 400_000, expiresAt: ttlAfter(day, 400) };
  });
}

/** Writes a number of items. */
async function write(
  table: Parameters<typeof variable>[0],
  count: number,
  itemOf: (at: number) => Record<string, unknown>,
): Promise<void> {
  const TableName = variable(table);
  const numbers = Array.from({ length: count }, (_, at) => at);
  await inParallel(numbers, parallelWrites, (at) => putIf({ TableName, Item: itemOf(at) }));
}

function runOf(started: Date, { sources }: Amounts): Run {
  const startedAt = started.toISOString();
  const figures = {
    listed: 20 * sources,
    delivered: 200,
    undelivered: 0,
    onlineFirst: 3,
    refused: 12,
    duplicates: 0,
    known: 20 * sources - 221,
    unusable: 4,
    unreachable: 2,
    unanswered: 0,
  };
  const runId = buildRunId({ deliveryMode: "LIVE", scheduledTime: startedAt });
  return {
    runId,
    deliveryMode: "LIVE",
    state: "finished",
    startedAt,
    deadlineAt: startedAt,
    finishedAt: startedAt,
    figures,
  };
}

function sourceRunOf(sourceId: string, { runId, startedAt, deliveryMode }: Run): SourceRun {
  const none = {
    undelivered: 0,
    onlineFirst: 0,
    released: 0,
    refused: 0,
    duplicates: 0,
    unusable: 0,
    unreachable: 0,
    unanswered: 0,
  };
  return {
    sourceId,
    runId,
    deliveryMode,
    startedAt,
    state: "read",
    entries: 20,
    requested: 2,
    converted: 2,
    delivered: 2,
    known: 18,
    ...none,
  };
}

function linkStatusOf(status: "active" | "suppressed", checkId: string, now: Date): LinkStatus {
  const at = now.toISOString();
  const base = { status, failures: 0, inconclusives: 0, since: at, checkId, asOf: at, reason: "200" };
  if (status === "active") return base;
  return {
    ...base,
    failures: 1,
    reason: "404 Not Found",
    nextAttemptAt: new Date(now.getTime() + 3_600_000).toISOString(),
  };
}

function sourceIdOf(at: number): string {
  return `journal-${String(at).padStart(4, "0")}`;
}

function collectionIdOf(at: number): string {
  return `collection-${String(at).padStart(4, "0")}`;
}

function recordIdOf(at: number): string {
  return `bench${String(at).padStart(15, "0")}`;
}

function hostOf(at: number): string {
  return `www.press-${at % hosts}.example`;
}

function titleOfSource(at: number): string {
  return `Journal of ${["Theology", "Patristics", "Canon Law", "Ethics"][at % 4]} and Practice, series ${at}`;
}

function titleOfRecord(at: number): string {
  return `${["Faith", "Reason", "Hope", "Grace", "Work"][at % 5]} ${at % 977} in the writings of the ${at}th reader`;
}

const sampleRecord: MarcRecord = {
  leader: "00000naa a2200000 i 4500",
  control: [["001", "bench"]],
  fields: [
    ["245", "00", [["a", "Faith in the writings of the reader"]]],
    ["856", "40", [["u", "https://www.press-17.example/article/17"]]],
  ],
};
