import { type ArchiveState, entryExpiry } from "../../archive/archive-entry.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { type Parts, PartWriter, readParts } from "../../runs/parts.ts";
import type { ConvertedDocument, Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import { defaultWindowDays, deliveryWindowDays } from "../report/overdue.ts";
import type { ValidateResult } from "../validate/validate-result.ts";
import { type ClaimedDocuments, claimDocuments, type DuplicateDocument } from "./claim.ts";
import { type FileKind, fileKinds, type PlannedFile } from "./delivery.ts";
import { FileBatches, type FileBatchesPorts } from "./file-batches.ts";

export interface PlanPorts extends FileBatchesPorts {
  runs: Pick<RunStore, "storePart" | "loadPart" | "stageResult" | "finishStage">;
  archive: Pick<ArchiveStore, "claim" | "claimOf" | "entry">;
  sources: Pick<SourceStore, "sourcesByMode" | "groups">;
}

/**
 * Which record goes into which file. It is stored before any file is written, so that a repeated upload writes the same
 * files.
 */
export interface DeliveryPlan {
  files: PlannedFile[];
  /** `DuplicateDocument`s: the same article as a record delivered before, or in a file of this run. */
  duplicates: Parts;
}

/** The archive state of the claims for a kind of file. */
const claimedAs: Record<FileKind, ArchiveState> = {
  valid: "claimed",
  onlineFirst: "online_first",
  delinquent: "error",
};

const endOfTime = new Date(8.64e15);

/** Claims the records of a run and divides them into files by kind and group. */
export async function planFiles(
  run: Run,
  validated: ValidateResult,
  ports: PlanPorts,
): Promise<DeliveryPlan> {
  const { sources } = await ports.sources.sourcesByMode(run.deliveryMode);
  const windows = new Map(sources.map((source) => [source.sourceId, deliveryWindowDays(source)]));
  const startedAt = new Date(run.startedAt);
  const validatedAt = new Date(validated.validatedAt);
  const released = await recordIdsOf(validated.released, ports.runs);
  // A released record does not wait for volume and issue, so every claim that can expire counts as expired.
  const at = ({ recordId }: ConvertedDocument) => (released.has(recordId) ? endOfTime : validatedAt);
  const duplicates = new PartWriter<DuplicateDocument>(run.runId, ports.runs);
  for await (const part of readParts<DuplicateDocument>(validated.duplicates, ports.runs))
    await duplicates.add(part);
  const files: PlannedFile[] = [];
  const { groups } = await ports.sources.groups();
  for (const kind of fileKinds) {
    const state = claimedAs[kind];
    const expiry = (sourceId: string) =>
      entryExpiry(state, windows.get(sourceId) ?? defaultWindowDays, startedAt);
    const batches = new FileBatches(run, kind, { ...ports, groups });
    for (const [index, partKey] of validated[kind].keys.entries()) {
      const part = await ports.runs.loadPart<ConvertedDocument>(partKey);
      // A repeat continues with the first part that is not claimed.
      const checkpoint = `claims-${kind}-${index}` as const;
      const { claimed, missed } =
        (await ports.runs.stageResult<ClaimedDocuments>(run.runId, checkpoint)) ??
        (await ports.runs.finishStage(
          run.runId,
          checkpoint,
          await claimDocuments(part, run, { state, at, expiryOf: expiry }, ports.archive),
        ));
      if (kind !== "delinquent") await duplicates.add(missed);
      await batches.add(kind === "delinquent" ? part : claimed);
    }
    files.push(...(await batches.finish()));
  }
  return { files, duplicates: await duplicates.finish() };
}

async function recordIdsOf(parts: Parts, runs: Pick<RunStore, "loadPart">): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const part of readParts<ConvertedDocument>(parts, runs)) {
    for (const { recordId } of part) ids.add(recordId);
  }
  return ids;
}
