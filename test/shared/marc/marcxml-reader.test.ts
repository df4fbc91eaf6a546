import { describe, expect, test } from "vitest";
import { controlFieldValue } from "../../../shared/marc/fields.ts";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import type { ReadOutcome } from "../../../shared/marc/read-outcome.ts";
import { awkwardTexts, collectItems, inPieces, recordsOf, sample } from "./sample.ts";

const slim = 'xmlns="http://www.loc.gov/MARC21/slim"';
const leader = "<leader>00000nab a2200000   4500</leader>";
const title = '<datafield tag="245" ind1="0" ind2="0"><subfield code="a">T</subfield></datafield>';
const good = `<record>${leader}${title}</record>`;
const read = (xml: string) => recordsOf(readMarcXml([Buffer.from(xml)]));
const titleOnly = { leader: "00000nab a2200000   4500", control: [], fields: [["245", "00", [["a", "T"]]]] };

describe("reading MARCXML", () => {
  const records = awkwardTexts.map((text) => sample(text, ["650", " 4", [["a", text]]]));
  const file = writeMarcXml(records);

  test.each([1, 2, 3, 7, 100, 1_000_000])("cut into pieces of %i bytes → every text whole", async (size) => {
    expect(await recordsOf(readMarcXml(inPieces(file, size)))).toEqual(records);
  });

  test.each<[condition: string, xml: string]>([
    ["a collection", `<collection ${slim}>${good}</collection>`],
    ["a single record", good.replace("<record>", `<record ${slim}>`)],
    [
      "a byte order mark and a declaration",
      `\uFEFF<?xml version="1.0" encoding="utf-8"?><collection ${slim}>${good}</collection>`,
    ],
    [
      "a prefix",
      `<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">${good.replace(/<(\/?)/g, "<$1m:")}</m:collection>`,
    ],
    [
      "a protocol's envelope",
      `<o xmlns="urn:o"><record><m>${good.replace("<record>", `<record ${slim}>`)}</m></record></o>`,
    ],
    [
      "two prefixes for the one namespace",
      `<a:record xmlns:a="http://www.loc.gov/MARC21/slim">${`${leader}${title}`
        .replace(/<(\/?)(\w)/g, "<$1b:$2")
        .replace("<b:leader", `<b:leader xmlns:b="http://www.loc.gov/MARC21/slim"`)
        .replace("<b:datafield", `<b:datafield xmlns:b="http://www.loc.gov/MARC21/slim"`)}</a:record>`,
    ],
    [
      "CDATA, comments, references, line breaks",
      `<collection ${slim}><!-- c --><record>\n${leader}\n <datafield tag="245" ind1="0" ind2='&#48;'>\n<subfield code="a"><![CDATA[T]]></subfield></datafield></record></collection>`,
    ],
  ])("%s → its record", async (_, xml) => {
    expect(await read(xml)).toEqual([titleOnly]);
  });

  test.each<[condition: string, record: string, reason: string]>([
    ["no leader", `<record>${title}</record>`, 'the leader "" is not a MARC-21 leader'],
    ["a datafield without tag", good.replace(' tag="245"', ""), '"" is not a tag of a data field'],
    ["a datafield with one indicator", good.replace(' ind2="0"', ""), 'field 245 has the indicators "0"'],
    [
      "an indicator of two characters",
      good.replace('ind1="0"', 'ind1="00"'),
      'field 245 has the indicators "000"',
    ],
    ["a subfield without code", good.replace(' code="a"', ""), 'field 245 has the subfield code ""'],
    ["a datafield without subfields", good.replace(/<subfield.*subfield>/, ""), "field 245 has no subfields"],
    ["a datafield that is a control field", good.replace("245", "001"), '"001" is not a tag of a data field'],
    [
      "a subfield in the record",
      good.replace(/<\/?datafield[^>]*>/g, ""),
      "a subfield is outside of a data field",
    ],
    [
      "a subfield in a control field",
      good.replaceAll("datafield", "controlfield"),
      "a controlfield is at a wrong place",
    ],
    [
      "a datafield in a datafield",
      good.replace(title, `<datafield tag="245" ind1="0" ind2="0">${title}</datafield>`),
      "a subfield is outside of a data field",
    ],
    [
      "an unknown element",
      good.replace("</leader>", "</leader><note/>"),
      "it holds an element that does not belong to a record",
    ],
    [
      "a foreign element",
      good.replace("</leader>", '</leader><leader xmlns="urn:x"/>'),
      "it holds an element that does not belong to a record",
    ],
    [
      "markup in a value",
      good.replace(">T<", "><i>T</i><"),
      "it holds an element that does not belong to a record",
    ],
    [
      "text between fields",
      good.replace("</leader>", "</leader>stray"),
      'there is text between the fields: "stray"',
    ],
    [
      "text in a datafield",
      good.replace("</datafield>", "stray</datafield>"),
      'there is text between the fields: "stray"',
    ],
    ["a second leader", good.replace("</leader>", `</leader>${leader}`), "it holds a second leader"],
    [
      "text after the last field",
      good.replace("</record>", "stray</record>"),
      'there is text between the fields: "stray"',
    ],
  ])("%s → malformed, and the records around it are read", async (_, record, reason) => {
    const records = await read(`<collection ${slim}>\n${good}\n${record}\n${good}</collection>`);
    expect(records).toEqual([titleOnly, `record 2 at line 3: ${reason}`, titleOnly]);
  });

  const numbered = (id: string) =>
    good.replace("</leader>", `</leader><controlfield tag="001">${id}</controlfield>`);
  const idOf = (outcome: ReadOutcome) => {
    if (outcome.type === "record") return controlFieldValue(outcome.record, "001");
    if (outcome.type === "broken") return outcome.reason;
    return `${outcome.number} ${outcome.controlNumber ?? "-"}: ${outcome.reason.replace(/^record \d+ at /, "")}`;
  };

  test.each<[condition: string, second: string, outcome: string]>([
    ["a wrong end tag", numbered("b").replace("</subfield>", "</x>"), "2 b: line 2: unexpected close tag."],
    [
      "no end tag",
      numbered("b").replace("</record>", ""),
      "2 b: line 2: it has no end tag before the next record",
    ],
    ["half of it", "<record><leader>0000", "2 -: line 2: it has no end tag before the next record"],
    ["an unknown entity", numbered("b").replace(">T<", ">&nbsp;<"), "2 b: line 2: undefined entity."],
    ["a control character", numbered("b").replace(">T<", ">\x02<"), "2 b: line 2: disallowed character."],
    [
      "an attribute without quotes",
      numbered("b").replace('"245"', "245"),
      "2 b: line 2: unquoted attribute value.",
    ],
    [
      "a bad start tag",
      numbered("b").replace("<record>", "<record id=5>"),
      "2 -: line 2: unquoted attribute value.",
    ],
    ["an unclosed comment", numbered("b").replace(">T<", "><!-- T<"), "2 b: line 2: unclosed tag: subfield"],
    [
      "an unclosed section",
      numbered("b").replace(">T<", "><![CDATA[ T<"),
      "2 b: line 2: unclosed tag: subfield",
    ],
    [
      "an undeclared prefix",
      numbered("b").replaceAll(/<(\/?)/g, "<$1m:"),
      "2 -: line 2: the prefix of <m:record> is not declared",
    ],
    [
      "another namespace",
      numbered("b").replace("<record>", '<record xmlns="urn:x">'),
      "2 -: line 2: <record> is not in the namespace http://www.loc.gov/MARC21/slim",
    ],
  ])("a record with %s → refused by name, and the others are read", async (_, second, outcome) => {
    const xml = `<collection ${slim}>${numbered("a")}\n${second}\n${numbered("c")}\n${numbered("d")}</collection>`;
    for (const size of [1, 7, 1_000_000]) {
      const outcomes = (await collectItems(readMarcXml(inPieces(Buffer.from(xml), size)))).map(idOf);
      expect(outcomes).toEqual(["a", outcome, "c", "d"]);
    }
  });

  test.each<[condition: string, xml: string, reason: RegExp]>([
    [
      "a wrong end tag right after a record",
      `<collection ${slim}>${good}</record>`,
      /^line 1: unexpected close tag/,
    ],
    ["an end before the last end tag", `<collection ${slim}>${good}`, /^line 1: unclosed tag: collection/],
    ["an unknown entity", `<collection ${slim}>${good}&nbsp;</collection>`, /^line 1: undefined entity/],
    ["a control character", `<collection ${slim}>${good}\x02</collection>`, /^line 1: disallowed character/],
  ])("%s → the records before it, then broken", async (_, xml, reason) => {
    expect(await collectItems(readMarcXml([Buffer.from(xml)]))).toEqual([
      { type: "record", record: titleOnly },
      { type: "broken", reason: expect.stringMatching(reason) },
    ]);
  });

  test.each<[condition: string, xml: Uint8Array, reason: RegExp]>([
    ["nothing", Buffer.from(""), /document must contain a root element/],
    [
      "UTF-8 that ends inside a character",
      Buffer.from(`<collection ${slim}/>ä`).subarray(0, -1),
      /^line 1: byte 52 is not UTF-8$/,
    ],
    [
      "another encoding",
      Buffer.from('<?xml version="1.0" encoding="EBCDIC"?><a/>'),
      /^the encoding EBCDIC is not read, only UTF-8, UTF-16, ISO-8859-1 and windows-1252$/,
    ],
    ["no namespace", Buffer.from(`<collection>${good}</collection>`), /<collection> is not in the namespace/],
    ["no MARCXML at all", Buffer.from("<html><body/></html>"), /no collection or record of MARCXML/],
    ["another namespace", Buffer.from('<collection xmlns="urn:x"/>'), /<collection> is not in the namespace/],
  ])("%s → broken", async (_, xml, reason) => {
    expect(await collectItems(readMarcXml([xml]))).toEqual([
      { type: "broken", reason: expect.stringMatching(reason) },
    ]);
  });

  test("the source of the bytes fails → thrown on, not taken for the end", async () => {
    async function* failing() {
      yield Buffer.from(`<collection ${slim}>`);
      throw new Error("connection reset");
    }
    await expect(recordsOf(readMarcXml(failing()))).rejects.toThrow("connection reset");
  });
});

test.each([1000, 1_000_000])(
  "an envelope without its end, long after a bad record, in pieces of %i bytes → its last line",
  async (size) => {
    const lines = Array.from({ length: 2000 }, () => good);
    const xml = [
      "<envelope>",
      `<collection ${slim}>`,
      "<record>&x;</record>",
      ...lines,
      "</collection>",
      "",
    ].join("\n");
    const outcomes = await collectItems(readMarcXml(inPieces(Buffer.from(xml), size)));
    expect(outcomes.filter(({ type }) => type === "broken")).toEqual([
      { type: "broken", reason: "line 2005: the document ends before the end tag of <envelope>" },
    ]);
  },
);
