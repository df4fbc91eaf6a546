import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../shared/core/errors.ts";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import { streamMarcXml, writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import { awkwardTexts, collectItems, recordsOf, sample } from "./sample.ts";

const require = createRequire(import.meta.url);
const { MARCXML } = require("@natlibfi/marc-record-serializers") as {
  MARCXML: { from(xml: string, checks: Record<string, boolean>): Promise<{ fields: unknown[] }> };
};
const marcjs = require("marcjs") as {
  Marc: { parse(xml: string, type: "marcxml"): { fields: string[][] } };
};

/** The first record as text, without the collection around it. */
function recordXml(text: string): string {
  const xml = Buffer.from(writeMarcXml([sample(text)])).toString();
  return xml.slice(xml.indexOf("<record>"), xml.indexOf("</record>") + "</record>".length);
}

describe("writing MARCXML", () => {
  test("records → a collection in the namespace of MARC21slim", () => {
    expect(
      Buffer.from(writeMarcXml([sample("A & B")])).toString(),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<collection xmlns="http://www.loc.gov/MARC21/slim">
<record>
  <leader>00000nab a2200000   4500</leader>
  <controlfield tag="001">IxTheo#2026-01-01#AAAA</controlfield>
  <controlfield tag="007">cr|||||</controlfield>
  <datafield tag="245" ind1="0" ind2="0">
    <subfield code="a">A &amp; B</subfield>
  </datafield>
</record>
</collection>
`);
  });

  test("no records → an empty collection", async () => {
    expect(await recordsOf(readMarcXml([writeMarcXml([])]))).toEqual([]);
  });

  test.each(awkwardTexts)("%j → read back the same", async (text) => {
    expect(await recordsOf(readMarcXml([writeMarcXml([sample(text)])]))).toEqual([sample(text)]);
  });

  test.each(awkwardTexts)("%j → read back by marcjs", (text) => {
    expect(marcjs.Marc.parse(recordXml(text), "marcxml").fields.at(-1)).toEqual(["245", "00", "a", text]);
  });

  test.each(awkwardTexts)("%j → read back by @natlibfi/marc-record-serializers", async (text) => {
    const record = await MARCXML.from(recordXml(text), { subfieldValues: false, noControlCharacters: false });
    const value = text.trim() === "" ? undefined : text;
    expect(record.fields.at(-1)).toEqual({
      tag: "245",
      ind1: "0",
      ind2: "0",
      subfields: [{ code: "a", value }],
    });
  });

  test.each([
    ["a\u0000b\u001Fc\u000Bd", "a\uFFFDb\uFFFDc\uFFFDd"],
    ["a\uFFFEb\uFFFFc", "a\uFFFDb\uFFFDc"],
    ["half of a pair \uD83D", "half of a pair \uFFFD"],
    ["half of a pair \uDE00 & more", "half of a pair \uFFFD & more"],
  ])("%j, which XML cannot hold → U+FFFD", async (text, expected) => {
    expect(await recordsOf(readMarcXml([writeMarcXml([sample(text)])]))).toEqual([sample(expected)]);
  });

  test("codes that are markup → escaped", async () => {
    const record = sample("x", [
      "999",
      "  ",
      [
        ["<", "1"],
        ["&", "2"],
        ['"', "3"],
        [">", "4"],
      ],
    ]);
    expect(await recordsOf(readMarcXml([writeMarcXml([record])]))).toEqual([record]);
  });

  test("many records → the stream has the same bytes as the whole, in several pieces", async () => {
    const records = Array.from({ length: 1_000 }, (_, index) => sample(`Title ${index} 漢字`));
    const pieces = await collectItems(streamMarcXml(records));
    expect(pieces.length).toBeGreaterThan(3);
    expect(Buffer.concat(pieces).equals(writeMarcXml(records))).toBe(true);
  });

  test("a record that breaks the schema → thrown", async () => {
    const broken = sample("x", ["9é9", "  ", [["a", "1"]]]);
    expect(() => writeMarcXml([broken])).toThrow(InputError);
    await expect(collectItems(streamMarcXml([broken]))).rejects.toThrow(InputError);
  });
});
