import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { subfieldsOf } from "../../../shared/marc/fields.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { validationRules } from "../../../shared/validation/rule.ts";
import { compileRules } from "../../../shared/validation/rule-set.ts";
import { validateRecord } from "../../../shared/validation/validate-record.ts";

const file = join(import.meta.dirname, "../../../../shared/corpus/zotero/validation_cases.json");

type Rule = [
  source: number | null,
  tag: string,
  code: string,
  regex: string | null,
  type: string,
  presence: string,
];
interface Case {
  id: string;
  description: string;
  extra_rules: Rule[];
  dropped_base_rules: Rule[];
  rules_replaced: Rule[] | null;
  records: MarcRecord[];
  expected: { per_record: { outcome: string; reasons: string[] }[] };
}
interface Corpus {
  zeder_journals: { id: number; zeder_id: number; zeder_instance: string }[];
  base_rules: Rule[];
  cases: Case[];
}

/** Where we decide otherwise than the original program, and why. */
const exceptions: Record<string, { why: string; results: { outcome: string; reasons: string[] }[] }> = {
  v05: {
    why: "the original runs the reasons of one field together",
    results: [
      {
        outcome: "delinquent",
        reasons: ["245: found unexpected subfield $b", "245: found unexpected subfield $c"],
      },
    ],
  },
  v09: {
    why: "the original runs the reasons of one field together",
    results: [
      {
        outcome: "delinquent",
        reasons: [
          "required field 003 is missing",
          "required field 007 is missing",
          "subfield 245$a is missing",
          "245: found unexpected subfield $b",
          "245: required subfield a is missing",
        ],
      },
    ],
  },
  v15: { why: "IGNORE really ignores", results: [{ outcome: "valid", reasons: [] }] },
  v35: {
    why: "the source is known from the harvest, not from ZID; the original ends the whole run",
    results: [{ outcome: "valid", reasons: [] }],
  },
};

const corpus: Corpus = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { cases: [] };

describe.skipIf(!existsSync(file))(
  "the original's validation cases (skipped where the corpus is absent)",
  () => {
    test.each(corpus.cases.map((item) => [item.id, item.description, item] as const))(
      "%s: %s → outcome and reasons",
      (id, _, { records, expected, ...changes }) => {
        const rules = compileRules(validationRules.parse(rulesOf(changes).map(ruleOf)));
        const results = records.map((record) => {
          const { outcome, findings } = validateRecord(record, { source: sourceOf(record), rules });
          return { outcome, reasons: findings.map(({ reason }) => reason) };
        });
        const asExpected = expected.per_record.map(({ outcome, reasons }) => ({
          outcome: outcome === "invalid" ? "delinquent" : outcome,
          reasons,
        }));
        expect(results).toEqual(exceptions[id]?.results ?? asExpected);
      },
    );
  },
);

function rulesOf({
  extra_rules,
  dropped_base_rules,
  rules_replaced,
}: Omit<Case, "id" | "description" | "records" | "expected">): Rule[] {
  if (rules_replaced !== null) return [...rules_replaced, ...extra_rules];
  const dropped = new Set(dropped_base_rules.map((rule) => JSON.stringify(rule)));
  return [...corpus.base_rules.filter((rule) => !dropped.has(JSON.stringify(rule))), ...extra_rules];
}

function ruleOf([journal, tag, subfield, regex, type, presence]: Rule) {
  return {
    source: journal === null ? null : sourceIdOf(journal),
    recordType: type === "regular_article" ? "regular" : type,
    tag,
    subfield,
    presence,
    regex,
  };
}

function sourceIdOf(journalId: number): string {
  const journal = corpus.zeder_journals.find(({ id }) => id === journalId);
  return `${journal?.zeder_instance}-${journal?.zeder_id}`;
}

function sourceOf(record: MarcRecord): string {
  return `${subfieldsOf(record, "ZID", "b")[0]}-${subfieldsOf(record, "ZID", "a")[0]}`;
}
