import * as z from "zod";
import { count } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { assertSource } from "../../records/sources/assert-source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type TryRulesPorts, tryRules } from "../validate/try-rules.ts";
import { ruleSubject, type ValidationRuleStore, validationRule } from "../validation/rule.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";
import { finding } from "./refused-answers.ts";

export interface RuleTrialPorts extends TryRulesPorts {
  rules: Pick<ValidationRuleStore, "rules">;
  sources: Pick<SourceStore, "source">;
}

const maxChanges = 200;
/** The maximum number of findings, because longer lists are not helpful. */
const maxFindings = 5;

const outcome = z.enum(["valid", "online_first", "delinquent"]);

const route = routesOver<RuleTrialPorts>();

export const ruleTrialSubject = {
  title: "Trials of validation rules",
  introduction: "Shows the effect of changed rules on recently validated records. Nothing is stored.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/validation-rules/try",
      summary: "Tries changed rules on recent records before they are saved",
      details:
        "Validates the latest records of live runs, of all sources or of one, both by the stored rules and by the changed rules.",
      body: z.strictObject({
        put: z.array(validationRule).max(maxChanges).default([]).describe("Rules to add or replace"),
        remove: z.array(ruleSubject).max(maxChanges).default([]).describe("Rules to delete"),
        source: z.string().min(1).max(maxSourceIdChars).optional().describe("Only records of this source"),
        last: z.int().min(1).max(500).default(100).describe("The number of records"),
      }),
      example: {
        put: [{ tag: "245", subfield: "a", presence: "always", regex: "^[A-Z]" }],
        last: 100,
      },
      answers: {
        200: {
          description: "The effect of the changes",
          body: z.strictObject({
            tried: count.describe(
              "The number of records that were tried; fewer than `last` if there are no more",
            ),
            refusedBefore: count,
            refusedAfter: count,
            changed: z
              .array(
                z.strictObject({
                  recordId: z.string(),
                  sourceId: z.string(),
                  title: z.string().optional(),
                  url: z.string(),
                  before: outcome,
                  after: outcome,
                  findings: z.array(finding).describe("The first five findings"),
                }),
              )
              .describe("Records whose outcome differs"),
          }),
        },
      },
      handler:
        (ports) =>
        async (context, { body: { put, remove, source: sourceId, last } }) => {
          if (sourceId !== undefined) await assertSource(sourceId, ports.sources);
          const rules = await ports.rules.rules();
          const trial = await tryRules({ rules, changes: { put, remove } }, { last, sourceId }, ports);
          const changed = trial.changed.map(({ findings, ...each }) => ({
            ...each,
            findings: findings.slice(0, maxFindings),
          }));
          return context.json({ ...trial, changed });
        },
    }),
  ],
} satisfies Subject<RuleTrialPorts>;
