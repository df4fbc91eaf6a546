import type { Context } from "hono";
import { z } from "zod";
import type { ArchiveStore } from "../archive/archive-store.ts";
import { knownReasons } from "../archive/known-reason.ts";
import type { Clock } from "../core/clock.ts";
import type { DelinquentRecord } from "../delivery/delinquent/delinquent-record.ts";
import type { DelinquentStore } from "../delivery/delinquent/delinquent-store.ts";
import { decideHeld, type HeldDecision, heldRecords } from "../delivery/delinquent/held-records.ts";
import { type BlockReason, releaseRecord, revalidate } from "../delivery/delinquent/revalidate.ts";
import type { RecordStore } from "../documents/stored-record.ts";
import { deliveredModes } from "../runs/run.ts";
import type { SourceStore } from "../sources/source-store.ts";
import { maxSourceIdChars, type ValidationRuleStore } from "../validation/rule.ts";
import { ruleIds, ruleTexts } from "../validation/rule-ids.ts";
import { compileRules } from "../validation/rule-set.ts";
import { count, problem, refuse, refuseUnknown, time } from "./answer.ts";
import { assertSource } from "./assert-source.ts";
import { afterText, next, pageLimit } from "./paging.ts";
import { recordId, recordIdPattern } from "./record-id.ts";
import { routesOver, type Subject } from "./route.ts";

export interface DelinquentRecordPorts {
  delinquents: DelinquentStore;
  records: Pick<RecordStore, "get" | "loadMarc" | "setState" | "resetDelivered">;
  archive: ArchiveStore;
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
  clock: Clock;
}

const listQuery = z.strictObject({
  source: z
    .string("must be the id of a source")
    .min(1, "must be the id of a source")
    .max(maxSourceIdChars)
    .describe("The id of a source"),
  mode: z.enum(deliveredModes).default("LIVE"),
  limit: pageLimit({ most: 500, otherwise: 100 }),
  after: z
    .string()
    .regex(recordIdPattern, "must be the `next` of a page of delinquent records")
    .optional()
    .describe(afterText),
});
const params = z.strictObject({ id: recordId });

const finding = z
  .strictObject({
    record: z.string().describe("Field 001; empty when there is none"),
    ruleId: z.enum(ruleIds).describe("The rule that the record breaks, as in the table above"),
    tag: z.string(),
    subfield: z.string().optional().describe("Absent when the field as a whole breaks the rule"),
    level: z
      .string()
      .optional()
      .describe("Where the rule comes from: `standard`, `source regular`, `all review`, …"),
    reason: z.string(),
  })
  .meta({ title: "Finding" });

const delinquentRecord = z
  .strictObject({
    id: z.string(),
    sourceId: z.string(),
    groupId: z.string(),
    title: z.string().optional(),
    url: z.string(),
    deliveryMode: z.enum(deliveredModes),
    findings: z.array(finding),
    findingCount: count,
    refusedAt: time.describe("The start of the run that refused it last"),
    firstRefusedAt: time.optional().describe("The start of the run that refused it first"),
    released: z
      .strictObject({ at: time, by: z.enum(["rules", "operator"]) })
      .optional()
      .describe("Set when the next delivery takes it"),
  })
  .meta({ title: "DelinquentRecord" });

const outcome = z
  .enum(["valid", "online_first", "delinquent", "released", ...knownReasons, "gone"])
  .exclude(["waiting"]);

const outcomeText = `The outcome is

- \`valid\`: the next delivery takes it
- \`delinquent\`: it still breaks rules; its findings are renewed
- \`online_first\`: it waits for volume and issue
- \`released\`: it was released before, and is delivered whatever the rules say
- \`ignored\`, \`elsewhere\`, \`delivered\`, \`claimed\`: the archive holds it back
- \`gone\`: a run has taken it`;

const heldOutcomeText = `The outcome is

- \`released\`: the next delivery takes it
- \`ignored\`: it is never delivered
- \`claimed\`: the run that held it has not ended: repeat the call
- \`elsewhere\`, \`delivered\`: the archive has it as delivered
- \`gone\`: a run has taken it`;

const route = routesOver<DelinquentRecordPorts>();

export const delinquentRecordSubject: Subject<DelinquentRecordPorts> = {
  title: "Delinquent records",
  introduction: `Records that validation refused. Correct the rules and revalidate them, or release one although it breaks a
rule. Records held as \`perhaps-the-same\` wait for your word: release or ignore all of a source. Each finding has the id of the rule that the record breaks:

| rule | what it requires |
|---|---|
${ruleIds.map((id) => `| \`${id}\` | ${ruleTexts[id]} |`).join("\n")}`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/delinquent-records",
      summary: "Lists the refused records of a source, with their first findings",
      query: listQuery,
      answers: {
        200: { description: "A page", body: z.strictObject({ records: z.array(delinquentRecord), next }) },
      },
      handler:
        (ports) =>
        async (context, { query }) => {
          const { page, next } = await listPage(query, ports);
          return context.json({ records: page.map(delinquentRecordView), next });
        },
    }),
    route({
      method: "POST",
      path: "/delinquent-records/revalidate",
      summary: "Validates a page of the refused records of a source by the current rules",
      details: `Released records are left out. ${outcomeText}`,
      query: listQuery,
      answers: {
        200: {
          description: "The outcome of each record",
          body: z.strictObject({ records: z.array(z.strictObject({ id: z.string(), outcome })), next }),
        },
      },
      handler:
        (ports) =>
        async (context, { query }) => {
          const { page, next } = await listPage(query, ports);
          const waiting = page.filter(({ released }) => released === undefined);
          const outcomes = await revalidate(waiting, await currentRules(ports), ports);
          const records = waiting.map(({ document }, index) => ({
            id: document.recordId,
            outcome: outcomes[index],
          }));
          return context.json({ records, next });
        },
    }),
    heldRoute("release", "Releases the held records of a source: the next delivery takes them, once"),
    heldRoute("ignore", "Ignores the held records of a source: they are the same as delivered ones"),
    route({
      method: "GET",
      path: "/delinquent-records/{id}",
      summary: "Gives a refused record with all its findings",
      params,
      answers: {
        200: { description: "The record", body: delinquentRecord },
        404: problem("No such delinquent record"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const record = await findRecord(id, ports);
          if (record === undefined) return notFound(context, id);
          const findings = await ports.delinquents.findings(record);
          return context.json({ ...delinquentRecordView(record), findings });
        },
    }),
    route({
      method: "POST",
      path: "/delinquent-records/{id}/revalidate",
      summary: "Validates a refused record by the current rules",
      details: outcomeText,
      params,
      answers: {
        200: { description: "The outcome", body: z.strictObject({ id: z.string(), outcome }) },
        404: problem("No such delinquent record"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const record = await findRecord(id, ports);
          if (record === undefined) return notFound(context, id);
          const [outcome] = await revalidate([record], await currentRules(ports), ports);
          return context.json({ id, outcome });
        },
    }),
    route({
      method: "POST",
      path: "/delinquent-records/{id}/release",
      summary: "Releases a refused record: the next delivery takes it, once",
      params,
      answers: {
        200: {
          description: "The record was released",
          body: z.strictObject({ id: z.string(), state: z.literal("released") }),
        },
        404: problem("No such delinquent record"),
        409: problem("The archive holds the record back"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const record = await findRecord(id, ports);
          const outcome = record === undefined ? "gone" : await releaseRecord(record, "operator", ports);
          if (outcome === "gone") return notFound(context, id);
          if (outcome === "released") return context.json({ id, state: "released" });
          const detail = `record ${id} would not be delivered: ${releaseObstacles[outcome]}`;
          return refuse(context, 409, { detail, field: "id", value: id });
        },
    }),
  ],
};

/** A route for an operator's word on the records of a source that are held as `perhaps-the-same`. */
function heldRoute(decision: HeldDecision, summary: string) {
  return route({
    method: "POST",
    path: `/delinquent-records/${decision}-held`,
    summary,
    details: `Takes a page of the refused records of the source, and of those the held ones. ${heldOutcomeText}`,
    query: listQuery,
    answers: {
      200: {
        description: "The outcome of each held record",
        body: z.strictObject({ records: z.array(z.strictObject({ id: z.string(), outcome })), next }),
      },
    },
    handler:
      (ports) =>
      async (context, { query }) => {
        const { page, next } = await listPage(query, ports);
        const held = heldRecords(page);
        const outcomes = await decideHeld(held, decision, ports);
        const records = held.map(({ document }, index) => ({
          id: document.recordId,
          outcome: outcomes[index],
        }));
        return context.json({ records, next });
      },
  });
}

async function listPage(
  { source, mode, limit, after }: z.output<typeof listQuery>,
  { delinquents, sources }: DelinquentRecordPorts,
) {
  const page = await delinquents.listBySource(mode, source, { limit, after });
  // A source that was removed may have left records.
  if (page.length === 0 && after === undefined) await assertSource(source, sources);
  return { page, next: page.length < limit ? undefined : page.at(-1)?.document.recordId };
}

async function currentRules({ rules }: DelinquentRecordPorts) {
  return compileRules(await rules.rules());
}

async function findRecord(
  id: string,
  { records, delinquents }: DelinquentRecordPorts,
): Promise<DelinquentRecord | undefined> {
  const sourceId = (await records.get(id))?.sourceId;
  if (sourceId === undefined) return undefined;
  const found = await Promise.all(deliveredModes.map((mode) => delinquents.get(mode, sourceId, id)));
  return found.find((record) => record !== undefined);
}

const releaseObstacles: Record<BlockReason, string> = {
  ignored: 'the archive ignores it, or a record with its address: set the state there to "reset" first',
  elsewhere: 'the archive has it as delivered by hand: set its state there to "reset" first',
  delivered: "the archive has its DOI, address or hash as delivered",
  claimed: "another run has claimed its DOI, address or hash, and has not delivered it yet",
};

function delinquentRecordView({
  document,
  deliveryMode,
  findings,
  findingCount,
  refusedAt,
  firstRefusedAt,
  released,
}: DelinquentRecord) {
  const { recordId, sourceId, groupId, title, url } = document;
  const refused = { deliveryMode, findings, findingCount, refusedAt, firstRefusedAt, released };
  return { id: recordId, sourceId, groupId, title, url, ...refused };
}

function notFound(context: Context, id: string): Response {
  return refuseUnknown(context, "delinquent record", id);
}
