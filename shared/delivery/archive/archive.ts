import { inParallel } from "../../core/in-parallel.ts";
import { entryKey } from "../../harvest/archive-keys.ts";
import type { ConvertedDocument, Run } from "../../harvest/run.ts";
import type { ArchiveStore, RecordStore, RunStore, SourceStatusStore, StageQueue } from "../../ports.ts";
import { reasonsOf } from "../../validation/finding.ts";
import { readParts } from "../pipeline/parts.ts";
import type { StageRequest } from "../pipeline/stages.ts";
import { claimant, documentsAtOnce, keysOf } from "../plan/claim.ts";
import type { FileKind, UploadedFile } from "../plan/delivery.ts";
import { uploadedFiles } from "../upload/uploaded-files.ts";
import type { DelinquentDocument } from "../validate/validate.ts";
import type { ArchiveState } from "./archive-entry.ts";

export interface ArchivePorts {
  runs: RunStore;
  records: Pick<RecordStore, "setState">;
  archive: Pick<ArchiveStore, "describe">;
  status: Pick<SourceStatusStore, "delivered">;
  next: StageQueue;
}

/**
 * Notes what became of the records: in the archive, on the records, and as the sources' last delivery. Of a run that
 * stopped at its upload it notes what is out, and leaves the rest to the time when the upload goes on.
 */
export async function archiveRun({ runId }: StageRequest, ports: ArchivePorts): Promise<void> {
  const done = await ports.runs.stageResult(runId, "archive");
  if (done === undefined) {
    const { files, areAll } = await uploadedFiles(runId, ports.runs);
    const archived = await archive(runId, files, ports);
    if (!areAll) return;
    await ports.runs.finishStage(runId, "archive", { archived });
  }
  await ports.next.send({ runId });
}

/** Gives the number of records that were delivered. */
async function archive(runId: string, files: UploadedFile[], ports: ArchivePorts): Promise<number> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  let archived = 0;
  for (const file of files) {
    const sourceIds = new Set<string>();
    for await (const part of readParts<ConvertedDocument | DelinquentDocument>(file.documents, ports.runs)) {
      await inParallel(part, documentsAtOnce, (document) => archiveDocument(document, { run, file }, ports));
      for (const { sourceId } of part) sourceIds.add(sourceId);
    }
    if (file.kind !== "valid") continue;
    archived += file.documents.count;
    // What the test system got is no delivery that anybody waits for.
    if (run.deliveryMode !== "LIVE") continue;
    await inParallel([...sourceIds], documentsAtOnce, (sourceId) =>
      ports.status.delivered(sourceId, file.deliveredAt),
    );
  }
  return archived;
}

/** Of a title, or of the reasons of a refusal: an entry is one item, and the record itself has the whole. */
const mostChars = 2000;

/** What a record of a file counts as from now on. */
const archivedAs: Record<FileKind, ArchiveState> = {
  valid: "automatic",
  onlineFirst: "online_first",
  delinquent: "error",
};

async function archiveDocument(
  document: ConvertedDocument | DelinquentDocument,
  { run, file }: { run: Run; file: UploadedFile },
  { archive, records }: ArchivePorts,
): Promise<void> {
  const { recordId, sourceId, hash, doi, urls, recordKey, title = "" } = document;
  const owner = claimant(run.runId, document);
  const { deliveryMode } = run;
  const keys = keysOf(document, deliveryMode);
  await archive.describe({
    owner,
    state: archivedAs[file.kind],
    entryKey: entryKey(recordId, deliveryMode),
    keys,
    recordId,
    sourceId,
    title: title.slice(0, mostChars),
    hash,
    ...(doi !== undefined && { doi }),
    urls,
    recordKey,
    at: file.deliveredAt,
    ...(file.kind === "valid" && { file: file.fileName }),
    ...("findings" in document && { error: reasonsOf(document.findings).join("; ").slice(0, mostChars) }),
  });
  if (file.kind !== "valid") return;
  await records.setState({ recordId, deliveryMode }, "delivered", { deliveryFile: file.fileName });
}
