import type { Clock } from "../../core/clock.ts";
import { isOutage, ThrottledError } from "../../core/errors.ts";
import { type LeaseStore, withRenewedLease } from "../../core/lease.ts";
import type { Retry } from "../../core/retry.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { DeliveredRun, PlannedFile } from "../stage-results/delivery.ts";
import { type FileOutcome, type UploadFilePorts, uploadFile } from "./upload-file.ts";
import { fileCheckpoint } from "./uploaded-files.ts";

export interface UploadFilesPorts extends UploadFilePorts {
  runs: Pick<RunStore, "loadPart" | "stageResult" | "finishStage">;
  sources: Pick<SourceStore, "groups">;
  leases: LeaseStore;
  clock: Clock;
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
 * Works while no other worker uploads the run, because both would write the same file at a receiver. Waits for another
 * worker.
 * @param work receives a function that must be called before each step
 * @throws ThrottledError while another worker uploads the run
 */
export async function withUploadLease<Result>(
  runId: string,
  ports: Pick<UploadFilesPorts, "leases" | "clock">,
  work: (assertHeld: () => void) => Promise<Result>,
): Promise<Result> {
  const now = () => ports.clock.now().getTime();
  for (let waitedMs = 0; ; ) {
    const upload = await withRenewedLease({ key: `upload#${runId}`, forMs: leaseMs }, ports, work);
    if (upload.type === "done") return upload.result;
    const waitMs = Math.max(1000, upload.lease.untilMs - now());
    waitedMs += waitMs;
    if (waitedMs > waitsMs.inside) {
      throw new ThrottledError(`run ${runId} is being uploaded`, new Date(now() + waitsMs.afterwards));
    }
    await ports.clock.sleep(waitMs);
  }
}

/** The pauses before a file is sent again to a receiver that has accepted a login in this stage. */
const resendPausesMs = [1000, 5000];

/**
 * Delivers the files that have not been delivered yet. No group blocks another. A receiver that has failed gets no
 * further files.
 * @returns the reasons of failures, by group
 */
export async function uploadFiles(
  run: DeliveredRun,
  files: PlannedFile[],
  ports: UploadFilesPorts & { assertHeld: () => void },
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
