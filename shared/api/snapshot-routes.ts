import type { Context } from "hono";
import * as z from "zod";
import {
  activateDefinition,
  changeDefinition,
  createDefinition,
  type DefinitionPorts,
  deactivateDefinition,
  definitionInput,
} from "../snapshots/definitions/change-definition.ts";
import type { HarvestDefinition } from "../snapshots/definitions/definition.ts";
import { type HarvestJob, jobStates } from "../snapshots/definitions/job.ts";
import { resubmitJob } from "../snapshots/definitions/resubmit-job.ts";
import {
  addUploadedJob,
  completeUploadedJob,
  type UploadedJobPorts,
  uploadedJobInput,
} from "../snapshots/definitions/uploaded-jobs.ts";
import type { ReadReport } from "../snapshots/index/index-report.ts";
import type { LookUpOriginal } from "../snapshots/index/look-up-original.ts";
import type { PackCapturePorts } from "../snapshots/wacz/pack-capture.ts";
import { accept, acceptedAnswer } from "./accepted.ts";
import { count, problem, refuse, refuseUnknown, time } from "./answer.ts";
import { next, pageByKey, pageQuery } from "./paging.ts";
import { routesOver, type Subject } from "./route.ts";

export interface SnapshotPorts extends DefinitionPorts {
  lookup: LookUpOriginal;
  report: ReadReport;
  filesOf: UploadedJobPorts["filesOf"];
  fileUrls: JobFileUrls;
  packages: Pick<PackCapturePorts["packages"], "has">;
  packageRequests: { send(message: { jobId: number }): Promise<unknown> };
}

/** URLs of single files of jobs, which work for a while. */
export interface JobFileUrls {
  uploadSeconds: number;
  /** Where a file of a job that was done elsewhere is put. */
  upload(jobId: number, name: string): Promise<string>;
  download(jobId: number, name: string): Promise<string>;
  viewSeconds: number;
  /** The capture of a job, packed. */
  capture(jobId: number): Promise<string>;
}

const route = routesOver<SnapshotPorts>();

const definitionParams = z.strictObject({ id: z.string().min(1).max(64).describe("The id of a definition") });
const jobParams = z.strictObject({
  jobId: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be a whole number")
    .transform(Number)
    .meta({ type: "integer" })
    .describe("The id of a job"),
});

const indexBody = z.strictObject({
  state: z
    .enum(["requested", "building", "ready", "ready-partial", "failed", "expired"])
    .describe("`ready-partial`: jobs are missing, and the harvest starts without them"),
  generation: count.describe("Of the activation that has requested it"),
  jobIds: z.array(z.int()).describe("The jobs that it is built from, fixed at the activation"),
  missing: z.array(z.int()).describe("The jobs that could not be read"),
  built: z
    .strictObject({ name: z.string(), shards: count, entries: count })
    .optional()
    .describe("The index, when it is ready; absent if there was nothing to index"),
  builds: count.describe("How often it was requested since the activation"),
  deadline: time.describe("A build that has not ended by then is begun again"),
});

const definitionBody = z
  .strictObject({
    id: z.string(),
    ...definitionInput.omit({ domains: true }).shape,
    isActive: z.boolean(),
    createdAt: time,
    generation: count.describe("Counts the activations"),
    index: indexBody.optional().describe("The deduplication index that an active snapshot waits for"),
    jobIds: z.array(z.int()).describe("The jobs that were made of it"),
    endedAt: time.optional().describe("When the last of its jobs had ended"),
    comment: z.string().optional().describe("Why it is in its state"),
    history: z
      .array(z.strictObject({ at: time, what: z.string() }))
      .describe("The newest last; the last hundred"),
  })
  .meta({ title: "HarvestDefinition" });

const jobBody = z
  .strictObject({
    id: z.int(),
    definitionId: z.string(),
    state: z.enum(jobStates),
    seeds: z.array(z.string()),
    createdAt: time,
    startedAt: time.optional(),
    endedAt: time.optional(),
    comment: z.string().optional(),
    repeatedBy: z.int().optional().describe("The job that repeats it"),
    hasCrawlLog: z.boolean().describe("Whether an index can be built from it"),
    objects: count.describe("Captured URLs so far"),
    bytes: count.describe("Of their bodies, as they came"),
    limit: z.enum(["objects", "bytes"]).optional().describe("The limit that ended it early"),
    files: z.array(z.string()).describe("Its WARC files, when it is done"),
    uploaded: z.array(z.string()).optional().describe("Of a job that was done elsewhere: its files"),
  })
  .meta({ title: "CaptureJob" });

const definitionExample = {
  title: "Autumn 2026",
  type: "snapshot",
  domains: ["journal.example"],
  limits: { maxDepth: 2 },
};

const originalBody = z
  .strictObject({
    url: z.string(),
    digest: z.string(),
    date: z.string().describe("Of the capture, `YYYYMMDDhhmmssSSS`"),
    origin: z.string().describe("Where its payload is: `file,offset[,date]`"),
  })
  .meta({ title: "OriginalCapture" });

const skipped = z.record(z.string(), count);

const reportBody = z
  .strictObject({
    jobs: z.array(
      z.strictObject({
        jobId: z.int(),
        lines: count.describe("Of crawl logs and CDXs"),
        indexed: count,
        withoutOrigin: count.describe("Fetched URLs of which no capture is stored"),
        text: count.describe("Texts left out"),
        skippedLogLines: skipped.describe("By reason"),
        skippedCdxLines: skipped.describe("By reason"),
      }),
    ),
    missing: z.array(z.strictObject({ jobId: z.int(), reason: z.string() })),
  })
  .meta({ title: "IndexReport" });

const refused = problem("It is not allowed in this state; the detail says why");

export const snapshotSubject: Subject<SnapshotPorts> = {
  title: "Web snapshots",
  introduction:
    "A harvest definition says which web sites are captured. An active one gets jobs, which write WARC files. A " +
    "snapshot waits for its deduplication index first; see [Snapshots](snapshots.md).",
  audience: "operator",
  servedBy: "snapshots",
  routes: [
    route({
      method: "GET",
      path: "/snapshots",
      summary: "Lists the harvest definitions by id",
      query: pageQuery({ most: 500, otherwise: 100 }),
      answers: {
        200: { description: "A page", body: z.strictObject({ definitions: z.array(definitionBody), next }) },
      },
      handler:
        ({ snapshots }) =>
        async (context, { query }) => {
          const all = (await snapshots.definitions()).map(({ definition }) => definition);
          const { page, next } = pageByKey(all, query, ({ id }) => id);
          return context.json({ definitions: page, ...(next !== undefined && { next }) });
        },
    }),
    route({
      method: "POST",
      path: "/snapshots",
      summary: "Adds a harvest definition, which is not active",
      details: "The same request once more on the same day gives the same definition.",
      body: definitionInput,
      example: definitionExample,
      answers: {
        201: {
          description: "The definition",
          body: definitionBody,
          headers: { Location: "the definition" },
        },
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { definition } = await createDefinition(body, ports);
          context.header("Location", `/snapshots/${definition.id}`);
          return context.json(definition, 201);
        },
    }),
    route({
      method: "GET",
      path: "/snapshots/{id}",
      summary: "Gives a harvest definition with its state and history",
      params: definitionParams,
      answers: {
        200: { description: "The definition", body: definitionBody },
        404: problem("No such definition"),
      },
      handler:
        ({ snapshots }) =>
        async (context, { params: { id } }) =>
          definitionAnswer(context, id, await snapshots.definition(id)),
    }),
    route({
      method: "PUT",
      path: "/snapshots/{id}",
      summary: "Changes a harvest definition that is not active and has not run",
      params: definitionParams,
      body: definitionInput,
      example: definitionExample,
      answers: {
        200: { description: "The definition", body: definitionBody },
        404: problem("No such definition"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) =>
          definitionAnswer(context, id, await changeDefinition(id, body, ports)),
    }),
    route({
      method: "POST",
      path: "/snapshots/{id}/activate",
      summary: "Activates a definition: its deduplication index is requested, then its jobs are made",
      details:
        "The set of jobs that the index is built from is fixed now. A definition that is active already stays as it is.",
      params: definitionParams,
      answers: {
        200: { description: "The definition", body: definitionBody },
        404: problem("No such definition"),
        409: refused,
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const result = await activateDefinition(id, ports);
          if (result !== undefined && "refusal" in result)
            return refuse(context, 409, { detail: result.refusal, field: "id", value: id });
          return definitionAnswer(context, id, result);
        },
    }),
    route({
      method: "POST",
      path: "/snapshots/{id}/deactivate",
      summary: "Deactivates a definition: no jobs are made of it, and its index counts no longer",
      params: definitionParams,
      answers: {
        200: { description: "The definition", body: definitionBody },
        404: problem("No such definition"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) =>
          definitionAnswer(context, id, await deactivateDefinition(id, ports)),
    }),
    route({
      method: "GET",
      path: "/snapshots/{id}/index",
      summary: "Looks up a capture in the deduplication index of a snapshot",
      params: definitionParams,
      query: z.strictObject({
        url: z.string().min(1).max(100_000).describe("As it was captured"),
        digest: z
          .string()
          .min(1)
          .max(200)
          .transform((text) => text.slice(text.lastIndexOf(":") + 1))
          .describe("Of the payload, in any case, with or without the name of its algorithm"),
      }),
      answers: {
        200: { description: "The first capture of this URL with this content", body: originalBody },
        404: problem("No such definition, or no such capture in its index"),
        409: refused,
      },
      handler:
        ({ snapshots, lookup }) =>
        async (context, { params: { id }, query: { url, digest } }) => {
          const stored = await snapshots.definition(id);
          if (stored === undefined) return refuseUnknown(context, "harvest definition", id);
          const { index } = stored.definition;
          if (index?.state !== "ready" && index?.state !== "ready-partial") {
            const detail = `the index is ${index === undefined ? "not requested" : index.state}`;
            return refuse(context, 409, { detail, field: "id", value: id });
          }
          const original = index.built && (await lookup(index.built, url, digest));
          return original === undefined
            ? refuseUnknown(context, "capture with this digest", url, "url")
            : context.json(original);
        },
    }),
    route({
      method: "GET",
      path: "/snapshots/{id}/index/report",
      summary: "Says what was read of each job for the deduplication index, and what was left out and why",
      params: definitionParams,
      answers: {
        200: { description: "The report", body: reportBody },
        404: problem("No such definition, or no index that was built for it"),
      },
      handler:
        ({ snapshots, report }) =>
        async (context, { params: { id } }) => {
          const built = (await snapshots.definition(id))?.definition.index?.built;
          const found = built && (await report(built));
          return found === undefined
            ? refuseUnknown(context, "index of a definition", id)
            : context.json(found);
        },
    }),
    route({
      method: "GET",
      path: "/snapshots/{id}/jobs",
      summary: "Lists the jobs of a definition",
      params: definitionParams,
      query: pageQuery({ most: 100, otherwise: 100 }),
      answers: {
        200: { description: "A page", body: z.strictObject({ jobs: z.array(jobBody), next }) },
        404: problem("No such definition"),
      },
      handler:
        ({ snapshots }) =>
        async (context, { params: { id }, query }) => {
          const stored = await snapshots.definition(id);
          if (stored === undefined) return refuseUnknown(context, "harvest definition", id);
          const { page, next } = pageByKey(stored.definition.jobIds, query, (jobId) =>
            String(jobId).padStart(10, "0"),
          );
          const jobs = await Promise.all(page.map((jobId) => snapshots.job(jobId)));
          const views = jobs.filter((job) => job !== undefined).map(jobView);
          return context.json({ jobs: views, ...(next !== undefined && { next }) });
        },
    }),
    route({
      method: "POST",
      path: "/snapshots/{id}/jobs",
      summary:
        "Adds a job that NetarchiveSuite or Heritrix has done, so that snapshots can refer to its captures",
      details:
        "Answers with a URL for each file. Put the files there within an hour, each of 5 GB at most, then post `…/complete`. " +
        "A definition with such jobs captures nothing by itself; a snapshot that continues it has their captures in its index.",
      params: definitionParams,
      body: uploadedJobInput,
      example: { files: ["crawl.log.gz", "crawl.cdx.gz"], startedAt: "2020-11-02T08:00:00Z" },
      answers: {
        201: {
          description: "The job, which waits for its files",
          body: z.strictObject({
            job: jobBody,
            files: z.array(
              z.strictObject({ name: z.string(), url: z.string().describe("`PUT` its bytes here") }),
            ),
            expiresAt: time.describe("When the URLs end"),
          }),
          headers: { Location: "the job" },
        },
        404: problem("No such definition"),
        409: refused,
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          const job = await addUploadedJob(id, body, ports);
          if (job === undefined) return refuseUnknown(context, "harvest definition", id);
          if ("refusal" in job) return refuse(context, 409, { detail: job.refusal, field: "id", value: id });
          const { uploadSeconds, upload } = ports.fileUrls;
          const files = body.files.map(async (name) => ({ name, url: await upload(job.id, name) }));
          const expiresAt = new Date(ports.clock.now().getTime() + 1000 * uploadSeconds);
          context.header("Location", `/capture-jobs/${job.id}`);
          return context.json({ job: jobView(job), files: await Promise.all(files), expiresAt }, 201);
        },
    }),
    route({
      method: "POST",
      path: "/capture-jobs/{jobId}/complete",
      summary: "Says that all files of a job that was done elsewhere have been put",
      params: jobParams,
      answers: {
        200: { description: "The job, which is done", body: jobBody },
        404: problem("No such job"),
        409: refused,
      },
      handler:
        (ports) =>
        async (context, { params: { jobId } }) => {
          const job = await completeUploadedJob(jobId, ports);
          if (job === undefined) return unknownJob(context, jobId);
          if ("refusal" in job)
            return refuse(context, 409, { detail: job.refusal, field: "jobId", value: jobId });
          return context.json(jobView(job));
        },
    }),
    route({
      method: "GET",
      path: "/capture-jobs/{jobId}",
      summary: "Gives a job with what it has captured so far",
      params: jobParams,
      answers: { 200: { description: "The job", body: jobBody }, 404: problem("No such job") },
      handler:
        ({ snapshots }) =>
        async (context, { params: { jobId } }) => {
          const job = await snapshots.job(jobId);
          return job === undefined ? unknownJob(context, jobId) : context.json(jobView(job));
        },
    }),
    route({
      method: "POST",
      path: "/capture-jobs/{jobId}/resubmit",
      summary: "Makes another job of one that has failed, or has not started",
      details: "It begins when its definition is active, and the index of a snapshot is ready.",
      params: jobParams,
      answers: {
        200: {
          description: "The new job; of a job that was resubmitted before, the one made then",
          body: jobBody,
        },
        404: problem("No such job"),
        409: refused,
      },
      handler:
        (ports) =>
        async (context, { params: { jobId } }) => {
          const result = await resubmitJob(jobId, ports);
          if (result === undefined) return unknownJob(context, jobId);
          if ("refusal" in result)
            return refuse(context, 409, { detail: result.refusal, field: "jobId", value: jobId });
          return context.json(jobView(result));
        },
    }),
    route({
      method: "GET",
      path: "/capture-jobs/{jobId}/files/{name}",
      summary: "Gives a file of a job: a WARC file, `index.cdxj` or `crawl.log`",
      params: jobParams.extend({ name: z.string().min(1).max(200).describe("The name of the file") }),
      answers: {
        302: { description: "To the file, for five minutes", headers: { Location: "the file" } },
        404: problem("No such job or file"),
      },
      handler:
        ({ snapshots, fileUrls }) =>
        async (context, { params: { jobId, name } }) => {
          const job = await snapshots.job(jobId);
          if (job === undefined) return unknownJob(context, jobId);
          const isOwn = job.uploaded === undefined;
          const names = [...job.files, ...(isOwn && job.hasCrawlLog ? ["index.cdxj", "crawl.log"] : [])];
          if (!names.includes(name)) return refuseUnknown(context, "file", name, "name");
          return context.redirect(await fileUrls.download(jobId, name), 302);
        },
    }),
    route({
      method: "POST",
      path: "/capture-jobs/{jobId}/package",
      summary: "Packs the capture of a job as WACZ, for viewers",
      details:
        "The package has the job's WARC files, and the records of earlier jobs that its revisits refer to. It is kept for 30 days, " +
        "and can be made again. `GET` leads to it when it is there.",
      params: jobParams,
      answers: {
        202: acceptedAnswer("The package will be there, or is there already", ["packing", "packed"]),
        404: problem("No such job"),
        409: refused,
      },
      handler:
        ({ snapshots, packages, packageRequests }) =>
        async (context, { params: { jobId } }) => {
          const job = await snapshots.job(jobId);
          if (job === undefined) return unknownJob(context, jobId);
          if (job.files.length === 0) {
            const detail = `job ${jobId} is ${job.state} and has no WARC file`;
            return refuse(context, 409, { detail, field: "jobId", value: jobId });
          }
          const isPacked = await packages.has(jobId);
          if (!isPacked) await packageRequests.send({ jobId });
          return accept(context, {
            status: isPacked ? "packed" : "packing",
            result: `/capture-jobs/${jobId}/package`,
          });
        },
    }),
    route({
      method: "GET",
      path: "/capture-jobs/{jobId}/package",
      summary: "Gives the packed capture of a job",
      params: jobParams,
      answers: {
        200: {
          description: "Where it is",
          body: z
            .strictObject({
              url: z.string().describe("Of the WACZ file; it needs no token"),
              expiresAt: time.describe("When the URL ends"),
            })
            .meta({ title: "CapturePackage" }),
        },
        404: problem("No such job, or its capture is not packed"),
      },
      handler:
        ({ packages, fileUrls, clock }) =>
        async (context, { params: { jobId } }) => {
          if (!(await packages.has(jobId)))
            return refuseUnknown(context, "packed capture of a job", String(jobId), "jobId");
          const expiresAt = new Date(clock.now().getTime() + 1000 * fileUrls.viewSeconds);
          return context.json({ url: await fileUrls.capture(jobId), expiresAt });
        },
    }),
  ],
};

function definitionAnswer(
  context: Context,
  id: string,
  stored: { definition: HarvestDefinition } | undefined,
): Response {
  return stored === undefined
    ? refuseUnknown(context, "harvest definition", id)
    : context.json(stored.definition);
}

/** A job as the API shows it. */
function jobView({ seeds, files, uploaded, ...job }: HarvestJob) {
  return { ...job, seeds: [...seeds], files: [...files], ...(uploaded && { uploaded: [...uploaded] }) };
}

function unknownJob(context: Context, jobId: number): Response {
  return refuseUnknown(context, "job", String(jobId), "jobId");
}
