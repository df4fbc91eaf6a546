import { RemoteError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import {
  type DividedStep,
  type DividedStepPorts,
  divideStep,
  workOnPart,
} from "../../records/runs/divided-step.ts";
import { readParts } from "../../records/runs/parts.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue, StageRequest } from "../../records/runs/stages.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { maxParallelDocuments, releaseClaims } from "../claims/claim.ts";
import { type ClaimPartsPorts, claimSteps } from "../plan/claim-parts.ts";
import { type DeliveryPlan, type PlanPorts, planFiles } from "../plan/plan.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import { type UploadFilesPorts, uploadFiles, withUploadLease } from "./upload-files.ts";
import type { UploadResult } from "./upload-result.ts";
import { uploadedFiles } from "./uploaded-files.ts";

export interface UploadPorts extends ClaimPartsPorts, PlanPorts, UploadFilesPorts, DividedStepPorts {
  runs: RunStore;
  sources: Pick<SourceStore, "sourcesByMode" | "groups">;
  archive: Pick<ArchiveStore, "claim" | "claimOf" | "entry" | "releaseClaim">;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  deliveries: DeliveryStore;
  next: StageQueue;
}

/**
 * Claims the keys of the records, with several parts at the same time. Then writes each valid record that no other run
 * has claimed to a file of its group, and delivers the files.
 * @throws ThrottledError while another worker uploads the run, because both would write the same file at a receiver
 */
export async function uploadRun({ runId, part }: StageRequest, ports: UploadPorts): Promise<void> {
  if (part !== undefined) {
    const step = (await claimStepsOf(runId, ports)).find((one) => one.step === part.step);
    if (step !== undefined) await workOnPart({ runId, part }, step.work, ports);
    return;
  }
  const done = await ports.runs.stageResult<UploadResult>(runId, "upload");
  if (done === undefined) {
    if (!(await claimAll(runId, ports))) return;
    await withUploadLease(
      runId,
      ports,
      async (assertHeld) =>
        (await ports.runs.stageResult<UploadResult>(runId, "upload")) ??
        ports.runs.finishStage(runId, "upload", await uploadPlanned(runId, assertHeld, ports)),
    );
  }
  await ports.next.send({ runId });
}

/**
 * Claims the keys of all records.
 * @returns whether each record has either got its keys or missed one
 */
async function claimAll(runId: string, ports: UploadPorts): Promise<boolean> {
  if ((await ports.runs.stageResult(runId, "plan")) !== undefined) return true;
  for (const step of await claimStepsOf(runId, ports)) {
    if (!(await divideStep(runId, step, ports))) return false;
  }
  return true;
}

async function claimStepsOf(runId: string, ports: UploadPorts): Promise<DividedStep[]> {
  const { run, validated } = await validatedRun(runId, ports);
  return claimSteps(run, validated, ports);
}

/**
 * Reads a validated run.
 * @throws Error when the run has not been validated
 */
async function validatedRun(
  runId: string,
  { runs }: Pick<UploadPorts, "runs">,
): Promise<{ run: Run; validated: ValidateResult }> {
  const run = await runs.get(runId);
  const validated = await runs.stageResult<ValidateResult>(runId, "validate");
  if (run === undefined || validated === undefined) throw new Error(`run ${runId} is not validated`);
  return { run, validated };
}

async function uploadPlanned(
  runId: string,
  assertHeld: () => void,
  ports: UploadPorts,
): Promise<UploadResult> {
  const { run, validated } = await validatedRun(runId, ports);
  const plan =
    (await ports.runs.stageResult<DeliveryPlan>(runId, "plan")) ??
    (await ports.runs.finishStage(runId, "plan", await planFiles(run, validated, ports)));

  for await (const part of readParts<ConvertedDocument>(plan.duplicates, ports.runs)) {
    await releaseClaims(part, run, ports.archive);
    await inParallel(part, maxParallelDocuments, ({ recordId }) =>
      ports.records.setState({ recordId, deliveryMode: run.deliveryMode }, "duplicate"),
    );
  }
  const undelivered = await uploadFiles(run, plan.files, { ...ports, assertHeld });
  if (undelivered.size > 0) {
    // The delivered files are archived in any case.
    await ports.next.send({ runId });
    throw new RemoteError([...undelivered.values()].join("; "));
  }
  const { files } = await uploadedFiles(runId, ports.runs);
  return { files, duplicates: plan.duplicates };
}
