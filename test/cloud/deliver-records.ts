import { expect } from "vitest";
import { inParallel } from "../../shared/core/in-parallel.ts";
import type { DataField, MarcRecord } from "../../shared/marc/record.ts";

/** The source of the records: the demo's journal. */
const sourceId = "demo-journal";

function marc(title: string): MarcRecord {
  const volume: DataField = ["936", "uw", [["d", "1"]]];
  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["001", title],
      ["003", "XX-1"],
      ["007", "cr|||||"],
    ],
    fields: [["245", "00", [["a", title]]], volume],
  };
}

/**
 * Delivers a run that has harvested these records; gives the number of records in its files.
 * @param records titles by record id
 * @param matchKeys by record id
 */
export async function deliver(
  runId: string,
  records: Record<string, string>,
  matchKeys: Record<string, string> = {},
): Promise<number> {
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const { stageQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { followRun } = await import("../../local/start/follow-run.ts");
  const runs = runStore();
  const startedAt = new Date().toISOString();
  await runs.create({
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt,
    deadlineAt: startedAt,
  });
  await inParallel(Object.entries(records), 16, async ([recordId, title]) => {
    const recordKey = await recordStore().storeMarc(recordId, marc(title));
    const url = `https://journal.example/${recordId}`;
    const known = { recordId, sourceId, groupId: "Ingather", title, hash: recordId, recordKey };
    await recordStore().save({
      ...known,
      runId,
      deliveryMode: "LIVE",
      collectionId: sourceId,
      syndicatedAt: startedAt,
      landingUrl: url,
      state: "harvested",
      updatedAt: startedAt,
    });
    await runs.saveOutcome(runId, {
      ...known,
      state: "converted",
      requestId: recordId,
      url,
      urls: [url],
      archiveKeys: [`url:${recordId}`],
      ...(matchKeys[recordId] !== undefined && { matchKey: matchKeys[recordId] }),
      warnings: [],
    });
  });
  await stageQueue("validateQueue").send({ runId });
  const report = await followRun(runId, runs, { print: () => {}, signal: new AbortController().signal });
  expect(report.run.state).toBe("finished");
  const files = report.files.filter(({ kind }) => kind === "valid");
  return files.reduce((sum, file) => sum + file.documents.count, 0);
}
