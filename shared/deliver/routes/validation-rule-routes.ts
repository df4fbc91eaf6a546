import * as z from "zod";
import { count, problem, refuse } from "../../api/answer.ts";
import { etagOfContent } from "../../api/etag.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { mayOnlyCreate, type Precondition, readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { exampleOf } from "../../core/field-table.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { assertSource } from "../../records/sources/assert-source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { writtenTags } from "../../records/written-tags.ts";
import {
  isRuleKey,
  type RuleSubject,
  ruleKey,
  ruleSubject,
  type ValidationRule,
  type ValidationRuleStore,
  validationRules,
} from "../validation/rule.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";
import { compileRules } from "../validation/rule-set.ts";
import { uncoveredTags } from "../validation/user/unknown-fields.ts";
import { validationRuleBody } from "./validation-rule-body.ts";

export interface ValidationRulePorts {
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
}

/** The maximum number of rules that can be written within the time of a call. */
const maxImportedRules = 2000;
const writesAtOnce = 16;

const warning = z
  .string()
  .optional()
  .describe("Names the fields that have no rule. Records with such a field are refused");

const storedRule = validationRuleBody.schema
  .safeExtend({
    etag: z
      .string()
      .describe("The version of the rule. Send it as `If-Match` to change or delete only this version"),
    warning: warning.describe(
      "Only after a `PUT`: names the fields that have no rule. Records with such a field are refused",
    ),
  })
  .meta({ title: "ValidationRule" });

const exampleRule = exampleOf(validationRuleBody.fields);

const route = routesOver<ValidationRulePorts>();

export const validationRuleSubject = {
  title: "Validation rules",
  introduction:
    "A rule defines what a record of a source and type must or may have in one subfield. " +
    "There is at most one rule for the same source, type, tag and subfield.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/validation-rules",
      summary: "Lists rules by source, type, tag and subfield",
      query: z.strictObject({
        source: z
          .string()
          .min(1)
          .max(maxSourceIdChars)
          .optional()
          .describe("Only the rules of this source, without those for all sources"),
        limit: pageLimit({ most: 5000, otherwise: 1000 }),
        after: z
          .string()
          .max(maxSourceIdChars + 50)
          .optional()
          .describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ rules: z.array(storedRule), next }) },
      },
      handler:
        ({ rules, sources }) =>
        async (context, { query: { source, limit, after } }) => {
          if (after !== undefined && !isRuleKey(after, source)) {
            throw new InputError("after", after, "must be the `next` of a page of these rules");
          }
          const found = await rules.page({ source, limit: limit + 1, after });
          // A deleted source may still have rules.
          if (source !== undefined && found.length === 0 && after === undefined)
            await assertSource(source, sources);
          const page = found.slice(0, limit);
          const last = found.length > limit ? page.at(-1) : undefined;
          return context.json({ rules: page.map(withEtag), ...(last && { next: ruleKey(last) }) });
        },
    }),
    route({
      method: "PUT",
      path: "/validation-rules",
      summary: "Writes a rule",
      ifMatch: true,
      ifNoneMatch: true,
      details:
        "Replaces the rule for the same source, type, tag and subfield. A rule whose `source` is null applies to all sources.",
      body: validationRuleBody.schema,
      example: exampleRule,
      answers: { 200: { description: "The rule", body: storedRule } },
      handler:
        ({ rules, sources }) =>
        async (context, { body: rule }) => {
          if (rule.source !== null) await assertSource(rule.source, sources);
          const precondition = readPrecondition(context);
          if (mayOnlyCreate(context)) {
            if (!(await rules.add(rule))) return refuseStale(context, `rule ${ruleKey(rule)}`);
          } else if (precondition === undefined) await rules.put(rule);
          else if (!(await changeMeant(rule, { precondition, after: rule }, rules))) {
            return refuseStale(context, `rule ${ruleKey(rule)}`);
          }
          return context.json({ ...withEtag(rule), ...(await warnOfUncoveredTags(rule, rules)) });
        },
    }),
    route({
      method: "DELETE",
      path: "/validation-rules",
      summary: "Deletes a rule",
      ifMatch: true,
      details: "The query names the rule. Without `source`, it names the rule for all sources.",
      query: ruleSubject,
      answers: { 204: { description: "The rule was deleted" }, 404: problem("No such rule") },
      handler:
        ({ rules }) =>
        async (context, { query: subject }) => {
          const precondition = readPrecondition(context);
          if (precondition !== undefined) {
            const isDone = await changeMeant(subject, { precondition, after: undefined }, rules);
            return isDone ? context.body(null, 204) : refuseStale(context, `rule ${ruleKey(subject)}`);
          }
          if (await rules.remove(subject)) return context.body(null, 204);
          return refuse(context, 404, {
            detail: `there is no rule ${ruleKey(subject)}`,
            field: "tag",
            value: subject.tag,
          });
        },
    }),
    route({
      method: "POST",
      path: "/validation-rules/import",
      summary: "Writes all rules of a file, and keeps all other rules",
      details: "[validation-rules.example.json](validation-rules.example.json) is an example.",
      body: z.strictObject({ rules: validationRules.max(maxImportedRules) }),
      example: { rules: [exampleRule] },
      answers: {
        200: {
          description: "The number of rules that were written",
          body: z.strictObject({ imported: count, warning }),
        },
      },
      handler:
        ({ rules, sources }) =>
        async (context, { body: { rules: given } }) => {
          for (const source of new Set(given.map((rule) => rule.source))) {
            if (source !== null) await assertSource(source, sources);
          }
          await inParallel(given, writesAtOnce, (rule) => rules.put(rule));
          const about = { source: null, recordType: "regular" } as const;
          return context.json({ imported: given.length, ...(await warnOfUncoveredTags(about, rules)) });
        },
    }),
  ],
} satisfies Subject<ValidationRulePorts>;

function withEtag(rule: ValidationRule) {
  return { ...rule, etag: etagOfContent(rule) };
}

/**
 * Writes or deletes a rule if it fulfils the precondition.
 * @returns `false` otherwise
 */
async function changeMeant(
  subject: RuleSubject,
  { precondition, after }: { precondition: Precondition; after: ValidationRule | undefined },
  rules: ValidationRuleStore,
): Promise<boolean> {
  const before = await rules.get(subject);
  return (
    before !== undefined && precondition.isMetBy(etagOfContent(before)) && (await rules.change(before, after))
  );
}

/**
 * Warns about fields without a rule, because after the first rule for a type of record, every field of such records
 * needs a rule.
 */
async function warnOfUncoveredTags(
  about: Pick<RuleSubject, "source" | "recordType">,
  rules: Pick<ValidationRuleStore, "rules">,
): Promise<{ warning?: string }> {
  const tags = uncoveredTags(writtenTags, about, compileRules(await rules.rules()));
  if (tags.length === 0) return {};
  return {
    warning: `records with these fields are refused, because there is no rule for them: ${tags.join(", ")}`,
  };
}
