import * as z from "zod";
import { count, problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import type { ReadReport } from "../index/build/index-report.ts";
import type { LookUpOriginal } from "../index/look-up-original.ts";
import { definitionParams, notAllowedNow } from "./snapshot-answers.ts";

export interface SnapshotIndexPorts {
  snapshots: Pick<SnapshotStore, "definition">;
  lookup: LookUpOriginal;
  report: ReadReport;
}

const route = routesOver<SnapshotIndexPorts>();

const originalBody = z
  .strictObject({
    url: z.string(),
    digest: z.string(),
    date: z.string().describe("The date of the capture, `YYYYMMDDhhmmssSSS`"),
    origin: z.string().describe("The location of the payload: `file,offset[,date]`"),
  })
  .meta({ title: "OriginalCapture" });

const skipped = z.record(z.string(), count);

const reportBody = z
  .strictObject({
    jobs: z.array(
      z.strictObject({
        jobId: z.int(),
        lines: count.describe("Lines of crawl logs and CDX files"),
        indexed: count,
        withoutOrigin: count.describe("Fetched URLs without a stored capture"),
        text: count.describe("Lines left out because their MIME type is text"),
        skippedLogLines: skipped.describe("Skipped lines of crawl logs, by reason"),
        skippedCdxLines: skipped.describe("Skipped lines of CDX files, by reason"),
      }),
    ),
    missing: z.array(z.strictObject({ jobId: z.int(), reason: z.string() })),
  })
  .meta({ title: "IndexReport" });

export const snapshotIndexSubject = {
  title: "Indexes of snapshots",
  introduction:
    "The deduplication index of a snapshot lists the captures of the jobs that the snapshot continues, so that unchanged " +
    "content is not stored again. See [Snapshots](snapshots.md).",
  audience: "operator",
  servedBy: "snapshots",
  routes: [
    route({
      method: "GET",
      path: "/snapshots/{id}/index",
      summary: "Looks up a capture in the deduplication index of a snapshot",
      params: definitionParams,
      query: z.strictObject({
        url: z.string().min(1).max(100_000).describe("The URL as it was captured"),
        digest: z
          .string()
          .min(1)
          .max(200)
          .transform((text) => text.slice(text.lastIndexOf(":") + 1))
          .describe(
            "The digest of the payload, in upper or lower case, with or without the name of its algorithm",
          ),
      }),
      answers: {
        200: { description: "The first capture of this URL with this content", body: originalBody },
        404: problem("No such definition, or no such capture in its index"),
        409: notAllowedNow,
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
      summary:
        "Counts the lines of each job that the deduplication index has read, and the skipped lines by reason",
      params: definitionParams,
      answers: {
        200: { description: "The report", body: reportBody },
        404: problem("No such definition, or no index was built for it"),
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
  ],
} satisfies Subject<SnapshotIndexPorts>;
