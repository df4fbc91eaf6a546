import { expect, it } from "vitest";
import { parseOaiPage } from "../../../../shared/formats/oai/parse-page.ts";
import { listRecord, recordWishOf } from "../../../../shared/harvest/oai/listed-records.ts";
import { oaiSettings } from "../../../../shared/records/sources/oai-fields.ts";
import { envelope } from "../../../local/cli/harvest/scripted-repository.ts";

const elements = `<dc:identifier>https://r.example/17/</dc:identifier><dc:relation>https://r.example/17/a.pdf</dc:relation>
<dc:format>https://r.example/17/b.epub</dc:format><dc:source>https://other.example/c.pdf</dc:source>`;
const page = envelope(
  `<ListRecords><record><header><identifier>a</identifier><datestamp>2026-01-01</datestamp></header><metadata><dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${elements}</dc></metadata></record></ListRecords>`,
);

it.each([
  [{ files: false }, undefined],
  [{ files: true }, ["https://r.example/17/a.pdf", "https://r.example/17/"]],
  [
    { files: true, fileFields: ["format", "source"] },
    ["https://r.example/17/b.epub", "https://other.example/c.pdf"],
  ],
  [{ files: true, filePattern: "[.]pdf$" }, ["https://r.example/17/a.pdf"]],
  [{ files: true, fileFields: ["source"], filePattern: "^https://r[.]" }, []],
])("a record of a source with %j → the files %j", (settings, urls) => {
  const oai = oaiSettings.parse(settings);
  const read = parseOaiPage(Buffer.from(page), recordWishOf(oai));
  const record = read.type === "page" ? read.page.records[0] : undefined;
  if (record === undefined) throw new Error("no record");
  const listed = listRecord(record, oai);
  expect("fileUrls" in listed ? listed.fileUrls : undefined).toEqual(urls);
});
