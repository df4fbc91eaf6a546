import type { Clock } from "../../core/clock.ts";
import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import {
  type DividedStep,
  type DividedStepPorts,
  divideStep,
  workOnPart,
} from "../../records/runs/divided-step.ts";
import { endLateHarvest, hasLateHarvest, startLateHarvest } from "../../records/runs/late-harvest.ts";
import { longHarvestsToJoin } from "../../records/runs/long-harvest.ts";
import { reconcileTallies } from "../../records/runs/reconcile.ts";
import { acceptsOutcomes, type DocumentOutcome, type Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue, StageRequest } from "../../records/runs/stages.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import { type PartQuality, RunQuality } from "../quality/figures.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import type { ValidationRuleStore } from "../validation/rule.ts";
import { decideRun } from "./decide-run.ts";
import { type DividedRun, divideDocuments } from "./divide-documents.ts";
import { type HarvestLimit, takeJoinedBatches } from "./joined-harvests.ts";
import { settleSteps } from "./settle.ts";
import { type ValidatedPart, validatePart } from "./validate-part.ts";

export interface ValidatePorts extends DividedStepPorts, HarvestLimit {
  runs: RunStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  rules: Pick<ValidationRuleStore, "rules">;
  refusedRecords: Pick<RefusedStore, "listedSince" | "releasedPages" | "save" | "remove">;
  archive: Pick<ArchiveStore, "knownReasons" | "entry">;
  next: StageQueue;
  clock: Pick<Clock, "now">;
  isLastTry?: boolean;
}

/** The number of results of parts that are read at the same time. */
const maxParallelResults = 32;

/**
 * Ends the harvest of a run, and validates its records in parts, several at the same time. Documents that arrive later
 * wait for the next run. Released records and the documents of long harvests join the run. A preview ends here.
 */
export async function validateRun({ runId, part }: StageRequest, ports: ValidatePorts): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  // While a run is being delivered, its deadline and the end of its last source only end its late harvest.
  if (part === undefined && !acceptsOutcomes(run)) await endLateHarvest(run, ports.clock.now(), ports.runs);
  if (run.state === "finished") return;
  if (part !== undefined) {
    const step = await stepOf(run, part.step, ports);
    if (step !== undefined) await workOnPart({ runId, part }, step.work, ports);
    return;
  }
  // At the deadline, a source counts as unanswered only if its outcomes are missing. The delivery has begun.
  if (run.state === "harvesting")
    await reconcileTallies(runId, { runs: ports.runs, delivery: { send: async () => {} } });
  if (!(await isToDeliver(run, ports))) return;
  await ports.runs.changeState(runId, ["starting", "harvesting"], { state: "delivering" });
  const result =
    (await ports.runs.stageResult<ValidateResult>(runId, "validate")) ?? (await decide(run, ports));
  if (result === undefined) return;
  if (run.deliveryMode === "NONE") {
    await ports.runs.changeState(runId, ["delivering"], { state: "finished" });
    return;
  }
  if ((await ports.runs.stageResult(runId, "settled")) === undefined) {
    await takeJoinedBatches(run, result, ports);
    for (const step of settleSteps(run, result, ports)) {
      if (!(await divideStep(runId, step, ports))) return;
    }
    await ports.runs.finishStage(runId, "settled", {});
  }
  await ports.next.send({ runId });
}

/**
 * Decides whether the delivery of a run begins. Before the deadline, while sources are late, the delivery begins only
 * if an article is finished. The later results of these sources then belong to the next delivery.
 */
async function isToDeliver(run: Run, ports: ValidatePorts): Promise<boolean> {
  const { runs, clock } = ports;
  const { runId, state, softDeadlineAt, deadlineAt } = run;
  const isSoft = softDeadlineAt !== undefined && clock.now().getTime() < Date.parse(deadlineAt);
  if (!isSoft || !acceptsOutcomes(run)) return true;
  if ((await runs.openIds(runId, sourcesTallyName)).length === 0) return true;
  // The start of the run has not been completed, so some sources may not have been requested yet.
  if (state === "starting" || !(await hasConverted(run, ports))) return false;
  await startLateHarvest(run, runs);
  return true;
}

/** Returns whether a run, or a long harvest that joins it, has an article to deliver. */
async function hasConverted(run: Run, { runs, clock }: ValidatePorts): Promise<boolean> {
  const isConverted = ({ state }: DocumentOutcome) => state === "converted";
  for await (const page of runs.outcomeBatches(run.runId)) if (page.some(isConverted)) return true;
  for (const { runId } of await longHarvestsToJoin(run, { runs, clock }))
    for await (const { outcomes } of runs.undeliveredBatches(runId))
      if (outcomes.some(isConverted)) return true;
  return false;
}

/**
 * Makes the decisions that need all parts.
 * @returns undefined while parts are being validated
 */
async function decide(run: Run, ports: ValidatePorts): Promise<ValidateResult | undefined> {
  const { runId } = run;
  const { runs } = ports;
  const divided =
    (await runs.stageResult<DividedRun>(runId, "division")) ??
    (await runs.finishStage(runId, "division", {
      ...(await divideDocuments(run, ports)),
      ...(await lateSources(run, runs)),
    }));
  const step = validateStep(run, divided, ports);
  if (!(await divideStep(runId, step, ports))) return undefined;
  const parts = await inParallel(step.ids, maxParallelResults, async (id) => {
    const part = await runs.stageResult<ValidatedPart>(runId, `validated-${id}`);
    if (part === undefined) throw new Error(`part ${id} of run ${runId} is not validated`);
    return part;
  });
  if (run.deliveryMode !== "NONE") await joinQuality(runId, step.ids, runs);
  return runs.finishStage(runId, "validate", await decideRun(run, divided, parts, ports));
}

/** Joins the quality of the parts. A part that an earlier version has validated has none. */
async function joinQuality(runId: string, ids: readonly string[], runs: RunStore): Promise<void> {
  const quality = new RunQuality();
  for (const batch of inBatches(ids, maxParallelResults)) {
    const parts = await inParallel(batch, maxParallelResults, (id) =>
      runs.stageResult<PartQuality>(runId, `quality-${id}`),
    );
    for (const part of parts) if (part !== undefined) quality.add(part);
  }
  await runs.finishStage(runId, "quality", quality.figures());
}

/** Returns the sources that are still being read while the run is delivered. */
async function lateSources(run: Run, runs: RunStore): Promise<Pick<ValidateResult, "late">> {
  if (!(await hasLateHarvest(run, runs))) return {};
  const late = await runs.openIds(run.runId, sourcesTallyName);
  return late.length === 0 ? {} : { late: late.toSorted() };
}

function validateStep(run: Run, { documents, rules }: DividedRun, ports: ValidatePorts): DividedStep {
  const { runId } = run;
  return {
    step: "validate",
    ids: documents.keys.map((_, index) => String(index)),
    documents: documents.count,
    work: async (id) => {
      const checkpoint = `validated-${id}` as const;
      const partKey = documents.keys[Number(id)];
      if (partKey === undefined || (await ports.runs.stageResult(runId, checkpoint)) !== undefined) return;
      const { part, quality } = await validatePart(run, { partKey, rules }, ports);
      // The quality comes first, so that every validated part has it. Nobody compares previews.
      if (run.deliveryMode !== "NONE") await ports.runs.finishStage(runId, `quality-${id}`, quality);
      await ports.runs.finishStage(runId, checkpoint, part);
    },
  };
}

/** Builds a step of the run whose parts have been requested. */
async function stepOf(
  run: Run,
  step: DividedStep["step"],
  ports: ValidatePorts,
): Promise<DividedStep | undefined> {
  if (step === "validate") {
    const divided = await ports.runs.stageResult<DividedRun>(run.runId, "division");
    return divided && validateStep(run, divided, ports);
  }
  const result = await ports.runs.stageResult<ValidateResult>(run.runId, "validate");
  return result && settleSteps(run, result, ports).find((one) => one.step === step);
}
