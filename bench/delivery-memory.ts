/**
 * Measures the peak live memory of the delivery stages, after garbage collections, by the number of records
 * of a long harvest that joins a run. All stages run in one process, one message after the other, as a queue
 * delivers them. `longest` is the message with the longest duration. The stores use no memory: they generate
 * records on request and keep lists on disk.
 *
 *     npx node bench/delivery-memory.ts [--refused] [records …]
 *
 * --refused: validation refuses all records
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LeaseStore } from "../shared/core/lease.ts";
import { archiveRun } from "../shared/deliver/archive/archive.ts";
import { retryPorts } from "../shared/deliver/pipeline/retry-ports.ts";
import { reportRun } from "../shared/deliver/report/report.ts";
import { type UploadPorts, uploadRun } from "../shared/deliver/upload/upload.ts";
import type { UploadResult } from "../shared/deliver/upload/upload-result.ts";
import { type ValidatePorts, validateRun } from "../shared/deliver/validate/validate.ts";
import type { MarcRecord } from "../shared/marc/record.ts";
import { buildArchiveKeys } from "../shared/records/archive/archive-keys.ts";
import type { ConvertedDocument, Run } from "../shared/records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../shared/records/runs/run-store.ts";
import type { StageRequest } from "../shared/records/runs/stages.ts";
import { group } from "../shared/records/sources/group.ts";
import { sampleRecords } from "./marc-samples.ts";

const sourceCount = 100;
const documentsInPage = 500;
const runId = "live-20261120T190000Z";
const startedAt = "2026-11-20T19:00:00.000Z";
const harvestId = "harvest-source-live-20261119T190000Z";
const run: Run = { runId, deliveryMode: "LIVE", state: "harvesting", startedAt, deadlineAt: startedAt };
const harvest: Run = { ...run, runId: harvestId, harvestOf: "source-0", state: "delivering" };
const library = group.parse({ groupId: "G", isil: "XX-1", userAgent: "bench", outputFolder: "g" });
const { values: options, positionals } = parseArgs({
  options: { refused: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [valid] = sampleRecords(1) as [MarcRecord];
const withoutTitle = { ...valid, fields: valid.fields.filter(([tag]) => tag !== "245") };
const sample = options.refused ? withoutTitle : valid;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

for (const count of positionals.map(Number)) await measure(count);

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ingather-bench-"));
  try {
    collectGarbage();
    const before = bytesHeld();
    let most = before;
    const onPartHeld = () => {
      collectGarbage();
      most = Math.max(most, bytesHeld());
    };
    const { send, ...ports } = portsOf(count, folder, onPartHeld);
    for (const [name, stage] of Object.entries({ validateRun, uploadRun, archiveRun, reportRun: report })) {
      most = before;
      const begun = performance.now();
      let messages = 0;
      let longestMs = 0;
      const pending: StageRequest[] = [{ runId }];
      send.part = (request) => pending.push(request);
      for (let request = pending.shift(); request !== undefined; request = pending.shift()) {
        const startedMs = performance.now();
        await stage(
          request,
          retryPorts(ports, (work) => work()),
        );
        longestMs = Math.max(longestMs, performance.now() - startedMs);
        messages += 1;
      }
      const figures = [
        `${Math.round((most - before) / 2 ** 20)} MiB`,
        `${seconds(performance.now() - begun)} s`,
        `${messages} messages`,
        `longest ${seconds(longestMs)} s`,
      ];
      console.log(`${count} records  ${name}: ${figures.join(", ")}`);
    }
    console.log(
      `${count} records  most of the process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
    );
    const uploaded = await ports.runs.stageResult<UploadResult>(runId, "upload");
    const kind = options.refused ? "delinquent" : "valid";
    const files = uploaded?.files.filter((file) => file.kind === kind);
    const delivered = files?.reduce((sum, { documents }) => sum + documents.count, 0);
    if (delivered !== count) throw new Error(`${delivered} of ${count} were delivered`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** Returns the bytes of the heap and of buffers. */
function bytesHeld(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function report(_request: object, { runs }: { runs: RunStore }): Promise<void> {
  await reportRun(runId, runs);
}

function documentOf(at: number): ConvertedDocument {
  const sourceId = `source-${at % sourceCount}`;
  const url = `https://${sourceId}.example/${at}`;
  const hash = at.toString(16).padStart(40, "0");
  const recordId = `record-${at}`;
  const keys = buildArchiveKeys({ doi: `10.1234/abc.${at}`, urls: [url], hash }, "LIVE");
  const common = { requestId: recordId, sourceId, url, title: `Faith & reason, part ${at}`, recordId };
  return {
    ...common,
    state: "converted",
    groupId: "G",
    hash,
    urls: [url],
    recordKey: recordId,
    archiveKeys: keys,
    warnings: [],
  };
}

interface TallyChange {
  opened?: string[];
  closed?: string[];
}

/** @param onPartHeld called when a stage has a part of a list in memory */
function portsOf(count: number, folder: string, onPartHeld: () => void) {
  const pathOf = (key: string) => join(folder, encodeURIComponent(key));
  const results = new Set<string>();
  const tallies = new Map<string, { opened: Set<string>; closed: Set<string> }>();
  const send: { part: (request: StageRequest) => void } = { part: () => {} };
  const pageAt = (from: number) =>
    Array.from({ length: Math.min(documentsInPage, count - from) }, (_, index) => documentOf(from + index));
  let parts = 0;
  let files = 0;
  // Only the methods that the stages call, as in the stores below.
  const runs = {
    get: async (id: string) => (id === runId ? run : harvest),
    changeState: async () => true,
    listLongHarvests: async () => [harvest],
    outcomeBatches: async function* () {},
    undeliveredBatches: async function* () {
      for (let from = 0; from < count; from += documentsInPage)
        yield { harvestId, pageId: String(from), outcomes: pageAt(from) };
    },
    loadHarvestBatch: async ({ pageId }: HarvestBatch) => pageAt(Number(pageId)),
    markBatchDelivered: async () => undefined,
    updateTally: async (_runId: string, name: string, { opened = [], closed = [] }: TallyChange) => {
      const tally = tallies.get(name) ?? { opened: new Set(), closed: new Set() };
      tallies.set(name, tally);
      for (const id of opened) tally.opened.add(id);
      for (const id of closed) tally.closed.add(id);
      return { opened: tally.opened.size, closed: tally.closed.size };
    },
    openIds: async (_runId: string, name: string) => {
      const { opened = new Set<string>(), closed = new Set<string>() } = tallies.get(name) ?? {};
      return [...opened].filter((id) => !closed.has(id));
    },
    storePart: async (_runId: string, items: readonly object[]) => {
      parts += 1;
      writeFileSync(pathOf(`part-${parts}`), JSON.stringify(items));
      onPartHeld();
      return `part-${parts}`;
    },
    loadPart: async (key: string) => {
      const items = JSON.parse(readFileSync(pathOf(key), "utf8"));
      onPartHeld();
      return items;
    },
    stageResult: async (_runId: string, stage: string) =>
      results.has(stage) ? JSON.parse(readFileSync(pathOf(`result-${stage}`), "utf8")) : undefined,
    finishStage: async <T>(_runId: string, stage: string, result: T) => {
      writeFileSync(pathOf(`result-${stage}`), JSON.stringify(result));
      results.add(stage);
      return result;
    },
    sourceOutcomes: async () => [],
    // The stages of a delivery call no other methods.
  } satisfies Partial<RunStore> as unknown as RunStore;
  const records = { loadMarc: async () => sample, setState: async () => undefined };
  const clock = { now: () => new Date(startedAt), sleep: async () => undefined };
  const refusedRecords: ValidatePorts["refusedRecords"] = {
    listedSince: async () => new Map(),
    releasedPages: async function* () {},
    save: async () => undefined,
    remove: async () => undefined,
  };
  const deliveries = {
    claimFileName: async (_holder: string, nameOf: (number: number) => string) => nameOf(++files),
    writeFile: async (_key: string, content: AsyncIterable<Uint8Array>) => {
      let size = 0;
      for await (const piece of content) size += piece.byteLength;
      return size;
    },
    transfer: async () => undefined,
    save: async (delivery) => delivery,
    // An upload calls no other methods.
  } satisfies Partial<UploadPorts["deliveries"]> as unknown as UploadPorts["deliveries"];
  const leases: LeaseStore = {
    claim: async (lease) => lease,
    release: async () => undefined,
    leasedKeys: async () => new Set(),
  };
  const archive = {
    claim: async () => true,
    claimAll: async (claims: unknown[]) => claims.map(() => true),
    releaseClaim: async () => undefined,
    saveEntry: async () => undefined,
    knownReasons: async () => new Map(),
    entry: async () => undefined,
    claimOf: async () => undefined,
  };
  const sources = {
    sourcesByMode: async () => ({ sources: [], unusable: [] }),
    groups: async () => ({ groups: [library], unusable: [] }),
  };
  return {
    ...{ runs, records, refusedRecords, deliveries, leases, archive, sources, clock },
    rules: { rules: async () => [] },
    next: { send: async () => undefined },
    partsQueue: { send: async (request: StageRequest) => send.part(request) },
    send,
    events: { publish: async () => undefined },
    status: { markDelivered: async () => undefined },
    // Nothing is sent, because the group has no destination.
    sftp: {} as never,
    retry: <Result>(work: () => Promise<Result>) => work(),
    timeZone: "UTC",
  };
}
