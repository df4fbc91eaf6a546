import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, marcRecord, problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { wholeNumber } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { provenance, provenanceText } from "../../records/origin/provenance.ts";
import { buildRunId, type RunStart } from "../../records/runs/run.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type Preview, type PreviewPorts as ReadPreviewPorts, readPreview } from "../validate/preview.ts";
import { knownCounts, runFailure, runState } from "./run-answers.ts";

export interface PreviewPorts extends ReadPreviewPorts {
  sources: Pick<SourceStore, "source">;
  runStarts: { send(start: RunStart): Promise<void> };
  clock: Clock;
}

const sourceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, "must be the id of a source")
  .describe("The id of a source, of any mode");

const sourceOutcome = z.strictObject({
  sourceId: z.string(),
  title: z.string(),
  state: z.enum(["read", "failed"]),
  reason: z.string().optional(),
  isPreparatory: z.literal(true).optional(),
  unfollowed: z.record(z.string(), count).optional(),
  emptyReason: z.string().optional(),
  entries: count.describe("Entries that the source listed"),
  known: knownCounts,
  requested: count,
  dropped: z.array(z.strictObject({ entry: z.string(), reason: z.string() })).describe("Unusable entries"),
});

const pageText = z
  .strictObject({
    metadata: z
      .array(z.strictObject({ name: z.string(), content: z.string() }))
      .describe("The page's metadata about a work, in page order"),
    blocks: z
      .array(z.strictObject({ kind: z.enum(["heading", "text"]), text: z.string() }))
      .describe("The text of the page, without markup"),
    isShortened: z.literal(true).optional().describe("Set when a part was omitted because it is too long"),
  })
  .meta({ title: "PageText" })
  .optional()
  .describe("The content of the page; absent when the source itself listed the record");

const previewBody = z
  .strictObject({
    status: runState,
    failure: runFailure.optional(),
    source: sourceOutcome.optional().describe("How the source was read; absent until it has been read"),
    records: z
      .array(
        z.strictObject({
          outcome: z.enum(["valid", "online_first", "delinquent"]),
          findings: z.array(z.string()).describe("Why validation refused the record"),
          title: z.string(),
          url: z.string(),
          hash: z.string(),
          warnings: z.array(z.string()),
          record: marcRecord,
          provenance: provenance.describe(provenanceText),
          page: pageText,
        }),
      )
      .describe("The records, as they would be delivered or refused"),
    missed: z
      .array(
        z.strictObject({
          url: z.string(),
          title: z.string().optional(),
          state: z.enum(["dropped", "failed"]),
          reason: z.string(),
          page: pageText,
        }),
      )
      .describe("Articles that did not become records"),
  })
  .meta({ title: "Preview" });

const route = routesOver<PreviewPorts>();

export const previewSubject = {
  title: "Previews",
  introduction:
    "A preview shows what a source would deliver, before the source is switched on. A preview delivers nothing and adds nothing to the archive.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/sources/{id}/preview",
      summary: "Starts a preview of the newest articles of a source",
      details: "Hosts are requested in turn, so the result takes a while. Get it from the path in `result`.",
      params: z.strictObject({ id: sourceId }),
      query: z.strictObject({
        items: wholeNumber({ most: 20 }).default(5).describe("The number of articles per list"),
      }),
      answers: {
        202: acceptedAnswer("The preview was started", ["starting"], {}),
        404: problem("No such source"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, query }) => {
          if ((await ports.sources.source(id)) === undefined) {
            return refuseUnknown(context, "source", id);
          }
          const start: RunStart = {
            deliveryMode: "NONE",
            scheduledTime: ports.clock.now().toISOString(),
            sourceIds: [id],
            newest: query.items,
          };
          await ports.runStarts.send(start);
          const result = `/sources/${id}/preview/${buildRunId(start)}`;
          return accept(context, { status: "starting", result });
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/preview/{previewId}",
      summary: "Returns the result of a preview",
      params: z.strictObject({ id: sourceId, previewId: z.string().describe("As in `result` above") }),
      answers: {
        200: { description: "The preview is complete, or has failed (`failure`)", body: previewBody },
        202: acceptedAnswer(
          "The results so far; try again",
          runState.options,
          previewBody.omit({ status: true }).shape,
        ),
        404: problem("No such preview"),
      },
      handler:
        (ports) =>
        async (context, { params: { id, previewId } }) => {
          const startedAt = parseStartTime(previewId, id);
          if (startedAt === undefined) {
            const detail = `source ${id} has no preview ${previewId}`;
            return refuse(context, 404, { detail, field: "previewId", value: previewId });
          }
          const preview = await readPreview(previewId, ports);
          const result = `/sources/${id}/preview/${previewId}`;
          if (preview !== undefined) {
            const { state: status, ...found } = preview;
            if (isOver(preview)) return context.json({ status, ...found });
            return accept(context, { status, result }, found);
          }
          if (ports.clock.now().getTime() - startedAt.getTime() > maxStartDelayMs) {
            const detail = `the preview ${previewId} has not begun`;
            return refuse(context, 404, { detail, field: "previewId", value: previewId });
          }
          return accept(context, { status: "starting", result }, { records: [], missed: [] });
        },
    }),
  ],
} satisfies Subject<PreviewPorts>;

function isOver({ state }: Preview): boolean {
  return state === "finished" || state === "failed";
}

/** The time after which a start that has not been read counts as lost or never sent. */
const maxStartDelayMs = 10 * 60_000;

/**
 * Returns when a preview of this source was requested, according to its id.
 * @returns undefined when the id does not belong to a preview of the source
 */
function parseStartTime(previewId: string, sourceId: string): Date | undefined {
  const [, ...parts] = /^none-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/.exec(previewId) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const startedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(startedAt.getTime())) return undefined;
  const start = {
    deliveryMode: "NONE" as const,
    scheduledTime: startedAt.toISOString(),
    sourceIds: [sourceId],
  };
  return buildRunId(start) === previewId ? startedAt : undefined;
}
