import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../shared/core/errors.ts";
import { parseIso2709 } from "../../../shared/marc/iso2709-reader.ts";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { awkwardTexts, sample } from "./sample.ts";

const require = createRequire(import.meta.url);
const { ISO2709 } = require("@natlibfi/marc-record-serializers") as {
  ISO2709: { from(text: string, checks: Record<string, boolean>): { fields: unknown[] } };
};
const { Iso2709Parser } = require("marcjs") as {
  Iso2709Parser: { parse(bytes: Buffer): { leader: string; fields: string[][] } };
};

function written(record: MarcRecord): Buffer {
  const outcome = writeIso2709(record);
  if (outcome.type === "too-long") throw new Error(outcome.reason);
  return Buffer.from(outcome.bytes);
}

describe("writing ISO 2709", () => {
  test("any leader → length, base address, encoding and entry map are set", () => {
    const bytes = written({ ...sample("Ä"), leader: "99999nab  2299999 i     " });
    const base = 24 + 3 * 12 + 1;
    expect(bytes.toString("latin1", 0, 24)).toBe(`00${bytes.length}nab a220${"00"}${base} i 4500`);
    expect(bytes[base - 1]).toBe(0x1e);
    expect(bytes.at(-1)).toBe(0x1d);
  });

  test.each(awkwardTexts)("%j → read back the same", (text) => {
    const record = sample(text, [
      "650",
      " 4",
      [
        ["a", "x"],
        ["b", text],
      ],
    ]);
    const outcome = parseIso2709(written(record));
    expect(outcome).toMatchObject({ record: { control: record.control, fields: record.fields } });
  });

  test.each(awkwardTexts)("%j → read back by marcjs", (text) => {
    const { fields } = Iso2709Parser.parse(written(sample(text)));
    expect(fields).toEqual([
      ["001", "IxTheo#2026-01-01#AAAA"],
      ["007", "cr|||||"],
      ["245", "00", "a", text],
    ]);
  });

  // It stumbles over characters outside of the basic plane, whoever writes them.
  const inBasicPlane = awkwardTexts.filter((text) => !/\p{Extended_Pictographic}/u.test(text));
  test.each(inBasicPlane)("%j → read back by @natlibfi/marc-record-serializers", (text) => {
    const record = ISO2709.from(written(sample(text)).toString("utf8"), {
      subfieldValues: false,
      noControlCharacters: false,
    });
    expect(record.fields).toEqual([
      { tag: "001", value: "IxTheo#2026-01-01#AAAA" },
      { tag: "007", value: "cr|||||" },
      { tag: "245", ind1: "0", ind2: "0", subfields: [{ code: "a", value: text }] },
    ]);
  });

  test("delimiters and lone surrogates inside a value → U+FFFD, and the structure holds", () => {
    const outcome = parseIso2709(written(sample("a\x1Db\x1Ec\x1Fd\uD800e\u0000")));
    expect(outcome).toMatchObject({
      record: { fields: [["245", "00", [["a", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFD"]]]] },
    });
  });

  test.each<[condition: string, record: MarcRecord, reason: RegExp]>([
    ["a field of 10,000 bytes", sample("x".repeat(9_995)), /field 245 has 10000 of 9999/],
    ["a field that is too long in bytes only", sample("ä".repeat(5_000)), /field 245 has 10005 of 9999/],
    [
      "a record of more than 99,999 bytes",
      sample("x", ...Array.from({ length: 11 }, () => sample("x".repeat(9_900)).fields[0] ?? never())),
      /it has 1\d{5} of 99999/,
    ],
  ])("%s → refused", (_, record, reason) => {
    expect(writeIso2709(record)).toEqual({ type: "too-long", reason: expect.stringMatching(reason) });
    expect(parseIso2709(written(sample("next")))).toMatchObject({ type: "record" });
  });

  test("a field of 9,999 bytes → written", () => {
    expect(writeIso2709(sample("x".repeat(9_994))).type).toBe("written");
  });

  test("a record that has no structure → thrown", () => {
    expect(() => writeIso2709({ ...sample("x"), leader: "" })).toThrow(InputError);
  });
});

function never(): never {
  throw new Error("the sample has a field");
}
