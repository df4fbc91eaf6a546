import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, harvested, ordinary } from "../run-world.ts";

const namespace = "http://www.loc.gov/MARC21/slim";
const schemaFile = "marc21slim.xsd";
const schema = [
  { fileName: schemaFile, contents: readFileSync(join(import.meta.dirname, schemaFile), "utf8") },
];

/** What libxml2 finds in files when it holds them against the schema. */
async function problemsIn(files: [name: string, content: string][]): Promise<string[]> {
  const xml = files.map(([name, contents]) => ({ fileName: name.replaceAll("/", "-"), contents }));
  return (await validateXML({ xml, schema })).errors.map(({ rawMessage }) => rawMessage);
}

const strange: [what: string, change: (record: MarcRecord) => void][] = [
  ["nothing strange", () => {}],
  [
    "characters that XML does not allow",
    (record) => record.fields.push(["520", "  ", [["a", "a\u0000b\u000bc\ud800"]]]),
  ],
  ["markup", (record) => record.fields.push(["520", "  ", [["a", "<b> & ]]> \"'"]]])],
  ["blanks and line ends alone", (record) => record.fields.push(["520", "  ", [["a", " \r\n\t "]]])],
  ["an empty subfield", (record) => record.fields.push(["520", "  ", [["a", ""]]])],
  ["every code that there may be", (record) => record.fields.push(["520", "  ", everyCode])],
  ["letters as tags", (record) => record.fields.push(["ZID", "  ", [["a", "1"]]])],
  ["an invalid tag", (record) => record.fields.push(["2 5", "  ", [["a", "x"]]])],
  ["a tag in both cases", (record) => record.fields.push(["Zid", "  ", [["a", "x"]]])],
  ["a control field's tag on a data field", (record) => record.fields.push(["009", "  ", [["a", "x"]]])],
  ["a data field's tag on a control field", (record) => record.control.push(["245", "x"])],
  ["an indicator in upper case", (record) => record.fields.push(["520", "A ", [["a", "x"]]])],
  ["one indicator", (record) => record.fields.push(["520", " ", [["a", "x"]]])],
  ["a field without subfields", (record) => record.fields.push(["520", "  ", []])],
  ["a code of two characters", (record) => record.fields.push(["520", "  ", [["ab", "x"]]])],
  ["an invalid code", (record) => record.fields.push(["520", "  ", [["ä", "x"]]])],
  ["a short leader", (record) => Object.assign(record, { leader: "00000nab" })],
  ["a leader of other characters", (record) => Object.assign(record, { leader: "|".repeat(24) })],
];
const everyCode = Array.from({ length: 94 }, (_, at): [string, string] => [
  String.fromCharCode(33 + at),
  "x",
]).filter(([code]) => code !== "@" && code !== "|");

describe("files of deliveries and MARC21slim", () => {
  it.each(strange)(
    "a record with %s → every file is valid, the other records are delivered",
    async (_what, change) => {
      const ports = new MemoryPorts();
      const early = { id: "early", urls: ["https://journal.example/early"], isOnlineFirst: true };
      const bad = { id: "bad", title: "", urls: ["https://journal.example/bad"] };
      harvested(ports, "run", [...ordinary, early, bad]);
      for (const id of ["a", "early", "bad"]) change(ports.marcByKey.get(`${id}/run`) as MarcRecord);
      await deliver("run", ports);
      const files = [...ports.files]
        .filter(([key]) => key.endsWith(".xml"))
        .map(([key, content]): [string, string] => [key, new TextDecoder().decode(content)]);
      expect(files.map(([key]) => key)).toContain("test/Test_zotero_261120_001_errors.xml");
      expect(files.length).toBeGreaterThanOrEqual(3);
      expect(await problemsIn(files)).toEqual([]);
      const delivered = files.map(([, content]) => content).join("");
      for (const title of ["On b", "On c"]) expect(delivered).toContain(title);
    },
  );

  const leader = "<leader>00000nab a22004452  4500</leader>";
  const inRecord = (content: string) =>
    `<collection xmlns="${namespace}"><record>${content}</record></collection>`;

  it.each([
    ["no namespace", "<collection/>"],
    ["a leader that is too short", inRecord("<leader>x</leader>")],
    ["no leader", inRecord('<controlfield tag="001">x</controlfield>')],
    ["a second leader", inRecord(leader + leader)],
    ["a data field without subfields", inRecord(`${leader}<datafield tag="245" ind1="0" ind2="0"/>`)],
    ["a field before the leader", inRecord(`<controlfield tag="001">x</controlfield>${leader}`)],
    ["a data field's tag on a control field", inRecord(`${leader}<controlfield tag="245">x</controlfield>`)],
  ])("%s → found by the schema", async (_what, xml) => {
    expect(await problemsIn([["x.xml", xml]])).not.toEqual([]);
  });
});
