import * as z from "zod";
import type { NewRequest, OutboundRequest } from "../../web/request/request.ts";
import type { WantedUrl } from "../capture/wanted-url.ts";
import type { HarvestDefinition } from "../definitions/definition.ts";
import { type HarvestJob, isUnfinished, type JobSummary } from "../definitions/job.ts";
import { lastRequestAt } from "../definitions/job-time.ts";
import { urlIdOf } from "./captured-urls.ts";

/** The context that the request for a URL of a job passes to the reader of its response. */
export const captureContext = z.object({ jobId: z.int(), urlId: z.string() });

/** Creates the request for a URL of a job. It is refused after the time limit of the job. */
export function captureRequest(
  { url }: WantedUrl,
  job: HarvestJob,
  definition: Pick<HarvestDefinition, "limits">,
): NewRequest {
  const { id: jobId, bytes } = job;
  const { limits } = definition;
  const notAfter = lastRequestAt(job, definition);
  const urlId = urlIdOf(jobId, url);
  return {
    id: urlId,
    kind: "capture",
    url,
    bodyPolicy: {
      type: "capture",
      maxBytes: Math.max(1, Math.min(limits.maxBytes - bytes, limits.maxObjectBytes)),
    },
    ...(notAfter !== undefined && { notAfter: notAfter.toISOString() }),
    context: { jobId, urlId },
  };
}

/**
 * Returns why a capture is no longer wanted when its turn comes; undefined if it is wanted, and for other
 * requests.
 */
export async function captureWithdrawalReason(
  request: OutboundRequest,
  { snapshots }: { snapshots: { job(id: number): Promise<JobSummary | undefined> } },
): Promise<string | undefined> {
  if (request.kind !== "capture") return undefined;
  const { data } = captureContext.safeParse(request.context);
  const job = data && (await snapshots.job(data.jobId));
  // An error would block the queue of the host. The reader rejects an invalid request instead.
  if (job === undefined) return undefined;
  if (job.limit !== undefined) return `job ${job.id} has reached its limit of ${job.limit}`;
  return isUnfinished(job) ? undefined : `job ${job.id} is ${job.state}`;
}
