import * as z from "zod";
import { validationRules } from "./rule.ts";

/** A file of rules, with the sources to which they apply. */
export const ruleFile = z
  .strictObject({
    /** The names of sources, by Zeder id. If empty, records and rules may belong to any source. */
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
        message: "is not among the sources of the file",
      });
    }
  });
export type RuleFile = z.output<typeof ruleFile>;
