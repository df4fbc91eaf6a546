import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import { knownReasons } from "../../records/archive/known-reason.ts";
import { ruleIds } from "../../records/rule-ids.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";

export const finding = z
  .strictObject({
    record: z.string().describe("Field 001 of the record; empty if the record has none"),
    ruleId: z.enum(ruleIds).describe("The rule that the record breaks, as in the table above"),
    tag: z.string(),
    subfield: z.string().optional().describe("Absent when the field as a whole breaks the rule"),
    level: z
      .string()
      .optional()
      .describe("The origin of the rule: `standard`, `source regular`, `all review`, …"),
    reason: z.string(),
  })
  .meta({ title: "Finding" });

export const refusedRecord = z
  .strictObject({
    id: z.string(),
    sourceId: z.string(),
    groupId: z.string(),
    title: z.string().optional(),
    url: z.string(),
    deliveryMode: z.enum(deliveredModes),
    findings: z.array(finding),
    findingCount: count,
    refusedAt: time.describe("The start of the last run that refused the record"),
    firstRefusedAt: time.optional().describe("The start of the first run that refused the record"),
    released: z
      .strictObject({ at: time, by: z.enum(["rules", "operator"]) })
      .optional()
      .describe("Set when the record was released: the next delivery includes it"),
    note: z
      .strictObject({ text: z.string(), by: z.string().describe("The operator"), at: time })
      .optional()
      .describe("The note of an operator"),
  })
  .meta({ title: "RefusedRecord" });

export const reasonGroup = z
  .strictObject({
    reason: z.string().describe("Rule and field, such as `missing-title:245a`"),
    ruleId: z.enum(ruleIds),
    field: z.string().describe("Tag and subfield; empty when the record as a whole breaks the rule"),
    requires: z.string().describe("What the rule requires"),
    count,
    sources: z
      .array(z.strictObject({ sourceId: z.string(), count }))
      .describe("The sources with the most records; at most 20"),
    sourceCount: count,
  })
  .meta({ title: "RefusalGroup" });

export const outcome = z
  .enum(["valid", "online_first", "delinquent", "released", ...knownReasons, "gone"])
  .exclude(["waiting"]);

export const outcomeText = `The outcome is

- \`valid\`: the next delivery includes the record
- \`delinquent\`: the record still breaks rules; its findings are updated
- \`online_first\`: the record waits until it has a volume and an issue
- \`released\`: the record was released earlier, and is delivered regardless of the rules
- \`ignored\`, \`elsewhere\`, \`delivered\`, \`claimed\`: the archive prevents the delivery of the record
- \`gone\`: a run has already taken the record`;

export function refusedRecordView({
  document,
  deliveryMode,
  findings,
  findingCount,
  refusedAt,
  firstRefusedAt,
  released,
  note,
}: RefusedRecord) {
  const { recordId, sourceId, groupId, title, url } = document;
  const refused = { deliveryMode, findings, findingCount, refusedAt, firstRefusedAt, released, note };
  return { id: recordId, sourceId, groupId, title, url, ...refused };
}
