import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { corpusFolder } from "../../../corpus.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const file = join(corpusFolder, "zotero/validation_cases.json");

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
  expected: { per_record: { record: string; outcome: string; reasons: string[] }[] };
}
interface Corpus {
  zeder_journals: { id: number; zeder_id: number; journal_name: string }[];
  base_rules: Rule[];
  cases: Case[];
}

/** Where we decide otherwise than the original program, and why. */
const exceptions: Record<string, { why: string; outcome: string; reasons: string[] }> = {
  v05: {
    why: "the original runs the reasons of one field together",
    outcome: "delinquent",
    reasons: ["245: found unexpected subfield $b", "245: found unexpected subfield $c"],
  },
  v09: {
    why: "the original runs the reasons of one field together",
    outcome: "delinquent",
    reasons: [
      "required field 003 is missing",
      "required field 007 is missing",
      "subfield 245$a is missing",
      "245: found unexpected subfield $b",
      "245: required subfield a is missing",
    ],
  },
  v15: { why: "IGNORE really ignores", outcome: "valid", reasons: [] },
  v35: {
    why: "one record that names no source ends the original's whole run",
    outcome: "delinquent",
    reasons: ["ZID: the record names no source"],
  },
};

const corpus: Corpus = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { zeder_journals: [], base_rules: [], cases: [] };
const sources = Object.fromEntries(
  corpus.zeder_journals.map(({ zeder_id, journal_name }) => [zeder_id, journal_name]),
);

describe.skipIf(!existsSync(file))(
  "the original's validation cases (skipped where the corpus is absent)",
  () => {
    const folder = temporaryFolder();

    test.each(corpus.cases.map((item) => [item.id, item.description, item] as const))(
      "%s: %s → outcome and reasons",
      async (id, _, { records, expected, ...changes }) => {
        const rules = join(folder, `${id}.json`);
        const input = join(folder, `${id}.xml`);
        writeFileSync(rules, JSON.stringify({ sources, rules: rulesOf(changes).map(asWritten) }));
        writeFileSync(input, writeMarcXml(records));
        const { code, stdout } = await runCommand(["validate", input, "--rules", rules, "--json"]);
        const results = jsonLines(stdout);
        const { outcome, reasons } = exceptions[id] ?? {};
        const asExpected = exceptions[id]
          ? records.map((record) => ({
              id: record.control.find(([tag]) => tag === "001")?.[1],
              outcome,
              reasons,
            }))
          : expected.per_record.map((result) => ({
              id: result.record,
              outcome: result.outcome === "invalid" ? "delinquent" : result.outcome,
              reasons: result.reasons,
            }));
        expect(results).toEqual(asExpected);
        expect(code).toBe(results.some((result) => result.outcome === "delinquent") ? 1 : 0);
      },
    );
  },
);

function rulesOf({
  extra_rules,
  dropped_base_rules,
  rules_replaced,
}: Pick<Case, "extra_rules" | "dropped_base_rules" | "rules_replaced">): Rule[] {
  if (rules_replaced !== null) return [...rules_replaced, ...extra_rules];
  const dropped = new Set(dropped_base_rules.map((rule) => JSON.stringify(rule)));
  return [...corpus.base_rules.filter((rule) => !dropped.has(JSON.stringify(rule))), ...extra_rules];
}

function asWritten([journal, tag, subfield, regex, type, presence]: Rule) {
  const source = corpus.zeder_journals.find(({ id }) => id === journal)?.zeder_id.toString() ?? null;
  const recordType = type === "regular_article" ? "regular" : type;
  return { source, tag, subfield, recordType, presence, ...(regex !== null && { regex }) };
}
