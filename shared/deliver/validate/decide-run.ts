import type { Clock } from "../../core/clock.ts";
import { joinParts, type Parts, PartWriter, readParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import {
  maxPossibleDuplicates,
  type PossibleDuplicate,
  possibleDuplicateFinding,
} from "../refused/possible-duplicate.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { RefusedDocument, ValidateResult } from "../stage-results/validate-result.ts";
import type { DividedRun } from "./divide-documents.ts";
import { separateDuplicates } from "./duplicates.ts";
import type { ValidatedPart } from "./validate-part.ts";

interface DecideRunPorts {
  runs: RunStore;
  refusedRecords: Pick<RefusedStore, "listedSince">;
  clock: Pick<Clock, "now">;
}

/**
 * Joins the results of the parts, and makes the decisions that depend on all of them: released, held and duplicate
 * articles.
 */
export async function decideRun(
  run: Run,
  { released: all, joined, completedHarvests, continuedSources, late }: DividedRun,
  parts: ValidatedPart[],
  ports: DecideRunPorts,
): Promise<ValidateResult> {
  const { runs } = ports;
  const released = await separateReleased(run, { all, parts }, runs);
  const alike = await decidePossibleDuplicates(run, parts, ports);
  const refused = joinParts([...parts.map(({ delinquent }) => delinquent), alike.held]);
  const unprocessed = joinParts(parts.map((part) => part.unprocessed));
  return {
    valid: joinParts([...parts.map(({ valid }) => valid), released, alike.unmarked]),
    released,
    onlineFirst: joinParts(parts.map(({ onlineFirst }) => onlineFirst)),
    ...(unprocessed.count > 0 && { unprocessed }),
    ...(alike.delivered.count > 0 && { alike: alike.delivered }),
    ...(run.deliveryMode === "NONE"
      ? { delinquent: refused }
      : await separateDuplicates(refused, run, ports)),
    joined,
    completedHarvests,
    ...(continuedSources && { continuedSources }),
    ...(late && { late }),
    validatedAt: ports.clock.now().toISOString(),
  };
}

/** Returns the released records that were not harvested again as valid records. */
async function separateReleased(
  { runId }: Pick<Run, "runId">,
  { all, parts }: { all: Parts; parts: ValidatedPart[] },
  runs: RunStore,
): Promise<Parts> {
  const harvested = new Set(parts.flatMap(({ releasedIds }) => releasedIds));
  const released = new PartWriter<ConvertedDocument>(runId, runs);
  for await (const part of readParts<ConvertedDocument>(all, runs))
    await released.add(part.filter(({ recordId }) => !harvested.has(recordId)));
  return released.finish();
}

/**
 * Refuses the possible duplicates of delivered records if a source has too many of them in this run, or if some of its
 * possible duplicates are already held. The others are delivered.
 * @returns `held`: `RefusedDocument`s; `delivered`: `PossibleDuplicate`s; `unmarked`: the same articles as
 * `ConvertedDocument`s
 */
async function decidePossibleDuplicates(
  { runId, deliveryMode }: Pick<Run, "runId" | "deliveryMode">,
  parts: ValidatedPart[],
  { runs, refusedRecords }: DecideRunPorts,
): Promise<Record<"held" | "delivered" | "unmarked", Parts>> {
  const alike = joinParts(parts.map((part) => part.alike));
  const counts = new Map<string, number>();
  for (const { alikeCounts } of parts)
    for (const [sourceId, count] of Object.entries(alikeCounts))
      counts.set(sourceId, (counts.get(sourceId) ?? 0) + count);
  const heldSources = new Set(
    [...counts].filter(([, count]) => count > maxPossibleDuplicates).map(([sourceId]) => sourceId),
  );
  for await (const part of readParts<PossibleDuplicate>(alike, runs)) {
    const listed = await refusedRecords.listedSince(deliveryMode, part);
    for (const { recordId, sourceId } of part) if (listed.has(recordId)) heldSources.add(sourceId);
  }
  const held = new PartWriter<RefusedDocument>(runId, runs);
  const delivered = new PartWriter<PossibleDuplicate>(runId, runs);
  const unmarked = new PartWriter<ConvertedDocument>(runId, runs);
  for await (const part of readParts<PossibleDuplicate>(alike, runs)) {
    for (const one of part) {
      const { delivered: _delivered, ...document } = one;
      const findings = [possibleDuplicateFinding(one, counts.get(one.sourceId) ?? 0)];
      if (heldSources.has(one.sourceId)) await held.add([{ ...document, findings }]);
      else {
        await unmarked.add([document]);
        await delivered.add([one]);
      }
    }
  }
  return {
    held: await held.finish(),
    delivered: await delivered.finish(),
    unmarked: await unmarked.finish(),
  };
}
