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
    submittedAt: time.optional().describe("When its first message was sent"),
    startedAt: time.optional(),
    endedAt: time.optional(),
    comment: z.string().optional(),
    repeatedBy: z.int().optional().describe("The job that repeats it"),
    hasCrawlLog: z.boolean().describe("Whether an index can be built from it"),
    objects: count.describe("Captured URLs so far"),
    bytes: count.describe("Bytes of their bodies, as received"),
    limit: z.enum(["objects", "bytes"]).optional().describe("The limit that ended it early"),
    files: z.array(z.string()).describe("Its WARC files, when it is done"),
    uploaded: z.array(z.string()).optional().describe("For a job of another crawler, its files"),
  })
  .meta({ title: "CaptureJob" });

export const captureJobSubject = {
  title: "Capture jobs",
  introduction:
    "A job captures the seeds of its definition, or was done by another crawler and uploaded; see [Snapshots](snapshots.md).",
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
        "Adds a job that NetarchiveSuite or Heritrix has done, so that snapshots can refer to its captures",
      details:
        "Answers with a URL for each file. Put the files there within an hour, each of 5 GB at most, then post `…/complete`. " +
        "A definition with such jobs captures nothing; the index of a snapshot that continues it includes their captures.",
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
      summary: "Completes an uploaded job: its files are sent",
      params: jobParams,
      answers: {
        200: { description: "The job, which is done", body: jobBody },
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
      summary: "Repeats a job that has failed or has not started",
      details: "It begins when its definition is active, and the index of a snapshot is ready.",
      params: jobParams,
      answers: {
        200: {
          description: "The new job; of a job that was resubmitted before, the one made then",
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
        202: acceptedAnswer("The package will be there, or is there already", ["packing", "packed"], {}),
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
      summary: "Gives the packed capture of a job",
      params: jobParams,
      answers: {
        200: {
          description: "Where it is",
          body: z
            .strictObject({
              url: z.string().describe("The URL of the WACZ file; it needs no token"),
              expiresAt: time.describe("When the URL ends"),
              elsewhere: z
                .array(
                  z.strictObject({
                    url: z.string(),
                    file: z.string().describe("The WARC or ARC file that has the content"),
                    offset: z.string().describe("Where in the file"),
                    capturedAt: time.optional().describe("When the content was captured"),
                  }),
                )
                .describe(
                  "Captures whose content another archive keeps, 1,000 at most: the package refers to it and does not have it",
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

/** A job as the API shows it. */
function jobView({ seeds, files, uploaded, ...job }: HarvestJob) {
  return { ...job, seeds: [...seeds], files: [...files], ...(uploaded && { uploaded: [...uploaded] }) };
}

function unknownJob(context: Context, jobId: number): Response {
  return refuseUnknown(context, "job", String(jobId), "jobId");
}
