/**
 * Measures the peak live memory of the delivery stages, after garbage collections, by the number of records. All run in one
 * process. The stores use no memory: they generate records on request and keep lists on disk.
 *
 *     npx node bench/delivery-memory.ts [records …]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildArchiveKeys } from "../shared/archive/archive-keys.ts";
import type { LeaseStore } from "../shared/core/lease.ts";
import { archiveRun } from "../shared/delivery/archive/archive.ts";
import { reportRun } from "../shared/delivery/report/report.ts";
import { type UploadPorts, uploadRun } from "../shared/delivery/upload/upload.ts";
import type { UploadResult } from "../shared/delivery/upload/upload-result.ts";
import { type ValidatePorts, validateRun } from "../shared/delivery/validate/validate.ts";
import type { MarcRecord } from "../shared/marc/record.ts";
import type { ConvertedDocument, Run } from "../shared/runs/run.ts";
import type { RunStore } from "../shared/runs/run-store.ts";
import { group } from "../shared/sources/group.ts";
import { sampleRecords } from "./marc-samples.ts";

const sourceCount = 100;
const documentsInPage = 500;
const runId = "live-20261120T190000Z";
const startedAt = "2026-11-20T19:00:00.000Z";
const run: Run = { runId, deliveryMode: "LIVE", state: "harvesting", startedAt, deadlineAt: startedAt };
const library = group.parse({ groupId: "G", isil: "XX-1", userAgent: "bench", outputFolder: "g" });
const [sample] = sampleRecords(1) as [MarcRecord];

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

for (const count of process.argv.slice(2).map(Number)) await measure(count);

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
    const ports = portsOf(count, folder, onPartHeld);
    for (const [name, stage] of Object.entries({ validateRun, uploadRun, archiveRun, reportRun: report })) {
      most = before;
      const begun = performance.now();
      await stage({ runId }, ports);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${count} records  ${name}: ${Math.round((most - before) / 2 ** 20)} MiB, ${seconds} s`);
    }
    const uploaded = await ports.runs.stageResult<UploadResult>(runId, "upload");
    const delivered = uploaded?.files.reduce((sum, { documents }) => sum + documents.count, 0);
    if (delivered !== count) throw new Error(`${delivered} of ${count} were delivered`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Heap and buffers. */
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

/** @param onPartHeld called when a stage holds a part of a list */
function portsOf(count: number, folder: string, onPartHeld: () => void) {
  const pathOf = (key: string) => join(folder, encodeURIComponent(key));
  const results = new Map<string, string>();
  let parts = 0;
  // Only the methods that the stages call. The same for the deliveries below.
  const runs = {
    get: async () => run,
    changeState: async () => true,
    listLongHarvests: async () => [],
    outcomeBatches: async function* () {
      for (let from = 0; from < count; from += documentsInPage) {
        const size = Math.min(documentsInPage, count - from);
        yield Array.from({ length: size }, (_, index) => documentOf(from + index));
      }
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
      JSON.parse(results.get(stage) ?? "null") ?? undefined,
    finishStage: async <T>(_runId: string, stage: string, result: T) => {
      results.set(stage, JSON.stringify(result));
      return result;
    },
    sourceOutcomes: async () => [],
    openIds: async () => [],
    // The stages of a delivery call no other method.
  } satisfies Partial<RunStore> as unknown as RunStore;
  const records = { loadMarc: async () => sample, setState: async () => undefined };
  const clock = { now: () => new Date(startedAt), sleep: async () => undefined };
  const delinquents: ValidatePorts["delinquents"] = {
    listedSince: async () => new Map(),
    releasedPages: async function* () {},
    save: async () => undefined,
    remove: async () => undefined,
  };
  const deliveries = {
    claimFileName: async (_holder: string, nameOf: (number: number) => string) => nameOf(parts),
    writeFile: async (_key: string, content: AsyncIterable<Uint8Array>) => {
      let size = 0;
      for await (const piece of content) size += piece.byteLength;
      return size;
    },
    transfer: async () => undefined,
    save: async (delivery) => delivery,
    // An upload calls no other method.
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
    ...{ runs, records, delinquents, deliveries, leases, archive, sources, clock },
    rules: { rules: async () => [] },
    next: { send: async () => undefined },
    partsQueue: { send: async () => undefined },
    division: { partSize: 1000, maxInline: Number.POSITIVE_INFINITY },
    events: { publish: async () => undefined },
    status: { markDelivered: async () => undefined },
    // The group has no destination: nothing is sent.
    sftp: {} as never,
    retry: <Result>(work: () => Promise<Result>) => work(),
    timeZone: "UTC",
  };
}
