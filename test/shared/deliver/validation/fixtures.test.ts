import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import {
  type ValidationResult,
  validateRecord,
} from "../../../../shared/deliver/validation/validate-record.ts";
import { originRules, ruleIds } from "../../../../shared/records/rule-ids.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const read = (rule: string, file: string) => JSON.parse(readFileSync(join(fixtures, rule, file), "utf8"));

describe("each kind of rule", () => {
  test.each(readdirSync(fixtures))("a record that breaks %s → exactly its findings", (rule) => {
    const rules = existsSync(join(fixtures, rule, "rules.json")) ? read(rule, "rules.json") : [];
    const options = { source: "ixtheo-1", rules: compileRules(validationRules.parse(rules)) };
    expect(validateRecord(read(rule, "record.json"), options)).toEqual(read(rule, "expected.json"));
  });

  test("has a test that breaks it", () => {
    const broken = readdirSync(fixtures).flatMap(
      (rule) => (read(rule, "expected.json") as ValidationResult).findings,
    );
    // In tests of their own: validate-record.test.ts, length.test.ts, possible-duplicate.test.ts and
    // held-findings.test.ts.
    const elsewhere = ["unknown-source", "record-too-long", "perhaps-the-same", ...originRules];
    expect(new Set([...broken.map(({ ruleId }) => ruleId), ...elsewhere])).toEqual(new Set(ruleIds));
  });
});
