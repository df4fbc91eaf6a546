import type { Document } from "../../records/documents/document.ts";
import { deleteUnlisted, surveyListed } from "../../records/documents/reconcile.ts";
import { exceedsLimits } from "../../records/sources/deletion-limits.ts";
import type { Source } from "../../records/sources/source.ts";
import { changeHarvestState } from "../oai-state/harvest-state.ts";
import { type HeldDeletions, maxExamples } from "../oai-state/held-deletions.ts";
import { publishHeld } from "../oai-state/publish-held.ts";
import type { UploadOutcome } from "../uploads/upload.ts";
import type { ReadBatch, UploadReading } from "./upload-reading.ts";

/** The files that a folder has now. */
interface FolderNames {
  source: Source;
  names: ReadonlySet<string>;
}

/** Documents that are deleted in one batch, at least; the next one looks for further ones. */
const batchSize = 5_000;

/**
 * Deletes the documents of files that a folder no longer has, unless they are held. The state says how far it is.
 * @param report takes a problem of the folder
 */
export async function* deleteVanished(
  folder: FolderNames,
  reading: UploadReading,
  report: (problem: string) => void,
): AsyncGenerator<ReadBatch> {
  let isOver = false;
  while (!isOver) {
    yield async () => {
      const isHeld = (await judgeVanished(folder, reading)) === "held";
      if (isHeld && folder.names.size === 0) report(`${emptied}; nothing was deleted`);
      const outcomes = isHeld ? [] : await deleteSome(folder, reading);
      isOver = outcomes.length < batchSize;
      if (isOver && !isHeld) await settle(folder, reading);
      return outcomes;
    };
  }
}

/**
 * Decides whether the documents of vanished files may be deleted. They are held if they are more than the source's limits, or
 * all, until an operator releases just them. What may be deleted stays so for this upload.
 */
async function judgeVanished(folder: FolderNames, reading: UploadReading): Promise<"deletable" | "held"> {
  const { upload, ports } = reading;
  const { uploadId, pollId = uploadId } = upload;
  const { sourceId, deletions } = folder.source;
  const state = await ports.oaiHarvests.get(sourceId);
  if (state?.reconciled?.harvestId === uploadId) return "deletable";
  const steps = surveyListed(sourceId, { ...listingOf(folder, reading), maxExamples }, ports.kept);
  let step = await steps.next();
  while (!step.done) step = await steps.next();
  const { absent: documents, present: of, examples, absentDigest: mark } = step.value.survey;
  if (documents === 0) return "deletable";
  const isEmptied = folder.names.size === 0;
  const isReleased = state?.releasedDeletions?.mark === mark;
  if (isReleased || !(isEmptied || exceedsLimits(deletions, { documents, of }))) {
    const reconciled = { harvestId: uploadId, isDeleting: true as const };
    await changeHarvestState(sourceId, async (now) => ({ ...now, reconciled }), ports.oaiHarvests);
    return "deletable";
  }
  const since = ports.clock.now().toISOString();
  const unconfirmed = isEmptied ? { unconfirmed: emptied } : {};
  const held: HeldDeletions = { harvestId: pollId, mark, since, documents, of, examples, ...unconfirmed };
  const { heldDeletions } = await changeHarvestState(
    sourceId,
    async (now) => {
      if (now.heldDeletions?.mark === mark) return undefined;
      const { heldDeletions: _h, releasedDeletions: _r, ...others } = now;
      return now.droppedMark === mark ? others : { ...others, heldDeletions: held };
    },
    ports.oaiHarvests,
  );
  if (heldDeletions?.harvestId === pollId) await publishHeld(sourceId, heldDeletions, ports);
  return "held";
}

/** Why the documents of a folder without files are held. */
const emptied = "the folder is empty, although it had files";

/** Documents that were changed since the folder was listed are left to the next poll. */
function listingOf({ names }: FolderNames, { upload: { receivedAt, createdAt } }: UploadReading) {
  const isListed = ({ identifier: [name] }: Document) => names.has(name);
  return { isListed, listedAt: receivedAt ?? createdAt };
}

async function deleteSome(folder: FolderNames, reading: UploadReading): Promise<UploadOutcome[]> {
  const { kept } = reading.ports;
  const pages = deleteUnlisted(folder.source.sourceId, listingOf(folder, reading), kept);
  const outcomes: UploadOutcome[] = [];
  for (;;) {
    const { value, done } = await pages.next();
    for (const { identifier, documentId } of value.deleted)
      outcomes.push({ type: "document", name: identifier[0], outcome: "deleted", documentId });
    if (done || outcomes.length >= batchSize) return outcomes;
  }
}

/** Nothing is held any more: the folder lacks no documents, or they are deleted. */
async function settle({ source }: FolderNames, { ports }: UploadReading): Promise<void> {
  await changeHarvestState(
    source.sourceId,
    async (now) => {
      const { reconciled: _r, heldDeletions: _h, releasedDeletions: _l, droppedMark: _d, ...settled } = now;
      return Object.keys(settled).length === Object.keys(now).length ? undefined : settled;
    },
    ports.oaiHarvests,
  );
}
