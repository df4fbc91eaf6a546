import { describe, expect, it } from "vitest";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import { globalKeys } from "../../../../../shared/records/sources/conf/keys/global-keys.ts";
import { groupKeys, subgroupKeys } from "../../../../../shared/records/sources/conf/keys/group-keys.ts";
import { journalKeys } from "../../../../../shared/records/sources/conf/keys/journal-keys.ts";
import type { SectionKeys } from "../../../../../shared/records/sources/conf/keys/key-table.ts";
import { configuration, journal } from "../fixtures.ts";

/** The lines of the documented examples: each key with its value. */
const examples = (keys: SectionKeys) =>
  keys
    .flatMap((table) => table.rows)
    .flatMap(({ key, example = "" }) =>
      example === "" ? [] : [example.includes(" = ") ? example : `${key} = ${example}`],
    );

/** A section's lines with another line in place of that of its key. */
function withLine(section: string, line: string): string {
  const key = line.split(" = ")[0];
  return [...section.split("\n").filter((one) => !one.startsWith(`${key} =`)), line].join("\n");
}

const [head = "", ...sections] = configuration(journal).split(/^(?=\[)/m);
const [ixtheo = "", , relbib = "", last = ""] = sections;
const names = (line: string) => line.replaceAll("KrimDok", "Other");

describe("the documented example of a key", () => {
  it.each(examples(globalKeys).map(names))("global: %s → imported without a warning", (line) => {
    expect(importIni([withLine(head, line), ...sections].join("\n"))).toMatchObject({
      type: "imported",
      warnings: [],
    });
  });

  it.each(examples(groupKeys))("group: %s → imported without a warning", (line) => {
    const text = configuration(journal).replace(ixtheo, `${withLine(ixtheo.trim(), line)}\n`);
    expect(importIni(text)).toMatchObject({ type: "imported", warnings: [] });
  });

  it.each(examples(subgroupKeys))("subgroup: %s → imported without a warning", (line) => {
    const text = configuration(journal).replace(relbib, `${withLine(relbib.trim(), line)}\n`);
    expect(importIni(text)).toMatchObject({ type: "imported", warnings: [] });
  });

  it.each(examples(journalKeys))("journal: %s → imported without a warning", (line) => {
    const text = configuration(journal).replace(last, withLine(last, line));
    expect(importIni(text)).toMatchObject({ type: "imported", warnings: [] });
  });
});
