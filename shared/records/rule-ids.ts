/**
 * The requirement of every rule that a record can break, by the id of the rule. Findings, reports, the API and its
 * documentation use these ids, so an id never changes.
 */
export const ruleTexts = {
  "invalid-structure": "Leader, tags, indicators and subfield codes can be written as MARC",
  "field-too-long": "A field fits into ISO 2709: at most 9,999 bytes",
  "record-too-long": "A record fits into ISO 2709: at most 99,999 bytes",
  "missing-control-field": "The fields 001, 003 and 007 are present, and not empty",
  "missing-title": "Subfield 245 $a is present, and not empty",
  "review-genre":
    "A field 655 with the genre of reviews has exactly the contents that the union catalogue expects",
  "repeated-field": "A field that MARC-21 does not let repeat occurs once",
  "repeated-subfield": "A subfield that MARC-21 does not let repeat occurs once in a field",
  "unknown-source": "Field ZID $a names a source that exists (only `npx ingather validate` checks it)",
  "unexpected-subfield": "Each subfield has a rule",
  "contents-mismatch": "The contents of a subfield match the `regex` of its rule",
  "required-subfield": "A subfield whose rule says `always` is present in each occurrence of its field",
  "required-field": "A field with a subfield whose rule says `always` is present",
  "perhaps-the-same":
    "At most five articles of a source in one run agree with delivered records in journal, issue, first page and title (possible duplicates: more wait until an operator releases or ignores them)",
  "witnesses-disagree":
    "The page, its feed and the other witnesses name the same year, volume, first author and title (`heldFindings` of the source or group: such records wait until an operator releases or ignores them)",
  "article-retracted":
    "Crossref knows no retraction of the article (`heldFindings`: such records wait for an operator)",
  "article-corrected":
    "Crossref knows no correction of the article (`heldFindings`: such records wait for an operator)",
  "unknown-field": "Each field has a rule, once there is any rule for such records",
} as const;

export type RuleId = keyof typeof ruleTexts;

/** The findings about the origin of a record. They hold a record only if its source or group says so; otherwise, they are only reported. */
export const originRules = [
  "witnesses-disagree",
  "article-retracted",
  "article-corrected",
] as const satisfies RuleId[];
export type OriginRule = (typeof originRules)[number];

/** The findings because of which a record waits for an operator, although its fields are valid. */
export const waitingRules: ReadonlySet<RuleId> = new Set(["perhaps-the-same", ...originRules]);

export const ruleIds = Object.keys(ruleTexts) as RuleId[];
