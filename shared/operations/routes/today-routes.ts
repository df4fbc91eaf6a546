import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { qualityFields } from "../../deliver/quality/quality-field.ts";
import { fieldOf, ruleOf } from "../../deliver/refused/refusal-reason.ts";
import { overdueSource } from "../../deliver/routes/overdue-answer.ts";
import { place, qualityField, share as qualityShare } from "../../deliver/routes/quality-answers.ts";
import { reasonGroup } from "../../deliver/routes/refused-answers.ts";
import { run, runFailure, runView } from "../../deliver/routes/run-answers.ts";
import { heldDeletions } from "../../harvest/routes/source-harvest-routes.ts";
import { share } from "../../links/routes/collection-answers.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import type { Need } from "../today/needs.ts";
import { readToday, type TodayPorts } from "../today/today.ts";
import { waitReasons } from "../today/unfinished-runs.ts";

const mode = z.enum(deliveredModes);

const need = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("network-down"), since: time, why: z.string() }),
    z.strictObject({
      type: z.literal("run-failed"),
      mode,
      runId: z.string(),
      ...runFailure.shape,
    }),
    z.strictObject({
      type: z.literal("failed-messages"),
      queue: z.string().describe("The queue whose messages were quarantined: see `GET /failed-messages`"),
      messages: count.describe("The number of messages among the last 200"),
      reason: z.string().describe("Why the last of these messages failed"),
    }),
    z.strictObject({
      type: z.literal("dead-letters"),
      queue: z.string().describe("The queue whose messages failed permanently; see the runbook"),
      messages: count.describe("The approximate number of messages"),
    }),
    z.strictObject({
      type: z.literal("refused"),
      mode,
      ...reasonGroup.pick({ reason: true, ruleId: true, field: true, count: true }).shape,
      sourceCount: count,
    }),
    z.strictObject({ type: z.literal("deletions-held"), sourceId: z.string(), ...heldDeletions.shape }),
    z
      .strictObject({
        type: z.literal("quality-drifted"),
        sourceId: z.string(),
        title: z.string(),
        fields: z.array(
          z.strictObject({ field: qualityField, place, now: qualityShare, before: qualityShare }),
        ),
      })
      .describe("Fewer records of the source have these fields than before: see `GET /sources/{id}/quality`"),
    z
      .strictObject({
        type: z.literal("late"),
        mode,
        runId: z.string(),
        sourceId: z.string(),
        until: time.describe("When the source stops being read"),
      })
      .describe("A source that was unfinished when its run delivered; its articles join the next delivery"),
    z.strictObject({ type: z.literal("overdue"), ...overdueSource.shape }),
    z.strictObject({
      type: z.literal("collection-suppressed"),
      collectionId: z.string(),
      by: z.enum(["checks", "hold"]).describe("`hold`: an operator suppressed the collection"),
      since: time.optional(),
      reason: z.string().optional(),
    }),
    z.strictObject({
      type: z.literal("host-paused"),
      hostKey: z.string(),
      since: time,
      by: z.string().describe("The operator"),
      reason: z.string(),
    }),
    z.strictObject({
      type: z.literal("host-unavailable"),
      hostKey: z.string(),
      what: z.string().describe("The host, or an origin of it"),
      until: time,
      reason: z.string(),
    }),
    z
      .strictObject({
        type: z.literal("host-overbooked"),
        hostKey: z.string(),
        collections: count,
        links: count,
        neededHours: z.number(),
        everyHours: z.number(),
      })
      .describe(
        "A host whose link checks need more time than there is between two sweeps; its collections take turns",
      ),
  ])
  .meta({ title: "Need" });

const unfinishedRun = z
  .strictObject({
    runId: z.string(),
    mode,
    startedAt: time,
    softDeadlineAt: time.optional().describe("When the run is delivered with the articles finished by then"),
    deadlineAt: time.describe("When the run is delivered in any case"),
    openCount: count.describe("The number of sources for which the run waits"),
    sources: z
      .array(
        z.strictObject({
          sourceId: z.string(),
          title: z.string(),
          hostKey: z.string().optional().describe("The host of the source's address"),
          waitsFor: z
            .enum(waitReasons)
            .describe(
              "The cause of the wait: Ingather's own network, a paused or unavailable host, the back-off (which includes Retry-After) or delay of a host, a response, or the turn in a queue",
            ),
          until: time.optional().describe("When the wait ends at the latest, if known"),
        }),
      )
      .describe("The first 20 of these sources, by id"),
  })
  .meta({ title: "UnfinishedRun" });

const route = routesOver<TodayPorts>();

export const todaySubject = {
  title: "Today",
  introduction: "The items that need attention, and the next starts of runs.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/today",
      summary: "Lists the items that need attention, the last live runs, and the next starts of runs",
      details:
        "The most urgent items are first, with at most 20 of each kind. Overdue sources are as of the last run.",
      answers: {
        200: {
          description: "The state of the whole system",
          body: z.strictObject({
            needs: z.array(need),
            network: z.strictObject({
              state: z.enum(["up", "down"]),
              since: time.optional(),
              why: z.string().optional(),
            }),
            links: share
              .optional()
              .describe("The share of dead links over all collections; absent before the first sample"),
            runs: z.array(run),
            unfinished: z.array(unfinishedRun).describe("Runs that still read sources, and why"),
            nextRuns: z.array(z.strictObject({ mode, at: time })),
          }),
        },
      },
      handler: (ports) => async (context) => {
        const { needs, runs, ...today } = await readToday(ports);
        return context.json({ needs: needs.map(needView), runs: runs.map(runView), ...today });
      },
    }),
  ],
} satisfies Subject<TodayPorts>;

function needView(need: Need): object {
  if (need.type === "quality-drifted") {
    const fields = need.fields.map((each) => ({ ...each, place: qualityFields[each.field].place }));
    return { ...need, fields };
  }
  if (need.type !== "refused") return need;
  const { sources, ...refused } = need;
  const { reason } = refused;
  return { ...refused, ruleId: ruleOf(reason), field: fieldOf(reason), sourceCount: sources.length };
}
