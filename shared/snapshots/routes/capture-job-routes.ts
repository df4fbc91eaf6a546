import type { Context } from "hono";
import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { next, pageByKey, pageQuery } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { DefinitionPorts } from "../definitions/change-definition.ts";
import { type HarvestJob, jobStates } from "../definitions/job.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import { resubmitJob } from "../definitions/resubmit-job.ts";
import {
  addUploadedJob,
  cancelUploadedJob,
  completeUploadedJob,
  type UploadedJobPorts,
  uploadedJobInput,
} from "../definitions/uploaded-jobs.ts";
import type { JobFileUrls } from "../jobs/job-file-urls.ts";
import type { PackCapturePorts } from "../wacz/pack-capture.ts";
import { definitionParams, notAllowedNow } from "./snapshot-answers.ts";

export interface CaptureJobPorts extends DefinitionPorts {
  filesOf: UploadedJobPorts["filesOf"];
  fileUrls: JobFileUrls;
  packages: Pick<PackCapturePorts["packages"], "has" | "elsewhere">;
  packageRequests: { send(message: JobMessage): Promise<unknown> };
}

const route = routesOver<CaptureJobPorts>();

const jobParams = z.strictObject({
  jobId: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be a whole number")
    .transform(Number)
    .meta({ type: "integer" })
    .describe("The id of a job"),
});

const jobBody = z
  .strictObject({
    id: z.int(),
    definitionId: z.string(),
    state: z.enum(jobStates),
    seeds: z.array(z.string()),
    createdAt: time,
    submittedAt: time.optional().describe("When the first message of the job was sent"),
    startedAt: time.optional(),
    endedAt: time.optional(),
    comment: z.string().optional(),
    repeatedBy: z.int().optional().describe("The id of the job that repeats this job"),
    hasCrawlLog: z.boolean().describe("Whether an index can be built from the job"),
    objects: count.describe("The number of URLs captured so far"),
    bytes: count.describe("The size of the captured bodies in bytes, as received"),
    limit: z.enum(["objects", "bytes"]).optional().describe("The limit that ended the job early"),
    unreadLinks: z
      .strictObject({
        dropped: count.describe("The number of links after the 50,000th link of a resource"),
        cutResources: count.describe(
          "The number of resources larger than 8 MiB, whose later links were not read",
        ),
      })
      .optional()
      .describe("The links that were not read, when the job has ended; absent when all were read"),
    files: z.array(z.string()).describe("The WARC files of the job, when it is done"),
    uploaded: z.array(z.string()).optional().describe("The uploaded files, for a job of another crawler"),
  })
  .meta({ title: "CaptureJob" });

export const captureJobSubject = {
  title: "Capture jobs",
  introduction:
    "A job captures the seeds of its definition, or was run by another crawler and uploaded. See [Snapshots](snapshots.md).",
  audience: "operator",
  servedBy: "snapshots",
  routes: [
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
        "Adds a job that NetarchiveSuite or Heritrix has run, so that snapshots can refer to its captures",
      details:
        "The response has a URL for each file. `PUT` each file, of at most 5 GB, to its URL within an hour, then `POST …/complete`. " +
        "A definition with such jobs captures nothing itself. The index of a snapshot that continues the definition includes the captures of these jobs.",
      params: definitionParams,
      body: uploadedJobInput,
      example: { files: ["crawl.log.gz", "crawl.cdx.gz"], startedAt: "2020-11-02T08:00:00Z" },
      answers: {
        201: {
          description: "The job, which waits for its files",
          body: z.strictObject({
            job: jobBody,
            files: z.array(
              z.strictObject({
                name: z.string(),
                url: z.string().describe("`PUT` the bytes of the file to this URL"),
              }),
            ),
            expiresAt: time.describe("When the URLs expire"),
          }),
          headers: { Location: "The path of the job" },
        },
        404: problem("No such definition"),
        409: notAllowedNow,
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
      summary: "Completes an uploaded job after its files were sent",
      params: jobParams,
      answers: {
        200: { description: "The job, which is now done", body: jobBody },
        404: problem("No such job"),
        409: notAllowedNow,
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
      method: "POST",
      path: "/capture-jobs/{jobId}/cancel",
      summary: "Cancels an uploaded job that waits for its files",
      details: "Snapshots that continue its definition no longer wait for it. Repeatable.",
      params: jobParams,
      answers: {
        200: { description: "The job, which has failed", body: jobBody },
        404: problem("No such job"),
        409: notAllowedNow,
      },
      handler:
        (ports) =>
        async (context, { params: { jobId } }) => {
          const job = await cancelUploadedJob(jobId, ports);
          if (job === undefined) return unknownJob(context, jobId);
          if ("refusal" in job)
            return refuse(context, 409, { detail: job.refusal, field: "jobId", value: jobId });
          return context.json(jobView(job));
        },
    }),
    route({
      method: "GET",
      path: "/capture-jobs/{jobId}",
      summary: "Returns a job with its captures so far",
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
      summary: "Repeats a job that has failed or has not started",
      details: "The new job begins when its definition is active and, for a snapshot, the index is ready.",
      params: jobParams,
      answers: {
        200: {
          description: "The new job, or the existing one if the job was resubmitted before",
          body: jobBody,
        },
        404: problem("No such job"),
        409: notAllowedNow,
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
      summary: "Redirects to a file of a job: a WARC file, `index.cdxj` or `crawl.log`",
      params: jobParams.extend({ name: z.string().min(1).max(200).describe("The name of the file") }),
      answers: {
        302: {
          description: "A redirect to the file",
          headers: { Location: "The URL of the file, valid for five minutes" },
        },
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
        "The package has the job's WARC files, and the records of earlier jobs that its revisits refer to. It is kept for 30 days " +
        "and can be made again. When the package is ready, `GET` returns its URL.",
      params: jobParams,
      answers: {
        202: acceptedAnswer("The package is being made, or is ready", ["packing", "packed"], {}),
        404: problem("No such job"),
        409: notAllowedNow,
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
      summary: "Returns the URL of the packed capture of a job",
      params: jobParams,
      answers: {
        200: {
          description: "The URL of the package",
          body: z
            .strictObject({
              url: z.string().describe("The URL of the WACZ file; it needs no token"),
              expiresAt: time.describe("When the URL expires"),
              elsewhere: z
                .array(
                  z.strictObject({
                    url: z.string(),
                    file: z.string().describe("The WARC or ARC file that has the content"),
                    offset: z.string().describe("The offset of the content in the file"),
                    capturedAt: time.optional().describe("When the content was captured"),
                  }),
                )
                .describe(
                  "Captures whose content another archive keeps, at most 1,000. The package refers to this content but does not contain it",
                ),
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
          const elsewhere = await packages.elsewhere(jobId);
          return context.json({ url: await fileUrls.capture(jobId), expiresAt, elsewhere });
        },
    }),
  ],
} satisfies Subject<CaptureJobPorts>;

/** Returns a job as the API shows it. */
function jobView({ seeds, files, uploaded, ...job }: HarvestJob) {
  return { ...job, seeds: [...seeds], files: [...files], ...(uploaded && { uploaded: [...uploaded] }) };
}

function unknownJob(context: Context, jobId: number): Response {
  return refuseUnknown(context, "job", String(jobId), "jobId");
}
