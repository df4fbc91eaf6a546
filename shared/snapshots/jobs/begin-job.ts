import type { Clock } from "../../core/clock.ts";
import { inBatches } from "../../core/in-batches.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { withRobots } from "../capture/prerequisite.ts";
import type { HarvestDefinition } from "../definitions/definition.ts";
import { type HarvestJob, isUnfinished } from "../definitions/job.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import { captureRequest } from "./capture-requests.ts";
import type { CapturedUrls } from "./captured-urls.ts";

export interface BeginJobPorts {
  snapshots: SnapshotStore;
  urls: CapturedUrls;
  requests: RequestQueue;
  clock: Clock;
}

/**
 * Begins a job: adds its seeds to the wanted URLs, and requests them. Can be repeated: URLs that are done are
 * not requested again.
 */
export async function beginJob({ jobId }: JobMessage, ports: BeginJobPorts): Promise<void> {
  const { snapshots, urls, requests, clock } = ports;
  for (const from of ["new", "submitted"] as const) {
    if (await snapshots.changeJob(jobId, from, { state: "started", startedAt: clock.now() })) break;
  }
  const found = await startedJob(jobId, snapshots);
  if (found === undefined) return;
  const { job, definition } = found;
  const seeds = seedsOf(job, definition).map((url) => ({ url, hops: "" }));
  for (const batch of inBatches(seeds, 100)) {
    const wanted = await urls.add(jobId, withRobots(batch));
    await requests.send(wanted.map((each) => captureRequest(each, job, definition)));
  }
}

/**
 * Fails a job that cannot be begun, or whose files cannot be written. Its captures are kept. Can be repeated.
 */
export async function failJob(
  { jobId }: JobMessage,
  { snapshots, clock }: Pick<BeginJobPorts, "snapshots" | "clock">,
  reason: string,
): Promise<void> {
  const job = await snapshots.job(jobId);
  if (job === undefined || !isUnfinished(job)) return;
  await snapshots.changeJob(jobId, job.state, { state: "failed", endedAt: clock.now(), comment: reason });
}

/** Returns the seeds that a job requests. */
export function seedsOf({ seeds }: HarvestJob, { limits }: HarvestDefinition): readonly string[] {
  return seeds.slice(0, limits.maxObjects);
}

/** Returns a job that is capturing; undefined if it has ended or does not exist. */
export async function startedJob(
  jobId: number,
  snapshots: SnapshotStore,
): Promise<{ job: HarvestJob; definition: HarvestDefinition } | undefined> {
  const job = await snapshots.job(jobId);
  if (job?.state !== "started") return undefined;
  const stored = await snapshots.definition(job.definitionId);
  return stored && { job, definition: stored.definition };
}
