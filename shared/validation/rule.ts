import { z } from "zod";
import { patternText } from "../sources/pattern.ts";

/** The kinds of records that rules may tell apart. */
export const recordTypes = ["regular", "review", "non_article"] as const;
export type RecordType = (typeof recordTypes)[number];

/**
 * - `ALWAYS`: the field must be there, and the subfield in each of its occurrences
 * - `SOMETIMES`: it may be there
 * - `IGNORE`: it may be there and is not looked at
 */
export const presences = ["ALWAYS", "SOMETIMES", "IGNORE"] as const;

/** What an operator expects of one subfield. */
export const validationRule = z
  .object({
    /** The rule counts for this source alone; absent: for all. */
    sourceId: z.string().min(1).optional(),
    recordType: z.enum(recordTypes).default("regular"),
    tag: z.string().regex(/^[0-9A-Z]{3}$/, "must be a tag of three digits or capital letters"),
    /** Absent for control fields, which have none. */
    subfield: z.string().length(1, "must be a subfield code of one character").optional(),
    presence: z.enum(presences),
    /** Must be found in every occurrence of the subfield; in RE2 syntax. */
    pattern: patternText.optional(),
  })
  .refine(({ tag, subfield }) => tag.startsWith("00") === (subfield === undefined), {
    path: ["subfield"],
    message: "a data field needs a subfield code, a control field has none",
  });
export type ValidationRule = z.output<typeof validationRule>;

/** All rules: at most one for the same subfield, source and type of record. */
export const validationRules = z.array(validationRule).superRefine((rules, context) => {
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const key = ruleKey(rule);
    if (seen.has(key))
      context.addIssue({ code: "custom", path: [index], message: `a second rule for ${key}` });
    seen.add(key);
  }
});

/** What makes a rule unique, e.g. `* regular 245 a`: source (`*` = all), type of record, tag and subfield. */
export function ruleKey({ sourceId = "*", recordType, tag, subfield }: ValidationRule): string {
  return [sourceId, recordType, tag, ...(subfield === undefined ? [] : [subfield])].join(" ");
}
