import * as z from "zod";
import { count } from "../../api/answer.ts";
import { afterPosition, next, pageByPosition, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import { ruleTexts } from "../../records/rule-ids.ts";
import { decideRefused, type RefusedDecision } from "../refused/decide-refused.ts";
import { fieldOf, type RefusalGroup, ruleOf } from "../refused/refusal-reason.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";
import { revalidate } from "../refused/revalidate.ts";
import type { ValidationRuleStore } from "../validation/rule.ts";
import { compileRules } from "../validation/rule-set.ts";
import { outcome, outcomeText, reasonGroup } from "./refused-answers.ts";
import { mode, noteText, type SelectionPorts, selection, selectWaiting } from "./refused-selection.ts";

export interface RefusedQueuePorts extends SelectionPorts {
  events: Events;
  records: SelectionPorts["records"] & Pick<RecordStore, "loadMarc" | "setState" | "resetDelivered">;
  archive: ArchiveStore;
  rules: Pick<ValidationRuleStore, "rules">;
}

const decisionText = `The outcome is

- \`released\`: the next delivery includes the record
- \`ignored\`: the record is never delivered
- \`claimed\`: the run that refused the record has not ended; repeat the call
- \`elsewhere\`, \`delivered\`: the archive lists the record as delivered
- \`gone\`: a run has already taken the record`;

const outcomesBody = z.strictObject({
  records: z.array(z.strictObject({ id: z.string(), outcome })),
  next: next.describe(
    "Repeat the call with this value as `after` for the remaining records; absent when none remain",
  ),
});

const maxListedSources = 20;

const route = routesOver<RefusedQueuePorts>();

export const refusedQueueSubject = {
  title: "The queue of refused records",
  introduction:
    "The refused records of all sources by reason, and actions on many records. An action processes one page of the selected records. Repeat it with `next` for the rest.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/refused-records/reasons",
      summary: "Counts the refused records of all sources by reason, most frequent first",
      details:
        "The reason of a record is the rule and the field of its first finding. Released records are not counted.",
      query: z.strictObject({
        mode,
        limit: pageLimit({ most: 500, otherwise: 200 }),
        after: afterPosition,
      }),
      answers: {
        200: {
          description: "A page, and the total number of records",
          body: z.strictObject({ total: count, reasons: z.array(reasonGroup), next }),
        },
      },
      handler:
        ({ refusedRecords }) =>
        async (context, { query: { mode, ...query } }) => {
          const reasons = (await refusedRecords.reasons(mode)).map(reasonView);
          const { page, next } = pageByPosition(reasons, query);
          return context.json({
            total: reasons.reduce((sum, { count }) => sum + count, 0),
            reasons: page,
            next,
          });
        },
    }),
    route({
      method: "POST",
      path: "/refused-records/revalidate",
      summary: "Validates a page of refused records by the current rules",
      details: `Released records are omitted. ${outcomeText}`,
      body: selection,
      example: { reason: "missing-title:245a" },
      answers: { 200: { description: "The outcome of each record", body: outcomesBody } },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { records, next } = await selectWaiting(body, context, ports);
          const outcomes = await revalidate(records, await currentRules(ports), ports);
          return context.json({ records: outcomesOf(records, outcomes), next });
        },
    }),
    decisionRoute(
      "release",
      "Releases a page of refused records, so that the next delivery includes each of them once",
    ),
    decisionRoute("ignore", "Ignores a page of refused records, so that they are never delivered"),
    route({
      method: "POST",
      path: "/refused-records/note",
      summary: "Attaches a note to a page of refused records, replacing any earlier note",
      body: selection.safeExtend({
        note: noteText.describe("Stored with each record until the record is delivered or ignored"),
      }),
      example: { reason: "missing-title:245a", note: "Publisher was mailed" },
      answers: {
        200: {
          description: "The records that now have the note",
          body: z.strictObject({ ids: z.array(z.string()), next: outcomesBody.shape.next }),
        },
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { records, next } = await selectWaiting(body, context, ports);
          return context.json({ ids: records.map(({ document }) => document.recordId), next });
        },
    }),
  ],
} satisfies Subject<RefusedQueuePorts>;

/** Builds a route for an operator's decision on refused records. */
function decisionRoute(decision: RefusedDecision, summary: string) {
  return route({
    method: "POST",
    path: `/refused-records/${decision}`,
    summary,
    details: `Possible duplicates have the reason \`perhaps-the-same\`. ${decisionText}`,
    body: selection,
    example: { reason: "perhaps-the-same", source: "demo-journal", note: "The journal has moved" },
    answers: { 200: { description: "The outcome of each record", body: outcomesBody } },
    handler:
      (ports) =>
      async (context, { body }) => {
        const { records, next } = await selectWaiting(body, context, ports);
        const outcomes = await decideRefused(records, decision, ports);
        return context.json({ records: outcomesOf(records, outcomes), next });
      },
  });
}

function outcomesOf(records: RefusedRecord[], outcomes: string[]) {
  return records.map(({ document }, index) => ({ id: document.recordId, outcome: outcomes[index] }));
}

function reasonView({ reason, count, sources }: RefusalGroup) {
  const ruleId = ruleOf(reason);
  const field = fieldOf(reason);
  const requires = ruleTexts[ruleId];
  const first = sources.slice(0, maxListedSources);
  return { reason, ruleId, field, requires, count, sources: first, sourceCount: sources.length };
}

async function currentRules({ rules }: RefusedQueuePorts) {
  return compileRules(await rules.rules());
}
