import { compilePattern, type Pattern } from "../../core/pattern.ts";
import type { RuleLevel } from "./finding.ts";
import type { ValidationRule } from "./rule.ts";
import type { RecordType } from "./rule-fields.ts";

/** The rules for one field, from the level that decides for the field. */
export interface FieldRules {
  tag: string;
  level: RuleLevel;
  /** The rules by subfield code, sorted. A control field has a single rule, under the empty code. */
  subfields: ReadonlyMap<string, SubfieldRule>;
  /** The codes that each occurrence of the field must have. If there are any, the field itself is also required. */
  required: string[];
}

interface SubfieldRule {
  /** Absent when all contents are valid. */
  pattern?: Pattern;
}

/** The rules for a record by tag, sorted. Empty when there is no rule for such records. */
export type EffectiveRules = ReadonlyMap<string, FieldRules>;

export interface RuleSet {
  effectiveRules(source: string | undefined, recordType: RecordType): EffectiveRules;
}

/**
 * Compiles rules for validating many records.
 * @param rules rules that `validationRules` accepts
 */
export function compileRules(rules: ValidationRule[]): RuleSet {
  const levels = Map.groupBy(rules, ({ source, recordType }) => levelKey(source ?? anySource, recordType));
  const known = new Map<string, EffectiveRules>();
  return {
    effectiveRules(source = anySource, recordType) {
      const key = levelKey(source, recordType);
      let deciding = known.get(key);
      if (deciding === undefined) {
        deciding = mergeLevels(levels, source, recordType);
        known.set(key, deciding);
      }
      return deciding;
    },
  };
}

const anySource = "";

function levelKey(source: string, recordType: RecordType): string {
  return `${recordType} ${source}`;
}

/**
 * Merges the levels, from the most specific to the most general. For reviews and non-articles, the rules for regular
 * articles are the fallback. For each field, the first level with a rule for the field decides, and the other levels
 * are ignored.
 */
function mergeLevels(
  levels: ReadonlyMap<string, ValidationRule[]>,
  source: string,
  recordType: RecordType,
): EffectiveRules {
  const fields = new Map<string, FieldRules>();
  for (const type of recordType === "regular" ? [recordType] : [recordType, "regular" as const]) {
    for (const scope of source === anySource ? ["all" as const] : ["source" as const, "all" as const]) {
      const rules = levels.get(levelKey(scope === "source" ? source : anySource, type)) ?? [];
      for (const [tag, ofField] of Map.groupBy(rules, (rule) => rule.tag)) {
        if (!fields.has(tag)) fields.set(tag, compileField({ tag, level: `${scope} ${type}` }, ofField));
      }
    }
  }
  return new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function compileField(field: Pick<FieldRules, "tag" | "level">, rules: ValidationRule[]): FieldRules {
  const sorted = rules.toSorted((a, b) => ((a.subfield ?? "") < (b.subfield ?? "") ? -1 : 1));
  return {
    ...field,
    subfields: new Map(sorted.map((rule) => [rule.subfield ?? "", compileSubfield(rule)])),
    required: sorted.filter(({ presence }) => presence === "always").map(({ subfield }) => subfield ?? ""),
  };
}

/** Compiles a rule. `ignore` also ignores the expression. */
function compileSubfield({ presence, regex }: ValidationRule): SubfieldRule {
  return presence === "ignore" || regex === null ? {} : { pattern: compilePattern(regex) };
}
