import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { ruleSubjectFields, validationRuleFields } from "./rule-fields.ts";

/** The fields that identify a rule. */
export const ruleSubject = z.strictObject(shapeOf(ruleSubjectFields));
export type RuleSubject = z.output<typeof ruleSubject>;

/** The requirements for one subfield or control field of a record. */
export const validationRule = z
  .strictObject(shapeOf(validationRuleFields))
  .refine(({ tag, subfield }) => tag.startsWith("00") === (subfield === null), {
    path: ["subfield"],
    message: "a data field needs a subfield code, a control field has none",
  });
export type ValidationRule = z.output<typeof validationRule>;

/** A list of rules with at most one rule for the same source, type of record, tag and subfield. */
export const validationRules = z.array(validationRule).superRefine((rules, context) => {
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const key = ruleKey(rule);
    if (seen.has(key))
      context.addIssue({ code: "custom", path: [index], message: `a second rule for ${key}` });
    seen.add(key);
  }
});

/** Returns the key of a rule, such as `* regular 245 a`: source (`*` means all), type of record, tag and subfield. */
export function ruleKey({ source, recordType, tag, subfield }: RuleSubject): string {
  return [source ?? "*", recordType, tag, ...(subfield === null ? [] : [subfield])].join(" ");
}

/** Returns whether a text may be the key of a rule. If a source is given, the rule must belong to that source. */
export function isRuleKey(text: string, source: string | undefined): boolean {
  return (
    /^.+ (regular|review|non_article) [0-9A-Z]{3}( .)?$/.test(text) &&
    (source === undefined || text.startsWith(ruleKeyPrefix(source)))
  );
}

/**
 * Returns the beginning of the keys of a source's rules. Keys of another source begin in the same way if its id
 * consists of this id, a space and further characters.
 */
export function ruleKeyPrefix(source: string): string {
  return `${source} `;
}

export interface ValidationRuleStore {
  /**
   * Reads all rules.
   * @throws ConfigError for a stored rule that is not valid, because without this rule invalid records would be
   * delivered
   */
  rules(): Promise<ValidationRule[]>;
  /**
   * Lists rules after the key `after`, sorted by key. If a source is given, lists only its rules.
   * @throws ConfigError for a stored rule that is not valid
   */
  page(of: {
    source?: string | undefined;
    limit: number;
    after?: string | undefined;
  }): Promise<ValidationRule[]>;
  /** Replaces the rule with the same key. */
  put(rule: ValidationRule): Promise<void>;
  /**
   * Writes a rule.
   * @returns `false` when a rule with its key exists
   */
  add(rule: ValidationRule): Promise<boolean>;
  /**
   * Removes a rule.
   * @returns `false` when it does not exist
   */
  remove(subject: RuleSubject): Promise<boolean>;
  /**
   * Reads the rule with this subject.
   * @throws ConfigError when the stored rule is not valid
   */
  get(subject: RuleSubject): Promise<ValidationRule | undefined>;
  /**
   * Writes or deletes a rule if it has not changed since it was read.
   * @returns `false` otherwise
   */
  change(before: ValidationRule, after: ValidationRule | undefined): Promise<boolean>;
}
