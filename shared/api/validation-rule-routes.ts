import { Hono } from "hono";
import { z } from "zod";
import { InputError } from "../core/errors.ts";
import type { SourceStore, ValidationRuleStore } from "../ports.ts";
import { longestSourceId, ruleKey, ruleSubject, validationRule } from "../validation/rule.ts";
import { parsedBody, parsedQuery } from "./parse.ts";

export interface ValidationRulePorts {
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
}

const listQuery = z.strictObject({
  source: z.string().min(1).max(longestSourceId).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(1000),
  /** A key of a rule: a source and what follows. */
  after: z
    .string()
    .min(1)
    .max(longestSourceId + 50)
    .optional(),
});

/** What records are held against, for operators. A rule is known by what it is about: source, type, tag, subfield. */
export function validationRuleRoutes({ rules, sources }: ValidationRulePorts): Hono {
  const app = new Hono();

  /** All rules, or those of one source, in the order of what they are about; `next` is where the following page begins. */
  app.get("/validation-rules", async (context) => {
    const { source, limit, after } = parsedQuery(context, listQuery);
    const found = await rules.page({ source, limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return context.json({ rules: page, ...(last && { next: ruleKey(last) }) });
  });

  /** Writes one rule, in the place of the one about the same. */
  app.put("/validation-rules", async (context) => {
    const rule = await parsedBody(context, validationRule);
    const { source } = rule;
    if (source !== null && (await sources.source(source)) === undefined) {
      throw new InputError("source", source, "there is no such source");
    }
    await rules.put(rule);
    return context.json(rule);
  });

  /** Deletes the rule about what the query names; without `source`, the one for all sources. */
  app.delete("/validation-rules", async (context) => {
    const subject = parsedQuery(context, ruleSubject);
    if (await rules.remove(subject)) return context.body(null, 204);
    return context.json({ error: `there is no rule ${ruleKey(subject)}` }, 404);
  });

  return app;
}
