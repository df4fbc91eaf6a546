import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { DocumentStore } from "../../records/documents/document-store.ts";
import { exceedsLimits } from "../../records/sources/deletion-limits.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import {
  changeHarvestState,
  fileHoldsOf,
  filesOfHold,
  type ListMissingFiles,
  maxExamples,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
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

/** The maximum number of missing files that are counted for the limits. */
const maxCounted = 1_000_000;

/** Notes that a source has missing files, after one was marked. The first one starts the day. */
export async function noteMissing(
  sourceId: string,
  { oaiHarvests, clock }: Pick<SettleMissingPorts, "oaiHarvests" | "clock">,
): Promise<void> {
  const missingSince = clock.now().toISOString();
  const note = async (state: OaiHarvestState) =>
    state.missingSince === undefined ? { ...state, missingSince } : undefined;
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
  for (const sourceId of sourceIds) await settleSource(sourceId, ports).catch((error) => errors.push(error));
  // A source that fails holds back no other.
  if (errors.length > 0) throw errors[0];
  return sourceIds.length;
}

async function settleSource(sourceId: string, ports: SettleMissingPorts): Promise<void> {
  const { items, oaiHarvests, clock } = ports;
  const { releasedDeletions, droppedMark } = (await oaiHarvests.get(fileHoldsOf(sourceId))) ?? {};
  /** An operator has decided on the files that were missed until then. */
  const decidedUntil = releasedDeletions?.mark ?? droppedMark;
  const keys = await items.listMissing(sourceId, decidedUntil === undefined ? maxCounted : maxFiles);
  if (decidedUntil === undefined && (await holdTooMany(sourceId, keys, ports))) return;
  const settled = await inParallel(keys.slice(0, maxFiles), maxParallel, (key) =>
    settleItem(key, { until: decidedUntil, isKept: droppedMark !== undefined }, ports),
  );
  // Otherwise, another day begins: what is missed from now on is counted together.
  if (settled.includes(true) && keys.length >= maxFiles) return;
  const missingSince = keys.length > 0 ? { missingSince: clock.now().toISOString() } : {};
  const reset = async ({ sourceId: holds, revision }: OaiHarvestState) => ({
    sourceId: holds,
    revision,
    ...missingSince,
  });
  await changeHarvestState(fileHoldsOf(sourceId), reset, oaiHarvests);
}

/** Holds the deletions of missing files if they exceed the source's limits. @returns whether they are held */
async function holdTooMany(
  sourceId: string,
  keys: readonly ItemKey[],
  ports: SettleMissingPorts,
): Promise<boolean> {
  const deletions = (await ports.sources.source(sourceId))?.deletions;
  const documents = keys.length;
  if (deletions === undefined || documents <= deletions.maxDocuments) return false;
  const of = await ports.documents.countPresent(sourceId);
  if (!exceedsLimits(deletions, { documents, of })) return false;
  const since = ports.clock.now().toISOString();
  const first = await Promise.all(keys.slice(0, maxExamples).map((key) => ports.items.get(key)));
  const examples = first.flatMap((item) => item?.url ?? []);
  const { heldDeletions } = await changeHarvestState(
    fileHoldsOf(sourceId),
    async (state) => {
      const harvestId = `${filesOfHold}${since}`;
      const held = { harvestId, mark: since, since, documents, of, examples, areFiles: true as const };
      return state.heldDeletions === undefined ? { ...state, heldDeletions: held } : undefined;
    },
    ports.oaiHarvests,
  );
  if (heldDeletions !== undefined) await publishHeld(sourceId, heldDeletions, ports);
  return true;
}

/** Deletes or keeps the item of a missing file. @returns whether it was still undecided */
async function settleItem(
  key: ItemKey,
  { until, isKept }: { until: string | undefined; isKept: boolean },
  ports: SettleMissingPorts,
): Promise<boolean> {
  const at = ports.clock.now().toISOString();
  let isSettled = false;
  await writeItem(key, ports, (item) => {
    const missing = item?.missing;
    isSettled = missing !== undefined && missing.at <= (until ?? missing.at);
    if (!isSettled || item === undefined || missing === undefined) return undefined;
    if (isKept) return { ...keepItem(item), problem: missing };
    return changeItem(item, { type: "deleted", at, reason: missing.reason });
  });
  return isSettled;
}
