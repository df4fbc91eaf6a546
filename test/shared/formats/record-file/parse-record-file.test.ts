import { expect, test } from "vitest";
import { parseRecordFile } from "../../../../shared/formats/record-file/parse-record-file.ts";
import { chooseUnapiFormat } from "../../../../shared/formats/record-file/unapi.ts";
import { maxFileBytes, maxRecords } from "../../../../shared/formats/record-file-result.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each<[string, Uint8Array, string | undefined, string]>([
  ["UTF-8 with a mark → read", Buffer.from("\ufeffTY  - JOUR\nTI  - Bücher"), undefined, "Bücher"],
  [
    "the encoding that the header names",
    latin1("TY  - JOUR\nTI  - B\xc3\xbc"),
    "text/plain; charset=latin1",
    "BÃ¼",
  ],
  [
    "none named and not UTF-8 → windows-1252",
    latin1("TY  - JOUR\nTI  - B\xfccher \x96 da"),
    undefined,
    "Bücher – da",
  ],
  [
    "another named than it is in → what it is in",
    latin1("TY  - JOUR\nTI  - B\xfc"),
    "text/plain; charset=utf-8",
    "Bü",
  ],
  ["an unknown one named → UTF-8", Buffer.from("TY  - JOUR\nTI  - Bü"), "text/plain; charset=klingon", "Bü"],
])("encoding: %s", (_title, bytes, contentType, title) => {
  expect(parseRecordFile("ris", bytes, contentType)).toMatchObject({ type: "records", records: [{ title }] });
});

test("a file beyond the limit → unreadable, with its size", () => {
  expect(parseRecordFile("bibtex", new Uint8Array(maxFileBytes + 1), undefined)).toEqual({
    type: "unreadable",
    detail: "it has 1048577 bytes, more than 1048576",
  });
});

test.each(["ris", "bibtex"] as const)("%s with more records than are read → the first", (kind) => {
  const record = { ris: "TY  - JOUR\nTI  - A\nER  - \n", bibtex: "@book{k, title={A}}\n" }[kind];
  const reading = parseRecordFile(kind, Buffer.from(record.repeat(maxRecords + 5)), undefined);
  expect(reading.type === "records" && reading.records).toHaveLength(maxRecords);
});

test.each<[string, string, object | undefined]>([
  [
    "the one that Zotero prefers, under the server's name for it",
    '<formats><format name="BibTeX" type="text/plain"/><format name="RIS" type="x"/></formats>',
    { name: "RIS", kind: "ris" },
  ],
  [
    "one recognized by its media type",
    '<formats id="a"><format name="citation" type="application/x-bibtex"/></formats>',
    { name: "citation", kind: "bibtex" },
  ],
  [
    "MODS, in whatever version",
    '<formats><format name="ris"/><format name="mods3" type="application/xml"/></formats>',
    { name: "mods3", kind: "mods" },
  ],
  [
    "Dublin Core, where there is nothing better",
    '<formats><format name="oai_dc" type="application/xml"/></formats>',
    { name: "oai_dc", kind: "oai-dc" },
  ],
  [
    "something better beside Dublin Core",
    '<formats><format name="oai_dc" type="application/xml"/><format name="bibtex"/></formats>',
    { name: "bibtex", kind: "bibtex" },
  ],
  ["none that is read", '<formats><format name="marcxml" type="application/xml"/></formats>', undefined],
  ["a name that only begins alike", '<formats><format name="risk" type="text/plain"/></formats>', undefined],
  [
    "broken markup → what stands before it",
    '<formats><format name="ris"/><<format name="x"',
    { name: "ris", kind: "ris" },
  ],
  ["no XML", "Not found", undefined],
  ["nothing", "", undefined],
])("formats of an unAPI server: %s", (_title, xml, format) => {
  expect(chooseUnapiFormat(xml)).toEqual(format);
});
