import type { ValidationRule } from "../shared/deliver/validation/rule.ts";

/** 100 rules: most for all sources, some for sources that the benchmark does not have. */
const expected: Record<string, string> = {
  "024": "a2",
  "040": "abce",
  "041": "a",
  "084": "a2",
  "100": "04abce",
  "245": "a",
  "264": "c",
  "520": "a",
  "650": "a",
  "655": "a02",
  "700": "04ae",
  "773": "gitwx",
  "852": "a",
  "856": "uz",
  "887": "a2",
  "912": "a",
  "935": "a2",
  "936": "dehijy",
  JOU: "a",
  URL: "a",
  ZID: "ab",
};
const expressions: Record<string, string> = {
  "041a": "^[a-z]{3}$",
  "264c": "^\\d{4}$",
  "856u": "^https?://",
};

const forAll = Object.entries(expected).flatMap(([tag, codes]) =>
  [...codes].map((subfield): ValidationRule => {
    const regex = expressions[tag + subfield] ?? null;
    return { source: null, recordType: "regular", tag, subfield, presence: "sometimes", regex };
  }),
);
const forOthers = Array.from(
  { length: 100 - forAll.length },
  (_, index): ValidationRule => ({
    source: String(10_000 + index),
    recordType: "review",
    tag: "245",
    subfield: "a",
    presence: "always",
    regex: "[A-Z]",
  }),
);

export const sampleRules = [...forAll, ...forOthers];
