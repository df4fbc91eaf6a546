import * as z from "zod";
import { InputError } from "../../core/errors.ts";
import { inputOfJob, kindOfFile, type StoredFile } from "../index/build/job-input.ts";
import type { DefinitionPorts } from "./change-definition.ts";
import { withEvent } from "./definition.ts";
import type { HarvestJob } from "./job.ts";
import { updateDefinition } from "./update-definition.ts";

const fileName = z
  .string()
  .regex(/^[\w-][\w.-]{0,199}$/, "must be letters, digits, `.`, `-` and `_`")
  .refine(
    (name) => kindOfFile(name) !== undefined,
    "must be named as a crawl log (`…crawl….log`), a CDX (`…cdx…`) or metadata (`…metadata….arc` or `.warc`), also with `.gz`",
  );

/** A job that another crawler has run. */
export const uploadedJobInput = z.strictObject({
  files: z
    .array(fileName)
    .min(1)
    .max(100)
    .refine((names) => new Set(names).size === names.length, "must not name a file twice")
    .describe("Names of its crawl log and CDX, or of metadata files of NetarchiveSuite, which hold both"),
  startedAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .optional()
    .describe("When it began; by default, now"),
});
type UploadedJobInput = z.output<typeof uploadedJobInput>;

export interface UploadedJobPorts extends Pick<DefinitionPorts, "snapshots" | "clock"> {
  /** Returns the stored files of a job. */
  filesOf(jobId: number): Promise<StoredFile[]>;
}

/**
 * Adds a job of another crawler to a definition, which then runs no jobs itself. The job waits for its files.
 * @throws InputError if the job began in the future
 * @returns the reason of a refusal: the definition is active, or has captured sites itself; undefined if it
 *   does not exist
 */
export async function addUploadedJob(
  id: string,
  { files, startedAt }: UploadedJobInput,
  ports: UploadedJobPorts,
): Promise<HarvestJob | { refusal: string } | undefined> {
  const { snapshots, clock } = ports;
  const before = await snapshots.definition(id);
  if (before === undefined) return undefined;
  if (before.definition.isActive) return { refusal: `harvest definition ${id} is active` };
  for (const jobId of before.definition.jobIds) {
    const job = await snapshots.job(jobId);
    if (job !== undefined && job.uploaded === undefined)
      return { refusal: `harvest definition ${id} has run here` };
  }
  const now = clock.now();
  // Chains are ordered by the time at which they began. A time in the future would hide the others.
  if (startedAt !== undefined && startedAt > now)
    throw new InputError("startedAt", startedAt.toISOString(), "must not be in the future");
  const job: HarvestJob = {
    id: await snapshots.reserveJobIds(1),
    definitionId: id,
    state: "submitted",
    seeds: [],
    createdAt: now,
    startedAt: startedAt ?? now,
    hasCrawlLog: false,
    objects: 0,
    bytes: 0,
    files: [],
    uploaded: files,
  };
  // The definition is changed first, because a job that its definition does not name would still be waited
  // for.
  const changed = await updateDefinition(id, ports, ({ endedAt: _goesOn, ...definition }) =>
    withEvent(
      { ...definition, jobIds: [...definition.jobIds, job.id] },
      now,
      `job ${job.id} added, done elsewhere`,
    ),
  );
  if (changed === undefined) return undefined;
  await snapshots.addJob(job);
  return job;
}

/**
 * The hours after which an uploaded job without its files fails. The URLs of the files expire after an hour,
 * but a transfer in progress may take longer.
 */
const waitHours = 24;

/**
 * Fails jobs whose files were not completed within a day, because definitions that continue theirs would wait
 * forever.
 * @returns all jobs, with their new states
 */
export async function endForgottenUploads(
  jobs: readonly HarvestJob[],
  at: Date,
  { snapshots }: Pick<UploadedJobPorts, "snapshots">,
): Promise<HarvestJob[]> {
  const isForgotten = ({ uploaded, state, createdAt }: HarvestJob) =>
    uploaded !== undefined &&
    state === "submitted" &&
    at.getTime() - createdAt.getTime() > waitHours * 3_600_000;
  const after: HarvestJob[] = [];
  for (const job of jobs) {
    const comment = `its files were not completed within ${waitHours} hours`;
    const isEnded =
      isForgotten(job) &&
      (await snapshots.changeJob(job.id, "submitted", { state: "failed", endedAt: at, comment }));
    after.push(isEnded ? { ...job, state: "failed", endedAt: at, comment } : job);
  }
  return after;
}

/**
 * Gives up a job that waits for its files: what continues its definition no longer waits for it. Repeatable.
 * @returns the reason when it was not done elsewhere, or waits no more; undefined when there is no such job
 */
export async function cancelUploadedJob(
  jobId: number,
  { snapshots, clock }: Pick<UploadedJobPorts, "snapshots" | "clock">,
): Promise<HarvestJob | { refusal: string } | undefined> {
  const job = await snapshots.job(jobId);
  if (job === undefined) return undefined;
  if (job.uploaded === undefined) return { refusal: `job ${jobId} was not done elsewhere` };
  const comment = "its upload was cancelled";
  if (job.state === "failed" && job.comment === comment) return job;
  const change = { state: "failed" as const, endedAt: clock.now(), comment };
  if (!(await snapshots.changeJob(jobId, "submitted", change)))
    return { refusal: `job ${jobId} is ${job.state}` };
  return { ...job, ...change };
}

/**
 * Ends the job when its files are there. Repeatable.
 * @throws InputError that names a file which was not sent
 * @returns the reason of a refusal: the job was not uploaded, or no index can be built from its files;
 *   undefined if the job does not exist
 */
export async function completeUploadedJob(
  jobId: number,
  { snapshots, clock, filesOf }: UploadedJobPorts,
): Promise<HarvestJob | { refusal: string } | undefined> {
  const job = await snapshots.job(jobId);
  if (job === undefined) return undefined;
  if (job.uploaded === undefined) return { refusal: `job ${jobId} was not done elsewhere` };
  if (job.state === "failed") return { refusal: `job ${jobId} has failed: ${job.comment}; add another one` };
  const stored = await filesOf(jobId);
  const absent = job.uploaded.find((name) => !stored.some((file) => file.name.endsWith(`/${name}`)));
  if (absent !== undefined) throw new InputError("files", absent, "must have been sent");
  const input = inputOfJob(jobId, stored);
  if ("missing" in input) return { refusal: `no index can be built of job ${jobId}: ${input.missing}` };
  await snapshots.changeJob(jobId, "submitted", { state: "done", endedAt: clock.now(), hasCrawlLog: true });
  return snapshots.job(jobId);
}
