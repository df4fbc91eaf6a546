import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveState } from "../../records/archive/archive-entry.ts";
import { archiveEntryKey } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { DomainEvent, Events } from "../../records/events/events.ts";
import {
  type DividedStep,
  type DividedStepPorts,
  divideStep,
  workOnPart,
} from "../../records/runs/divided-step.ts";
import { joinParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue, StageRequest } from "../../records/runs/stages.ts";
import type { SourceStatusStore } from "../../records/sources/source-status.ts";
import { allArchiveKeys, claimOwner, maxParallelDocuments } from "../claims/claim.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type { FileKind, UploadedFile } from "../stage-results/delivery.ts";
import type { RefusedDocument } from "../stage-results/validate-result.ts";
import { uploadedFiles } from "../upload/uploaded-files.ts";
import { describeFindings } from "../validation/finding.ts";

interface ArchivePorts extends DividedStepPorts {
  runs: RunStore;
  records: Pick<RecordStore, "setState">;
  archive: Pick<ArchiveStore, "saveEntry" | "claim">;
  status: Pick<SourceStatusStore, "markDelivered">;
  events: Events;
  next: StageQueue;
}

/**
 * Archives the records of a run, in parts of its files: saves their archive entries, their states, and the time of the
 * last delivery of their sources. Publishes each record that was delivered or refused. If the upload has stopped, only
 * the delivered files are archived; the others follow when the upload resumes.
 */
export async function archiveRun({ runId, part }: StageRequest, ports: ArchivePorts): Promise<void> {
  if (part !== undefined) {
    const { files } = await uploadedFiles(runId, ports.runs);
    const step = await archiveStep(runId, files, ports);
    await workOnPart({ runId, part }, step.work, ports);
    return;
  }
  const done = await ports.runs.stageResult(runId, "archive");
  if (done === undefined) {
    const { files, isComplete } = await uploadedFiles(runId, ports.runs);
    const step = await archiveStep(runId, files, ports);
    if (!(await divideStep(runId, step, ports))) return;
    const archived = await markSources(runId, files, ports);
    if (!isComplete) return;
    await ports.runs.finishStage(runId, "archive", { archived });
  }
  await ports.next.send({ runId });
}

/**
 * Builds the step that archives the parts of the files. The id of a part consists of the position of its file in the
 * plan, and its own position in the file.
 */
async function archiveStep(runId: string, files: UploadedFile[], ports: ArchivePorts): Promise<DividedStep> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  const plan = await ports.runs.stageResult<DeliveryPlan>(runId, "plan");
  const places = new Map(plan?.files.map(({ fileName }, place) => [fileName, place]));
  const parts = new Map(
    files.flatMap((file) =>
      file.documents.keys.map((partKey, index) => [
        `${places.get(file.fileName)}.${index}`,
        { file, partKey, checkpoint: archivedPart(file, index) },
      ]),
    ),
  );
  return {
    step: "archive",
    ids: [...parts.keys()],
    documents: joinParts(files.map(({ documents }) => documents)).count,
    work: async (id) => {
      const part = parts.get(id);
      if (part === undefined || (await ports.runs.stageResult(runId, part.checkpoint)) !== undefined) return;
      const { file, partKey, checkpoint } = part;
      await ports.runs.finishStage(runId, checkpoint, await archivePart(partKey, { run, file }, ports));
    },
  };
}

function archivedPart({ fileName }: Pick<UploadedFile, "fileName">, index: number) {
  return `archived-${fileName}-${index}` as const;
}

/**
 * Stores when sources were last delivered. Deliveries to the test system are not stored, because nobody waits for them.
 * @returns the number of delivered records
 */
async function markSources(runId: string, files: UploadedFile[], ports: ArchivePorts): Promise<number> {
  const run = await ports.runs.get(runId);
  const delivered = files.filter(({ kind }) => kind === "valid");
  for (const file of run?.deliveryMode === "LIVE" ? delivered : []) {
    const parts = await inParallel(file.documents.keys, maxParallelDocuments, (_, index) =>
      ports.runs.stageResult<ArchivedPart>(runId, archivedPart(file, index)),
    );
    const sourceIds = new Set(parts.flatMap((part) => part?.sourceIds ?? []));
    await inParallel([...sourceIds], maxParallelDocuments, (sourceId) =>
      ports.status.markDelivered(sourceId, file.deliveredAt),
    );
  }
  return joinParts(delivered.map(({ documents }) => documents)).count;
}

/** A part of a file whose records have been archived. A repeat continues after it. */
interface ArchivedPart {
  sourceIds: string[];
}

async function archivePart(
  partKey: string,
  { run, file }: { run: Run; file: UploadedFile },
  ports: ArchivePorts,
): Promise<ArchivedPart> {
  const part = await ports.runs.loadPart<ConvertedDocument | RefusedDocument>(partKey);
  await inParallel(part, maxParallelDocuments, (document) => archiveDocument(document, { run, file }, ports));
  return { sourceIds: [...new Set(part.map(({ sourceId }) => sourceId))] };
}

/**
 * The maximum length of a title or of the findings in an entry, which is a single item. The record itself contains the
 * full text.
 */
const maxChars = 2000;

/** The number of findings that fit into an event even if they are of maximum length. */
const maxPublishedFindings = 20;

/** The archive state of the records in each kind of file. */
const archivedAs: Record<FileKind, ArchiveState> = {
  valid: "automatic",
  onlineFirst: "online_first",
  delinquent: "error",
};

async function archiveDocument(
  document: ConvertedDocument | RefusedDocument,
  { run, file }: { run: Run; file: UploadedFile },
  ports: ArchivePorts,
): Promise<void> {
  await archiveEntryOf(document, { run, file }, ports);
  const event = recordEvent(document, { run, file });
  if (event !== undefined) await ports.events.publish(event);
}

/**
 * Builds the event of a record.
 * @returns undefined for a record that waits for volume and issue
 */
function recordEvent(
  document: ConvertedDocument | RefusedDocument,
  { run, file }: { run: Run; file: UploadedFile },
): DomainEvent | undefined {
  const { recordId, sourceId, groupId, title } = document;
  const { runId, deliveryMode } = run;
  const detail = {
    recordId,
    recordUri: `/records/${recordId}`,
    sourceId,
    groupId,
    ...(title !== undefined && { title: title.slice(0, maxChars) }),
    deliveryMode,
    runId,
    at: file.deliveredAt,
  };
  if (file.kind === "valid") {
    const changeId = `${recordId}/delivered/${runId}`;
    return { type: "record.delivered", changeId, detail: { ...detail, fileName: file.fileName } };
  }
  if (!("findings" in document)) return undefined;
  const findings = document.findings.slice(0, maxPublishedFindings).map((finding) => ({
    ruleId: finding.ruleId,
    tag: finding.tag,
    ...(finding.subfield !== undefined && { subfield: finding.subfield }),
    reason: finding.reason.slice(0, maxChars),
  }));
  const findingCount = document.findings.length;
  const changeId = `${recordId}/refused/${runId}`;
  return { type: "record.refused", changeId, detail: { ...detail, findings, findingCount } };
}

async function archiveEntryOf(
  document: ConvertedDocument | RefusedDocument,
  { run, file }: { run: Run; file: UploadedFile },
  { archive, records }: ArchivePorts,
): Promise<void> {
  const { recordId, sourceId, hash, doi, urls, recordKey, matchKey, title = "" } = document;
  const owner = claimOwner(run.runId, document);
  const { deliveryMode } = run;
  const entryKey = archiveEntryKey(recordId, deliveryMode);
  const isDelivered = file.kind === "valid";
  const matchKeys = isDelivered && matchKey !== undefined ? [matchKey] : [];
  const keys = [...allArchiveKeys(document, deliveryMode), ...matchKeys];
  await archive.saveEntry({
    owner,
    state: archivedAs[file.kind],
    entryKey,
    keys,
    recordId,
    sourceId,
    title: title.slice(0, maxChars),
    hash,
    ...(doi !== undefined && { doi }),
    urls,
    recordKey,
    at: file.deliveredAt,
    ...(isDelivered && { file: file.fileName }),
    ...("findings" in document && {
      error: describeFindings(document.findings).join("; ").slice(0, maxChars),
    }),
  });
  if (!isDelivered) return;
  // The match keys are claimed after the entry to which they lead. If articles share a match key, the first one keeps
  // it.
  for (const key of matchKeys)
    await archive.claim(key, { owner, entryKey, state: "claimed" }, new Date(file.deliveredAt));
  await records.setState({ recordId, deliveryMode }, "delivered", { deliveryFile: file.fileName });
}
