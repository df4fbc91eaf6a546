// Input: a reconversion whose differences an operator has accepted. Output: update files, each delivered once, and the
// archive with the new contents. Called by functions/delivery/deliver-updates.ts.

import type { Clock } from "../../core/clock.ts";
import { RemoteError } from "../../core/errors.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import {
  isDelivering,
  type Reconversion,
  type ReconversionStore,
} from "../../records/reconversions/reconversion.ts";
import {
  type DividedStep,
  type DividedStepPorts,
  divideStep,
  workOnPart,
} from "../../records/runs/divided-step.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageRequest } from "../../records/runs/stages.ts";
import { FileBatches } from "../plan/file-batches.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type { DeliveredRun } from "../stage-results/delivery.ts";
import { type UploadFilesPorts, uploadFiles, withUploadLease } from "../upload/upload-files.ts";
import { uploadedFiles } from "../upload/uploaded-files.ts";
import { type ArchiveUpdatesPorts, archiveUpdatesStep } from "./archive-updates.ts";
import { reservedUpdates } from "./part-outcomes.ts";
import { reconversionDivision } from "./reconvert.ts";
import { type ReserveUpdatesPorts, releaseReserved, reserveStep } from "./reserve-updates.ts";

export interface DeliverUpdatesPorts
  extends DividedStepPorts,
    UploadFilesPorts,
    ReserveUpdatesPorts,
    ArchiveUpdatesPorts {
  runs: RunStore;
  archive: Pick<ArchiveStore, "entry" | "claim" | "releaseClaim" | "reserveUpdate" | "saveUpdate">;
  records: Pick<RecordStore, "storeMarcs" | "loadMarc" | "replaceDelivered">;
  reconversions: Pick<ReconversionStore, "get" | "change">;
  clock: Clock;
  timeZone: string;
}

/**
 * Delivers the accepted updates of a reconversion: reserves the delivered records in the archive, plans the files,
 * sends each file once, and archives the new contents. Each of these steps is repeatable. Until the first file is sent,
 * an operator can cancel the reconversion; then, what it has reserved is released.
 * @throws RemoteError when a receiver has not taken a file; the delivered files are archived
 * @throws ThrottledError while another worker sends the files
 */
export async function deliverUpdates(
  { runId, part }: StageRequest,
  given: DeliverUpdatesPorts,
): Promise<void> {
  const ports = { ...given, division: reconversionDivision(given) };
  const reconversion = await ports.reconversions.get(runId);
  if (reconversion?.state === "cancelled") return releaseReserved(runId, ports);
  if (reconversion === undefined || !isDelivering(reconversion)) return;
  if (part !== undefined) {
    const step = await (part.step === "reserve" ? reserveStep : archiveStep)(reconversion, ports);
    await workOnPart({ runId, part }, step.work, ports);
    return;
  }
  const run = runOf(reconversion);
  if (reconversion.state === "delivering") {
    if (!(await divideStep(runId, await reserveStep(reconversion, ports), ports))) return;
    if ((await ports.runs.stageResult(runId, "plan")) === undefined)
      await ports.runs.finishStage(runId, "plan", await planUpdates(run, ports));
    // From now on, the reconversion can no longer be cancelled.
    if (!(await ports.reconversions.change(runId, ["delivering"], { state: "sending" }))) return;
  }
  const plan = await ports.runs.stageResult<DeliveryPlan>(runId, "plan");
  const undelivered = await withUploadLease(runId, ports, (assertHeld) =>
    uploadFiles(run, plan?.files ?? [], { ...ports, assertHeld }),
  );
  if (!(await divideStep(runId, await archiveStep(reconversion, ports), ports))) return;
  if (undelivered.size > 0) throw new RemoteError([...undelivered.values()].join("; "));
  await finish(reconversion, ports);
}

/** Returns the step that archives the files that have been delivered so far. */
async function archiveStep(reconversion: Reconversion, ports: DeliverUpdatesPorts): Promise<DividedStep> {
  const { reconversionId } = reconversion;
  const plan = await ports.runs.stageResult<DeliveryPlan>(reconversionId, "plan");
  const { files } = await uploadedFiles(reconversionId, ports.runs);
  return archiveUpdatesStep(reconversion, { planned: plan?.files ?? [], files }, ports);
}

/** Returns the run as which the files are delivered. It starts with the operator's decision. */
function runOf({ reconversionId, deliveryMode, decidedAt, requestedAt }: Reconversion): DeliveredRun {
  return { runId: reconversionId, deliveryMode, startedAt: decidedAt ?? requestedAt };
}

/** Assigns the reserved updates to files of their groups. */
async function planUpdates(run: DeliveredRun, ports: DeliverUpdatesPorts): Promise<DeliveryPlan> {
  const { groups } = await ports.sources.groups();
  const batches = new FileBatches(run, { kind: "valid", nameEnding: "_updates" }, { ...ports, groups });
  for (const { groupId, updates } of await reservedUpdates(run.runId, ports.runs)) {
    for (const key of updates.keys) await batches.add({ groupId, key, count: updates.count });
  }
  return { files: await batches.finish(), duplicates: { keys: [], count: 0 } };
}

async function finish(
  { reconversionId, counts = {} }: Reconversion,
  { reconversions, runs, clock }: DeliverUpdatesPorts,
): Promise<void> {
  const { files } = await uploadedFiles(reconversionId, runs);
  const delivered = files.reduce((sum, { documents }) => sum + documents.count, 0);
  const { changed = 0, stale = 0, ...others } = counts;
  const isStale = stale + changed - delivered;
  await reconversions.change(reconversionId, ["sending"], {
    state: "delivered",
    deliveredAt: clock.now().toISOString(),
    files: files.map(({ fileName }) => fileName),
    counts: { ...others, delivered, ...(isStale > 0 && { stale: isStale }) },
  });
}
