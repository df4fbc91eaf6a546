/**
 * Measures time and memory of the delivery stages on the local cloud. Each stage runs in a separate process,
 * with the heap of a Lambda function of 512 MB.
 *
 *     npx node bench/delivery.ts [records …]
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openIdleCloud } from "../local/open-cloud.ts";
import { inParallel } from "../shared/core/in-parallel.ts";
import { buildArchiveKeys } from "../shared/records/archive/archive-keys.ts";
import { sampleRecords } from "./marc-samples.ts";

const stages = ["validate-records", "upload-records", "archive-records", "find-overdue", "send-report"];
const sourceCount = 100;
const heapMiB = 448;
const concurrency = 32;
const runId = "live-20261120T190000Z";

export interface StageFigures {
  seconds: number;
  peakMiB: number;
}

if (import.meta.main) for (const count of process.argv.slice(2).map(Number)) await deliver(count);

async function deliver(count: number): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), "ingather-bench-"));
  const cloud = await openIdleCloud(stateDir);
  try {
    await storeHarvestedRun(count);
    console.log(`${count} records of ${sourceCount} sources`);
    for (const stage of stages) {
      const { seconds, peakMiB } = await timeStage(stage);
      console.log(`  ${stage.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s  peak ${peakMiB} MiB`);
    }
    const { runStore } = await import("../shared/adapters/records/run-store.ts");
    const { reportRun } = await import("../shared/deliver/report/report.ts");
    const { totals } = await reportRun(runId, runStore());
    if (totals.delivered !== count) throw new Error(`${totals.delivered} of ${count} were delivered`);
  } finally {
    await cloud.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Stores a harvested run: its records and listing outcomes. */
async function storeHarvestedRun(count: number): Promise<void> {
  const { recordStore } = await import("../shared/adapters/records/record-store.ts");
  const { runStore } = await import("../shared/adapters/records/run-store.ts");
  const { storeConfiguration } = await import("../local/start/run-delivery.ts");
  const { localGroup } = await import("../local/local-group.ts");
  const [runs, records] = [runStore(), recordStore()];
  const sourceIds = Array.from({ length: sourceCount }, (_, at) => `source-${at}`);
  await storeConfiguration(
    sourceIds.map((sourceId) => ({
      sourceId,
      title: sourceId,
      type: "RSS",
      url: `https://${sourceId}.example/`,
      groupId: localGroup.groupId,
      deliveryMode: "LIVE",
    })),
  );
  await runs.create({
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt: new Date().toISOString(),
    deadlineAt: new Date().toISOString(),
  });
  for (const sourceId of sourceIds) {
    const listed = count / sourceCount;
    const outcome = { entries: listed, known: {}, requested: listed, dropped: [] };
    await runs.saveListingOutcome(runId, "feed", { sourceId, title: sourceId, state: "read", ...outcome });
  }
  await inParallel([...sampleRecords(count).entries()], concurrency, async ([at, record]) => {
    const sourceId = `source-${at % sourceCount}`;
    const recordId = `record-${at}`;
    const url = `https://${sourceId}.example/${at}`;
    const hash = at.toString(16).padStart(40, "0").toUpperCase();
    await runs.saveOutcome(runId, {
      state: "converted",
      requestId: recordId,
      sourceId,
      url,
      title: `Faith & reason, part ${at}`,
      recordId,
      groupId: localGroup.groupId,
      hash,
      urls: [url],
      recordKey: await records.storeMarc(recordId, record),
      archiveKeys: buildArchiveKeys({ doi: `10.1234/abc.${at}`, urls: [url], hash }, "LIVE"),
      warnings: [],
    });
  });
}

/** Runs a stage in a separate process. */
async function timeStage(stage: string): Promise<StageFigures> {
  const args = [
    `--max-old-space-size=${heapMiB}`,
    join(import.meta.dirname, "delivery-stage.ts"),
    stage,
    runId,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as StageFigures;
}
