import type { MarcRecord } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";
import { checkLength } from "./length.ts";
import { checkRepeatability } from "./repeatability.ts";
import { checkRequiredFields } from "./required-fields.ts";
import { checkReviewGenre } from "./review-genre.ts";
import { checkStructure } from "./structure.ts";
import { checkTitle } from "./title.ts";

/**
 * The rules for all records, in the order of their findings. All rules add their findings to the same list. Most
 * records break no rule, and creating a list per rule would take longer than the checks.
 */
export const standardRules: ((record: MarcRecord, found: Violation[]) => void)[] = [
  checkStructure,
  checkLength,
  checkRequiredFields,
  checkTitle,
  checkReviewGenre,
  checkRepeatability,
];
