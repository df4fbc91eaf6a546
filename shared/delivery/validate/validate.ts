import type { ArchiveStore } from "../../archive/archive-store.ts";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import { endLateHarvest, hasLateHarvest, startLateHarvest } from "../../runs/late-harvest.ts";
import { longHarvestsToJoin } from "../../runs/long-harvest.ts";
import { type Parts, PartWriter, readParts } from "../../runs/parts.ts";
import { reconcileTallies } from "../../runs/reconcile.ts";
import {
  acceptsOutcomes,
  type ConvertedDocument,
  type DocumentOutcome,
  type Run,
  type RunMode,
} from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { StageQueue, StageRequest } from "../../runs/stages.ts";
import { sourcesTallyName } from "../../runs/tally-names.ts";
import { describeFindings } from "../../validation/finding.ts";
import type { ValidationRuleStore } from "../../validation/rule.ts";
import { compileRules } from "../../validation/rule-set.ts";
import { validateRecord } from "../../validation/validate-record.ts";
import type { DelinquentStore } from "../delinquent/delinquent-store.ts";
import { separateDuplicates } from "./duplicates.ts";
import { readLongHarvests, takeJoinedBatches } from "./joined-harvests.ts";
import { type AlikeDocument, heldFinding, maxAlike, separateAlike } from "./perhaps-same.ts";
import type { DelinquentDocument, ValidateResult } from "./validate-result.ts";

export interface ValidatePorts {
  runs: RunStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  rules: Pick<ValidationRuleStore, "rules">;
  delinquents: Pick<DelinquentStore, "listedSince" | "releasedPages" | "save" | "remove">;
  archive: Pick<ArchiveStore, "knownReasons" | "entry">;
  next: StageQueue;
  clock: Pick<Clock, "now">;
}

/** Records read or updated at the same time. */
const maxParallelRecords = 32;

/**
 * Ends the harvest of a run and validates its records. Later documents wait for the next run. Released records join the
 * run, and so do the documents of long harvests. A preview ends here.
 */
export async function validateRun({ runId }: StageRequest, ports: ValidatePorts): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  // To a run that is being delivered, its deadline and the end of its last source say only that nothing late follows.
  if (!acceptsOutcomes(run)) await endLateHarvest(run, ports.clock.now(), ports.runs);
  if (run.state === "finished") return;
  // At its deadline: a source counts as unanswered only if its outcomes are not there. The delivery has begun.
  if (run.state === "harvesting")
    await reconcileTallies(runId, { runs: ports.runs, delivery: { send: async () => {} } });
  if (!(await isToDeliver(run, ports))) return;
  await ports.runs.changeState(runId, ["starting", "harvesting"], { state: "delivering" });
  const result =
    (await ports.runs.stageResult<ValidateResult>(runId, "validate")) ??
    (await ports.runs.finishStage(runId, "validate", await validateAll(run, ports)));
  if (run.deliveryMode === "NONE") {
    await ports.runs.changeState(runId, ["delivering"], { state: "finished" });
    return;
  }
  await takeJoinedBatches(run, result, ports);
  await saveOutcomes(run, result, ports);
  await removeTakenUp(run, result, ports);
  await ports.next.send({ runId });
}

/**
 * Whether the delivery of a run begins. Before its deadline, while sources are late: only if something is finished; then what
 * they bring later goes to the next delivery.
 */
async function isToDeliver(run: Run, ports: ValidatePorts): Promise<boolean> {
  const { runs, clock } = ports;
  const { runId, state, softDeadlineAt, deadlineAt } = run;
  const isSoft = softDeadlineAt !== undefined && clock.now().getTime() < Date.parse(deadlineAt);
  if (!isSoft || !acceptsOutcomes(run)) return true;
  if ((await runs.openIds(runId, sourcesTallyName)).length === 0) return true;
  // Its start has not been completed: sources may not have been asked yet.
  if (state === "starting" || !(await hasConverted(run, ports))) return false;
  await startLateHarvest(run, runs);
  return true;
}

/** Whether a run, or a long harvest that joins it, has an article to deliver. */
async function hasConverted(run: Run, { runs, clock }: ValidatePorts): Promise<boolean> {
  const isConverted = ({ state }: DocumentOutcome) => state === "converted";
  for await (const page of runs.outcomeBatches(run.runId)) if (page.some(isConverted)) return true;
  for (const { runId } of await longHarvestsToJoin(run, { runs, clock }))
    for await (const { outcomes } of runs.undeliveredBatches(runId))
      if (outcomes.some(isConverted)) return true;
  return false;
}

async function validateAll(run: Run, ports: ValidatePorts): Promise<ValidateResult> {
  const { runId, deliveryMode } = run;
  const { runs, records } = ports;
  const rules = compileRules(await ports.rules.rules());
  const releasedNotHarvested = await releasedIds(deliveryMode, ports);
  const valid = new PartWriter<ConvertedDocument>(runId, runs);
  const onlineFirst = new PartWriter<ConvertedDocument>(runId, runs);
  const delinquent = new PartWriter<DelinquentDocument>(runId, runs);
  const alike = new PartWriter<AlikeDocument>(runId, runs);
  const alikeCounts = new Map<string, number>();
  /** A preview asks the archive nothing. */
  const addValid = async (documents: ConvertedDocument[]) => {
    if (deliveryMode === "NONE") return valid.add(documents);
    const separated = await separateAlike(documents, ports.archive);
    await valid.add(separated.others);
    await alike.add(separated.alike);
    for (const { sourceId } of separated.alike)
      alikeCounts.set(sourceId, (alikeCounts.get(sourceId) ?? 0) + 1);
  };
  const validateBatch = async (page: DocumentOutcome[]) => {
    const converted = page.filter((document) => document.state === "converted");
    const validated = await inParallel(converted, maxParallelRecords, async (document) => {
      const record = await records.loadMarc(document.recordKey);
      return { document, ...validateRecord(record, { source: document.sourceId, rules }) };
    });
    const fresh: ConvertedDocument[] = [];
    for (const { document, outcome, findings } of validated) {
      // An operator has said that a released record is to be delivered.
      if (outcome === "valid" && releasedNotHarvested.delete(document.recordId)) await valid.add([document]);
      else if (outcome === "valid") fresh.push(document);
      // A released record that was harvested again and is not valid is delivered as it was released.
      if (outcome === "valid" || releasedNotHarvested.has(document.recordId)) continue;
      if (outcome === "online_first") await onlineFirst.add([document]);
      else await delinquent.add([{ ...document, findings }]);
    }
    await addValid(fresh);
  };
  for await (const page of runs.outcomeBatches(runId)) await validateBatch(page);
  const joined = await readLongHarvests(run, ports, validateBatch);
  const released = new PartWriter<ConvertedDocument>(runId, runs);
  for await (const page of ports.delinquents.releasedPages(deliveryMode)) {
    // A record released since the ids were read may have been refused above: it joins the next run.
    const documents = page
      .map(({ document }) => document)
      .filter(({ recordId }) => releasedNotHarvested.delete(recordId));
    for (const writer of [valid, released]) await writer.add(documents);
  }
  const found = { parts: await alike.finish(), counts: alikeCounts };
  const delivered = await decideAlike(found, run, { valid, delinquent }, ports);
  const refused = await delinquent.finish();
  return {
    valid: await valid.finish(),
    released: await released.finish(),
    onlineFirst: await onlineFirst.finish(),
    ...(delivered.count > 0 && { alike: delivered }),
    ...(deliveryMode === "NONE" ? { delinquent: refused } : await separateDuplicates(refused, run, ports)),
    ...joined,
    ...(await lateSources(run, runs)),
    validatedAt: ports.clock.now().toISOString(),
  };
}

/** The sources that are read on while the run is delivered. */
async function lateSources(run: Run, runs: RunStore): Promise<Pick<ValidateResult, "late">> {
  if (!(await hasLateHarvest(run, runs))) return {};
  const late = await runs.openIds(run.runId, sourcesTallyName);
  return late.length === 0 ? {} : { late: late.toSorted() };
}

/**
 * Holds the articles that are perhaps the same as delivered records if a source has too many of them at once, or if it has
 * some that are held already; the others are delivered.
 * @returns the delivered ones, `AlikeDocument`s
 */
async function decideAlike(
  { parts, counts }: { parts: Parts; counts: ReadonlyMap<string, number> },
  { runId, deliveryMode }: Run,
  to: { valid: PartWriter<ConvertedDocument>; delinquent: PartWriter<DelinquentDocument> },
  { runs, delinquents }: ValidatePorts,
): Promise<Parts> {
  const held = new Set([...counts].filter(([, count]) => count > maxAlike).map(([sourceId]) => sourceId));
  for await (const part of readParts<AlikeDocument>(parts, runs)) {
    const listed = await delinquents.listedSince(deliveryMode, part);
    for (const { recordId, sourceId } of part) if (listed.has(recordId)) held.add(sourceId);
  }
  const delivered = new PartWriter<AlikeDocument>(runId, runs);
  for await (const part of readParts<AlikeDocument>(parts, runs)) {
    for (const one of part) {
      const { delivered: _delivered, ...document } = one;
      const findings = [heldFinding(one, counts.get(one.sourceId) ?? 0)];
      if (held.has(one.sourceId)) await to.delinquent.add([{ ...document, findings }]);
      else {
        await to.valid.add([document]);
        await delivered.add([one]);
      }
    }
  }
  return delivered.finish();
}

/**
 * The ids of the records that operators or corrected rules have released since the last run of the mode. There may be
 * many.
 */
async function releasedIds(mode: RunMode, { delinquents }: ValidatePorts): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of delinquents.releasedPages(mode)) {
    for (const { document } of page) ids.add(document.recordId);
  }
  return ids;
}

/** Sets the states of the records, and lists the delinquent ones for operators. */
async function saveOutcomes(run: Run, result: ValidateResult, ports: ValidatePorts): Promise<void> {
  const { runs, records, delinquents } = ports;
  const { deliveryMode, startedAt: refusedAt } = run;
  for await (const part of readParts<ConvertedDocument>(result.onlineFirst, runs)) {
    await inParallel(part, maxParallelRecords, ({ recordId }) =>
      records.setState({ recordId, deliveryMode }, "online-first"),
    );
  }
  for await (const part of readParts<DelinquentDocument>(result.delinquent, runs)) {
    await inParallel(part, maxParallelRecords, async ({ findings, refusedSince: _since, ...document }) => {
      const { recordId } = document;
      await records.setState({ recordId, deliveryMode }, "delinquent", {
        findings: describeFindings(findings),
      });
      const findingCount = findings.length;
      await delinquents.save({ deliveryMode, document, findings, findingCount, refusedAt });
    });
  }
}

/** Removes from the list of delinquent records those that this run delivers, or keeps as online-first. */
async function removeTakenUp(
  run: Run,
  result: ValidateResult,
  { runs, delinquents }: ValidatePorts,
): Promise<void> {
  const { deliveryMode, startedAt: upTo } = run;
  const taken = [
    { parts: result.valid, includesReleased: true },
    // A record that an operator has released meanwhile joins the next run.
    { parts: result.onlineFirst, includesReleased: false },
    // An earlier run may have found the article at this URL alone.
    { parts: result.duplicates, includesReleased: false },
  ];
  for (const { parts, includesReleased } of taken) {
    for await (const part of readParts<ConvertedDocument>(parts, runs)) {
      const listed = await delinquents.listedSince(deliveryMode, part);
      const documents = part.filter(({ recordId }) => listed.has(recordId));
      await inParallel(documents, maxParallelRecords, (document) =>
        delinquents.remove({ deliveryMode, document }, { upTo, includesReleased }),
      );
    }
  }
}
