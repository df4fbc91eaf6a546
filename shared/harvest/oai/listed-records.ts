import type { ListedDocument } from "../../documents/document.ts";
import { fileUrlsOf } from "../../documents/items/file-links.ts";
import { MarcXmlParser } from "../../marc/marcxml-parser.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { parseMods } from "../../metadata/mods.ts";
import { parseOaiDc } from "../../metadata/oai-dc.ts";
import type { OaiRecord } from "../../oai/page.ts";
import type { MetadataWish } from "../../oai/page-reader.ts";

const dublinCore = "http://purl.org/dc/elements/1.1/";
const fileElements = ["relation", "identifier"];

/** What a reader needs of each record. */
export const recordWish: MetadataWish = {
  asXml: true,
  values: ({ namespace, local }) =>
    local === "title" || (namespace === dublinCore && fileElements.includes(local)),
};

/** A record with its metadata as the repository sent them, and normalised where the format is known. */
export function listRecord(
  record: OaiRecord,
  { metadataPrefix, files }: { metadataPrefix: string; files: boolean },
): ListedDocument | { problem: string } {
  const { identifier, datestamp, sets, isDeleted, metadata } = record;
  if (identifier === "") return { problem: "it has no identifier" };
  const listed: ListedDocument = { identifier: [identifier], sets, ...(datestamp !== "" && { datestamp }) };
  if (isDeleted) return { ...listed, isDeleted };
  if (metadata === undefined) return { problem: "it has no metadata, and is not deleted" };
  const title = titleOf(record);
  return {
    ...listed,
    ...(title !== undefined && { title }),
    content: {
      raw: metadata,
      mediaType: "application/xml",
      format: metadataPrefix,
      metadata: normalize(metadata),
    },
    ...(files && { fileUrls: fileUrlsOf(dublinCoreOf(record)) }),
  };
}

/** The first title that is not empty, of any format. */
function titleOf({ values }: Pick<OaiRecord, "values">): string | undefined {
  const titles = values.filter(({ local }) => local === "title");
  return titles.map(({ text }) => text.trim().replaceAll(/\s+/g, " ")).find((text) => text !== "");
}

/** By the vocabulary of the metadata, whatever the repository calls their prefix. */
function normalize(metadata: string): Record<string, unknown> {
  if (metadata.includes(dublinCore)) return firstRecordOf(parseOaiDc(metadata));
  if (metadata.includes("http://www.loc.gov/mods/v3")) return firstRecordOf(parseMods(metadata));
  const marc = readMarc(metadata);
  return marc === undefined ? {} : { marc };
}

function firstRecordOf(result: ReturnType<typeof parseOaiDc>): Record<string, unknown> {
  return result.type === "records" ? { ...result.records[0] } : {};
}

/** The MARC-21 record of marcxml metadata; undefined for other metadata, and for a record that breaks the schema. */
function readMarc(metadata: string): MarcRecord | undefined {
  if (!metadata.includes("http://www.loc.gov/MARC21/slim")) return undefined;
  const parser = new MarcXmlParser();
  try {
    parser.write(metadata);
    parser.close();
  } catch {
    return undefined;
  }
  const [outcome] = parser.ready;
  return outcome?.type === "record" ? outcome.record : undefined;
}

/** The texts of the elements of Dublin Core that may name files. */
function dublinCoreOf({ values }: OaiRecord): Record<string, string[]> {
  const texts = (name: string) =>
    values
      .filter(({ namespace, local }) => namespace === dublinCore && local === name)
      .map(({ text }) => text);
  return Object.fromEntries(fileElements.map((name) => [name, texts(name)]));
}
