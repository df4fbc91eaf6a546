// Input: the differences of a reconversion that an operator has accepted. Output: the updates that may be delivered,
// and the reasons why others are stale. Called by deliver-updates.ts.

import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import {
  isDelivering,
  type Reconversion,
  type ReconversionStore,
} from "../../records/reconversions/reconversion.ts";
import type { DividedStep } from "../../records/runs/divided-step.ts";
import type { Parts } from "../../records/runs/parts.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { maxParallelDocuments } from "../claims/claim.ts";
import { outcomesOfPart, type ReservedPart, type TriedPart, triedParts } from "./part-outcomes.ts";
import type { ReservedUpdate, Update } from "./tried-record.ts";

export interface ReserveUpdatesPorts {
  runs: Pick<RunStore, "stageResult" | "finishStage" | "storePart" | "loadPart">;
  archive: Pick<ArchiveStore, "entry" | "claim" | "releaseClaim" | "reserveUpdate">;
  records: Pick<RecordStore, "storeMarcs">;
  reconversions: Pick<ReconversionStore, "get">;
  clock: Pick<Clock, "now">;
}

/** Returns the step that stores the new records and reserves their entries in the archive. */
export async function reserveStep(
  { reconversionId, counts = {} }: Reconversion,
  ports: ReserveUpdatesPorts,
): Promise<DividedStep> {
  const selected = await ports.runs.stageResult<Parts>(reconversionId, "selection");
  return {
    step: "reserve",
    ids: (selected?.keys ?? []).map((_, index) => String(index)),
    documents: counts.changed ?? 0,
    work: async (id) => {
      const checkpoint = `reserved-${id}` as const;
      const part = await ports.runs.stageResult<TriedPart>(reconversionId, `tried-${id}`);
      if (part === undefined || (await ports.runs.stageResult(reconversionId, checkpoint)) !== undefined)
        return;
      const outcomes = await outcomesOfPart(reconversionId, { ...part, id }, ports.runs);
      const updates = outcomes.flatMap((one) => (one.outcome === "changed" ? [one.update] : []));
      await ports.runs.finishStage(
        reconversionId,
        checkpoint,
        await reservePart(reconversionId, updates, ports),
      );
    },
  };
}

async function reservePart(
  reconversionId: string,
  updates: Update[],
  ports: ReserveUpdatesPorts,
): Promise<ReservedPart> {
  const recordKeys = await ports.records.storeMarcs(updates.map(({ record }) => record));
  const reasons = await inParallel(updates, maxParallelDocuments, (update) =>
    reserve(reconversionId, update, ports),
  );
  const reserved = updates.flatMap(({ record: _record, ...update }, index): ReservedUpdate[] => {
    const recordKey = recordKeys[index];
    return reasons[index] === undefined && recordKey !== undefined ? [{ ...update, recordKey }] : [];
  });
  const groups: ReservedPart["groups"] = [];
  for (const [groupId, own] of Map.groupBy(reserved, (update) => update.groupId))
    groups.push({ groupId, key: await ports.runs.storePart(reconversionId, own), count: own.length });
  const stale = updates.flatMap(({ recordId }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [{ recordId, reason }];
  });
  return { groups, stale };
}

/**
 * Reserves the entry of a delivered record, so that no other reconversion delivers it meanwhile, and claims the keys
 * that its new content adds. Repeatable.
 * @returns the reason why the update cannot be delivered; undefined when it is reserved
 */
async function reserve(
  reconversionId: string,
  { entryKey, owner, former, content }: Update,
  { archive, reconversions, clock }: ReserveUpdatesPorts,
): Promise<string | undefined> {
  const wanted = { owner, recordKey: former.recordKey, update: reconversionId };
  if (!(await archive.reserveUpdate(entryKey, wanted))) {
    const entry = await archive.entry(entryKey);
    if (entry?.state !== "automatic")
      return `it is no longer delivered: its state is ${entry?.state ?? "unknown"}`;
    if (entry.owner !== owner || entry.recordKey !== former.recordKey)
      return "it has been delivered again since";
    const { pendingUpdate: holder } = entry;
    const isHeld = holder !== undefined && (await holds(holder, reconversions));
    if (isHeld) return `the reconversion ${holder} is delivering it`;
    if (!(await archive.reserveUpdate(entryKey, { ...wanted, insteadOf: holder })))
      return "it has changed meanwhile";
  }
  const added = content.archiveKeys.filter((key) => !former.archiveKeys.includes(key)).sort();
  for (const [index, key] of added.entries()) {
    if (await archive.claim(key, { owner, entryKey, state: "claimed" }, clock.now())) continue;
    for (const earlier of added.slice(0, index)) await archive.releaseClaim(earlier, owner);
    const other = await archive.entry(key);
    return `another record has the key ${key}${other === undefined ? "" : `: ${other.recordId}`}`;
  }
  return undefined;
}

/** Releases the keys that a cancelled reconversion has claimed for new contents: other articles may have them. Repeatable. */
export async function releaseReserved(
  reconversionId: string,
  { archive, runs }: Pick<ReserveUpdatesPorts, "archive" | "runs">,
): Promise<void> {
  for (const part of await triedParts(reconversionId, runs)) {
    const outcomes = await outcomesOfPart(reconversionId, part, runs);
    await inParallel(outcomes, maxParallelDocuments, async (one) => {
      if (one.outcome !== "changed") return;
      const { entryKey, owner, content } = one.update;
      const entry = await archive.entry(entryKey);
      if (entry === undefined || entry.pendingUpdate !== reconversionId) return;
      for (const key of content.archiveKeys)
        if (!entry.keys.includes(key)) await archive.releaseClaim(key, owner);
    });
  }
}

/** Decides whether a reconversion still holds the records that it has reserved. */
async function holds(reconversionId: string, { get }: Pick<ReconversionStore, "get">): Promise<boolean> {
  const reconversion = await get(reconversionId);
  return reconversion !== undefined && isDelivering(reconversion);
}
