import { describe, expect, test } from "vitest";
import { parseIso2709, readIso2709 } from "../../../shared/marc/iso2709-reader.ts";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { awkwardTexts, inPieces, recordsOf, sample } from "./sample.ts";

function iso(record: MarcRecord): string {
  const outcome = writeIso2709(record);
  if (outcome.type === "too-long") throw new Error(outcome.reason);
  return Buffer.from(outcome.bytes).toString("latin1");
}

const bytesOf = (text: string) => Buffer.from(text, "latin1");
const titles = (records: (MarcRecord | string)[]) =>
  records.map((record) => (typeof record === "string" ? record : record.fields[0]?.[2][0]?.[1]));

describe("reading ISO 2709", () => {
  const file = bytesOf(awkwardTexts.map((text) => iso(sample(text))).join(""));

  test.each([1, 2, 3, 7, 100, 1_000_000])("cut into pieces of %i bytes → every text whole", async (size) => {
    expect(titles(await recordsOf(readIso2709(inPieces(file, size))))).toEqual(awkwardTexts);
  });

  test("line breaks between and after records → skipped", async () => {
    const lines = bytesOf(`${iso(sample("one"))}\r\n${iso(sample("two"))}\n`);
    expect(titles(await recordsOf(readIso2709([lines])))).toEqual(["one", "two"]);
  });

  test.each([1, 2, 3, 1_000_000])(
    "a byte order mark first, in pieces of %i bytes → skipped, and counted",
    async (size) => {
      const marked = Buffer.concat([Buffer.from("\ufeff"), file]);
      expect(titles(await recordsOf(readIso2709(inPieces(marked, size))))).toEqual(awkwardTexts);
      const broken = Buffer.from("\ufeff00010xxxx\x1d");
      expect(await recordsOf(readIso2709(inPieces(broken, size)))).toEqual([
        expect.stringMatching(/^record 1 at byte 3: /),
      ]);
    },
  );

  test("nothing → no records", async () => {
    expect(await recordsOf(readIso2709([]))).toEqual([]);
    expect(await recordsOf(readIso2709([bytesOf("\n")]))).toEqual([]);
  });

  test("a malformed record → its number, byte and reason, and the next record", async () => {
    const first = iso(sample("one"));
    const records = await recordsOf(readIso2709([bytesOf(`${first}00026xxx\x1D${iso(sample("three"))}`)]));
    expect(titles(records)).toEqual([
      "one",
      `record 2 at byte ${first.length}: a record of 9 bytes has no leader and directory`,
      "three",
    ]);
  });

  test("the input ends inside a record → said after the records before it", async () => {
    const first = iso(sample("one"));
    const records = await recordsOf(readIso2709([bytesOf(first + first.slice(0, -1))]));
    expect(titles(records)).toEqual([
      "one",
      `record 2 at byte ${first.length}: the input ends inside the record`,
      "the input ends inside record 2",
    ]);
  });

  test("no record terminator for longer than a record can be → said once, then on with the next record", async () => {
    const noise = "x".repeat(350_000);
    const pieces = inPieces(bytesOf(`${iso(sample("one"))}${noise}\x1D${iso(sample("three"))}`), 65_536);
    expect(titles(await recordsOf(readIso2709(pieces)))).toEqual([
      "one",
      expect.stringMatching(/^record 2 at byte \d+: there is no record terminator within 99999 bytes$/),
      "three",
    ]);
  });

  test("the source of the bytes fails → thrown on, not taken for the end", async () => {
    async function* failing() {
      yield bytesOf(iso(sample("one")));
      throw new Error("connection reset");
    }
    await expect(recordsOf(readIso2709(failing()))).rejects.toThrow("connection reset");
  });
});

describe("parsing one record of ISO 2709", () => {
  const good = iso(sample("A title"));
  const replaced = (at: number, text: string) => good.slice(0, at) + text + good.slice(at + text.length);

  test.each<[condition: string, bytes: string, reason: RegExp]>([
    [
      "a length that is not the record's",
      replaced(0, "00042"),
      /leader says "00042" bytes, but the record has \d+/,
    ],
    ["a length that is not a number", replaced(0, "abcde"), /leader says "abcde" bytes/],
    [
      "other counts of indicators and code characters",
      replaced(10, "33"),
      /indicators and subfield codes of "33"/,
    ],
    ["a base address inside the directory", replaced(12, "00049"), /base address "00049" does not follow/],
    ["a base address beyond the record", replaced(12, "99999"), /base address "99999" does not follow/],
    [
      "a directory entry that leads out of the record",
      replaced(27, "9999"),
      /entry for field 001 does not lead/,
    ],
    [
      "a directory entry that leads into another field",
      replaced(31, "00003"),
      /entry for field 001 does not lead/,
    ],
    ["a directory entry that is not a number", replaced(27, "00x3"), /entry for field 001 does not lead/],
    ["an invalid tag", replaced(48, "2-5"), /"2-5" is not a tag/],
    ["an invalid control field", replaced(24, "000"), /"000" is not a tag/],
    ["bytes that are not UTF-8", good.replace("A title", "A t\xFCtle"), /not UTF-8/],
    [
      "MARC-8 with a byte that is no character",
      replaced(9, " ").replace("A title", "A t\xFFtle"),
      /^field 245: MARC-8 has no character FF in Extended Latin \(byte 99 of the record\)$/,
    ],
    [
      "MARC-8 with another escape sequence",
      replaced(9, " ").replace("A title", "\x1B$!fooo"),
      /^field 245: the escape sequence ESC \$ ! f names a character set that is not supported/,
    ],
    ["no subfields", good.replace("\x1FaA title", "--A title"), /has the indicators|no subfields/],
    ["no bytes", "", /of 0 bytes has no leader/],
  ])("%s → malformed", (_, bytes, reason) => {
    expect(parseIso2709(bytesOf(bytes))).toMatchObject({
      type: "malformed",
      number: 1,
      reason: expect.stringMatching(reason),
    });
  });

  test("MARC-8 that is all ASCII → read", () => {
    expect(parseIso2709(bytesOf(replaced(9, " ")))).toMatchObject({ type: "record" });
  });

  test.each<[condition: string, bytes: string, text: string]>([
    ["MARC-8", replaced(9, " ").replace("A title", "A t\xE8ule"), "A tüle"],
    ["MARC-8 in Cyrillic", replaced(9, " ").replace("A title", "\x1B(NFoo!"), "фОО!"],
    ["UTF-8 that its leader calls MARC-8", replaced(9, " ").replace("A title", "T\xC3\xBCrken"), "Türken"],
  ])("%s → read", (_, bytes, text) => {
    const parsed = parseIso2709(bytesOf(bytes));
    expect(parsed).toMatchObject({ type: "record", record: { fields: [["245", "00", [["a", text]]]] } });
  });

  test.each<[condition: string, bytes: string, controlNumber: string | undefined]>([
    ["a wrong length", replaced(0, "00042"), "IxTheo#2026-01-01#AAAA"],
    ["a wrong directory", replaced(27, "00x3"), "IxTheo#2026-01-01#AAAA"],
    ["no directory", good.slice(0, 20), undefined],
  ])("%s → with its 001, if it can be found", (_, bytes, controlNumber) => {
    const parsed = parseIso2709(bytesOf(bytes));
    expect(parsed.type === "malformed" && parsed.controlNumber).toBe(controlNumber);
  });
});
