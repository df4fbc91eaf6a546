import { isOutage, RemoteError, ThrottledError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { type LeaseStore, withRenewedLease } from "../../core/lease.ts";
import type { Retry } from "../../core/retry.ts";
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
import type { PlannedFile } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";
import { type FileOutcome, type UploadFilePorts, uploadFile } from "./upload-file.ts";
import type { UploadResult } from "./upload-result.ts";
import { fileCheckpoint, uploadedFiles } from "./uploaded-files.ts";

export interface UploadPorts extends ClaimPartsPorts, PlanPorts, UploadFilePorts, DividedStepPorts {
  runs: RunStore;
  sources: Pick<SourceStore, "sourcesByMode" | "groups">;
  archive: Pick<ArchiveStore, "claim" | "claimOf" | "entry" | "releaseClaim">;
  deliveries: DeliveryStore;
  leases: LeaseStore;
  records: Pick<RecordStore, "loadMarc" | "setState">;
  next: StageQueue;
  retry: Retry;
}

/** The time that other workers wait after a worker has been killed. */
const leaseMs = 60_000;

/**
 * The time that a worker waits until another worker has finished. The waits are long, because a message can be received
 * only a few times.
 */
const waitsMs = { inside: 300_000, afterwards: 600_000 };

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
    await uploadUnderLease(runId, ports);
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

async function uploadUnderLease(runId: string, ports: UploadPorts): Promise<void> {
  const now = () => ports.clock.now().getTime();
  for (let waitedMs = 0; ; ) {
    const upload = await withRenewedLease(
      { key: `upload#${runId}`, forMs: leaseMs },
      ports,
      async (assertHeld) =>
        ports.runs.finishStage(runId, "upload", await uploadPlanned(runId, assertHeld, ports)),
    );
    if (upload.type === "done") return;
    const waitMs = Math.max(1000, upload.lease.untilMs - now());
    waitedMs += waitMs;
    if (waitedMs > waitsMs.inside) {
      throw new ThrottledError(`run ${runId} is being uploaded`, new Date(now() + waitsMs.afterwards));
    }
    await ports.clock.sleep(waitMs);
    if ((await ports.runs.stageResult(runId, "upload")) !== undefined) return;
  }
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

/** The pauses before a file is sent again to a receiver that has accepted a login in this stage. */
const resendPausesMs = [1000, 5000];

/**
 * Delivers the files that have not been delivered yet. No group blocks another. A receiver that has failed gets no
 * further files.
 * @returns the reasons of failures, by group
 */
async function uploadFiles(
  run: Run,
  files: PlannedFile[],
  ports: UploadPorts & { assertHeld: () => void },
): Promise<Map<string, string>> {
  const { groups, unusable } = await ports.sources.groups();
  const groupsById = new Map([...groups, ...unusable].map((group) => [group.groupId, group]));
  const undelivered = new Map<string, string>();
  const loggedIn = new Set<string>();
  /**
   * Uploads a file. A broken transfer is resumed within the stage. A refused login is not repeated, because receivers
   * lock logins.
   */
  const upload = async (file: PlannedFile): Promise<FileOutcome> => {
    const { groupId } = file;
    for (let sends = 0; ; sends += 1) {
      ports.assertHeld();
      const outcome = await uploadAlone(
        () => ports.retry(() => uploadFile(run, file, groupsById.get(groupId), ports)),
        file,
      );
      if (outcome.type === "uploaded" || outcome.isLoggedIn) loggedIn.add(groupId);
      const pauseMs = resendPausesMs[sends];
      if (outcome.type === "uploaded" || pauseMs === undefined || !loggedIn.has(groupId)) return outcome;
      await ports.clock.sleep(pauseMs);
    }
  };
  for (const file of smallGroupsFirst(files)) {
    const { groupId, kind } = file;
    if (kind === "valid" && undelivered.has(groupId)) continue;
    const checkpoint = fileCheckpoint(file);
    if ((await ports.runs.stageResult(run.runId, checkpoint)) !== undefined) continue;
    const outcome = await upload(file);
    if (outcome.type === "uploaded") await ports.runs.finishStage(run.runId, checkpoint, outcome.file);
    else undelivered.set(groupId, outcome.reason);
  }
  return undelivered;
}

/** Uploads a file so that its failure, such as a record that cannot be written, blocks only its own group. */
async function uploadAlone(
  work: () => Promise<FileOutcome>,
  { fileName }: PlannedFile,
): Promise<FileOutcome> {
  try {
    return await work();
  } catch (error) {
    if (isOutage(error) || error instanceof ThrottledError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { type: "undelivered", reason: `${fileName}: ${reason}`, isLoggedIn: false };
  }
}

/**
 * Sorts the files so that groups with few records come first. A very large source then delays only the files of its own
 * group.
 */
function smallGroupsFirst(files: PlannedFile[]): PlannedFile[] {
  const sizes = new Map<string, number>();
  for (const { groupId, documents } of files) sizes.set(groupId, (sizes.get(groupId) ?? 0) + documents.count);
  const sizeOf = ({ groupId }: PlannedFile) => sizes.get(groupId) ?? 0;
  return files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
}
