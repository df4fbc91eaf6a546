import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeIso2709 } from "../../../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** A record; an option that is "" is left out. */
export function record(
  id: string,
  options: { title?: string; zid?: string; volume?: string } = {},
): MarcRecord {
  const { title = "A title", zid = "1", volume = "12" } = options;
  return {
    leader: "00000nab a2200000   4500",
    control: [
      ["001", id],
      ["003", "DE-1"],
      ["007", "tu"],
    ],
    fields: [
      ["245", "00", [["a", title]]],
      ...(volume === "" ? [] : [["936", "uw", [["d", volume]]] as MarcRecord["fields"][number]]),
      ...(zid === "" ? [] : [["ZID", "  ", [["a", zid]]] as MarcRecord["fields"][number]]),
    ],
  };
}

/** Rules by which titles begin with a capital, and those of one source need a subtitle. */
export const rules = {
  sources: { "1": "First journal", "2": "Second journal" },
  rules: [
    { source: null, tag: "245", subfield: "a", recordType: "regular", presence: "always", regex: "^[A-Z]" },
    { source: null, tag: "936", subfield: "d", recordType: "regular", presence: "sometimes" },
    { source: null, tag: "ZID", subfield: "a", recordType: "regular", presence: "always" },
    { source: "2", tag: "245", subfield: "b", recordType: "regular", presence: "always" },
  ],
};

/** The path of a new file, in a folder of its own. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}
/** The path of a MARCXML file with these records, and one of ISO 2709. */
export const xml = (name: string, ...records: MarcRecord[]) => file(name, writeMarcXml(records));
export const iso = (name: string, ...records: MarcRecord[]) =>
  file(
    name,
    Buffer.concat(
      records.map((one) => {
        const outcome = writeIso2709(one);
        return outcome.type === "written" ? outcome.bytes : Buffer.from(outcome.reason);
      }),
    ),
  );
export const ruleFile = (name: string, content: unknown) => file(name, JSON.stringify(content));
/** A valid one, a delinquent one, one that is online-first; and what `--json` says about them. */
export const mixed = [record("A"), record("B", { title: "a title" }), record("C", { volume: "" })];

export const mixedLines = [
  { id: "A", outcome: "valid", reasons: [] },
  {
    id: "B",
    outcome: "delinquent",
    reasons: ['245: contents of subfield $a(a title) did not match regex "^[A-Z]"'],
  },
  { id: "C", outcome: "online_first", reasons: [] },
];
