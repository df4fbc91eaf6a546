import type { Clock } from "../core/clock.ts";
import { dayIn } from "../core/day.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { ConvertedDocument, Run } from "../harvest/run.ts";
import { writeMarcXml } from "../marc/marcxml-writer.ts";
import { objectKeys } from "../names.ts";
import type {
  ArchiveStore,
  DeliveryStore,
  Events,
  RecordStore,
  RunStore,
  SourceStore,
  StageQueue,
} from "../ports.ts";
import { type Delivery, deliveryFileName } from "./delivery.ts";
import type { StageRequest } from "./stages.ts";
import type { ValidateResult } from "./validate.ts";

export interface UploadPorts {
  runs: RunStore;
  records: RecordStore;
  archive: ArchiveStore;
  sources: SourceStore;
  deliveries: DeliveryStore;
  events: Events;
  next: StageQueue;
  clock: Clock;
  timeZone: string;
}

export interface UploadResult {
  files: { delivery: Delivery; documents: ConvertedDocument[] }[];
  /** Valid, and the same article as a record delivered before or in this run. */
  duplicates: ConvertedDocument[];
}

/** Records read, or claimed, at the same time. */
const recordsAtOnce = 16;

/** Puts each valid record that no other run has claimed into the file of its group. */
export async function uploadRun({ runId }: StageRequest, ports: UploadPorts): Promise<void> {
  const done = await ports.runs.stageResult<UploadResult>(runId, "upload");
  if (done === undefined) await ports.runs.finishStage(runId, "upload", await upload(runId, ports));
  await ports.next.send({ runId });
}

async function upload(runId: string, ports: UploadPorts): Promise<UploadResult> {
  const run = await ports.runs.get(runId);
  const validated = await ports.runs.stageResult<ValidateResult>(runId, "validate");
  if (run === undefined || validated === undefined) throw new Error(`run ${runId} is not validated`);

  const { claimed, duplicates } = await claimAll(runId, validated.valid, ports.archive);
  const files: UploadResult["files"] = [];
  for (const [groupId, documents] of Map.groupBy(claimed, (document) => document.groupId)) {
    files.push({ delivery: await uploadFile(run, groupId, documents, ports), documents });
  }
  for (const { recordId } of duplicates) await ports.records.setState(recordId, "duplicate");
  return { files, duplicates };
}

/** The owner of a claim: one record in one run. */
export function claimant(runId: string, recordId: string): string {
  return `${runId}/${recordId}`;
}

/**
 * Claims each record's keys in the archive. A record that misses one of its keys is the same article as the one that has
 * it. Keys are sorted, so of records that overlap one always gets through; a claim repeated by its owner holds.
 */
async function claimAll(runId: string, documents: ConvertedDocument[], archive: ArchiveStore) {
  const mine = await inParallel(documents, recordsAtOnce, async ({ recordId, archiveKeys }) => {
    const owner = claimant(runId, recordId);
    for (const key of archiveKeys) if (!(await archive.claim(key, owner))) return false;
    return true;
  });
  return {
    claimed: documents.filter((_, index) => mine[index]),
    duplicates: documents.filter((_, index) => !mine[index]),
  };
}

async function uploadFile(
  run: Run,
  groupId: string,
  documents: ConvertedDocument[],
  ports: UploadPorts,
): Promise<Delivery> {
  const { runId, deliveryMode } = run;
  // The run's day, not today's: repeated after midnight, the stage must come to the same name.
  const day = dayIn(ports.timeZone, new Date(run.startedAt));
  const fileName = await ports.deliveries.allocate(`${runId}/${groupId}`, (number) =>
    deliveryFileName(groupId, day, number),
  );
  const marc = await inParallel(documents, recordsAtOnce, ({ recordKey }) => ports.records.marc(recordKey));
  const content = writeMarcXml(marc);
  const folder = (await ports.sources.group(groupId))?.outputFolder ?? groupId;
  const key = objectKeys.delivery(deliveryMode === "TEST" ? `${folder}-test` : folder, fileName);
  await ports.deliveries.upload(key, content);
  const delivery = await ports.deliveries.save({
    groupId,
    fileName,
    key,
    runId,
    runStartedAt: run.startedAt,
    deliveryMode,
    records: documents.length,
    sizeBytes: content.byteLength,
    deliveredAt: ports.clock.now().toISOString(),
  });
  await ports.events.publish({
    type: "delivery.new",
    changeId: `${runId}/${fileName}`,
    detail: { ...delivery },
  });
  return delivery;
}
