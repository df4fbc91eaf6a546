import type { Context } from "hono";
import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { afterPosition, afterText, next, pageLimit } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import {
  type Reconversion,
  type ReconversionStore,
  reconversionStates,
  type Selection,
  triedOutcomes,
} from "../../records/reconversions/reconversion.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { assertSource } from "../../records/sources/assert-source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { currentOutcome, outcomesFrom } from "../updates/part-outcomes.ts";
import {
  acceptUpdates,
  cancelReconversion,
  type RequestReconversionPorts,
  requestReconversion,
} from "../updates/request-reconversion.ts";
import type { TriedRecord } from "../updates/tried-record.ts";

export interface ReconversionPorts extends RequestReconversionPorts {
  reconversions: ReconversionStore;
  sources: Pick<SourceStore, "source">;
  records: Pick<RecordStore, "get">;
  runs: Pick<RunStore, "stageResult" | "loadPart">;
}

const reconversionId = z
  .string()
  .regex(/^\d{8}T\d{6}Z-[\w-]{1,8}$/, "must be the id of a reconversion, such as 20261120T190000Z-1b4e28ba");
const params = z.strictObject({ id: reconversionId });
const day = z.iso.date();
const outcome = z.enum(triedOutcomes);

const reconversionBody = z
  .strictObject({
    reconversionId,
    state: z.enum(reconversionStates),
    by: z.string().describe("The operator who requested it"),
    requestedAt: time,
    deliveryMode: z.enum(deliveredModes),
    selection: z
      .discriminatedUnion("type", [
        z.strictObject({
          type: z.literal("source"),
          sourceId: z.string(),
          from: day.optional(),
          to: day.optional(),
        }),
        z.strictObject({ type: z.literal("record"), sourceId: z.string(), recordId }),
        z.strictObject({
          type: z.literal("outcome"),
          sourceId: z.string(),
          reconversionId,
          outcome,
        }),
        z.strictObject({ type: z.literal("reversal"), sourceId: z.string(), reconversionId }),
      ])
      .describe("`reversal`: the records that a reconversion has delivered get their former content"),
    asksAgencies: z.boolean(),
    counts: z
      .partialRecord(outcome, count)
      .optional()
      .describe("The number of records by outcome; absent while records are converted"),
    decidedBy: z.string().optional().describe("The operator who accepted or cancelled it"),
    decidedAt: time.optional(),
    deliveredAt: time.optional(),
    files: z.array(z.string()).optional().describe("The names of the update files"),
    failure: z
      .strictObject({ reason: z.string(), at: time })
      .optional()
      .describe("Why it has stopped; `POST …/deliver` resumes the delivery"),
  })
  .meta({ title: "Reconversion" });

const triedRecord = z.strictObject({
  recordId: z.string(),
  title: z.string(),
  url: z.string(),
  outcome,
  reason: z.string().optional().describe("Why the record is not delivered"),
  changes: z
    .array(
      z.strictObject({
        tag: z.string().describe("`LDR` is the leader"),
        before: z.array(z.string()).describe("The fields that were delivered"),
        after: z.array(z.string()).describe("The fields of the new conversion"),
      }),
    )
    .optional()
    .describe("The fields that differ, by tag"),
});

const route = routesOver<ReconversionPorts>();

export const reconversionSubject = {
  title: "Reconversions",
  introduction: `Converts delivered records again after a reader, a recipe, a rule or a setting has changed. Articles are converted from their [stored pages](operations.md#stored-pages), and documents from their last content; their hosts are not requested. Names that were not looked up before are looked up.

A reconversion first compares each record with what was delivered. \`POST …/deliver\` then delivers the changed records as update files: each record keeps its number (001), and its leader has the status \`c\` (05). A record that has been delivered again since the comparison, or reset or excluded by an operator, is \`stale\` and is not overwritten.`,
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/reconversions",
      summary: "Converts delivered records again, and compares them with what was delivered",
      body: z
        .strictObject({
          source: z.string().min(1).max(128).optional().describe("The delivered records of this source"),
          from: day.optional().describe("Delivered on this day (UTC) or later; only with `source`"),
          to: day.optional().describe("Delivered on this day (UTC) or earlier; only with `source`"),
          record: recordId.optional().describe("Only this record"),
          reconversion: reconversionId
            .optional()
            .describe("The records that have this `outcome` in an earlier reconversion"),
          outcome: outcome.optional(),
          mode: z.enum(deliveredModes).default("LIVE").describe("`TEST`: records of test deliveries"),
          asksAgencies: z
            .boolean()
            .default(false)
            .describe(
              "Whether registration agencies are asked again if their last answer is older than 30 days; they know new retractions",
            ),
        })
        .refine(
          ({ source, record, reconversion }) =>
            [source, record, reconversion].filter((each) => each !== undefined).length === 1,
          "must have one of source, record and reconversion",
        )
        .refine(
          ({ reconversion, outcome: wanted }) => (reconversion === undefined) === (wanted === undefined),
          {
            path: ["outcome"],
            error: "must be given with `reconversion`",
          },
        )
        .refine(({ source, from, to }) => source !== undefined || (from === undefined && to === undefined), {
          path: ["from"],
          error: "must be given with `source`",
        }),
      example: { source: "demo-journal", from: "2026-11-01" },
      answers: {
        202: acceptedAnswer("The records will be converted", ["converting"], { reconversionId }),
        404: problem("No such source, record or reconversion"),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { mode: deliveryMode, asksAgencies } = body;
          const selected = await selectionOf(body, ports);
          if ("unknown" in selected) return refuseUnknown(context, selected.unknown, selected.id);
          const wanted = { deliveryMode, asksAgencies, by: operatorOf(context), ...selected };
          return acceptReconversion(context, await requestReconversion(wanted, ports));
        },
    }),
    route({
      method: "GET",
      path: "/reconversions",
      summary: "Lists reconversions, newest first",
      details: "A page may be short; follow `next`.",
      query: z.strictObject({
        source: z.string().min(1).max(128).optional().describe("Only those of this source"),
        limit: pageLimit({ most: 100, otherwise: 20 }),
        after: reconversionId.optional().describe(afterText),
      }),
      answers: {
        200: {
          description: "A page",
          body: z.strictObject({ reconversions: z.array(reconversionBody), next }),
        },
      },
      handler:
        ({ reconversions }) =>
        async (context, { query: { source, limit, after } }) => {
          const found = await reconversions.list({ limit: limit + 1, after });
          const page = found.slice(0, limit);
          const isWanted = ({ selection }: Reconversion) =>
            source === undefined || selection.sourceId === source;
          return context.json({
            reconversions: page.filter(isWanted),
            ...(found.length > limit && { next: page.at(-1)?.reconversionId }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/reconversions/{id}",
      summary: "Returns a reconversion",
      params,
      answers: {
        200: { description: "The reconversion", body: reconversionBody },
        404: problem("No such reconversion"),
      },
      handler:
        ({ reconversions }) =>
        async (context, { params: { id } }) => {
          const found = await reconversions.get(id);
          return found === undefined ? refuseUnknown(context, "reconversion", id) : context.json(found);
        },
    }),
    route({
      method: "GET",
      path: "/reconversions/{id}/records",
      summary: "Lists the records of a reconversion, with the fields that differ",
      details: "Records appear as they are compared. A page may be short; follow `next`.",
      params,
      query: z.strictObject({
        outcome: outcome.optional().describe("Only records with this outcome"),
        limit: pageLimit({ most: 100, otherwise: 100 }),
        after: afterPosition,
      }),
      answers: {
        200: {
          description: "A page",
          body: z.strictObject({ records: z.array(triedRecord), next }),
        },
        404: problem("No such reconversion"),
      },
      handler:
        ({ reconversions, runs }) =>
        async (context, { params: { id }, query }) => {
          const reconversion = await reconversions.get(id);
          if (reconversion === undefined) return refuseUnknown(context, "reconversion", id);
          const page = await outcomesFrom(id, query, runs);
          const { outcome: wanted } = query;
          const records = page.records.map((record) => recordView(record, reconversion));
          return context.json({
            records: records.filter((record) => wanted === undefined || record.outcome === wanted),
            ...(page.next !== undefined && { next: String(page.next) }),
          });
        },
    }),
    route({
      method: "POST",
      path: "/reconversions/{id}/deliver",
      summary: "Delivers the changed records as update files, or resumes their delivery",
      params,
      answers: {
        202: acceptedAnswer("The updates will be delivered", ["delivering"], { reconversionId }),
        404: problem("No such reconversion"),
        409: problem("The reconversion has no changed records, or has been decided"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const found = await ports.reconversions.get(id);
          if (found === undefined) return refuseUnknown(context, "reconversion", id);
          if (!(await acceptUpdates(found, operatorOf(context), ports)))
            return refuseState(context, found, "has no changed records to deliver");
          return acceptReconversion(context, { ...found, state: "delivering" });
        },
    }),
    route({
      method: "POST",
      path: "/reconversions/{id}/cancel",
      summary: "Cancels a reconversion that has not been sent",
      params,
      answers: {
        204: { description: "It is cancelled" },
        404: problem("No such reconversion"),
        409: problem("The reconversion has been sent or cancelled"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const found = await ports.reconversions.get(id);
          if (found === undefined) return refuseUnknown(context, "reconversion", id);
          if (await cancelReconversion(found, operatorOf(context), ports)) return context.body(null, 204);
          return refuseState(context, found, "can no longer be cancelled");
        },
    }),
    route({
      method: "POST",
      path: "/reconversions/{id}/reverse",
      summary: "Prepares an update with the former content of the records that a reconversion has delivered",
      details: "The new reconversion compares the contents; `POST …/deliver` delivers the former content.",
      params,
      answers: {
        202: acceptedAnswer("The contents will be compared", ["converting"], { reconversionId }),
        404: problem("No such reconversion"),
        409: problem("The reconversion has not been delivered"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const found = await ports.reconversions.get(id);
          if (found === undefined) return refuseUnknown(context, "reconversion", id);
          if (found.state !== "delivered") return refuseState(context, found, "has not been delivered");
          const { deliveryMode, selection } = found;
          const { sourceId } = selection;
          const reversal = { type: "reversal" as const, sourceId, reconversionId: id };
          const wanted = { deliveryMode, asksAgencies: false, by: operatorOf(context), selection: reversal };
          return acceptReconversion(context, await requestReconversion(wanted, ports));
        },
    }),
  ],
} satisfies Subject<ReconversionPorts>;

/** Returns the selection that a body describes. `unknown` names what does not exist. */
async function selectionOf(
  body: {
    source?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    record?: string | undefined;
    reconversion?: string | undefined;
    outcome?: (typeof triedOutcomes)[number] | undefined;
  },
  { sources, records, reconversions }: ReconversionPorts,
): Promise<{ selection: Selection } | { unknown: string; id: string }> {
  const { source, from, to, record, reconversion, outcome: wanted } = body;
  if (record !== undefined) {
    const stored = await records.get(record);
    if (stored === undefined) return { unknown: "record", id: record };
    return { selection: { type: "record", sourceId: stored.sourceId, recordId: record } };
  }
  if (reconversion !== undefined && wanted !== undefined) {
    const earlier = await reconversions.get(reconversion);
    if (earlier === undefined) return { unknown: "reconversion", id: reconversion };
    const { sourceId } = earlier.selection;
    return { selection: { type: "outcome", sourceId, reconversionId: reconversion, outcome: wanted } };
  }
  const sourceId = source ?? "";
  await assertSource(sourceId, sources);
  if (from !== undefined && to !== undefined && from > to)
    throw new InputError("to", to, `is before ${from}`);
  const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  return { selection: { type: "source", sourceId, ...days } };
}

function recordView(
  record: TriedRecord & { reason?: string },
  { state }: Pick<Reconversion, "state">,
): z.output<typeof triedRecord> {
  const { recordId: id, title, landingUrl, reason } = record;
  return {
    recordId: id,
    title,
    url: landingUrl,
    outcome: currentOutcome(record.outcome, state),
    ...(reason !== undefined && { reason }),
    ...(record.outcome === "changed" && { changes: record.changes }),
  };
}

function acceptReconversion(context: Context, { reconversionId: id, state }: Reconversion): Response {
  return accept(context, { status: state, result: `/reconversions/${id}` }, { reconversionId: id });
}

function refuseState(context: Context, { reconversionId: id, state }: Reconversion, why: string): Response {
  const detail = `the reconversion ${id} ${why}: its state is ${state}`;
  return refuse(context, 409, { detail, field: "id", value: id });
}
