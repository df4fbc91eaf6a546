import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuseUnknown, time } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { afterPosition, afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { originFinding } from "../../records/origin/origin-finding.ts";
import { isOriginSelected, originQuery, originSummary } from "../../records/origin/origin-summary.ts";
import { deliveredModes, deliveredRunId, runModes } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { skipSource } from "../../records/runs/skip-source.ts";
import { articleOutcomes } from "../../records/runs/source-outcomes.ts";
import type { StageQueue } from "../../records/runs/stages.ts";
import { type StartRunPorts, startRunNow } from "../../records/runs/start-run-now.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { runArticles } from "../report/run-articles.ts";
import type { SourceRunStore } from "../report/source-runs.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";

export interface SourceRunPorts extends StartRunPorts {
  runs: RunStore;
  /** The queue that starts the delivery of a run. */
  delivery: StageQueue;
  sourceRuns: Pick<SourceRunStore, "latest">;
  sources: Pick<SourceStore, "sourcesById">;
}

const runId = z.string().regex(deliveredRunId, "must be the id of a run, such as live-20261120T190000Z");
const sourceId = z.string().min(1).max(maxSourceIdChars).describe("The id of a source");

const runBody = z.strictObject({
  mode: z
    .enum(deliveredModes)
    .describe("Live sources are delivered to the library, test sources to its test system"),
  sourceIds: z
    .array(z.string().min(1).max(maxSourceIdChars))
    .min(1)
    .max(1000)
    .optional()
    .describe("Sources of this mode; absent for all of them"),
});

const startedRun = z.strictObject({
  runId: z.string(),
  isUnderWay: z
    .literal(true)
    .optional()
    .describe("Set when no run was started, because a run of the same sources is in progress"),
});

const sourceRun = z
  .strictObject({
    sourceId: z.string(),
    runId: z.string(),
    deliveryMode: z.enum(runModes),
    startedAt: time,
    state: z.enum(["read", "failed"]),
    reason: z.string().optional().describe("Why the source failed, or a note about it"),
    entries: count.describe("Entries that the source listed"),
    requested: count,
    converted: count,
    delivered: count,
    undelivered: count.describe("Valid, but not delivered when the report of the run was made"),
    known: count.describe("Omitted because the archive has them"),
    onlineFirst: count,
    released: count,
    refused: count.describe("Refused by validation"),
    duplicates: count,
    unusable: count,
    unreachable: count,
    unanswered: count,
  })
  .meta({ title: "SourceRun" });

const runArticle = z
  .strictObject({
    outcome: z.enum(articleOutcomes),
    title: z.string().optional(),
    url: z.string().optional(),
    reason: z
      .string()
      .optional()
      .describe("Why the article was not delivered; for a valid article, what to check"),
    recordId: z.string().optional(),
    originFindings: z
      .array(originFinding)
      .optional()
      .describe("Witnesses that disagree, and known retractions and corrections"),
    origin: originSummary.optional().describe("Absent when all fields were taken from the page"),
    count: count
      .optional()
      .describe("The number of unusable entries that this one stands for, after the first ones of a list"),
  })
  .meta({ title: "RunArticle" });

const route = routesOver<SourceRunPorts>();

export const sourceRunSubject = {
  title: "Runs now, and runs of a source",
  introduction: "Starts a run, and lists the results of one source by run.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/runs",
      summary: "Starts a run now, with harvest, validation and delivery",
      details:
        "The run delivers when all sources have been read, or at its deadlines. If a run of the same sources is still reading them, no run is started, and the response names that run. If another run is reading one of the sources, both runs read it, and each record is delivered once.",
      body: runBody,
      example: { mode: "LIVE", sourceIds: ["demo-journal"] },
      answers: {
        202: acceptedAnswer("The run was started, or is in progress", ["running"], startedRun.shape),
      },
      handler:
        (ports) =>
        async (context, { body: { mode, sourceIds } }) => {
          if (sourceIds !== undefined) await assertSources(sourceIds, mode, ports);
          const wanted = { deliveryMode: mode, ...(sourceIds !== undefined && { sourceIds }) };
          const { run, ...started } = await startRunNow(wanted, ports);
          const { runId } = run;
          const result = `/runs/${runId}`;
          return accept(context, { status: "running", result, seconds: 5 }, { runId, ...started });
        },
    }),
    route({
      method: "POST",
      path: "/runs/{id}/sources/{sourceId}/skip",
      summary: "Ends a source that a run waits for, with a reason",
      details:
        "The run continues without it, and delivers what has been read of it. The next run reads the rest. Repeatable; a source that has ended is unchanged. A skip cannot be undone, because the run may be delivering already. The source's requests are not withdrawn: responses that arrive before the delivery begins are delivered with the run. `POST /runs` with `sourceIds` reads the rest now.",
      params: z.strictObject({ id: runId, sourceId }),
      body: z.strictObject({ reason: z.string().trim().min(1).max(500).describe("For the report") }),
      example: { reason: "The publisher's site is down until tomorrow" },
      answers: {
        204: { description: "The run does not wait for the source" },
        404: problem("No such run, or no such source"),
      },
      handler:
        (ports) =>
        async (context, { params: { id, sourceId: wanted }, body }) => {
          if ((await ports.runs.get(id)) === undefined) return refuseUnknown(context, "run", id);
          const { sources, unusable } = await ports.sources.sourcesById([wanted]);
          const [source] = [...sources, ...unusable];
          const title = source?.title ?? wanted;
          const reason = `skipped by ${operatorOf(context)}: ${body.reason}`;
          const wasOpen = await skipSource({ runId: id, sourceId: wanted, title, reason }, ports);
          if (!wasOpen && source === undefined) return refuseUnknown(context, "source", wanted, "sourceId");
          return context.body(null, 204);
        },
    }),
    route({
      method: "GET",
      path: "/runs/{id}/articles",
      summary: "Lists the outcome of each article of a source in a run, with the reason",
      details: `The outcome is one of those that \`GET /runs/{id}\` counts:

- \`delivered\`, or \`undelivered\`: valid, and not delivered yet
- \`refused\`: refused by validation; \`onlineFirst\`: waiting until it has a volume and an issue
- \`duplicates\`: the same article as another record; \`known\`: the archive has it
- \`unusable\`: unfit to become a record; \`unreachable\`: its host did not provide it

Articles without a response are counted, but not listed; nor are entries that the archive knew before they were requested.`,
      params: z.strictObject({ id: runId }),
      query: z.strictObject({
        source: sourceId,
        outcome: z.enum(articleOutcomes).optional().describe("Only articles with this outcome"),
        ...originQuery,
        limit: pageLimit({ most: 500, otherwise: 100 }),
        after: afterPosition,
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ articles: z.array(runArticle), next }) },
        404: problem("No such run"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, query: { source, outcome, limit, after = 0, ...selection } }) => {
          if ((await ports.runs.get(id)) === undefined) return refuseUnknown(context, "run", id);
          const articles = [];
          let seen = 0;
          for await (const page of runArticles(id, source, ports)) {
            for (const article of page) {
              seen += 1;
              if (seen <= after || (outcome !== undefined && article.outcome !== outcome)) continue;
              if (!isOriginSelected(selection, article)) continue;
              if (articles.length === limit) return context.json({ articles, next: String(seen - 1) });
              articles.push(article);
            }
          }
          return context.json({ articles });
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/runs",
      summary: "Lists the results of a source in each reported run, newest first",
      details: "Runs are kept for a year. A run is listed when its report has been sent.",
      params: z.strictObject({ id: sourceId }),
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 30 }),
        after: z.string().min(1).max(200).optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ runs: z.array(sourceRun), next }) },
      },
      handler:
        ({ sourceRuns }) =>
        async (context, { params: { id }, query: { limit, after } }) => {
          const found = await sourceRuns.latest(id, { limit: limit + 1, after: parseAfter(after) });
          const runs = found.slice(0, limit);
          const last = found.length > limit ? runs.at(-1) : undefined;
          return context.json({ runs, ...(last && { next: `${last.startedAt},${last.runId}` }) });
        },
    }),
  ],
} satisfies Subject<SourceRunPorts>;

/**
 * Checks the sources.
 * @throws InputError that names the first id that is not a valid source of the mode
 */
async function assertSources(
  sourceIds: string[],
  mode: (typeof deliveredModes)[number],
  { sources }: Pick<SourceRunPorts, "sources">,
): Promise<void> {
  const found = await sources.sourcesById([...new Set(sourceIds)]);
  const modes = new Map(found.sources.map((source) => [source.sourceId, source.deliveryMode]));
  for (const [index, id] of sourceIds.entries()) {
    const unusable = found.unusable.find((source) => source.sourceId === id);
    if (unusable !== undefined) throw new InputError(`sourceIds.${index}`, id, unusable.problem);
    const own = modes.get(id);
    if (own === undefined) throw new InputError(`sourceIds.${index}`, id, "there is no such source");
    if (own !== mode)
      throw new InputError(`sourceIds.${index}`, id, `is a source of the mode ${own}, not ${mode}`);
  }
}

/**
 * Parses a cursor.
 * @throws InputError when it is invalid
 */
function parseAfter(after: string | undefined): { startedAt: string; runId: string } | undefined {
  if (after === undefined) return undefined;
  const [startedAt = "", runId = ""] = after.split(",");
  if (!time.safeParse(startedAt).success || runId === "")
    throw new InputError("after", after, "must be the `next` of a page of runs");
  return { startedAt, runId };
}
