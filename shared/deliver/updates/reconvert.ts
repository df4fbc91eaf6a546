// Input: a reconversion that an operator has requested. Output: the differences between what was delivered and what
// conversion yields now. Called by functions/delivery/reconvert-records.ts. An accepted reconversion continues in
// deliver-updates.ts.

import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { archiveEntryKey } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type {
  Reconversion,
  ReconversionStore,
  TriedOutcome,
} from "../../records/reconversions/reconversion.ts";
import {
  type DividedStep,
  type DividedStepPorts,
  type Division,
  divideStep,
  workOnPart,
} from "../../records/runs/divided-step.ts";
import { joinParts, type Parts, PartWriter } from "../../records/runs/parts.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageRequest } from "../../records/runs/stages.ts";
import type { ValidationRuleStore } from "../validation/rule.ts";
import { compileRules } from "../validation/rule-set.ts";
import {
  currentOutcome,
  outcomesOfPart,
  reservedUpdates,
  type TriedPart,
  triedParts,
} from "./part-outcomes.ts";
import { type TryRecordPorts, tryRecord } from "./try-record.ts";

export interface ReconvertRunPorts extends DividedStepPorts, TryRecordPorts {
  runs: Pick<RunStore, "stageResult" | "finishStage" | "storePart" | "loadPart" | "updateTally" | "openIds">;
  archive: Pick<ArchiveStore, "entry" | "entryKeysOfSource">;
  reconversions: Pick<ReconversionStore, "get" | "change">;
  rules: Pick<ValidationRuleStore, "rules">;
  clock: Pick<Clock, "now">;
  /** The number of times that the part has been tried, including this one; 1 by default. */
  tries?: number;
}

/** A part is converted in an invocation, at some ten records a second. */
const defaultDivision: Division = { partSize: 100, maxInline: 100 };

/** Returns how the records of a reconversion are divided. */
export function reconversionDivision({ division }: Pick<DividedStepPorts, "division">): Division {
  return division ?? defaultDivision;
}

/** The number of records that are converted at the same time. */
const maxParallelRecords = 8;

/**
 * The pauses until lookups are expected to be answered: together half an hour, after which requests for DOIs are not
 * sent. Then the records that still wait are given up.
 */
const lookupPausesMs = [15_000, 60_000, 240_000, 600_000, 900_000];

/**
 * Converts the selected records in parts, several at the same time, and compares them with what was delivered. Nothing
 * is delivered.
 * @throws ThrottledError while records of a part wait for lookups
 */
export async function reconvertRecords(
  { runId, part }: StageRequest,
  ports: ReconvertRunPorts,
): Promise<void> {
  const reconversion = await ports.reconversions.get(runId);
  if (reconversion?.state !== "converting") return;
  const selected =
    (await ports.runs.stageResult<Parts>(runId, "selection")) ??
    (await ports.runs.finishStage(runId, "selection", await select(reconversion, ports)));
  const step = reconvertStep(reconversion, selected, ports);
  if (part !== undefined) {
    await workOnPart({ runId, part }, step.work, ports);
    return;
  }
  if (!(await divideStep(runId, step, { ...ports, division: reconversionDivision(ports) }))) return;
  const counts: Partial<Record<TriedOutcome, number>> = {};
  for (const tried of await triedParts(runId, ports.runs)) addCounts(counts, tried.counts);
  await ports.reconversions.change(runId, ["converting"], { state: "tried", counts });
}

function addCounts(sums: TriedPart["counts"], counts: TriedPart["counts"]): void {
  for (const [outcome, count] of Object.entries(counts) as [TriedOutcome, number][])
    sums[outcome] = (sums[outcome] ?? 0) + count;
}

/** Returns the selected records in parts, as `{ entryKey }` or, for a reversal, as `ReservedUpdate`. */
async function select(reconversion: Reconversion, ports: ReconvertRunPorts): Promise<Parts> {
  const { reconversionId, selection, deliveryMode } = reconversion;
  const { runs, archive } = ports;
  if (selection.type === "reversal")
    return joinParts((await reservedUpdates(selection.reconversionId, runs)).map(({ updates }) => updates));
  const { partSize } = reconversionDivision(ports);
  const writer = new PartWriter<{ entryKey: string }>(reconversionId, runs, partSize);
  const add = (recordIds: string[]) =>
    writer.add(recordIds.map((recordId) => ({ entryKey: archiveEntryKey(recordId, deliveryMode) })));
  if (selection.type === "record") await add([selection.recordId]);
  else if (selection.type === "outcome") {
    const earlier = await ports.reconversions.get(selection.reconversionId);
    for (const tried of await triedParts(selection.reconversionId, runs)) {
      const outcomes = await outcomesOfPart(selection.reconversionId, tried, runs);
      const wanted = outcomes.filter(
        ({ outcome }) => currentOutcome(outcome, earlier?.state) === selection.outcome,
      );
      await add(wanted.map(({ recordId }) => recordId));
    }
  } else {
    const { sourceId, ...days } = selection;
    for await (const entryKeys of archive.entryKeysOfSource(sourceId, deliveryMode, days))
      await writer.add(entryKeys.map((entryKey) => ({ entryKey })));
  }
  return writer.finish();
}

function reconvertStep(reconversion: Reconversion, selected: Parts, ports: ReconvertRunPorts): DividedStep {
  const { reconversionId } = reconversion;
  return {
    step: "reconvert",
    ids: selected.keys.map((_, index) => String(index)),
    documents: selected.count,
    work: async (id) => {
      const partKey = selected.keys[Number(id)];
      const checkpoint = `tried-${id}` as const;
      if (partKey === undefined || (await ports.runs.stageResult(reconversionId, checkpoint)) !== undefined)
        return;
      await ports.runs.finishStage(reconversionId, checkpoint, await tryPart(partKey, reconversion, ports));
    },
  };
}

async function tryPart(
  partKey: string,
  reconversion: Reconversion,
  { clock, tries = 1, ...ports }: ReconvertRunPorts,
): Promise<TriedPart> {
  const rules = compileRules(await ports.rules.rules());
  const items = await ports.runs.loadPart<Parameters<typeof tryRecord>[0]>(partKey);
  const all = await inParallel(items, maxParallelRecords, (item) =>
    tryRecord(item, reconversion, rules, ports),
  );
  const waiting = all.filter((one) => one === "waiting").length;
  const pauseMs = lookupPausesMs[tries - 1];
  if (waiting > 0 && pauseMs !== undefined) {
    const retryAt = new Date(clock.now().getTime() + pauseMs);
    throw new ThrottledError(`${waiting} records wait for lookups of names or DOIs`, retryAt);
  }
  const tried = await inParallel(all, maxParallelRecords, async (one, index) =>
    one === "waiting" ? giveUp(items[index], ports) : one,
  );
  const records = tried.filter((one) => one !== undefined);
  const counts: TriedPart["counts"] = {};
  for (const { outcome } of records) addCounts(counts, { [outcome]: 1 });
  const writer = new PartWriter(reconversion.reconversionId, ports.runs);
  await writer.add(records);
  return { counts, records: await writer.finish() };
}

/** Describes a record whose lookups are not answered in time. */
async function giveUp(
  item: { entryKey: string } | undefined,
  { archive, records }: Pick<TryRecordPorts, "archive" | "records">,
) {
  const entry = item && (await archive.entry(item.entryKey));
  const stored = entry && (await records.get(entry.recordId));
  if (entry === undefined || stored === undefined) return undefined;
  const { recordId, title } = entry;
  const reason = "its names or its DOI could not be looked up in time";
  return { recordId, title, landingUrl: stored.landingUrl, outcome: "unconvertible" as const, reason };
}
