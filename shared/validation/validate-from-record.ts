import { subfieldValues } from "../marc/fields.ts";
import type { MarcRecord } from "../marc/record.ts";
import type { Violation } from "./finding.ts";
import type { RuleSet } from "./rule-set.ts";
import { delinquentResult, type ValidationResult, validateRecord } from "./validate-record.ts";

/**
 * Decides about a record of which nothing is known but itself: it says which source it is from, by the Zeder id in ZID $a.
 * @param options.sources the Zeder ids that there are; empty when that is not known: then any will do, and none
 */
export function validateBySourceInRecord(
  record: MarcRecord,
  { sources, rules }: { sources: ReadonlySet<string>; rules: RuleSet },
): ValidationResult {
  const source = zederIdOf(record);
  const validation = validateRecord(record, { source, rules });
  if (sources.size === 0 || (source !== undefined && sources.has(source))) return validation;
  const problem = source === undefined ? "the record names no source" : `there is no source ${source}`;
  const reason = `ZID: ${problem}`;
  const unnamed: Violation = {
    ruleId: "unknown-source",
    tag: "ZID",
    subfield: "a",
    level: "standard",
    reason,
  };
  return delinquentResult(record, [unnamed, ...validation.findings]);
}

/** The Zeder id of the source that a record names. */
export function zederIdOf(record: MarcRecord): string | undefined {
  return subfieldValues(record, "ZID", "a")[0];
}
