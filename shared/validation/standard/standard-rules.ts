import type { MarcRecord } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import { checkLength } from "./length.ts";
import { checkRepeatability } from "./repeatability.ts";
import { checkRequiredFields } from "./required-fields.ts";
import { checkReviewGenre } from "./review-genre.ts";
import { checkStructure } from "./structure.ts";
import { checkTitle } from "./title.ts";

/**
 * What every record is held against, whatever its source and type, in the order in which it is reported. Each rule adds what
 * it finds to the list: most records break none, and a list for each of them costs more than the looking.
 */
export const standardRules: ((record: MarcRecord, found: Violation[]) => void)[] = [
  checkStructure,
  checkLength,
  checkRequiredFields,
  checkTitle,
  checkReviewGenre,
  checkRepeatability,
];
