import { subfieldValues } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { Violation } from "./finding.ts";
import type { RuleSet } from "./rule-set.ts";
import { refusedResult, type ValidationResult, validateRecord } from "./validate-record.ts";

/**
 * Validates a record that names its source by the Zeder id in ZID $a.
 * @param options.sources all Zeder ids; if empty, the ids are unknown, so any id is valid and none is required
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
  return refusedResult(record, [unnamed, ...validation.findings]);
}

/** Returns the Zeder id of the source that a record names. */
export function zederIdOf(record: MarcRecord): string | undefined {
  return subfieldValues(record, "ZID", "a")[0];
}
