import { Hono } from "hono";
import { z } from "zod";
import { InputError } from "../core/errors.ts";
import { inputErrorOf } from "../core/problems.ts";
import type { SourceStore, ValidationRuleStore } from "../ports.ts";
import { ruleKey, ruleSubject, validationRule } from "../validation/rule.ts";
import { parseJson } from "./json-body.ts";

export interface ValidationRulePorts {
  rules: ValidationRuleStore;
  sources: Pick<SourceStore, "source">;
}

const listQuery = z.strictObject({ source: z.string().min(1).optional() });

/** What records are held against, for operators. A rule is known by what it is about: source, type, tag, subfield. */
export function validationRuleRoutes({ rules, sources }: ValidationRulePorts): Hono {
  const app = new Hono();

  /** All rules, or those of one source. */
  app.get("/validation-rules", async (context) => {
    const query = listQuery.safeParse(context.req.query());
    if (!query.success) throw inputErrorOf(query.error, context.req.query());
    const { source } = query.data;
    const all = await rules.rules();
    return context.json({ rules: source === undefined ? all : all.filter((rule) => rule.source === source) });
  });

  /** Writes one rule, in the place of the one about the same. */
  app.put("/validation-rules", async (context) => {
    const body = parseJson(await context.req.text());
    const rule = validationRule.safeParse(body);
    if (!rule.success) throw inputErrorOf(rule.error, body);
    const { source } = rule.data;
    if (source !== null && (await sources.source(source)) === undefined) {
      throw new InputError("source", source, "there is no such source");
    }
    await rules.put(rule.data);
    return context.json(rule.data);
  });

  /** Deletes the rule about what the query names; without `source`, the one for all sources. */
  app.delete("/validation-rules", async (context) => {
    const subject = ruleSubject.safeParse(context.req.query());
    if (!subject.success) throw inputErrorOf(subject.error, context.req.query());
    if (await rules.remove(subject.data)) return context.body(null, 204);
    return context.json({ error: `there is no rule ${ruleKey(subject.data)}` }, 404);
  });

  return app;
}
