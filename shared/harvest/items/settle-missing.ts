import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { DocumentStore } from "../../records/documents/document-store.ts";
import { exceedsLimits } from "../../records/sources/deletion-limits.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import {
  fileHoldId,
  fileHoldsOf,
  type HeldDeletions,
  type ListMissingFiles,
  maxExamples,
} from "../oai-state/held-deletions.ts";
import { publishHeld } from "../oai-state/publish-held.ts";
import { changeItem, type ItemKey, type ItemStore, keepItem } from "./item.ts";
import { type WriteItemPorts, writeItem } from "./write-item.ts";

export interface SettleMissingPorts extends WriteItemPorts {
  items: ItemStore;
  documents: Pick<DocumentStore, "countPresent">;
  sources: Pick<SourceStore, "source">;
  oaiHarvests: OaiHarvestStore;
  missingFiles: ListMissingFiles;
  clock: Pick<Clock, "now">;
}

/** The missing files of a source are counted for a day, because a polite harvest requests thousands of files in hours. */
const countedMs = dayMs;

/** The maximum number of sources, and of files of a source, per invocation. The next invocation continues. */
const maxSources = 100;
const maxFiles = 2000;
const maxParallel = 16;

/**
 * Notes that a source has missing files, after one was marked. The first one starts the day, also if none was missing when
 * the present day began, or if the clock was ahead then.
 */
export async function noteMissing(
  sourceId: string,
  { oaiHarvests, clock }: Pick<SettleMissingPorts, "oaiHarvests" | "clock">,
): Promise<void> {
  const missingSince = clock.now().toISOString();
  const note = async ({ isQuiet, ...state }: OaiHarvestState) => {
    const isBegun = !isQuiet && state.missingSince !== undefined && state.missingSince <= missingSince;
    return isBegun ? undefined : { ...state, missingSince };
  };
  await changeHarvestState(fileHoldsOf(sourceId), note, oaiHarvests);
}

/**
 * Deletes the files that their hosts no longer have, a day after the first one of the source was missed. If they are
 * more than the source's limits, they are held until an operator decides. Repeatable.
 * @returns the number of sources with missing files
 */
export async function settleMissing(ports: SettleMissingPorts): Promise<number> {
  const before = new Date(ports.clock.now().getTime() - countedMs).toISOString();
  const sourceIds = await ports.missingFiles(before, maxSources);
  const errors: unknown[] = [];
  for (const sourceId of sourceIds)
    await settleSource(sourceId, before, ports).catch((error) => errors.push(error));
  // A source that fails holds back no other.
  if (errors.length > 0) throw errors[0];
  return sourceIds.length;
}

async function settleSource(sourceId: string, before: string, ports: SettleMissingPorts): Promise<void> {
  const { items, oaiHarvests, clock } = ports;
  const judged = await changeHarvestState(
    fileHoldsOf(sourceId),
    // The list of sources may be a second out of date: another invocation may have begun the next day.
    async (state) => ((state.missingSince ?? before) < before ? judge(sourceId, state, ports) : undefined),
    oaiHarvests,
  );
  const until = decidedUntil(judged);
  if (until === undefined) return publishHold(sourceId, judged.heldDeletions, ports);
  const isKept = judged.droppedMark !== undefined;
  const keys = await items.listMissing(sourceId, maxFiles);
  const settled = await inParallel(keys, maxParallel, (key) => settleItem(key, { until, isKept }, ports));
  if (settled.includes(true) && keys.length >= maxFiles) return;
  // Another day begins: what is missed from now on is counted together. The source is forgotten after a day without missing
  // files, not before: a file may be marked now whose note finds that the source is known.
  const missingSince = clock.now().toISOString();
  const areLeft = keys.length > 0;
  const nextDay = async (state: OaiHarvestState) => {
    const { sourceId: holds, revision, isQuiet } = state;
    if (decidedUntil(state) !== until) return undefined;
    if (!areLeft && isQuiet) return { sourceId: holds, revision };
    return { sourceId: holds, revision, missingSince, ...(!areLeft && { isQuiet: true as const }) };
  };
  await changeHarvestState(fileHoldsOf(sourceId), nextDay, oaiHarvests);
}

/** Returns until when the missing files are decided on: by an operator, or because they are within the limits. */
function decidedUntil({ releasedDeletions, droppedMark, settlesUntil }: OaiHarvestState): string | undefined {
  return releasedDeletions?.mark ?? droppedMark ?? settlesUntil;
}

/** Holds the deletions of the files that are missing now, if they exceed the source's limits, or lets them happen. */
async function judge(
  sourceId: string,
  state: OaiHarvestState,
  { items, documents, sources, clock }: SettleMissingPorts,
): Promise<OaiHarvestState | undefined> {
  if (state.heldDeletions !== undefined || decidedUntil(state) !== undefined) return undefined;
  const since = clock.now().toISOString();
  const deletable = { ...state, settlesUntil: since };
  const limits = (await sources.source(sourceId))?.deletions;
  if (limits === undefined) return deletable;
  const missing = await items.countMissing(sourceId);
  if (missing <= limits.maxDocuments) return deletable;
  const of = await documents.countPresent(sourceId);
  if (!exceedsLimits(limits, { documents: missing, of })) return deletable;
  const first = await items.listMissing(sourceId, maxExamples);
  const examples = (await Promise.all(first.map((key) => items.get(key)))).flatMap((item) => item?.url ?? []);
  const heldDeletions: HeldDeletions = {
    harvestId: fileHoldId(since),
    mark: since,
    since,
    documents: missing,
    of,
    examples,
    areFiles: true,
    isUnpublished: true,
  };
  return { ...state, heldDeletions };
}

/** Publishes that deletions of files are held, if any are. If this invocation is killed, the next one publishes it again. */
async function publishHold(
  sourceId: string,
  held: HeldDeletions | undefined,
  ports: SettleMissingPorts,
): Promise<void> {
  if (!held?.isUnpublished) return;
  await publishHeld(sourceId, held, ports);
  const { isUnpublished: _done, ...published } = held;
  const note = async (state: OaiHarvestState) =>
    state.heldDeletions?.harvestId === held.harvestId && state.heldDeletions.isUnpublished
      ? { ...state, heldDeletions: published }
      : undefined;
  await changeHarvestState(fileHoldsOf(sourceId), note, ports.oaiHarvests);
}

/** Deletes or keeps the item of a missing file. @returns whether it was still undecided */
async function settleItem(
  key: ItemKey,
  { until, isKept }: { until: string; isKept: boolean },
  ports: SettleMissingPorts,
): Promise<boolean> {
  const at = ports.clock.now().toISOString();
  let isSettled = false;
  await writeItem(key, ports, (item) => {
    const missing = item?.missing;
    isSettled = missing !== undefined && missing.at <= until;
    if (!isSettled || item === undefined || missing === undefined) return undefined;
    if (isKept) return { ...keepItem(item), problem: missing };
    return changeItem(item, { type: "deleted", at, reason: missing.reason });
  });
  return isSettled;
}
