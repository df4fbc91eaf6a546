import { z } from "zod";
import { isControlTag, isDataTag, isSubfieldCode } from "../marc/record-structure.ts";
import { patternText } from "../sources/pattern.ts";

/** The kinds of records that rules may tell apart. */
export const recordTypes = ["regular", "review", "non_article"] as const;
export type RecordType = (typeof recordTypes)[number];

/**
 * - `always`: the field must be there, and the subfield in each of its occurrences
 * - `sometimes`: it may be there
 * - `ignore`: it may be there and is not looked at
 */
export const presences = ["always", "sometimes", "ignore"] as const;

/** A part of the keys of tables, which take a kilobyte. */
export const maxSourceIdChars = 200;

/** The id of a source; Zeder's are numbers, and often written as such. */
const sourceId = z.union(
  [z.string().min(1).max(maxSourceIdChars), z.int().nonnegative().transform(String)],
  `must be the id of a source, of up to ${maxSourceIdChars} characters, or null for all`,
);

/** What a rule is about; there is at most one rule for each. */
export const ruleSubject = z.strictObject({
  /** The rule counts for this source alone; `null`: for all. */
  source: sourceId.nullable().default(null),
  recordType: z.enum(recordTypes).default("regular"),
  tag: z
    .string()
    .regex(/^[0-9A-Z]{3}$/, "must be a tag of three digits or capital letters")
    .refine((tag) => tag !== "LDR" && (isControlTag(tag) || isDataTag(tag)), "no field has this tag"),
  /** `null` for control fields, which have none. */
  subfield: z
    .string()
    .length(1, "must be a subfield code of one character")
    .refine(isSubfieldCode, "no subfield has this code")
    .nullable()
    .default(null),
});
export type RuleSubject = z.output<typeof ruleSubject>;

/** What an operator expects of one subfield. */
export const validationRule = ruleSubject
  .extend({
    presence: z.enum(presences),
    /** Must be found in every occurrence of the subfield, unless that is ignored; in RE2 syntax. */
    regex: patternText.nullable().default(null),
  })
  .refine(({ tag, subfield }) => tag.startsWith("00") === (subfield === null), {
    path: ["subfield"],
    message: "a data field needs a subfield code, a control field has none",
  });
export type ValidationRule = z.output<typeof validationRule>;
export type NewValidationRule = z.input<typeof validationRule>;

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
export function ruleKey({ source, recordType, tag, subfield }: RuleSubject): string {
  return [source ?? "*", recordType, tag, ...(subfield === null ? [] : [subfield])].join(" ");
}

/** Whether a text may be such a key: that of a rule about the source, where one is given. */
export function isRuleKey(text: string, source: string | undefined): boolean {
  return (
    /^.+ (regular|review|non_article) [0-9A-Z]{3}( .)?$/.test(text) &&
    (source === undefined || text.startsWith(ruleKeyPrefix(source)))
  );
}

/** What the keys of a source's rules begin with; so do those of a source whose id goes on after a space. */
export function ruleKeyPrefix(source: string): string {
  return `${source} `;
}

export interface ValidationRuleStore {
  /** @throws ConfigError for a rule that is not valid: to go on without it would let records through unseen */
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
  /** Writes the rule in the place of the one about the same. */
  put(rule: ValidationRule): Promise<void>;
  /** `false` when there is none. */
  remove(subject: RuleSubject): Promise<boolean>;
}
