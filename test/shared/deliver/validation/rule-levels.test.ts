import { describe, expect, test } from "vitest";
import { type ValidationRule, validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import { validateRecord } from "../../../../shared/deliver/validation/validate-record.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";
import { numbering, record, title } from "./sample-records.ts";

const review: DataField = [
  "655",
  " 7",
  [
    ["a", "Rezension"],
    ["0", "(DE-588)4049712-4"],
    ["0", "(DE-627)106186019"],
    ["2", "gnd-content"],
  ],
];
const note: DataField = ["NOT", "  ", [["a", "1"]]];

type Row = [source: string, type: string, field: string, presence: string, regex?: string];
function rulesOf(rows: Row[]): ValidationRule[] {
  return validationRules.parse(
    rows.map(([source, recordType, [...field], presence, regex]) => ({
      source: source === "*" ? null : source,
      recordType,
      tag: field.slice(0, 3).join(""),
      subfield: field[3] ?? null,
      presence,
      regex: regex ?? null,
    })),
  );
}
const host: Row[] = [
  ["*", "regular", "936d", "sometimes"],
  ["*", "regular", "936e", "sometimes"],
];
const reasons = (of: MarcRecord, rows: Row[], source?: string) =>
  validateRecord(of, {
    rules: compileRules(rulesOf(rows)),
    source,
  }).findings.map(({ reason, level }) => `${level ?? "-"} | ${reason}`);

describe("the level that decides", () => {
  const cases: [condition: string, record: MarcRecord, rules: Row[], findings: string[]][] = [
    [
      "a source's rule for the field → all sources' rules for it do not count",
      record(
        [
          "245",
          "00",
          [
            ["a", "T"],
            ["b", "x"],
          ],
        ],
        numbering,
      ),
      [...host, ["*", "regular", "245a", "always"], ["s1", "regular", "245b", "always"]],
      ["source regular | 245: found unexpected subfield $a"],
    ],
    [
      "another source's rule → no effect",
      record(title, numbering),
      [...host, ["*", "regular", "245a", "always"], ["s2", "regular", "245b", "always"]],
      [],
    ],
    [
      "a source's IGNORE → lifts the ALWAYS for all",
      record(title, numbering),
      [
        ...host,
        ["*", "regular", "245a", "always"],
        ["*", "regular", "084a", "always"],
        ["s1", "regular", "084a", "ignore"],
      ],
      [],
    ],
    [
      "a review without rules for reviews → the regular ones",
      record(title, review, numbering),
      [...host, ["*", "regular", "245a", "always", "^No"], ["*", "regular", "655a", "sometimes"]],
      [
        'all regular | 245: contents of subfield $a(A title) did not match regex "^No"',
        "all regular | 655: found unexpected subfield $0",
        "all regular | 655: found unexpected subfield $0",
        "all regular | 655: found unexpected subfield $2",
      ],
    ],
    [
      "rules on all four levels → of each field the first in the order source review, all review, source regular, all regular",
      record(
        title,
        ["500", "  ", [["a", "x"]]],
        ["501", "  ", [["a", "x"]]],
        ["502", "  ", [["a", "x"]]],
        review,
        numbering,
      ),
      [
        ...host,
        ...["245a", "500a", "501a", "502a"].map(
          (field): Row => ["*", "regular", field, "always", "^all regular"],
        ),
        ...["245a", "500a", "501a"].map(
          (field): Row => ["s1", "regular", field, "always", "^source regular"],
        ),
        ...["245a", "500a"].map((field): Row => ["*", "review", field, "always", "^all review"]),
        ["s1", "review", "245a", "always", "^source review"],
      ],
      [
        'source review | 245: contents of subfield $a(A title) did not match regex "^source review"',
        'all review | 500: contents of subfield $a(x) did not match regex "^all review"',
        'source regular | 501: contents of subfield $a(x) did not match regex "^source regular"',
        'all regular | 502: contents of subfield $a(x) did not match regex "^all regular"',
      ],
    ],
    [
      "rules for reviews → do not count for a regular article",
      record(title, numbering),
      [...host, ["*", "regular", "245a", "always"], ["*", "review", "245a", "always", "^No"]],
      [],
    ],
    [
      "935 $c uwre → a review",
      record(title, ["935", "  ", [["c", "uwre"]]], numbering),
      [...host, ["*", "review", "935c", "always"], ["*", "review", "245a", "always", "^No"]],
      ['all review | 245: contents of subfield $a(A title) did not match regex "^No"'],
    ],
    [
      "a non-article → its rules first, then the regular ones",
      record(title, numbering, note),
      [
        ...host,
        ["*", "regular", "100a", "always"],
        ["*", "non_article", "100a", "sometimes"],
        ["*", "regular", "245a", "always", "^No"],
      ],
      [
        'all regular | 245: contents of subfield $a(A title) did not match regex "^No"',
        "- | no rule for present field NOT was found",
      ],
    ],
    [
      "a non-article with the genre of a review → the rules for reviews do not count",
      record(title, review, numbering, note),
      [...host, ["*", "review", "245a", "always", "^No"], ["*", "non_article", "NOTa", "always"]],
      [],
    ],
    [
      "a field that only non-articles must have → a regular article need not",
      record(title, numbering),
      [...host, ["*", "non_article", "NOTa", "always"]],
      [],
    ],
    [
      "several faults → all reported, field by field, then what is missing, then what is unknown",
      record(
        [
          "100",
          "1 ",
          [
            ["a", "Doe"],
            ["x", "?"],
          ],
        ],
        title,
        ["264", " 1", [["c", "21"]]],
        ["999", "  ", [["a", "x"]]],
        numbering,
      ),
      [
        ...host,
        ["*", "regular", "100a", "always"],
        ["*", "regular", "100e", "always"],
        ["*", "regular", "264c", "always", "^\\d{4}$"],
        ["*", "regular", "852a", "always"],
        ["*", "regular", "040a", "always"],
      ],
      [
        "all regular | 100: found unexpected subfield $x",
        "all regular | 100: required subfield e is missing",
        'all regular | 264: contents of subfield $c(21) did not match regex "^\\d{4}$"',
        "all regular | required 040-field is missing",
        "all regular | required 852-field is missing",
        "- | no rule for present field 999 was found",
      ],
    ],
    [
      "a pattern that is found inside the contents → enough",
      record(title, numbering),
      [...host, ["*", "regular", "245a", "always", "tit"]],
      [],
    ],
    [
      "a control field other than 001, 003 and 007 → needs a rule, which has no subfield",
      {
        ...record(title, numbering),
        control: [
          ["001", "R1"],
          ["003", "DE-1"],
          ["005", "x"],
          ["007", "tu"],
          ["008", "y"],
        ],
      },
      [...host, ["*", "regular", "008", "always"], ["*", "regular", "006", "always"]],
      ["all regular | required 006-field is missing", "- | no rule for present field 005 was found"],
    ],
  ];
  test.each(cases)("%s", (_, of, rules, findings) => {
    expect(reasons(of, rules, "s1")).toEqual(findings);
  });
});

describe("rules that do not concern a record", () => {
  const strange = record(title, ["999", "  ", [["x", "1"]]], numbering);

  test("no rules at all → nothing is unexpected", () => {
    expect(validateRecord(strange)).toEqual({ outcome: "valid", findings: [] });
    expect(reasons(strange, [], "s1")).toEqual([]);
  });

  test("rules of other sources, or of other types of records, only → nothing is unexpected", () => {
    expect(
      reasons(
        strange,
        [
          ["s2", "regular", "245a", "always"],
          ["*", "review", "245a", "always"],
        ],
        "s1",
      ),
    ).toEqual([]);
  });

  test("an unknown source → the rules for all sources", () => {
    expect(reasons(strange, [...host, ["s1", "regular", "999x", "sometimes"]])).toEqual([
      "- | no rule for present field 999 was found",
    ]);
  });
});
