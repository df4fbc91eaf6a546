// Input: delivered update files. Output: the archive and the records have the new contents. Called by
// deliver-updates.ts.

import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { summarizeOrigin } from "../../records/origin/origin-summary.ts";
import type { Reconversion } from "../../records/reconversions/reconversion.ts";
import type { DividedStep } from "../../records/runs/divided-step.ts";
import { joinParts } from "../../records/runs/parts.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { maxParallelDocuments } from "../claims/claim.ts";
import type { PlannedFile, UploadedFile } from "../stage-results/delivery.ts";
import type { ReservedUpdate } from "./tried-record.ts";

export interface ArchiveUpdatesPorts {
  runs: Pick<RunStore, "stageResult" | "finishStage" | "loadPart">;
  archive: Pick<ArchiveStore, "claim" | "entry" | "releaseClaim" | "saveUpdate">;
  records: Pick<RecordStore, "replaceDelivered">;
  events: Events;
}

/**
 * Returns the step that archives the parts of the delivered files. The id of a part is the place of its file in the
 * plan, and its own place in the file.
 */
export function archiveUpdatesStep(
  reconversion: Reconversion,
  { planned, files }: { planned: readonly PlannedFile[]; files: readonly UploadedFile[] },
  ports: ArchiveUpdatesPorts,
): DividedStep {
  const { reconversionId } = reconversion;
  const places = new Map(planned.map(({ fileName }, place) => [fileName, place]));
  const parts = new Map<string, { file: UploadedFile; partKey: string }>(
    files.flatMap((file) =>
      file.documents.keys.map(
        (partKey, index) => [`${places.get(file.fileName)}.${index}`, { file, partKey }] as const,
      ),
    ),
  );
  return {
    step: "archive-updates",
    ids: [...parts.keys()],
    documents: joinParts(files.map(({ documents }) => documents)).count,
    work: async (id) => {
      const part = parts.get(id);
      const checkpoint = `archived-${id}` as const;
      if (part === undefined || (await ports.runs.stageResult(reconversionId, checkpoint)) !== undefined)
        return;
      const updates = await ports.runs.loadPart<ReservedUpdate>(part.partKey);
      await inParallel(updates, maxParallelDocuments, (update) =>
        archiveUpdate(update, { reconversion, file: part.file }, ports),
      );
      await ports.runs.finishStage(reconversionId, checkpoint, {});
    },
  };
}

async function archiveUpdate(
  update: ReservedUpdate,
  { reconversion, file }: { reconversion: Reconversion; file: UploadedFile },
  { archive, records, events }: ArchiveUpdatesPorts,
): Promise<void> {
  const { recordId, sourceId, groupId, entryKey, owner, recordKey, former, content } = update;
  const { reconversionId, deliveryMode } = reconversion;
  const { deliveredAt: at, fileName } = file;
  const { hash, doi, urls, archiveKeys, matchKey, title, landingUrl, provenance, originFindings } = content;
  const matchKeys = matchKey === undefined ? [] : [matchKey];
  // A reversal gives up the keys that the mistake has added: they may belong to another article.
  const isReversal = reconversion.selection.type === "reversal";
  const keys = [...new Set([...(isReversal ? [] : former.archiveKeys), ...archiveKeys, ...matchKeys])];
  const isSaved = await archive.saveUpdate(entryKey, {
    owner,
    update: reconversionId,
    title,
    hash,
    doi,
    urls,
    recordKey,
    keys,
    at,
    file: fileName,
  });
  // An operator has reset the record meanwhile; a repeat finds its own update.
  if (!isSaved && (await archive.entry(entryKey))?.recordKey !== recordKey) return;
  for (const key of former.archiveKeys)
    if (!keys.includes(key) && key !== entryKey) await archive.releaseClaim(key, owner);
  for (const key of matchKeys) await archive.claim(key, { owner, entryKey, state: "claimed" }, new Date(at));
  const origin = summarizeOrigin(provenance);
  await records.replaceDelivered(
    { recordId, sourceId, deliveryMode, recordKey: former.recordKey },
    {
      ...{ recordKey, title, landingUrl, hash, provenance, origin, originFindings },
      deliveryFile: fileName,
      updatedAt: at,
    },
  );
  await events.publish({
    type: "record.updated",
    changeId: `${recordId}/updated/${reconversionId}`,
    detail: {
      recordId,
      recordUri: `/records/${recordId}`,
      sourceId,
      groupId,
      title,
      deliveryMode,
      reconversionId,
      at,
      fileName,
    },
  });
  for (const event of update.events) await events.publish(event);
}
