import { z } from "zod";
import { validationRules } from "./rule.ts";

/** Rules with the sources that they are about, by Zeder id, as one file holds them. */
export const ruleFile = z
  .strictObject({
    /** Names by Zeder id; without any, records and rules may be of all sources. */
    sources: z.record(z.string().min(1), z.string()).default({}),
    rules: validationRules,
  })
  .superRefine(({ sources, rules }, context) => {
    if (Object.keys(sources).length === 0) return;
    for (const [index, { source }] of rules.entries()) {
      if (source === null || Object.hasOwn(sources, source)) continue;
      context.addIssue({
        code: "custom",
        path: ["rules", index, "source"],
        message: "is none of the file's sources",
      });
    }
  });
export type RuleFile = z.output<typeof ruleFile>;
