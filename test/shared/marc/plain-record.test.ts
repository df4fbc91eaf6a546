import { describe, expect, test } from "vitest";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import { plainTags, readPlainRecord } from "../../../shared/marc/plain-record.ts";
import { collectItems, inPieces } from "./sample.ts";

const namespace = "http://www.loc.gov/MARC21/slim";
const record = `<record>
  <leader>00000nab a2200000   4500</leader>
  <controlfield tag="001">1 &amp; 2</controlfield>
  <datafield tag="245" ind1="0" ind2=" "><subfield code="a">T&lt;ü𝔸 > </subfield>
    <subfield code="c">b</subfield></datafield>
</record>`;
const read = {
  leader: "00000nab a2200000   4500",
  control: [["001", "1 & 2"]],
  fields: [
    [
      "245",
      "0 ",
      [
        ["a", "T<ü𝔸 > "],
        ["c", "b"],
      ],
    ],
  ],
};

describe("a plain record", () => {
  test("→ read by itself", () => {
    expect(readPlainRecord(record, plainTags(""))).toEqual(read);
  });

  test("with a prefix → read under it", () => {
    const prefixed = record.replace(/<(\/?)/g, "<$1marc:");
    expect(readPlainRecord(prefixed, plainTags("marc:"))).toEqual(read);
    expect(readPlainRecord(prefixed, plainTags(""))).toBeUndefined();
  });

  test.each<[what: string, text: string]>([
    ["a comment", record.replace("</leader>", "</leader><!-- c -->")],
    ["a CDATA section", record.replace(">b<", "><![CDATA[b]]><")],
    ["a numeric reference", record.replace("&amp;", "&#38;")],
    ["an unknown reference", record.replace("&amp;", "&nbsp;")],
    ["a bare ampersand", record.replace("&amp;", "&")],
    ["the name of a property of objects for a reference", record.replace("&amp;", "&constructor;")],
    ["attributes in another order", record.replace('tag="245" ind1="0"', 'ind1="0" tag="245"')],
    ["single quotes", record.replace('code="a"', "code='a'")],
    ["a carriage return", record.replace("\n", "\r\n")],
    ["a control character", record.replace(">b<", ">\x02<")],
    ["the end of a CDATA section", record.replace(">b<", ">]]><")],
    ["a subfield code that is markup", record.replace('code="a"', 'code="<"')],
    ["a subfield code that is a quote", record.replace('code="a"', 'code="""')],
    ["a missing end tag", record.replace("</subfield>", "")],
    ["what breaks the schema", record.replace("<leader>0", "<leader>x")],
    ["something after it", `${record} `],
  ])("%s → left to the parser", (_, text) => {
    expect(text).not.toBe(record);
    expect(readPlainRecord(text, plainTags(""))).toBeUndefined();
  });
});

/** The outcomes for records within an element; only within a collection are they read on their own. */
async function outcomes(element: string, records: string, pieceBytes = Number.POSITIVE_INFINITY) {
  const text = `<${element} xmlns="${namespace}" xmlns:o="urn:o">\n${records}\n</${element}>`;
  const bytes = Buffer.from(text);
  const all = await collectItems(readMarcXml(inPieces(bytes, Math.min(pieceBytes, bytes.length))));
  return all.map((one) =>
    "reason" in one ? { ...one, reason: one.reason.replaceAll("o:w", "collection") } : one,
  );
}

describe("any single fault in three records → the same records, faults and lines as from the parser alone", () => {
  const whole = [record, record, record].join("\n");
  const inMiddle = Array.from({ length: record.length + 1 }, (_, index) => record.length + 1 + index);

  test.each(["<", ">", "&", '"', "/", "\r", "\x02", "]]>", "\ufffe", " ", "\n", "x", "<!--", "\u00a0", ""])(
    "%j in the place of each character, and before it",
    async (mutation) => {
      for (const at of inMiddle) {
        for (const kept of [at, at + 1]) {
          const text = whole.slice(0, at) + mutation + whole.slice(kept);
          expect(await outcomes("collection", text), JSON.stringify(text.slice(at - 20, at + 20))).toEqual(
            await outcomes("o:w", text),
          );
        }
      }
    },
  );

  test.each([1, 5, 64, 300])("in pieces of %i bytes → the same", async (pieceBytes) => {
    const faulty = whole.replace("&amp;", "&nbsp;");
    const unusual = whole.replace("<leader>", "<!-- </record> --><leader>");
    for (const text of [whole, faulty, unusual])
      expect(await outcomes("collection", text, pieceBytes)).toEqual(await outcomes("o:w", text));
  });

  test.each<[what: string, records: string]>([
    ["another default namespace around a record", `<x xmlns="urn:x">${record}</x>${record}`],
    ["records in a comment", `<!-- ${record} -->${record}`],
    ["records in CDATA", `<![CDATA[${record}]]>${record}`],
    ["a collection in the collection", `<collection>${record}</collection>${record}`],
    ["a record in a record", `${record.replace("</leader>", `</leader>${record}`)}${record}`],
    ["a control character between records", `${record}\v${record}`],
    ["text between records", `${record} and ${record}`],
    ["line breaks of Windows", whole.replaceAll("\n", "\r\n")],
    ["a record that does not end", `${record}${record.replace("</record>", "")}`],
  ])("%s → the same", async (_, records) => {
    expect(await outcomes("collection", records)).toEqual(await outcomes("o:w", records));
  });
});
