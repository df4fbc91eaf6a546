import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, harvested, ordinary } from "../run-world.ts";

const namespace = "http://www.loc.gov/MARC21/slim";

/**
 * The rules of the schema, read off it and not off our writer: what may stand in what, and the patterns of attributes.
 * @see https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd
 */
const parents: Record<string, string> = {
  collection: "",
  record: "collection",
  leader: "record",
  controlfield: "record",
  datafield: "record",
  subfield: "datafield",
};
const order = ["leader", "controlfield", "datafield"];
const attributePatterns: Record<string, Record<string, RegExp>> = {
  controlfield: { tag: /^00[1-9A-Za-z]$/ },
  datafield: {
    tag: /^(0([1-9A-Z][0-9A-Z])|0([1-9a-z][0-9a-z]))|(([1-9A-Z][0-9A-Z]{2})|([1-9a-z][0-9a-z]{2}))$/,
    ind1: /^[\da-z ]$/,
    ind2: /^[\da-z ]$/,
  },
  subfield: { code: /^[\dA-Za-z!"#$%&'()*+,-./:;<=>?{}_^`~[\]\\]$/ },
};
const leader = /^[\d ]{5}[\dA-Za-z ][\dA-Za-z][\dA-Za-z ]{3}(2| )(2| )[\d ]{5}[\dA-Za-z ]{3}(4500| {4})$/;

/** What of a file breaks the schema. */
function problemsIn(xml: string): string[] {
  const problems: string[] = [];
  const open: { name: string; children: string[] }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => problems.push(error.message));
  parser.on("opentag", ({ local: name, uri, attributes }) => {
    const parent = open.at(-1);
    if (uri !== namespace) problems.push(`${name} is in the namespace ${uri}`);
    if (parents[name] !== (parent?.name ?? "")) problems.push(`${name} stands in ${parent?.name}`);
    const before = parent?.children.at(-1) ?? "";
    if (order.indexOf(name) < order.indexOf(before)) problems.push(`${name} stands behind ${before}`);
    parent?.children.push(name);
    for (const [attribute, pattern] of Object.entries(attributePatterns[name] ?? {})) {
      const value = attributes[attribute]?.value ?? "";
      if (!pattern.test(value)) problems.push(`${name} has ${attribute}="${value}"`);
    }
    open.push({ name, children: [] });
  });
  parser.on("text", (text) => {
    const name = open.at(-1)?.name;
    if (name === "leader" && !leader.test(text)) problems.push(`the leader is "${text}"`);
  });
  parser.on("closetag", () => {
    const { name = "", children = [] } = open.pop() ?? {};
    if (name === "datafield" && children.length === 0) problems.push("a datafield is empty");
    if (name === "record" && children.filter((child) => child === "leader").length !== 1)
      problems.push("a record has no leader, or several");
  });
  parser.write(xml).close();
  return problems;
}

const strange: [what: string, change: (record: MarcRecord) => void][] = [
  ["nothing strange", () => {}],
  [
    "characters that XML does not allow",
    (record) => record.fields.push(["520", "  ", [["a", "a\u0000b\u000bc\ud800"]]]),
  ],
  ["markup", (record) => record.fields.push(["520", "  ", [["a", "<b> & ]]> \"'"]]])],
  ["letters as tags", (record) => record.fields.push(["ZID", "  ", [["a", "1"]]])],
  ["a tag that is none", (record) => record.fields.push(["2 5", "  ", [["a", "x"]]])],
  ["an indicator in upper case", (record) => record.fields.push(["520", "A ", [["a", "x"]]])],
  ["a field without subfields", (record) => record.fields.push(["520", "  ", []])],
  ["a code of two characters", (record) => record.fields.push(["520", "  ", [["ab", "x"]]])],
  ["a short leader", (record) => Object.assign(record, { leader: "00000nab" })],
];

describe("delivered files and MARC21slim", () => {
  it.each(strange)(
    "a record with %s → every file is valid, the other records are delivered",
    async (_what, change) => {
      const ports = new MemoryPorts();
      harvested(ports, "run", ordinary);
      change(ports.marcByKey.get("a/run") as MarcRecord);
      await deliver("run", ports);
      const files = [...ports.files].filter(([key]) => key.endsWith(".xml"));
      expect(files.length).toBeGreaterThanOrEqual(2);
      for (const [key, content] of files)
        expect(problemsIn(new TextDecoder().decode(content)), key).toEqual([]);
      const delivered = files.map(([, content]) => new TextDecoder().decode(content)).join("");
      for (const title of ["On b", "On c"]) expect(delivered).toContain(title);
    },
  );

  it.each([
    ["no namespace", "<collection/>"],
    ["a record outside of a collection", `<record xmlns="${namespace}"/>`],
    [
      "a leader that is too short",
      `<collection xmlns="${namespace}"><record><leader>x</leader></record></collection>`,
    ],
  ])("the rules find %s", (_what, xml) => {
    expect(problemsIn(xml)).not.toEqual([]);
  });
});
