import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { ruleSubjectFields, validationRuleFields } from "./rule-fields.ts";

/** What identifies a rule. */
export const ruleSubject = z.strictObject(shapeOf(ruleSubjectFields));
export type RuleSubject = z.output<typeof ruleSubject>;

/** What a record must or may have in one subfield, or control field. */
export const validationRule = z
  .strictObject(shapeOf(validationRuleFields))
  .refine(({ tag, subfield }) => tag.startsWith("00") === (subfield === null), {
    path: ["subfield"],
    message: "a data field needs a subfield code, a control field has none",
  });
export type ValidationRule = z.output<typeof validationRule>;

/** All rules: at most one for the same source, type of record, tag and subfield. */
export const validationRules = z.array(validationRule).superRefine((rules, context) => {
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const key = ruleKey(rule);
    if (seen.has(key))
      context.addIssue({ code: "custom", path: [index], message: `a second rule for ${key}` });
    seen.add(key);
  }
});

/** Identifies a rule, e.g. `* regular 245 a`: source (`*` = all), type of record, tag and subfield. */
export function ruleKey({ source, recordType, tag, subfield }: RuleSubject): string {
  return [source ?? "*", recordType, tag, ...(subfield === null ? [] : [subfield])].join(" ");
}

/** Whether a text may be the key of a rule, or of a rule for the source, where one is given. */
export function isRuleKey(text: string, source: string | undefined): boolean {
  return (
    /^.+ (regular|review|non_article) [0-9A-Z]{3}( .)?$/.test(text) &&
    (source === undefined || text.startsWith(ruleKeyPrefix(source)))
  );
}

/** The beginning of the keys of a source's rules. Those of a source whose id continues after a space begin so, too. */
export function ruleKeyPrefix(source: string): string {
  return `${source} `;
}

export interface ValidationRuleStore {
  /** @throws ConfigError for a stored rule that is not valid: without it, invalid records would be delivered */
  rules(): Promise<ValidationRule[]>;
  /**
   * The first rules after that of the key `after`, in the order of their keys; of one source when that is given.
   * @throws ConfigError as above
   */
  page(of: {
    source?: string | undefined;
    limit: number;
    after?: string | undefined;
  }): Promise<ValidationRule[]>;
  /** Replaces the rule with the same key. */
  put(rule: ValidationRule): Promise<void>;
  /** Writes a rule unless there is one with its key; `false` then. */
  add(rule: ValidationRule): Promise<boolean>;
  /** `false` when there is none. */
  remove(subject: RuleSubject): Promise<boolean>;
  /** The rule about a subject. @throws ConfigError as above */
  get(subject: RuleSubject): Promise<ValidationRule | undefined>;
  /** Writes a rule, or deletes it, if it is still as it was read; `false` otherwise. */
  change(before: ValidationRule, after: ValidationRule | undefined): Promise<boolean>;
}
