import { Hono } from "hono";
import { z } from "zod";
import { writtenTags } from "../convert/written-tags.ts";
import { InputError } from "../core/errors.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { SourceStore } from "../sources/source-store.ts";
import {
  isRuleKey,
  maxSourceIdChars,
  type RuleSubject,
  ruleKey,
  ruleSubject,
  type ValidationRuleStore,
  validationRule,
  validationRules,
} from "../validation/rule.ts";
import { compileRules } from "../validation/rule-set.ts";
import { uncoveredTags } from "../validation/uncovered-tags.ts";
import { assertSource } from "./assert-source.ts";
import { parseBody, parseQuery, refuseQuery, wholeNumber } from "./parse-request.ts";

export interface ValidationRulePorts {
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
}

const listQuery = z.strictObject({
  source: z.string().min(1).max(maxSourceIdChars).optional(),
  limit: wholeNumber({ most: 5000 }).default(1000),
  /** A key of a rule: a source and what follows. */
  after: z
    .string()
    .max(maxSourceIdChars + 50)
    .optional(),
});

/** As many as are written in the time that a call may take. */
const importBody = z.strictObject({ rules: validationRules.max(2000) });
const writesAtOnce = 16;

/** What records are held against, for operators. A rule is known by what it is about: source, type, tag, subfield. */
export function validationRuleRoutes({ rules, sources }: ValidationRulePorts): Hono {
  const app = new Hono();
  const mustExist = async (source: string | null): Promise<void> => {
    if (source !== null) await assertSource(source, sources);
  };
  /** The first rule that concerns a record makes each of its fields need one. */
  const warningOf = async (
    about: Pick<RuleSubject, "source" | "recordType">,
  ): Promise<{ warning?: string }> => {
    const tags = uncoveredTags(writtenTags, about, compileRules(await rules.rules()));
    if (tags.length === 0) return {};
    return { warning: `records with these fields are refused, as no rule is about them: ${tags.join(", ")}` };
  };

  /** All rules, or those of one source, in the order of what they are about; `next` is where the following page begins. */
  app.get("/validation-rules", async (context) => {
    const { source, limit, after } = parseQuery(context, listQuery);
    if (after !== undefined && !isRuleKey(after, source)) {
      throw new InputError("after", after, "must be the `next` of a page of these rules");
    }
    const found = await rules.page({ source, limit: limit + 1, after });
    // One that has gone may have left rules.
    if (source !== undefined && found.length === 0 && after === undefined)
      await assertSource(source, sources);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return context.json({ rules: page, ...(last && { next: ruleKey(last) }) });
  });

  /** Writes all rules of a file, each in the place of the one about the same; others stay. */
  app.post("/validation-rules/import", refuseQuery, async (context) => {
    const { rules: given } = await parseBody(context, importBody);
    for (const source of new Set(given.map((rule) => rule.source))) await mustExist(source);
    await inParallel(given, writesAtOnce, (rule) => rules.put(rule));
    return context.json({
      imported: given.length,
      ...(await warningOf({ source: null, recordType: "regular" })),
    });
  });

  /** Writes one rule, in the place of the one about the same. */
  app.put("/validation-rules", refuseQuery, async (context) => {
    const rule = await parseBody(context, validationRule);
    await mustExist(rule.source);
    await rules.put(rule);
    return context.json({ ...rule, ...(await warningOf(rule)) });
  });

  /** Deletes the rule about what the query names; without `source`, the one for all sources. */
  app.delete("/validation-rules", async (context) => {
    const subject = parseQuery(context, ruleSubject);
    if (await rules.remove(subject)) return context.body(null, 204);
    return context.json({ error: `there is no rule ${ruleKey(subject)}` }, 404);
  });

  return app;
}
