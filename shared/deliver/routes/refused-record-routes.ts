import type { Context } from "hono";
import * as z from "zod";
import { problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { next } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { ruleIds, ruleTexts } from "../../records/rule-ids.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";
import { type BlockReason, releaseRecord, revalidate } from "../refused/revalidate.ts";
import type { ValidationRuleStore } from "../validation/rule.ts";
import { compileRules } from "../validation/rule-set.ts";
import { outcome, outcomeText, refusedRecord, refusedRecordView } from "./refused-answers.ts";
import { listPage, listQuery, type SelectionPorts } from "./refused-selection.ts";

export interface RefusedRecordPorts extends SelectionPorts {
  events: Events;
  records: Pick<RecordStore, "get" | "loadMarc" | "setState">;
  archive: Pick<ArchiveStore, "knownReasons">;
  rules: Pick<ValidationRuleStore, "rules">;
}

const params = z.strictObject({ id: recordId });

const route = routesOver<RefusedRecordPorts>();

export const refusedRecordSubject = {
  title: "Refused records",
  introduction: `Records that validation refused. Either correct the rules and revalidate the records, or release a record although
it breaks a rule, or ignore the record. Possible duplicates (\`perhaps-the-same\`) wait for a decision. You can release or ignore all of a source at once. Each finding has the id of the rule that the record breaks:

| rule | requirement |
|---|---|
${ruleIds.map((id) => `| \`${id}\` | ${ruleTexts[id]} |`).join("\n")}`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/refused-records",
      summary: "Lists refused records with their first findings, of all sources, one source or one reason",
      details:
        "With `source`, the records are listed by id and include released ones. Without `source`, they are listed by reason, without released ones. A page may be short; follow `next`.",
      query: listQuery,
      answers: {
        200: { description: "A page", body: z.strictObject({ records: z.array(refusedRecord), next }) },
      },
      handler:
        (ports) =>
        async (context, { query }) => {
          const { records, next } = await listPage(query, ports);
          return context.json({ records: records.map(refusedRecordView), next });
        },
    }),
    route({
      method: "GET",
      path: "/refused-records/{id}",
      summary: "Returns a refused record with all its findings",
      params,
      answers: {
        200: { description: "The record", body: refusedRecord },
        404: problem("No such refused record"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const record = await findRecord(id, ports);
          if (record === undefined) return notFound(context, id);
          const findings = await ports.refusedRecords.findings(record);
          return context.json({ ...refusedRecordView(record), findings });
        },
    }),
    route({
      method: "POST",
      path: "/refused-records/{id}/revalidate",
      summary: "Validates a refused record by the current rules",
      details: outcomeText,
      params,
      answers: {
        200: { description: "The outcome", body: z.strictObject({ id: z.string(), outcome }) },
        404: problem("No such refused record"),
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
      path: "/refused-records/{id}/release",
      summary: "Releases a refused record, so that the next delivery includes it once",
      params,
      answers: {
        200: {
          description: "The record was released",
          body: z.strictObject({ id: z.string(), state: z.literal("released") }),
        },
        404: problem("No such refused record"),
        409: problem("The archive prevents the delivery of the record"),
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
} satisfies Subject<RefusedRecordPorts>;

async function currentRules({ rules }: RefusedRecordPorts) {
  return compileRules(await rules.rules());
}

async function findRecord(
  id: string,
  { records, refusedRecords }: RefusedRecordPorts,
): Promise<RefusedRecord | undefined> {
  const sourceId = (await records.get(id))?.sourceId;
  if (sourceId === undefined) return undefined;
  const found = await Promise.all(deliveredModes.map((mode) => refusedRecords.get(mode, sourceId, id)));
  return found.find((record) => record !== undefined);
}

const releaseObstacles: Record<BlockReason, string> = {
  ignored: 'the archive ignores it, or a record with its address: set the state there to "reset" first',
  elsewhere: 'the archive has it as delivered manually: set its state there to "reset" first',
  delivered: "the archive has its DOI, address or hash as delivered",
  claimed: "another run has claimed its DOI, address or hash, and has not delivered it yet",
};

function notFound(context: Context, id: string): Response {
  return refuseUnknown(context, "refused record", id);
}
