import * as z from "zod";
import { problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { decideStoredDrift, driftDecisions } from "../quality/decide-drift.ts";
import { qualityFieldNames } from "../quality/quality-field.ts";
import type { QualityStore } from "../quality/quality-store.ts";
import { readQuality } from "../quality/read-quality.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";
import { driftView, sourceQuality } from "./quality-answers.ts";

export interface QualityPorts {
  sources: Pick<SourceStore, "sourcesById">;
  quality: Pick<QualityStore, "latest" | "drifts" | "saveDrifts">;
  clock: Pick<Clock, "now">;
}

const params = z.strictObject({
  id: z.string().min(1).max(maxSourceIdChars).describe("The id of a source"),
});

const decision = z.strictObject({
  driftId: z.string().min(1).max(100).describe("The id of the drift, so that no later drift is accepted"),
  decision: z
    .enum(driftDecisions)
    .describe(
      "`accept`: the lower share is normal; later runs are compared with the runs since the drop. `reopen`: revokes `accept`",
    ),
});

const route = routesOver<QualityPorts>();

export const qualitySubject = {
  title: "Quality of a source",
  introduction:
    "Which fields the records of a source have, and how this changes. See [quality over time](metadata-quality.md#quality-over-time).",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/sources/{id}/quality",
      summary: "Returns which fields the records of a source have, now and in 90 days, and its drifts",
      details:
        "A record is counted in the run that validates it, delivered or not. A record that was refused before is not counted again. A source without records has all fields, with zeros.",
      params,
      answers: {
        200: { description: "The quality", body: sourceQuality },
        404: problem("No such source"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          if (!(await isSource(id, ports))) return refuseUnknown(context, "source", id);
          const { fields, runs, drifts } = await readQuality(id, ports);
          return context.json({
            sourceId: id,
            fields,
            runs: runs.map(({ runId, startedAt, records, fields: own }) => {
              const has = qualityFieldNames.map((name) => [name, own[name]?.has ?? 0]);
              return { runId, startedAt, records, has: Object.fromEntries(has) };
            }),
            drifts: drifts.map(driftView),
          });
        },
    }),
    route({
      method: "POST",
      path: "/sources/{id}/quality/drifts",
      summary: "Accepts the lower share of a drift as normal, or revokes this",
      details: "A repeated decision changes nothing.",
      params,
      body: decision,
      example: { driftId: "kX2vQ9mN4tRb7sLw", decision: "accept" },
      answers: {
        204: { description: "It is decided" },
        404: problem("No such source"),
        409: problem("The source has no such drift, or the field has recovered or has a later drift"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          if (!(await isSource(id, ports))) return refuseUnknown(context, "source", id);
          const by = operatorOf(context);
          if (await decideStoredDrift(id, { ...body, by }, ports)) return context.body(null, 204);
          const detail = "the source has no such drift, or the field has recovered or has a later drift";
          return refuse(context, 409, { detail, field: "driftId", value: body.driftId });
        },
    }),
  ],
} satisfies Subject<QualityPorts>;

async function isSource(id: string, { sources }: Pick<QualityPorts, "sources">): Promise<boolean> {
  const found = await sources.sourcesById([id]);
  return found.sources.length + found.unusable.length > 0;
}
